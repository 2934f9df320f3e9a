package sim

// How messages leave the broker.

// deliverSteps lists the deliveries that the broker can make to a consumer
// that is idle. Delivering and starting are one step.
func (w *World) deliverSteps(p int) func(*step) {
	decl := &w.sc.Processes[p]
	if decl.Prefetch > 1 || decl.Batch > 0 {
		return w.clientSteps(p)
	}
	return func(x *step) {
		if !x.proc(p).free() {
			return
		}
		qu := x.queue(decl.Queue)
		if limit := w.sc.Queues[decl.Queue].HoldLimit; limit > 0 && heldBy(qu, p) >= limit {
			return
		}
		if x.claims(p) {
			return // its client claims before it reads what is new
		}
		for i, m := range qu.messages {
			if !w.isReady(decl.Queue, p, qu.messages, i) {
				continue
			}
			x.open()
			x.deliver(p, i)
			x.close(Outcome{Name: "deliver " + w.messageName(m.id) + " to " + w.procName(p), Kind: StepDeliver, Proc: int16(p)})
			if w.orderOf(decl.Queue) == byAge {
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
	if decl.Prefetch > 1 || decl.Batch > 0 {
		return w.missedByClient(p)
	}
	return func(x *step) {
		ask := &Call{Verb: VerbAck, Party: int16(decl.Queue)} // stands for any request to this queue
		if q.Boundary != Request || x.budget().total == 0 || !x.canStrike(LostReply, p, ask) {
			return
		}
		if !x.proc(p).free() {
			return
		}
		list := x.queue(decl.Queue).messages
		for i, m := range list {
			if !w.isReady(decl.Queue, p, list, i) {
				continue
			}
			name := "deliver " + w.messageName(m.id) + " to " + w.procName(p) + " lost-reply"
			x.strike(LostReply, p, name, func() { x.miss(p, i) })
			if w.orderOf(decl.Queue) == byAge {
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

// hand notes that message i has left for a consumer; its lease starts now. It
// returns the message as it is then.
func (x *step) hand(p, i int) message {
	q := x.w.sc.Processes[p].Queue
	decl := &x.w.sc.Queues[q]
	var handed message
	x.changeQueue(q, func(qu *queue) {
		m := &qu.messages[i]
		m.holder = uint8(p + 1)
		m.last = 0
		m.idle = 0
		m.lease = decl.Lease
		if x.w.sc.Extends {
			m.most = decl.MaxLease
		}
		m.front = false
		if decl.Counter == CountsDeliveries {
			x.w.tally(q, m)
		}
		if decl.BackoffLease && decl.Backoff != nil {
			m.lease = backoff(decl.Backoff, m.count)
		}
		handed = *m
		if x.w.lined(q) {
			x.w.move(q, qu, i)
		}
	})
	return handed
}

// deliver hands message i to a consumer that starts on it.
func (x *step) deliver(p, i int) {
	d := x.take(p, i)
	x.emit(Event{Kind: EventDeliver, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), Message: x.w.messageName(d.id), Label: d.label, Input: d.in})
	x.tellAutoAck(p, d)
	x.startOn(p, []delivered{d})
}
