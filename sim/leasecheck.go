package sim

// Brokers that look only now and then for leases that are over. RabbitMQ checks
// its delivery timeout once a minute (R-RMQ-10 in the project's runs): one of 30
// minutes ends somewhere between minute 30 and minute 31. When the broker looks
// is nobody's doing, so it is a choice, and until it does a settle counts.

// overdue tells whether the lease of a message is over and the broker has not
// had to look yet.
func (w *World) overdue(q int, m *message) bool {
	return m.holder != 0 && m.lease == 0 && m.over < w.sc.Queues[q].Check
}

// checkSteps lists the leases that are over and that the broker may find now.
// They don't hold the clock.
func (w *World) checkSteps(q int) func(*step) {
	return func(x *step) {
		for i := range x.queue(q).messages {
			if m := x.queue(q).messages[i]; w.overdue(q, &m) {
				x.open()
				x.expire(q, i, NoFault)
				x.close(Outcome{Name: w.expireName(m), Kind: StepTimer, Proc: int16(m.holder) - 1, Waits: true})
			}
		}
	}
}

// checkLeft is the time until the broker has looked for sure.
func (w *World) checkLeft(q int, m *message) Seconds {
	if m.holder == 0 {
		return 0
	}
	return m.lease + w.sc.Queues[q].Check - m.over
}

// fireChecks lists the leases that are over within d, each at its moment.
func (w *World) fireChecks(x *step, q int, d Seconds) {
	for i := range x.queue(q).messages {
		m := x.queue(q).messages[i]
		if m.holder == 0 || m.lease == 0 || m.lease > d {
			continue
		}
		x.open()
		x.advance(m.lease)
		x.expire(q, i, NoFault)
		x.close(Outcome{Name: w.expireName(m), Kind: StepTimer, Proc: int16(m.holder) - 1})
	}
}

// ageChecked lets time pass for a message whose lease ends when the broker looks.
func (m *message) ageChecked(d, check Seconds) {
	if m.holder == 0 {
		return
	}
	m.over = min(check, m.over+max(0, d-m.lease))
	m.lease = max(0, m.lease-d)
}
