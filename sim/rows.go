package sim

import "sort"

// Statements about several rows: select, count, change, remove and claim. They
// see what every other statement sees, and they wait where one of their rows
// is locked; claim alone passes over locked rows. What they change is worked
// out when they run and kept as changes of single rows.

// aboutRows tells whether a verb speaks of all rows that match.
func aboutRows(v Verb) bool {
	switch v {
	case VerbSelect, VerbCount, VerbChange, VerbRemove, VerbClaim:
		return true
	}
	return false
}

// rowsStatement makes such a statement.
func (x *step) rowsStatement(p, d int, c *Call) outcome {
	vals := x.w.sc.Values
	switch c.Verb {
	case VerbSelect:
		return outcome{answer: Answer{Value: x.selectRows(p, d, c)}}
	case VerbCount:
		return outcome{answer: Answer{Value: vals.Int(int64(len(x.matching(p, d, c))))}}
	}
	rows := x.matching(p, d, c)
	a := Answer{Value: vals.Int(int64(len(rows)))}
	if c.Verb == VerbClaim {
		if rows = x.firstFree(p, d, c, rows); len(rows) == 0 {
			a.Value = None
		}
	}
	writes := x.writesOf(p, c, rows)
	switch {
	case len(writes) == 0:
	case c.InTx:
		for _, wr := range writes {
			x.keepWrite(p, d, wr, true)
		}
	default:
		x.apply(p, d, writes)
	}
	if c.Verb == VerbClaim && len(rows) > 0 {
		claimed, _ := x.w.changed(d, rows[0], true, writes[0])
		x.hears(p, d, int(c.Table), claimed)
		a.Value = x.w.told(d, c.Table, claimed.body)
	}
	x.emit(Event{Kind: EventStatement, Proc: int16(p), Database: int16(d), Table: c.Table, Call: c, Rows: len(rows), Done: len(rows) > 0})
	return outcome{answer: a}
}

// selectRows is what a select returns: rows in order, each handing on whose
// work it is.
func (x *step) selectRows(p, d int, c *Call) ValueID {
	rows := x.matching(p, d, c)
	if n := int(c.Limit); n > 0 && n < len(rows) {
		rows = rows[:n]
	}
	list := make([]ValueID, len(rows))
	for i, r := range rows {
		list[i] = x.w.told(d, c.Table, r.body)
		x.hears(p, d, int(c.Table), r)
	}
	return x.w.sc.Values.List(list)
}

// writesOf are the changes that a statement makes to these rows. A row that is
// claimed keeps whose work it is, and so is the change.
func (x *step) writesOf(p int, c *Call, rows []row) []write {
	var writes []write
	for _, r := range rows {
		wr := write{verb: VerbUpdate, table: uint8(c.Table), key: r.key, body: c.Body}
		if c.Verb == VerbRemove {
			wr.verb = VerbDelete
		}
		if c.Verb == VerbClaim && c.Of == OfHandler {
			wr.label = r.label
		} else {
			wr.label = x.labelOf(p, c)
		}
		x.share(p, int(c.Party), &wr)
		x.w.workOut(&wr, r.body)
		writes = append(writes, wr)
	}
	return writes
}

// rowsSeen are the rows of a call's table as the process sees them: what is
// committed and what its own transaction wrote.
func (x *step) rowsSeen(p, d int, c *Call) []row {
	rows := append([]row(nil), x.tableSeen(p, d, c).rows...)
	if !c.InTx {
		return rows
	}
	tx, _ := x.tx(p, d)
	for _, wr := range tx.writes {
		if int(wr.table) == int(c.Table) {
			rows = x.w.applyTo(d, rows, wr)
		}
	}
	return rows
}

// matching are the rows that a call speaks of, in the order that it asks for:
// that of a column, then that of the key, which is the order in which both
// SQLite and PostgreSQL walk the index of a key. Without any order a database
// may answer in another one, but a text that relies on none can't tell.
func (x *step) matching(p, d int, c *Call) []row {
	var rows []row
	for _, r := range x.rowsSeen(p, d, c) {
		if x.w.matches(r, c.Where) && (c.Mode != ModeBelow || x.belowOpen(d, c, r.key)) {
			rows = append(rows, r)
		}
	}
	vals := x.w.sc.Values
	column := func(r row) ValueID {
		if c.Order == None {
			return None
		}
		v, _ := vals.Field(r.body, vals.Get(c.Order).String)
		return v
	}
	nullsFirst := x.w.sc.Databases[d].Isolation == SingleWriter
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := column(rows[i]), column(rows[j])
		switch {
		case a != b && (a == None || b == None):
			return (a == None) == nullsFirst
		case a != b:
			return vals.Less(a, b)
		case rows[i].key != rows[j].key:
			return vals.Less(rows[i].key, rows[j].key)
		case rows[i].body != rows[j].body:
			return x.w.bodyLess(rows[i].body, rows[j].body)
		}
		if rows[i].label != rows[j].label {
			return rows[i].label < rows[j].label
		}
		return rows[i].age > rows[j].age
	})
	return rows
}

// bodyLess orders rows that no key tells apart, column by column in the order
// of their names; a row that has a column comes before one that has it not.
func (w *World) bodyLess(a, b ValueID) bool {
	vals := w.sc.Values
	other := vals.Get(b).Fields
	for i, f := range vals.Get(a).Fields {
		switch {
		case i >= len(other):
			return true
		case f.Name != other[i].Name:
			return f.Name < other[i].Name
		case f.Value != other[i].Value:
			return vals.Less(f.Value, other[i].Value)
		}
	}
	return false
}

// rowsBlocker is the process whose lock on one of the rows a call would wait
// for, or -1. A claim passes over locked rows.
func (x *step) rowsBlocker(p, d int, c *Call) int {
	keys := x.locks(d).keys
	if c.Verb == VerbClaim || len(keys) == 0 {
		return -1
	}
	for _, r := range x.matching(p, d, c) {
		for _, k := range keys {
			if int16(k.table) == c.Table && k.key == r.key && int(k.owner) != p+1 {
				return int(k.owner) - 1
			}
		}
	}
	return -1
}

// rowsChangedUnder tells whether somebody has changed, since a transaction's
// snapshot, a row that a statement would change.
func (x *step) rowsChangedUnder(p, d int, c *Call, tx *transaction) bool {
	rows := x.matching(p, d, c)
	if c.Verb == VerbClaim {
		rows = x.firstFree(p, d, c, rows)
	}
	for _, r := range rows {
		if tx.isChanged(c.Table, r.key) {
			return true
		}
	}
	return false
}

// firstFree is the first row that nobody else has locked, as a list of one or
// none.
func (x *step) firstFree(p, d int, c *Call, rows []row) []row {
	for _, r := range rows {
		if !x.lockedByOther(p, d, int(c.Table), r.key) {
			return []row{r}
		}
	}
	return nil
}

func (x *step) lockedByOther(p, d, t int, key ValueID) bool {
	for _, k := range x.locks(d).keys {
		if int(k.table) == t && k.key == key && int(k.owner) != p+1 {
			return true
		}
	}
	return false
}
