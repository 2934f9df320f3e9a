package picture

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// artist draws one step after the other: the arrows and marks of its row, and
// the bands and tracks that go on.
type artist struct {
	h     *history
	d     *Diagram
	lanes laneIndex
	row   *Row
	clock sim.Seconds
	open  []*Band
	wind  map[*job]*Band // the window between a handler's effect and its ack
	now   []Place        // by process
}

func (a *artist) begin() {
	a.wind = map[*job]*Band{}
	a.now = make([]Place, len(a.h.sc.Processes))
	for p, decl := range a.h.sc.Processes {
		a.d.Tracks = append(a.d.Tracks, Track{Process: decl.Name, Lane: a.lanes.processes[p]})
	}
	for _, e := range a.h.run.World.Beginning() {
		a.track(&e)
		a.band(&e, 0, nil)
	}
	a.place()
}

// place notes where every process stands.
func (a *artist) place() {
	for p := range a.d.Tracks {
		a.d.Tracks[p].Places = append(a.d.Tracks[p].Places, a.now[p])
	}
}

func (a *artist) step(i int) {
	o, events := a.h.run.Outcome(i), a.h.run.Events(i)
	a.row = &Row{Step: i + 1, Name: o.Name, Kind: o.Kind, Fault: o.Fault}
	call := madeCall(events)
	for n := range events {
		e := &events[n]
		if e.Kind == sim.EventClock {
			a.clock += e.Seconds
			a.row.Moved += e.Seconds
		}
		a.mark(e)
		a.band(e, i+1, call)
		a.track(e)
	}
	a.row.At = a.clock
	a.row.Sentence = a.h.sentence(i)
	a.d.Rows = append(a.d.Rows, *a.row)
	a.place()
}

// madeCall is the call that a step makes, or nil.
func madeCall(events []sim.Event) *sim.Event {
	for i := range events {
		if events[i].Kind == sim.EventCall && !events[i].Call.NoStep() {
			return &events[i]
		}
	}
	return nil
}

// arrow draws a call as it went. Work and what the runtime alone is asked
// cross no boundary; nothing crosses a connection that is lost.
func (a *artist) arrow(e *sim.Event) {
	to, from := a.lanes.party(e.Call), a.lanes.processes[int(e.Proc)]
	if partition := a.partition(e); partition >= 0 {
		to = partition
	}
	switch {
	case to < 0 || e.Call.NoStep():
		return
	case e.Call.Verb == sim.VerbWait && e.Answer.Code == sim.Timeout:
		a.add(from, MarkTimeout, "no confirm of "+a.h.plain(e.Call.Op))
		return
	case e.Call.Verb == sim.VerbWait: // what it waited for comes
		a.row.Arrows = append(a.row.Arrows, Arrow{From: to, To: from, Label: "confirm " + a.h.plain(e.Call.Op), Answer: a.h.answer(e.Call, e.Answer)})
		return
	case e.Answer.Code == sim.Gone:
		a.add(from, MarkGone, a.label(e.Proc)+": gone")
		return
	}
	call := Arrow{From: from, To: to, Label: a.label(e.Proc), Lost: lossOf(e), Answer: a.h.answer(e.Call, e.Answer)}
	if call.Answer == call.Label {
		call.Answer = "" // a wait that ended: the step is named by its answer
	}
	a.row.Arrows = append([]Arrow{call}, a.row.Arrows...) // what follows from a call stands behind it
}

// label is what a step does, without who does it and which fault strikes.
func (a *artist) label(p int16) string {
	label := strings.TrimPrefix(a.row.Name, a.h.sc.Processes[p].Name+" ")
	if a.row.Fault == sim.NoFault {
		return label
	}
	for _, suffix := range []string{" lost-request", " lost-reply", " refused", " late"} {
		label = strings.TrimSuffix(label, suffix)
	}
	return label
}

func (a *artist) add(lane int, kind MarkKind, text string) {
	if lane >= 0 {
		a.row.Marks = append(a.row.Marks, Mark{lane, kind, text})
	}
}

