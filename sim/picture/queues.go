package picture

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// What brokers do by themselves, and what becomes of a publish beside being
// stored.

// broker tells a step that a broker makes by itself, or "".
func (t *teller) broker() string {
	if madeCall(t.events) != nil {
		return ""
	}
	for i := range t.events {
		e := &t.events[i]
		if e.Queue < 0 || int(e.Queue) >= len(t.h.sc.Queues) {
			continue
		}
		queue := t.h.sc.Queues[e.Queue].Name
		switch e.Kind {
		case sim.EventRestart:
			return t.restart(e)
		case sim.EventReady:
			return e.Message + " is due: " + queue + " may deliver it"
		case sim.EventAged:
			return "the time of " + e.Message + " in " + queue + " is over: " + goes(e.To)
		case sim.EventForgotten:
			return queue + " forgets " + e.Text + ": from here on a copy of it is a new message"
		case sim.EventReappeared:
			return e.Message + ", which was deleted, is in " + queue + " again: the broker had kept a copy"
		case sim.EventDoubled:
			return queue + " takes " + e.Message + " for ready although " + t.who(e.Proc) + " has it"
		}
	}
	return ""
}

func goes(to string) string {
	if to == "" {
		return "it is gone"
	}
	return "it goes to " + to
}

// restart tells what a restart of a broker took along.
func (t *teller) restart(e *sim.Event) string {
	text := "the broker " + e.Text + " restarts"
	var lost, back []string
	for _, o := range t.events {
		switch o.Kind {
		case sim.EventWiped:
			lost = append(lost, o.Message)
		case sim.EventReturned:
			back = append(back, o.Message)
		}
	}
	if len(back) > 0 {
		text += "; " + strings.Join(back, ", ") + " can be delivered again, since the connections are lost"
	}
	if len(lost) > 0 {
		text += "; it had kept " + strings.Join(lost, ", ") + " in memory alone"
	}
	return text
}

// posted tells what became of a publish that reached its broker.
func (t *teller) posted(c *sim.Call) string {
	text := ""
	if e := t.first(sim.EventAged); e != nil {
		text = ": " + t.party(c) + " is full, and of the oldest message, " + e.Message + ", " + goes(e.To)
	}
	switch {
	case t.first(sim.EventUnroutable) != nil:
		return ", but nothing is bound there: the message is nowhere" + map[bool]string{true: ", and the broker says so"}[c.Post.Mandatory || t.h.sc.Queues[c.Party].UnboundFails]
	case t.first(sim.EventDuplicate) != nil:
		return ", which knows it and stores nothing"
	case t.first(sim.EventRefused) != nil:
		return ", which is full and refuses it"
	}
	if e := t.first(sim.EventStored); e != nil && e.Message != t.h.plain(c.Op) {
		return ": a second message, " + e.Message + text
	}
	return text
}

// redriven tells what a redrive moved.
func (t *teller) redriven() string {
	var names []string
	for _, e := range t.events {
		if e.Kind == sim.EventRedriven {
			names = append(names, e.Message)
		}
	}
	if len(names) == 0 {
		return ", where nothing lies that nobody has"
	}
	return ": " + strings.Join(names, ", ")
}

// post is what a publish says of its message, for a sentence.
func (t *teller) post(c *sim.Call) string {
	text := ""
	if c.Post.Group != sim.None {
		text += " in the group " + t.h.plain(c.Post.Group)
	}
	if c.Post.ID != sim.None {
		text += " with the id " + t.h.plain(c.Post.ID)
	}
	if c.Seconds > 0 {
		text += ", due in " + span(c.Seconds)
	}
	switch {
	case c.Post.Later:
		text += " and goes on"
	case !c.Confirm:
		text += " without waiting for a confirm"
	}
	return text
}

