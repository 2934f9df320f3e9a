//go:build linux || darwin

package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/workbook"
	"github.com/ackademy/ackademy/web"
	"github.com/ackademy/ackademy/web/browsertest"
)

func TestMain(m *testing.M) {
	WorkerMain()
	browsertest.Main(m)
}

const story = `"""Ack first, then commit."""

exports = queue("exports")
store = database("store", tables = {"totals": table(key = "id", role = "effect")})

def request(op):
    exports.publish(op.id, amount = op.amount)
    accept(op)

def handle(delivery):
    delivery.ack()
    tx = store.begin()
    tx.add("totals", "all", amount = delivery.amount)
    tx.commit()

service(request, intents = [intent("work-1", amount = 100)])
consumer(handle, queue = exports)
faults(total = 1, crash = 1)
expect(lost = 0)
`

// quick are limits that a test can wait for.
func quick() limits {
	l := standard
	l.Memory, l.Request = 96<<20, 2*time.Second
	return l
}

// patient are limits of time that no busy machine reaches, for tests of
// something else.
func patient() limits {
	l := standard
	l.Request, l.Search = time.Minute, time.Minute
	return l
}

func newBook(t *testing.T, l limits) *Book {
	t.Helper()
	shipped, err := workbook.Open(fstest.MapFS{"01-story/story.star": {Data: []byte(story)}})
	if err != nil {
		t.Fatal(err)
	}
	b := New(shipped)
	b.limits, b.seats = l, newSeats(l.Seats, l.Idle)
	t.Cleanup(func() {
		if n := len(b.seats.list); n > 0 {
			t.Errorf("%d sessions still hold a process", n)
		}
	})
	return b
}

func open(t *testing.T, b *Book, text string) *session {
	t.Helper()
	s, err := b.OpenText(t.Context(), "mine.star", text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s.(*session)
}

func do(t *testing.T, s web.Session, c web.Command) web.Snapshot {
	t.Helper()
	if err := s.Do(t.Context(), c); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return s.Snapshot()
}

// spelled is a snapshot as the page gets it.
func spelled(s web.Snapshot) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A session in a process answers as one in this process does.
func TestSameAnswers(t *testing.T) {
	s := open(t, newBook(t, patient()), story)
	near, err := workbook.OpenText("mine.star", []byte(story))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []web.Command{{Do: web.DoStep, Action: "publisher publish work-1"}, {Do: web.DoRandom, Seed: 3}, {Do: web.DoJump, To: 2}, {Do: web.DoBack}} {
		a, b := do(t, s, c), do(t, near, c)
		if spelled(a) != spelled(b) {
			t.Errorf("after %+v:\n%s\n%s", c, spelled(a), spelled(b))
		}
	}
	var problem *web.Problem
	if err := s.Do(t.Context(), web.Command{Do: web.DoStep, Action: "no such step"}); !errors.As(err, &problem) || problem.Code != "not_enabled" {
		t.Errorf("got %v", err)
	}
	if _, err := s.book.OpenText(t.Context(), "", "queue("); !errors.As(err, &problem) || problem.Line != 1 || problem.File != "scenario.star" {
		t.Errorf("got %v", err)
	}
}

// bombs are texts that try to take more than their share, and what must be
// said of them; several codes where more than one bound may strike first.
var bombs = []struct{ name, text, codes string }{
	{"rows that differ in every world", manyWorlds, "scenario_time scenario_memory"},
	{"many texts", "s = 'x' * 4090\n" + many("[s + 'a' for i in range(9000)]", 6), "limit-steps scenario_memory"},
	{"many lists", many("[list(range(4000)) for i in range(40)]", 6) + "def f():\n    for i in range(10000):\n        a0.append(list(range(3)))\n        a1.append([i] * 9)\nf()\n", "limit-steps limit-size scenario_memory"},
	{"many texts in a handler", strings.Replace(story, "    delivery.ack()\n", "    delivery.ack()\n    s = 'x' * 4090\n    x = [s + 'a' for i in range(9000)]\n    y = [a + 'a' for a in range(9000)]\n", 1), "limit-steps run scenario_memory"},
	{"tuples that hold one another", nested("(%s, %s)"), "scenario_time limit-size limit-depth"},
	{"small lists", "x = []\ndef f():\n    for i in range(10000):\n        for j in range(10000):\n            x.append([i, j, [i]])\nf()\n", "limit-steps"},
	{"comprehensions", "x = [[[k for k in range(4000)] for j in range(4000)] for i in range(4000)]", "limit-steps"},
	{"doubled text", "def f():\n    t = 'x'\n    for i in range(10000):\n        t = t + t\nf()\n", "limit-size"},
	{"lists that hold one another, printed", nested("[%s, %s]") + "fail(str(a39))\n", "limit-size"},
	{"endless loop", "def f():\n    while True:\n        pass\nf()\n", "limit-steps"},
	{"endless handler", strings.Replace(story, "    delivery.ack()\n", "    delivery.ack()\n    while True:\n        pass\n", 1), "limit-steps"},
	{"deep nesting", "x = " + strings.Repeat("[", 30000) + strings.Repeat("]", 30000), "syntax"},
	{"deep unary", "x = " + strings.Repeat("-", 60000) + "1", "syntax"},
	{"large numbers", "def f():\n    y = 2\n    for i in range(10000):\n        y = y * y\nf()\n", "limit-size"},
	{"huge repetition", `x = "%s" % ("a" * 4096,) * 100000000`, "limit-size"},
	{"64 KiB on one line", "x = '" + strings.Repeat("x", 65000), "syntax limit-size"},
}

// manyWorlds is a handler whose every row holds 9 KB that tell how each call
// before it ended: what the world remembers grows with every way to go on.
const manyWorlds = `
q = queue("q")
store = database("store", tables = {"t": table(key = "id", role = "effect")})

def request(op):
    q.publish(op.id)
    accept(op)

def handle(d):
    told = ""
    for i in range(14):
        row = {}
        for j in range(10):
            row["f%d" % j] = told + ("%d." % i) + "x" * 900
        b = attempt(q.publish, "m%d" % i, **row)
        told += "1" if b.ok else "0"
    d.ack()

service(request, intents = [intent("w%d" % i) for i in range(3)])
consumer(handle, queue = q, replicas = 2)
faults(total = 20, lost_reply = 20, lost_request = 20)
`

// many assigns an expression to several names.
func many(expression string, n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("a%d = %s\n", i, expression)
	}
	return text
}

