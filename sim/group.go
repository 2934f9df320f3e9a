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
// its next poll and not a heartbeat later, and a poll hands out records of one
// partition.

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
		if pr.stalled || pr.node != 0 && !group.HandOff {
			return
		}
		if x.autoCommitDue(p) {
			x.open()
			x.autoCommit(p)
			x.emit(Event{Kind: EventCall, Proc: int16(p), Call: w.autoCommitCall(p), Runtime: true, Apart: true})
			x.close(Outcome{Name: w.procName(p) + " auto-commit", Proc: int16(p)})
		}
		gs := &x.journal(l).groups[g]
		if pr.node != 0 || gs.pending || gs.members[k].is != inGroup {
			return
		}
		for part := range decl.Partitions {
			if int(gs.owner[part]) != k+1 {
				continue
			}
			list := x.ahead(l, g, part, 1)
			if len(list) == 0 {
				continue
			}
			m := x.queue(decl.First + part).messages[list[0]]
			x.open()
			x.handRecords(p, part, list)
			x.close(Outcome{Name: "deliver " + w.messageName(m.id) + " to " + w.procName(p), Kind: StepDeliver, Proc: int16(p)})
		}
	}
}

// handRecords gives a reader what it polled and starts its handler. Its
// position moves at once: it is the client's, not the broker's.
func (x *step) handRecords(p, part int, offsets []int32) {
	l, g, k := x.w.membership(p)
	decl := &x.w.sc.Logs[l]
	q := decl.First + part
	first, last := offsets[0], offsets[len(offsets)-1]
	m := x.queue(q).messages[first]
	x.changeGroup(l, g, func(gs *groupState) {
		gs.position[part] = last + 1
		mb := &gs.members[k]
		mb.part, mb.from, mb.to, mb.poll = uint8(part+1), first, last+1, decl.Groups[g].MaxPoll
	})
	x.startsFor(p, m.label, func(pr *process) {
		// With CommitAfter the runtime has to commit for it.
		pr.held = []delivered{{id: m.id, settled: decl.Groups[g].Commit != CommitAfter}}
	})
	in := Input{Op: m.id.op, Body: m.body}
	if decl.Offsets {
		in.Offset, in.Partition = x.offsetBase(l, part)+int64(first), uint8(part)
	}
	if decl.Keys {
		in.Key = m.record.key
	}
	x.emit(Event{Kind: EventDeliver, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label, Input: in})
	x.arrive(p, x.w.prog.Start(x.w.sc.Processes[p].Handler, in))
}

// offsetAfter is the offset behind the record that a call of a handler speaks
// of.
func (x *step) offsetAfter(p int, c *Call) int32 {
	m := x.member(p)
	if c.Verb == VerbCommitAfter {
		return m.to
	}
	return m.from + 1
}

// commitHeld is a commit of what a handler was given. It is cumulative: all
// that lies before in the partition counts as done.
func (x *step) commitHeld(p int, c *Call) Answer {
	x.noteSettled(p, c)
	l, g, _ := x.w.membership(p)
	m := x.member(p)
	if m.is != inGroup || m.part == 0 {
		x.emit(Event{Kind: EventFenced, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), Message: x.w.messageName(x.proc(p).held[0].id), Verb: c.Verb})
		return Answer{Code: Fenced}
	}
	x.commitOffset(p, l, g, int(m.part)-1, x.offsetAfter(p, c))
	x.trim(l)
	return Answer{}
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

// leave notes how a handler has ended.
func (x *step) leave(p int, c *Call) {
	if c.Verb == VerbFail && x.w.readsLog(p) {
		x.readerFailed(p)
	}
}

// readerFailed is what a client does after a handler that failed: it goes on,
// or it reads again from the committed offset.
func (x *step) readerFailed(p int) {
	l, g, _ := x.w.membership(p)
	m := x.member(p)
	if x.w.sc.Logs[l].Groups[g].Skips || m.is != inGroup || m.part == 0 {
		return
	}
	part := int(m.part) - 1
	x.changeGroup(l, g, func(gs *groupState) {
		if gs.position[part] = gs.committed[part]; gs.position[part] == none {
			gs.position[part] = 0
			if x.w.sc.Logs[l].Groups[g].Latest {
				gs.position[part] = max(m.from, 0)
			}
		}
	})
}

// readerIdle notes that a reader polls again. One that was removed meanwhile
// learns it here and wants to join.
func (x *step) readerIdle(p int) {
	l, g, k := x.w.membership(p)
	x.changeGroup(l, g, func(gs *groupState) {
		m := &gs.members[k]
		m.poll, m.part, m.from, m.to = 0, 0, 0, 0
		gs.pending = gs.pending || m.is == outside
	})
	x.trim(l)
}

