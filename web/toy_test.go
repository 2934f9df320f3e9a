package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/lessons"
)

// The toy is a workbook with one tiny world, written out by hand, so that the
// server and the page can be tested without the engine. It knows one wish and
// one handler, and no more rules than the tests look at.

const toySource = `"""Ack first, then commit.

The worker tells the broker that the job is done before it is.
"""

exports = queue("exports", like = "rabbitmq-quorum")
store   = database("store", like = "sqlite", tables = {
    "totals": table(key = "id", role = "effect", counts = "each"),
})
mail    = provider("mail")

def request(op):                      # the publisher
    exports.publish(op.id, amount = op.amount)
    accept(op)

def handle(delivery):                 # the consumer
    delivery.ack()
    tx = store.begin()
    tx.add("totals", delivery.op, amount = delivery.amount)
    tx.commit()
    mail.send("export is ready", key = delivery.op)

service(request, intents = [intent("work-1", amount = 100)])
consumer(handle, queue = exports, replicas = 2)
faults(total = 1, crash = 1, lost_request = 1, lost_reply = 1)
expect(lost = 0, duplicated = 0)
`

var (
	toyCalls  = []string{"ack", "begin", "add", "commit", "send"}
	toyTexts  = []string{"delivery.ack()", "store.begin()", `tx.add("totals", delivery.op, amount = delivery.amount)`, "tx.commit()", `mail.send("export is ready", key = delivery.op)`}
	toyFrames = map[string]string{"ack": "basic.ack", "begin": "BEGIN IMMEDIATE", "add": "INSERT INTO totals", "commit": "COMMIT", "send": "POST /emails", "publish": "basic.publish"}
	toyTarget = map[string]string{"ack": "broker", "begin": "store", "add": "store", "commit": "store", "send": "mail"}
)

type toyBook struct {
	lessons  []lessons.Lesson
	casebook []lessons.Chapter
	idioms   []lessons.Idiom
	panic    bool // a session's Do panics
	big      bool // snapshots are larger than a socket's buffers
}

func (b *toyBook) Lessons() []lessons.Lesson { return b.lessons }

func (b *toyBook) Casebook() []lessons.Chapter { return b.casebook }
func (b *toyBook) Idioms() []lessons.Idiom     { return b.idioms }

func (b *toyBook) Open(_ context.Context, scenario string) (Session, error) {
	if scenario != "01-toy/toy.star" {
		return nil, &Problem{Code: "no_scenario", Message: "There is no scenario " + scenario + ".", Next: "Check the link."}
	}
	return &toySession{book: b, name: scenario}, nil
}

func (b *toyBook) OpenText(_ context.Context, name, text string) (Session, error) {
	if !strings.Contains(text, "def ") {
		return nil, &Problem{Code: "syntax", Message: "there is no handler", Next: "Write one.", File: name, Line: 1, Column: 1}
	}
	return &toySession{book: b, name: name, text: text}, nil
}

func (b *toyBook) Search(ctx context.Context, search Search, tell func(Work)) (Work, error) {
	tell(Work{States: 1})
	if strings.Contains(search.Text, "endless") {
		tell(Work{States: 41000, Depth: 9, Progress: &Progress{Frontier: 1200, Rate: 5000, Part: 2, Parts: 3, Percent: 40, Bounds: "500,000 states or 8 seconds"}})
		<-ctx.Done()
		return Work{}, ctx.Err()
	}
	status := "violated"
	if strings.Contains(search.Text, "tx.commit()\n    delivery.ack()") {
		status = "holds"
	}
	return Work{States: 42, Findings: []Found{{Property: "lost", Status: status, Forbidden: true, Steps: []string{"publisher publish work-1"}}}}, nil
}

type toySession struct {
	book     *toyBook
	name     string
	text     string // the learner's own
	steps    []string
	position int
}

func (s *toySession) Close() {}

func (s *toySession) Do(_ context.Context, command Command) error {
	if s.book.panic {
		panic("the toy is broken")
	}
	switch command.Do {
	case DoStep:
		if s.position < len(s.steps) && s.steps[s.position] == command.Action {
			s.position++
			return nil
		}
		return s.take(command.Action)
	case DoBack:
		s.position = max(0, s.position-1)
	case DoForward:
		s.position = min(len(s.steps), s.position+1)
	case DoJump:
		s.position = min(max(0, command.To), len(s.steps))
	case DoReset:
		s.steps, s.position = nil, 0
	case DoFinish:
		s.run(func(open []Action) string {
			for _, action := range open {
				if action.Kind != "fault" {
					return action.Name
				}
			}
			return ""
		})
	case DoRandom:
		random := rand.New(rand.NewPCG(uint64(command.Seed), 0))
		s.run(func(open []Action) string { return open[random.IntN(len(open))].Name })
	case DoLoad:
		s.steps, s.position = nil, 0
		for _, step := range command.Steps {
			if err := s.take(step); err != nil {
				return err
			}
		}
		s.position = min(max(0, command.To), len(s.steps))
	}
	return nil
}

