package sim

import "slices"

// Time moves only when nobody who is not stalled can step. Timers count from
// now; firing one, clock and all, is one step. Several that are due in the same
// moment are choices, in any order.

// startTimer begins work or sleep: a call of two steps.
func (x *step) startTimer(p int, c *Call) {
	t := working
	if c.Verb == VerbSleep {
		t = sleeping
	}
	x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c})
	x.change(p, func(pr *process) { pr.timing, pr.timer = t, c.Seconds })
}

// finishTimer is the moment a process waited for.
func (x *step) finishTimer(p int) {
	pr := x.proc(p)
	a := Answer{}
	c := x.w.prog.Call(pr.node)
	switch pr.timing {
	case awaiting:
		a.Code = Timeout
	case answering:
		a = pr.reply
		x.finishKey(c)
	}
	x.emit(Event{Kind: EventDue, Proc: int16(p), Call: c, Answer: a})
	x.change(p, func(pr *process) { pr.timing, pr.timer, pr.reply = notTiming, 0, Answer{} })
	x.answer(p, a)
}

func (w *World) timerName(x *step, p int) string {
	pr := x.proc(p)
	c := w.prog.Call(pr.node)
	if pr.timing == awaiting {
		return w.callName(x, p, c) + " timeout"
	}
	return w.callName(x, p, c) + " done"
}

// runs tells whether a process's timer moves with the clock.
func (pr *process) runs() bool {
	return pr.timing != notTiming && !(pr.stalled && pr.timing == working)
}

// clockSteps lists the timers that are due next, where nothing holds the
// clock. A provider's key that is forgotten wakes nobody, so the clock does
// not move for that alone, unless something may come when it is forgotten or a
// sleeping job has asked the provider.
func (w *World) clockSteps(x *step) {
	next, any, stalled := Seconds(0), false, false
	soonest := func(left Seconds, wakes bool) {
		if left > 0 && (next == 0 || left < next) {
			next = left
		}
		any = any || left > 0 && wakes
	}
	for p := range w.sc.Processes {
		pr := x.proc(p)
		if pr.runs() && !pr.stalled {
			soonest(pr.timer, true)
		}
		stalled = stalled || pr.stalled
		if w.lockTimed {
			for _, t := range x.lockTimers(p) {
				soonest(t.left, true)
			}
		}
		if pr.stalled && w.sc.Faults.Longest > 0 && w.first(p) {
			soonest(pr.longest, true)
		}
		if pr.silent {
			soonest(pr.missed, true)
		}
		if w.living {
			w.lifeTimers(x, p, func(left Seconds, _ string, _ func()) { soonest(left, true) })
		}
	}
	w.soonestMore(x, soonest)
	outlasts := stalled || w.forgets() && x.outlasted()
	for q := range w.sc.Queues {
		if w.sc.Queues[q].Lease > 0 {
			for _, m := range x.queue(q).messages {
				if w.sc.Queues[q].Check > 0 {
					soonest(w.checkLeft(q, &m), true)
					continue
				}
				soonest(m.leaseLeft(), true)
			}
		}
		if w.sc.Queues[q].timed() {
			for _, t := range x.queueTimers(q) {
				soonest(t.left, t.wakes || outlasts || x.watched(w.firstQ+q))
			}
		}
	}
	for i := range w.sc.Providers {
		w.soonestOf(x, i, outlasts, soonest)
	}
	for f := range w.sc.Fronts {
		soonest(x.tickIn(f, stalled))
		for _, c := range x.front(f).callers {
			soonest(c.timer, true)
		}
	}
	if left, ahead := w.timeAlone(x); ahead {
		soonest(left, true)
	}
	w.logClock(x, soonest)
	w.claimClock(x, soonest)
	if any {
		w.fireEach(x, next)
	}
}

// forgets tells whether a provider or a broker forgets anything, or finds it
// only later.
func (w *World) forgets() bool {
	for i := range w.sc.Providers {
		if decl := &w.sc.Providers[i]; decl.KeptFor > 0 || decl.Lag > 0 {
			return true
		}
	}
	for q := range w.sc.Queues {
		if w.sc.Queues[q].Dedupe > 0 {
			return true
		}
	}
	return false
}

// outlasted tells whether something may come later than anybody remembers: a
// request that is late or comes at any time, an operator, what a process does
// when it is told to stop, or a message that a fault gives back to consumers.
func (x *step) outlasted() bool {
	w := x.w
	for f := range w.sc.Fronts {
		if fr := x.front(f); fr.held != 0 || w.sc.Fronts[f].Kind == Operator && fr.acts > 0 {
			return true
		}
	}
	if w.wireSlot > 0 && len(x.wire().late) > 0 {
		return true
	}
	if l := &w.sc.Faults.Limit; l[Surprise]+l[ConnectionLost]+l[BrokerRestart]+l[Stop] == 0 {
		return false
	}
	u := x.budget()
	if u.total > 0 && u.left[Stop] > 0 && x.actsAtStop() {
		return true
	}
	if u.total == 0 || u.left[Surprise]+u.left[ConnectionLost]+u.left[BrokerRestart] == 0 {
		return false
	}
	for q := range w.sc.Queues {
		qu := x.queue(q)
		if len(qu.gone) > 0 {
			return true
		}
		for _, m := range qu.messages {
			if m.holder != 0 {
				return true
			}
		}
	}
	return false
}

