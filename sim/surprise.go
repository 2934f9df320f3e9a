package sim

// Surprises: what a broker may do of itself although nobody asked for it. SQS
// standard queues may bring back a deleted message and may deliver one to
// somebody else inside its visibility timeout; Pub/Sub may redeliver what was
// acked.

// canReappear tells whether a message that is deleted now can come again.
func (x *step) canReappear(q int) bool {
	return x.w.sc.Queues[q].Reappears && x.w.sc.Faults.Limit[Surprise] > 0 && x.mayStrikeQueue(q) && x.budget().left[Surprise] > 0
}

// mayStrikeQueue asks the scope of the faults.
func (x *step) mayStrikeQueue(q int) bool {
	return !x.w.sc.Faults.Scoped || x.w.sc.Faults.Queues[q]
}

// remove takes a message out of its queue, kept aside if it can reappear.
func (w *World) remove(q int, qu *queue, i int, aside bool) {
	m := qu.messages[i]
	qu.messages = append(qu.messages[:i], qu.messages[i+1:]...)
	if !aside {
		return
	}
	w.setAside(q, qu, m)
	for i := 0; w.sc.Queues[q].RepeatsKey && i < len(qu.messages); i++ {
		if m := qu.messages[i]; m.pending == kept && !olderStands(qu.messages, i) {
			qu.messages = append(qu.messages[:i], qu.messages[i+1:]...)
			w.setAside(q, qu, m)
			i--
		}
	}
}

// surprises lists what a queue's broker can do of itself.
func (w *World) surprises(q int) func(*step) {
	decl := &w.sc.Queues[q]
	return func(x *step) {
		if !decl.Reappears && !decl.Doubles || x.budget().total == 0 || x.budget().left[Surprise] == 0 || !x.mayStrikeQueue(q) {
			return
		}
		if decl.Reappears {
			w.reappearances(x, q)
		}
		if !decl.Doubles {
			return
		}
		for i, m := range x.queue(q).messages {
			if m.holder == 0 {
				continue
			}
			x.strike(Surprise, -1, decl.Name+" forgets that "+w.procName(int(m.holder)-1)+" has "+w.messageName(m.id), func() {
				x.changeQueue(q, func(qu *queue) { w.comeBack(q, qu, i, m.holder, 0, false) })
				x.emit(Event{Kind: EventDoubled, Proc: int16(m.holder) - 1, Queue: int16(q), Message: w.messageName(m.id), Label: m.label})
				x.repeatLater(q, m.id)
				x.lastSurprise()
			})
		}
	}
}

// reappearances lists the deleted messages that can come again, those of one
// operation numbered.
func (w *World) reappearances(x *step, q int) {
	gone := x.queue(q).gone
	for i := range gone {
		m := gone[i]
		number := uint8(1)
		for _, o := range gone[:i] {
			number += flag(o.id.op == m.id.op)
		}
		x.strike(Surprise, -1, w.messageName(messageID{m.id.op, number})+" reappears in "+w.sc.Queues[q].Name, func() {
			x.reappear(q, i)
			x.lastSurprise()
		})
	}
}

// lastSurprise forgets deleted messages where none can reappear any more.
func (x *step) lastSurprise() {
	if x.budget().left[Surprise] > 0 || x.w.sc.Plodding {
		return
	}
	for q := range x.w.sc.Queues {
		if len(x.queue(q).gone) > 0 {
			x.changeQueue(q, func(qu *queue) { qu.gone = nil })
		}
	}
}
