package explore_test

import (
	"context"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
)

// A loss that is certain is shown although a bound ends the search long before
// everything was looked at, and what is not certain stays undecided.
func TestLossIsCertainAtABound(t *testing.T) {
	w := referenceWorld(t, referenceRow{variant: "ack-first", m: 6, c: 4, k: 2, t: 2})
	r, err := explore.Run(context.Background(), w, explore.Options{MaxStates: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete() {
		t.Fatal("the bound was not reached")
	}
	lost := r.Finding(sim.Lost)
	if lost.Status != explore.Violated || len(lost.Schedule) != 4 || lost.Needs != 1 {
		t.Errorf("lost is %s after %d steps, needs %d: %q", lost.Status, len(lost.Schedule), lost.Needs, lost.Schedule)
	}
	if f := r.Finding(sim.Stuck); f.Status != explore.Undecided {
		t.Errorf("stuck is %s", f.Status)
	}
}
