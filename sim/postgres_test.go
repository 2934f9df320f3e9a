package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// isolationsOfPostgres are the levels in the order of the manual's table 13.1.
var isolationsOfPostgres = []string{"read_committed", "repeatable_read", "serializable"}

// Two transactions insert the same key, A first and still open: B waits, and
// what it is told afterwards depends on what became of A (PostgreSQL manual
// 13.2 and INSERT, On Conflict Clause).
func TestPostgresInsertsOfOneKey(t *testing.T) {
	inserts := []struct {
		call      string
		committed [3]string // by isolation: what B is told after A's commit
	}{
		{`tx.insert, "a", id = "k", conflict = "error", by = op.id`, [3]string{"conflict", "conflict", "conflict"}},
		{`tx.insert, "a", id = "k", by = op.id`, [3]string{"False", "serialization", "serialization"}},
		{`tx.put, "a", id = "k", by = op.id`, [3]string{"None", "serialization", "serialization"}},
	}
	for _, c := range inserts {
		for i, isolation := range isolationsOfPostgres {
			for _, end := range []string{"commit", "rollback"} {
				name := fmt.Sprintf("%s after %s in %s", c.call[:strings.Index(c.call, ",")]+strings.TrimPrefix(c.call, "tx."), end, isolation)
				t.Run(name, func(t *testing.T) {
					p := play(t, fmt.Sprintf(`
store = database("store", like = "postgres", isolation = %q, tables = {"a": table(key = "id", role = "effect")})
def first(op):
    tx = store.begin()
    attempt(%s)
    tx.%s()
def second(op):
    tx = store.begin()
    r = attempt(%s)
    if r.ok:
        tx.get("a", "k")
    attempt(tx.commit)
service(first, name = "a", intents = [intent("one")])
service(second, name = "b", intents = [intent("two")])
`, isolation, c.call, end, c.call))
					p.run("a", "b", "a") // both begin, A inserts
					p.waits("b")
					p.run("a", "b")
					want, works := c.committed[i], map[bool]string{true: "None", false: "True"}[strings.HasPrefix(c.call, "tx.put")]
					if end == "rollback" {
						want = works
					}
					p.told("b", want)
					failed := want == "conflict" || want == "serialization"
					if !failed {
						p.run("b") // it sees A's row or its own
						by := map[bool]string{true: "one", false: "two"}[want == "False"]
						p.told("b", fmt.Sprintf(`{by: %q, id: "k"}`, by))
					}
					p.run("b")
					p.told("b", map[bool]string{true: "aborted", false: "None"}[failed])
				})
			}
		}
	}
}

// player takes steps and looks at what calls were told.
type player struct {
	t     *testing.T
	steps *schedule.Run
	sc    *script.Scenario
}

func play(t *testing.T, text string) *player {
	t.Helper()
	sc, err := script.Load("test.star", []byte(strings.TrimLeft(text, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return &player{t, schedule.New(sim.New(sc.Scenario)), sc}
}

func (p *player) run(steps ...string) {
	p.t.Helper()
	for _, step := range steps {
		if err := p.steps.Step(step); err != nil {
			p.t.Fatalf("%v\n%s", err, look(p.steps.World, p.steps.State()))
		}
	}
}

func (p *player) waits(process string) {
	p.t.Helper()
	for _, v := range p.steps.World.Look(p.steps.State()).Processes {
		if v.Name == process && v.Doing != "waiting" {
			p.t.Errorf("%s is %s before %s, want waiting", process, v.Doing, v.Next)
		}
	}
}

// told insists on what the latest call of a process was told.
func (p *player) told(process, want string) {
	p.t.Helper()
	for i := p.steps.Len() - 1; i >= 0; i-- {
		for _, e := range p.steps.Events(i) {
			if e.Kind != sim.EventCall || p.sc.Processes[e.Proc].Name != process {
				continue
			}
			got := p.sc.Values.Text(e.Answer.Value)
			if e.Answer.Code != sim.OK {
				got = e.Answer.Code.String()
			}
			if got != want {
				p.t.Errorf("%s is told %s at %s, want %s", process, got, p.steps.Outcome(i).Name, want)
			}
			return
		}
	}
	p.t.Errorf("%s was told nothing", process)
}