// nested makes values of which each holds the one before twice.
func nested(form string) string {
	text := "a0 = 1\n"
	for i := range 39 {
		held := fmt.Sprintf("a%d", i)
		text += fmt.Sprintf("a%d = "+form+"\n", i+1, held, held)
	}
	return text + "d = {a39: 1}\n"
}

// No text takes the server down or more than its time, and another session
// answers meanwhile as if nothing was the matter.
func TestBombs(t *testing.T) {
	b := newBook(t, quick())
	quiet := open(t, b, story)
	do(t, quiet, web.Command{Do: web.DoStep, Action: "publisher publish work-1"})
	for _, bomb := range bombs {
		t.Run(bomb.name, func(t *testing.T) {
			ended := make(chan error)
			began := time.Now()
			go func() {
				s, err := b.OpenText(context.Background(), "bomb.star", bomb.text)
				if err == nil { // it lies in a handler
					err = s.Do(context.Background(), web.Command{Do: web.DoFinish})
					s.Close()
				}
				ended <- err
			}()
			for answers := 1; ; answers++ {
				do(t, quiet, web.Command{Do: web.DoJump, To: 1})
				select {
				case err := <-ended:
					t.Logf("%v after %v; the other session got %d answers", err, time.Since(began).Round(time.Millisecond), answers)
					var problem *web.Problem
					if !errors.As(err, &problem) || problem.Next == "" {
						t.Fatalf("got %v", err)
					}
					if bomb.codes != "" && !strings.Contains(bomb.codes, problem.Code) {
						t.Errorf("got %s, want %s", problem.Code, bomb.codes)
					}
					if len(problem.Message) > 4<<10 {
						t.Errorf("a message of %d bytes", len(problem.Message))
					}
					if problem.Code == "scenario_time" && answers < 3 {
						t.Errorf("the other session waited for this one: it got %d answers", answers)
					}
					return
				default:
				}
			}
		})
	}
}

// A text that needs more memory than there is for it is stopped, in a session
// and in a search, and the session of another learner goes on.
func TestMemory(t *testing.T) {
	l := patient() // memory is to be what ends it
	l.Memory = 32 << 20
	b := newBook(t, l)
	quiet := open(t, b, story)
	var problem *web.Problem
	s := open(t, b, manyWorlds)
	if err := s.Do(t.Context(), web.Command{Do: web.DoFinish}); !errors.As(err, &problem) || problem.Code != "scenario_memory" || !strings.Contains(problem.Message, "32 MiB") {
		t.Errorf("a step: %v", err)
	}
	if now := s.Snapshot(); now.Position != 0 || now.Scenario.Source != manyWorlds {
		t.Errorf("the session stands at %d", now.Position)
	}
	if testing.Short() {
		// With the race detector a search is so slow that its bound on states or
		// time may come before the one on memory.
		t.Log("the search is left to the long run of the tests")
	} else if _, err := b.Search(t.Context(), web.Search{Of: web.DoCheck, Text: manyWorlds}, func(web.Work) {}); !errors.As(err, &problem) || problem.Code != "scenario_memory" {
		t.Errorf("a search: %v", err)
	}
	do(t, quiet, web.Command{Do: web.DoStep, Action: "publisher publish work-1"})
}

