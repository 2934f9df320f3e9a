package explore_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// countdown is a context that is cancelled when it has been asked so often.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func cancelledAfter(n int) *countdown {
	c := &countdown{Context: context.Background()}
	c.left.Store(int64(n))
	return c
}

// A search that is cancelled claims nothing that it did not see, wherever it
// is cancelled: between batches, inside one, or while it judges.
func TestCancelledAnywhere(t *testing.T) {
	text, err := os.ReadFile("../../lessons/02-ack-first/ack-first.star")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, complete := 0, 0
	for n := 0; n < 400 && complete == 0; n++ {
		sc, err := script.Load("cancel", text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(cancelledAfter(n), sim.New(sc.Scenario), explore.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if r.Complete() {
			complete++
			continue
		}
		cancelled++
		for _, f := range r.Findings {
			if r.Bound != explore.Cancelled || f.Status == explore.Holds || f.Status == explore.Unreached {
				t.Fatalf("cancelled after %d questions (%s): %s %s", n, r.Bound, f.Property, f.Status)
			}
		}
	}
	if cancelled < 20 || complete == 0 {
		t.Errorf("%d searches were cancelled and %d complete: the test shows little", cancelled, complete)
	}
}

// The same for window maps: what was not looked at is undecided.
func TestWindowsCancelledAnywhere(t *testing.T) {
	text, err := os.ReadFile("../../lessons/02-ack-first/ack-first.star")
	if err != nil {
		t.Fatal(err)
	}
	cancelled, complete := 0, 0
	for n := 0; n < 600 && complete == 0; n++ {
		sc, err := script.Load("cancel", text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := sc.Windows(cancelledAfter(n), explore.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if m.Bound == explore.NoBound {
			complete++
			continue
		}
		cancelled++
		for _, h := range m.Handlers {
			if len(h.Gaps) == 0 {
				t.Fatalf("cancelled after %d questions: %s has no gaps", n, h.Name)
			}
			for _, g := range h.Gaps {
				for _, f := range g.Faults {
					if f.Mark != explore.MarkUndecided && f.Mark != explore.MarkHarmful {
						t.Fatalf("cancelled after %d questions: %s before %s is %s", n, f.Kind, g.Call, f.Mark)
					}
				}
			}
		}
	}
	if cancelled < 20 || complete == 0 {
		t.Errorf("%d maps were cancelled and %d complete: the test shows little", cancelled, complete)
	}
}
