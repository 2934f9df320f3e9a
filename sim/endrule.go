package sim

// What the runtime does for a handler that has ended: it settles what is
// unsettled, one by one, or it closes the connection or the process.

// leaves tells whether the rule for this end closes the connection or the
// process. It applies even where nothing is unsettled: what waits in the
// client's buffer goes along.
func (w *World) leaves(p int, c *Call) bool {
	if w.sc.Processes[p].Kind != Consumer || !c.Ends() {
		return false
	}
	rule := w.endRule(p, c)
	return rule == RuleClose || rule == RuleExit
}

// ruleLabel names what the runtime does next, without its process.
func (w *World) ruleLabel(x *step, p int) string {
	switch rule := x.proc(p).rule; rule {
	case RuleClose, RuleExit:
		return rule.String()
	}
	return w.callLabel(x, p, w.ruleCall(x, p))
}

// ruleCall is the settle that the runtime makes next: of the first delivery
// that is unsettled.
func (w *World) ruleCall(x *step, p int) *Call {
	pr := x.proc(p)
	return &Call{Verb: ruleVerb(pr.rule), Party: int16(w.sc.Processes[p].Queue), Table: -1, Place: uint8(pr.unsettled())}
}

// ruleSteps lists what the runtime does.
func (w *World) ruleSteps(x *step, p int) {
	name := w.procName(p) + " " + w.ruleLabel(x, p)
	switch x.proc(p).rule {
	case RuleClose, RuleExit:
		x.open()
		x.leaveByRule(p)
		x.close(Outcome{Name: name, Proc: int16(p)})
		return
	}
	c := w.ruleCall(x, p)
	for _, v := range w.settleVariants(x, p, c) {
		x.open()
		x.settleByRule(p, c, v)
		x.close(Outcome{Name: name + v.suffix(), Proc: int16(p)})
	}
}

// leaveByRule closes a consumer's connection, or ends its process, which starts
// again. Neither is a fault.
func (x *step) leaveByRule(p int) {
	q := x.w.sc.Processes[p].Queue
	if x.proc(p).rule == RuleExit {
		x.emit(Event{Kind: EventExit, Proc: int16(p), Queue: -1})
		x.fall(p)
		return
	}
	x.emit(Event{Kind: EventExit, Proc: int16(p), Queue: int16(q)})
	x.disconnect(p, partyQueue, q)
	x.idle(p)
}

// settleByRule is a settle that the runtime makes. If it fails the runtime does
// no more; otherwise it goes on with what else is unsettled.
func (x *step) settleByRule(p int, c *Call, v variant) {
	a := x.settle(p, c, v)
	x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c, Answer: a, Runtime: true})
	if pr := x.proc(p); a.Code != OK || pr.gone || pr.unsettled() < 0 {
		x.idle(p)
	}
}

// ruleFaults lists what can befall the settle that the runtime makes.
func (w *World) ruleFaults(x *step, p int) {
	pr := x.proc(p)
	q := &w.sc.Queues[w.sc.Processes[p].Queue]
	if pr.rule == RuleClose || pr.rule == RuleExit || q.Boundary == InProcess || pr.gone {
		return
	}
	c, name := w.ruleCall(x, p), w.procName(p)+" "+w.ruleLabel(x, p)
	lose := func(k FaultKind, arrives bool) {
		x.strike(k, p, name+" "+faultSuffix(k), func() {
			if arrives {
				x.settle(p, c, plain)
			}
			if q.Boundary == Connection {
				x.cut(p, partyQueue, w.sc.Processes[p].Queue)
			}
			x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c, Answer: Answer{Code: Timeout}, Fault: k, Runtime: true})
			x.idle(p)
		})
	}
	if x.canStrike(LostRequest, p, c) {
		lose(LostRequest, false)
	}
	if q.AckAnswers && x.canStrike(LostReply, p, c) {
		lose(LostReply, true)
	}
}
