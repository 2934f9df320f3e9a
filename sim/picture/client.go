package picture

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// What a consumer's client does by itself: its buffer and the leases it keeps.

func (a *artist) client(e *sim.Event, process int) {
	switch e.Kind {
	case sim.EventUnbuffered:
		a.add(process, MarkExpire, "drops "+e.Message)
	case sim.EventExtended:
		if e.Seconds == 0 {
			a.add(a.lanes.queues[int(e.Queue)], MarkStored, e.Message+" is fresh")
			return
		}
		a.add(a.lanes.queues[int(e.Queue)], MarkStored, "lease of "+e.Message+": "+span(e.Seconds))
	case sim.EventKept:
		a.add(process, MarkWork, "keeps "+e.Message)
	case sim.EventBeatLost:
		a.row.Arrows = append(a.row.Arrows, Arrow{From: process, To: a.lanes.queues[int(e.Queue)], Label: "extend " + e.Message, Lost: RequestLost})
	case sim.EventExit:
		if e.Queue < 0 {
			a.add(process, MarkCrash, "EXITS")
		} else {
			a.add(process, MarkDisconnect, "closes")
		}
	}
}

// names lists the messages of the step's events of a kind.
func (t *teller) names(kind sim.EventKind) string {
	var list []string
	for _, e := range t.events {
		if e.Kind == kind {
			list = append(list, e.Message)
		}
	}
	return strings.Join(list, ", ")
}

func (t *teller) buffered(e *sim.Event) string {
	return t.h.sc.Queues[e.Queue].Name + " delivers " + e.Message + " to " + t.who(e.Proc) + ", where it waits in the buffer" + t.autoAcked()
}

// autoAcked adds that a delivery was settled as it left.
func (t *teller) autoAcked() string {
	if e := t.first(sim.EventSettled); e != nil && e.Runtime {
		return "; " + t.h.sc.Queues[e.Queue].Name + " forgets it at once"
	}
	return ""
}

func (t *teller) left(e *sim.Event) string {
	text := "the runtime of " + t.who(e.Proc) + " ends the process, which starts again"
	if t.first(sim.EventDown) != nil {
		text = "the runtime of " + t.who(e.Proc) + " ends the process" + t.later()
	}
	if e.Queue >= 0 {
		text = "the runtime of " + t.who(e.Proc) + " closes the connection to " + t.h.sc.Queues[e.Queue].Name
	}
	if back := t.names(sim.EventReturned); back != "" {
		text += "; back in the queue: " + back
	}
	return text
}

// waited adds what became of a buffer.
func (t *teller) waited() string {
	text := ""
	if dropped := t.names(sim.EventUnbuffered); dropped != "" {
		text += "; gone from the buffer of " + t.who(t.outcome.Proc) + ": " + dropped
	}
	if again := t.names(sim.EventRepeated); again != "" {
		text += "; the later messages of its key come again with it: " + again
	}
	if taken := t.names(sim.EventTaken); taken != "" {
		text += "; " + t.who(t.outcome.Proc) + " begins with what has waited in its buffer: " + taken
	}
	return text
}

// delivery names the delivery that a call speaks of.
func (t *teller) delivery(c *sim.Call) string {
	if j := t.h.stepJob[t.step]; j != nil && int(c.Place) < len(j.batch) {
		return j.batch[c.Place].name
	}
	return "its delivery"
}

// keptAcked tells whether a message that was acked still stands in its queue.
func (t *teller) keptAcked(e *sim.Event) bool {
	for _, m := range t.h.view(t.step).Queues[e.Queue].Messages {
		if m.Name == e.Message {
			return m.State == "acked"
		}
	}
	return false
}

func (t *teller) extended(e *sim.Event) string {
	if s := t.first(sim.EventStale); s != nil {
		return t.settled(e)
	}
	if s := t.first(sim.EventExtended); s != nil {
		if s.Seconds == 0 {
			return ": how long it has been idle begins anew"
		}
		return fmt.Sprintf(": it lasts %s from now on", span(s.Seconds))
	}
	if e.Answer.Code == sim.Refused {
		return ", and is refused: that is longer than a lease can last in all"
	}
	return ""
}