// mark draws the arrows and marks of an event.
func (a *artist) mark(e *sim.Event) {
	x, sc := a.lanes, a.h.sc
	process := -1
	if e.Proc >= 0 {
		process = x.processes[int(e.Proc)]
	}
	a.brokerMark(e)
	a.lifeMark(e, process)
	switch e.Kind {
	case sim.EventStart:
		a.add(process, MarkStart, sc.Values.Plain(e.Input.Op))
	case sim.EventRun:
		word := "tick"
		if sc.Processes[e.Proc].Kind == sim.Operator {
			word = "starts"
		}
		a.add(process, MarkStart, word)
	case sim.EventAgain:
		a.add(x.caller, MarkStart, "asks again")
	case sim.EventImpatient:
		a.add(x.caller, MarkTimeout, "waits no longer")
	case sim.EventSkipped:
		a.add(process, MarkTimeout, "skips a tick")
	case sim.EventDeliver:
		a.delivery(Arrow{From: x.queues[int(e.Queue)], To: process, Label: "deliver " + e.Message}, e.Message)
	case sim.EventBuffered:
		a.row.Arrows = append(a.row.Arrows, Arrow{From: x.queues[int(e.Queue)], To: process, Label: "buffer " + e.Message})
	case sim.EventTaken:
		a.add(process, MarkStart, e.Message)
	case sim.EventUnbuffered, sim.EventExtended, sim.EventKept, sim.EventBeatLost, sim.EventExit:
		a.client(e, process)
	case sim.EventParked:
		a.add(x.queues[int(e.Queue)], MarkReject, "gives up "+e.Message)
		a.deadLetter(e)
	case sim.EventMissed:
		a.delivery(Arrow{From: x.queues[int(e.Queue)], To: process, Label: "deliver " + e.Message, Lost: RequestLost}, e.Message)
	case sim.EventCall:
		if e.Call.Verb == sim.VerbWork || e.Call.Verb == sim.VerbSleep {
			a.add(process, MarkWork, e.Call.Verb.String()+" "+span(e.Call.Seconds))
		}
		switch e.Call.Verb {
		case sim.VerbOneOf:
			a.add(process, MarkWork, "one of: "+sc.Values.Text(e.Answer.Value))
		case sim.VerbRemember:
			a.add(process, MarkNote, "remembers "+sc.Values.Plain(e.Call.Key)+" = "+sc.Values.Text(e.Call.Body))
		}
		a.arrow(e)
	case sim.EventDue:
		if e.Answer.Code == sim.Timeout {
			a.add(process, MarkTimeout, "timeout")
		} else {
			a.add(process, MarkDone, e.Call.Verb.String()+" done")
		}
	case sim.EventEnd:
		if e.Call.Verb == sim.VerbFail {
			a.add(process, MarkFail, "fails: "+failure(e.Call))
		} else {
			a.add(process, MarkEnd, "ends")
		}
	case sim.EventStored:
		a.add(x.queues[int(e.Queue)], MarkStored, e.Message)
	case sim.EventSettled:
		a.settled(e)
	case sim.EventStale:
		a.add(x.queues[int(e.Queue)], MarkStale, e.Verb.String()+" "+e.Message+": no effect")
	case sim.EventReturned:
		a.row.Arrows = append(a.row.Arrows, Arrow{From: process, To: x.queues[int(e.Queue)], Label: e.Message + " returns"})
		a.add(x.queues[int(e.Queue)], MarkReturn, e.Message+" ready again")
	case sim.EventPassed, sim.EventFenced, sim.EventLogTx, sim.EventRemoved, sim.EventRebalanced, sim.EventDropped:
		a.logMark(e)
	case sim.EventExpire:
		text := "lease of " + e.Message + " ends"
		if sc.Queues[e.Queue].LongestIdle > 0 {
			text = e.Message + " is claimed" // what it was held by is no lease
		}
		if e.Fault == sim.EarlyExpiry {
			text += " early"
		}
		a.add(x.queues[int(e.Queue)], MarkExpire, text)
	case sim.EventTold:
		text := a.h.intentName(e.Intent())
		switch e.Call.Verb {
		case sim.VerbAccept:
			a.add(x.caller, MarkAccepted, text)
		case sim.VerbRefuse:
			a.add(x.caller, MarkRefused, text)
		case sim.VerbWithdraw:
			a.add(process, MarkNote, text+" withdrawn")
		case sim.VerbHandOver:
			a.add(process, MarkNote, text+" handed over to a person")
		}
	case sim.EventRestored:
		a.add(x.databases[int(e.Database)], MarkRollback, "copy "+sc.Values.Plain(e.Call.Key)+" put back")
	case sim.EventBegin:
		a.add(x.databases[int(e.Database)], MarkBegin, "")
	case sim.EventStatement:
		if e.Done {
			a.add(x.databases[int(e.Database)], MarkWrite, sc.Databases[e.Database].Tables[e.Table].Name)
		}
	case sim.EventCommit:
		a.add(x.databases[int(e.Database)], MarkCommit, "committed")
	case sim.EventRollback:
		a.add(x.databases[int(e.Database)], MarkRollback, "rolled back")
	case sim.EventMail:
		a.add(x.providers[int(e.Provider)], MarkMail, "email to "+sc.Values.Plain(e.Call.Op))
	case sim.EventKnownKey:
		a.add(x.providers[int(e.Provider)], MarkKnownKey, "knows key "+sc.Values.Plain(e.Call.Key))
	case sim.EventForget:
		a.add(x.providers[int(e.Provider)], MarkForget, "forgets key "+sc.Values.Plain(e.Key))
	case sim.EventLate:
		a.row.Arrows = append([]Arrow{{From: process, To: x.party(e.Call), Label: sc.Label(e.Call) + ", late"}}, a.row.Arrows...)
	case sim.EventOutage:
		a.add(x.outage(e), MarkStall, "outage")
	case sim.EventOutageEnd:
		a.add(x.outage(e), MarkWake, "outage ends")
	case sim.EventListed:
		a.add(x.providers[int(e.Provider)], MarkDone, "lists "+sc.Values.Plain(e.Key))
	case sim.EventFinished:
		a.add(x.providers[int(e.Provider)], MarkDone, "done with key "+sc.Values.Plain(e.Key))
	case sim.EventEffect:
		a.effect(e)
	case sim.EventCrash:
		if e.Done {
			a.add(process, MarkCrash, "KILLED")
		} else {
			a.add(process, MarkCrash, "CRASH")
		}
	case sim.EventStall:
		a.add(process, MarkStall, "STALL")
	case sim.EventWake:
		a.add(process, MarkWake, "wakes")
	case sim.EventDisconnect:
		name := ""
		if e.Queue >= 0 {
			name = sc.Queues[e.Queue].Name
		} else if e.Database >= 0 {
			name = sc.Databases[e.Database].Name
		}
		a.add(process, MarkDisconnect, "connection to "+name+" lost")
	}
}

