package sim

// Sequences: a number is handed out when its row is inserted, not when that is
// committed. With PostgreSQL a number is gone once it was handed out, whatever
// becomes of its transaction (PostgreSQL manual 9.17, nextval), so rows become
// visible in another order than that of their numbers, and some never do. With
// SQLite it is given back with the transaction (SQLite autoinc), and since
// there is one writer, numbers become visible in order.

// numbered gives an insert the next number of its table's sequence.
func (x *step) numbered(p, d int, c *Call) *Call {
	if c.Verb != VerbInsert || c.Key != None || !x.w.sc.Databases[d].Tables[c.Table].Sequence {
		return c
	}
	vals := x.w.sc.Values
	last := x.table(d, int(c.Table)).last
	if c.InTx && x.w.sc.Databases[d].Isolation == SingleWriter {
		tx, _ := x.tx(p, d)
		for _, wr := range tx.writes {
			if wr.verb == VerbInsert && int16(wr.table) == c.Table {
				last = max(last, vals.Get(wr.key).Int)
			}
		}
	}
	next := *c
	next.Key = vals.Int(last + 1)
	next.Body = vals.With(c.Body, x.w.sc.Databases[d].Tables[c.Table].Key, next.Key)
	return &next
}

// takeNumber notes that a number was handed out, where that outlasts the
// transaction.
func (x *step) takeNumber(d int, c *Call) {
	db := &x.w.sc.Databases[d]
	if c.Verb != VerbInsert || !db.Tables[c.Table].Sequence || db.Isolation == SingleWriter {
		return
	}
	old := x.table(d, int(c.Table))
	x.setTable(d, int(c.Table), &table{old.rows, max(old.last, x.w.sc.Values.Get(c.Key).Int)})
}

// lastWith is the last number of a table's sequence once a change is committed.
func (x *step) lastWith(d int, wr write) int64 {
	last := x.table(d, int(wr.table)).last
	if wr.verb == VerbInsert && x.w.sc.Databases[d].Tables[wr.table].Sequence {
		last = max(last, x.w.sc.Values.Get(wr.key).Int)
	}
	return last
}

// belowOpen tells whether a number is below that of each row that an open
// transaction has inserted into the call's table.
func (x *step) belowOpen(d int, c *Call, key ValueID) bool {
	vals := x.w.sc.Values
	for q := range x.w.sc.Processes {
		tx, _ := x.tx(q, d)
		for _, wr := range tx.writes {
			if wr.verb == VerbInsert && int16(wr.table) == c.Table && vals.Get(wr.key).Int <= vals.Get(key).Int {
				return false
			}
		}
	}
	return true
}
