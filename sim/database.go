package sim

import "sort"

// The database: transactions, locks, rows. A statement sees what is committed
// when it runs and what its own transaction wrote. Changes are kept with the
// transaction and carried out at the commit; the locks guarantee that they
// still mean the same then.

// statement makes a call to a database. It waits where a lock is in the way.
func (x *step) statement(p int, c *Call) outcome {
	d := int(c.Party)
	switch c.Verb {
	case VerbBegin:
		return x.beginTx(p, d, c)
	case VerbCommit, VerbRollback:
		return x.endTx(p, d, c.Verb == VerbCommit)
	}
	if c.InTx && x.txBroken(p, d) {
		return outcome{answer: Answer{Code: Gone}}
	}
	switch c.Verb {
	case VerbSavepoint, VerbRollbackTo:
		return x.toSavepoint(p, d, c)
	case VerbLock, VerbTryLock, VerbUnlock:
		return x.sessionLock(p, d, c)
	case VerbSnapshot, VerbRestore:
		return x.copyOrRestore(p, d, c)
	}
	return x.locked(p, d, c)
}

// locked makes a statement once its locks let it, and keeps what a serializable
// transaction is told.
func (x *step) locked(p, d int, c *Call) outcome {
	db := &x.w.sc.Databases[d]
	c = x.numbered(p, d, c)
	if db.Isolation == SingleWriter {
		if out, done := x.lockFile(p, d, c); done {
			return out
		}
		return x.carryOut(p, d, c)
	}
	if out, done := x.lockRows(p, d, c); done {
		return out
	}
	if !db.Modes {
		return x.failsWhole(p, d, c, x.carryOut(p, d, c))
	}
	before := x.tableIDs(d)
	out := x.failsWhole(p, d, c, x.carryOut(p, d, c))
	switch {
	case c.InTx:
		x.noteSaid(p, d, c, out.answer)
	case isWrite(c.Verb) || db.Isolation == Serializable:
		x.rememberAlone(p, d, c, out.answer, before)
	}
	return out
}

// failsWhole lets an error of a statement abort its transaction.
func (x *step) failsWhole(p, d int, c *Call, out outcome) outcome {
	if out.answer.Code == Conflict && c.InTx {
		if x.w.sc.Databases[d].Modes && x.bothLooked(p, d, c) {
			out.answer.Code = Serialization
		}
		x.abort(p, d)
	}
	return out
}

// carryOut makes a statement that nothing is in the way of.
func (x *step) carryOut(p, d int, c *Call) outcome {
	if c.Verb == VerbGet {
		r, ok := x.find(p, d, int(c.Table), c)
		if !ok {
			return outcome{answer: Answer{Value: None}}
		}
		x.hears(p, d, int(c.Table), r)
		return outcome{answer: Answer{Value: x.w.told(d, c.Table, r.body)}}
	}
	if c.Verb == VerbExists {
		return outcome{answer: Answer{Value: x.w.sc.Values.Bool(x.anyMatches(p, d, c))}}
	}
	if aboutRows(c.Verb) {
		return x.rowsStatement(p, d, c)
	}
	return x.writeRow(p, d, c)
}

// writeRow makes a change: inside its transaction, or by itself.
func (x *step) writeRow(p, d int, c *Call) outcome {
	before, stands := row{}, false
	tab := &x.w.sc.Databases[d].Tables[c.Table]
	if tab.Key != "" {
		before, stands = x.find(p, d, int(c.Table), c)
	}
	happens := true
	switch c.Verb {
	case VerbInsert:
		happens = tab.Key == "" || !stands
		if !happens && c.Mode == ModeStrict {
			x.emit(Event{Kind: EventStatement, Proc: int16(p), Database: int16(d), Table: c.Table, Call: c, Before: before.body})
			return outcome{answer: Answer{Code: Conflict}}
		}
	case VerbPutNewer:
		happens = !stands || x.w.version(tab, c.Body) > x.w.version(tab, before.body)
	case VerbUpdate, VerbDelete:
		happens = stands
	}
	if happens {
		x.takeNumber(d, c)
		wr := write{verb: c.Verb, table: uint8(c.Table), key: c.Key, body: c.Body, label: x.labelOf(p, c)}
		x.share(p, d, &wr)
		x.w.workOut(&wr, before.body)
		if c.InTx {
			x.keepWrite(p, d, wr, tab.Key != "")
		} else {
			x.apply(p, d, []write{wr})
		}
	}
	x.emit(Event{Kind: EventStatement, Proc: int16(p), Database: int16(d), Table: c.Table, Call: c, Before: before.body, Done: happens})
	switch {
	case c.Verb == VerbInsert && tab.Sequence:
		return outcome{answer: Answer{Value: c.Key}}
	case c.Verb == VerbInsert || c.Verb == VerbPutNewer || c.Verb == VerbUpdate || c.Verb == VerbDelete:
		return outcome{answer: Answer{Value: x.w.sc.Values.Bool(happens)}}
	}
	return outcome{}
}

// find returns a row by key as the process sees it.
func (x *step) find(p, d, t int, c *Call) (row, bool) {
	found, ok := row{}, false
	for _, r := range x.tableSeen(p, d, c).rows {
		if r.key == c.Key {
			found, ok = r, true
			break
		}
	}
	if !c.InTx {
		return found, ok
	}
	tx, _ := x.tx(p, d)
	for _, wr := range tx.writes {
		if int(wr.table) == t && wr.key == c.Key {
			found, ok = x.w.changed(d, found, ok, wr)
		}
	}
	return found, ok
}

// anyMatches tells whether a row has all the columns of the call's body.
func (x *step) anyMatches(p, d int, c *Call) bool {
	for _, r := range x.rowsSeen(p, d, c) {
		if x.w.matches(r, c.Body) {
			return true
		}
	}
	return false
}

