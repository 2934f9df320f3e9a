package picture

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Sentences: what happened in one step, in the words of the run.

// sentence tells what step i (from 0) did.
func (h *history) sentence(i int) string {
	t := teller{h: h, step: i + 1, outcome: h.run.Outcome(i), events: h.run.Events(i)}
	var moved sim.Seconds
	for _, e := range t.events {
		if e.Kind == sim.EventClock {
			moved += e.Seconds
		}
	}
	text := t.tell() + t.after() + t.waited() + t.shut() + "."
	if moved > 0 {
		text = span(moved) + " later, " + text
	}
	return text
}

// teller writes the sentence of one step.
type teller struct {
	h       *history
	step    int // from 1
	outcome sim.Outcome
	events  []sim.Event
}

// first returns the step's first event of a kind, or nil.
func (t *teller) first(kind sim.EventKind) *sim.Event {
	for i := range t.events {
		if t.events[i].Kind == kind {
			return &t.events[i]
		}
	}
	return nil
}

func (t *teller) who(p int16) string { return t.h.sc.Processes[p].Name }

func (t *teller) tell() string {
	if t.outcome.Fault == sim.ConnectionLost {
		return t.connectionLost()
	}
	if text := t.broker(); text != "" {
		return text
	}
	for _, arm := range []struct {
		kind sim.EventKind
		tell func(*sim.Event) string
	}{
		{sim.EventCrash, func(e *sim.Event) string { return t.crash(e) + t.later() }},
		{sim.EventStop, t.stops},
		{sim.EventSilent, t.silent},
		{sim.EventBack, t.again},
		{sim.EventReopened, t.databaseRestart},
		{sim.EventStall, func(e *sim.Event) string {
			return t.who(e.Proc) + " stalls before " + t.gap(" stall before ") + t.along(e, sim.EventStall, "stands still with it", "stand still with it")
		}},
		{sim.EventWake, func(e *sim.Event) string {
			return t.who(e.Proc) + " wakes up and goes on" + t.along(e, sim.EventWake, "does too", "do too")
		}},
		{sim.EventDeliver, t.deliver},
		{sim.EventBuffered, t.buffered},
		{sim.EventExit, t.left},
		{sim.EventBeatLost, func(e *sim.Event) string {
			return "an extension of the lease of " + e.Message + " by the client of " + t.who(e.Proc) + " gets lost"
		}},
		{sim.EventRun, func(e *sim.Event) string {
			if t.h.sc.Processes[e.Proc].Kind == sim.Operator {
				return "a person starts " + t.who(e.Proc)
			}
			return "it is time for " + t.who(e.Proc) + ", which starts"
		}},
		{sim.EventAgain, func(e *sim.Event) string {
			return "the caller of " + t.h.intentName(e.Intent()) + ", who was told nothing, asks again"
		}},
		{sim.EventImpatient, func(e *sim.Event) string {
			return "the caller of " + t.h.intentName(e.Intent()) + " waits no longer for an answer"
		}},
		{sim.EventSkipped, func(e *sim.Event) string {
			return "it is time for " + t.h.sc.Fronts[t.h.sc.Processes[e.Proc].Front].Name + ", but it still runs: this tick is skipped"
		}},
		{sim.EventParked, func(e *sim.Event) string {
			text := t.h.sc.Queues[e.Queue].Name + " gives up " + e.Message + ", which has come as often as it may: "
			if e.To == "" {
				return text + "it is dropped"
			}
			return text + "it goes to " + e.To
		}},
		{sim.EventMissed, func(e *sim.Event) string {
			return t.h.sc.Queues[e.Queue].Name + " delivers " + e.Message + " to " + t.who(e.Proc) + ", but it never arrives; its lease runs"
		}},
		{sim.EventRemoved, t.removed},
		{sim.EventRebalanced, t.rebalanced},
		{sim.EventDropped, t.dropped},
		{sim.EventExpire, t.expire},
		{sim.EventForget, func(e *sim.Event) string {
			return t.h.sc.Providers[e.Provider].Name + " forgets the key " + t.h.plain(e.Key)
		}},
		{sim.EventListed, func(e *sim.Event) string {
			return t.h.sc.Providers[e.Provider].Name + " lists " + t.h.plain(e.Key) + " from now on: a lookup finds it"
		}},
		{sim.EventLate, t.late},
		{sim.EventOutage, t.outage},
		{sim.EventOutageEnd, t.outage},
		{sim.EventDue, t.due},
		{sim.EventFinished, func(e *sim.Event) string {
			return t.h.sc.Providers[e.Provider].Name + " is done with the request of the key " + t.h.plain(e.Key)
		}},
	} {
		if e := t.first(arm.kind); e != nil {
			return arm.tell(e)
		}
	}
	if e := madeCall(t.events); e != nil {
		return t.called(e)
	}
	if e := t.first(sim.EventLogTx); e != nil && t.outcome.Kind == sim.StepTimer {
		return t.aborted(e)
	}
	return t.ended()
}