// fireEach lists a step for every timer that ends in d.
func (w *World) fireEach(x *step, d Seconds) {
	for p := range w.sc.Processes {
		if pr := x.proc(p); pr.runs() && pr.timer == d && !pr.stalled {
			name := w.timerName(x, p)
			x.open()
			x.advance(d)
			x.finishTimer(p)
			x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
		}
		if w.lockTimed {
			w.lockSteps(x, p, d)
		}
		if pr := x.proc(p); pr.stalled && w.sc.Faults.Longest > 0 && pr.longest == d && w.first(p) {
			w.wakeAtLast(x, p, d)
		}
		if pr := x.proc(p); pr.silent && pr.missed == d {
			w.takenForDead(x, p, d)
		}
		if w.living {
			w.fireLife(x, p, d)
		}
	}
	w.timePasses(x, d)
	w.fireOutages(x, d)
	for q := range w.sc.Queues {
		if w.sc.Queues[q].timed() {
			w.fireQueue(x, q, d)
		}
		if w.sc.Queues[q].Lease == 0 {
			continue
		}
		if w.sc.Queues[q].Check > 0 {
			w.fireChecks(x, q, d)
			continue
		}
		for i, m := range x.queue(q).messages {
			if m.leaseLeft() == d {
				x.open()
				x.advance(d)
				x.expire(q, i, NoFault)
				x.close(Outcome{Name: w.expireName(m), Kind: StepTimer, Proc: int16(m.holder) - 1})
			}
		}
	}
	w.fireLogs(x, d)
	w.fireClaims(x, d)
	for i := range w.sc.Providers {
		w.fireProvider(x, i, d, func() { x.advance(d) })
	}
	for f := range w.sc.Fronts {
		if left, _ := x.tickIn(f, false); left == d {
			w.tick(x, f, d)
		}
		for _, c := range x.front(f).callers {
			if c.timer == d {
				w.callerDue(x, f, c, d)
			}
		}
	}
}

// advance moves the clock. Stalled processes have seen it move: they may wake.
func (x *step) advance(d Seconds) {
	for p := range x.w.sc.Processes {
		x.ageBuffer(p, d)
		if x.w.lockTimed {
			x.waitLonger(p, d)
		}
		if x.w.living {
			x.advanceLife(p, d)
		}
		pr := x.proc(p)
		if pr.runs() || pr.stalled && (!pr.moved || pr.longest > 0 || pr.missed > 0) {
			x.change(p, func(c *process) {
				if c.runs() {
					c.timer = max(0, c.timer-d) // a stalled sleeper can be overdue
				}
				c.moved = c.stalled
				c.longest, c.missed = max(0, c.longest-d), max(0, c.missed-d)
			})
		}
	}
	for q := range x.w.sc.Queues {
		if x.w.sc.Queues[q].timed() {
			x.advanceQueue(q, d)
		}
		if x.w.sc.Queues[q].Lease > 0 && len(x.queue(q).messages) > 0 {
			x.changeQueue(q, func(qu *queue) {
				for i := range qu.messages {
					if check := x.w.sc.Queues[q].Check; check > 0 {
						qu.messages[i].ageChecked(d, check)
						continue
					}
					qu.messages[i].age(d, x.w.sc.Queues[q].Lease)
				}
			})
		}
	}
	for i := range x.w.sc.Providers {
		x.advanceProvider(i, d)
	}
	x.saveAll()
	x.advanceOutages(d)
	x.advanceAges(d)
	if len(x.w.sc.Fronts) > 0 {
		x.advanceFronts(d)
	}
	x.advanceLogs(d)
	x.advanceIdle(d)
	if len(x.w.sc.Fronts) > 0 {
		x.moved = append(x.moved[:0], x.cur...)
	}
	x.emit(Event{Kind: EventClock, Proc: -1, Seconds: d})
}

// wakeSteps lists the end of a stall: offered once the clock has moved or
// somebody waits for a lock of this process. It never holds the clock.
func (w *World) wakeSteps(p int) func(*step) {
	return func(x *step) {
		pr := x.proc(p)
		if pr.stalled && w.first(p) && !w.mustWake(pr) && (pr.moved || slices.ContainsFunc(w.together(p), x.waitedFor)) {
			w.wake(x, p)
		}
	}
}

func (w *World) wake(x *step, p int) {
	x.open()
	x.allWake(p)
	x.close(Outcome{Name: w.hostName(p) + " wake", Kind: StepWake, Proc: int16(p), Waits: true})
}

// allWake is the end of a stall, of all that live in one process.
func (x *step) allWake(p int) {
	for _, m := range x.w.together(p) {
		x.wakeUp(m)
		if x.proc(m).node == 0 {
			x.takeNext(m) // what has come for it meanwhile
		}
	}
}

// wakeUp is the end of a stall.
func (x *step) wakeUp(p int) {
	x.change(p, func(pr *process) { pr.stalled, pr.moved, pr.longest, pr.silent, pr.missed = false, false, 0, false, 0 })
	if x.w.readsLog(p) {
		x.readerStalls(p, false)
	}
	x.keepLeases(p)
	x.emit(Event{Kind: EventWake, Proc: int16(p)})
}

// waitedFor tells whether somebody's next call waits for a lock of p.
func (x *step) waitedFor(p int) bool {
	for d := range x.w.sc.Databases {
		if _, open := x.tx(p, d); !open && !x.holdsNamed(p, d) {
			continue
		}
		for q := range x.w.sc.Processes {
			if q != p && x.waitsIn(q, d) {
				return true
			}
		}
	}
	return false
}

// waitsIn tells whether a process's next call is held up by a lock of this
// database.
func (x *step) waitsIn(q, d int) bool {
	c := x.waitingCall(q, d)
	db := &x.w.sc.Databases[d]
	return c != nil && (!db.Limited || db.Wait > 0) && x.blocked(q, d, c)
}

func isWrite(v Verb) bool {
	switch v {
	case VerbInsert, VerbPut, VerbPutNewer, VerbUpdate, VerbAdd, VerbDelete, VerbChange, VerbRemove, VerbClaim:
		return true
	}
	return false
}
