package sim

// The ends of deliveries by time alone.

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
