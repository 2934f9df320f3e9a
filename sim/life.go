package sim

import (
	"encoding/binary"
	"slices"
)

// How processes end but by crashing, and how they start again: they are told
// to stop, whoever watches over them kills them, and they are down for a while.

// life is where a process stands between starting and ending.
type life struct {
	down     bool
	stopping bool    // it was told to stop: it takes nothing new
	ending   bool    // on_stop runs
	owes     bool    // idle: it holds what goes back when it ends
	kill     Seconds // a handler runs: time left until it is killed, where somebody watches over it
	grace    Seconds // stopping: time left until it is killed, where it is not waited for
	back     Seconds // down: time left until it is back
	done     bool    // stopping: it has come to its end, and others of its host have not
}

func (l *life) encode(b []byte) []byte {
	b = append(b, flag(l.down)|flag(l.stopping)<<1|flag(l.ending)<<2|flag(l.owes)<<3|flag(l.done)<<4)
	b = binary.AppendUvarint(b, uint64(l.kill))
	b = binary.AppendUvarint(b, uint64(l.grace))
	return binary.AppendUvarint(b, uint64(l.back))
}

// rest is what of it outlasts a handler.
func (l life) rest() life {
	l.kill, l.ending = 0, false
	return l
}

// free tells whether a process can be given something to do.
func (pr *process) free() bool { return pr.node == 0 && !pr.stalled && !pr.down && !pr.stopping }

// lives tells whether a process can end or start by anything but a crash.
func (w *World) lives(p int) bool {
	l := &w.sc.Processes[p].Life
	return l.KillAfter > 0 || l.Restart > 0 || l.Never || w.sc.Faults.Limit[Stop] > 0
}

// anyLives tells whether some process does.
func (w *World) anyLives() bool {
	for p := range w.sc.Processes {
		if w.lives(p) {
			return true
		}
	}
	return false
}

// handler is the handler that a process runs, or would.
func (x *step) handler(p int) HandlerID {
	if decl := &x.w.sc.Processes[p]; x.proc(p).ending {
		return decl.OnStop
	}
	return x.w.sc.Processes[p].Handler
}

// isStopping answers a handler that asks whether it should come to an end.
func (x *step) isStopping(p int) Answer {
	if x.proc(p).stopping {
		return Answer{Value: True}
	}
	return Answer{Value: False}
}

// goDown is a process that has just ended: it stays down for a while, or for
// ever, or it is back at once.
func (x *step) goDown(p int) {
	decl := &x.w.sc.Processes[p]
	next := life{down: decl.Restart > 0 || decl.Never, back: decl.Restart}
	if next.down {
		x.emit(Event{Kind: EventDown, Proc: int16(p), Seconds: decl.Restart})
	}
	if x.proc(p).life != next {
		x.change(p, func(pr *process) { pr.life = next })
	}
}

// stopFaults lists the processes that can be told to stop: an orderly
// shutdown, as of a deployment. An idle one is told only where that can change
// something.
func (w *World) stopFaults(p int) func(*step) {
	decl := &w.sc.Processes[p]
	matters := decl.HasOnStop || decl.Restart > 0 || decl.Never || w.readsLog(p) || w.sc.Remembers
	return func(x *step) {
		if x.budget().total == 0 {
			return
		}
		pr := x.proc(p)
		if !w.first(p) || pr.down || pr.stopping || pr.node == 0 && !matters && !pr.owes && !w.hosted(p) || !x.canStrike(Stop, p, nil) {
			return
		}
		x.strike(Stop, p, w.hostName(p)+" stop", func() {
			for _, m := range w.together(p) {
				grace := w.sc.Processes[m].Grace
				x.emit(Event{Kind: EventStop, Proc: int16(m), Seconds: grace})
				x.change(m, func(pr *process) { pr.stopping, pr.grace = true, grace })
			}
			for _, m := range w.together(p) {
				if x.proc(m).node == 0 {
					x.stops(m, false)
				}
			}
		})
	}
}