// brokerMark draws what a broker does by itself.
func (a *artist) brokerMark(e *sim.Event) {
	if e.Queue < 0 || int(e.Queue) >= len(a.h.sc.Queues) {
		return
	}
	queue := a.lanes.queues[int(e.Queue)]
	switch e.Kind {
	case sim.EventReady:
		a.add(queue, MarkReturn, e.Message+" is due")
	case sim.EventAged:
		a.add(queue, MarkReject, "time of "+e.Message+" over")
		a.deadLetter(e)
	case sim.EventForgotten:
		a.add(queue, MarkForget, "forgets "+e.Text)
	case sim.EventDuplicate:
		a.add(queue, MarkKnownKey, "knows "+e.Message)
	case sim.EventRefused:
		a.add(queue, MarkStale, "full: refuses "+e.Message)
	case sim.EventUnroutable:
		a.add(queue, MarkStale, "not bound: "+e.Message+" is nowhere")
	case sim.EventCancelled:
		a.add(queue, MarkReject, e.Message+" taken back")
	case sim.EventRedriven:
		a.deadLetter(e)
	case sim.EventRestart:
		a.add(queue, MarkCrash, "RESTART")
	case sim.EventWiped:
		if e.Text != "" {
			a.add(queue, MarkReject, e.Message+" lost, unsaved")
			return
		}
		a.add(queue, MarkReject, e.Message+" lost")
	case sim.EventReappeared:
		a.add(queue, MarkReturn, e.Message+" reappears")
	case sim.EventDoubled:
		a.add(queue, MarkReturn, e.Message+" taken for ready")
	case sim.EventRepeated:
		a.add(queue, MarkReturn, e.Message+" comes again")
	}
}

// leaves takes up what ends a message, or begins it anew, without a settle.
func (h *history) leaves(e *sim.Event) {
	switch e.Kind {
	case sim.EventUnroutable, sim.EventDuplicate, sim.EventRefused:
		h.became, h.becameAt = e.Kind, h.now
	case sim.EventAged, sim.EventWiped, sim.EventCancelled, sim.EventRedriven:
		m := h.message(e)
		m.ended, m.how, m.to, m.unsaved = h.now, e.Kind, e.To, e.Text != ""
		delete(h.live, m.key)
	case sim.EventRepeated:
		if e.Proc >= 0 {
			h.back(e)
			return
		}
		fallthrough // it was acked
	case sim.EventReappeared:
		m := h.message(e)
		for _, old := range h.messages {
			if old != m && old.queue == m.queue && old.intent == m.intent && old.settled > 0 && old.verb == sim.VerbAck {
				m.by, m.copyOf, m.repeated = old.by, old, e.Kind == sim.EventRepeated
			}
		}
	case sim.EventDoubled:
		h.back(e)
	}
}

// gone says why a message is no longer there although nobody settled it, or "".
func (x *explainer) gone(m *message) string {
	queue := x.h.sc.Queues[m.queue].Name
	switch m.how {
	case sim.EventAged:
		return "its time in " + queue + " was over " + at(m.ended)
	case sim.EventWiped:
		if m.unsaved {
			return queue + " lost it when its broker restarted " + at(m.ended) + ": it had not been written down, and nobody had waited for its confirm"
		}
		return queue + " lost it when its broker restarted " + at(m.ended)
	case sim.EventCancelled:
		return "its publisher took it back " + at(m.ended)
	}
	return ""
}

// notStored says why a publish that arrived left no message, or "".
func (x *explainer) notStored(c made) string {
	if c.became != sim.EventUnroutable && c.became != sim.EventDuplicate && c.became != sim.EventRefused {
		return "" // it may be a record of a log, which has no queue
	}
	queue := x.h.sc.Queues[c.call.Party].Name
	switch c.became {
	case sim.EventUnroutable:
		return "nothing was bound to " + queue + " when it was published " + at(c.step)
	case sim.EventDuplicate:
		return queue + " took it for a copy of what it knew when it was published " + at(c.step) + " and stored nothing"
	case sim.EventRefused:
		return queue + " was full and refused it " + at(c.step)
	}
	return ""
}