// readerCrashed notes that a reader is another process now. The broker takes
// the one before for a member until its session ends.
func (x *step) readerCrashed(p int) {
	l, g, k := x.w.membership(p)
	x.changeGroup(l, g, func(gs *groupState) {
		gs.pending = true
		if m := &gs.members[k]; m.is == inGroup {
			m.is, m.session = dead, x.w.sc.Logs[l].Groups[g].Session
		}
	})
}

// readerStalls notes that a reader's heartbeats have stopped, or begun again.
func (x *step) readerStalls(p int, stalled bool) {
	l, g, _ := x.w.membership(p)
	x.changeMember(p, func(m *member) {
		if m.is == inGroup {
			m.session = 0
			if stalled {
				m.session = x.w.sc.Logs[l].Groups[g].Session
			}
		}
	})
}

// removed takes a member out of its group; one that still runs does not know.
func (x *step) removed(p int) {
	l, g, k := x.w.membership(p)
	x.changeGroup(l, g, func(gs *groupState) {
		gs.members[k] = member{is: outside}
		gs.pending = true
	})
	x.emit(Event{Kind: EventRemoved, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), To: x.w.sc.Logs[l].Groups[g].Name})
	x.trim(l)
}

// sessionOver and pollOver tell whether a member's time has run out.
func (x *step) sessionRuns(p int) bool {
	m := x.member(p)
	return m.is == dead || m.is == inGroup && x.proc(p).stalled
}

func (x *step) pollRuns(p int) bool {
	l, g, _ := x.w.membership(p)
	return x.w.sc.Logs[l].Groups[g].MaxPoll > 0 && x.member(p).is == inGroup && x.proc(p).node != 0
}

// memberSteps lists the members whose time has run out.
func (w *World) memberSteps(p int) func(*step) {
	return func(x *step) {
		m := x.member(p)
		if x.sessionRuns(p) && m.session == 0 {
			x.open()
			x.removed(p)
			x.close(Outcome{Name: w.sessionName(p), Kind: StepTimer, Proc: int16(p)})
		} else if x.pollRuns(p) && m.poll == 0 && !x.proc(p).stalled {
			x.open()
			x.removed(p)
			x.close(Outcome{Name: w.pollName(p), Kind: StepTimer, Proc: int16(p)})
		}
	}
}

func (w *World) sessionName(p int) string { return w.procName(p) + " session ends" }
func (w *World) pollName(p int) string    { return w.procName(p) + " exceeds max_poll" }

// rebalanceSteps lists the rebalance of a group that waits for nobody.
func (w *World) rebalanceSteps(l, g int) func(*step) {
	decl := &w.sc.Logs[l]
	group := &decl.Groups[g]
	return func(x *step) {
		gs := &x.journal(l).groups[g]
		if !gs.pending || group.Committed && x.offsetsOpen(l, g) {
			return
		}
		var joining []int
		for k, p := range group.Members {
			pr := x.proc(p)
			idle := pr.node == 0 && !pr.stalled
			switch {
			case gs.members[k].is == dead, gs.members[k].is == inGroup && (!idle || x.autoCommitDue(p)):
				return // it is waited for
			case idle:
				joining = append(joining, k)
			}
		}
		if len(joining) == 0 {
			return
		}
		x.open()
		x.rebalance(l, g, joining)
		x.close(Outcome{Name: decl.Name + " rebalances " + group.Name, Kind: StepDeliver, Proc: -1})
	}
}

// rebalance deals the partitions out anew. Whoever has one now reads on from
// the committed offset.
func (x *step) rebalance(l, g int, joining []int) {
	decl := &x.w.sc.Logs[l]
	group := &decl.Groups[g]
	ends := make([]int32, decl.Partitions)
	for part := range ends {
		if group.Latest {
			ends[part] = x.endOf(l, g, part)
		}
	}
	text := ""
	x.changeGroup(l, g, func(gs *groupState) {
		for _, k := range joining {
			gs.members[k] = member{}
		}
		gs.pending = false
		gs.deal()
		for part := range gs.position {
			if gs.position[part] = gs.committed[part]; gs.position[part] == none {
				gs.position[part] = ends[part]
			}
			if owner := gs.owner[part]; owner > 0 {
				if text != "" {
					text += ", "
				}
				text += x.w.sc.Queues[decl.First+part].Name + " to " + x.w.procName(group.Members[owner-1])
			}
		}
	})
	x.emit(Event{Kind: EventRebalanced, Proc: -1, Queue: int16(decl.First), To: group.Name, Message: text})
	x.trim(l)
}

