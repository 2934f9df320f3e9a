package sim

import "fmt"

// How a process moves: it asks the question at its node, the party answers,
// and the answer leads to the next node. The last call of a handler is its end
// unless something is still open; then `end` is a step of its own, followed by
// what the runtime does.

// outcome is how one try of a call came out.
type outcome struct {
	answer Answer
	waits  bool // a lock is in the way: the call is not made
	runs   bool // the party works on it before it answers
}

// processSteps lists what a process can do by itself.
func (w *World) processSteps(p int) func(*step) {
	return func(x *step) {
		pr := x.proc(p)
		if pr.node == 0 || pr.stalled {
			return
		}
		if pr.timing != notTiming {
			if pr.timer == 0 {
				name := w.timerName(x, p) // names speak of the state before the step
				x.open()
				x.finishTimer(p)
				x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
			}
			return
		}
		if pr.rule != RuleProfile {
			w.ruleSteps(x, p)
			return
		}
		c := w.prog.Call(pr.node)
		switch {
		case c.Verb == VerbMistake:
			x.err = &MistakeError{Process: w.procName(p), Node: pr.node, Handler: x.handler(p), Text: c.Text}
		case c.Ends():
			x.open()
			x.end(p, c)
			x.close(Outcome{Name: w.procName(p) + " end", Proc: int16(p)})
		case c.Verb == VerbWait:
			name := w.callName(x, p, c)
			x.open()
			x.wait(p, c)
			x.close(Outcome{Name: name, Proc: int16(p)})
		case c.Verb == VerbOneOf:
			w.choose(x, p, c)
		case c.Verb == VerbWork || c.Verb == VerbSleep:
			name := w.callName(x, p, c)
			x.open()
			x.startTimer(p, c)
			x.close(Outcome{Name: name, Proc: int16(p)})
		case w.sc.Faults.Limit[Outage] > 0 && x.isDown(c):
			name := w.callName(x, p, c)
			x.open()
			x.fails(p, c, Refused, NoFault)
			x.close(Outcome{Name: name, Proc: int16(p)})
		default:
			if pr.waited > 0 || pr.circled > 0 {
				w.lockSteps(x, p, 0)
			}
			name := w.callName(x, p, c)
			for _, v := range w.variants(x, p, c) {
				x.open()
				if out := x.do(p, c, v); !out.waits {
					x.called(p, c, out.answer, NoFault)
					x.answerIn(p, c, out)
					x.close(Outcome{Name: name + v.suffix(), Proc: int16(p)})
				}
			}
		}
	}
}

// MistakeError says that a handler's text is wrong at a place that a run
// reached. The front end turns the node into a position. Code and Next are
// given where it is the world that found it.
type MistakeError struct {
	Process string
	Handler HandlerID
	Node    Node
	Code    string
	Text    string
	Next    string // what to do
}

func (e *MistakeError) Error() string { return e.Process + ": " + e.Text }

// variant tells apart the free choices of one call: what the party makes of a
// settle whose effect is undefined.
type variant uint8

const (
	plain variant = iota
	takes         // a stale settle that holds after all
	keeps         // a stale settle without effect, reported as success
	errs          // a stale settle without effect, reported as an error
)

func (v variant) suffix() string {
	switch v {
	case takes:
		return " (settled)"
	case keeps:
		return " (kept)"
	case errs:
		return " (error)"
	}
	return ""
}

func (w *World) variants(x *step, p int, c *Call) []variant {
	switch c.Verb {
	case VerbAck, VerbNack, VerbReject:
		return w.settleVariants(x, p, c)
	}
	return []variant{plain}
}

// do makes a call at its party: the effect and the answer, or that it waits.
func (x *step) do(p int, c *Call, v variant) outcome {
	switch c.Verb {
	case VerbPublish:
		return x.publish(p, c)
	case VerbAck, VerbNack, VerbReject:
		return outcome{answer: x.settle(p, c, v)}
	case VerbExtend:
		return outcome{answer: x.extend(p, c)}
	case VerbCommitOffset:
		return outcome{answer: x.commitHeld(p, c)}
	case VerbBeginLog, VerbSendOffsets, VerbCommitLog, VerbAbortLog:
		return x.logTransaction(p, c)
	case VerbCancel:
		return x.cancel(p, c)
	case VerbRedrive:
		return x.redrive(p, c)
	case VerbSend:
		return x.send(p, c)
	case VerbSendBatch:
		return x.sendBatch(p, c, -1)
	case VerbLookup:
		return x.lookup(c)
	case VerbAccept, VerbRefuse:
		return x.tell(p, c)
	}
	return x.statement(p, c)
}

