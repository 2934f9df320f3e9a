package sim

import "slices"

// Groups: a group is worked on in its order, and a message that can't be
// processed holds back its group and nothing else. SQS FIFO calls the group
// MessageGroupId, Pub/Sub an ordering key.
//
// One receive may return several messages of a group, in their order. While any
// of them is with somebody, nobody is given a further one of that group: also
// the first of a batch, given back while a later one is worked on, waits for
// that one. What stands in the way of order is what a consumer does: it can
// delete a later message while an earlier one has failed.
//
// Pub/Sub streams on to the client that has the earlier messages of a key, and
// whenever a message comes again the later ones of its key come again too, those
// that are with somebody and those that were acked. So an acked message stands
// in the queue, as kept, until all before it are acked.

// isReady tells whether the broker can hand out message i to process p now.
func (w *World) isReady(q, p int, list []message, i int) bool {
	return w.isDue(q, &list[i]) && (!w.sc.Queues[q].Groups || list[i].group == None || w.groupFree(q, p, list, i))
}

// groupFree tells whether nothing of its group stands in the way of message i.
func (w *World) groupFree(q, p int, list []message, i int) bool {
	streams := w.sc.Queues[q].RepeatsKey && w.sc.Processes[p].Prefetch > 1
	for j := range list {
		m := &list[j]
		if j == i || m.group != list[i].group || m.pending == kept {
			continue
		}
		if streams && int(m.holder) == p+1 {
			continue // its client has what comes before
		}
		if j < i || m.holder != 0 {
			return false
		}
	}
	return true
}

// nextBatch lists the messages of the next batch of a process: the first that are
// ready, in the order in which the queue has them, up to the size.
func (w *World) nextBatch(x *step, p int) []messageID {
	decl := &w.sc.Processes[p]
	q := &w.sc.Queues[decl.Queue]
	most := decl.Batch
	if q.HoldLimit > 0 {
		most = min(most, q.HoldLimit-heldBy(x.queue(decl.Queue), p))
	}
	var ids []messageID
	list := x.queue(decl.Queue).messages
	for i := range list {
		if len(ids) < most && (w.isReady(decl.Queue, p, list, i) || q.Groups && w.follows(decl.Queue, list, i, ids)) {
			ids = append(ids, list[i].id)
		}
	}
	return ids
}

// follows tells whether a message can leave together with those of its group
// that come before it.
func (w *World) follows(q int, list []message, i int, ids []messageID) bool {
	if list[i].group == None || !w.isDue(q, &list[i]) {
		return false
	}
	any := false
	for j := range list[:i] {
		if list[j].group == list[i].group && list[j].pending != kept {
			if !slices.Contains(ids, list[j].id) {
				return false
			}
			any = true
		}
	}
	return any
}

// placeOf is the place of a message in its queue.
func (x *step) placeOf(q int, id messageID) int {
	return slices.IndexFunc(x.queue(q).messages, func(m message) bool { return m.id == id })
}

// olderStands tells whether a message of the same group before message i is
// neither acked nor gone.
func olderStands(list []message, i int) bool {
	for j := range list[:i] {
		if list[j].group == list[i].group && list[j].pending != kept {
			return true
		}
	}
	return false
}

// keepsAcked tells whether message i would stay, acked, because it can still
// come again with an earlier one of its key.
func (x *step) keepsAcked(q, i int) bool {
	decl, list := &x.w.sc.Queues[q], x.queue(q).messages
	return decl.RepeatsKey && decl.Groups && list[i].group != None && olderStands(list, i)
}

// outOfOrder tells whether an ack of message i is refused because an earlier one
// of its key has not been acked.
func (x *step) outOfOrder(q, i int) bool {
	decl, list := &x.w.sc.Queues[q], x.queue(q).messages
	return decl.OrderedAcks && decl.Groups && list[i].group != None && olderStands(list, i)
}

// ordersAcks tells whether a call is an ack that can be refused for its order.
func ordersAcks(sc *Scenario, c *Call) bool {
	if c.Verb != VerbAck {
		return false
	}
	q := &sc.Queues[c.Party]
	return q.OrderedAcks && q.Groups
}

// dropKept forgets acked messages that nothing can bring again.
func (w *World) dropKept(q int, qu *queue) {
	for i := 0; i < len(qu.messages); {
		if qu.messages[i].pending == kept && !olderStands(qu.messages, i) {
			qu.messages = append(qu.messages[:i], qu.messages[i+1:]...)
			continue
		}
		i++
	}
}

// repeatLater brings the later messages of a key again with one that came back.
func (x *step) repeatLater(q int, id messageID) {
	if !x.w.sc.Queues[q].RepeatsKey || !x.w.sc.Queues[q].Groups {
		return
	}
	i := x.placeOf(q, id)
	group := x.queue(q).messages[i].group
	for j := i + 1; group != None && j < len(x.queue(q).messages); j++ {
		m := x.queue(q).messages[j]
		if m.group != group || m.holder == 0 && m.pending != kept {
			continue
		}
		last := uint8(0)
		if x.w.lateCounts(q) {
			last = m.holder
		}
		x.changeQueue(q, func(qu *queue) {
			again := &qu.messages[j]
			ready(again, last)
			again.pending, again.again = notPending, x.w.sc.Again
		})
		x.emit(Event{Kind: EventRepeated, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	}
}

// setAside keeps deleted messages that a surprise can bring again. Of a key they
// stand in their order, which is that in which they left the queue.
func (w *World) setAside(q int, qu *queue, m message) {
	ready(&m, 0)
	m.front, m.by, m.nth, m.pending = false, 0, 0, notPending
	keyed := w.sc.Queues[q].RepeatsKey && w.sc.Queues[q].Groups
	before := func(o *message) bool {
		switch {
		case !keyed || m.group == None && o.group == None:
			return w.messageBefore(o.id, m.id)
		case o.group != m.group:
			return w.sc.Values.Less(o.group, m.group)
		}
		return true
	}
	at := 0
	for at < len(qu.gone) && before(&qu.gone[at]) {
		at++
	}
	gone := append([]message(nil), qu.gone[:at]...)
	qu.gone = append(append(gone, m), qu.gone[at:]...)
}

// reappear brings back a deleted message and, of a key, the later ones that were
// deleted after it and those that stand in the queue.
func (x *step) reappear(q, i int) {
	w := x.w
	first := x.queue(q).gone[i]
	follows := w.sc.Queues[q].RepeatsKey && w.sc.Queues[q].Groups && first.group != None
	var back, rest []message
	for j, m := range x.queue(q).gone {
		if j == i || follows && j > i && m.group == first.group {
			back = append(back, m)
		} else {
			rest = append(rest, m)
		}
	}
	x.changeQueue(q, func(qu *queue) { qu.gone = rest })
	for n := range back {
		back[n].id = x.nextMessage(q, back[n].id.op)
		x.changeQueue(q, func(qu *queue) {
			if !follows {
				qu.messages = w.insertMessage(q, qu.messages, back[n])
				return
			}
			at := slices.IndexFunc(qu.messages, func(m message) bool {
				return m.group == first.group && !slices.ContainsFunc(back[:n], func(b message) bool { return b.id == m.id })
			})
			if at < 0 {
				qu.messages = w.insertMessage(q, qu.messages, back[n])
			} else {
				qu.messages = slices.Insert(qu.messages, at, back[n])
			}
		})
		x.emit(Event{Kind: EventReappeared, Proc: -1, Queue: int16(q), Message: w.messageName(back[n].id), Label: back[n].label})
	}
	x.repeatLater(q, back[0].id)
}
