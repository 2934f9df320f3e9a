package picture

import (
	"fmt"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
)

// What holds up the work of a stuck intent: not its own message, but one that
// goes before it and never gets out of the way.

// maxAhead bounds how far a run is followed to see what stays in the way.
const maxAhead = 300

// behind tells which message holds up one that waits, or "". Whether it goes out
// of the way shows only if the run goes on without a fault.
func (x *explainer) behind(queue int, name string) string {
	on := x.ahead()
	if on == nil {
		return ""
	}
	view := on.World.Look(on.State())
	q := &view.Queues[queue]
	for i, m := range q.Messages {
		if m.Name != name || m.Intent != x.intent {
			continue
		}
		hold := on.World.Behind(on.State(), queue, i)
		if hold.Message == "" || m.Holder != "" && hold.Group == "" {
			return ""
		}
		fate := newHistory(on).fate(q, queue, hold.Message)
		switch {
		case fate == "":
			return ""
		case hold.Group != "":
			return fmt.Sprintf("%s waits in %s behind %s, %s; the group %s reads it in order, and its offset doesn't get past %s", name, q.Name, hold.Message, fate, hold.Group, hold.Message)
		case hold.Key != "":
			return fmt.Sprintf("%s waits in %s behind %s, %s; of the messages with the key %s none is delivered before that one is settled", name, q.Name, hold.Message, fate, hold.Key)
		}
		return fmt.Sprintf("%s waits in %s behind %s, %s and which is delivered before it every time", name, q.Name, hold.Message, fate)
	}
	return ""
}

// ahead follows the run without a fault, as far as it is worth; nil where that
// comes upon a mistake.
func (x *explainer) ahead() *schedule.Run {
	on, err := schedule.Replay(x.h.run.World, x.h.run.Steps()[:x.end])
	if err != nil {
		return nil
	}
	if _, err := on.Finish(maxAhead); err != nil {
		return nil
	}
	return on
}

// nextTry tells how the next handler ends that is given a message which none
// has had so far.
func (x *explainer) nextTry(queue int, name string) string {
	on := x.ahead()
	if on == nil {
		return ""
	}
	h := newHistory(on)
	for _, m := range h.messages {
		if int(m.queue) != queue || m.name != name {
			continue
		}
		for _, j := range m.jobs {
			switch {
			case j.ended <= x.end:
			case j.how == failed:
				return fmt.Sprintf(" (%s's handler fails: %s)", h.name(j), failure(j.last))
			case j.how == returned && m.settled == 0:
				return fmt.Sprintf(" (%s's handler returns without settling it)", h.name(j))
			}
			if j.ended > x.end {
				return ""
			}
		}
	}
	return ""
}

// notCounted says of a queue with a limit of deliveries that giving a message
// back does not count towards it.
func (x *explainer) notCounted(queue int) string {
	if q := &x.h.sc.Queues[queue]; q.MaxDeliveries > 0 && q.Counter == sim.CountsLosses && !q.NackCounts {
		return fmt.Sprintf("; giving it back does not count towards the limit of %d deliveries", q.MaxDeliveries)
	}
	return ""
}

// fate tells what keeps a message from going out of the way, or "" where nobody
// was given it.
func (h *history) fate(q *sim.QueueView, queue int, name string) string {
	m := h.live[key{int16(queue), name}]
	if m == nil || len(m.jobs) == 0 {
		return ""
	}
	last := m.jobs[len(m.jobs)-1]
	for i := len(m.jobs) - 1; i >= 0 && last.how == running; i-- {
		last = m.jobs[i]
	}
	for _, v := range q.Messages {
		if v.Name == name && v.Holder != "" && q.Log == "" && last.how != failed {
			return "which " + v.Holder + " still has"
		}
	}
	switch last.how {
	case failed:
		return "whose handler fails (" + failure(last.last) + ")"
	case crashed:
		return "whose handler crashed"
	case returned:
		return "whose handler returns without settling it"
	}
	return "whose handler doesn't end"
}
