package picture

import "github.com/ackademy/ackademy/sim"

// Bands and tracks: what goes on from step to step.

// What lies in the two windows.
const (
	windowAcked = "acked, effect not yet done"
	windowDone  = "effect done, not yet acked"
)

// start begins a band.
func (a *artist) start(lane int, kind BandKind, step int, label string) *Band {
	b := &Band{Lane: lane, Kind: kind, First: step, Label: label}
	a.open = append(a.open, b)
	return b
}

// stop ends the bands of a kind on a lane; with a label, only the one that
// bears it.
func (a *artist) stop(lane int, kind BandKind, step int, label, how string) {
	for _, b := range a.open {
		if b.Lane == lane && b.Kind == kind && b.End == "" && (label == "" || b.Label == label) {
			b.Last, b.End = step, how
		}
	}
}

// band begins and ends bands for an event of a step. call is the call that the
// step makes, or nil.
func (a *artist) band(e *sim.Event, step int, call *sim.Event) {
	if e.Proc < 0 {
		return
	}
	lane, values := a.lanes.processes[int(e.Proc)], a.h.sc.Values
	switch e.Kind {
	case sim.EventStart:
		a.start(lane, BandHandler, step, values.Plain(e.Input.Op))
	case sim.EventRun:
		a.start(lane, BandHandler, step, "")
	case sim.EventDeliver:
		a.begins(lane, step, e.Message)
		a.start(lane, BandUnacked, step, e.Message)
	case sim.EventTaken:
		a.begins(lane, step, e.Message)
	case sim.EventMissed, sim.EventBuffered:
		a.start(lane, BandUnacked, step, e.Message)
	case sim.EventEnd:
		how := "returned"
		if e.Call.Verb == sim.VerbFail {
			how = "failed"
		}
		a.stop(lane, BandHandler, step, "", how)
		a.stop(lane, BandWindow, step, "", how)
	case sim.EventSettled:
		a.stop(lane, BandUnacked, step, e.Message, pastOf(e.Verb))
		if e.Verb == sim.VerbAck && !a.leftForBuffer(e, step) {
			a.window(e, step, windowAcked, "acked")
		}
	case sim.EventPassed, sim.EventRemoved:
		a.logBand(e, step)
	case sim.EventReturned:
		a.stop(lane, BandUnacked, step, e.Message, "returned")
	case sim.EventExpire, sim.EventAged:
		a.stop(lane, BandUnacked, step, e.Message, "expired")
	case sim.EventWiped, sim.EventDoubled, sim.EventRepeated:
		a.stop(lane, BandUnacked, step, e.Message, "returned")
	case sim.EventBegin:
		a.start(lane, BandTransaction, step, a.h.sc.Databases[e.Database].Name)
	case sim.EventCommit:
		if call == nil || call.Call.Verb == sim.VerbCommit {
			a.stop(lane, BandTransaction, step, a.h.sc.Databases[e.Database].Name, "committed")
		}
	case sim.EventRollback:
		a.stop(lane, BandTransaction, step, a.h.sc.Databases[e.Database].Name, "rolled back")
	case sim.EventEffect:
		a.window(e, step, windowDone, "effect")
	case sim.EventDown, sim.EventBack:
		a.lifeBand(e, lane, step)
	case sim.EventStall:
		a.start(lane, BandStalled, step, "")
	case sim.EventWake:
		a.stop(lane, BandStalled, step, "", "woke")
	case sim.EventCrash:
		a.stop(lane, BandHandler, step, "", "crash")
		a.stop(lane, BandStalled, step, "", "crash")
		a.stop(lane, BandWindow, step, "", "crash")
	}
}

// begins is a handler that begins with a message. One that is given several has
// one band.
func (a *artist) begins(lane, step int, name string) {
	for _, b := range a.open {
		if b.Lane == lane && b.Kind == BandHandler && b.End == "" {
			b.Label += "," + name
			return
		}
	}
	a.start(lane, BandHandler, step, name)
}

