package sim

import "sort"

// Canonical writes to s the least of all states that differ from it only in
// who is who. It returns where the bits of a set of intents have gone: bit i of
// a set that spoke of s is bit intents[i] of the same set now. It may intern
// new contents. The slice must not be changed.
func (y *Symmetry) Canonical(s State) (intents []int) {
	list := y.leading(y.answered(s), s[y.order[0]])
	chosen := list[0]
	y.all(chosen, s)
	for _, r := range list[1:] {
		if y.try(r, s) {
			chosen = r
		}
	}
	copy(s, y.best)
	return chosen.intents
}

// leading returns the renamings that make the slot that is compared first the
// least it can be. Only among them is the least state, and they are few, so
// they are remembered per content of that slot.
func (y *Symmetry) leading(answered int, id uint32) []*renaming {
	known := y.leads[answered]
	for int(id) >= len(known) {
		known = append(known, nil)
	}
	y.leads[answered] = known
	if known[id] != nil {
		return known[id]
	}
	var list []*renaming
	least := ^uint32(0)
	for _, r := range y.renames[answered] {
		to := y.content(r, y.order[0], id)
		if to < least {
			least, list = to, nil
		}
		if to == least {
			list = append(list, r)
		}
	}
	known[id] = list
	return list
}

// all renames a whole state into best.
func (y *Symmetry) all(r *renaming, s State) {
	y.best[slotBudget] = s[slotBudget]
	for _, slot := range y.order {
		y.best[slot] = y.slot(r, slot, s)
	}
}

// slot is what a slot holds after a renaming.
func (y *Symmetry) slot(r *renaming, slot int, s State) uint32 {
	p := slot - y.w.firstProc
	if p >= 0 && p < len(y.w.sc.Processes) {
		return y.process(r, s[y.w.firstProc+r.was[p]])
	}
	return y.content(r, slot, s[slot])
}

// answered counts the requests whose handlers have ended: only their intents
// have lost their order.
func (y *Symmetry) answered(s State) int {
	if len(y.renames) == 1 {
		return 0
	}
	pr := y.w.processes.items[s[y.w.firstProc+y.service]]
	if pr.node != 0 {
		return int(pr.next) - 1
	}
	return int(pr.next)
}

// try renames a state and keeps it if it is less than the best so far. Slots
// are renamed one by one, those that tell the most first, so most tries end
// early.
func (y *Symmetry) try(r *renaming, s State) bool {
	less := false
	y.scratch[slotBudget] = s[slotBudget] // a budget has nothing to rename
	for _, slot := range y.order {
		id := y.slot(r, slot, s)
		y.scratch[slot] = id
		if less {
			continue
		}
		if id > y.best[slot] {
			return false
		}
		less = id < y.best[slot]
	}
	if less {
		copy(y.best, y.scratch)
	}
	return less
}

// process renames the content of a process.
func (y *Symmetry) process(r *renaming, id uint32) uint32 {
	for int(id) >= len(r.procs) {
		r.procs = append(r.procs, 0)
	}
	if r.procs[id] == 0 {
		c := *y.w.processes.items[id]
		c.node = y.node(r, c.node, c.label)
		c.held = append([]delivered(nil), c.held...)
		for i := range c.held {
			c.held[i].id.op = y.value(r, c.held[i].id.op)
		}
		c.label = label(r, c.label)
		c.txs = append([]transaction(nil), c.txs...)
		for i := range c.txs {
			c.txs[i].writes = append([]write(nil), c.txs[i].writes...)
			y.snapshot(r, &c.txs[i])
			for j := range c.txs[i].writes {
				wr := &c.txs[i].writes[j]
				wr.key, wr.body, wr.label = y.value(r, wr.key), y.value(r, wr.body), label(r, wr.label)
			}
		}
		to := y.w.processes.intern(&c, y.w.scratch)
		r.procs[id] = to + 1
	}
	return r.procs[id] - 1
}

// content renames the content of any other slot.
func (y *Symmetry) content(r *renaming, slot int, id uint32) uint32 {
	known := r.slots[slot]
	for int(id) >= len(known) {
		known = append(known, 0)
	}
	r.slots[slot] = known
	if known[id] == 0 {
		known[id] = y.renameContent(r, slot, id) + 1
	}
	return known[id] - 1
}

func (y *Symmetry) renameContent(r *renaming, slot int, id uint32) uint32 {
	w := y.w
	switch {
	case slot == slotGhost:
		old := w.ghosts.items[id]
		c := &ghost{intents: make([]intentGhost, len(old.intents))}
		for i, g := range old.intents {
			c.intents[r.intents[i]] = g
		}
		return w.ghosts.intern(c, w.scratch)
	case slot >= w.firstFront:
		return id // with fronts nothing is exchanged but consumers, and those have none
	case slot < w.firstLock:
		return y.queue(r, slot-w.firstQ, id)
	case slot < w.firstLock+len(w.sc.Databases):
		return y.locks(r, id)
	case slot < w.firstMail:
		old := w.tables.items[id]
		c := &table{last: old.last}
		for _, row := range old.rows {
			row.key, row.body, row.label = y.value(r, row.key), y.value(r, row.body), label(r, row.label)
			c.rows = append(c.rows, row)
		}
		sortRows(c.rows)
		return w.tables.intern(c, w.scratch)
	}
	return y.mailbox(r, id)
}

