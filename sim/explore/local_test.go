package explore_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// Where nothing but a message or a handler can bring an effect, what looking
// back from the future finds must be what a state shows by itself: nothing is
// left that works on the intent.
func TestLocalTestAgrees(t *testing.T) {
	compared, lost := 0, 0
	for seed := uint64(0); compared < 150; seed++ {
		text := []byte(randomScenario(rand.New(rand.NewPCG(seed, 4))))
		w := load(t, "random", text)
		if !w.LocalTestHolds() {
			continue
		}
		o, err := newOracle(w, 400)
		if err != nil || o == nil {
			continue // a mistake in the random text, or too large
		}
		compared++
		for n, s := range o.list {
			v := o.verdicts(n)
			late := v.Of[sim.Lost] | v.Of[sim.ConflictAccepted]
			local := o.w.Abandoned(s, o.w.Missing(s)) &^ v.Of[sim.Overwritten]
			if local != late {
				t.Fatalf("seed %d: state %d: lost by the future: %b, by itself: %b\n%s", seed, n, late, local, text)
			}
			if late != 0 {
				lost++
			}
		}
	}
	if lost == 0 {
		t.Error("no state shows a loss: the test compares nothing")
	}
}
