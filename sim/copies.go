package sim

import "encoding/binary"

// Copies of a database, and what happens when one is put back: rows that were
// committed since are gone, and what an email or another database knows of them
// is not. Only a text that restores has copies.

// copies are the snapshots of one database.
type copies struct {
	list []databaseCopy
}

// databaseCopy is what all tables held, by the numbers of their contents.
type databaseCopy struct {
	name   ValueID
	tables []uint32
}

func (c *copies) encode(b []byte) []byte {
	for _, k := range c.list {
		b = append(binary.AppendUvarint(b, uint64(k.name)), byte(len(k.tables)))
		for _, id := range k.tables {
			b = binary.AppendUvarint(b, uint64(id))
		}
	}
	return b
}

func (x *step) copies(d int) *copies { return x.w.copied.items[x.read(x.w.firstCopy+d)] }
func (x *step) setCopies(d int, c *copies) {
	x.write(x.w.firstCopy+d, x.w.copied.intern(c, x.w.scratch))
}

// copyOrRestore makes a copy of what is committed, or puts one back. Putting
// one back needs the database to itself: it waits for open transactions, and
// where no such copy was made it changes nothing and says so.
func (x *step) copyOrRestore(p, d int, c *Call) outcome {
	old := x.copies(d)
	at := -1
	for i, k := range old.list {
		if k.name == c.Key {
			at = i
		}
	}
	if c.Verb == VerbSnapshot {
		k := databaseCopy{name: c.Key}
		for _, slot := range x.w.tableSlot[d] {
			k.tables = append(k.tables, x.read(slot))
		}
		next := &copies{list: append([]databaseCopy(nil), old.list...)}
		if at >= 0 {
			next.list[at] = k
		} else {
			next.list = append(next.list, k)
		}
		x.setCopies(d, next)
		return outcome{answer: Answer{Value: True}}
	}
	for q := range x.w.sc.Processes {
		if tx, open := x.tx(q, d); open && !tx.broken {
			return outcome{waits: true}
		}
	}
	if at < 0 {
		return outcome{answer: Answer{Value: False}}
	}
	for t, slot := range x.w.tableSlot[d] {
		x.write(slot, old.list[at].tables[t])
	}
	x.emit(Event{Kind: EventRestored, Proc: int16(p), Database: int16(d), Call: c})
	return outcome{answer: Answer{Value: True}}
}