// gap is the call before which a fault strikes, as the step's name has it.
func (t *teller) gap(word string) string {
	_, gap, _ := strings.Cut(t.outcome.Name, word)
	return gap
}

func (t *teller) crash(e *sim.Event) string {
	text := t.who(e.Proc) + " crashes before " + t.gap(" crash before ")
	if e.Done {
		text = t.watched(e)
	}
	text += t.along(e, sim.EventCrash, "dies with it", "die with it")
	if r := t.first(sim.EventRollback); r != nil {
		text += "; its open transaction on " + t.h.sc.Databases[r.Database].Name + " is rolled back"
	}
	j := t.h.stepJob[t.step]
	if j == nil {
		return text
	}
	switch back := t.first(sim.EventReturned); {
	case back != nil:
		text += "; " + t.goesBack(back)
	case j.source == nil && t.h.sc.Processes[j.proc].Kind == sim.Job:
		text += "; it starts again with its next tick"
	case j.source == nil:
		text += "; nobody repeats the request"
	case j.settledAt > 0:
		text += "; " + j.source.name + " is settled already and will not come again"
	case t.h.sc.Queues[j.source.queue].Log > 0:
		text += "; its group waits for it until its session ends"
	case j.expiredAt == 0:
		text += "; " + j.source.name + " stays with it until the lease ends"
	}
	return text
}

func (t *teller) connectionLost() string {
	p := t.outcome.Proc
	text := t.who(p) + " loses its connection to " + t.gap(" connection-lost to ")
	if e := t.first(sim.EventDisconnect); e != nil {
		text += t.along(e, sim.EventDisconnect, "loses it with it", "lose it with it")
	}
	if t.first(sim.EventRollback) != nil {
		text += "; its open transaction is rolled back"
	}
	if back := t.first(sim.EventReturned); back != nil {
		text += "; " + t.goesBack(back)
	}
	return text
}

// silent is a broker that takes a process for dead.
func (t *teller) silent(e *sim.Event) string {
	text := t.h.sc.Queues[e.Queue].Name + " has had no sign of life of " + t.who(e.Proc) + " for " + span(e.Seconds) + " and closes its connection"
	if lost := t.first(sim.EventDisconnect); lost != nil {
		text += t.along(lost, sim.EventDisconnect, "loses it with it", "lose it with it")
	}
	if back := t.first(sim.EventReturned); back != nil {
		text += "; " + t.goesBack(back)
	}
	return text
}

func (t *teller) deliver(e *sim.Event) string {
	text := t.h.sc.Queues[e.Queue].Name + " delivers " + t.names(sim.EventDeliver) + " to " + t.who(e.Proc)
	if len(t.h.stepJob[t.step].batch) > 1 {
		return text + t.autoAcked()
	}
	if m := t.h.stepJob[t.step].source; m.jobs[0] != t.h.stepJob[t.step] {
		text += " again"
		if m.jobs[0].proc != int(e.Proc) {
			text = t.h.sc.Queues[e.Queue].Name + " delivers " + e.Message + " again, to " + t.who(e.Proc)
		}
	}
	return text + t.autoAcked()
}

