package explore_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// The reference model has 52,171 classes at M4 C3 K2 T2 where messages and
// consumers are interchangeable; at M2 C2 the number is small enough to be
// checked against the whole below.
func TestSymmetryClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := referenceWorld(t, referenceRow{variant: "dedupe", m: 4, c: 3, k: 2, t: 2})
	r, err := explore.Run(context.Background(), w, explore.Options{Symmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Symmetry != "on" || r.States != 52_171 {
		t.Errorf("symmetry %s, %d states, want 52171", r.Symmetry, r.States)
	}
}

// sameVerdicts explores a scenario with and without symmetry and compares what
// is found.
func sameVerdicts(t *testing.T, name string, load func() *sim.World) (reduced bool) {
	t.Helper()
	whole, err := explore.Run(context.Background(), load(), explore.Options{MaxStates: 10_000})
	if err != nil {
		return false // a mistake in the text; both come upon it
	}
	some, err := explore.Run(context.Background(), load(), explore.Options{MaxStates: 10_000, Symmetry: true})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !whole.Complete() {
		return false
	}
	if some.States > whole.States {
		t.Errorf("%s: %d states with symmetry, %d without", name, some.States, whole.States)
	}
	for i, a := range whole.Findings {
		b := some.Findings[i]
		if a.Status != b.Status || len(a.Schedule) != len(b.Schedule) || a.Needs != b.Needs {
			t.Errorf("%s: %s is %s in %d steps (needs %d) without symmetry, %s in %d (%d) with", name, a.Property,
				a.Status, len(a.Schedule), a.Needs, b.Status, len(b.Schedule), b.Needs)
		}
		if b.Schedule != nil {
			replays(t, name, load(), b)
		}
	}
	return some.States < whole.States
}

func TestSymmetryChangesNoVerdict(t *testing.T) {
	for _, row := range referenceRows(t) {
		if row.states < 6_000 {
			sameVerdicts(t, row.String(), func() *sim.World { return referenceWorld(t, row) })
		}
	}
	files, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sameVerdicts(t, f, func() *sim.World { return load(t, f, text) })
	}
	reduced := 0
	for seed := range uint64(120) {
		text := []byte(randomScenario(rand.New(rand.NewPCG(seed, 2))))
		if sameVerdicts(t, "random", func() *sim.World { return load(t, "random", text) }) {
			reduced++
		}
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, text)
		}
	}
	if reduced < 10 {
		t.Errorf("symmetry reduced only %d of 120 random scenarios: the test shows little", reduced)
	}
}

func load(t *testing.T, name string, text []byte) *sim.World {
	t.Helper()
	sc, err := script.Load(name, text)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	return sim.New(sc.Scenario)
}
