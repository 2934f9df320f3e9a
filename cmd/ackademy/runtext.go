package main

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// What a run looks like: the diagram, a sentence for each step, what stands at
// the end, the verdicts, and the command that repeats it.

func (o *observed) write(t *terminal, b *budget) {
	d := picture.Draw(o.run)
	t.title(o.path, o.sc.Title)
	options := t.pictureOptions()
	if o.given > 0 && o.run.Len() > o.given {
		options.Notes = map[int]string{o.given + 1: "from here on: " + o.rule}
	}
	t.print(picture.Text(d, options) + "\n")
	for i := range d.Rows {
		if row := &d.Rows[i]; i < options.MaxRows/2 || i >= len(d.Rows)-options.MaxRows/2 {
			t.print(fmt.Sprintf("%3d  %s\n", row.Step, clean(row.Sentence)))
		} else if i == options.MaxRows/2 {
			t.print(fmt.Sprintf("     (%s are not shown; --json has them all)\n", plural(len(d.Rows)-options.MaxRows, "step")))
		}
	}
	t.print("\nAt the end:\n\n")
	for _, line := range o.standingThings() {
		t.print("  " + clean(line) + "\n")
	}
	t.print("\n")
	o.writeVerdicts(t)
	if o.rule != "" {
		t.print("\nThis run, step by step:\n\n  " + clean(o.command(b)) + "\n")
	}
}

func (o *observed) writeVerdicts(t *terminal) {
	for _, v := range o.verdicts() {
		word, style := strings.ToUpper(v.property.String())+":", picture.Danger
		if !v.forbidden {
			word, style = v.property.String()+", allowed:", picture.Plain
		}
		t.headed(style, word, picture.Explain(o.run, v.property, v.intent))
	}
	switch {
	case !o.atRest && o.rule != "":
		t.headed(picture.Caution, "UNDECIDED:", fmt.Sprintf("the run did not come to rest within %s.", plural(o.run.Len()-o.given, "more step")))
	case !o.standing.Decided:
		t.headed(picture.Caution, "UNDECIDED:", fmt.Sprintf("the observer looked at %s ahead and can't say what becomes of the rest.", plural(judgeStates, "state")))
	case len(o.verdicts()) > 0:
	case o.doneOnce:
		t.headed(picture.Good, "DONE ONCE:", "every promised intent has each wanted effect exactly once.")
	case !o.atRest:
		t.print("Nothing has gone wrong so far, and the run can go on.\n")
	default:
		t.print("Nothing was promised that isn't done.\n")
	}
}

// standingThings lists what is there at the end: rows, mails, messages, and
// what callers were told.
func (o *observed) standingThings() []string {
	view := o.run.World.Look(o.run.State())
	values := o.sc.Values
	var lines []string
	for _, db := range view.Databases {
		for _, table := range db.Tables {
			var rows []string
			for _, row := range table.Rows {
				rows = append(rows, values.Text(row.Body))
			}
			lines = append(lines, fmt.Sprintf("%-18s %s", db.Name+"."+table.Name, orNothing(rows, "empty")))
		}
	}
	for _, p := range view.Providers {
		var mails []string
		for _, m := range p.Mails {
			mails = append(mails, "to "+values.Plain(m.To))
		}
		lines = append(lines, fmt.Sprintf("%-18s %s", p.Name, orNothing(mails, "no email")))
	}
	for _, q := range view.Queues {
		var messages []string
		for _, m := range q.Messages {
			messages = append(messages, m.Name+" "+placeOf(&q, m))
		}
		lines = append(lines, fmt.Sprintf("%-18s %s", q.Name, orNothing(messages, "empty")))
		for _, g := range q.Groups {
			lines = append(lines, fmt.Sprintf("%-18s %s", "", picture.GroupText(&q, g)))
		}
	}
	for _, in := range view.Intents {
		if in.Told != "" {
			lines = append(lines, fmt.Sprintf("%-18s the caller of %s was told: %s", "caller", in.Name, in.Told))
		}
	}
	return lines
}

func placeOf(q *sim.QueueView, m sim.MessageView) string {
	switch {
	case q.Log != "":
		text := "(kept"
		if m.State != "" {
			text += ", its transaction is " + m.State
		}
		if m.Holder != "" {
			text += ", in the hands of " + m.Holder
		}
		return text + ")"
	case m.Later:
		return "(due in " + fmt.Sprintf("%d s", m.Due) + ")"
	case m.State != "":
		return "(" + m.State + ", and can come again with an earlier one of its key)"
	case m.Holder == "":
		return "(ready)"
	}
	return "(delivered to " + m.Holder + ", not settled)"
}

