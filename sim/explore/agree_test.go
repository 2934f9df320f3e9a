package explore_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
)

var (
	randomCount = flag.Int("random", 1000, "number of random scenarios that both explorers must agree on")
	randomSeed  = flag.Uint64("seed", 1, "seed of the first random scenario")
	mutants     = flag.Int("mutants", 1, "how many mutants of each example both explorers must agree on")
)

// mostForOracle bounds what the slow explorer is asked to do.
const mostForOracle = 1500

// compare runs both explorers and reports a difference. It tells whether the
// scenario was small enough.
func compare(t *testing.T, name string, text []byte) bool {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("%s: %v\n%s", name, p, text))
		}
	}()
	o, err := newOracle(load(t, name, text), mostForOracle)
	if mistake := (*sim.MistakeError)(nil); errors.As(err, &mistake) {
		if _, err := explore.Run(context.Background(), load(t, name, text), explore.Options{}); err == nil {
			t.Errorf("%s: only the oracle comes upon a mistake: %v\n%s", name, mistake, text)
		}
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	if o == nil {
		return false
	}
	r, err := explore.Run(context.Background(), load(t, name, text), explore.Options{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	if r.States != len(o.list) || r.Transitions != o.edges {
		t.Errorf("%s: %d states and %d transitions, the oracle has %d and %d\n%s", name, r.States, r.Transitions, len(o.list), o.edges, text)
	}
	got := map[sim.Property]found{}
	for _, f := range r.Findings {
		if f.Status == explore.Violated || f.Status == explore.Reached {
			got[f.Property] = found{len(f.Schedule), f.Faults, f.Needs}
			replays(t, name, load(t, name, text), f)
		}
	}
	if a, b := describe(got), describe(o.answers()); a != b {
		t.Errorf("%s: found %s; the oracle says %s\n%s", name, a, b, text)
	}
	return true
}

// replays takes a finding's schedule step by step in a world of its own and
// judges where it ends.
func replays(t *testing.T, name string, w *sim.World, f explore.Finding) {
	t.Helper()
	run, err := schedule.Replay(w, f.Schedule)
	if err != nil {
		t.Errorf("%s: the schedule for %s does not replay: %v", name, f.Property, err)
		return
	}
	if f.Property == sim.DoneOnce {
		return
	}
	end, err := explore.Judge(w, run.State(), 100_000)
	if err != nil || !end.Decided || end.Verdicts.Of[f.Property] == 0 {
		t.Errorf("%s: the schedule for %s ends in a state without that verdict (%v)", name, f.Property, err)
	}
}

func TestExplorersAgreeOnExamples(t *testing.T) {
	n := 0
	for _, e := range corpus(t) {
		if compare(t, e.name, []byte(e.text)) {
			n++
		}
	}
	if n < 200 {
		t.Errorf("only %d examples were small enough", n)
	}
}

func TestExplorersAgreeOnMutants(t *testing.T) {
	compared := 0
	for i, e := range corpus(t) {
		for n := range *mutants {
			if t.Failed() || testing.Short() && i%4 > 0 {
				break
			}
			text := mutant(rand.New(rand.NewPCG(uint64(i), *randomSeed+uint64(n))), e.text)
			if text != "" && compare(t, e.name, []byte(text)) {
				compared++
			}
		}
	}
	t.Logf("%d mutants compared", compared)
}

func TestExplorersAgreeOnRandomScenarios(t *testing.T) {
	agree(t, "RandomScenarios", *randomCount, randomScenario)
}
func TestExplorersAgreeOnWideScenarios(t *testing.T) {
	agree(t, "WideScenarios", *randomCount/4, wideScenario)
}

func agree(t *testing.T, name string, count int, scenario func(rng *rand.Rand) string) {
	compared := 0
	for seed := *randomSeed; compared < count && !t.Failed(); seed++ {
		if testing.Short() && compared >= 100 {
			break
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		if compare(t, "random", []byte(scenario(rng))) {
			compared++
		}
		if t.Failed() {
			t.Logf("repeat with: go test ./sim/explore -run %s -seed %d -random 1", name, seed)
		}
		if seed > *randomSeed+uint64(count)*20 {
			t.Fatalf("only %d of %d random scenarios were small enough", compared, count)
		}
	}
	t.Logf("%d scenarios compared", compared)
}