// pid is the process of a session that is idle.
func (s *session) pid() int { return s.seat.process.command.Process.Pid }

// A process that is killed between two commands is made again unseen; one
// killed in the middle is told of, and the session stands where it was.
func TestKilled(t *testing.T) {
	b := newBook(t, patient())
	s := open(t, b, story)
	before := do(t, s, web.Command{Do: web.DoRandom, Seed: 5})
	before = do(t, s, web.Command{Do: web.DoJump, To: len(before.Steps)})
	_ = syscall.Kill(s.pid(), syscall.SIGKILL)
	<-s.seat.process.ended
	if after := do(t, s, web.Command{Do: web.DoForward}); spelled(after) != spelled(before) {
		t.Errorf("made again it stands at %d of %d", after.Position, len(after.Steps))
	}

	pid := s.pid()
	_ = syscall.Kill(pid, syscall.SIGSTOP) // so that it is surely in the middle
	said := make(chan error)
	go func() { said <- s.Do(context.Background(), web.Command{Do: web.DoBack}) }()
	_ = syscall.Kill(pid, syscall.SIGKILL)
	var problem *web.Problem
	if err := <-said; !errors.As(err, &problem) || problem.Code != "scenario_killed" {
		t.Errorf("got %v", err)
	}
	if now := s.Snapshot(); now.Position != before.Position {
		t.Errorf("it moved to %d", now.Position)
	}
	if after := do(t, s, web.Command{Do: web.DoBack}); after.Position != before.Position-1 {
		t.Errorf("then it stands at %d", after.Position)
	}
}

// A child that hangs is stopped in time, and by whoever doesn't wait.
func TestHung(t *testing.T) {
	b := newBook(t, standard)
	s := open(t, b, story)
	var problem *web.Problem
	_ = syscall.Kill(s.pid(), syscall.SIGSTOP)
	b.limits.Request = 300 * time.Millisecond // for a child that does nothing; one that begins may need more
	if err := s.Do(t.Context(), web.Command{Do: web.DoBack}); !errors.As(err, &problem) || problem.Code != "scenario_time" {
		t.Errorf("got %v", err)
	}
	b.limits.Request = time.Minute
	do(t, s, web.Command{Do: web.DoBack})
	_ = syscall.Kill(s.pid(), syscall.SIGSTOP)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := s.Do(ctx, web.Command{Do: web.DoBack}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Twenty sessions share a few processes and lose nothing.
func TestTwenty(t *testing.T) {
	l := patient()
	l.Seats = 3
	b := newBook(t, l)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			s, err := b.OpenText(context.Background(), "mine.star", story)
			if err != nil {
				t.Errorf("session %d: %v", i, err)
				return
			}
			defer s.Close()
			for _, step := range []string{"publisher publish work-1", "publisher accept", "deliver work-1 to handle"} {
				err = s.Do(context.Background(), web.Command{Do: web.DoStep, Action: step})
			}
			if n := len(s.Snapshot().Steps); n < 2 {
				t.Errorf("session %d: %d steps, %v", i, n, err)
			}
			b.seats.mu.Lock()
			if len(b.seats.list) > l.Seats {
				t.Errorf("%d processes", len(b.seats.list))
			}
			b.seats.mu.Unlock()
		})
	}
	all.Wait()
}

// An idle process ends, and comes back when it is needed.
func TestIdle(t *testing.T) {
	l := patient()
	l.Idle = time.Millisecond
	s := open(t, newBook(t, l), story)
	do(t, s, web.Command{Do: web.DoStep, Action: "publisher publish work-1"})
	s.book.seats.mu.Lock()
	p := s.seat.process
	s.book.seats.mu.Unlock()
	if p != nil {
		<-p.ended
	}
	if now := do(t, s, web.Command{Do: web.DoBack}); now.Position != 0 || len(now.Steps) != 1 {
		t.Errorf("it came back at %d of %d", now.Position, len(now.Steps))
	}
}

// Children end with their parent: they see the end of their input.
func TestChildEndsWithItsInput(t *testing.T) {
	p, err := start(patient())
	if err != nil {
		t.Fatal(err)
	}
	closeAll(p.input)
	<-p.ended
	if !p.command.ProcessState.Success() {
		t.Errorf("it ended with %v: %s", p.command.ProcessState, p.says)
	}
}

