package explore_test

import (
	"context"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// A schedule that the check of a block shows can be replayed in the scenario as
// a whole, which has the budget of all its blocks.
func TestSchedulesOfBlocksReplay(t *testing.T) {
	stalls := `"""A stall is longer or shorter."""
jobs = queue("jobs", like = "sqs-standard", lease = 20)
store = database("store", tables = {"done": table(role = "effect")})
def request(op):
    jobs.publish(op.id)
    accept(op)
def handle(d):
    work(15)
    store.insert("done", id = d.op)
    d.ack()
service(request, intents = [intent("work-1")])
consumer(handle, queue = jobs, replicas = 2)
`
	list := append(corpus(t),
		example{"stall last", stalls + "expect()\nexpect(under = faults(stall = 1, longest = 40))\n"},
		example{"stall first", stalls + "expect(under = faults(stall = 1, longest = 40))\nexpect(under = faults(crash = 1))\n"},
		example{"two stalls", stalls + "expect(under = faults(stall = 1, longest = 2))\nexpect(under = faults(stall = 1, longest = 40))\n"},
	)
	shown := 0
	for _, e := range list {
		sc, err := script.Load(e.name, []byte(e.text))
		if err != nil {
			t.Fatal(err)
		}
		if len(sc.Blocks()) < 2 {
			continue
		}
		for _, b := range sc.Blocks() {
			r, err := explore.Run(context.Background(), sim.New(sc.Under(b).Scenario), explore.Options{})
			if err != nil {
				t.Fatalf("%s: %v", e.name, err)
			}
			for _, f := range r.Findings {
				if f.Schedule == nil {
					continue
				}
				shown++
				if _, err := schedule.Replay(sim.New(sc.Scenario), f.Schedule); err != nil {
					t.Errorf("%s, under %s: %s: %v", e.name, b.Under, f.Property, err)
				}
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d schedules", shown)
	}
}