// snapshot renames what a transaction's snapshot keeps.
func (y *Symmetry) snapshot(r *renaming, tx *transaction) {
	tx.old = append([]oldTable(nil), tx.old...)
	for i, o := range tx.old {
		tx.old[i].rows = y.content(r, y.w.tableSlot[tx.db][o.table], o.rows)
	}
	changed := tx.changed
	tx.changed = nil
	for _, k := range changed {
		tx.note(rowKey{k.table, y.value(r, k.key)})
	}
}

func (y *Symmetry) queue(r *renaming, q int, id uint32) uint32 {
	old := y.w.queues.items[id]
	c := &queue{}
	for _, m := range old.messages {
		c.messages = y.w.insertMessage(q, c.messages, y.message(r, m))
	}
	for _, k := range old.known {
		c.known = insertKnown(y.w.sc.Values, c.known, knownID{y.value(r, k.id), k.left})
	}
	for _, m := range old.gone {
		c.messages = append(c.messages, y.message(r, m))
		y.w.remove(q, c, len(c.messages)-1, true)
	}
	return y.w.queues.intern(c, y.w.scratch)
}

// message renames a message.
func (y *Symmetry) message(r *renaming, m message) message {
	m.id.op, m.body, m.label, m.group = y.value(r, m.id.op), y.value(r, m.body), label(r, m.label), y.value(r, m.group)
	m.knownAs = y.value(r, m.knownAs)
	for _, p := range []*uint8{&m.holder, &m.last, &m.by} {
		if *p > 0 {
			*p = uint8(r.processes[*p-1] + 1)
		}
	}
	return m
}

func (y *Symmetry) locks(r *renaming, id uint32) uint32 {
	c := *y.w.locks.items[id]
	if c.writer > 0 {
		c.writer = uint8(r.processes[c.writer-1] + 1)
	}
	readers := uint32(0)
	for p, to := range r.processes {
		readers |= c.readers >> p & 1 << to
	}
	c.readers = readers
	c.keys = append([]lockedKey(nil), c.keys...)
	for i := range c.keys {
		c.keys[i].key = y.value(r, c.keys[i].key)
		c.keys[i].owner = uint8(r.processes[c.keys[i].owner-1] + 1)
	}
	sortKeys(c.keys)
	c.named = nil
	for _, n := range y.w.locks.items[id].named {
		n.name, n.owner = y.value(r, n.name), uint8(r.processes[n.owner-1]+1)
		c.named = insertNamed(c.named, n)
	}
	return y.w.locks.intern(&c, y.w.scratch)
}

func (y *Symmetry) mailbox(r *renaming, id uint32) uint32 {
	old := y.w.mailboxes.items[id]
	c := &mailbox{}
	for _, m := range old.mails {
		c.mails = insertMail(c.mails, mail{y.value(r, m.to), y.value(r, m.body), label(r, m.label)})
	}
	for _, k := range old.keys {
		k.key, k.to, k.body, k.ref = y.value(r, k.key), y.value(r, k.to), y.value(r, k.body), y.value(r, k.ref)
		c.keys = insertKey(c.keys, k)
	}
	for _, ref := range old.refs {
		ref.ref = y.value(r, ref.ref)
		c.refs = insertRef(c.refs, ref)
	}
	return y.w.mailboxes.intern(c, y.w.scratch)
}

func label(r *renaming, l labelID) labelID {
	if l == 0 {
		return 0
	}
	return labelID(r.intents[l-1] + 1)
}

// value renames ids in a value.
func (y *Symmetry) value(r *renaming, v ValueID) ValueID {
	if to, known := r.values[v]; known {
		return to
	}
	to := v
	if i, isID := y.ops[v]; isID {
		to = y.w.sc.Intents[r.intents[i]].Op
	} else if val := y.w.sc.Values.Get(v); len(val.Fields) > 0 {
		fields := make([]Field, len(val.Fields))
		for n, f := range val.Fields {
			fields[n] = Field{f.Name, y.value(r, f.Value)}
		}
		to = y.w.sc.Values.withParts(v, fields)
	}
	r.values[v] = to
	return to
}

// node returns the place that corresponds to n when the handler's intent is
// renamed.
func (y *Symmetry) node(r *renaming, n Node, l labelID) Node {
	if n == 0 || l == 0 {
		return n
	}
	from := int(l) - 1
	to := r.intents[from]
	if from == to {
		return n
	}
	m, known := y.nodes[nodeOf{n, from, to}]
	if !known {
		panic("sim: a handler stands where the comparison of the trees did not come")
	}
	return m
}

// sortKeys keeps locked keys in an order that carries no history.
func sortKeys(keys []lockedKey) {
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].table != keys[j].table {
			return keys[i].table < keys[j].table
		}
		return keys[i].key < keys[j].key
	})
}
