package picture

import (
	"github.com/ackademy/ackademy/sim"
)

// Processes that are told to stop, killed, down and back.

// lifeMark draws what becomes of a process.
func (a *artist) lifeMark(e *sim.Event, process int) {
	switch e.Kind {
	case sim.EventStop:
		a.add(process, MarkNote, "told to stop")
	case sim.EventOnStop:
		a.add(process, MarkNote, "on_stop")
	case sim.EventShut:
		a.add(process, MarkNote, "has stopped")
	case sim.EventDown:
		a.add(process, MarkNote, "down "+lasting(e.Seconds))
	case sim.EventBack:
		a.add(process, MarkNote, "is back")
	case sim.EventReopened:
		a.add(a.lanes.databases[int(e.Database)], MarkCrash, "RESTART")
	}
}

// lasting says how long a process stays down; 0 is for ever.
func lasting(d sim.Seconds) string {
	if d == 0 {
		return "for good"
	}
	return "for " + span(d)
}

// lifeBand draws how long a process is down.
func (a *artist) lifeBand(e *sim.Event, lane, step int) {
	switch e.Kind {
	case sim.EventDown:
		a.start(lane, BandDown, step, "")
	case sim.EventBack:
		a.stop(lane, BandDown, step, "", "back")
	}
}

// watched says why a process was killed.
func (t *teller) watched(e *sim.Event) string {
	decl := &t.h.sc.Processes[e.Proc]
	text := t.who(e.Proc) + " is killed before " + e.Text
	if e.Verb == sim.VerbStopping {
		return text + ": it was told to stop " + span(decl.Grace) + " ago and is not waited for any longer"
	}
	return text + ": its handler has run for " + span(decl.KillAfter)
}

// later says when a process that has ended is there again, if not at once.
func (t *teller) later() string {
	if e := t.first(sim.EventDown); e != nil {
		return "; it is down " + lasting(e.Seconds)
	}
	return ""
}

// stops is a process that is told to stop.
func (t *teller) stops(e *sim.Event) string {
	text := t.who(e.Proc) + " is told to stop"
	switch shut := t.first(sim.EventShut); {
	case shut != nil:
		return text + ", and has: it had nothing to do" + t.back() + t.later()
	case t.first(sim.EventOnStop) != nil:
		text += ", and begins with what it does at its end" + t.holding()
	default:
		text += ": it takes nothing new, and what runs goes on"
	}
	if e.Seconds > 0 {
		text += ", for " + span(e.Seconds) + " at most"
	}
	return text
}

// holding names what a process has in hand for what it does at its end.
func (t *teller) holding() string {
	if held := t.names(sim.EventHeld); held != "" {
		return ", given " + held
	}
	return ""
}

// back names what a process gave back at its end.
func (t *teller) back() string {
	text := ""
	if back := t.names(sim.EventReturned); back != "" {
		text = "; back in the queue: " + back
	}
	if e := t.first(sim.EventRemoved); e != nil {
		text += "; it leaves the group " + e.To
	}
	return text
}

// shut adds that a process has come to its end in order.
func (t *teller) shut() string {
	if t.outcome.Fault == sim.Stop {
		return "" // it was said
	}
	if e := t.first(sim.EventShut); e != nil {
		return "; so " + t.who(e.Proc) + ", which was told to stop, has stopped" + t.back() + t.later()
	}
	if e := t.first(sim.EventOnStop); e != nil {
		return "; " + t.who(e.Proc) + ", which was told to stop, begins with what it does at its end" + t.holding()
	}
	return ""
}

// again is a process that was down.
func (t *teller) again(e *sim.Event) string {
	text := t.who(e.Proc) + " is back"
	if taken := t.first(sim.EventStart); taken != nil {
		text += " and takes the request of " + t.h.intentName(taken.Intent())
	}
	return text
}

// databaseRestart tells whom the restart of a server cut off.
func (t *teller) databaseRestart(e *sim.Event) string {
	text := t.h.sc.Databases[e.Database].Name + " restarts: what is committed stays"
	for _, d := range t.events {
		if d.Kind == sim.EventDisconnect {
			text += "; " + t.who(d.Proc) + " loses its connection"
		}
	}
	for _, r := range t.events {
		if r.Kind == sim.EventRollback {
			text += "; the open transaction of " + t.who(r.Proc) + " is rolled back"
		}
	}
	return text
}

// died says that a run of a handler ended with its process.
func (j *job) died() string {
	if j.killed {
		return "was killed"
	}
	return "crashed"
}

// silentAt is the moment in a step at which a broker takes a process for dead.
func (h *history) silentAt(step int) *sim.Event {
	events := h.run.Events(step - 1)
	for i := range events {
		if events[i].Kind == sim.EventSilent {
			return &events[i]
		}
	}
	return nil
}

// shutAt tells whether a process stopped in order at a step.
func (h *history) shutAt(step int) bool {
	for _, e := range h.run.Events(step - 1) {
		if e.Kind == sim.EventShut {
			return true
		}
	}
	return false
}

// nobodyTakes says that all who could take something are gone for good, or will
// be: those of the processes that takes picks. It is empty where somebody is
// left.
func (x *explainer) nobodyTakes(takes func(*sim.Process) bool) string {
	view := x.h.view(x.end)
	var gone, going []string
	for p := range x.h.sc.Processes {
		decl := &x.h.sc.Processes[p]
		switch {
		case !takes(decl):
		case decl.Life.Never && view.Processes[p].Doing == "down":
			gone = append(gone, decl.Name)
		case decl.Life.Never && view.Processes[p].Stopping:
			going = append(going, decl.Name)
		default:
			return ""
		}
	}
	return clause([]string{
		saysOf(gone, "is down for good", "are down for good"),
		saysOf(going, "was told to stop and does not come back", "were told to stop and do not come back"),
	})
}

// saysOf says one thing of all the names, if there are any.
func saysOf(names []string, one, several string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " " + one
	}
	return clause(names) + " " + several
}
