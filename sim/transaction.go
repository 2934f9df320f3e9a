package sim

import "sort"

// Transactions of a database: how they begin and end, and which locks keep them
// out of each other's way.

// beginTx opens a transaction. A single writer takes the file's write lock
// here (BEGIN IMMEDIATE); otherwise nothing is locked yet.
func (x *step) beginTx(p, d int) outcome {
	if x.w.sc.Databases[d].Isolation == SingleWriter {
		l := *x.locks(d)
		if l.writer != 0 {
			return outcome{waits: true}
		}
		l.writer = uint8(p + 1)
		x.setLocks(d, &l)
	}
	x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, transaction{db: uint8(d)}) })
	x.emit(Event{Kind: EventBegin, Proc: int16(p), Database: int16(d)})
	return outcome{}
}

// withTx replaces a process's transaction on one database, or adds it, in the
// order of databases.
func withTx(list []transaction, tx transaction) []transaction {
	out := make([]transaction, 0, len(list)+1)
	for _, t := range list {
		if t.db != tx.db {
			out = append(out, t)
		}
	}
	out = append(out, tx)
	sort.Slice(out, func(i, j int) bool { return out[i].db < out[j].db })
	return out
}

func (x *step) tx(p, d int) (transaction, bool) {
	for _, tx := range x.proc(p).txs {
		if int(tx.db) == d {
			return tx, true
		}
	}
	return transaction{}, false
}

func (x *step) txBroken(p, d int) bool {
	tx, ok := x.tx(p, d)
	return !ok || tx.broken
}

func (x *step) dropTx(p, d int) {
	x.change(p, func(pr *process) {
		kept := make([]transaction, 0, len(pr.txs))
		for _, tx := range pr.txs {
			if int(tx.db) != d {
				kept = append(kept, tx)
			}
		}
		pr.txs = kept
	})
}

// endTx commits or rolls back.
func (x *step) endTx(p, d int, commit bool) outcome {
	tx, ok := x.tx(p, d)
	if !ok || tx.broken {
		x.dropTx(p, d)
		return outcome{answer: Answer{Code: Gone}}
	}
	if commit {
		x.apply(p, d, tx.writes)
	} else {
		x.emit(Event{Kind: EventRollback, Proc: int16(p), Database: int16(d), Rows: len(tx.writes)})
	}
	x.dropTx(p, d)
	x.unlock(p, d)
	return outcome{}
}

// unlock releases what a process holds in a database.
func (x *step) unlock(p, d int) {
	old := x.locks(d)
	l := locks{writer: old.writer}
	if int(l.writer) == p+1 {
		l.writer = 0
	}
	for _, k := range old.keys {
		if int(k.owner) != p+1 {
			l.keys = append(l.keys, k)
		}
	}
	x.setLocks(d, &l)
}

// rollBackAll ends every transaction of a process without a trace.
func (x *step) rollBackAll(p int) {
	for _, tx := range x.proc(p).txs {
		d := int(tx.db)
		if !tx.broken {
			x.emit(Event{Kind: EventRollback, Proc: int16(p), Database: int16(d), Rows: len(tx.writes)})
			x.unlock(p, d)
		}
		x.dropTx(p, d)
	}
}

// blocked tells whether somebody else's lock is in the way of a change.
func (x *step) blocked(p, d int, c *Call) bool {
	db := &x.w.sc.Databases[d]
	if db.Isolation == SingleWriter {
		if c.InTx {
			return false // the transaction has the write lock
		}
		l := x.locks(d)
		return l.writer != 0 && int(l.writer) != p+1
	}
	if db.Tables[c.Table].Key == "" {
		return false
	}
	for _, k := range x.locks(d).keys {
		if int(k.table) == int(c.Table) && k.key == c.Key && int(k.owner) != p+1 {
			return true
		}
	}
	return false
}

// keepWrite adds a change to the open transaction and, where keys are locked,
// locks its key.
func (x *step) keepWrite(p, d int, wr write, keyed bool) {
	tx, _ := x.tx(p, d)
	tx.writes = append(append([]write(nil), tx.writes...), wr)
	x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, tx) })
	if !keyed || x.w.sc.Databases[d].Isolation == SingleWriter {
		return
	}
	old := x.locks(d)
	l := locks{writer: old.writer}
	add := lockedKey{table: wr.table, key: wr.key, owner: uint8(p + 1)}
	for _, k := range old.keys {
		if k == add {
			return
		}
	}
	l.keys = append(append(l.keys, old.keys...), add)
	sortKeys(l.keys)
	x.setLocks(d, &l)
}
