package sim

// Consumer groups: polling, committing, and what happens when a member is
// silent.
//
// The rules are those of Kafka's classic group protocol with the eager range
// assignor (ClassicGroup.java, ConsumerCoordinator.java). A rebalance is due
// when a member leaves, is removed or wants to join. It waits until every
// member that the broker believes in polls again, which a member does between
// two handlers; until then nobody is handed records. A crashed member is
// believed in until its session ends, although its process is back at once.
//
// Here the world is simpler than the broker: a member hears of a rebalance at
// its next poll and not a heartbeat later.

// membership tells where a process reads: the log, the group and its place in
// the group.
func (w *World) membership(p int) (l, g, k int) {
	decl := &w.sc.Processes[p]
	l, g = w.logOf(decl.Queue), decl.Group-1
	for k, member := range w.sc.Logs[l].Groups[g].Members {
		if member == p {
			return l, g, k
		}
	}
	panic("sim: a reader is no member of its group")
}

// reads tells whether a process reads a log.
func (w *World) readsLog(p int) bool { return w.sc.Processes[p].Group > 0 }

// member returns what the broker knows of a reader.
func (x *step) member(p int) member {
	l, g, k := x.w.membership(p)
	return x.journal(l).groups[g].members[k]
}

func (x *step) changeGroup(l, g int, f func(*groupState)) {
	x.changeJournal(l, func(j *journal) { f(&j.groups[g]) })
}

func (x *step) changeMember(p int, f func(*member)) {
	l, g, k := x.w.membership(p)
	x.changeGroup(l, g, func(gs *groupState) { f(&gs.members[k]) })
}

// pollSteps lists what the client of an idle reader does: it commits what it
// has to, then it polls.
func (w *World) pollSteps(p int) func(*step) {
	l, g, k := w.membership(p)
	decl := &w.sc.Logs[l]
	group := &decl.Groups[g]
	return func(x *step) {
		pr := x.proc(p)
		if pr.stalled || pr.down || pr.node != 0 && !group.HandOff {
			return
		}
		if x.autoCommitDue(p) {
			x.open()
			x.autoCommit(p)
			x.emit(Event{Kind: EventCall, Proc: int16(p), Call: w.autoCommitCall(p), Runtime: true, Apart: true})
			x.close(Outcome{Name: w.procName(p) + " auto-commit", Proc: int16(p)})
		}
		gs := &x.journal(l).groups[g]
		if !pr.free() || gs.pending || gs.members[k].is != inGroup {
			return
		}
		for part := range decl.Partitions {
			list := x.polled(p, part)
			if len(list) == 0 {
				continue
			}
			name := w.batchName(p, x.recordNames(l, list))
			x.open()
			x.handRecords(p, list)
			x.close(Outcome{Name: name, Kind: StepDeliver, Proc: int16(p)})
		}
	}
}

// commitOffset sets a group's committed offset. It can also move back.
func (x *step) commitOffset(p, l, g, part int, next int32) {
	old := x.journal(l).groups[g].committed[part]
	x.changeGroup(l, g, func(gs *groupState) { gs.committed[part] = next })
	q := x.w.sc.Logs[l].First + part
	for i := max(old, 0); i < next; i++ {
		m := x.queue(q).messages[i]
		if m.label > 0 && x.w.conflicts[m.label-1] {
			x.changeIntent(m.label, func(ghost *intentGhost) { ghost.acked = true })
		}
		x.emit(Event{Kind: EventPassed, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, To: x.w.sc.Logs[l].Groups[g].Name})
	}
}

// autoCommitDue tells whether a client that commits by itself has handed out
// something that it has not committed.
func (x *step) autoCommitDue(p int) bool {
	l, g, k := x.w.membership(p)
	return x.w.sc.Logs[l].Groups[g].Commit == CommitAuto && x.journal(l).groups[g].members[k].is == inGroup && x.uncommitted(p)
}

// uncommitted tells whether a reader's position is ahead of what is committed,
// so that a crash would make it read again.
func (x *step) uncommitted(p int) bool {
	l, g, k := x.w.membership(p)
	gs := &x.journal(l).groups[g]
	for part, owner := range gs.owner {
		if int(owner) == k+1 && gs.members[k].is == inGroup && gs.position[part] > max(gs.committed[part], 0) {
			return true
		}
	}
	return false
}

// autoCommit commits whatever the client has handed out, done or not.
func (x *step) autoCommit(p int) {
	l, g, k := x.w.membership(p)
	for part, owner := range x.journal(l).groups[g].owner {
		gs := &x.journal(l).groups[g]
		if int(owner) == k+1 && gs.position[part] > max(gs.committed[part], 0) {
			x.commitOffset(p, l, g, part, gs.position[part])
		}
	}
	x.trim(l)
}

func (w *World) autoCommitCall(p int) *Call {
	return &Call{Verb: VerbCommitAfter, Party: int16(w.sc.Processes[p].Queue), Table: -1}
}

// logEndRule is what the runtime does for a reader whose handler has ended.
func (w *World) logEndRule(p int, c *Call) EndRule {
	l, g, _ := w.membership(p)
	group := &w.sc.Logs[l].Groups[g]
	if group.Commit == CommitAfter && (c.Verb == VerbEnd || group.Skips) {
		return RuleCommit
	}
	return RuleNothing
}

// readerFaults lists what can befall the client of an idle reader: it may
// still have something to commit.
func (w *World) readerFaults(p int) func(*step) {
	return func(x *step) {
		if x.budget().total == 0 {
			return
		}
		pr := x.proc(p)
		l, g, _ := w.membership(p)
		if pr.stalled || pr.down || !x.uncommitted(p) || pr.node != 0 && !w.sc.Logs[l].Groups[g].HandOff {
			return
		}
		who := w.procName(p)
		if pr.node == 0 && x.canStrike(Crash, p, nil) {
			x.strike(Crash, p, who+" crash before polling", func() { x.crash(p) })
		}
		if !x.autoCommitDue(p) {
			return
		}
		c := w.autoCommitCall(p)
		lose := func(k FaultKind, arrives bool) {
			x.strike(k, p, who+" auto-commit "+faultSuffix(k), func() {
				if arrives {
					x.autoCommit(p)
				}
				x.emit(Event{Kind: EventCall, Proc: int16(p), Call: c, Answer: Answer{Code: Timeout}, Fault: k, Runtime: true, Apart: true})
			})
		}
		if x.canStrike(LostRequest, p, c) {
			lose(LostRequest, false)
		}
		if x.canStrike(LostReply, p, c) {
			lose(LostReply, true)
		}
	}
}
