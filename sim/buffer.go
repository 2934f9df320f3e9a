package sim

import "slices"

// What a consumer's client has: the deliveries that its handler was given, and
// a buffer of those that wait. Their leases run from the moment in which they
// left the broker, and the broker tells no difference.

// unsettled is the place of the first delivery of a handler that it has not
// settled, so far as it knows, or -1.
func (pr *process) unsettled() int {
	for i := range pr.held {
		if !pr.held[i].settled {
			return i
		}
	}
	return -1
}

// has tells whether a delivery of an intent is in hand or in the buffer.
func (pr *process) has(i int) bool {
	for _, list := range [][]delivered{pr.held, pr.buffer} {
		for _, d := range list {
			if int(d.label) == i+1 {
				return true
			}
		}
	}
	return false
}

// noteSettled notes that a handler has settled the delivery that a call speaks
// of, and all before it where the call says so.
func (x *step) noteSettled(p int, c *Call) {
	x.change(p, func(pr *process) {
		pr.held = append([]delivered(nil), pr.held...)
		pr.held[c.Place].settled = true
		for i := range pr.held[:c.Place] {
			pr.held[i].settled = pr.held[i].settled || c.Mode == ModeMultiple
		}
	})
}

// capacity is how many more deliveries a client takes. What runs counts, be it
// settled by leaving the broker.
func (w *World) capacity(pr *process, p int) int {
	decl := &w.sc.Processes[p]
	runs := 0
	for _, d := range pr.held {
		if !d.settled || decl.AutoAck {
			runs++
		}
	}
	return decl.Prefetch - runs - len(pr.buffer)
}

// pushes tells whether a queue's messages come by themselves, so that even a
// stalled process gets them: they wait in its connection.
func (w *World) pushes(p int) bool {
	return w.sc.Queues[w.sc.Processes[p].Queue].Boundary == Connection
}

// clientSteps lists the deliveries to a consumer with a buffer or with batches.
func (w *World) clientSteps(p int) func(*step) {
	return func(x *step) {
		if x.proc(p).node == 0 {
			w.batchSteps(x, p)
			return
		}
		for _, i := range w.bufferable(x, p) {
			name := w.bufferedName(x, p, i)
			x.open()
			d := x.take(p, i)
			x.change(p, func(pr *process) { pr.buffer = append(append([]delivered(nil), pr.buffer...), d) })
			x.keepLeases(p)
			x.emit(Event{Kind: EventBuffered, Proc: int16(p), Queue: int16(w.sc.Processes[p].Queue), Message: w.messageName(d.id), Label: d.label})
			x.tellAutoAck(p, d)
			x.close(Outcome{Name: name, Kind: StepDeliver, Proc: int16(p)})
		}
	}
}

func (w *World) bufferedName(x *step, p, i int) string {
	m := x.queue(w.sc.Processes[p].Queue).messages[i]
	return "deliver " + w.messageName(m.id) + " to " + w.procName(p) + " (buffered)"
}

// bufferable lists the messages that can go into the buffer of a process whose
// handler runs.
func (w *World) bufferable(x *step, p int) []int {
	pr := x.proc(p)
	if pr.gone || pr.stopping || pr.stalled && !w.pushes(p) || w.capacity(pr, p) <= 0 {
		return nil
	}
	return w.deliverable(x, p)
}

// deliverable lists the messages of a consumer's queue that the broker can
// hand to it next: one of them, where they have an order.
func (w *World) deliverable(x *step, p int) []int {
	q := w.sc.Processes[p].Queue
	decl, qu := &w.sc.Queues[q], x.queue(q)
	if decl.HoldLimit > 0 && heldBy(qu, p) >= decl.HoldLimit {
		return nil
	}
	var list []int
	for i := range qu.messages {
		if !w.isReady(q, p, qu.messages, i) {
			continue
		}
		list = append(list, i)
		if w.orderOf(q) == byAge {
			break
		}
	}
	return list
}

// take hands message i out and returns the delivery as its client gets it.
func (x *step) take(p, i int) delivered {
	decl := &x.w.sc.Processes[p]
	q := decl.Queue
	m := x.hand(p, i)
	d := delivered{id: m.id, label: m.label, in: x.w.input(q, m)}
	if decl.DropExpired {
		d.left = m.lease
	}
	if decl.KeepBuffer {
		d.beat = decl.Keep
	}
	x.outdate(p, m.id)
	if decl.AutoAck {
		d.settled = true
		x.leaveForGood(q, m.id)
	}
	return d
}

// input is what a handler is told of a message.
func (w *World) input(q int, m message) Input {
	return Input{Op: m.id.op, Body: m.body, Attempt: w.attempt(q, m), Group: m.group, Again: m.again}
}

// outdate notes that a message comes to a process once more: what it has of it
// already is an earlier delivery, with another tag or receipt handle.
func (x *step) outdate(p int, id messageID) {
	outdated := func(list []delivered) []delivered {
		list = append([]delivered(nil), list...)
		for i := range list {
			if list[i].id == id {
				list[i].old, list[i].beat = true, 0
			}
		}
		return list
	}
	pr := x.proc(p)
	for _, list := range [][]delivered{pr.held, pr.buffer} {
		for _, d := range list {
			if d.id == id && !d.old {
				x.change(p, func(pr *process) { pr.held, pr.buffer = outdated(pr.held), outdated(pr.buffer) })
				return
			}
		}
	}
}

// leaveForGood settles a message because it has left the broker.
func (x *step) leaveForGood(q int, id messageID) {
	i := slices.IndexFunc(x.queue(q).messages, func(m message) bool { return m.id == id })
	m := x.queue(q).messages[i]
	x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
	if m.label > 0 && x.w.conflicts[m.label-1] {
		x.changeIntent(m.label, func(g *intentGhost) { g.acked = true })
	}
}

