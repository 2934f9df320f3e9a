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

// A search that ends at a bound names what only grew, and nothing else.
func TestGrowing(t *testing.T) {
	const counter = `
store = database("store", tables = {"state": table(key = "id"), "log": table(key = "n"), "done": table(key = "id", role = "effect")})
given(store, "state", id = "s", runs = 0, fixed = 7)
def request(op):
    store.insert("done", id = op.id)
    accept(op)
service(request, intents = [intent("a")])
def count():
    %s
job(count, every = 60%s)
`
	const plus = `store.update("state", "s", runs = plus(1))`
	for _, c := range []struct{ name, body, more, grows string }{
		{"a column", plus, "", "store.state.runs"},
		{"a table", `store.insert("log", n = fresh_id())`, "", "rows of store.log"},
		{"a column with an end", plus, ", times = 30", ""},
		{"nothing", `store.get("state", "s")`, "", ""},
	} {
		sc, err := script.Load(c.name, fmt.Appendf(nil, counter, c.body, c.more))
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{MaxDepth: 200})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, g := range r.Growing {
			if g.From >= g.To {
				t.Errorf("%s: %s grew from %d to %d", c.name, g.Name, g.From, g.To)
			}
			names = append(names, g.Name)
		}
		if got := strings.Join(names, ", "); got != c.grows {
			t.Errorf("%s: %q grows (bound %q), want %q", c.name, got, r.Bound, c.grows)
		}
		if (c.grows == "") != (r.Bound == explore.NoBound) {
			t.Errorf("%s: bound %q", c.name, r.Bound)
		}
	}
}