// deal gives each partition an owner: the members in their order get
// neighbouring partitions, the first ones one more where it doesn't come out
// even (RangeAssignor.java).
func (gs *groupState) deal() {
	var in []int
	for k, m := range gs.members {
		if m.is == inGroup {
			in = append(in, k)
		}
	}
	part := 0
	for i, k := range in {
		share := len(gs.owner) / len(in)
		if i < len(gs.owner)%len(in) {
			share++
		}
		for range share {
			gs.owner[part] = uint8(k + 1)
			part++
		}
	}
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
		if pr.stalled || !x.uncommitted(p) || pr.node != 0 && !w.sc.Logs[l].Groups[g].HandOff {
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

// logClock hands the timers of logs to soonest.
func (w *World) logClock(x *step, soonest func(left Seconds, wakes bool)) {
	for l := range w.sc.Logs {
		for _, t := range x.journal(l).txs {
			soonest(t.left, true)
		}
		if w.sc.Logs[l].Retention > 0 {
			for q := range w.partitions(l) {
				if messages := x.queue(q).messages; len(messages) > 0 {
					soonest(messages[0].record.left, true)
				}
			}
		}
		for _, g := range w.sc.Logs[l].Groups {
			for _, p := range g.Members {
				m := x.member(p)
				if x.sessionRuns(p) {
					soonest(m.session, true)
				}
				if x.pollRuns(p) && !x.proc(p).stalled {
					soonest(m.poll, true)
				}
			}
		}
	}
}

// fireLogs lists a step for each timer of a log that ends in d.
func (w *World) fireLogs(x *step, d Seconds) {
	fire := func(name string, p int, effect func()) {
		x.open()
		x.advance(d)
		effect()
		x.close(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)})
	}
	for l := range w.sc.Logs {
		for _, t := range x.journal(l).txs {
			if t.left == d {
				fire(w.txTimeoutName(l, t), int(t.owner)-1, func() { x.endLogTx(int(t.owner)-1, l, false) })
			}
		}
		if w.sc.Logs[l].Retention > 0 {
			for q := range w.partitions(l) {
				if messages := x.queue(q).messages; len(messages) > 0 && messages[0].record.left == d {
					fire(w.retentionName(l, &messages[0]), -1, func() { x.expireRecord(l, q) })
				}
			}
		}
		for _, g := range w.sc.Logs[l].Groups {
			for _, p := range g.Members {
				m := x.member(p)
				if x.sessionRuns(p) && m.session == d {
					fire(w.sessionName(p), p, func() { x.removed(p) })
				}
				if x.pollRuns(p) && !x.proc(p).stalled && m.poll == d {
					fire(w.pollName(p), p, func() { x.removed(p) })
				}
			}
		}
	}
}

// advanceLogs moves the timers of logs.
func (x *step) advanceLogs(d Seconds) {
	for l := range x.w.sc.Logs {
		decl := &x.w.sc.Logs[l]
		if decl.Retention > 0 {
			for q := range x.w.partitions(l) {
				if len(x.queue(q).messages) > 0 {
					x.changeQueue(q, func(qu *queue) {
						for i := range qu.messages {
							r := &qu.messages[i].record
							r.left = max(0, r.left-d)
						}
					})
				}
			}
		}
		x.changeJournal(l, func(j *journal) {
			for i := range j.txs {
				j.txs[i].left = max(0, j.txs[i].left-d)
			}
			for g := range j.groups {
				for k := range j.groups[g].members {
					m := &j.groups[g].members[k]
					m.session, m.poll = max(0, m.session-d), max(0, m.poll-d)
				}
			}
		})
	}
}

// lookPartition adds to a view what is so only of a log.
func (w *World) lookPartition(x *step, q int, v *QueueView) {
	l := w.logOf(q)
	decl, part := &w.sc.Logs[l], q-w.sc.Logs[l].First
	v.Log = decl.Name
	base := x.offsetBase(l, part)
	for g := range decl.Groups {
		gs := &x.journal(l).groups[g]
		gv := GroupView{Name: decl.Groups[g].Name, Committed: none, Position: base + int64(gs.position[part])}
		if gs.committed[part] != none {
			gv.Committed = base + int64(gs.committed[part])
		}
		if owner := gs.owner[part]; owner > 0 && gs.members[owner-1].is == inGroup {
			gv.Owner = w.procName(decl.Groups[g].Members[owner-1])
		}
		v.Groups = append(v.Groups, gv)
	}
}

// lookRecord adds to the view of message i of a queue what it has as a record.
func (w *World) lookRecord(x *step, q, i int, v *MessageView) {
	l := w.logOf(q)
	if l < 0 {
		return
	}
	part := q - w.sc.Logs[l].First
	r := x.queue(q).messages[i].record
	v.Offset = x.offsetBase(l, part) + int64(i)
	if r.tx != 0 {
		v.State = "open"
	} else if r.aborted {
		v.State = "aborted"
	}
	for g := range w.sc.Logs[l].Groups {
		for k, m := range x.journal(l).groups[g].members {
			if int(m.part) == part+1 && m.from <= int32(i) && int32(i) < m.to && v.Holder == "" {
				v.Holder = w.procName(w.sc.Logs[l].Groups[g].Members[k])
			}
		}
	}
}

// offsetBase is the offset of the oldest record of a partition that is kept.
func (x *step) offsetBase(l, part int) int64 {
	if j := x.journal(l); len(j.base) > 0 {
		return int64(j.base[part])
	}
	return 0
}
