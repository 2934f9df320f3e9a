package sim

// Faults come from a budget. Each rule here looks at the budget first, so that
// the steps without a fault are remembered apart from it.

// canStrike tells whether a fault of this kind is left and may strike process
// p or a call to the party of c (nil: the process itself).
func (x *step) canStrike(k FaultKind, p int, c *Call) bool {
	u := x.budget()
	if u.total == 0 || u.left[k] == 0 {
		return false
	}
	f := &x.w.sc.Faults
	if !f.Scoped || p >= 0 && f.Processes[p] {
		return true
	}
	if c == nil {
		return false
	}
	switch partyOf(c.Verb) {
	case partyQueue:
		return f.Queues[c.Party]
	case partyDatabase:
		return f.Databases[c.Party]
	case partyProvider:
		return f.Providers[c.Party]
	}
	return false
}

// spend takes a fault from the budget.
func (x *step) spend(k FaultKind) {
	u := *x.budget()
	u.total--
	u.left[k]--
	if !x.w.sc.Plodding {
		u.trim()
	}
	x.setBudget(&u)
}

// trim leaves no more of a kind than the total allows, so that budgets with
// which the same can still happen are equal.
func (u *budget) trim() {
	for k := range u.left {
		u.left[k] = min(u.left[k], u.total)
	}
}

// strike is an outcome that a fault brings about.
func (x *step) strike(k FaultKind, p int, name string, effect func()) {
	x.open()
	x.spend(k)
	effect()
	x.close(Outcome{Name: name, Fault: k, Kind: StepFault, Proc: int16(p)})
}

// processFaults lists what can befall a process at the call it is about to
// make, or while it waits, works or sleeps.
func (w *World) processFaults(p int) func(*step) {
	return func(x *step) {
		if x.budget().total == 0 {
			return
		}
		pr := x.proc(p)
		if pr.node == 0 {
			w.idleFaults(x, p)
			return
		}
		c := w.prog.Call(pr.node)
		at := w.before(x, p, c)
		who := w.procName(p)
		if x.canStrike(Crash, p, nil) {
			x.strike(Crash, p, who+" crash before "+at, func() { x.crash(p) })
		}
		w.connectionFaults(x, p)
		if pr.stalled {
			return
		}
		if x.canStrike(Stall, p, nil) {
			x.strike(Stall, p, who+" stall before "+at, func() {
				x.standStill(p)
				for _, m := range w.together(p) {
					if m != p {
						x.standStill(m)
					}
				}
			})
		}
		w.beatFaults(x, p)
		if pr.timing == notTiming && pr.rule != RuleProfile {
			w.ruleFaults(x, p)
		} else if pr.timing == notTiming && !c.Ends() {
			w.callFaults(x, p, c)
		} else if pr.timing == answering {
			w.answerFaults(x, p, c)
		}
	}
}

// standStill is a process that stands still from now on.
func (x *step) standStill(p int) {
	x.change(p, func(pr *process) { pr.stalled, pr.moved, pr.longest = true, false, x.w.sc.Faults.Longest })
	if x.w.readsLog(p) {
		x.readerStalls(p, true)
	}
	x.keepLeases(p)
	x.fallsSilent(p)
	x.emit(Event{Kind: EventStall, Proc: int16(p)})
}

// before names the gap that a process stands in: the call it lies before.
func (w *World) before(x *step, p int, c *Call) string {
	pr := x.proc(p)
	switch {
	case pr.rule != RuleProfile:
		return w.ruleLabel(x, p)
	case c.Ends():
		return "end"
	case pr.timing != notTiming:
		return w.callLabel(x, p, c) + " done"
	}
	return w.callLabel(x, p, c)
}

