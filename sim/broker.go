package sim

// The broker: messages, deliveries, settles, leases.

// nextMessage is the identity that a publish of this operation would get: the
// smallest publication number that no message in the queue bears.
func (x *step) nextMessage(q int, op ValueID) messageID {
	id := messageID{op: op, publication: 1}
	for again := true; again; {
		again = false
		for _, m := range x.queue(q).messages {
			if m.id == id {
				id.publication++
				again = true
			}
		}
	}
	return id
}

// publish stores a message.
func (x *step) publish(p int, c *Call) outcome {
	q := int(c.Party)
	m := message{id: x.nextMessage(q, c.Op), body: c.Body, label: x.labelOf(p, c)}
	x.changeQueue(q, func(qu *queue) { qu.messages = x.w.insertMessage(q, qu.messages, m) })
	x.emit(Event{Kind: EventStored, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	return outcome{}
}

// insertMessage adds a message at the end or, where the queue has no order, at
// its place in a fixed order that carries no history.
func (w *World) insertMessage(q int, list []message, m message) []message {
	i := len(list)
	if !w.sc.Queues[q].Ordered {
		for i = 0; i < len(list) && w.messageBefore(list[i].id, m.id); i++ {
		}
	}
	list = append(list, message{})
	copy(list[i+1:], list[i:])
	list[i] = m
	return list
}

func (w *World) messageBefore(a, b messageID) bool {
	if a.op != b.op {
		return w.sc.Values.Less(a.op, b.op)
	}
	return a.publication < b.publication
}

// deliverSteps lists the deliveries that the broker can make to a consumer
// that is idle. Delivering and starting are one step.
func (w *World) deliverSteps(p int) func(*step) {
	decl := &w.sc.Processes[p]
	return func(x *step) {
		pr := x.proc(p)
		if pr.node != 0 || pr.stalled {
			return
		}
		qu := x.queue(decl.Queue)
		if limit := w.sc.Queues[decl.Queue].HoldLimit; limit > 0 && heldBy(qu, p) >= limit {
			return
		}
		for i, m := range qu.messages {
			if m.holder != 0 || w.overcounted(decl.Queue, m) {
				continue
			}
			x.open()
			x.deliver(p, i)
			x.close(Outcome{Name: "deliver " + w.messageName(m.id) + " to " + w.procName(p), Kind: StepDeliver, Proc: int16(p)})
			if w.sc.Queues[decl.Queue].Ordered {
				return
			}
		}
	}
}

// missedDeliveries lists the deliveries whose answer can get lost: where a
// consumer asks for messages, the broker counts one as delivered though it
// never arrives. On a connection such a loss would only be the connection's.
func (w *World) missedDeliveries(p int) func(*step) {
	decl := &w.sc.Processes[p]
	q := &w.sc.Queues[decl.Queue]
	return func(x *step) {
		ask := &Call{Verb: VerbAck, Party: int16(decl.Queue)} // stands for any request to this queue
		if q.Boundary != Request || x.budget().total == 0 || !x.canStrike(LostReply, p, ask) {
			return
		}
		if pr := x.proc(p); pr.node != 0 || pr.stalled {
			return
		}
		for i, m := range x.queue(decl.Queue).messages {
			if m.holder != 0 || w.overcounted(decl.Queue, m) {
				continue
			}
			name := "deliver " + w.messageName(m.id) + " to " + w.procName(p) + " lost-reply"
			x.strike(LostReply, p, name, func() {
				x.hand(p, i)
				x.emit(Event{Kind: EventMissed, Proc: int16(p), Queue: int16(decl.Queue), Message: w.messageName(m.id), Label: m.label})
			})
			if q.Ordered {
				return
			}
		}
	}
}

func heldBy(qu *queue, p int) int {
	n := 0
	for _, m := range qu.messages {
		if int(m.holder) == p+1 {
			n++
		}
	}
	return n
}

// hand notes that message i has left for a consumer; its lease starts now.
func (x *step) hand(p, i int) {
	q := x.w.sc.Processes[p].Queue
	x.changeQueue(q, func(qu *queue) {
		m := &qu.messages[i]
		m.holder = uint8(p + 1)
		m.last = 0
		m.lease = x.w.sc.Queues[q].Lease
		if x.w.sc.Queues[q].Counter == CountsDeliveries {
			x.w.tally(q, m)
		}
	})
}

// tally counts a delivery, up to where anybody tells counts apart.
func (w *World) tally(q int, m *message) {
	m.count = min(m.count+1, w.counted[q])
}

// overcounted tells whether a message has come as often as it may.
func (w *World) overcounted(q int, m message) bool {
	limit := w.sc.Queues[q].MaxDeliveries
	return limit > 0 && int(m.count) >= limit && int(w.counted[q]) >= limit
}

// attempt is the number of a delivery as its handler is told, where any
// handler reads it.
func (w *World) attempt(q int, m message) uint8 {
	switch {
	case w.sc.Attempts == 0 || w.sc.Queues[q].Counter == CountsNothing:
		return 0
	case w.sc.Queues[q].Counter == CountsLosses:
		return min(m.count+1, uint8(w.sc.Attempts))
	}
	return min(m.count, uint8(w.sc.Attempts))
}

// parkSteps lists the messages that the broker gives up on: they came as often
// as they may. With a dead-letter queue they go there.
func (w *World) parkSteps(q int) func(*step) {
	decl := &w.sc.Queues[q]
	return func(x *step) {
		for i, m := range x.queue(q).messages {
			if m.holder != 0 || !w.overcounted(q, m) || decl.DeadLetter < 0 && decl.KeepsOvercounted {
				continue
			}
			x.open()
			x.park(q, i)
			x.close(Outcome{Name: decl.Name + " gives up " + w.messageName(m.id), Kind: StepDeliver, Proc: -1})
		}
	}
}

// park takes a message out of its queue, into the dead-letter queue if there
// is one. There its counter begins anew.
func (x *step) park(q, i int) {
	m := x.queue(q).messages[i]
	e := Event{Kind: EventParked, Proc: -1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label}
	x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
	e.To = x.deadLetter(q, m)
	x.emit(e)
}

// deadLetter puts a message into the dead-letter queue of a queue and returns
// that queue's name, or "" where there is none.
func (x *step) deadLetter(q int, m message) string {
	dead := x.w.sc.Queues[q].DeadLetter
	if dead < 0 {
		return ""
	}
	parked := message{id: x.nextMessage(dead, m.id.op), body: m.body, label: m.label}
	x.changeQueue(dead, func(qu *queue) { qu.messages = x.w.insertMessage(dead, qu.messages, parked) })
	return x.w.sc.Queues[dead].Name
}

// deliver hands message i to a consumer that starts on it.
func (x *step) deliver(p, i int) {
	decl := &x.w.sc.Processes[p]
	q := decl.Queue
	x.hand(p, i)
	m := x.queue(q).messages[i]
	x.change(p, func(pr *process) { pr.held, pr.label = m.id, m.label })
	in := Input{Op: m.id.op, Body: m.body, Attempt: x.w.attempt(q, m)}
	x.emit(Event{Kind: EventDeliver, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Input: in})
	x.arrive(p, x.w.prog.Start(decl.Handler, in))
}

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

// expireSteps lists the leases that have run out.
func (w *World) expireSteps(q int) func(*step) {
	return func(x *step) {
		if w.sc.Queues[q].Lease == 0 {
			return
		}
		for i, m := range x.queue(q).messages {
			if m.holder != 0 && m.lease == 0 {
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
	x.changeQueue(q, func(qu *queue) { ready(&qu.messages[i], last) })
	x.emit(Event{Kind: EventExpire, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Fault: fault})
}

// lateCounts tells whether a settle after the lease, with nobody else holding
// the message, differs from a stale one at this queue.
func (w *World) lateCounts(q int) bool {
	r := w.sc.Queues[q].StaleAck
	return r == StaleSettles || r == StaleChoice
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
