package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// A run that has done everything and goes on for ever is told apart from one
// that never does it.
func TestRestless(t *testing.T) {
	const parties = `
store = database("store", tables = {"done": table(key = "id", role = "effect"), "leader": table(key = "id")})
def request(op):
    %s
    accept(op)
service(request, intents = [intent("a")])
`
	const beat = `
given(store, "leader", id = "l", until = after(0))
def beat():
    store.update("leader", "l", until = after(90))
job(beat, every = 60)
`
	const does, doesNot = `store.insert("done", id = op.id)`, `store.get("done", op.id)`
	for _, c := range []struct{ name, text, cycle string }{
		{"done, and a heartbeat", strings.Replace(parties, "%s", does, 1) + beat, "tick job; job update leader"},
		{"done", strings.Replace(parties, "%s", does, 1), ""},
		{"never done, and a heartbeat", strings.Replace(parties, "%s", doesNot, 1) + beat, ""},
	} {
		sc, err := script.Load(c.name, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		w := sim.New(sc.Scenario)
		r, err := explore.Run(context.Background(), w, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r.Restless != nil {
			got = strings.Join(r.Restless.Cycle, "; ")
			run := sim.New(sc.Scenario)
			state := run.Start()
			for _, step := range append(append([]string(nil), r.Restless.Schedule...), r.Restless.Cycle...) {
				if state, _, err = run.Apply(state, step); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
		if got != c.cycle {
			t.Errorf("%s: %q repeats, want %q", c.name, got, c.cycle)
		}
		if done := r.Finding(sim.DoneOnce).Status; (done == explore.Reached) != (c.name == "done") {
			t.Errorf("%s: %s", c.name, done)
		}
	}
}
