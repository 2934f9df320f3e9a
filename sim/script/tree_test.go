package script

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// A loop of five attempts with four outcomes each has hundreds of lists of
// answers; what remains to be done after them is few programs: five counters
// of attempts left, accept, refuse, and the end.
func TestLoopOfAttemptsHasFewNodes(t *testing.T) {
	s := loadFile(t, "retry.star")
	in := sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body}
	before := len(s.tree.nodes)
	s.Program.Start(0, in)
	st := s.tree.starts[startKey{0, in}]
	if nodes := len(s.tree.nodes) - before; nodes != 8 || st.replays != 849 {
		t.Errorf("%d nodes of %d lists, want 8 of 849", nodes, st.replays)
	}
}

// The same with two calls in each attempt.
func TestLoopOfPairsHasFewNodes(t *testing.T) {
	s := mustLoad(t, `
store = database("store", like = "postgres", tables = {"rows": table(key = "id", role = "effect")})
def once(op):
    tx = store.begin()
    tx.commit()
def request(op):
    for n in range(5):
        if attempt(once, op).ok:
            accept(op)
            return
    fail("gave up")
service(request, intents = [intent("work-1")])
faults(lost_reply = 1)
`)
	in := sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body}
	before := len(s.tree.nodes)
	s.Program.Start(0, in)
	st := s.tree.starts[startKey{0, in}]
	if nodes := len(s.tree.nodes) - before; nodes != 13 || st.replays != 2388 {
		t.Errorf("%d nodes of %d lists, want 13 of 2388", nodes, st.replays)
	}
}

// Beyond the budget of replays the list is the node. The program must stay
// the same as that of the text.
func TestBeyondTheBudget(t *testing.T) {
	s := mustLoad(t, `
jobs = queue("jobs")
def request(op):
    total = 0
    for n in range(12):
        if attempt(jobs.publish, op.id, n = total).ok:
            total = total + 1
    sleep(total)
def handle(delivery):
    delivery.ack()
service(request, intents = [intent("work-1")])
consumer(handle, queue = jobs)
faults(lost_reply = 1)
`)
	in := sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body}
	s.Program.Start(0, in)
	st := s.tree.starts[startKey{0, in}]
	if !st.spent() {
		t.Fatalf("%d replays, which is no test of the budget", st.replays)
	}
	if st.replays > maxReplays+100 {
		t.Errorf("%d replays, at most about %d", st.replays, maxReplays)
	}
	random := rand.New(rand.NewSource(1))
	for range 200 {
		checkAgainstText(t, s, 0, in, random)
	}
}

// The tree, the text and a live run ask the same questions, whatever is
// answered.
func TestTreeAndLiveAndTextAgree(t *testing.T) {
	for _, name := range scenarioFiles(t) {
		t.Run(name, func(t *testing.T) {
			s := loadFile(t, name)
			random := rand.New(rand.NewSource(7))
			eachInput(s, func(h sim.HandlerID, in sim.Input) {
				for range 100 {
					checkAgainstText(t, s, h, in, random)
				}
			})
		})
	}
}