func (s *toySession) run(choose func([]Action) string) {
	for range 100 {
		open := s.world(s.position).enabled()
		if len(open) == 0 {
			return
		}
		name := choose(open)
		if name == "" || s.take(name) != nil {
			return
		}
	}
}

func (s *toySession) take(name string) error {
	for _, action := range s.world(s.position).enabled() {
		if action.Name == name && !(strings.Contains(s.text, "unlike") && strings.HasPrefix(name, "deliver")) {
			s.steps = append(slices.Clone(s.steps[:s.position]), name)
			s.position++
			return nil
		}
	}
	return &Problem{Code: "not_enabled", Message: fmt.Sprintf("The step %q can't be taken here.", name), Next: "Choose one of the steps that are offered."}
}

func (s *toySession) world(position int) *toyWorld {
	world := &toyWorld{faults: 1, pc: map[string]int{"worker1": -1, "worker2": -1}, open: map[string]bool{}}
	for _, step := range s.steps[:position] {
		world.apply(step)
	}
	return world
}

func (s *toySession) Snapshot() Snapshot {
	whole := s.world(len(s.steps))
	now := s.world(s.position)
	snapshot := now.draw()
	snapshot.Scenario = Scenario{Name: s.name, File: s.name, Title: "Ack first, then commit",
		Doc: "The worker tells the broker that the job is done before it is.", Source: toySource}
	snapshot.Steps, snapshot.Position, snapshot.Diagram = whole.steps, s.position, whole.diagram()
	if s.text != "" {
		snapshot.Scenario.Source = s.text
	}
	if s.book.big {
		snapshot.Scenario.Source = strings.Repeat("# a very long text\n", 100_000)
	}
	return snapshot
}

// toyWorld is one wish and two workers. A worker's pc counts the calls of its
// handler, -1 when it is idle.
type toyWorld struct {
	published, accepted, acked, committed, sent bool
	requestLost                                 bool
	holder                                      string
	pc                                          map[string]int
	open                                        map[string]bool
	faults                                      int
	steps                                       []Step
	rows                                        []Row
	bands                                       []Band
	change                                      string
}

func (w *toyWorld) enabled() []Action {
	actions := []Action{}
	add := func(action Action) { actions = append(actions, action) }
	switch {
	case !w.published && !w.requestLost:
		add(Action{Name: "publisher publish work-1", Label: "publish work-1", Group: "publisher", Kind: "step", Frame: "basic.publish", Explain: "Sends the message and waits for nothing."})
		if w.faults > 0 {
			add(Action{Name: "publisher publish work-1 lost-request", Label: "publish: request lost", Group: "publisher", Kind: "fault", Fault: "lost_request", Explain: "The message never reaches the broker."})
		}
	case !w.accepted:
		add(Action{Name: "publisher accept work-1", Label: "accept work-1", Group: "publisher", Kind: "step", Explain: "Tells the caller that the wish is taken care of."})
	}
	for _, name := range []string{"worker1", "worker2"} {
		pc := w.pc[name]
		if pc < 0 {
			if w.published && !w.acked && w.holder == "" {
				add(Action{Name: "deliver work-1 to " + name, Label: "deliver work-1 to " + name, Group: "broker", Kind: "step", Frame: "basic.deliver", Explain: "The lease begins now."})
			}
			continue
		}
		call := toyCalls[pc]
		add(Action{Name: name + " " + call, Label: call, Group: name, Kind: "step", Frame: toyFrames[call], Explain: "The next call of the handler."})
		if w.faults > 0 {
			add(Action{Name: name + " crash before " + call, Label: "crash before " + call, Group: name, Kind: "fault", Fault: "crash", Explain: "The process dies; its memory, transaction and connection are gone."})
			if call == "commit" || call == "send" {
				add(Action{Name: name + " " + call + " lost-reply", Label: call + ": reply lost", Group: name, Kind: "fault", Fault: "lost_reply", Explain: "It happens, and the caller sees a timeout."})
			}
		}
	}
	for i := range actions {
		if actions[i].Kind == "step" {
			actions[i].Default = true
			break
		}
	}
	return actions
}