// actsAtStop tells whether some process does something at its end if it is told
// to stop.
func (x *step) actsAtStop() bool {
	for p := range x.w.sc.Processes {
		if pr := x.proc(p); x.w.sc.Processes[p].HasOnStop && !pr.down && !pr.stopping {
			return true
		}
	}
	return false
}

// mayOwe tells whether a handler that ends may have left something that its
// process holds on to.
func (x *step) mayOwe(p int) bool {
	pr := x.proc(p)
	return pr.owes || pr.unsettled() >= 0 || x.w.sc.SessionLocks
}

// settleUp notes what an idle process still holds after one of its connections
// has ended.
func (x *step) settleUp(p int) {
	if x.proc(p).owes && !x.holds(p) {
		x.change(p, func(pr *process) { pr.owes = false })
	}
}

// idleFaults lists what can befall a process that is idle and holds something: it
// dies, or loses a connection.
func (w *World) idleFaults(x *step, p int) {
	if !x.proc(p).owes {
		return
	}
	if x.canStrike(Crash, p, nil) {
		x.strike(Crash, p, w.procName(p)+" crash before its next work", func() { x.crash(p) })
	}
	w.connectionFaults(x, p)
}

// holds tells whether something goes back when the connections of an idle
// process end: deliveries that it never settled, locks of its sessions.
func (x *step) holds(p int) bool {
	decl := &x.w.sc.Processes[p]
	if decl.Kind == Consumer && x.w.sc.Queues[decl.Queue].DisconnectRequeues && heldBy(x.queue(decl.Queue), p) > 0 {
		return true
	}
	for d := range x.w.sc.Databases {
		if x.holdsNamed(p, d) {
			return true
		}
	}
	return false
}

// stops is a process that was told to stop and whose handler is done: what it
// does at its end runs, unless it has, and then it ends.
func (x *step) stops(p int, ended bool) {
	decl := &x.w.sc.Processes[p]
	if decl.HasOnStop && !ended {
		x.change(p, func(pr *process) { pr.ending = true })
		in := Input{}
		var list []delivered
		if decl.StopHeld {
			list = x.gather(p)
			in = x.w.batchInput(p, list)
		}
		x.emit(Event{Kind: EventOnStop, Proc: int16(p), Input: in})
		for _, d := range list {
			x.emit(Event{Kind: EventHeld, Proc: int16(p), Queue: int16(decl.Queue), Message: x.w.messageName(d.id), Label: d.label})
		}
		if x.w.readsLog(p) {
			x.readerBusy(p)
		}
		x.arrive(p, x.w.prog.Start(decl.OnStop, in))
		return
	}
	x.shut(p)
}

// gather puts what a process still holds in its hands, for what it does at its
// end: what its handlers never settled, then what waits in its buffer. It
// returns the list.
func (x *step) gather(p int) []delivered {
	decl, buffer := &x.w.sc.Processes[p], x.proc(p).buffer
	var list []delivered
	for _, m := range x.queue(decl.Queue).messages {
		waits := slices.ContainsFunc(buffer, func(d delivered) bool { return d.id == m.id && !d.old })
		if int(m.holder) == p+1 && !waits {
			list = append(list, delivered{id: m.id, label: m.label, in: x.w.input(decl.Queue, m)})
		}
	}
	list = append(list, buffer...)
	x.change(p, func(pr *process) { pr.held, pr.buffer = x.w.inHand(p, list), nil })
	for i, d := range list {
		if i == 0 {
			x.startsFor(p, d.label, func(pr *process) { pr.ending = true })
			continue
		}
		x.handOn(p, d.label)
	}
	x.keepLeases(p)
	return list
}

