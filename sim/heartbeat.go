package sim

// Heartbeats of connections. A process that stands still sends none, and after a
// while the broker takes it for dead: it closes the connection and gives back
// what the process had (rabbitmq-website docs/heartbeats.md: the timeout is 60
// seconds unless set, and is what two missed heartbeats come to). A process that
// works sends them, since its client does so in a thread of its own; one whose
// client can't while it works is told with a lease of 60 seconds. So only a
// stall is noticed like this, and nobody notices what a process that holds
// nothing does not say.

// beats tells whether a consumer's broker would miss its heartbeats.
func (w *World) beats(p int) bool {
	decl := &w.sc.Processes[p]
	if decl.Kind != Consumer || w.sc.Faults.Limit[Stall] == 0 {
		return false
	}
	q := &w.sc.Queues[decl.Queue]
	return q.Heartbeat > 0 && q.Boundary == Connection
}

// fallsSilent begins the time after which a broker misses a process that stands
// still.
func (x *step) fallsSilent(p int) {
	pr := x.proc(p)
	if !x.w.beats(p) || pr.gone || pr.node == 0 && !pr.owes && len(pr.buffer) == 0 {
		return
	}
	x.change(p, func(pr *process) {
		pr.silent, pr.missed = true, x.w.sc.Queues[x.w.sc.Processes[p].Queue].Heartbeat
	})
}

// silentSteps lists the connection that its broker takes for dead now.
func (w *World) silentSteps(p int) func(*step) {
	return func(x *step) {
		if pr := x.proc(p); pr.silent && pr.missed == 0 {
			w.takenForDead(x, p, 0)
		}
	}
}

// takenForDead is the moment at which a broker closes the connection of a
// process that has been silent for too long.
func (w *World) takenForDead(x *step, p int, d Seconds) {
	q := w.sc.Processes[p].Queue
	x.open()
	if d > 0 {
		x.advance(d)
	}
	x.emit(Event{Kind: EventSilent, Proc: int16(p), Queue: int16(q), Seconds: w.sc.Queues[q].Heartbeat})
	x.cut(p, partyQueue, q)
	x.close(Outcome{Name: w.procName(p) + " heartbeat timeout", Kind: StepTimer, Proc: int16(p)})
}
