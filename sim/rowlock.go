package sim

// PostgreSQL's locks are on rows: a statement that would change or lock a row
// waits for the transaction that has done so before. Afterwards READ COMMITTED
// goes on with the row as it is now; REPEATABLE READ and SERIALIZABLE fail with
// 40001 where it is not the one of their snapshot (PostgreSQL manual 13.2).
//
// An error aborts the transaction: its locks are free at once, every later
// statement fails with 25P02, and a COMMIT reports ROLLBACK.

// lockRows lets a statement through or tells what keeps it: done says that the
// call comes to nothing.
func (x *step) lockRows(p, d int, c *Call) (out outcome, done bool) {
	tx, open := x.tx(p, d)
	if c.InTx && open && tx.aborted {
		return outcome{answer: Answer{Code: Aborted}}, true
	}
	snapshot := c.InTx && tx.isolation >= RepeatableRead
	if snapshot && !tx.reading && x.blocker(p, d, c) < 0 {
		tx = x.takeSnapshot(p, d, tx)
	}
	if snapshot && findsRow(c) && x.changedUnder(p, d, c, &tx) {
		x.abort(p, d)
		return outcome{answer: Answer{Code: Serialization}}, true
	}
	if x.blocker(p, d, c) >= 0 {
		return x.inTheWay(p, d), true
	}
	if snapshot && x.changedUnder(p, d, c, &tx) {
		x.abort(p, d)
		return outcome{answer: Answer{Code: Serialization}}, true
	}
	if c.Verb == VerbGet && c.Mode == ModeLock {
		if _, stands := x.find(p, d, int(c.Table), c); stands {
			x.lockKey(p, d, lockedKey{table: uint8(c.Table), key: c.Key, idle: true})
		}
	}
	return outcome{}, false
}

// findsRow tells whether a statement speaks of a row that must be there to
// matter: it waits for one that it sees only.
func findsRow(c *Call) bool {
	switch c.Verb {
	case VerbUpdate, VerbDelete, VerbChange, VerbRemove, VerbClaim:
		return true
	}
	return c.Verb == VerbGet && c.Mode == ModeLock
}

// changedUnder tells whether somebody has changed, since this transaction's
// snapshot, what the statement would change or meet. A plain INSERT only
// meets the row that stands, and fails with 23505.
func (x *step) changedUnder(p, d int, c *Call, tx *transaction) bool {
	if findsRow(c) && aboutRows(c.Verb) {
		return x.rowsChangedUnder(p, d, c, tx)
	}
	if x.w.sc.Databases[d].Tables[c.Table].Key == "" || !tx.isChanged(c.Table, c.Key) {
		return false
	}
	switch {
	case findsRow(c):
		return holds(x.tableSeen(p, d, c).rows, c.Key)
	case c.Verb == VerbInsert && c.Mode == ModeStrict:
		return false
	case isWrite(c.Verb):
		return holds(x.table(d, int(c.Table)).rows, c.Key)
	}
	return false
}

// holds tells whether a row with this key is among rows.
func holds(rows []row, key ValueID) bool {
	for _, r := range rows {
		if r.key == key {
			return true
		}
	}
	return false
}

// blocker is the process whose lock a statement would wait for, or -1.
func (x *step) blocker(p, d int, c *Call) int {
	if c.Verb == VerbLock {
		return x.heldByOther(p, d, c.Key)
	}
	if c.Table < 0 || x.w.sc.Databases[d].Tables[c.Table].Key == "" || !isWrite(c.Verb) && !findsRow(c) {
		return -1
	}
	if aboutRows(c.Verb) {
		return x.rowsBlocker(p, d, c)
	}
	for _, k := range x.locks(d).keys {
		switch {
		case int16(k.table) != c.Table || k.key != c.Key || int(k.owner) == p+1:
		case k.idle && c.Verb == VerbInsert: // it meets the row that stands, locked or not
		case findsRow(c) && !holds(x.tableSeen(p, d, c).rows, c.Key): // it does not see what is locked
		default:
			return int(k.owner) - 1
		}
	}
	return -1
}

// inCircle tells whether a process waits for itself: it waits for somebody who
// waits for somebody ... who waits for it.
func (x *step) inCircle(p, d int) bool {
	at := p
	for range x.w.sc.Processes {
		c := x.waitingCall(at, d)
		if c == nil {
			return false
		}
		if at = x.blocker(at, d, c); at == p || at < 0 {
			return at == p
		}
	}
	return false
}

// waitingCall is the call to a database that a process stands before and could
// wait at, or nil.
func (x *step) waitingCall(p, d int) *Call {
	pr := x.proc(p)
	if pr.node == 0 || pr.stalled || pr.timing != notTiming || pr.rule != RuleProfile {
		return nil
	}
	c := x.w.prog.Call(pr.node)
	if partyOf(c.Verb) != partyDatabase || int(c.Party) != d {
		return nil
	}
	if tx, open := x.tx(p, d); c.InTx && (!open || tx.broken || tx.aborted) {
		return nil // it is told so at once
	}
	return c
}
