package sim

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// Late requests: the caller sees the timeout of a lost request, and the request
// arrives at a moment of the schedule's choosing, or never. So looking whether
// it arrived and then repeating it is no cure: it may arrive after the look.
//
// What is still on its way survives its caller. Its arrival needs no further
// fault, so an intent that it can still bring is not hopeless; but nobody waits
// for it: it holds no clock, no stalled process sleeps for its sake, and a run
// whose other steps are over is at rest. "Never" is no step: it looks like a
// lost request, which is a fault of its own.
//
// Late can be what has an effect and is answered: send, publish with a confirm,
// a statement about one row that commits by itself. A commit or a statement of a transaction
// that arrives after its connection was lost finds no transaction. An ack that
// arrives late is a stale one, which stalls and expiries bring about already. A
// producer of a log numbers its records, and what a late one then meets is a
// rule that the world doesn't have.

// wire is the requests that are on their way although nobody waits for them.
type wire struct {
	late []lateRequest
}

// lateRequest is the call at a node, made by a process.
type lateRequest struct {
	by    uint8
	node  Node
	label labelID
}

func (c *wire) encode(b []byte) []byte {
	for _, r := range c.late {
		b = append(b, r.by, byte(r.label))
		b = binary.AppendUvarint(b, uint64(r.node))
	}
	return b
}

func (x *step) wire() *wire { return x.w.wires.items[x.read(x.w.wireSlot)] }
func (x *step) setWire(c *wire) {
	x.write(x.w.wireSlot, x.w.wires.intern(c, x.w.scratch))
}

// layOutMore gives slots to what few scenarios have.
func (w *World) layOutMore() {
	if w.sc.Faults.Limit[Late] > 0 {
		w.wireSlot = w.slots
		w.slots++
	}
	if w.sc.Faults.Limit[Outage] > 0 {
		w.downSlot = w.slots
		w.slots++
	}
	if w.sc.Restores {
		w.firstCopy = w.slots
		w.slots += len(w.sc.Databases)
	}
}

func (w *World) beginMore(x *step) {
	if w.wireSlot > 0 {
		x.setWire(&wire{})
	}
	if w.downSlot > 0 {
		x.setDowns(&downs{list: make([]outageLeft, len(w.sc.Outages))})
	}
	if w.firstCopy > 0 {
		for d := range w.sc.Databases {
			x.setCopies(d, &copies{})
		}
	}
}

// canBeLate tells whether a call can arrive after its caller has given up, and
// still do something.
func canBeLate(sc *Scenario, c *Call) bool {
	if boundaryOf(sc, c) == InProcess || isSend(sc, c) {
		return false
	}
	if c.Verb == VerbPublish {
		return sc.Queues[c.Party].Log == 0
	}
	switch c.Verb {
	case VerbInsert, VerbPut, VerbPutNewer, VerbUpdate, VerbAdd, VerbDelete:
		return !c.InTx
	}
	return c.Verb == VerbSend
}

func (w *World) lateFaults(x *step, p int, c *Call, name string) {
	if w.wireSlot == 0 || !canBeLate(w.sc, c) || !x.canStrike(Late, p, c) {
		return
	}
	x.strike(Late, p, name+" late", func() {
		r := lateRequest{by: uint8(p), node: x.proc(p).node, label: x.labelOf(p, c)}
		next := &wire{late: append(append([]lateRequest(nil), x.wire().late...), r)}
		sort.Slice(next.late, func(i, j int) bool { return next.late[i].before(next.late[j]) })
		x.setWire(next)
		x.lost(p, c, Late)
	})
}

func (r lateRequest) before(o lateRequest) bool {
	switch {
	case r.by != o.by:
		return r.by < o.by
	case r.node != o.node:
		return r.node < o.node
	}
	return r.label < o.label
}

// buildLate adds the arrivals to the groups of steps.
func (w *World) buildLate() {
	if w.wireSlot > 0 {
		w.lates = []*group{newGroup(w.arrivals)}
	}
}

// arrivals lists the late requests that can arrive now. Of several that are the
// same, one stands for all.
func (w *World) arrivals(x *step) {
	list := x.wire().late
	names := w.lateNames(list)
	for i, r := range list {
		if i > 0 && list[i-1] == r || x.keptOut(r) {
			continue
		}
		x.open()
		x.arriveLate(i)
		x.close(Outcome{Name: names[i], Kind: StepLate, Proc: -1, Waits: true})
	}
}

// lateNames names the arrivals: "mail receives late worker1 send". Different
// ones of that name are numbered.
func (w *World) lateNames(list []lateRequest) []string {
	names := make([]string, len(list))
	count := map[string]int{}
	for i, r := range list {
		if i > 0 && list[i-1] == r {
			names[i] = names[i-1]
			continue
		}
		c := w.prog.Call(r.node)
		name := w.partyName(c) + " receives late " + w.procName(int(r.by)) + " " + c.Verb.String()
		if c.Table >= 0 {
			name += " " + w.sc.Databases[c.Party].Tables[c.Table].Name
		}
		if count[name]++; count[name] > 1 {
			name += fmt.Sprintf("'%d", count[name])
		}
		names[i] = name
	}
	return names
}

func (w *World) partyName(c *Call) string {
	switch partyOf(c.Verb) {
	case partyQueue:
		return w.sc.Queues[c.Party].Name
	case partyDatabase:
		return w.sc.Databases[c.Party].Name
	}
	return w.sc.Providers[c.Party].Name
}

// keptOut tells whether a request can't be carried out as things stand: its
// party is out, a lock is in the way (one of its own process too, since its
// connection is another one by now), or a request with its key is running.
func (x *step) keptOut(r lateRequest) bool {
	c := x.w.prog.Call(r.node)
	if x.w.downSlot > 0 && x.isDown(c) {
		return true
	}
	if isWrite(c.Verb) {
		return x.lockedAway(c)
	}
	return c.Verb == VerbSend && x.waitsForKey(c)
}

// lockedAway tells whether anybody's lock is in the way of a statement.
func (x *step) lockedAway(c *Call) bool {
	db, l := &x.w.sc.Databases[c.Party], x.locks(int(c.Party))
	if db.Isolation == SingleWriter {
		return l.writer != 0 || db.Journal == DeleteJournal && l.readers != 0
	}
	for _, k := range l.keys {
		if int16(k.table) == c.Table && k.key == c.Key {
			return true
		}
	}
	return false
}

// arriveLate carries out a late request. Nobody hears the answer.
func (x *step) arriveLate(i int) {
	old := x.wire().late
	r := old[i]
	x.setWire(&wire{late: append(append([]lateRequest(nil), old[:i]...), old[i+1:]...)})
	c := x.w.prog.Call(r.node)
	x.late = &r.label
	out := x.do(int(r.by), c, plain)
	x.late = nil
	x.emit(Event{Kind: EventLate, Proc: int16(r.by), Call: c, Answer: out.answer, Label: r.label})
}

// lookMore shows what few scenarios have.
func (w *World) lookMore(x *step, v *View) {
	if w.wireSlot > 0 {
		v.Late = w.lateNames(x.wire().late)
	}
	if w.downSlot > 0 {
		for i, left := range x.downs().list {
			if left.out {
				v.Outages = append(v.Outages, OutageView{w.outageName(i), left.left})
			}
		}
	}
}