func (a *artist) settled(e *sim.Event) {
	kind := MarkAck
	switch e.Verb {
	case sim.VerbNack:
		kind = MarkNack
	case sim.VerbReject:
		kind = MarkReject
	}
	queue := a.lanes.queues[int(e.Queue)]
	a.add(queue, kind, e.Message)
	a.deadLetter(e)
}

// delivery draws a delivery; those of one batch are one arrow.
func (a *artist) delivery(arrow Arrow, name string) {
	for i := range a.row.Arrows {
		if o := &a.row.Arrows[i]; o.From == arrow.From && o.To == arrow.To && o.Lost == arrow.Lost && strings.HasPrefix(o.Label, "deliver ") {
			o.Label += "," + name
			return
		}
	}
	a.row.Arrows = append(a.row.Arrows, arrow)
}

// deadLetter draws the way into a dead-letter queue, if there is one, or the one
// back.
func (a *artist) deadLetter(e *sim.Event) {
	word := "dead letter "
	if e.Kind == sim.EventRedriven {
		word = "move "
	}
	for i, q := range a.h.sc.Queues {
		if e.To != "" && q.Name == e.To {
			a.row.Arrows = append(a.row.Arrows, Arrow{From: a.lanes.queues[int(e.Queue)], To: a.lanes.queues[i], Label: word + e.Message})
		}
	}
}

func (a *artist) effect(e *sim.Event) {
	lane := a.lanes.channel(a.h, e.Channel)
	a.add(lane, MarkEffect, "effect of "+a.h.intentName(e.Intent()))
}

// channel returns the lane of the place where an effect became real.
func (x laneIndex) channel(h *history, channel int) int {
	name, _, _ := strings.Cut(h.run.World.ChannelName(channel), ".")
	for i, db := range h.sc.Databases {
		if db.Name == name {
			return x.databases[i]
		}
	}
	for i, p := range h.sc.Providers {
		if p.Name == name {
			return x.providers[i]
		}
	}
	return -1
}
