package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

const needsScenario = `
exports = queue("exports", like = "rabbitmq-quorum")
store = database("store", like = "sqlite", tables = {"totals": table(key = "id", role = "effect", counts = "each")})
def request(op):
    exports.publish(op.id, confirm = False)
    accept(op)
def handle(delivery):
    store.add("totals", "all", n = 1)
    delivery.ack()
service(request, intents = [intent("work-1")])
consumer(handle, queue = exports, replicas = 1)
`

// What is needed, known by hand: an unconfirmed publish is lost with its
// request; a crash or a lost ack after the effect doubles it.
func TestSmallest(t *testing.T) {
	for _, test := range []struct {
		faults string
		p      sim.Property
		want   string
	}{
		{"faults(total = 2, crash = 2, lost_request = 2, lost_reply = 2)", sim.Lost, "[[lost_request]]"},
		{"faults(total = 2, crash = 2, lost_request = 2, lost_reply = 2)", sim.Duplicated, "[[crash] [lost_request]]"},
		{"faults(total = 1, crash = 1, lost_request = 1)", sim.Duplicated, "[[crash] [lost_request]]"},
		{"faults(total = 1, crash = 1)", sim.Duplicated, "[[crash]]"},
		{"faults(total = 1, crash = 1)", sim.Lost, "[]"},
	} {
		needs, _ := smallest(t, needsScenario+test.faults+"\n", explore.Options{})
		if got := fmt.Sprint(needs.Of[test.p]); got != test.want {
			t.Errorf("%s: %s needs %s, want %s", test.faults, test.p, got, test.want)
		}
	}
}

// Two faults together, each of another kind: one eats the first attempt, the
// other the second.
func TestSmallestOfSeveral(t *testing.T) {
	text := `
exports = queue("exports", like = "rabbitmq-quorum")
store = database("store", like = "postgres", tables = {"totals": table(key = "id", role = "effect", counts = "each")})
def request(op):
    accept(op)
    for n in range(2):
        attempt(exports.publish, op.id, confirm = False)
def handle(delivery):
    store.put("totals", id = delivery.op)
    delivery.ack()
service(request, intents = [intent("work-1")])
consumer(handle, queue = exports, replicas = 1)
faults(total = 3, crash = 1, lost_request = 3)
`
	needs, _ := smallest(t, text, explore.Options{})
	if got := fmt.Sprint(needs.Of[sim.Lost]); got != "[[crash]]" {
		t.Errorf("lost needs %s, want one crash", got)
	}
	text = text[:len(text)-len("crash = 1, lost_request = 3)\n")] + "lost_request = 3)\n"
	needs, _ = smallest(t, text, explore.Options{})
	if got := fmt.Sprint(needs.Of[sim.Lost]); got != "[[lost_request lost_request]]" {
		t.Errorf("lost needs %s, want two lost requests", got)
	}
}

// Within bounds nothing is named that may be wrong.
func TestSmallestWithinBounds(t *testing.T) {
	text := needsScenario + "faults(total = 1, crash = 1, lost_request = 1)\n"
	for n := 1; n < 40; n++ {
		needs, r := smallest(t, text, explore.Options{MaxStates: n})
		if !r.Complete() && needs.Of[sim.Duplicated] != nil {
			t.Errorf("after %d states: %v", n, needs.Of[sim.Duplicated])
		}
	}
}

// The number that a search counts and the budgets agree, for random scenarios:
// each of that size that is listed shows the violation, and none is empty.
func TestSmallestAgrees(t *testing.T) {
	checked, several := 0, 0
	o := explore.Options{MaxStates: 3000}
	for seed := range uint64(150) {
		text := randomScenario(rand.New(rand.NewPCG(seed, 5)))
		sc, err := script.Load("random", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		sc.Faults.Total = 2
		for k := range sc.Faults.Limit {
			sc.Faults.Limit[k] *= 2
		}
		r, err := explore.Run(context.Background(), sim.New(sc.Scenario), o)
		if err != nil || !r.Complete() {
			continue // a mistake in the random text, or a large one
		}
		needs, err := explore.Smallest(context.Background(), sc.Scenario, r, o)
		if err != nil {
			t.Fatal(err)
		}
		for p, budgets := range needs.Of {
			f := r.Finding(sim.Property(p))
			few := needs.Fewest[p]
			if wanted := f.Faults > f.Needs; (few != nil) != wanted || wanted && few.Faults != f.Needs {
				t.Errorf("seed %d: %s needs %d of %d faults, and the fewest are %+v", seed, f.Property, f.Needs, f.Faults, few)
			} else if wanted {
				if _, err := schedule.Replay(sim.New(sc.Scenario), few.Schedule); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
			if f.Status != explore.Violated || f.Needs == 0 {
				if budgets != nil {
					t.Errorf("seed %d: %s needs nothing, and %v", seed, f.Property, budgets)
				}
				continue
			}
			if len(budgets) == 0 {
				t.Errorf("seed %d: no budget of %d faults shows %s", seed, f.Needs, f.Property)
			}
			checked++
			if f.Needs > 1 {
				several++
			}
			for _, kinds := range budgets {
				if len(kinds) != f.Needs {
					t.Errorf("seed %d: %s needs %d faults, not %v", seed, f.Property, f.Needs, kinds)
				}
			}
		}
	}
	if checked < 20 || several < 3 {
		t.Errorf("%d violations, %d of them of several faults: the test shows little", checked, several)
	}
}

func smallest(t *testing.T, text string, o explore.Options) (*explore.Needs, *explore.Report) {
	t.Helper()
	sc, err := script.Load("needs", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), sim.New(sc.Scenario), o)
	if err != nil {
		t.Fatal(err)
	}
	needs, err := explore.Smallest(context.Background(), sc.Scenario, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return needs, r
}

// A lease that a fault ends early is the shorter way, one that ends by itself
// the one without a fault.
func TestFewestFaults(t *testing.T) {
	text := `
q = queue("q", like = "sqs-standard", lease = 30)
store = database("store", tables = {"done": table(role = "effect")})
def request(op):
    q.publish(op.id)
    accept(op)
def handle(d):
    store.insert("done", op = d.op)
    work(40)
    d.ack()
service(request, intents = [intent("a")])
consumer(handle, queue = q, replicas = 2)
faults(total = 1, early_expiry = 1, crash = 1)
`
	needs, r := smallest(t, text, explore.Options{})
	few, found := needs.Fewest[sim.Duplicated], r.Finding(sim.Duplicated)
	if few == nil || few.Faults != 0 || len(few.Schedule) != 8 || found.Faults != 1 || len(found.Schedule) != 6 {
		t.Errorf("the fewest faults are %+v, the shortest schedule %+v", few, found)
	}
	if needs.Fewest[sim.Unresolved] != nil || len(needs.Of[sim.Duplicated]) != 0 {
		t.Error("there is a second schedule where the shortest has no fault too many, or a budget where none is needed")
	}
}