func orNothing(list []string, nothing string) string {
	if len(list) == 0 {
		return nothing
	}
	return strings.Join(list, ", ")
}

// The JSON form; runHelp is its documentation.

type runJSON struct {
	File      string         `json:"file"`
	Scenario  string         `json:"scenario"`
	Title     string         `json:"title"`
	Faults    map[string]int `json:"faults"`
	Schedule  string         `json:"schedule"`
	Steps     []stepJSON     `json:"steps"`
	AtRest    bool           `json:"at_rest"`
	Decided   bool           `json:"decided"`
	Status    string         `json:"status"`
	DoneOnce  bool           `json:"done_once"`
	Verdicts  []verdictJSON  `json:"verdicts"`
	Tables    []tableJSON    `json:"tables"`
	Mailboxes []mailboxJSON  `json:"mailboxes"`
	Queues    []queueJSON    `json:"queues"`
}

type stepJSON struct {
	Step     int    `json:"step"`
	Name     string `json:"name"`
	At       int64  `json:"at"`
	Fault    string `json:"fault,omitempty"`
	Added    bool   `json:"added,omitempty"`
	Sentence string `json:"sentence"`
}

type verdictJSON struct {
	Name        string `json:"name"`
	Forbidden   bool   `json:"forbidden"`
	Intent      string `json:"intent"`
	Explanation string `json:"explanation"`
}

type tableJSON struct {
	Database string           `json:"database"`
	Table    string           `json:"table"`
	Rows     []map[string]any `json:"rows"`
}

type mailboxJSON struct {
	Provider string   `json:"provider"`
	Mails    []string `json:"mails"` // whom they went to
}

type queueJSON struct {
	Queue    string        `json:"queue"`
	Messages []messageJSON `json:"messages"`
}

type messageJSON struct {
	Name   string `json:"name"`
	Holder string `json:"holder,omitempty"`
}

func (o *observed) json() runJSON {
	out := runJSON{
		File: o.path, Scenario: o.sc.Name, Title: o.sc.Title, Faults: faultsJSON(&o.sc.Faults), Schedule: schedule.Inline(o.run.Steps()),
		Steps: []stepJSON{}, AtRest: o.atRest, Decided: o.standing.Decided, DoneOnce: o.doneOnce,
		Status:   [...]string{exitGood: "holds", exitBad: "violated", exitUndecided: "undecided"}[o.exit()],
		Verdicts: []verdictJSON{}, Tables: []tableJSON{}, Mailboxes: []mailboxJSON{}, Queues: []queueJSON{},
	}
	for _, row := range picture.Draw(o.run).Rows {
		s := stepJSON{Step: row.Step, Name: row.Name, At: int64(row.At), Added: o.added(row.Step), Sentence: row.Sentence}
		if row.Fault.Strikes() {
			s.Fault = row.Fault.String()
		}
		out.Steps = append(out.Steps, s)
	}
	for _, v := range o.verdicts() {
		out.Verdicts = append(out.Verdicts, verdictJSON{v.property.String(), v.forbidden, o.sc.Intents[v.intent].Name, picture.Explain(o.run, v.property, v.intent)})
	}
	view := o.run.World.Look(o.run.State())
	for _, db := range view.Databases {
		for _, table := range db.Tables {
			t := tableJSON{db.Name, table.Name, []map[string]any{}}
			for _, row := range table.Rows {
				t.Rows = append(t.Rows, o.record(row.Body))
			}
			out.Tables = append(out.Tables, t)
		}
	}
	for _, p := range view.Providers {
		m := mailboxJSON{p.Name, []string{}}
		for _, mail := range p.Mails {
			m.Mails = append(m.Mails, o.sc.Values.Plain(mail.To))
		}
		out.Mailboxes = append(out.Mailboxes, m)
	}
	for _, q := range view.Queues {
		m := queueJSON{q.Name, []messageJSON{}}
		for _, message := range q.Messages {
			m.Messages = append(m.Messages, messageJSON{message.Name, message.Holder})
		}
		out.Queues = append(out.Queues, m)
	}
	return out
}

// record turns a record into plain data.
func (o *observed) record(id sim.ValueID) map[string]any {
	out := map[string]any{}
	for _, f := range o.sc.Values.Get(id).Fields {
		switch v := o.sc.Values.Get(f.Value); v.Kind {
		case sim.KindNone:
			out[f.Name] = nil
		case sim.KindBool:
			out[f.Name] = v.Int == 1
		case sim.KindInt:
			out[f.Name] = v.Int
		case sim.KindString:
			out[f.Name] = v.String
		case sim.KindRecord:
			out[f.Name] = o.record(f.Value)
		}
	}
	return out
}
