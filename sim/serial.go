package sim

// SERIALIZABLE: a commit is refused if and only if no order, one transaction
// after the other, explains what all of them were told and what stands then
// (PostgreSQL manual 13.2.3). The check is exact: the transactions that have
// committed while a serializable one was open, and the one that commits now,
// are carried out afresh in every order, from the tables as they were before,
// until an order gives each the answers it had. PostgreSQL itself watches for
// a pattern of dependencies that every such case has and some others too; it
// may refuse more.
//
// A transaction that was not serializable itself has no claim to an order: only
// what it wrote counts.
//
// The past is kept only while a serializable transaction is open that has seen
// a snapshot. Whoever begins after that comes after all of it.

// callStore numbers calls by their contents.
type callStore struct {
	ids  map[Call]uint32
	list []Call
}

func (s *callStore) intern(c Call) uint32 {
	id, known := s.ids[c]
	if !known {
		if s.ids == nil {
			s.ids = map[Call]uint32{}
		}
		id = uint32(len(s.list))
		s.ids[c] = id
		s.list = append(s.list, c)
	}
	return id
}

// maxPast bounds the transactions of which every order is tried; of more, the
// oldest counts as the first.
const maxPast = 6

// noteSaid keeps what a serializable transaction asked and was told. Errors that
// undo themselves explain nothing; a unique violation says that a row stood.
func (x *step) noteSaid(p, d int, c *Call, a Answer) {
	tx, open := x.tx(p, d)
	if !open || tx.isolation != Serializable || a.Code != OK && a.Code != Conflict {
		return
	}
	tx.said = append(append([]said(nil), tx.said...), x.saidOf(c, a))
	x.setTx(p, tx)
}

func (x *step) saidOf(c *Call, a Answer) said {
	call := *c
	call.Of = OfNobody // whose work it was does not matter any more
	return said{x.w.calls.intern(call), a.Code, a.Value}
}

// serialOpen tells whether one of these processes has a serializable
// transaction open.
func (x *step) serialOpen(d int, readers uint32) bool {
	for q := range x.w.sc.Processes {
		if readers&(1<<q) == 0 {
			continue
		}
		if tx, open := x.tx(q, d); open && tx.isolation == Serializable {
			return true
		}
	}
	return false
}

// remember adds a transaction that is about to commit to the past of those that
// are open. Invariant: the tables are still as they were before it.
func (x *step) remember(p, d int, tx transaction) {
	t := past{said: tx.said}
	if tx.isolation != Serializable {
		t = past{writes: tx.writes}
	}
	x.addPast(d, x.locks(d).readers&^(1<<p), x.tableIDs(d), t)
}

// rememberAlone does the same for a statement by itself, after it was made.
func (x *step) rememberAlone(p, d int, c *Call, a Answer, before []uint32) {
	t := past{said: []said{x.saidOf(c, a)}, free: x.w.sc.Databases[d].Isolation != Serializable}
	x.addPast(d, x.locks(d).readers, before, t)
}

func (x *step) addPast(d int, readers uint32, before []uint32, t past) {
	if !x.w.sc.Databases[d].Modes || x.imagining || len(t.said)+len(t.writes) == 0 || !x.serialOpen(d, readers) {
		return
	}
	l := *x.locks(d)
	if l.base == nil {
		l.base = before
	}
	l.past = append(append([]past(nil), l.past...), t)
	if len(l.past) > maxPast {
		l.base = x.after(d, l.base, l.past[0])
		l.past = l.past[1:]
	}
	x.setLocks(d, &l)
}

func (x *step) tableIDs(d int) []uint32 {
	ids := make([]uint32, len(x.w.tableSlot[d]))
	for t, slot := range x.w.tableSlot[d] {
		ids[t] = x.read(slot)
	}
	return ids
}

