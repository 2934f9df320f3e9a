package picture

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Why an effect is missing: what became of each message of the intent and of
// each handler that had it in hand.

// missing tells why an intent has no effect, as a chain of what happened.
func (x *explainer) missing() string {
	if text := x.overwrittenShare(); text != "" {
		return text
	}
	messages := x.h.messagesOf(x.intent)
	where := x.lacks()
	if len(messages) == 0 {
		return where + x.neverStored()
	}
	var parts []string
	for _, m := range messages {
		if len(m.jobs) == 0 && m.settled > 0 {
			parts = append(parts, fmt.Sprintf("it was settled at step %d as it left the broker, and no handler ever began with it", m.settled))
		}
		for _, j := range m.jobs {
			if part := x.job(j, m); part != "" {
				parts = append(parts, part)
			}
		}
		if part := x.gone(m); part != "" {
			parts = append(parts, part)
		}
	}
	for _, m := range messages {
		parts = append(parts, x.gonePast(m)...)
	}
	if len(parts) == 0 {
		return where + "no handler got far enough to bring its effect"
	}
	return where + strings.Join(fold(parts), ", then ")
}

var stepNumber = regexp.MustCompile(`step (\d+)`)

// fold says once what came again and again: nobody reads it a thousand times.
// Parts are the same where they differ in the numbers of their steps alone.
func fold(parts []string) []string {
	const most = 3
	var list []string
	for i := 0; i < len(parts); {
		end := i + 1
		for end < len(parts) && shape(parts[end]) == shape(parts[i]) {
			end++
		}
		last := stepNumber.FindAllStringSubmatch(parts[end-1], -1)
		if end-i <= most || len(last) == 0 {
			list = append(list, parts[i:end]...)
		} else {
			list = append(list, parts[i], fmt.Sprintf("the same %d times more, last at step %s", end-i-1, last[len(last)-1][1]))
		}
		i = end
	}
	return list
}

func shape(part string) string { return stepNumber.ReplaceAllString(part, "step") }

// lacks names the places that lack the effect, where others have it.
func (x *explainer) lacks() string {
	var without []string
	n := x.channels()
	for channel := range n {
		if len(x.h.effectsOf(x.intent, channel)) == 0 {
			without = append(without, x.place(channel))
		}
	}
	if len(without) == n {
		return ""
	}
	return clause(without) + " never gets its effect, for "
}

// didAnything tells whether a handler made an effect.
func (x *explainer) didAnything(j *job) bool {
	for _, e := range x.h.effects {
		if e.by == j {
			return true
		}
	}
	return false
}

// neverStored: no broker ever had a message of it.
func (x *explainer) neverStored() string {
	for _, j := range x.h.of(x.intent) {
		name := x.h.name(j)
		for _, c := range j.calls {
			if c.call.Verb == sim.VerbPublish && c.lost == RequestLost {
				text := fmt.Sprintf("its publish got lost at step %d", c.step)
				return text + x.wentOn(j, c)
			}
			if why := x.notStored(c); why != "" {
				return why + x.wentOn(j, c)
			}
			if c.call.Verb == sim.VerbPublish && c.answer.Code == sim.Refused {
				return fmt.Sprintf("%s refused its publish at step %d", x.h.sc.Queues[c.call.Party].Name, c.step) + x.wentOn(j, c)
			}
		}
		switch j.how {
		case crashed:
			return fmt.Sprintf("%s %s at step %d before %s, and nobody repeats its request", name, j.died(), j.ended, j.before)
		case failed:
			return fmt.Sprintf("%s's handler failed %s (%s)", name, at(j.ended), failure(j.last))
		case returned:
			return fmt.Sprintf("%s's handler returned %s without its effect", name, at(j.ended)) + x.forgot(j)
		}
	}
	text := "no handler ever had it"
	asked := func(p *sim.Process) bool { return slices.Contains(p.Requests, x.intent) }
	if !slices.ContainsFunc(x.h.sc.Processes, func(p sim.Process) bool { return asked(&p) }) {
		asked = func(p *sim.Process) bool { return p.Kind == sim.Job } // its rows stood from the start
	}
	if down := x.nobodyTakes(asked); down != "" {
		text += ", as " + down
	}
	return text
}

// wentOn tells what a publisher did after a publish that failed.
func (x *explainer) wentOn(j *job, c made) string {
	name := x.h.name(j)
	text := ""
	if !c.call.Confirm {
		text = ", " + name + " did not wait for a confirm"
	}
	for _, told := range x.h.told {
		if told.intent == x.intent && told.accepted && told.step > c.step {
			return text + fmt.Sprintf(" and told its caller at step %d that it is accepted", told.step)
		}
	}
	if j.how == failed {
		return text + fmt.Sprintf(" and its handler failed (%s)", failure(j.last))
	}
	return text + " and nobody published it again"
}

// job tells what a handler did with the delivery it was given.
func (x *explainer) job(j *job, m *message) string {
	name := x.h.name(j)
	settled := m.settled > 0 && m.settler == j
	var parts []string
	if found := x.found(j); found != "" {
		parts = append(parts, found)
	}
	if marked := x.marked(j); marked != "" {
		parts = append(parts, marked)
	}
	if settled {
		switch {
		case m.verb == sim.VerbReject && m.to != "":
			parts = append(parts, fmt.Sprintf("rejected it into %s at step %d", m.to, m.settled))
		case m.verb == sim.VerbReject:
			parts = append(parts, fmt.Sprintf("rejected it at step %d, whereupon it was dropped", m.settled))
		case m.verb == sim.VerbCommitOffset:
			parts = append(parts, fmt.Sprintf("committed an offset behind it at step %d", m.settled))
		default:
			parts = append(parts, fmt.Sprintf("acked it at step %d", m.settled))
		}
	}
	switch {
	case j.how == crashed:
		parts = append(parts, fmt.Sprintf("%s at step %d before %s", j.died(), j.ended, gapWords(j.before)))
	case j.how == failed:
		parts = append(parts, fmt.Sprintf("failed at step %d (%s)", j.ended, failure(j.last)))
	case j.how == returned && !settled && len(parts) == 0:
		parts = append(parts, fmt.Sprintf("ended at step %d without settling it", j.ended))
	}
	if len(parts) == 0 {
		return ""
	}
	return name + " " + clause(parts)
}