// callFaults lists the outcomes of a call that its boundary makes possible
// beside the one that works.
func (w *World) callFaults(x *step, p int, c *Call) {
	name := w.callName(x, p, c)
	b := boundaryOf(w.sc, c)
	if partyOf(c.Verb) == partyDatabase && (c.InTx || c.Verb == VerbCommit || c.Verb == VerbRollback) {
		if x.txBroken(p, int(c.Party)) {
			return // nothing crosses a lost connection
		}
	}
	if speaksOfDelivery(c.Verb) && x.proc(p).gone {
		return
	}
	if w.sc.Faults.Limit[Outage] > 0 && x.isDown(c) {
		return // refused as it is
	}
	if x.canStrike(RefusedCall, p, c) && canBeRefused(c.Verb) && (!isSend(w.sc, c) || c.Post.Later) {
		if out := x.tryOut(p, c); !out.waits {
			x.strike(RefusedCall, p, name+" refused", func() { x.fails(p, c, Refused, RefusedCall) })
			w.storedRefusal(x, p, c, name)
			w.itemRefusals(x, p, c, name)
		}
	}
	if b == InProcess {
		return
	}
	w.lateFaults(x, p, c, name)
	effect := hasEffect(c.Verb)
	switch {
	case c.Verb != VerbWait && x.canStrike(LostRequest, p, c):
		x.strike(LostRequest, p, name+" lost-request", func() { x.lost(p, c, LostRequest) })
	case !effect && x.canStrike(LostReply, p, c):
		x.strike(LostReply, p, name+" lost-reply", func() { x.lost(p, c, LostReply) })
	}
	if !effect || isSend(w.sc, c) || !x.canStrike(LostReply, p, c) {
		return
	}
	for _, v := range w.variants(x, p, c) {
		if out := x.tryOut(p, c); out.waits {
			return
		}
		x.strike(LostReply, p, name+v.suffix()+" lost-reply", func() {
			x.do(p, c, v)
			x.lost(p, c, LostReply)
		})
	}
}

// tryOut makes a call in an outcome that is thrown away, to see how it would
// come out.
func (x *step) tryOut(p int, c *Call) outcome {
	record := x.record
	x.record = false
	x.open()
	out := x.do(p, c, plain)
	copy(x.cur, x.base)
	x.record = record
	return out
}

// speaksOfDelivery tells whether a call concerns one of the handler's
// deliveries and goes over their connection.
func speaksOfDelivery(v Verb) bool { return isSettle(v) || v == VerbExtend }

func isSettle(v Verb) bool { return v == VerbAck || v == VerbNack || v == VerbReject }

// hasEffect tells whether anything changes at the party when the call arrives.
func hasEffect(v Verb) bool {
	switch v {
	case VerbGet, VerbExists, VerbSelect, VerbCount, VerbLookup, VerbWait:
		return false
	}
	return true
}

// lost gives the caller of a call whose request or reply got lost what it
// sees: a timeout, or nothing where it expected no answer. On a connection
// that loss is the loss of the connection.
func (x *step) lost(p int, c *Call, k FaultKind) {
	sc := x.w.sc
	if isSettle(c.Verb) {
		x.noteSettled(p, c)
	}
	if boundaryOf(sc, c) == Connection {
		x.cut(p, partyOf(c.Verb), int(c.Party))
	}
	switch {
	case c.Verb == VerbWait:
		x.takeConfirm(p, c)
	case c.Post.Later:
		x.await(p, c, Answer{Code: Timeout})
	}
	if isSend(sc, c) {
		x.called(p, c, Answer{}, k)
		x.answer(p, Answer{})
		return
	}
	x.called(p, c, Answer{Code: Timeout}, k)
	if wait := timeoutOf(sc, c); wait > 0 {
		x.change(p, func(pr *process) { pr.timing, pr.timer = awaiting, wait })
		return
	}
	x.answer(p, Answer{Code: Timeout})
}

// fails gives the caller a definite failure: nothing happened.
func (x *step) fails(p int, c *Call, code Code, k FaultKind) {
	if isSettle(c.Verb) {
		x.noteSettled(p, c)
	}
	x.called(p, c, Answer{Code: code}, k)
	if c.Post.Later {
		x.await(p, c, Answer{Code: code})
		code = OK
	}
	x.answer(p, Answer{Code: code})
}

// called notes a call for the picture, and for the job that made it.
func (x *step) called(p int, c *Call, a Answer, k FaultKind) {
	x.noteRun(p, c, a, k)
	x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c, Answer: a, Fault: k})
}

func faultSuffix(k FaultKind) string {
	if k == LostReply {
		return "lost-reply"
	}
	return "lost-request"
}

