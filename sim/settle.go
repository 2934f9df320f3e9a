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

func (x *step) standing(p int) (int, standing) {
	q := x.w.sc.Processes[p].Queue
	held := x.proc(p).held
	for i, m := range x.queue(q).messages {
		switch {
		case m.id != held:
		case int(m.holder) == p+1:
			return i, current
		case m.holder == 0 && int(m.last) == p+1:
			return i, late
		default:
			return i, stale
		}
	}
	return -1, settled
}

// settleVariants lists the free choices of a settle: two where the broker's
// rule for a stale one is undefined.
func (w *World) settleVariants(x *step, p int, verb Verb) []variant {
	q := &w.sc.Queues[w.sc.Processes[p].Queue]
	if q.StaleAck != StaleChoice || verb != VerbAck || x.proc(p).gone {
		return []variant{plain}
	}
	if _, st := x.standing(p); st == stale {
		return []variant{keeps, takes}
	}
	return []variant{plain}
}

// settle is an ack, nack or reject that reaches the broker.
func (x *step) settle(p int, verb Verb, v variant) Answer {
	if verb == VerbCommitAfter {
		return x.commitHeld(p, x.w.autoCommitCall(p))
	}
	x.change(p, func(pr *process) { pr.settled = true })
	if x.proc(p).gone {
		return Answer{Code: Gone}
	}
	q := x.w.sc.Processes[p].Queue
	i, st := x.standing(p)
	holds := st == current || st == late
	if st == stale && verb == VerbAck {
		holds = x.w.sc.Queues[q].StaleAck == StaleSettles || v == takes
	}
	if !holds {
		x.emit(Event{Kind: EventStale, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(x.proc(p).held), Verb: verb})
		return x.staleAnswer(p, q)
	}
	x.settleMessage(p, q, i, verb)
	return Answer{}
}

// staleAnswer is what comes of a settle that does not count. Where nobody waits
// for an answer, an error closes the channel: RabbitMQ's 406.
func (x *step) staleAnswer(p, q int) Answer {
	decl := &x.w.sc.Queues[q]
	switch {
	case decl.StaleAck != StaleError:
	case decl.AckAnswers:
		return Answer{Code: Stale}
	default:
		x.disconnect(p, partyQueue, q)
	}
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
func ready(m *message, last uint8) { m.holder, m.lease, m.last = 0, 0, last }

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