// leftForBuffer tells whether a message was settled by leaving for a buffer, so
// that no handler had it.
func (a *artist) leftForBuffer(e *sim.Event, step int) bool {
	j := a.h.stepJob[step]
	return e.Runtime && (j == nil || j.source == nil || j.source.name != e.Message)
}

// window begins the band between a consumer's effect and its ack, or ends it:
// a crash inside is what the picture is about.
func (a *artist) window(e *sim.Event, step int, label, how string) {
	j := a.h.stepJob[step]
	if j == nil || j.source == nil {
		return
	}
	b := a.wind[j]
	switch {
	case b == nil:
		a.wind[j] = a.start(a.lanes.processes[int(e.Proc)], BandWindow, step, label)
	case b.End == "" && b.Label != label:
		b.Last, b.End = step, how
	}
}

// finish hands over the bands in the order in which they began. A window that
// turned out to be none is left out: nothing lay between ack and effect, or
// no effect was wanted any more after the ack.
func (a *artist) finish() {
	for _, b := range a.open {
		empty := b.First == b.Last
		idle := b.Label == windowAcked && b.End != "effect" && !a.wanted(b)
		if b.Kind != BandWindow || !empty && !idle {
			a.d.Bands = append(a.d.Bands, *b)
		}
	}
}

// wanted tells whether the intent of a window lacked an effect when it began.
func (a *artist) wanted(b *Band) bool {
	intent := a.h.stepJob[b.First].intent
	if intent < 0 {
		return false
	}
	for _, e := range a.h.view(b.First).Intents[intent].Effects {
		if e.Count == 0 {
			return true
		}
	}
	return false
}

func pastOf(v sim.Verb) string {
	switch v {
	case sim.VerbNack:
		return "given back"
	case sim.VerbReject:
		return "rejected"
	}
	return "acked"
}

// track follows what a handler was told. A call that takes time, and a lost
// call whose timeout is waited for, are answered only when they are due.
func (a *artist) track(e *sim.Event) {
	if e.Proc < 0 {
		return
	}
	p := int(e.Proc)
	switch e.Kind {
	case sim.EventStart, sim.EventDeliver, sim.EventTaken, sim.EventRun:
		a.now[p] = Place{Running: true, Handler: a.h.sc.Processes[p].Handler, Input: e.Input}
	case sim.EventOnStop:
		a.now[p] = Place{Running: true, Handler: a.h.sc.Processes[p].OnStop, Input: e.Input}
	case sim.EventCall:
		switch {
		case e.Apart:
		case e.Runtime && !e.Call.NoStep(): // the settle by rule, after the last of which it is idle
			if !a.settling(p) {
				a.now[p] = Place{}
			}
		case !a.awaits(e):
			a.tell(p, e.Answer)
		}
	case sim.EventDue:
		a.tell(p, e.Answer)
	case sim.EventCrash:
		a.now[p] = Place{}
	case sim.EventExit:
		if e.Queue < 0 { // the process has ended
			a.now[p] = Place{}
		}
	case sim.EventDisconnect: // by rule, in the place of a settle
		if a.after().Processes[p].Doing == "idle" {
			a.now[p] = Place{}
		}
	case sim.EventEnd:
		if !a.settling(p) {
			a.now[p] = Place{}
		}
	}
}

// tell adds an answer. The list is copied: places share what came before.
func (a *artist) tell(p int, answer sim.Answer) {
	old := a.now[p].Answers
	a.now[p].Answers = append(old[:len(old):len(old)], answer)
}

// awaits tells whether a call is not answered in its own step.
func (a *artist) awaits(e *sim.Event) bool {
	switch e.Call.Verb {
	case sim.VerbWork, sim.VerbSleep:
		return true
	}
	return a.after().Processes[e.Proc].Doing == "awaiting"
}

// settling tells whether the runtime still has to settle for a handler that
// ended: until then it stands at its end.
func (a *artist) settling(p int) bool {
	return a.after().Processes[p].Doing == "settling"
}

// after is the state behind the step being drawn, or at the start: a handler
// that begins by itself may have made calls that are no steps before the first.
func (a *artist) after() *sim.View {
	if a.row == nil {
		return a.h.view(0)
	}
	return a.h.view(a.row.Step)
}
