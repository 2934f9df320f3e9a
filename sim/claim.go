package sim

// Claims: in a consumer group of a Redis stream nothing ends a delivery but an
// ack. An entry stays with its consumer, dead or alive, until somebody claims
// it because it has been idle for long (XAUTOCLAIM). Clients that do so claim
// before they read what is new.
//
// How long an entry has been idle is kept up to the longest time that a
// consumer asks for.

// claimable tells whether a consumer may take a message over.
func (w *World) claimable(p int, m *message) bool {
	least := w.sc.Processes[p].ClaimIdle
	return least > 0 && m.holder != 0 && m.idle >= least
}

// claims tells whether a consumer has something to claim.
func (x *step) claims(p int) bool {
	if x.w.sc.Processes[p].ClaimIdle == 0 {
		return false
	}
	messages := x.queue(x.w.sc.Processes[p].Queue).messages
	for i := range messages {
		if x.w.claimable(p, &messages[i]) {
			return true
		}
	}
	return false
}

// claimSteps lists what a consumer that is idle can claim.
func (w *World) claimSteps(p int) func(*step) {
	decl := &w.sc.Processes[p]
	return func(x *step) {
		if !x.proc(p).free() {
			return
		}
		messages := x.queue(decl.Queue).messages
		for i := range messages {
			if w.claimable(p, &messages[i]) {
				x.open()
				x.claim(p, i)
				x.close(Outcome{Name: w.claimName(p, &messages[i]), Kind: StepDeliver, Proc: int16(p)})
			}
		}
	}
}

func (w *World) claimName(p int, m *message) string {
	return "claim " + w.messageName(m.id) + " for " + w.procName(p)
}

// claim hands a message that somebody else holds to a consumer. The one who
// had it is not told.
func (x *step) claim(p, i int) {
	q := x.w.sc.Processes[p].Queue
	m := x.queue(q).messages[i]
	x.emit(Event{Kind: EventExpire, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	x.deliver(p, i)
}

// claimAgain is XCLAIM of a handler for its own name, with JUSTID and without a
// least idle time: the entry is its own from now on, whoever had it, and fresh.
// The delivery count stays. An entry that was acked is not pending and can't be
// claimed; the answer, a list of what was, is no error.
func (x *step) claimAgain(p, q int, d delivered) Answer {
	i, st := x.standing(p, d)
	if st == settled {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: VerbExtend})
		return Answer{}
	}
	m := x.queue(q).messages[i]
	x.changeQueue(q, func(qu *queue) { qu.messages[i].holder, qu.messages[i].idle = uint8(p+1), 0 })
	x.emit(Event{Kind: EventExtended, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	return Answer{}
}

// claimClock hands soonest the times until which an idle consumer waits for
// an entry that it may claim.
func (w *World) claimClock(x *step, soonest func(left Seconds, wakes bool)) {
	w.eachClaim(x, func(_, _ int, left Seconds) { soonest(left, true) })
}

// eachClaim calls f for each entry that an idle consumer will be able to claim.
func (w *World) eachClaim(x *step, f func(p, i int, left Seconds)) {
	for p := range w.sc.Processes {
		decl := &w.sc.Processes[p]
		if decl.ClaimIdle == 0 {
			continue
		}
		if !x.proc(p).free() {
			continue
		}
		for i, m := range x.queue(decl.Queue).messages {
			if m.holder != 0 && m.idle < decl.ClaimIdle {
				f(p, i, decl.ClaimIdle-m.idle)
			}
		}
	}
}

// fireClaims lists a step for each claim that becomes possible in d.
func (w *World) fireClaims(x *step, d Seconds) {
	w.eachClaim(x, func(p, i int, left Seconds) {
		if left == d {
			name := w.claimName(p, &x.queue(w.sc.Processes[p].Queue).messages[i])
			x.open()
			x.advance(d)
			x.claim(p, i)
			x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
		}
	})
}

// advanceIdle makes what consumers hold older.
func (x *step) advanceIdle(d Seconds) {
	for q := range x.w.sc.Queues {
		most := x.w.sc.Queues[q].LongestIdle
		if most == 0 {
			continue
		}
		x.changeQueue(q, func(qu *queue) {
			for i := range qu.messages {
				if m := &qu.messages[i]; m.holder != 0 {
					m.idle = min(most, m.idle+d)
				}
			}
		})
	}
}