// tellAutoAck tells a picture of a delivery that was settled by leaving.
func (x *step) tellAutoAck(p int, d delivered) {
	decl := &x.w.sc.Processes[p]
	if decl.AutoAck {
		x.emit(Event{Kind: EventSettled, Proc: int16(p), Queue: int16(decl.Queue), Message: x.w.messageName(d.id), Label: d.label, Verb: VerbAck, Runtime: true})
	}
}

// miss hands message i out, and it never arrives.
func (x *step) miss(p, i int) {
	q := x.w.sc.Processes[p].Queue
	m := x.queue(q).messages[i]
	x.hand(p, i)
	x.outdate(p, m.id)
	x.emit(Event{Kind: EventMissed, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	if x.w.sc.Processes[p].AutoAck {
		x.leaveForGood(q, m.id)
		x.tellAutoAck(p, delivered{id: m.id, label: m.label})
	}
}

// missedByClient lists the deliveries to a consumer with a buffer or batches
// whose answer can get lost.
func (w *World) missedByClient(p int) func(*step) {
	q := w.sc.Processes[p].Queue
	return func(x *step) {
		ask := &Call{Verb: VerbAck, Party: int16(q)} // stands for any request to this queue
		if w.sc.Queues[q].Boundary != Request || x.budget().total == 0 || !x.canStrike(LostReply, p, ask) {
			return
		}
		pr := x.proc(p)
		switch {
		case pr.node != 0:
			for _, i := range w.bufferable(x, p) {
				x.strike(LostReply, p, w.bufferedName(x, p, i)+" lost-reply", func() { x.miss(p, i) })
			}
		case pr.free():
			w.missedBatches(x, p)
		}
	}
}

// startOn starts a handler on deliveries.
func (x *step) startOn(p int, list []delivered) {
	decl, held := &x.w.sc.Processes[p], x.w.inHand(p, list)
	x.startsFor(p, list[0].label, func(pr *process) { pr.held = held })
	for _, d := range list[1:] {
		x.handOn(p, d.label)
	}
	x.keepLeases(p)
	x.arrive(p, x.w.prog.Start(decl.Handler, x.w.given(p, list)))
}

// inHand is deliveries as the process remembers them that a handler is given.
func (w *World) inHand(p int, list []delivered) []delivered {
	decl := &w.sc.Processes[p]
	held := append([]delivered(nil), list...)
	for i := range held {
		held[i].in, held[i].left, held[i].beat = Input{}, 0, 0
		if !held[i].old && !held[i].settled {
			held[i].beat = decl.Keep
		}
		if decl.Prefetch <= 1 && decl.Batch == 0 {
			held[i].label = 0 // the handler has it
		}
	}
	return held
}

// startNext starts a handler on what has waited longest in the buffer.
func (x *step) startNext(p int) {
	decl := &x.w.sc.Processes[p]
	if decl.DropExpired {
		x.dropExpired(p)
	}
	buffer := x.proc(p).buffer
	if len(buffer) == 0 {
		return
	}
	n := min(max(1, decl.Batch), len(buffer))
	x.change(p, func(pr *process) { pr.buffer = buffer[n:] })
	for _, d := range buffer[:n] {
		x.emit(Event{Kind: EventTaken, Proc: int16(p), Queue: int16(decl.Queue), Message: x.w.messageName(d.id), Label: d.label, Input: x.w.given(p, buffer[:n])})
	}
	x.startOn(p, buffer[:n])
}

// dropExpired drops what is in the buffer and whose lease has ended by the
// client's own clock. What the broker did before that time nobody told it.
func (x *step) dropExpired(p int) {
	var rest []delivered
	for _, d := range x.proc(p).buffer {
		if d.left > 0 {
			rest = append(rest, d)
			continue
		}
		x.emit(Event{Kind: EventUnbuffered, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), Message: x.w.messageName(d.id), Label: d.label})
	}
	x.change(p, func(pr *process) { pr.buffer = rest })
}

// loseBuffer empties the buffer of a process: its connection or the process
// itself is gone.
func (x *step) loseBuffer(p int) {
	buffer := x.proc(p).buffer
	if len(buffer) == 0 {
		return
	}
	for _, d := range buffer {
		x.emit(Event{Kind: EventUnbuffered, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), Message: x.w.messageName(d.id), Label: d.label, Done: d.settled})
	}
	x.change(p, func(pr *process) { pr.buffer = nil })
}

// ageBuffer moves the client's own clocks.
func (x *step) ageBuffer(p int, d Seconds) {
	decl := &x.w.sc.Processes[p]
	if !decl.DropExpired || len(x.proc(p).buffer) == 0 {
		return
	}
	x.change(p, func(pr *process) {
		pr.buffer = append([]delivered(nil), pr.buffer...)
		for i := range pr.buffer {
			b := &pr.buffer[i]
			if b.beat > 0 && !pr.stalled {
				b.left = x.w.sc.Queues[decl.Queue].Lease - b.beat
			} else {
				b.left = max(0, b.left-d)
			}
		}
	})
}

// deliveryNames names deliveries for a reader.
func (w *World) deliveryNames(list []delivered) []string {
	var names []string
	for _, d := range list {
		names = append(names, w.messageName(d.id))
	}
	return names
}

// clientsDiffer tells why nothing is exchanged: the order in which a client was
// given its deliveries is state that a renaming would have to follow.
func (w *World) clientsDiffer() string {
	for _, p := range w.sc.Processes {
		switch {
		case p.Prefetch > 1:
			return "consumers have buffers"
		case p.Batch > 0:
			return "consumers are given batches"
		}
	}
	if w.sc.Extends {
		return "leases are extended"
	}
	return ""
}
