package sim

// Members of consumer groups: who is in, who is silent, and how partitions are
// dealt out anew.

// leave notes how a handler has ended.
func (x *step) leave(p int, c *Call) {
	if c.Verb == VerbFail && x.w.readsLog(p) && !x.proc(p).ending {
		x.readerFailed(p)
	}
}

// readerFailed is what a client does after a handler that failed: it goes on,
// or it reads again from the committed offset.
func (x *step) readerFailed(p int) {
	l, g, _ := x.w.membership(p)
	m := x.member(p)
	if x.w.sc.Logs[l].Groups[g].Skips || m.is != inGroup {
		return
	}
	x.changeGroup(l, g, func(gs *groupState) {
		for i := len(m.has) - 1; i >= 0; i-- { // the first of a partition comes last
			part := m.has[i].part
			if gs.position[part] = gs.committed[part]; gs.position[part] == none {
				gs.position[part] = 0
				if x.w.sc.Logs[l].Groups[g].Latest {
					gs.position[part] = max(m.has[i].at, 0)
				}
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
		m.poll, m.has = 0, nil
		gs.pending = gs.pending || m.is == outside
	})
	x.trim(l)
}

// readerBusy notes that a reader does something else than polling from now on.
func (x *step) readerBusy(p int) {
	l, g, _ := x.w.membership(p)
	x.changeMember(p, func(m *member) {
		if m.is == inGroup {
			m.poll = x.w.sc.Logs[l].Groups[g].MaxPoll
		}
	})
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
			idle := x.proc(p).free()
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
