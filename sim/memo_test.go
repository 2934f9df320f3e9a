package sim_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/script"
)

// What is remembered of a state's steps must be what working them out afresh
// gives, wherever a run comes. Random runs go through every shipped scenario
// twice, so that the second one meets what the first one left behind.
func TestMemoAgrees(t *testing.T) {
	files, err := filepath.Glob("../lessons/*/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sc, err := script.Load(f, text)
		if err != nil {
			t.Fatal(err)
		}
		w := sim.New(sc.Scenario)
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed/2, 0))
			s := w.Start()
			for range 200 {
				remembered, err := w.Steps(s)
				if err != nil {
					t.Fatal(err)
				}
				afresh, err := w.StepsAfresh(s)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(remembered, afresh) {
					t.Fatalf("%s, seed %d: remembered %v, afresh %v", f, seed, remembered, afresh)
				}
				if len(remembered) == 0 {
					break
				}
				step := remembered[rng.IntN(len(remembered))]
				next := make(sim.State, len(s))
				step.Into(next, s)
				s = next
			}
		}
	}
}

// Stepping allocates nothing once the parts of a state have been seen together.
func TestSearchingAllocatesNothing(t *testing.T) {
	text, err := os.ReadFile("../lessons/03-commit-first/one-transaction.star")
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Load("test.star", text)
	if err != nil {
		t.Fatal(err)
	}
	w := sim.New(sc.Scenario)
	s := w.Start()
	words := 0
	visit := func(packed []uint32) { words += len(packed) }
	w.ExpandKnown(s, visit)
	if _, err := w.Steps(s); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if !w.ExpandKnown(s, visit) {
			t.Fatal("the state's parts were not remembered")
		}
	}); n != 0 {
		t.Errorf("%v allocations for each state", n)
	}
}
