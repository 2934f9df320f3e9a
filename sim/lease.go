package sim

// Leases: how they end, and how they are extended.
//
// A client that keeps a lease extends it every so often, as long as its process
// is neither stalled nor dead. That is no series of steps, but a property of
// the message: its lease stands at what is left just before the next time, which
// is the least that it can be, and runs from there once nobody extends it any
// more.

// expireSteps lists the leases that have run out.
func (w *World) expireSteps(q int) func(*step) {
	return func(x *step) {
		if w.sc.Queues[q].Lease == 0 {
			return
		}
		for i, m := range x.queue(q).messages {
			if m.holder != 0 && m.lease == 0 && !w.overdue(q, &m) {
				x.open()
				x.expire(q, i, NoFault)
				x.close(Outcome{Name: w.expireName(m), Kind: StepTimer, Proc: int16(m.holder) - 1})
			}
		}
	}
}

func (w *World) expireName(m message) string {
	return "expire " + w.messageName(m.id) + " at " + w.procName(int(m.holder)-1)
}

// expire ends a lease: the message may be delivered again. The worker is not
// touched; no broker can stop it.
func (x *step) expire(q, i int, fault FaultKind) {
	m := x.queue(q).messages[i]
	last := uint8(0)
	if x.w.lateCounts(q) {
		last = m.holder
	}
	x.changeQueue(q, func(qu *queue) { x.w.comeBack(q, qu, i, last, 0, false) })
	x.emit(Event{Kind: EventExpire, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Fault: fault})
	x.repeatLater(q, m.id)
	if x.w.sc.Queues[q].ExpiryCloses {
		x.disconnect(int(m.holder)-1, partyQueue, q)
	}
}

// leaseLeft is the time after which a lease ends as things are; 0: it doesn't,
// or is due.
func (m *message) leaseLeft() Seconds {
	if m.beat > 0 {
		return m.most
	}
	return m.lease
}

// age lets time pass for a message. One whose lease is kept is extended in
// between, but for what can't be extended any more.
func (m *message) age(d, lease Seconds) {
	if m.most > 0 {
		if m.most = max(0, m.most-d); m.most == 0 && m.beat > 0 {
			m.beat, m.lease = 0, 0
			return
		}
	}
	switch {
	case m.beat > 0:
		m.lease = lease - m.beat
	case m.lease > 0:
		m.lease -= d
	}
}

// keep is a handler's wish that a lease be held. The client extends it at once,
// so even a delivery that waited long begins anew.
func (x *step) keep(p int, c *Call) {
	if pr := x.proc(p); pr.gone || pr.held[c.Place].settled || pr.held[c.Place].old {
		return
	}
	x.change(p, func(pr *process) {
		pr.held = append([]delivered(nil), pr.held...)
		pr.held[c.Place].beat = c.Seconds
	})
	x.keepLeases(p)
}

// keepLeases brings the leases of what a process has in line with whether its
// client extends them.
func (x *step) keepLeases(p int) {
	decl := &x.w.sc.Processes[p]
	if !x.w.sc.Extends || decl.Kind != Consumer {
		return
	}
	for i := range x.queue(decl.Queue).messages {
		m := x.queue(decl.Queue).messages[i]
		if int(m.holder) != p+1 {
			continue
		}
		beat := x.beatOf(p, m.id)
		if beat == m.beat || beat > 0 && m.lease == 0 { // what is due is lost
			continue
		}
		lease := m.lease
		if beat > 0 {
			lease = x.w.sc.Queues[decl.Queue].Lease - beat
			x.emit(Event{Kind: EventKept, Proc: int16(p), Queue: int16(decl.Queue), Message: x.w.messageName(m.id), Label: m.label, Seconds: beat})
		} else if m.most > 0 {
			lease = min(lease, m.most)
		}
		x.changeQueue(decl.Queue, func(qu *queue) { qu.messages[i].beat, qu.messages[i].lease = beat, lease })
	}
}

