package sim

// Snapshots: what a transaction sees that keeps to the moment of its first
// statement. As long as nobody commits that is simply what is committed, so a
// snapshot holds nothing but the tables that others have changed since; who
// commits puts them there.

// tableSeen is a table as a statement sees it, without the changes of its own
// transaction. A row that is inserted meets those that stand now, whatever its
// transaction's snapshot says.
func (x *step) tableSeen(p, d int, c *Call) *table {
	t := int(c.Table)
	if c.InTx && x.w.sc.Databases[d].Modes {
		switch c.Verb {
		case VerbInsert, VerbPut, VerbPutNewer, VerbAdd:
			return x.table(d, t)
		}
		tx, _ := x.tx(p, d)
		for _, o := range tx.old {
			if int(o.table) == t {
				return x.w.tables.items[o.rows]
			}
		}
	}
	return x.table(d, t)
}

// preserve keeps for the snapshots of others what these changes of process p
// are about to replace.
func (x *step) preserve(p, d int, writes []write) {
	db := &x.w.sc.Databases[d]
	if !db.Modes || x.imagining || len(writes) == 0 {
		return
	}
	for q := range x.w.sc.Processes {
		if q == p {
			continue
		}
		x.startWaiting(q, d)
		if x.locks(d).readers&(1<<q) == 0 {
			continue
		}
		tx, _ := x.tx(q, d)
		tx.old = append([]oldTable(nil), tx.old...)
		tx.changed = append([]rowKey(nil), tx.changed...)
		for _, wr := range writes {
			tx.keep(oldTable{wr.table, x.read(x.w.tableSlot[d][wr.table])})
			if db.Isolation != SingleWriter && db.Tables[wr.table].Key != "" {
				tx.note(rowKey{wr.table, wr.key})
			}
		}
		x.setTx(q, tx)
	}
}

// startWaiting takes the snapshot of a process that waits at its transaction's
// first statement: PostgreSQL takes it before it waits, so what those commit
// whom it waits for is news to it (PostgreSQL manual 13.2.2).
func (x *step) startWaiting(q, d int) {
	if x.w.sc.Databases[d].Isolation == SingleWriter {
		return // SQLite waits without a snapshot
	}
	tx, open := x.tx(q, d)
	if open && !tx.broken && !tx.reading && !tx.aborted && tx.isolation >= RepeatableRead && x.waitsIn(q, d) {
		x.takeSnapshot(q, d, tx)
	}
}

func (x *step) takeSnapshot(p, d int, tx transaction) transaction {
	tx.reading = true
	x.setTx(p, tx)
	l := *x.locks(d)
	l.readers |= 1 << p
	x.setLocks(d, &l)
	return tx
}

// keep adds a table as it was, unless an older one is kept already.
func (tx *transaction) keep(add oldTable) {
	for i, o := range tx.old {
		if o.table == add.table {
			return
		}
		if o.table > add.table {
			tx.old = append(tx.old[:i], append([]oldTable{add}, tx.old[i:]...)...)
			return
		}
	}
	tx.old = append(tx.old, add)
}

// note adds a key that others have changed, in an order that carries no
// history.
func (tx *transaction) note(add rowKey) {
	for i, k := range tx.changed {
		if k == add {
			return
		}
		if k.table > add.table || k.table == add.table && k.key > add.key {
			tx.changed = append(tx.changed[:i], append([]rowKey{add}, tx.changed[i:]...)...)
			return
		}
	}
	tx.changed = append(tx.changed, add)
}

func (tx *transaction) isChanged(t int16, key ValueID) bool {
	for _, k := range tx.changed {
		if int16(k.table) == t && k.key == key {
			return true
		}
	}
	return false
}
