package sim

import (
	"encoding/binary"
	"sort"
)

// Sums: tables whose rows add up what several intents contribute, as a total or
// a stock does. What counts is not how often somebody committed but whose share
// a row still has in it. The observer keeps these shares with the row: a change
// in the database (add, plus, minus) puts one more to what stands, and a value
// that a handler has worked out puts one more to what that handler had read. So
// a lost update takes away the share of whoever was overwritten.

// heard is what the handler of a process last read of such a row: whose shares
// it had in it.
type heard struct {
	db, table uint8
	key       ValueID
	shares    ValueID
}

func encodeHeard(b []byte, list []heard) []byte {
	b = append(b, byte(len(list)))
	for _, h := range list {
		b = append(b, h.db, h.table)
		b = binary.AppendUvarint(b, uint64(h.key))
		b = binary.AppendUvarint(b, uint64(h.shares))
	}
	return b
}

func (w *World) isSum(d, t int) bool { return w.sc.Databases[d].Tables[t].Sum }

// hears notes that a handler was told a row, and hands on whose it is. A sum is
// nobody's.
func (x *step) hears(p, d, t int, r row) {
	if !x.w.isSum(d, t) {
		x.handOn(p, r.label)
		return
	}
	x.handOn(p, 0)
	now := heard{uint8(d), uint8(t), r.key, r.shares}
	list := []heard{now}
	for _, h := range x.proc(p).heard {
		if h.db != now.db || h.table != now.table || h.key != now.key {
			list = append(list, h)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		switch {
		case a.db != b.db:
			return a.db < b.db
		case a.table != b.table:
			return a.table < b.table
		}
		return a.key < b.key
	})
	x.change(p, func(pr *process) { pr.heard = list })
}

// share works out whose shares a row has after a change: of what stands when it
// is made (joins), or of what the handler had read.
func (x *step) share(p, d int, wr *write) {
	if !x.w.isSum(d, int(wr.table)) {
		return
	}
	wr.joins = wr.verb == VerbAdd || x.w.counts(wr.body)
	for _, h := range x.proc(p).heard {
		if !wr.joins && int(h.db) == d && h.table == wr.table && h.key == wr.key && wr.verb != VerbInsert {
			wr.shares = h.shares
		}
	}
	if !wr.joins {
		wr.shares = x.w.withShare(wr.shares, wr.label)
	}
}

// counts tells whether a change is worked out in the database.
func (w *World) counts(body ValueID) bool {
	for _, f := range w.sc.Values.Get(body).Fields {
		if term := w.sc.Values.Get(f.Value); term.Kind == KindTerm && (term.String == TermPlus || term.String == TermMinus) {
			return true
		}
	}
	return false
}

// sharing gives the row after a change its shares; before are those that stood.
func (w *World) sharing(d int, r row, before ValueID, wr write) row {
	if !w.isSum(d, int(wr.table)) {
		return r
	}
	r.label, r.shares = 0, wr.shares
	if wr.joins {
		r.shares = w.withShare(before, wr.label)
	}
	return r
}

// withShare adds a share of an intent, up to the number that is told apart.
func (w *World) withShare(shares ValueID, label labelID) ValueID {
	if label == 0 || w.sharesOf(shares, int(label)-1) >= w.effectLimit() {
		return shares
	}
	vals := w.sc.Values
	var list []ValueID
	placed := false
	for _, f := range vals.Get(shares).Fields {
		if !placed && vals.Get(f.Value).Int >= int64(label) {
			list, placed = append(list, vals.Int(int64(label))), true
		}
		list = append(list, f.Value)
	}
	if !placed {
		list = append(list, vals.Int(int64(label)))
	}
	return vals.List(list)
}

// sharesOf counts the shares of an intent.
func (w *World) sharesOf(shares ValueID, intent int) uint8 {
	n := uint8(0)
	for _, f := range w.sc.Values.Get(shares).Fields {
		if w.sc.Values.Get(f.Value).Int == int64(intent+1) {
			n++
		}
	}
	return n
}

// standingShares counts the shares of an intent in a table.
func (x *step) standingShares(ch channel, i int) uint8 {
	n := uint8(0)
	for _, r := range x.table(ch.db, ch.table).rows {
		n = min(n+x.w.sharesOf(r.shares, i), x.w.effectLimit())
	}
	return n
}