// shut is an end in order. A member of a group commits what it commits by
// itself and leaves at once (KafkaConsumer.close); what a consumer still holds
// goes back as when its connection ends, only that nobody has to notice first.
func (x *step) shut(p int) {
	decl := &x.w.sc.Processes[p]
	x.emit(Event{Kind: EventShut, Proc: int16(p)})
	for d := range x.w.sc.Databases {
		x.dropNamed(p, d)
	}
	switch {
	case x.w.readsLog(p):
		x.readerLeaves(p)
	case decl.Kind == Consumer:
		if x.w.sc.Queues[decl.Queue].DisconnectRequeues {
			x.giveBack(p, decl.Queue)
		}
		x.loseBuffer(p)
	case decl.Kind == Job && x.w.sc.Remembers:
		x.changeFront(decl.Front, func(f *front) { f.asleep, f.watch = false, 0 }) // it has forgotten what it had done
	}
	if x.w.sc.Remembers {
		x.change(p, func(pr *process) { pr.memory = nil })
	}
	if x.waitsForRest(p) {
		return
	}
	for _, m := range x.w.together(p) {
		x.goDown(m)
		x.takeNext(m)
	}
}

// readerLeaves is a member that leaves its group of its own accord.
func (x *step) readerLeaves(p int) {
	if x.autoCommitDue(p) {
		x.autoCommit(p)
		x.emit(Event{Kind: EventCall, Proc: int16(p), Call: x.w.autoCommitCall(p), Runtime: true, Apart: true})
	}
	if x.member(p).is == inGroup {
		x.removed(p)
	}
}

// lifeTimers hands a process's timers of this kind to f, those that are due
// too: time left, the step's name and what it does.
func (w *World) lifeTimers(x *step, p int, f func(left Seconds, name string, effect func())) {
	pr, decl := x.proc(p), &w.sc.Processes[p]
	if pr.down {
		if !decl.Never && w.first(p) {
			f(pr.back, w.hostName(p)+" restart", func() {
				for _, m := range w.together(p) {
					x.comesBack(m)
				}
			})
		}
		return
	}
	kill, any, why := Seconds(0), false, VerbNone
	if pr.node != 0 && !pr.ending && decl.KillAfter > 0 {
		kill, any = pr.kill, true
	}
	if pr.stopping && !pr.done && decl.Grace > 0 && (!any || pr.grace < kill) {
		kill, any, why = pr.grace, true, VerbStopping
	}
	if any {
		f(kill, w.procName(p)+" kill", func() {
			c := w.prog.Call(x.proc(p).node)
			x.emit(Event{Kind: EventCrash, Proc: int16(p), Call: c, Done: true, Verb: why, Text: w.before(x, p, c)})
			x.fall(p)
		})
	}
}

// lifeSteps lists the kill or the restart of a process that is due.
func (w *World) lifeSteps(p int) func(*step) {
	return func(x *step) {
		w.lifeTimers(x, p, func(left Seconds, name string, effect func()) {
			if left == 0 {
				x.open()
				effect()
				x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
			}
		})
	}
}

// fireLife lists the kill or the restart of a process that comes in d.
func (w *World) fireLife(x *step, p int, d Seconds) {
	w.lifeTimers(x, p, func(left Seconds, name string, effect func()) {
		if left == d {
			x.open()
			x.advance(d)
			effect()
			x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
		}
	})
}

// advanceLife moves a process's timers of this kind. They belong to whoever
// watches over it, so they run while it is stalled.
func (x *step) advanceLife(p int, d Seconds) {
	pr := x.proc(p)
	next := pr.life
	next.kill, next.grace, next.back = max(0, next.kill-d), max(0, next.grace-d), max(0, next.back-d)
	if next != pr.life {
		x.change(p, func(pr *process) { pr.life = next })
	}
}

// comesBack is a process that was down and starts again.
func (x *step) comesBack(p int) {
	x.change(p, func(pr *process) { pr.life = life{} })
	x.emit(Event{Kind: EventBack, Proc: int16(p)})
	if x.w.readsLog(p) {
		x.readerIdle(p)
	}
	x.takeNext(p)
}
