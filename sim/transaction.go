package sim

import "sort"

// Transactions of a database: how they begin and end, and which locks keep them
// out of each other's way.

// beginTx opens a transaction: in the way of SQLite, where a writer takes the
// file's lock at once unless it is deferred, or in that of PostgreSQL, where
// nothing is locked and no snapshot is taken yet.
func (x *step) beginTx(p, d int, c *Call) outcome {
	tx := transaction{db: uint8(d)}
	if x.w.sc.Databases[d].Isolation == SingleWriter {
		if out, done := x.lockFile(p, d, c); done {
			return out
		}
		tx.deferred = c.Mode == ModeDeferred
	} else {
		tx.isolation = x.w.isolation(d, c.Mode)
	}
	x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, tx) })
	x.emit(Event{Kind: EventBegin, Proc: int16(p), Database: int16(d)})
	return outcome{}
}

// isolation is that of a transaction begun in this mode.
func (w *World) isolation(d int, m Mode) Isolation {
	switch m {
	case ModeReadCommitted:
		return ReadCommitted
	case ModeRepeatableRead:
		return RepeatableRead
	case ModeSerializable:
		return Serializable
	}
	return w.sc.Databases[d].Isolation
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
	out := outcome{}
	if commit {
		if x.commitWaits(p, d) {
			return x.inTheWay(p, d)
		}
		switch {
		case tx.aborted:
			out.answer.Code, commit = Aborted, false
		case !x.explained(p, d, tx):
			out.answer.Code, commit = Serialization, false
		}
	}
	if commit {
		x.remember(p, d, tx)
		x.apply(p, d, tx.writes)
	} else {
		x.emit(Event{Kind: EventRollback, Proc: int16(p), Database: int16(d), Rows: len(tx.writes)})
	}
	x.dropTx(p, d)
	x.unlock(p, d)
	return out
}

// unlock releases what a process holds in a database.
func (x *step) unlock(p, d int) {
	old := x.locks(d)
	l := locks{writer: old.writer, exclusive: old.exclusive, pending: old.pending, readers: old.readers &^ (1 << p), named: old.named, base: old.base, past: old.past}
	if int(l.writer) == p+1 {
		l.writer, l.exclusive, l.pending = 0, false, false
	}
	for _, k := range old.keys {
		if int(k.owner) != p+1 {
			l.keys = append(l.keys, k)
		}
	}
	if l.base != nil && !x.serialOpen(d, l.readers) {
		l.base, l.past = nil, nil // whoever begins from now on comes after all of them
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

// abort is what an error does to a transaction of PostgreSQL: what came after
// its last savepoint is undone, those locks are free at once, and nothing but
// going back or ending is left. In SQLite an error undoes its statement only.
func (x *step) abort(p, d int) {
	tx, open := x.tx(p, d)
	if !open || tx.broken || tx.aborted || x.w.sc.Databases[d].Isolation == SingleWriter {
		return
	}
	if len(tx.saves) == 0 {
		x.emit(Event{Kind: EventRollback, Proc: int16(p), Database: int16(d), Rows: len(tx.writes)})
		x.unlock(p, d)
		x.setTx(p, transaction{db: tx.db, isolation: tx.isolation, aborted: true})
		return
	}
	x.backTo(p, d, tx, len(tx.saves))
	tx, _ = x.tx(p, d)
	tx.aborted = true
	x.setTx(p, tx)
}

func (x *step) setTx(p int, tx transaction) {
	x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, tx) })
}

// toSavepoint sets a savepoint or goes back to one.
func (x *step) toSavepoint(p, d int, c *Call) outcome {
	tx, _ := x.tx(p, d)
	out := outcome{}
	switch {
	case c.Verb == VerbRollbackTo:
		x.backTo(p, d, tx, int(x.w.sc.Values.Get(c.Key).Int))
	case tx.aborted:
		return outcome{answer: Answer{Code: Aborted}}
	default:
		out = x.savepoint(p, d)
	}
	x.noteSaid(p, d, c, out.answer)
	return out
}

// savepoint marks how far a transaction has come.
func (x *step) savepoint(p, d int) outcome {
	tx, _ := x.tx(p, d)
	tx.saves = append(append([]savepoint(nil), tx.saves...), savepoint{uint8(len(tx.writes))})
	x.setTx(p, tx)
	return outcome{}
}

// backTo undoes what came after savepoint n of a transaction. Row locks taken
// since are given back; SQLite's lock on the file stays.
func (x *step) backTo(p, d int, tx transaction, n int) {
	tx.writes = tx.writes[:tx.saves[n-1].writes:tx.saves[n-1].writes]
	tx.saves = tx.saves[:n:n]
	tx.aborted = false
	x.setTx(p, tx)
	old := x.locks(d)
	l := *old
	l.keys = nil
	for _, k := range old.keys {
		switch {
		case int(k.owner) != p+1:
		case int(k.save) >= n:
			continue
		default:
			k.idle = true
			for _, wr := range tx.writes {
				k.idle = k.idle && (wr.table != k.table || wr.key != k.key)
			}
		}
		l.keys = append(l.keys, k)
	}
	x.setLocks(d, &l)
}

// blocked tells whether somebody else's lock is in the way of a call.
func (x *step) blocked(p, d int, c *Call) bool {
	if x.w.sc.Databases[d].Isolation == SingleWriter {
		return x.fileBlocked(p, d, c)
	}
	return x.blocker(p, d, c) >= 0
}

// keepWrite adds a change to the open transaction and, where keys are locked,
// locks its key.
func (x *step) keepWrite(p, d int, wr write, keyed bool) {
	tx, _ := x.tx(p, d)
	tx.writes = append(append([]write(nil), tx.writes...), wr)
	x.change(p, func(pr *process) { pr.txs = withTx(pr.txs, tx) })
	if keyed && x.w.sc.Databases[d].Isolation != SingleWriter {
		x.lockKey(p, d, lockedKey{table: wr.table, key: wr.key})
	}
}

// lockKey locks a key for a process until its transaction ends or goes back.
func (x *step) lockKey(p, d int, add lockedKey) {
	tx, _ := x.tx(p, d)
	add.owner, add.save = uint8(p+1), uint8(len(tx.saves))
	old := x.locks(d)
	l := *old
	l.keys = append([]lockedKey(nil), old.keys...)
	for i, k := range l.keys {
		if k.table == add.table && k.key == add.key && k.owner == add.owner {
			l.keys[i].idle = k.idle && add.idle
			x.setLocks(d, &l)
			return
		}
	}
	l.keys = append(l.keys, add)
	sortKeys(l.keys)
	x.setLocks(d, &l)
}
