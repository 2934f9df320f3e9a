package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
)

// Explain says in one sentence why a verdict holds for an intent at the end of
// a run. It takes the verdict from the observer and finds the steps that
// brought it about; where the run doesn't show them, the sentence says no more
// than the verdict does.
func Explain(run *schedule.Run, property sim.Property, intent int) string {
	h := newHistory(run)
	x := &explainer{h: h, intent: intent, name: h.intentName(intent), end: run.Len()}
	var text string
	switch property {
	case sim.Lost:
		text = x.name + " is lost: " + x.missing() + "; nothing is left that could bring it"
	case sim.Duplicated:
		text = x.duplicated()
	case sim.Stuck:
		text = x.name + " is stuck: " + x.stuck()
	case sim.DeadLettered:
		text = x.deadLettered()
	case sim.ConflictAccepted:
		text = x.conflictAccepted()
	case sim.Uncaused:
		text = x.uncaused()
	case sim.Unresolved:
		text = x.unresolved()
	case sim.Overwritten:
		text = x.overwritten()
	case sim.DoneOnce:
		text = "every promised intent has each wanted effect exactly once"
	}
	return text + "."
}

type explainer struct {
	h      *history
	intent int
	name   string
	end    int // the number of steps
}

// clause joins what happened: "a, b and c".
func clause(parts []string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

func at(step int) string {
	if step == 0 {
		return "before the first step"
	}
	return fmt.Sprintf("at step %d", step)
}

// place is the name of a place of effects: "store.totals".
func (x *explainer) place(channel int) string { return x.h.run.World.ChannelName(channel) }

// channels is the number of places where effects are wanted.
func (x *explainer) channels() int {
	return len(x.h.view(0).Intents[x.intent].Effects)
}

// duplicated names the two effects and what let the second one happen.
func (x *explainer) duplicated() string {
	for channel := range x.channels() {
		list := x.h.effectsOf(x.intent, channel)
		if len(list) < 2 {
			continue
		}
		first, second := list[0], list[1]
		text := fmt.Sprintf("%s was applied in %s by %s at step %d and again at step %d", x.name, x.place(channel), x.h.name(first.by), first.step, second.step)
		if first.by.proc != second.by.proc {
			text = fmt.Sprintf("%s was applied in %s by %s at step %d and again by %s at step %d",
				x.name, x.place(channel), x.h.name(first.by), first.step, x.h.name(second.by), second.step)
		}
		if why := x.why(first, second); why != "" {
			text += ", because " + why
		}
		return text
	}
	return x.name + " has more than one effect"
}

// given is the message of the intent that a handler was given; of a batch it
// need not be the first.
func (x *explainer) given(j *job) *message {
	for _, m := range j.batch {
		if m.intent == x.intent {
			return m
		}
	}
	return j.source
}

// why tells how a second effect could come after a first.
func (x *explainer) why(first, second effect) string {
	a, b := first.by, second.by
	asked := x.notHindered(first, second)
	if text := x.cameLate(second); text != "" {
		return clause([]string{text, asked})
	}
	was, is := x.given(a), x.given(b)
	switch {
	case a == b:
		return x.repeatedItself(first, second, asked)
	case (was == nil || is == nil) && asked != "":
		return asked
	case was == nil || is == nil:
		return x.readAgain(first, second)
	case was != is:
		return clause([]string{x.publishedTwice(was, is), x.lookedBefore(first, second), asked})
	}
	if b.began < a.began {
		a, b = b, a
	}
	return clause([]string{x.cameBack(a, b, first), x.lookedBefore(first, second), asked})
}

// repeatedItself: one handler did it twice, and what it asked let it.
func (x *explainer) repeatedItself(first, second effect, asked string) string {
	for _, c := range first.by.calls {
		if c.step >= first.step && c.step < second.step && c.answer.Code == sim.Timeout {
			return clause([]string{fmt.Sprintf("the answer at step %d got lost", c.step), asked, x.h.name(first.by) + " tried again"})
		}
	}
	return clause([]string{"its handler does it twice", asked})
}

// publishedTwice: two messages carry one wish.
func (x *explainer) publishedTwice(a, b *message) string {
	if b.stored < a.stored {
		a, b = b, a
	}
	if b.copyOf == a && b.repeated {
		return fmt.Sprintf("%s was acked at step %d and came again at step %d together with an earlier message of its key", a.name, a.settled, b.stored)
	}
	if b.copyOf == a {
		return fmt.Sprintf("%s was deleted at step %d and reappeared at step %d", a.name, a.settled, b.stored)
	}
	if a.queue != b.queue || a.by == nil || b.by == nil {
		return ""
	}
	if a.by == b.by {
		for _, c := range a.by.calls {
			if c.step == a.stored && c.answer.Code == sim.Timeout {
				return fmt.Sprintf("the confirm got lost at step %d and %s published it again at step %d", a.stored, x.h.name(a.by), b.stored)
			}
		}
	}
	return fmt.Sprintf("it was published twice (steps %d and %d)", a.stored, b.stored)
}

// lookedBefore: the second handler had looked whether it was done, too early.
func (x *explainer) lookedBefore(first, second effect) string {
	for _, c := range second.by.calls {
		isLook := c.call.Verb == sim.VerbExists && c.answer.Value == sim.False || c.call.Verb == sim.VerbGet && c.answer.Value == sim.None
		if isLook && c.answer.Code == sim.OK && c.step < first.step {
			return fmt.Sprintf("%s had found nothing at step %d, before the first effect", x.h.name(second.by), c.step)
		}
	}
	return ""
}

// cameBack tells why a message that one handler had was delivered to another:
// how the first delivery ended.
func (x *explainer) cameBack(a, b *job, first effect) string {
	m := a.source
	for _, back := range m.returned {
		if back.step <= a.began || back.step > b.began {
			continue
		}
		switch back.kind {
		case sim.EventReturned:
			return x.disconnected(a, back.step, first)
		case sim.EventExpire:
			return x.expired(a, back.step, first)
		case sim.EventRepeated:
			return fmt.Sprintf("%s came again at step %d together with an earlier message of its key", m.name, back.step)
		case sim.EventDoubled:
			return fmt.Sprintf("%s took %s for ready at step %d, while %s still had it", x.h.sc.Queues[m.queue].Name, m.name, back.step, x.h.name(a))
		}
		if a.how == failed {
			return fmt.Sprintf("%s's handler failed at step %d (%s) and %s went back at step %d", x.h.name(a), a.ended, failure(a.last), m.name, back.step)
		}
		return fmt.Sprintf("%s gave it back at step %d", x.h.name(a), back.step)
	}
	return ""
}

// relation tells where something stands between a handler's effect and its
// ack: ", after its effect and before its ack".
func relation(a *job, step int, first effect) string {
	acked := a.settledAt > 0 && a.settledAt <= step
	switch {
	case acked:
		return ""
	case first.by == a && first.step < step:
		return " after its effect and before its ack"
	}
	return " before its ack"
}

func (x *explainer) disconnected(a *job, step int, first effect) string {
	name, m := x.h.name(a), a.source.name
	o := x.h.run.Outcome(step - 1)
	switch o.Fault {
	case sim.BrokerRestart:
		return fmt.Sprintf("the broker restarted at step %d%s and %s went back", step, relation(a, step, first), m)
	case sim.Crash:
		return fmt.Sprintf("%s crashed at step %d%s and %s went back", name, step, relation(a, step, first), m)
	case sim.ConnectionLost:
		return fmt.Sprintf("%s lost its connection at step %d%s and %s went back", name, step, relation(a, step, first), m)
	}
	if a.how == crashed && a.ended == step {
		return fmt.Sprintf("%s %s at step %d%s and %s went back", name, a.died(), step, relation(a, step, first), m)
	}
	if e := x.h.silentAt(step); e != nil {
		return fmt.Sprintf("%s gave no sign of life for %s, so its connection was closed at step %d%s and %s went back", x.h.sc.Processes[e.Proc].Name, span(e.Seconds), step, relation(a, step, first), m)
	}
	if x.h.shutAt(step) {
		return fmt.Sprintf("%s stopped in order at step %d%s and %s went back", name, step, relation(a, step, first), m)
	}
	what := "call"
	for _, c := range a.calls {
		if c.step == step {
			what = c.call.Verb.String()
		}
	}
	return fmt.Sprintf("the %s of %s got lost at step %d with its connection and %s went back", what, name, step, m)
}

func (x *explainer) expired(a *job, step int, first effect) string {
	name := x.h.name(a)
	lease := fmt.Sprintf("the lease of %s ended at step %d", a.source.name, step)
	if x.h.sc.Queues[a.source.queue].LongestIdle > 0 {
		lease = fmt.Sprintf("%s was claimed from it at step %d", a.source.name, step)
	}
	if x.h.run.Outcome(step-1).Fault == sim.EarlyExpiry {
		return lease + " before its time, while " + name + " still had it"
	}
	switch {
	case a.how == crashed && a.ended < step:
		return fmt.Sprintf("%s %s at step %d%s and %s", name, a.died(), a.ended, relation(a, a.ended, first), lease)
	case a.stalledAt > 0 && a.stalledAt < step:
		return fmt.Sprintf("%s stalled at step %d and %s", name, a.stalledAt, lease)
	case a.how == failed && a.ended < step:
		return fmt.Sprintf("%s's handler failed at step %d (%s) and %s", name, a.ended, failure(a.last), lease)
	}
	for _, c := range a.calls {
		if c.call.Verb == sim.VerbAck && c.step < step && c.lost == RequestLost {
			return fmt.Sprintf("the ack of %s got lost at step %d and %s", name, c.step, lease)
		}
	}
	return lease + " while " + name + " was still at work"
}

// deadLettered says where the message lies and who put it there.
func (x *explainer) deadLettered() string {
	for _, m := range x.h.messagesOf(x.intent) {
		if m.settled > 0 && m.to != "" && m.settler == nil {
			return fmt.Sprintf("%s lies in %s, where nobody works on it, since the broker gave it up at step %d: it had come as often as it may", x.name, m.to, m.settled)
		}
		if m.settled > 0 && m.to != "" {
			text := fmt.Sprintf("%s lies in %s, where nobody works on it, since %s rejected it at step %d", x.name, m.to, x.h.name(m.settler), m.settled)
			if m.settler.how == failed {
				text += " after its handler had failed (" + failure(m.settler.last) + ")"
			}
			return text
		}
	}
	return x.name + " lies in a dead-letter queue"
}

// conflictAccepted says who took a second wish under a known id for the first.
func (x *explainer) conflictAccepted() string {
	intents := x.h.sc.Intents
	other := ""
	for i, in := range intents {
		if i != x.intent && in.Op == intents[x.intent].Op && in.Body != intents[x.intent].Body {
			other = x.h.intentName(i)
		}
	}
	who := "its caller was told that it is accepted"
	for _, m := range x.h.messagesOf(x.intent) {
		if m.settled > 0 && m.verb == sim.VerbAck {
			who = fmt.Sprintf("%s acked it at step %d", x.h.name(m.settler), m.settled)
		}
	}
	return fmt.Sprintf("%s (%s) has the id of %s but another payload: %s as if it were done, and that payload stands nowhere",
		x.name, x.h.fields(intents[x.intent].Body), other, who)
}

func (x *explainer) uncaused() string {
	text := x.causeless()
	for _, told := range x.h.told {
		if told.intent != x.intent || told.accepted {
			continue
		}
		text = fmt.Sprintf("the caller of %s was told at step %d that it is refused", x.name, told.step)
		for _, e := range x.h.effects {
			if e.intent == x.intent {
				return text + fmt.Sprintf(", and yet %s made its effect at step %d", x.h.name(e.by), e.step)
			}
		}
	}
	return text
}

// unresolved says why a caller never hears anything.
func (x *explainer) unresolved() string {
	text := "the caller of " + x.name + " never learns whether it happened"
	for _, j := range x.h.of(x.intent) {
		if j.source != nil {
			continue
		}
		name := x.h.name(j)
		switch j.how {
		case crashed:
			return text + fmt.Sprintf(": %s %s at step %d before %s", name, j.died(), j.ended, j.before)
		case failed:
			return text + fmt.Sprintf(": %s's handler failed %s (%s) before it answered", name, at(j.ended), failure(j.last))
		case returned:
			if c := lostTelling(j); c > 0 {
				return text + fmt.Sprintf(": the answer of %s got lost at step %d", name, c)
			}
			if c := answered(j); c > 0 {
				return text + fmt.Sprintf(": %s answered at step %d, and its caller waited no longer", name, c)
			}
			return text + fmt.Sprintf(": %s's handler returned %s without an answer", name, at(j.ended))
		}
		return text + ": " + name + " still works for it, and whatever follows, its caller is told nothing"
	}
	return text
}

// answered is the step at which a handler told its caller something; 0: never.
func answered(j *job) int {
	for _, c := range j.calls {
		if c.call.Verb == sim.VerbAccept || c.call.Verb == sim.VerbRefuse {
			return c.step
		}
	}
	return 0
}

// lostTelling is the step at which an answer to the caller got lost, or 0.
func lostTelling(j *job) int {
	for _, c := range j.calls {
		if c.lost != Arrives && (c.call.Verb == sim.VerbAccept || c.call.Verb == sim.VerbRefuse) {
			return c.step
		}
	}
	return 0
}