func (t *teller) expire(e *sim.Event) string {
	text := "the lease of " + e.Message + " at " + t.who(e.Proc) + " ends"
	if e.Fault == sim.EarlyExpiry {
		text += " before its time"
	}
	return text + ": " + t.h.sc.Queues[e.Queue].Name + " may deliver it again"
}

func (t *teller) due(e *sim.Event) string {
	switch e.Call.Verb {
	case sim.VerbWork:
		return t.who(e.Proc) + " has done its work"
	case sim.VerbSleep:
		return t.who(e.Proc) + " has slept"
	}
	switch {
	case e.Fault == sim.LostReply:
		return t.who(e.Proc) + " never gets the answer to its " + e.Call.Verb.String() + ": timeout"
	case e.Answer.Code != sim.Timeout:
		return t.who(e.Proc) + " gets the answer to its " + e.Call.Verb.String()
	}
	return t.who(e.Proc) + " has waited in vain for an answer to its " + e.Call.Verb.String() + ": timeout"
}

// ended is the step of a handler that left something open.
func (t *teller) ended() string {
	e := t.first(sim.EventEnd)
	if e == nil {
		return t.outcome.Name
	}
	text := t.who(e.Proc) + "'s handler returns"
	if e.Call.Verb == sim.VerbFail {
		text = t.who(e.Proc) + "'s handler fails: " + failure(e.Call)
	}
	if r := t.first(sim.EventRollback); r != nil {
		text += "; its open transaction on " + t.h.sc.Databases[r.Database].Name + " is rolled back"
	}
	if j := t.h.stepJob[t.step]; j != nil && j.source != nil && j.settledAt == 0 && t.h.view(t.step).Processes[e.Proc].Doing != "settling" {
		text += "; it never settled " + j.source.name
	}
	return text
}

// after adds what the step's call led to besides: a handler that failed.
func (t *teller) after() string {
	e := t.first(sim.EventEnd)
	if e == nil || e.Call.Verb != sim.VerbFail || madeCall(t.events) == nil && t.first(sim.EventDue) == nil {
		return ""
	}
	return "; its handler fails: " + failure(e.Call)
}

// failure is why a handler failed.
func failure(c *sim.Call) string {
	if c.Text != "" {
		return c.Text
	}
	return c.Code.String()
}

// span writes a span of time.
func span(s sim.Seconds) string {
	if s >= 3600 && s%3600 == 0 {
		return fmt.Sprintf("%d h", s/3600)
	}
	if s >= 120 && s%60 == 0 {
		return fmt.Sprintf("%d min", s/60)
	}
	return fmt.Sprintf("%d s", s)
}

func (h *history) plain(id sim.ValueID) string { return h.sc.Values.Plain(id) }

// intentName names an intent.
func (h *history) intentName(i int) string {
	if i < 0 {
		return "nobody"
	}
	return h.sc.Intents[i].Name
}

// fields prints a record's parts: "amount 100, id work-1".
func (h *history) fields(id sim.ValueID) string {
	var parts []string
	for _, f := range h.sc.Values.Get(id).Fields {
		parts = append(parts, f.Name+" "+h.plain(f.Value))
	}
	return strings.Join(parts, ", ")
}

// answer is what a call's answer says beyond "done".
func (h *history) answer(c *sim.Call, a sim.Answer) string {
	switch {
	case a.Code != sim.OK:
		return a.Code.String()
	case c.Verb == sim.VerbSelect, c.Verb == sim.VerbClaim:
		return h.keys(c, a.Value)
	case c.Verb == sim.VerbExists, c.Verb == sim.VerbGet, c.Verb == sim.VerbCount, c.Verb == sim.VerbChange, c.Verb == sim.VerbRemove:
		return h.sc.Values.Text(a.Value)
	case a.Value == sim.False:
		return "False"
	}
	return ""
}