// changed is a row after one change; ok tells whether it stands.
func (w *World) changed(d int, r row, ok bool, wr write) (row, bool) {
	vals := w.sc.Values
	switch wr.verb {
	case VerbInsert, VerbPut, VerbPutNewer:
		return w.sharing(d, row{key: wr.key, body: wr.body, label: wr.label}, r.shares, wr), true
	case VerbUpdate, VerbChange:
		for _, f := range vals.Get(wr.body).Fields {
			r.body = vals.With(r.body, f.Name, f.Value)
		}
		r.age = 0
		return w.sharing(d, r, r.shares, wr), ok
	case VerbDelete:
		return row{}, false
	}
	if !ok { // add: the row is made with the amounts
		key := w.sc.Databases[d].Tables[wr.table].Key
		return w.sharing(d, row{key: wr.key, body: vals.With(wr.body, key, wr.key)}, None, wr), true
	}
	for _, f := range vals.Get(wr.body).Fields {
		sum := vals.Get(f.Value).Int
		if old, has := vals.Field(r.body, f.Name); has {
			sum += vals.Get(old).Int
		}
		r.body = vals.With(r.body, f.Name, vals.Int(sum))
	}
	r.age = 0
	return w.sharing(d, r, r.shares, wr), true
}

// applyTo carries out one change on a table's rows.
func (w *World) applyTo(d int, rows []row, wr write) []row {
	if w.sc.Databases[d].Tables[wr.table].Key == "" {
		return sortRows(append(rows, w.sharing(d, row{body: wr.body, label: wr.label}, None, wr)))
	}
	for i, r := range rows {
		if r.key == wr.key {
			if next, stands := w.changed(d, r, true, wr); stands {
				rows[i] = next
				return sortRows(rows)
			}
			return append(rows[:i], rows[i+1:]...)
		}
	}
	next, stands := w.changed(d, row{}, false, wr)
	if !stands {
		return rows
	}
	return sortRows(append(rows, next))
}

// sortRows keeps a table's rows in an order that carries no history.
func sortRows(rows []row) []row {
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a.key != b.key {
			return a.key < b.key
		}
		if a.body != b.body {
			return a.body < b.body
		}
		if a.label != b.label {
			return a.label < b.label
		}
		if a.age != b.age {
			return a.age < b.age
		}
		return a.shares < b.shares
	})
	return rows
}

// apply makes changes visible: the commit. Each intent that the changes write
// for gets one effect per effect table, however many rows it wrote there.
func (x *step) apply(p, d int, writes []write) {
	type touched struct {
		table uint8
		label labelID
	}
	x.preserve(p, d, writes)
	var effects []touched
	for _, wr := range writes {
		if x.saturated(d, wr) {
			continue
		}
		if x.w.sc.Databases[d].Tables[wr.table].Role == RoleCause {
			x.changeIntent(wr.label, func(g *intentGhost) { g.caused = true })
		}
		rows := append([]row(nil), x.table(d, int(wr.table)).rows...)
		x.setTable(d, int(wr.table), &table{x.w.applyTo(d, rows, wr), x.lastWith(d, wr)})
		e := touched{wr.table, wr.label}
		if x.w.sc.Databases[d].Tables[wr.table].Role != RoleEffect || wr.label == 0 {
			continue
		}
		known := false
		for _, old := range effects {
			known = known || old == e
		}
		if !known {
			effects = append(effects, e)
		}
	}
	x.emit(Event{Kind: EventCommit, Proc: int16(p), Database: int16(d), Rows: len(writes)})
	for _, e := range effects {
		x.effect(e.label, channel{db: d, table: int(e.table), provider: -1}, p)
	}
}

// saturated tells whether a change only repeats what the observer no longer
// counts, in a table that no handler reads: a searching world leaves it out,
// or a loop that applies the same work again and again would never end.
func (x *step) saturated(d int, wr write) bool {
	tab := &x.w.sc.Databases[d].Tables[wr.table]
	if !x.w.saturate || x.imagining || tab.Read || wr.label == 0 || tab.Key != "" && wr.verb != VerbAdd && wr.verb != VerbChange {
		return false
	}
	for i, c := range x.w.channels {
		if c.db == d && c.table == int(wr.table) {
			return x.ghost().intents[wr.label-1].effects[i] >= x.w.effectLimit()
		}
	}
	return false
}

// version is what the version column of a row says; a row without one is older
// than any.
func (w *World) version(tab *Table, body ValueID) int64 {
	id, ok := w.sc.Values.Field(body, tab.Version)
	if v := w.sc.Values.Get(id); ok && v.Kind == KindInt {
		return v.Int
	}
	return -1 << 62
}

// effectLimit is the count at which effects are no longer told apart.
func (w *World) effectLimit() uint8 {
	if w.sc.EffectCap == 0 {
		return 255
	}
	return uint8(w.sc.EffectCap)
}

// effect counts an effect of an intent.
func (x *step) effect(label labelID, ch channel, p int) {
	for i, c := range x.w.channels {
		if c.db == ch.db && c.table == ch.table && c.provider == ch.provider {
			if c.state && label > 0 && x.standingVersion(c, int(label)-1) < c.wants[label-1].version {
				continue // what was written is older than what the intent wants: nothing of it has come to be
			}
			x.changeIntent(label, func(g *intentGhost) {
				g.astray = g.astray || g.withdrawn
				if limit := x.w.effectLimit(); g.effects[i] < limit && !(c.state && g.effects[i] > 0) {
					g.effects[i]++
				}
			})
			x.emit(Event{Kind: EventEffect, Proc: int16(p), Label: label, Channel: i})
		}
	}
}