// answer gives a process the answer to its call and moves it on.
func (x *step) answer(p int, a Answer) {
	pr := x.proc(p)
	x.arrive(p, x.w.prog.Next(pr.node, a))
}

// arrive puts a process at a node, answering what only the runtime is asked,
// and ends the handler if nothing is left to do.
func (x *step) arrive(p int, n Node) {
	w := x.w
	for c := w.prog.Call(n); c.NoStep(); c = w.prog.Call(n) {
		a := x.atOnce(p, c)
		x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c, Answer: a, Runtime: true})
		n = w.prog.Next(n, a)
	}
	x.change(p, func(pr *process) { pr.node, pr.waited, pr.circled = n, 0, 0 })
	c := w.prog.Call(n)
	if c.Verb != VerbEnd && c.Verb != VerbFail {
		return
	}
	pr := x.proc(p)
	if len(pr.txs) == 0 && !x.anyLogTx(p) && pr.unsettled() < 0 && (pr.ending || !w.leaves(p, c)) {
		x.emit(Event{Kind: EventEnd, Proc: int16(p), Call: c})
		x.leave(p, c)
		x.idle(p)
	}
}

// atOnce answers what is no step.
func (x *step) atOnce(p int, c *Call) Answer {
	switch c.Verb {
	case VerbWithdraw, VerbHandOver:
		x.note(p, c)
	case VerbKeep:
		x.keep(p, c)
	case VerbRecall:
		return x.recall(p, c)
	case VerbStopping:
		return x.isStopping(p)
	case VerbRemember:
		x.store(p, c)
	case VerbFreshID:
		id := x.freshID()
		x.change(p, func(pr *process) { pr.fresh = append(append([]ValueID(nil), pr.fresh...), id) })
		return Answer{Value: id}
	}
	return Answer{}
}

// end is the step of a handler that left something open: its transactions are
// rolled back, then the runtime's rule is due.
func (x *step) end(p int, c *Call) {
	x.rollBackAll(p)
	x.abortAll(p)
	x.emit(Event{Kind: EventEnd, Proc: int16(p), Call: c})
	rule := x.w.endRule(p, c)
	pr := x.proc(p)
	if pr.ending {
		x.idle(p) // it ends now, and what it leaves unsettled goes back by itself: no rule asks what became of that
		return
	}
	if x.w.leaves(p, c) || pr.unsettled() >= 0 && rule != RuleNothing {
		x.change(p, func(pr *process) { pr.rule = rule })
		return
	}
	x.leave(p, c)
	x.idle(p)
}

// endRule is what the runtime does for this process after this end.
func (w *World) endRule(p int, c *Call) EndRule {
	decl := &w.sc.Processes[p]
	if decl.Kind != Consumer {
		return RuleNothing
	}
	if decl.Group > 0 {
		return w.logEndRule(p, c)
	}
	rule := decl.OnReturn
	if c.Verb == VerbFail {
		rule = decl.OnError
		if rule == RuleProfile {
			rule = w.sc.Queues[decl.Queue].OnError
		}
	}
	if rule == RuleProfile {
		rule = RuleNothing
	}
	return rule
}

func ruleVerb(r EndRule) Verb {
	switch r {
	case RuleAck:
		return VerbAck
	case RuleRequeue:
		return VerbNack
	case RuleReject:
		return VerbReject
	case RuleCommit:
		return VerbCommitAfter
	}
	panic(fmt.Sprintf("sim: rule %s is no settle", r))
}

// idle makes a process forget its handler and go on: with what waits for it or,
// where it was told to stop, to its end.
func (x *step) idle(p int) {
	ended, owes := x.proc(p).ending, x.mayOwe(p) && x.holds(p)
	if x.w.sc.Cancels || x.w.sc.Faults.Limit[BrokerRestart] > 0 {
		x.disown(p)
	}
	x.change(p, func(pr *process) {
		*pr = process{next: pr.next, buffer: pr.buffer, memory: pr.memory, life: pr.life.rest()}
		pr.owes = owes
	})
	if x.w.readsLog(p) {
		x.readerIdle(p)
	}
	switch kind := x.w.sc.Processes[p].Kind; {
	case x.w.fronted(p):
		x.endRequest(p)
	case kind == Consumer:
		x.keepLeases(p)
	case kind == Job && ended:
		x.forgetRun(p)
	case kind == Job:
		x.endRun(p)
	}
	if x.proc(p).stopping {
		x.stops(p, ended)
		return
	}
	x.takeNext(p)
}

