package sim

import "slices"

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
		case m.id != d.id || m.pending == kept:
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
// rule for one that lost its message is undefined.
func (w *World) settleVariants(x *step, p int, c *Call) []variant {
	q := w.sc.Processes[p].Queue
	if decl := &w.sc.Queues[q]; decl.StaleAck != StaleChoice && decl.LateAck != StaleChoice && decl.StaleNack != StaleChoice || x.proc(p).gone {
		return []variant{plain}
	}
	_, st := x.standing(p, x.proc(p).held[c.Place])
	return ruleVariants(w.settleRule(q, c.Verb, st), c.Verb, st)
}

// settle is an ack, nack or reject that reaches the broker.
func (x *step) settle(p int, c *Call, v variant) Answer {
	if c.Verb == VerbCommitAfter {
		return x.commitHeld(p, x.w.autoCommitCall(p))
	}
	d := x.proc(p).held[c.Place]
	x.noteSettled(p, c)
	if x.proc(p).gone {
		return Answer{Code: Gone}
	}
	q := x.w.sc.Processes[p].Queue
	if d.settled && x.w.sc.Queues[q].TagsEnd {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: c.Verb})
		return x.settleError(p, q)
	}
	i, st := x.standing(p, d)
	rule := x.w.settleRule(q, c.Verb, st)
	if !counts(rule, st, v) {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: c.Verb})
		return x.staleAnswer(p, q, isError(rule, v))
	}
	if c.Verb == VerbAck && x.outOfOrder(q, i) {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(d.id), Verb: c.Verb})
		return Answer{Code: Refused}
	}
	x.settleMessage(p, q, i, c)
	if c.Mode == ModeMultiple {
		x.settleEarlier(p, q, c)
	}
	return Answer{}
}

// settleEarlier carries out a settle of several deliveries for those before the
// one that it speaks of: what the process holds and got no later, be it of this
// handler or of one that left it unsettled.
func (x *step) settleEarlier(p, q int, c *Call) {
	pr := x.proc(p)
	later := append(append([]delivered(nil), pr.held[c.Place+1:]...), pr.buffer...)
	for {
		i := slices.IndexFunc(x.queue(q).messages, func(m message) bool {
			return int(m.holder) == p+1 && !slices.ContainsFunc(later, func(d delivered) bool { return d.id == m.id && !d.old })
		})
		if i < 0 {
			return
		}
		x.settleMessage(p, q, i, c)
	}
}

// staleAnswer is what comes of a settle that does not count.
func (x *step) staleAnswer(p, q int, wrong bool) Answer {
	if wrong {
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
func (x *step) settleMessage(p, q, i int, c *Call) {
	m := x.queue(q).messages[i]
	e := Event{Kind: EventSettled, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Verb: c.Verb, Seconds: c.Seconds}
	switch c.Verb {
	case VerbNack:
		x.changeQueue(q, func(qu *queue) {
			if decl := &x.w.sc.Queues[q]; decl.Counter == CountsLosses && decl.NackCounts {
				x.w.tally(q, &qu.messages[i])
			}
			x.w.comeBack(q, qu, i, 0, c.Seconds, true)
		})
	case VerbAck:
		if x.keepsAcked(q, i) {
			x.changeQueue(q, func(qu *queue) {
				ready(&qu.messages[i], 0)
				qu.messages[i].pending = kept
			})
			break
		}
		x.changeQueue(q, func(qu *queue) { x.w.remove(q, qu, i, x.canReappear(q)) })
	default:
		x.changeQueue(q, func(qu *queue) { x.w.remove(q, qu, i, false) })
	}
	if c.Verb == VerbReject {
		e.To = x.deadLetter(q, m)
	}
	if c.Verb == VerbAck && m.label > 0 && x.w.conflicts[m.label-1] {
		x.changeIntent(m.label, func(g *intentGhost) { g.acked = true })
	}
	x.emit(e)
	if c.Verb == VerbNack {
		x.repeatLater(q, m.id)
	}
}

// ready puts a message back for delivery. last is the process whose late
// settle still counts, plus one; 0 where none does.
func ready(m *message, last uint8) {
	m.holder, m.lease, m.last, m.beat, m.most, m.over = 0, 0, last, 0, 0, 0
}

// giveBack returns what a process holds, because its connection is lost.
func (x *step) giveBack(p, q int) {
	if heldBy(x.queue(q), p) == 0 {
		return
	}
	x.changeQueue(q, func(qu *queue) {
		for i := 0; i < len(qu.messages); {
			m := &qu.messages[i]
			if int(m.holder) != p+1 {
				i++
				continue
			}
			x.emit(Event{Kind: EventReturned, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
			if x.w.sc.Queues[q].Counter == CountsLosses {
				x.w.tally(q, m)
			}
			x.w.comeBack(q, qu, i, 0, 0, false)
			i = 0 // it may have another place now
		}
	})
}
