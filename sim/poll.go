package sim

// What a poll hands to the handler of a reader, one record or a batch of them,
// and how the handler commits. max.poll.records bounds a batch. It is drawn
// from one partition after the other; with which one a poll begins depends on
// what has been fetched (FetchCollector.java), so it is a choice.

// polled lists the records that a poll of a reader hands out if it begins with
// a partition, which has to be its own and have some.
func (x *step) polled(p, first int) []taken {
	l, g, k := x.w.membership(p)
	decl := &x.w.sc.Logs[l]
	owner := x.journal(l).groups[g].owner
	most := max(1, x.w.sc.Processes[p].Batch)
	var list []taken
	for n := range decl.Partitions {
		part := (first + n) % decl.Partitions
		if int(owner[part]) != k+1 {
			if n == 0 {
				return nil
			}
			continue
		}
		for _, at := range x.ahead(l, g, part, most-len(list)) {
			list = append(list, taken{uint8(part), at})
		}
		if len(list) == 0 || len(list) == most {
			break
		}
	}
	return list
}

// recordAt is a record that stands in a log.
func (x *step) recordAt(l int, r taken) *message {
	return &x.queue(x.w.sc.Logs[l].First + int(r.part)).messages[r.at]
}

func (x *step) recordNames(l int, list []taken) []string {
	var names []string
	for _, r := range list {
		names = append(names, x.w.messageName(x.recordAt(l, r).id))
	}
	return names
}

// handRecords gives a reader what it polled and starts its handler. Its
// positions move at once: they are the client's, not the broker's.
func (x *step) handRecords(p int, list []taken) {
	l, g, k := x.w.membership(p)
	group := &x.w.sc.Logs[l].Groups[g]
	batch := x.w.sc.Processes[p].Batch > 0
	var held []delivered
	for _, r := range list {
		x.save(x.w.sc.Logs[l].First+int(r.part), func(i int, _ *message) bool { return i <= int(r.at) })
		m := x.recordAt(l, r)
		// With CommitAfter the runtime has to commit for the handler.
		d := delivered{id: m.id, settled: group.Commit != CommitAfter, in: x.w.recordInput(x, l, r)}
		if batch {
			d.label = m.label
		}
		held = append(held, d)
	}
	x.changeGroup(l, g, func(gs *groupState) {
		for _, r := range list {
			gs.position[r.part] = r.at + 1
		}
		gs.members[k].has, gs.members[k].poll = list, group.MaxPoll
	})
	in := x.w.given(p, held)
	for i := range held {
		held[i].in = Input{}
	}
	for i, r := range list {
		m := x.recordAt(l, r)
		if i == 0 {
			x.startsFor(p, m.label, func(pr *process) { pr.held = held })
		} else {
			x.handOn(p, m.label)
		}
		x.emit(Event{Kind: EventDeliver, Proc: int16(p), Queue: int16(x.w.sc.Logs[l].First + int(r.part)), Message: x.w.messageName(m.id), Label: m.label, Input: in})
	}
	x.arrive(p, x.w.prog.Start(x.w.sc.Processes[p].Handler, in))
}

// recordInput is what a handler is told of a record.
func (w *World) recordInput(x *step, l int, r taken) Input {
	decl, m := &w.sc.Logs[l], x.recordAt(l, r)
	in := Input{Op: m.id.op, Body: m.body}
	if decl.Offsets {
		in.Offset, in.Partition = x.offsetBase(l, int(r.part))+int64(r.at), r.part
	}
	if decl.Keys {
		in.Key = m.record.key
	}
	return in
}

// commitHeld is a commit of what a handler was given: of one of its records, or
// of all of them. It is cumulative: all that lies before in the partition counts
// as done.
func (x *step) commitHeld(p int, c *Call) Answer {
	l, g, _ := x.w.membership(p)
	m := x.member(p)
	if m.is != inGroup || len(m.has) == 0 {
		x.change(p, func(pr *process) { pr.held = allSettled(pr.held) })
		x.emit(Event{Kind: EventFenced, Proc: int16(p), Queue: int16(x.w.sc.Processes[p].Queue), Message: x.w.messageName(x.proc(p).held[c.Place].id), Verb: c.Verb})
		return Answer{Code: Fenced}
	}
	if c.Verb == VerbCommitAfter {
		x.change(p, func(pr *process) { pr.held = allSettled(pr.held) })
		for i, r := range m.has {
			if lastOfPartition(m.has, i) {
				x.commitOffset(p, l, g, int(r.part), r.at+1)
			}
		}
	} else {
		r := m.has[c.Place]
		x.change(p, func(pr *process) {
			pr.held = append([]delivered(nil), pr.held...)
			for i, other := range m.has[:c.Place+1] {
				pr.held[i].settled = pr.held[i].settled || other.part == r.part
			}
		})
		x.commitOffset(p, l, g, int(r.part), r.at+1)
	}
	x.trim(l)
	return Answer{}
}

// lastOfPartition tells whether no later record of a poll is of the same
// partition as record i.
func lastOfPartition(list []taken, i int) bool {
	for _, r := range list[i+1:] {
		if r.part == list[i].part {
			return false
		}
	}
	return true
}

func allSettled(list []delivered) []delivered {
	list = append([]delivered(nil), list...)
	for i := range list {
		list[i].settled = true
	}
	return list
}

// shiftTaken corrects the offsets of a handler's records for a partition that
// has lost its first n.
func shiftTaken(list []taken, part int, n int32) []taken {
	list = append([]taken(nil), list...)
	for i := range list {
		if int(list[i].part) == part {
			list[i].at = max(none, list[i].at-n)
		}
	}
	return list
}