const large = `
q = queue("q")
store = database("store", tables = {"totals": table(key = "id", role = "effect")})

def request(op):
    q.publish(op.id, amount = op.amount)
    accept(op)

def handle(d):
    tx = store.begin()
    tx.add("totals", "all", amount = d.amount)
    tx.commit()
    d.ack()

service(request, intents = [intent("w-%d" % i, amount = 1) for i in range(10)])
consumer(handle, queue = q, replicas = 6)
faults(total = 9, crash = 9, lost_reply = 9, lost_request = 9)
`

// A search finds what there is, is bounded, and can be stopped at once.
func TestSearch(t *testing.T) {
	b := newBook(t, patient())
	for _, search := range []web.Search{{Of: web.DoCheck, Scenario: "01-story/story.star"}, {Of: web.DoCheck, Text: story}} {
		work, err := b.Search(t.Context(), search, func(web.Work) {})
		if err != nil || work.Bound != "" || work.States == 0 {
			t.Fatalf("%+v: %v", work, err)
		}
		for _, f := range work.Findings {
			if f.Property == "lost" && (f.Status != "violated" || !f.Forbidden || len(f.Steps) == 0 || f.Sentence == "") {
				t.Errorf("lost: %+v", f)
			}
		}
	}
	work, err := b.Search(t.Context(), web.Search{Of: web.DoMap, Text: story}, func(web.Work) {})
	if err != nil || work.Map == nil || len(work.Map.Handlers) != 2 {
		t.Fatalf("%+v: %v", work, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	began := time.Now()
	_, err = b.Search(ctx, web.Search{Of: web.DoCheck, Text: large}, func(web.Work) {
		if told++; told == 2 { // the first is ours, the second the child's
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
	var problem *web.Problem
	if _, err := b.Search(t.Context(), web.Search{Of: web.DoCheck, Text: "x ="}, func(web.Work) {}); !errors.As(err, &problem) {
		t.Errorf("got %v", err)
	}
}

// A comparison lays the learner's run beside that of the shipped text; what
// has no shipped text says so.
func TestCompare(t *testing.T) {
	b := newBook(t, patient())
	fixed := strings.Replace(strings.Replace(story, "    delivery.ack()\n", "", 1), "    tx.commit()\n", "    tx.commit()\n    delivery.ack()\n", 1)
	search := web.Search{Of: web.DoCompare, Scenario: "01-story/story.star", Text: fixed}
	for _, steps := range [][]string{nil, {"publisher publish work-1", "publisher accept", "deliver work-1 to worker1", "worker1 begin", "worker1 crash before add totals"}} {
		search.Steps = steps
		work, err := b.Search(t.Context(), search, func(web.Work) {})
		if err != nil || work.Compared == nil {
			t.Fatalf("%+v: %v", work, err)
		}
		c := work.Compared
		if shows := map[bool]string{true: "lost"}[steps == nil]; c.Shows != shows || (c.Follows == "b") != (steps == nil) {
			t.Errorf("%s follows, %q is shown", c.Follows, c.Shows)
		}
		var a, b []int
		for _, row := range c.Rows {
			if row.A > 0 {
				a = append(a, row.A)
			}
			if row.B > 0 {
				b = append(b, row.B)
			}
			if (row.Match == "only_a" && row.B > 0) || (row.Match == "only_b" && row.A > 0) || (row.Match == "same" && row.A*row.B == 0) {
				t.Errorf("%+v", row)
			}
		}
		if len(a) != len(c.A.Steps) || !slices.IsSorted(a) || len(b) != len(c.B.Steps) || !slices.IsSorted(b) {
			t.Errorf("steps %v of %d and %v of %d", a, len(c.A.Steps), b, len(c.B.Steps))
		}
		doubles := func(w web.Difference) bool { return w.Fault == "crash" && slices.Contains(w.B.Words, "duplicated") }
		loses := func(w web.Difference) bool { return w.Fault == "crash" && slices.Contains(w.A.Words, "lost") }
		if !slices.ContainsFunc(c.Windows, doubles) || !slices.ContainsFunc(c.Windows, loses) {
			t.Errorf("%+v", c.Windows)
		}
	}
	for want, wrong := range map[string]web.Search{
		"no_original":        {Of: web.DoCompare, Scenario: "mine.star", Text: fixed},
		"nothing_to_compare": {Of: web.DoCompare, Scenario: "01-story/story.star"},
		"not_enabled":        {Of: web.DoCompare, Scenario: "01-story/story.star", Text: fixed, Steps: []string{"worker1 fly"}},
	} {
		var problem *web.Problem
		if _, err := b.Search(t.Context(), wrong, func(web.Work) {}); !errors.As(err, &problem) || problem.Code != want {
			t.Errorf("%s: got %v", want, err)
		}
	}
}