// takeNext starts the handler of a process that is free on what waits for it:
// the next request, the first of its buffer. Taking one is no step.
func (x *step) takeNext(p int) {
	if !x.proc(p).free() {
		return
	}
	switch kind := x.w.sc.Processes[p].Kind; {
	case x.w.fronted(p):
		x.serve(x.w.sc.Processes[p].Front)
	case kind == Service:
		x.nextRequest(p)
	case kind == Consumer && len(x.proc(p).buffer) > 0:
		x.startNext(p)
	}
}

// nextRequest starts a service's handler on its next request, if there is one.
func (x *step) nextRequest(p int) {
	decl := &x.w.sc.Processes[p]
	pr := x.proc(p)
	if int(pr.next) >= len(decl.Requests) {
		return
	}
	intent := decl.Requests[pr.next]
	in := &x.w.sc.Intents[intent]
	x.startsFor(p, labelID(intent+1), func(pr *process) { pr.next++ })
	x.emit(Event{Kind: EventStart, Proc: int16(p), Input: Input{Op: in.Op, Body: in.Body}, Label: labelID(intent + 1)})
	x.arrive(p, x.w.prog.Start(decl.Handler, Input{Op: in.Op, Body: in.Body}))
}

// tell answers the caller of a service's request, who may have left.
func (x *step) tell(p int, c *Call) outcome {
	label := x.proc(p).label
	listens := x.listens(p)
	x.changeIntent(label, func(g *intentGhost) {
		g.promised = g.promised || c.Verb == VerbAccept
		switch {
		case !listens:
		case c.Verb == VerbAccept:
			g.told = toldAccepted
		default:
			g.told = toldRefused
		}
	})
	x.emit(Event{Kind: EventTold, Proc: int16(p), Call: c, Label: label})
	return outcome{}
}

// procName is the name of a process in a schedule.
func (w *World) procName(p int) string { return w.sc.Processes[p].Name }

// callName names the step of a call: who does what to what.
func (w *World) callName(x *step, p int, c *Call) string {
	return w.procName(p) + " " + w.callLabel(x, p, c)
}

// callLabel is the call without its process: "insert inbox", "publish work-1".
func (w *World) callLabel(x *step, p int, c *Call) string {
	switch {
	case c.Verb == VerbPublish:
		return publishWord(c) + " " + w.messageName(x.nextMessage(int(c.Party), c.Op))
	case c.Verb == VerbWait || c.Verb == VerbCancel:
		return c.Verb.String() + " " + w.sc.Values.Plain(c.Op)
	case (speaksOfDelivery(c.Verb) || c.Verb == VerbCommitOffset || c.Verb == VerbSendOffsets) && w.sc.Processes[p].Batch > 0:
		return w.sc.Label(c) + " " + w.messageName(x.proc(p).held[c.Place].id)
	}
	return w.sc.Label(c)
}

// Label names a call as a reader of the text would: "insert inbox", "commit",
// "send mail".
func (sc *Scenario) Label(c *Call) string {
	switch c.Verb {
	case VerbInsert, VerbPut, VerbPutNewer, VerbUpdate, VerbAdd, VerbDelete, VerbGet, VerbExists,
		VerbSelect, VerbCount, VerbChange, VerbRemove, VerbClaim:
		return c.Verb.String() + " " + sc.Databases[c.Party].Tables[c.Table].Name
	case VerbLock, VerbTryLock, VerbUnlock, VerbSnapshot, VerbRestore:
		return c.Verb.String() + " " + sc.Values.Plain(c.Key)
	case VerbBegin, VerbCommit, VerbRollback, VerbSavepoint, VerbRollbackTo:
		if len(sc.Databases) > 1 {
			return c.Verb.String() + " " + sc.Databases[c.Party].Name
		}
	case VerbSendBatch:
		return "send_batch " + sc.Providers[c.Party].Name
	case VerbSend:
		return "send " + sc.Providers[c.Party].Name
	case VerbLookup:
		return "lookup " + sc.Providers[c.Party].Name
	case VerbAck, VerbNack:
		if c.Mode == ModeMultiple {
			return c.Verb.String() + " multiple"
		}
	case VerbCommitOffset:
		return "commit offset"
	case VerbSendOffsets:
		return "send offsets"
	case VerbBeginLog, VerbCommitLog, VerbAbortLog:
		return c.Verb.String() + " " + sc.Logs[sc.Queues[c.Party].Log-1].Name
	case VerbPublish:
		return publishWord(c)
	case VerbRedrive:
		return "redrive " + sc.Queues[c.Party].Name
	case VerbFail:
		return "end"
	}
	return c.Verb.String()
}

// messageName is a message's name: the operation and, from the second
// publication on, its number.
func (w *World) messageName(id messageID) string {
	name := w.sc.Values.Plain(id.op)
	if id.publication > 1 {
		name += fmt.Sprintf("'%d", id.publication)
	}
	return name
}