// connectionFaults lists the connections of a process that can be lost at any
// moment with something at stake.
func (w *World) connectionFaults(x *step, p int) {
	if x.budget().left[ConnectionLost] == 0 {
		return
	}
	// A connection has two ends: it is struck where either may be.
	to := func(v Verb, party int) bool {
		return x.canStrike(ConnectionLost, p, &Call{Verb: v, Party: int16(party)})
	}
	decl := &w.sc.Processes[p]
	pr := x.proc(p)
	if decl.Kind == Consumer && to(VerbAck, decl.Queue) && w.sc.Queues[decl.Queue].Boundary == Connection && !pr.gone {
		if heldBy(x.queue(decl.Queue), p) > 0 || pr.unsettled() >= 0 || len(pr.buffer) > 0 {
			x.strike(ConnectionLost, p, w.procName(p)+" connection-lost to "+w.sc.Queues[decl.Queue].Name, func() {
				x.cut(p, partyQueue, decl.Queue)
			})
		}
	}
	w.awaitedConnections(x, p)
	for d := range w.sc.Databases {
		_, open := x.tx(p, d)
		if atStake := open && !x.txBroken(p, d) || x.holdsNamed(p, d); atStake && to(VerbCommit, d) && w.sc.Databases[d].Boundary == Connection {
			x.strike(ConnectionLost, p, w.procName(p)+" connection-lost to "+w.sc.Databases[d].Name, func() {
				x.disconnect(p, partyDatabase, d)
			})
		}
	}
}

// disconnect is the loss of a connection: its transaction is rolled back, its
// deliveries go back by the profile's rule, and its handles are gone.
func (x *step) disconnect(p int, kind partyKind, i int) {
	e := Event{Kind: EventDisconnect, Proc: int16(p), Queue: -1, Database: -1}
	switch kind {
	case partyDatabase:
		e.Database = int16(i)
		x.emit(e)
		x.dropNamed(p, i)
		x.settleUp(p)
		if tx, open := x.tx(p, i); open && !tx.broken {
			x.unlock(p, i)
			x.emit(Event{Kind: EventRollback, Proc: int16(p), Database: int16(i), Rows: len(tx.writes)})
			x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, transaction{db: uint8(i), broken: true}) })
		}
	case partyQueue:
		e.Queue = int16(i)
		x.emit(e)
		x.loseConfirms(p, i)
		decl := &x.w.sc.Processes[p]
		if decl.Kind != Consumer || decl.Queue != i {
			return
		}
		if x.w.sc.Queues[i].DisconnectRequeues {
			x.giveBack(p, i)
		}
		x.loseBuffer(p)
		x.settleUp(p)
		if x.proc(p).silent {
			x.change(p, func(pr *process) { pr.silent, pr.missed = false, 0 }) // nobody waits for a sign of life any more
		}
		if x.proc(p).node != 0 {
			x.change(p, func(pr *process) { pr.gone = true })
			x.keepLeases(p)
		}
	}
}

// crash kills a process: its memory, its transactions, its connections and
// what it had in hand are gone; nothing durable is.
func (x *step) crash(p int) {
	x.emit(Event{Kind: EventCrash, Proc: int16(p), Call: x.w.prog.Call(x.proc(p).node)})
	x.fall(p)
}

// die is the end of a process, by crash, by rule or by whoever watches over it.
// It restarts in the same step, unless it stays down for a while.
func (x *step) die(p int) {
	x.rollBackAll(p)
	for d := range x.w.sc.Databases {
		x.dropNamed(p, d)
	}
	x.abortAll(p)
	if x.w.readsLog(p) {
		x.readerCrashed(p)
	}
	decl := &x.w.sc.Processes[p]
	if decl.Kind == Consumer && x.w.sc.Queues[decl.Queue].DisconnectRequeues {
		x.giveBack(p, decl.Queue)
	}
	x.restlessRun(p)
	x.loseBuffer(p)
	if x.w.sc.Remembers {
		x.change(p, func(pr *process) { pr.memory = nil })
	}
	x.goDown(p)
	x.idle(p)
}

// earlyExpiry lists the leases that a broker may end before their time.
func (w *World) earlyExpiry(q int) func(*step) {
	return func(x *step) {
		if w.sc.Queues[q].Lease == 0 || x.budget().total == 0 || x.budget().left[EarlyExpiry] == 0 {
			return // what has no lease can't lose it
		}
		for i, m := range x.queue(q).messages {
			if m.holder == 0 || !w.mayExpire(q, int(m.holder)-1) {
				continue
			}
			x.strike(EarlyExpiry, int(m.holder)-1, w.expireName(m)+" early", func() { x.expire(q, i, EarlyExpiry) })
		}
	}
}

func (w *World) mayExpire(q, p int) bool {
	f := &w.sc.Faults
	return !f.Scoped || f.Queues[q] || f.Processes[p]
}