// explained tells whether some order explains the past and a transaction that
// is about to commit.
func (x *step) explained(p, d int, tx transaction) bool {
	if tx.isolation != Serializable || x.locks(d).base == nil {
		return true
	}
	l := x.locks(d)
	list := append(append([]past(nil), l.past...), past{said: tx.said})
	want := make([][]row, len(x.w.tableSlot[d]))
	for t := range want {
		want[t] = append([]row(nil), x.table(d, t).rows...)
	}
	for _, wr := range tx.writes {
		want[wr.table] = x.w.applyTo(d, want[wr.table], wr)
	}
	found := false
	x.imagine(d, l.base, func() { found = x.order(p, d, list, 0, want) })
	return found
}

// after is what the tables hold after a transaction of the past.
func (x *step) after(d int, base []uint32, t past) (ids []uint32) {
	x.imagine(d, base, func() {
		t.free = true
		x.again(0, d, t)
		ids = x.tableIDs(d)
	})
	return ids
}

// imagine lets f change a database as it likes, from these tables and without
// any lock, and then puts everything back.
func (x *step) imagine(d int, tables []uint32, f func()) {
	kept, record, before := append(State(nil), x.cur...), x.record, x.imagining
	x.record, x.imagining = false, true
	x.setLocks(d, &locks{})
	for t, slot := range x.w.tableSlot[d] {
		x.write(slot, tables[t])
	}
	f()
	x.record, x.imagining = record, before
	copy(x.cur, kept)
}

// order tries every order of the transactions that are not used yet. Those that
// only wrote keep their order: they have nothing that speaks for another.
func (x *step) order(p, d int, list []past, used uint, want [][]row) bool {
	if used == 1<<len(list)-1 {
		return x.stands(d, want)
	}
	kept, waits := append(State(nil), x.cur...), false
	for i := range list {
		free := len(list[i].writes) > 0 || list[i].free
		if used&(1<<i) != 0 || free && waits {
			continue
		}
		waits = waits || free
		if x.again(p, d, list[i]) && x.order(p, d, list, used|1<<i, want) {
			return true
		}
		copy(x.cur, kept)
	}
	return false
}

// again carries out a transaction of the past and tells whether it is told the
// same.
func (x *step) again(p, d int, t past) bool {
	x.setTx(p, transaction{db: uint8(d), isolation: ReadCommitted})
	for _, s := range t.said {
		c := x.w.calls.list[s.call]
		if out := x.statement(p, &c); !t.free && out.answer != (Answer{s.code, s.value}) {
			return false
		}
	}
	tx, _ := x.tx(p, d)
	x.apply(p, d, append(append([]write(nil), tx.writes...), t.writes...))
	x.dropTx(p, d)
	x.setLocks(d, &locks{})
	return true
}

// stands tells whether the tables hold these rows, where anybody reads them.
func (x *step) stands(d int, want [][]row) bool {
	for t, rows := range want {
		tab := &x.w.sc.Databases[d].Tables[t]
		if !tab.Read && tab.Version == "" {
			continue
		}
		have := x.table(d, t).rows
		if len(have) != len(rows) {
			return false
		}
		for i, r := range rows {
			if have[i].key != r.key || have[i].body != r.body {
				return false
			}
		}
	}
	return true
}

// bothLooked tells whether two serializable transactions have looked for a key
// before either inserted it: then the second INSERT fails with 40001 instead
// of 23505 (PostgreSQL manual 13.5).
func (x *step) bothLooked(p, d int, c *Call) bool {
	tx, _ := x.tx(p, d)
	if tx.isolation != Serializable || !x.looked(tx.said, c) {
		return false
	}
	for _, t := range x.locks(d).past {
		if t.free || !x.looked(t.said, c) {
			continue
		}
		for _, s := range t.said {
			other := &x.w.calls.list[s.call]
			if isWrite(other.Verb) && other.Table == c.Table && other.Key == c.Key {
				return true
			}
		}
	}
	return false
}

func (x *step) looked(list []said, c *Call) bool {
	for _, s := range list {
		other := &x.w.calls.list[s.call]
		if isRead(other.Verb) && other.Table == c.Table && (other.Key == None || other.Key == c.Key) {
			return true
		}
	}
	return false
}
