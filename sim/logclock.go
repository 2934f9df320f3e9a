package sim

// What time does to logs, and how a log looks to a reader.

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
	due := func(o Outcome, effect func()) {
		x.open()
		x.advance(d)
		effect()
		x.close(o)
	}
	fire := func(name string, p int, effect func()) {
		due(Outcome{Name: name, Kind: StepTimer, Proc: int16(p)}, effect)
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
					due(Outcome{Name: w.retentionName(l, &messages[0]), Kind: StepTimer, Proc: -1, Ages: true}, func() { x.expireRecord(l, q) })
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
			for _, r := range m.has {
				if int(r.part) == part && r.at == int32(i) && v.Holder == "" {
					v.Holder = w.procName(w.sc.Logs[l].Groups[g].Members[k])
				}
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
