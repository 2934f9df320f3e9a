package workbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/web"
)

// Snapshot implements web.Session.
func (s *session) Snapshot() web.Snapshot {
	p := s.look()
	snapshot := web.Snapshot{
		Scenario:  web.Scenario{Name: s.name, File: s.sc.Filename, Title: strings.TrimSuffix(s.sc.Title, "."), Doc: s.sc.Doc, Source: s.sc.Source, Budget: s.budget},
		Processes: p.processes(), Position: s.position, Budget: p.budget(), Diagram: p.diagram(),
		Queues: p.queues(), Tables: p.tables(), Mailboxes: p.mailboxes(), Intents: p.intents(),
		Late: p.now.Late, Outages: p.outages(), Note: "Nothing has happened yet.",
	}
	snapshot.Actions, snapshot.AtRest = p.actions()
	for _, row := range p.picture.Rows {
		snapshot.Steps = append(snapshot.Steps, web.Step{Name: row.Name, Kind: kindOf(row.Kind), Text: row.Sentence, At: int64(row.At)})
	}
	if s.position > 0 {
		last := snapshot.Steps[s.position-1]
		snapshot.Note, snapshot.Clock = last.Text, last.At
	}
	return snapshot
}

// present is where a session stands, opened up.
type present struct {
	*session
	picture *picture.Diagram
	now     *sim.View
	before  *sim.View // a step earlier; at the start, the same
}

func (s *session) look() *present {
	return &present{
		session: s, picture: picture.Draw(s.run),
		now: s.world.Look(s.run.At(s.position)), before: s.world.Look(s.run.At(max(0, s.position-1))),
	}
}

func (p *present) processes() []web.Process {
	var list []web.Process
	for i, view := range p.now.Processes {
		process := web.Process{Name: view.Name, Kind: view.Kind, Host: view.Host, Handler: p.sc.Handlers[p.sc.Processes[i].Handler], State: stateOf(&view)}
		if place := p.picture.Tracks[i].Places[p.position]; place.Running {
			site := p.sc.Site(place.Handler, place.Input, place.Answers)
			process.Call, process.First, process.Last = site.Text, site.Line, site.EndLine
		}
		process.Buffer, process.Memory, process.Note = view.Buffer, p.memory(view.Memory), noteOf(&view)
		for _, q := range p.now.Queues {
			for _, m := range q.Messages {
				if m.Holder == view.Name && !slices.Contains(view.Buffer, m.Name) {
					process.Holds = append(process.Holds, m.Name)
				}
			}
		}
		for _, db := range p.now.Databases {
			for _, tx := range db.Transactions {
				if tx.Process == view.Name {
					process.Open = openText(db.Name, tx)
				}
			}
		}
		list = append(list, process)
	}
	return list
}

// stateOf puts what a process does into the page's fewer words.
func stateOf(view *sim.ProcessView) string {
	switch doing := view.Doing; doing {
	case "idle", "stalled", "down":
		return doing
	case "waiting", "awaiting":
		return "waiting"
	}
	if view.Stopping {
		return "stopping"
	}
	return "running"
}

func openText(db string, tx sim.TransactionView) string {
	if tx.Broken {
		return "transaction on " + db + ", its connection is lost"
	}
	if n := len(tx.Pending); n != 1 {
		return fmt.Sprintf("transaction on %s, %d changes", db, n)
	}
	return "transaction on " + db + ", 1 change"
}

func (p *present) budget() []web.Budget {
	f := &p.sc.Faults
	if f.Total == 0 {
		return nil
	}
	list := []web.Budget{{Kind: "total", Left: f.Total - p.spent(), Of: f.Total}}
	for _, b := range p.now.Budget {
		for _, k := range sim.FaultKinds() {
			if k.String() == b.Kind {
				list = append(list, web.Budget{Kind: b.Kind, Left: b.Left, Of: f.Limit[k]})
			}
		}
	}
	return list
}

func (p *present) spent() int {
	n := 0
	for _, row := range p.picture.Rows[:p.position] {
		if row.Fault.Strikes() {
			n++
		}
	}
	return n
}

func (p *present) queues() []web.Queue {
	var list []web.Queue
	for i, q := range p.now.Queues {
		queue := web.Queue{Name: q.Name, Profile: q.Profile}
		if q.Log != "" {
			queue.Profile = "log like " + q.Profile
		}
		for _, g := range q.Groups {
			_, says, _ := strings.Cut(picture.GroupText(&q, g), ": ")
			says, _, _ = strings.Cut(says, ", read by ") // that has a shape of its own
			queue.Groups = append(queue.Groups, web.Group{Name: g.Name, Owner: g.Owner, Says: says})
		}
		for _, m := range q.Messages {
			message := web.Message{Name: m.Name, Operation: p.plain(m.Op), Body: p.fields(m.Body), Place: "ready", Holder: m.Holder,
				Attempt: p.attempts(i, m.Name), Changed: !slices.Contains(p.before.Queues[i].Messages, m)}
			switch {
			case m.Holder != "":
				message.Place = "held"
				if p.buffered(m.Holder, m.Name) {
					message.Place = "buffer"
				}
				if p.sc.Queues[i].Lease > 0 {
					left := int64(m.Lease)
					message.Lease = &left
				}
			case q.DeadLetter:
				message.Place = "dead"
			case m.Later:
				due := int64(m.Due)
				message.Place, message.Due = "delayed", &due
			case m.State != "":
				message.Place = m.State // of its transaction; or acked, and kept for its key
			case q.Log != "":
				message.Place = "kept"
			}
			queue.Messages = append(queue.Messages, message)
		}
		list = append(list, queue)
	}
	return list
}

