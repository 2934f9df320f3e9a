package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// What consumers get again and again is stuck today, though its lifetime will
// end one day. What nobody has is judged when it has ended.
func TestStuckBeforeItsLifetimeEnds(t *testing.T) {
	const poison = `
def handle(delivery):
    work(10)
    fail("cannot be parsed")
consumer(handle, queue = jobs)
`
	const publish = `
store = database("store", tables = {"done": table(key = "id", role = "effect")})
def request(op):
    jobs.publish(op.id)
    accept(op)
service(request, intents = [intent("a")])
`
	const skip = `
skips = database("skips", tables = {"skip": table(key = "id")})
def skipping(op):
    skips.insert("skip", id = "x", of = op)
service(skipping, name = "admin", at = "any_time", intents = [intent("b")])
def handle(delivery):
    if not skips.exists("skip", id = "x"):
        fail("not yet")
    delivery.ack()
consumer(handle, queue = jobs)
`
	for _, c := range []struct{ name, text, shows string }{
		{"poison, kept for ever", `jobs = queue("jobs", like = "sqs-standard", lease = 30)` + publish + poison, "stuck in 2"},
		{"poison, kept for an hour", `jobs = queue("jobs", like = "sqs-standard", lease = 30, ttl = 3600)` + publish + poison, "lost in 602, stuck in 2"},
		{"poison, dead-lettered after a minute", `
dead = queue("dead", like = "rabbitmq-quorum")
jobs = queue("jobs", like = "rabbitmq-quorum", ttl = 60, dead_letter = dead)` + publish + poison, "dead_lettered in 33"},
		{"nobody takes it", `jobs = queue("jobs", like = "sqs-standard", lease = 30, delay = 600, ttl = 300)` + publish + poison, "lost in 3"},
		{"only a request that may stay away closes it", `jobs = queue("jobs", like = "sqs-standard", lease = 30)` + publish + skip, "lost in 7, stuck in 2"},
	} {
		sc, err := script.Load(c.name, []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		w := sim.New(sc.Scenario)
		r, err := explore.Run(context.Background(), w, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var shows []string
		for _, p := range []sim.Property{sim.Lost, sim.Stuck, sim.DeadLettered} {
			f := r.Finding(p)
			if f.Status == explore.Holds {
				continue
			}
			shows = append(shows, fmt.Sprintf("%s in %d", p, len(f.Schedule)))
			if f.Status != explore.Violated {
				t.Errorf("%s: %s is %s", c.name, p, f.Status)
				continue
			}
			standing := standingAfter(t, w, f.Schedule)
			if standing.Verdicts.Of[p] == 0 {
				t.Errorf("%s: a look at the state after the schedule of %s does not see it", c.name, p)
			}
		}
		if got := strings.Join(shows, ", "); got != c.shows {
			t.Errorf("%s: %s, want %s", c.name, got, c.shows)
		}
	}
}

func standingAfter(t *testing.T, w *sim.World, steps []string) explore.Standing {
	t.Helper()
	state := w.Start()
	for _, step := range steps {
		next, _, err := w.Apply(state, step)
		if err != nil {
			t.Fatal(err)
		}
		state = next
	}
	standing, err := explore.Judge(w, state, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	return standing
}
