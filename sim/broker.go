package sim

// The broker: its messages, what it counts of them and where it gives them up.

// nextMessage is the identity that a publish of this operation would get: the
// smallest publication number that no message in the queue bears.
func (x *step) nextMessage(q int, op ValueID) messageID {
	if l := x.w.logOf(q); l >= 0 {
		return x.nextRecord(l, op)
	}
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

// insertMessage adds a message at the end or, where the queue has no order, at
// its place in a fixed order that carries no history.
func (w *World) insertMessage(q int, list []message, m message) []message {
	i := w.place(q, list, &m)
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
	case w.sc.Attempts == 0 || w.sc.Queues[q].Counter == CountsNothing || w.sc.Queues[q].CountsPolicy && w.sc.Queues[q].DeadLetter < 0:
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
			if m.holder != 0 || m.pending != notPending || !w.overcounted(q, m) || decl.DeadLetter < 0 && decl.KeepsOvercounted {
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
	moved := x.moveInto(dead, m)
	if x.w.outlives(q) {
		i := x.placeOf(dead, moved)
		x.changeQueue(dead, func(qu *queue) { qu.messages[i].left = x.w.leftIn(q, dead, &m) })
	}
	return x.w.sc.Queues[dead].Name
}

// outlives tells whether how old a message of a queue is counts in its
// dead-letter queue.
func (w *World) outlives(q int) bool {
	decl := &w.sc.Queues[q]
	return decl.KeepsAge && decl.DeadLetter >= 0 && w.sc.Queues[decl.DeadLetter].Lifetime > 0
}

// leftIn is the time that a message has left in a dead-letter queue in which it
// is as old as it was. What has no lifetime where it is has been counting that
// time from the beginning.
func (w *World) leftIn(q, dead int, m *message) Seconds {
	if !m.mortal {
		return m.left
	}
	return max(0, w.sc.Queues[dead].Lifetime-(w.sc.Queues[q].Lifetime-m.left))
}
