package sim

// What a settle does, and what comes of one that no longer counts.

// standing is how a settle stands to the message it speaks of.
type standing uint8

const (
	current standing = iota // the message is delivered to this process
	late                    // its lease has ended, nobody else has received it
	stale                   // somebody else has received it
	settled                 // the message is no longer there
)

// standing tells how a delivery of process p stands to its message, and where
// that is.
func (x *step) standing(p int, d delivered) (int, standing) {
	q := x.w.sc.Processes[p].Queue
	for i, m := range x.queue(q).messages {
		switch {
		case m.id != d.id:
		case int(m.holder) == p+1 && !d.old:
			return i, current
		case m.holder == 0 && int(m.last) == p+1 && !d.old:
			return i, late
		default:
			return i, stale
		}
	}
	return -1, settled
}

// settleVariants lists the free choices of a settle: two where the broker's
// rule for a stale one is undefined.
func (w *World) settleVariants(x *step, p int, c *Call) []variant {
	q := &w.sc.Queues[w.sc.Processes[p].Queue]
	if q.StaleAck != StaleChoice || c.Verb != VerbAck || x.proc(p).gone {
		return []variant{plain}
	}
	if _, st := x.standing(p, x.proc(p).held[c.Place]); st == stale {
		return []variant{keeps, takes}
	}
	return []variant{plain}
}

// settle is an ack, nack or reject that reaches the broker.
func (x *step) settle(p int, c *Call, v variant) Answer {
	if c.Verb == VerbCommitAfter {
		return x.commitHeld(p, x.w.autoCommitCall(p))
	}
	verb, d := c.Verb, x.proc(p).held[c.Place]
	x.noteSettled(p, c)
	if x.proc(p).gone {
		return Answer{Code: Gone}
	}
	q := x.w.sc.Processes[p].Queue
	if d.settled && x.w.sc.Queues[q].TagsEnd {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: verb})
		return x.settleError(p, q)
	}
	i, st := x.standing(p, d)
	holds := st == current || st == late
	if st == stale && verb == VerbAck {
		holds = x.w.sc.Queues[q].StaleAck == StaleSettles || v == takes
	}
	if !holds {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: verb})
		return x.staleAnswer(p, q)
	}
	x.settleMessage(p, q, i, verb)
	return Answer{}
}

// staleAnswer is what comes of a settle that does not count.
func (x *step) staleAnswer(p, q int) Answer {
	if x.w.sc.Queues[q].StaleAck == StaleError {
		return x.settleError(p, q)
	}
	return Answer{}
}

// settleError is an error about a delivery. Where nobody waits for an answer,
// it closes the channel: RabbitMQ's 406.
func (x *step) settleError(p, q int) Answer {
	if x.w.sc.Queues[q].AckAnswers {
		return Answer{Code: Stale}
	}
	x.disconnect(p, partyQueue, q)
	return Answer{}
}

// settleMessage carries out a settle that counts.
func (x *step) settleMessage(p, q, i int, verb Verb) {
	m := x.queue(q).messages[i]
	e := Event{Kind: EventSettled, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Verb: verb}
	switch verb {
	case VerbNack:
		x.changeQueue(q, func(qu *queue) { ready(&qu.messages[i], 0) })
	default:
		x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
	}
	if verb == VerbReject {
		e.To = x.deadLetter(q, m)
	}
	if verb == VerbAck && m.label > 0 && x.w.conflicts[m.label-1] {
		x.changeIntent(m.label, func(g *intentGhost) { g.acked = true })
	}
	x.emit(e)
}

// ready puts a message back for delivery. last is the process whose late
// settle still counts, plus one; 0 where none does.
func ready(m *message, last uint8) {
	m.holder, m.lease, m.last, m.beat, m.most = 0, 0, last, 0, 0
}

// giveBack returns what a process holds, because its connection is lost.
func (x *step) giveBack(p, q int) {
	if heldBy(x.queue(q), p) == 0 {
		return
	}
	x.changeQueue(q, func(qu *queue) {
		for i := range qu.messages {
			if int(qu.messages[i].holder) == p+1 {
				x.emit(Event{Kind: EventReturned, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(qu.messages[i].id), Label: qu.messages[i].label})
				ready(&qu.messages[i], 0)
				if x.w.sc.Queues[q].Counter == CountsLosses {
					x.w.tally(q, &qu.messages[i])
				}
			}
		}
	})
}