// attempts counts the deliveries of a message since it was stored.
func (p *present) attempts(queue int, name string) int {
	n := 0
	for i := range p.position {
		for _, e := range p.run.Events(i) {
			switch {
			case e.Message != name || int(e.Queue) != queue:
			case e.Kind == sim.EventStored:
				n = 0
			case e.Kind == sim.EventDeliver, e.Kind == sim.EventBuffered:
				n++
			}
		}
	}
	return n
}

func (p *present) mailboxes() []web.Mailbox {
	var list []web.Mailbox
	for i, provider := range p.now.Providers {
		box := web.Mailbox{Provider: provider.Name}
		for _, m := range provider.Mails {
			text := "to " + p.plain(m.To)
			if body := p.fields(m.Body); body != "" {
				text += ": " + body
			}
			fresh := count(provider.Mails, m) > count(p.before.Providers[i].Mails, m)
			box.Mails = append(box.Mails, web.Mail{Text: text, Intent: p.intentName(m.Intent), Changed: fresh})
		}
		list = append(list, box)
	}
	return list
}

func count[T comparable](list []T, item T) int {
	n := 0
	for _, other := range list {
		if other == item {
			n++
		}
	}
	return n
}

// judgedStates bounds how far ahead the observer looks for one snapshot.
const judgedStates = 20_000

func (p *present) intents() []web.Intent {
	standing, err := explore.Judge(p.world, p.run.At(p.position), judgedStates)
	if err != nil { // a mistake in the text ahead: it shows where a step comes upon it
		standing = explore.Standing{Verdicts: p.world.Certain(p.run.At(p.position))}
	}
	past := p.past()
	var list []web.Intent
	for i, view := range p.now.Intents {
		decl := p.sc.Intents[i]
		intent := web.Intent{Name: view.Name, Operation: p.plain(decl.Op), Wish: p.fields(decl.Body), Promised: view.Promised, Told: view.Told}
		once := view.Promised && len(view.Effects) > 0
		var effects []string
		for _, e := range view.Effects {
			effects = append(effects, fmt.Sprintf("%d of 1 in %s", e.Count, e.Place))
			once = once && e.Count == 1
		}
		intent.Effects = strings.Join(effects, ", ")
		for _, property := range sim.Properties() {
			if standing.Verdicts.Of[property]&(1<<i) != 0 {
				intent.Verdicts = append(intent.Verdicts, web.Verdict{Word: property.String(), Sentence: picture.Explain(past, property, i)})
				once = once && property == sim.Unresolved
			}
		}
		if once {
			intent.Verdicts = append([]web.Verdict{{Word: "done_once", Sentence: "Each wanted effect stands exactly once."}}, intent.Verdicts...)
		}
		list = append(list, intent)
	}
	return list
}

// past is the run up to the position. Steps that were taken once fit again.
func (p *present) past() *schedule.Run {
	run, err := schedule.Replay(p.world, p.run.Steps()[:p.position])
	if err != nil {
		panic(err)
	}
	return run
}

func (p *present) plain(id sim.ValueID) string { return p.sc.Values.Plain(id) }

func (p *present) intentName(i int) string {
	if i < 0 {
		return ""
	}
	return p.sc.Intents[i].Name
}

// fields prints a record: "amount 100".
func (p *present) fields(id sim.ValueID) string {
	var parts []string
	for _, f := range p.sc.Values.Get(id).Fields {
		parts = append(parts, f.Name+" "+p.plain(f.Value))
	}
	return strings.Join(parts, ", ")
}

// memory is what a process remembers: "seen work-1".
func (p *present) memory(fields []sim.Field) string {
	var parts []string
	for _, f := range fields {
		parts = append(parts, f.Name+" "+p.plain(f.Value))
	}
	return strings.Join(parts, ", ")
}

// noteOf says what the state of a process means, where its word doesn't.
func noteOf(view *sim.ProcessView) string {
	switch {
	case view.Doing == "down" && view.Gone:
		return "nobody starts it again"
	case view.Doing == "down" && view.Timer > 0:
		return fmt.Sprintf("back in %d s", view.Timer)
	case view.Doing == "down":
		return "back now"
	case view.Stopping:
		return "finishes what runs and takes nothing new"
	}
	return ""
}

// buffered tells whether a delivery waits in its holder's client.
func (p *present) buffered(holder, message string) bool {
	for _, view := range p.now.Processes {
		if view.Name == holder {
			return slices.Contains(view.Buffer, message)
		}
	}
	return false
}

func (p *present) outages() []web.Outage {
	var list []web.Outage
	for _, o := range p.now.Outages {
		list = append(list, web.Outage{Party: o.Party, Left: int64(o.Left)})
	}
	return list
}
