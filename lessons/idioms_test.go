package lessons_test

import (
	"context"
	"testing"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// Every idiom holds what it expects, in all states and under each budget that
// it names.
func TestContentIdiomsHold(t *testing.T) {
	list := lessons.Idioms()
	if len(list) != 10 {
		t.Errorf("%d idioms, the README speaks of ten", len(list))
	}
	for _, i := range list {
		t.Run(i.Name, func(t *testing.T) {
			sc, err := script.Load(i.Name+".star", []byte(i.Text))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range sc.Blocks() {
				under := sc.Under(b)
				r, err := explore.Run(context.Background(), sim.New(under.Scenario), explore.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !r.Complete() || r.States > most {
					t.Errorf("%d states, complete: %v", r.States, r.Complete())
				}
				for _, f := range r.Findings {
					if b.Forbidden[f.Property] && f.Status != explore.Holds && f.Status != explore.Reached {
						t.Errorf("%s is %s: %q", f.Property, f.Status, f.Schedule)
					}
				}
			}
		})
	}
}