// gapWords names the call that a crash came before: "its commit".
func gapWords(gap string) string {
	switch gap {
	case "begin", "commit", "rollback", "ack", "nack", "reject":
		return "its " + gap
	case "end":
		return "its end"
	}
	return gap
}

// found: the handler saw that somebody had been there before.
func (x *explainer) found(j *job) string {
	for _, c := range j.calls {
		stood := c.call.Verb == sim.VerbInsert && c.answer.Value == sim.False ||
			c.call.Verb == sim.VerbExists && c.answer.Value == sim.True ||
			c.call.Verb == sim.VerbGet && c.answer.Value != sim.None
		if stood && c.answer.Code == sim.OK && x.speaksOf(c.call) {
			table := x.h.sc.Databases[c.call.Party].Tables[c.call.Table].Name
			return fmt.Sprintf("found a row in %s at step %d", table, c.step)
		}
	}
	return ""
}

// speaksOf tells whether a statement asks for the intent's own row, not for
// one that all intents share, such as a total.
func (x *explainer) speaksOf(c *sim.Call) bool {
	op := x.h.sc.Intents[x.intent].Op
	for _, f := range x.h.sc.Values.Get(c.Body).Fields {
		if f.Value == op {
			return true
		}
	}
	return c.Key == op
}

// marked: the handler committed something that is not the effect, such as a
// marker, and left no effect.
func (x *explainer) marked(j *job) string {
	if x.didAnything(j) {
		return ""
	}
	for _, c := range j.calls {
		if c.answer.Code == sim.Gone || c.lost == RequestLost {
			continue
		}
		for _, e := range x.h.run.Events(c.step - 1) {
			if e.Kind != sim.EventCommit || e.Rows == 0 {
				continue
			}
			for t, table := range x.h.view(c.step).Databases[e.Database].Tables {
				if len(table.Rows) > len(x.h.view(c.step - 1).Databases[e.Database].Tables[t].Rows) {
					return fmt.Sprintf("committed to %s at step %d", table.Name, c.step)
				}
			}
		}
	}
	return ""
}

// stuck tells where the work hangs at the end of the run.
func (x *explainer) stuck() string {
	view := x.h.view(x.end)
	for n, q := range view.Queues {
		for _, m := range q.Messages {
			if m.Intent != x.intent || q.DeadLetter {
				continue
			}
			if text := x.behind(n, m.Name); text != "" {
				return text
			}
			if doing := x.worksOn(view, m); doing != "" {
				return doing
			}
			down := x.nobodyTakes(func(p *sim.Process) bool { return p.Kind == sim.Consumer && p.Queue == n })
			if m.Holder == "" {
				if down != "" {
					return fmt.Sprintf("%s is ready in %s, and %s%s", m.Name, q.Name, down, x.lastTry())
				}
				tried := x.lastTry()
				if tried == "" {
					tried = x.nextTry(n, m.Name)
				}
				return fmt.Sprintf("%s is ready in %s, and whoever gets it brings no effect%s%s", m.Name, q.Name, tried, x.notCounted(n))
			}
			if down != "" && x.h.sc.Queues[n].Lease > 0 {
				return fmt.Sprintf("%s is with %s until its lease ends, and nobody takes it then: %s%s", m.Name, m.Holder, down, x.lastTry())
			}
			return fmt.Sprintf("%s still belongs to %s, and nothing takes it back%s", m.Name, m.Holder, x.lastTry())
		}
	}
	for _, p := range view.Processes {
		if p.Intent == x.intent && p.Node != 0 {
			return goesNowhere(p)
		}
	}
	return "its work is open and nothing goes on with it"
}

// worksOn tells what the holder of a message is about to do with it, if its
// handler still runs.
func (x *explainer) worksOn(view *sim.View, m sim.MessageView) string {
	for _, p := range view.Processes {
		if m.Holder != "" && p.Name == m.Holder && p.Node != 0 && p.Message == m.Name {
			return goesNowhere(p)
		}
	}
	return ""
}

func goesNowhere(p sim.ProcessView) string {
	text := "whatever follows without a fault, its effect doesn't come; " + p.Name
	if p.Doing == "waiting" {
		return text + " waits for a lock before " + p.Next
	}
	return text + " stands before " + p.Next
}

// lastTry tells how the latest handler that had it ended.
func (x *explainer) lastTry() string {
	var latest *job
	for _, j := range x.h.of(x.intent) {
		if j.source != nil {
			latest = j
		}
	}
	if latest == nil {
		return ""
	}
	name := x.h.name(latest)
	switch latest.how {
	case crashed:
		return fmt.Sprintf(" (%s %s at step %d before %s)", name, latest.died(), latest.ended, gapWords(latest.before))
	case failed:
		return fmt.Sprintf(" (%s's handler failed at step %d: %s)", name, latest.ended, failure(latest.last))
	case returned:
		return fmt.Sprintf(" (%s's handler returned at step %d without settling it)", name, latest.ended)
	}
	return ""
}
