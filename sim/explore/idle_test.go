package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// A budget whose faults could strike nowhere says so, and one whose faults could
// strike does not.
func TestIdleFaults(t *testing.T) {
	const scenario = `
jobs = queue("jobs", like = %q)
store = database("store", tables = {"done": table(key = "id", role = "effect")})
def request(op):
    jobs.publish(op.id)
    accept(op)
def handle(delivery):
    store.put("done", id = delivery.op)
    delivery.ack()
service(request, intents = [intent("a")])
consumer(handle, queue = jobs)
faults(total = 1, %s)
`
	for _, c := range []struct{ like, faults, idle string }{
		{"rabbitmq-quorum", "crash = 1, broker_restart = 1, connection_lost = 1, stop = 1", "[]"},
		{"sqs-standard", "lost_reply = 1, late = 1, surprise = 1, early_expiry = 1", "[]"},
		{"sqs-standard", "crash = 1, broker_restart = 1, connection_lost = 1", "[connection_lost broker_restart]"},
		{"rabbitmq-quorum", "surprise = 1, stall = 1", "[surprise]"},
		{"rabbitmq-quorum", `lost_request = 1, crash = 1, of = [store]`, "[crash lost_request]"},
	} {
		sc, err := script.Load("idle", fmt.Appendf(nil, scenario, c.like, c.faults))
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Idle); got != c.idle {
			t.Errorf("%s with %s: idle %s, want %s", c.like, c.faults, got, c.idle)
		}
	}
}

// A job that may overlap itself and never does says so.
func TestJobsThatNeverOverlap(t *testing.T) {
	const scenario = `
store = database("store", tables = {"done": table(key = "id", role = "effect")})
def request(op):
    store.insert("done", id = op.id)
    accept(op)
service(request, intents = [intent("a")])
def tick():
    if store.exists("done", id = "a"):
        work(%d)
job(tick, every = 30, overlap = 2, times = 3)
`
	for seconds, want := range map[int]string{10: "[job]", 40: "[]"} {
		sc, err := script.Load("overlap", fmt.Appendf(nil, scenario, seconds))
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Alone); got != want {
			t.Errorf("%d s of work: alone %s, want %s", seconds, got, want)
		}
	}
}
