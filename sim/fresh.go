package sim

import "fmt"

// Names that nothing bears yet. What bears one is whatever can still be met:
// data at rest, data in somebody's hands, and requests that are on their way.

// freshID is the smallest name that nothing in the state bears.
func (x *step) freshID() ValueID {
	used := x.namesInUse()
	for n := 1; ; n++ {
		id := x.w.sc.Values.Str(fmt.Sprintf("id-%d", n))
		if !used[id] {
			return id
		}
	}
}

func (x *step) namesInUse() map[ValueID]bool {
	used := map[ValueID]bool{}
	var add func(id ValueID)
	add = func(id ValueID) {
		used[id] = true
		for _, f := range x.w.sc.Values.Get(id).Fields {
			add(f.Value)
		}
	}
	addRows := func(t *table) {
		for _, r := range t.rows {
			add(r.key)
			add(r.body)
		}
	}
	for p := range x.w.sc.Processes {
		pr := x.proc(p)
		for _, id := range pr.fresh {
			add(id)
		}
		for _, m := range pr.memory {
			add(m.value)
		}
		for _, d := range pr.held {
			add(d.id.op)
		}
		for _, d := range pr.buffer {
			add(d.in.Op)
			add(d.in.Body)
		}
		for _, tx := range pr.txs {
			for _, wr := range tx.writes {
				add(wr.key)
				add(wr.body)
			}
			for _, o := range tx.old {
				addRows(x.w.tables.items[o.rows])
			}
		}
	}
	for q := range x.w.sc.Queues {
		for _, m := range x.queue(q).messages {
			add(m.id.op)
			add(m.body)
			add(m.group)
		}
		for _, k := range x.queue(q).known {
			add(k.id)
		}
		for _, m := range x.queue(q).gone {
			add(m.id.op)
			add(m.body)
		}
	}
	for d, db := range x.w.sc.Databases {
		for t := range db.Tables {
			addRows(x.table(d, t))
		}
		if x.w.firstCopy > 0 {
			for _, k := range x.copies(d).list {
				for _, id := range k.tables {
					addRows(x.w.tables.items[id])
				}
			}
		}
	}
	for p := range x.w.sc.Providers {
		for _, m := range x.mailbox(p).mails {
			add(m.to)
			add(m.body)
		}
		for _, k := range x.mailbox(p).keys {
			add(k.key)
			add(k.ref)
		}
		for _, r := range x.mailbox(p).refs {
			add(r.ref)
		}
	}
	if x.w.wireSlot > 0 {
		for _, r := range x.wire().late {
			c := x.w.prog.Call(r.node)
			for _, id := range []ValueID{c.Op, c.Key, c.Ref, c.Body, c.Post.Group, c.Post.ID} {
				add(id)
			}
		}
	}
	return used
}