func (w *toyWorld) apply(step string) {
	words := strings.Fields(step)
	who, row, text, kind := words[0], Row{Arrows: []Arrow{}, Marks: []Mark{}}, "", "step"
	number := len(w.steps) + 1
	arrow := func(from, to, label, kind, fate string) {
		row.Arrows = append(row.Arrows, Arrow{From: from, To: to, Label: label, Kind: kind, Fate: fate})
	}
	mark := func(lane, kind, label string) {
		row.Marks = append(row.Marks, Mark{Lane: lane, Kind: kind, Label: label})
	}
	w.change = ""
	switch {
	case step == "publisher publish work-1":
		w.published, w.change = true, "message"
		arrow("publisher", "broker", "publish work-1", "request", "arrives")
		text = "The broker keeps work-1; nobody told the publisher."
	case strings.HasSuffix(step, "lost-request"):
		w.requestLost, w.faults, kind = true, 0, "fault"
		arrow("publisher", "broker", "publish", "request", "lost")
		text = "The message was lost on its way, and nobody knows."
	case step == "publisher accept work-1":
		w.accepted = true
		mark("publisher", "accept", "accepted")
		text = "The caller was told that work-1 is accepted."
	case who == "deliver":
		who = words[3]
		w.holder, w.pc[who], w.change = who, 0, "message"
		arrow("broker", who, "work-1", "request", "arrives")
		w.bands = append(w.bands, Band{Lane: who, Kind: "unacked", First: number, Label: "work-1 not acked"})
		text = "work-1 is " + who + "'s; its lease of 30 min runs."
	case words[1] == "crash":
		kind, w.faults = "fault", 0
		mark(who, "crash", "crash")
		w.end(who, "unacked", number, "requeued")
		w.end(who, "transaction", number, "rolled back")
		if w.open[who] {
			mark("store", "rollback", "rolled back")
		}
		w.open[who], w.pc[who] = false, -1
		if w.holder == who {
			w.holder = ""
		}
		text = who + " died. What it had not committed is gone."
	default:
		w.call(who, words[1], &row, number)
		if len(words) == 3 {
			kind, w.faults = "fault", 0
			row.Arrows[1].Fate, row.Arrows[1].Label = "lost", ""
			w.pc[who] = -1
		}
		text = map[string]string{"ack": "The broker forgets work-1: for it, the job is done.", "begin": "A transaction is open.",
			"add": "The row is written, and only the transaction sees it.", "commit": "The row is visible to everybody, and durable.",
			"send": "The provider accepted the email and never takes it back."}[words[1]]
	}
	w.steps = append(w.steps, Step{Name: step, Kind: kind, Text: text})
	w.rows = append(w.rows, row)
}

func (w *toyWorld) call(who, call string, row *Row, number int) {
	target := toyTarget[call]
	row.Arrows = []Arrow{{From: who, To: target, Label: call, Kind: "request", Fate: "arrives"}}
	if call != "ack" {
		row.Arrows = append(row.Arrows, Arrow{From: target, To: who, Label: "", Kind: "reply", Fate: "arrives"})
	}
	switch call {
	case "ack":
		w.acked, w.holder = true, ""
		w.end(who, "unacked", number, "acked")
		row.Marks = []Mark{{Lane: "broker", Kind: "ack", Label: "ack"}}
	case "begin":
		w.open[who] = true
		w.bands = append(w.bands, Band{Lane: "store", Kind: "transaction", First: number, Label: "transaction of " + who})
	case "commit":
		w.open[who], w.committed, w.change = false, true, "row"
		w.end("store", "transaction", number, "committed")
		row.Marks = []Mark{{Lane: "store", Kind: "commit", Label: "commit"}}
	case "send":
		w.sent, w.change = true, "mail"
		row.Marks = []Mark{{Lane: "mail", Kind: "mail", Label: "accepted"}}
	}
	w.pc[who]++
	if w.pc[who] == len(toyCalls) {
		w.pc[who] = -1
	}
}

func (w *toyWorld) end(lane, kind string, number int, how string) {
	for i := range w.bands {
		if band := &w.bands[i]; band.Last == 0 && band.Kind == kind && (band.Lane == lane || strings.HasSuffix(band.Label, lane)) {
			band.Last, band.End = number, how
		}
	}
}

func (w *toyWorld) diagram() Diagram {
	return Diagram{Rows: append([]Row{}, w.rows...), Bands: append([]Band{}, w.bands...), Lanes: []Lane{
		{"publisher", "service", ""}, {"broker", "broker", ""}, {"worker1", "consumer", ""}, {"worker2", "consumer", ""}, {"store", "database", ""}, {"mail", "provider", ""}}}
}