// checkAgainstText answers one run of a handler at random, and compares the
// node, a fresh replay and the site at each question, and a live run of the
// same answers at the end.
func checkAgainstText(t *testing.T, s *Scenario, h sim.HandlerID, in sim.Input, random *rand.Rand) {
	t.Helper()
	var answers []sim.Answer
	var asked []string
	n := s.Program.Start(h, in)
	for {
		call := s.Program.Call(n)
		asked = append(asked, printCall(s, call))
		text, _ := s.replay(h, in, answers)
		site := s.Site(h, in, answers)
		if *call != *text || *site.Call != *text {
			t.Fatalf("after %v the node is %s, the text asks %s, its site %s", answers, printCall(s, call), printCall(s, text), printCall(s, site.Call))
		}
		if site.Line < 1 || site.Occurrence < 1 {
			t.Fatalf("after %v no place: %+v", answers, site)
		}
		if call.Ends() {
			break
		}
		possible, finite := sim.PossibleAnswers(s.Scenario, call)
		if !finite {
			possible = sampleAnswers(s, call)
		}
		a := possible[random.Intn(len(possible))]
		answers = append(answers, a)
		n = s.Program.Next(n, a)
	}
	var live []string
	end, err := s.Live(h, in, func(c *sim.Call, site Site) (sim.Answer, error) {
		if len(live) == len(answers) {
			return sim.Answer{}, fmt.Errorf("one question too many: %s", printCall(s, c))
		}
		live = append(live, printCall(s, c))
		return answers[len(live)-1], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	live = append(live, printCall(s, end))
	if strings.Join(live, "\n") != strings.Join(asked, "\n") {
		t.Fatalf("the tree asks\n%s\nthe live run\n%s", strings.Join(asked, "\n"), strings.Join(live, "\n"))
	}
}

// What ask returns as an error ends a live run, even inside attempt.
func TestLiveStops(t *testing.T) {
	s := loadFile(t, "retry.star")
	stop := errors.New("the referee is gone")
	asked := 0
	end, err := s.Live(0, sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body}, func(*sim.Call, Site) (sim.Answer, error) {
		asked++
		return sim.Answer{}, stop
	})
	if end != nil || !errors.Is(err, stop) || asked != 1 {
		t.Errorf("got %v, %v after %d questions", end, err, asked)
	}
}

// Every field of a call tells nodes apart.
func TestEveryFieldOfACallIsIdentity(t *testing.T) {
	base := sim.Call{Verb: sim.VerbPublish, Party: 1, Table: 1}
	changes := map[string]func(*sim.Call){
		"Verb":    func(c *sim.Call) { c.Verb = sim.VerbAck },
		"Party":   func(c *sim.Call) { c.Party = 2 },
		"Table":   func(c *sim.Call) { c.Table = 2 },
		"Mode":    func(c *sim.Call) { c.Mode = sim.ModeDeferred },
		"InTx":    func(c *sim.Call) { c.InTx = true },
		"Confirm": func(c *sim.Call) { c.Confirm = true },
		"Of":      func(c *sim.Call) { c.Of = 2 },
		"Op":      func(c *sim.Call) { c.Op = 1 },
		"Key":     func(c *sim.Call) { c.Key = 1 },
		"Ref":     func(c *sim.Call) { c.Ref = 1 },
		"Body":    func(c *sim.Call) { c.Body = 1 },
		"Where":   func(c *sim.Call) { c.Where = 1 },
		"Order":   func(c *sim.Call) { c.Order = 1 },
		"Limit":   func(c *sim.Call) { c.Limit = 1 },
		"Seconds": func(c *sim.Call) { c.Seconds = 1 },
		"Place":   func(c *sim.Call) { c.Place = 1 },
		"To":      func(c *sim.Call) { c.To = 1 },
		"Post":    func(c *sim.Call) { c.Post.Later = true },
		"Code":    func(c *sim.Call) { c.Code = sim.Failed },
		"Text":    func(c *sim.Call) { c.Text = "x" },
	}
	posts := map[string]func(*sim.Post){
		"Group":     func(p *sim.Post) { p.Group = 1 },
		"ID":        func(p *sim.Post) { p.ID = 1 },
		"Lifetime":  func(p *sim.Post) { p.Lifetime = 1 },
		"Mandatory": func(p *sim.Post) { p.Mandatory = true },
		"Transient": func(p *sim.Post) { p.Transient = true },
		"Nth":       func(p *sim.Post) { p.Nth = 1 },
	}
	if want := fieldNames(sim.Post{}); len(want) != len(posts)+1 {
		t.Fatalf("a post has the fields %v, the test knows %d", want, len(posts)+1)
	}
	if want := fieldNames(sim.Call{}); len(want) != len(changes) {
		t.Fatalf("a call has the fields %v, the test knows %d", want, len(changes))
	}
	for name, change := range posts {
		changes["Post."+name] = func(c *sim.Call) { change(&c.Post) }
	}
	seen := map[string]string{encodeNode(&base, nil, nil): "nothing"}
	for name, change := range changes {
		c := base
		change(&c)
		key := encodeNode(&c, nil, nil)
		if other, ok := seen[key]; ok {
			t.Errorf("changing %s and changing %s give the same node", name, other)
		}
		seen[key] = name
	}
}

// A full store ends every way that isn't known yet in an error that says so.
func TestFullStore(t *testing.T) {
	s := loadFile(t, "retry.star")
	for len(s.tree.nodes) < maxNodes {
		s.tree.nodes = append(s.tree.nodes, node{})
	}
	n := s.Program.Start(0, sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body})
	if e := s.Mistake(&sim.MistakeError{Node: n}); e == nil || e.Code != "limit-nodes" || e.Next == "" {
		t.Errorf("got %v", e)
	}
}

// Numbers of nodes don't depend on which run of the program asks.
func TestNodesAreTheSameEveryTime(t *testing.T) {
	for _, name := range scenarioFiles(t) {
		a, b := loadFile(t, name), loadFile(t, name)
		eachInput(a, func(h sim.HandlerID, in sim.Input) {
			if got, want := printTree(a, a.Program.Start(h, in)), printTree(b, b.Program.Start(h, in)); got != want {
				t.Errorf("%s: %s\n%s", name, got, want)
			}
		})
		if len(a.tree.nodes) != len(b.tree.nodes) {
			t.Errorf("%s: %d and %d nodes", name, len(a.tree.nodes), len(b.tree.nodes))
		}
	}
}

func mustLoad(t testing.TB, src string) *Scenario {
	t.Helper()
	s, err := Load("scenario.star", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What merging costs at most: an interpretation per list.
func BenchmarkStart(b *testing.B) {
	s := loadFile(b, "retry.star")
	in := sim.Input{Op: s.Intents[0].Op, Body: s.Intents[0].Body}
	for b.Loop() {
		s.tree = newTree(s, false)
		s.tree.Start(0, in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*849), "ns/list")
}
