package sim

// SQLite's locks are on the file. A writer holds one lock that excludes other
// writers; readers hold another one only within a transaction. In DELETE mode
// a writer's commit needs the file without readers, whether or not it changed
// anything, and a writer that began exclusively, or has tried to commit and
// found readers, lets no new one in (SQLite lockingv3, RESERVED, PENDING,
// EXCLUSIVE). In WAL mode
// readers keep their snapshot and are in nobody's way (SQLite wal).
//
// The busy handler, and with it busy_timeout, is only asked where the
// transaction holds nothing yet, and at the commit: a reader that becomes a
// writer while another one writes is told so at once, because waiting could
// last for ever (SQLite c3ref/busy_handler).
//
// A commit that waits leaves the state as it was before: the PENDING lock that
// keeps new readers out is noted only when the commit gives up.

// lockFile takes what a call needs of the file; done tells that the call comes
// to nothing.
func (x *step) lockFile(p, d int, c *Call) (out outcome, done bool) {
	if x.fileBlocked(p, d, c) {
		return x.inTheWay(p, d), true
	}
	l := *x.locks(d)
	mine := int(l.writer) == p+1
	switch {
	case c.Verb == VerbBegin && c.Mode == ModeDeferred:
		return outcome{}, false
	case c.Verb == VerbBegin:
		l.writer = uint8(p + 1)
		l.exclusive = c.Mode == ModeExclusive && x.w.sc.Databases[d].Journal == DeleteJournal
	case !c.InTx || mine:
		return outcome{}, false
	default:
		tx, _ := x.tx(p, d)
		if isWrite(c.Verb) {
			if tx.reading && (l.writer != 0 || len(tx.old) > 0) {
				return outcome{answer: Answer{Code: Busy}}, true
			}
			l.writer = uint8(p + 1)
		}
		l.readers |= 1 << p
		tx.reading = true
		x.setTx(p, tx)
	}
	x.setLocks(d, &l)
	return outcome{}, false
}

// fileBlocked tells whether a call has to wait for somebody else's lock on the
// file.
func (x *step) fileBlocked(p, d int, c *Call) bool {
	l := x.locks(d)
	exclusive := x.w.sc.Databases[d].Journal == DeleteJournal
	writer := l.writer != 0 && int(l.writer) != p+1
	readers := exclusive && l.readers&^(1<<p) != 0
	switch {
	case c.Verb == VerbCommit:
		return x.commitWaits(p, d)
	case c.Verb == VerbBegin && c.Mode == ModeDeferred:
		return false
	case c.Verb == VerbBegin:
		return writer || c.Mode == ModeExclusive && readers
	case isWrite(c.Verb) && !c.InTx:
		return writer || readers && !x.violates(p, d, c)
	}
	if c.InTx {
		if tx, _ := x.tx(p, d); !tx.deferred || tx.reading {
			return false // it has what it needs, or is told at once that it can't
		}
	}
	if isWrite(c.Verb) {
		return writer
	}
	return isRead(c.Verb) && exclusive && writer && (l.exclusive || l.pending)
}

// violates tells whether a statement fails with a constraint error, which is
// found before its commit could meet readers.
func (x *step) violates(p, d int, c *Call) bool {
	if c.Verb != VerbInsert || c.Mode != ModeStrict {
		return false
	}
	_, stands := x.find(p, d, int(c.Table), c)
	return stands
}

// commitWaits tells whether readers are in the way of a commit.
func (x *step) commitWaits(p, d int) bool {
	db := &x.w.sc.Databases[d]
	if db.Isolation != SingleWriter || db.Journal != DeleteJournal || !db.Modes {
		return false
	}
	l := x.locks(d)
	tx, open := x.tx(p, d)
	return open && !tx.broken && int(l.writer) == p+1 && l.readers&^(1<<p) != 0
}

// inTheWay is what comes of a call that a lock is in the way of: a wait, or an
// error at once where the database was told not to wait.
func (x *step) inTheWay(p, d int) outcome {
	db := &x.w.sc.Databases[d]
	if !db.Limited || db.Wait > 0 {
		return outcome{waits: true}
	}
	x.gaveUp(p, d)
	return outcome{answer: Answer{Code: Busy}}
}

// gaveUp notes that a call waits no longer: a commit that found readers lets no
// new ones in.
func (x *step) gaveUp(p, d int) {
	if x.commitWaits(p, d) {
		l := *x.locks(d)
		l.pending = true
		x.setLocks(d, &l)
	}
}

func isRead(v Verb) bool {
	switch v {
	case VerbGet, VerbExists, VerbSelect, VerbCount:
		return true
	}
	return false
}