func (w *toyWorld) draw() Snapshot {
	open := w.enabled()
	snapshot := Snapshot{Actions: open, Budget: []Budget{{"total", w.faults, 1}}, Note: "Nothing has happened yet.",
		Queues: []Queue{{Name: "exports", Profile: "rabbitmq-quorum"}}, Mailboxes: []Mailbox{{"mail", []Mail{}}}}
	snapshot.AtRest = len(open) == 0
	if n := len(w.steps); n > 0 {
		snapshot.Note = w.steps[n-1].Text
	}
	publisher := Process{Name: "publisher", Kind: "service", Handler: "request", State: "idle", Holds: []string{}}
	if !w.accepted {
		publisher.State, publisher.Call, publisher.First, publisher.Last = "running", "exports.publish(op.id, amount = op.amount)", 13, 13
		if w.published || w.requestLost {
			publisher.Call, publisher.First, publisher.Last = "accept(op)", 14, 14
		}
	}
	snapshot.Processes = []Process{publisher}
	pending := []TableRow{}
	for _, name := range []string{"worker1", "worker2"} {
		process := Process{Name: name, Kind: "consumer", Handler: "handle", State: "idle", Holds: []string{}}
		if pc := w.pc[name]; pc >= 0 {
			process.State, process.Call, process.First, process.Last = "running", toyTexts[pc], 17+pc, 17+pc
			if w.holder == name {
				process.Holds = []string{"work-1"}
			}
			if w.open[name] {
				process.Open = "open transaction"
				if pc > 2 {
					pending = append(pending, TableRow{Cells: []string{"work-1", "100"}, State: "pending", Change: "inserted", By: name, Intent: "work-1"})
				}
			}
		}
		snapshot.Processes = append(snapshot.Processes, process)
	}
	rows := []TableRow{}
	if w.committed {
		row := TableRow{Cells: []string{"work-1", "100"}, State: "committed", Intent: "work-1"}
		if w.change == "row" {
			row.Change = "inserted"
		}
		rows = append(rows, row)
	}
	snapshot.Tables = []Table{{"store", "totals", "effect", []string{"id", "amount"}, append(rows, pending...)}}
	if w.published && !w.acked {
		lease := int64(1800)
		message := Message{Name: "work-1", Operation: "work-1", Body: "amount 100", Place: "ready", Attempt: 1, Changed: w.change == "message"}
		if w.holder != "" {
			message.Place, message.Holder, message.Lease = "held", w.holder, &lease
		}
		snapshot.Queues[0].Messages = []Message{message}
	}
	if w.sent {
		snapshot.Mailboxes[0].Mails = []Mail{{"export is ready", "work-1", "work-1", w.change == "mail"}}
	}
	snapshot.Intents = []Intent{w.intent()}
	return snapshot
}

func (w *toyWorld) intent() Intent {
	intent := Intent{Name: "work-1", Operation: "work-1", Wish: "amount 100", Promised: w.accepted, Effects: "0 of 1 in totals", Verdicts: []Verdict{}}
	if w.accepted {
		intent.Told = "accepted"
	}
	busy := w.pc["worker1"] >= 0 || w.pc["worker2"] >= 0
	switch {
	case w.committed:
		intent.Effects = "1 of 1 in totals"
		if w.accepted {
			intent.Verdicts = []Verdict{{"done_once", "The one row that was wished for is committed."}}
		}
	case w.accepted && !busy && (w.requestLost || w.acked):
		intent.Verdicts = []Verdict{{"lost", "It was promised, its message is settled, and nothing will bring the row any more."}}
	}
	return intent
}

func toyLessons() []lessons.Lesson {
	return []lessons.Lesson{
		{Slug: "01-toy", Number: 1, Title: "Ack first", Summary: "The broker forgets a job that isn't done.",
			HTML: "<h1>Ack first</h1>\n<p>The worker sends its <code>ack</code> before it commits. Step through it, then crash the worker in the gap.</p>\n" +
				"<ack-simulation name=\"toy\" scenario=\"01-toy/toy.star\" at=\"0\">\n</ack-simulation>\n<p>Where does the job go?</p>\n"},
		{Slug: "02-toy", Number: 2, Title: "A recorded run", Summary: "A schedule that is taken back to its middle.",
			HTML: "<h1>A recorded run</h1>\n<ack-simulation name=\"toy\" scenario=\"01-toy/toy.star\" at=\"3\">\n<ol>\n<li>publisher publish work-1</li>\n<li>publisher accept work-1</li>\n" +
				"<li>deliver work-1 to worker1</li>\n<li>worker1 ack</li>\n<li>worker1 begin</li>\n<li>worker1 add</li>\n<li>worker1 crash before commit</li>\n</ol>\n</ack-simulation>\n"},
	}
}
