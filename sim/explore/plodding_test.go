package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// sameWithout compares the verdicts of a scenario with those of a world that
// leaves out what only keeps states few. It tells whether there was anything
// to compare.
func sameWithout(t *testing.T, name, text string) bool {
	t.Helper()
	run := func(plodding bool, most int) *explore.Report {
		sc, err := script.Load(name, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if plodding {
			sc.Plodding, sc.EffectCap = true, 0
		}
		r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{MaxStates: most})
		if err != nil {
			return nil // a mistake in the text
		}
		return r
	}
	few := run(false, 5_000)
	if few == nil || !few.Complete() {
		return false
	}
	all := run(true, 20_000)
	if all == nil {
		t.Errorf("%s: a mistake that only the plodding world comes upon\n%s", name, text)
		return false
	}
	var differ []string
	for i, a := range few.Findings {
		b := all.Findings[i]
		if a.Property == sim.DoneOnce || b.Status == explore.Undecided {
			continue
		}
		if a.Status != b.Status || all.Complete() && a.Needs != b.Needs {
			differ = append(differ, fmt.Sprintf("%s is %s (needs %d), plodding %s (%d)\n  %s\n  %s", a.Property, a.Status, a.Needs, b.Status, b.Needs,
				strings.Join(a.Schedule, "; "), strings.Join(b.Schedule, "; ")))
		}
	}
	if differ != nil {
		t.Errorf("%s: %s\n%s", name, strings.Join(differ, "\n"), text)
	}
	return true
}

// That a job sleeps, that a clock stands still, that a record is dropped, that
// effects are counted up to a number: all that saves states and must change no
// verdict.
func TestSavingStatesChangesNoVerdict(t *testing.T) {
	compared := 0
	for i, e := range corpus(t) {
		if sameWithout(t, e.name, e.text) {
			compared++
		}
		for n := range *mutants {
			if i%3 > 0 || testing.Short() && i%9 > 0 {
				break // the worlds that save nothing are large
			}
			text := mutant(rand.New(rand.NewPCG(uint64(i), *randomSeed+uint64(n))), e.text)
			if text != "" && sameWithout(t, e.name, text) {
				compared++
			}
		}
	}
	for seed := range uint64(*randomCount / 20) {
		if testing.Short() && seed > 10 {
			break
		}
		if sameWithout(t, "wide", wideScenario(rand.New(rand.NewPCG(*randomSeed+seed, 6)))) {
			compared++
		}
	}
	t.Logf("%d scenarios compared", compared)
}