// beatOf is how often a process extends the lease of a message that it holds;
// 0: it doesn't.
func (x *step) beatOf(p int, id messageID) Seconds {
	pr := x.proc(p)
	if pr.stalled || pr.gone {
		return 0
	}
	for _, list := range [][]delivered{pr.held, pr.buffer} {
		for _, d := range list {
			if d.id == id && !d.old && !d.settled && d.beat > 0 {
				return d.beat
			}
		}
	}
	return 0
}

// beatFaults lists the extensions by a client that can get lost. Where the
// lease outlasts the gap to the next one, nothing comes of it.
func (w *World) beatFaults(x *step, p int) {
	decl := &w.sc.Processes[p]
	if !w.sc.Extends || decl.Kind != Consumer {
		return
	}
	ask := &Call{Verb: VerbExtend, Party: int16(decl.Queue)}
	if !x.canStrike(LostRequest, p, ask) {
		return
	}
	for i, m := range x.queue(decl.Queue).messages {
		if int(m.holder) != p+1 || m.beat == 0 {
			continue
		}
		x.strike(LostRequest, p, w.procName(p)+" beat "+w.messageName(m.id)+" lost-request", func() {
			x.emit(Event{Kind: EventBeatLost, Proc: int16(p), Queue: int16(decl.Queue), Message: w.messageName(m.id), Label: m.label})
			x.loseBeat(p, i)
		})
	}
}

// loseBeat is the loss of one extension of message i.
func (x *step) loseBeat(p, i int) {
	q := x.w.sc.Processes[p].Queue
	m := x.queue(q).messages[i]
	if x.w.sc.Queues[q].Boundary == Connection {
		x.disconnect(p, partyQueue, q)
		return
	}
	if m.lease > m.beat {
		x.changeQueue(q, func(qu *queue) { qu.messages[i].lease -= m.beat })
		return
	}
	ends := func(list []delivered) []delivered { // the next one comes too late
		list = append([]delivered(nil), list...)
		for i := range list {
			if list[i].id == m.id && !list[i].old {
				list[i].beat = 0
			}
		}
		return list
	}
	x.change(p, func(pr *process) { pr.held, pr.buffer = ends(pr.held), ends(pr.buffer) })
	x.keepLeases(p)
}

// extend is a handler's wish for a longer lease, as it reaches the broker.
func (x *step) extend(p int, c *Call) Answer {
	pr := x.proc(p)
	if pr.gone {
		return Answer{Code: Gone}
	}
	q, d := x.w.sc.Processes[p].Queue, pr.held[c.Place]
	decl := &x.w.sc.Queues[q]
	if decl.Extend == ExtendsIdle {
		return x.claimAgain(p, q, d)
	}
	i, st := x.standing(p, d)
	if st == current && !d.settled || st == stale && decl.StaleAck == StaleSettles && x.queue(q).messages[i].holder > 0 {
		m := x.queue(q).messages[i]
		if m.most > 0 && c.Seconds > m.most {
			return x.tooLong(decl)
		}
		x.changeQueue(q, func(qu *queue) {
			if qu.messages[i].beat == 0 {
				qu.messages[i].lease = c.Seconds
			}
		})
		x.emit(Event{Kind: EventExtended, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Seconds: c.Seconds})
		return Answer{}
	}
	x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: VerbExtend})
	return x.staleAnswer(p, q, decl.StaleAck == StaleError)
}

// tooLong is the answer to an extension beyond what a lease may last in all.
func (x *step) tooLong(q *Queue) Answer {
	if q.AckAnswers {
		return Answer{Code: Refused}
	}
	return Answer{}
}

// extendAnswers lists what an extension that arrives can be told.
func extendAnswers(sc *Scenario, c *Call) []Answer {
	q := &sc.Queues[c.Party]
	list := []Answer{{}}
	if q.AckAnswers && q.StaleAck == StaleError {
		list = append(list, Answer{Code: Stale})
	}
	return list
}

// hasMaxLease tells whether a call is an extension that can be too long.
func hasMaxLease(sc *Scenario, c *Call) bool {
	return c.Verb == VerbExtend && sc.Queues[c.Party].MaxLease > 0
}
