package sim

import "encoding/binary"

// A log keeps records in partitions; reading takes nothing away. Each consumer
// group has a committed offset per partition, and each partition belongs to
// one member of a group, which reads on from a position that it alone
// remembers. After a failure another owner reads on from the committed offset.
//
// A partition is declared as a queue and its records stand in a queue's slot,
// so that publishing, names and pictures are those of every broker; the rules
// of delivery and settling don't apply to it. What groups and transactions add
// stands in one slot per log, the journal.
//
// Invariant: offsets in a state count from the oldest record that is kept. The
// prefix that nobody can read any more is dropped at once, so a log that is
// consumed has finitely many states. Where handlers read offsets, the number
// of dropped records is kept too, and then it has not.

// Log is the static part of a log.
type Log struct {
	Name       string
	Profile    string
	First      int     // its partitions are the queues from this one on
	Partitions int     // how many
	Retention  Seconds // a record is dropped when it is so old, read or not; 0: never
	TxTimeout  Seconds // a transaction that is open so long is aborted
	Groups     []Group
	Offsets    bool // handlers read offsets
	Keys       bool // handlers read the keys of records
}

// CommitRule says who commits a group's offsets.
type CommitRule uint8

// The rules.
const (
	CommitManual CommitRule = iota // the handler, by a call
	CommitAfter                    // the runtime, once a handler has returned
	CommitAuto                     // the client, for whatever a poll has handed out, when it polls again
)

// Group is a consumer group.
type Group struct {
	Name      string
	Members   []int // processes, in the order in which partitions are dealt out
	Commit    CommitRule
	HandOff   bool    // the client polls on while its handler works, so an automatic commit can come before the work is done
	Latest    bool    // without a committed offset it begins at the end
	Committed bool    // reads only what committed transactions have published
	Skips     bool    // goes on after a handler that failed; otherwise it reads again from the committed offset
	Session   Seconds // a member that has been silent for so long is removed
	MaxPoll   Seconds // a member leaves when its handler has run for so long; 0: never
}

// recordState is what a record has beside a message.
type recordState struct {
	key     ValueID
	tx      uint8   // the process whose open transaction it belongs to, plus one
	aborted bool    // its transaction was aborted
	left    Seconds // time until it is dropped; 0: never, or due
}

func (r recordState) encode(b []byte) []byte {
	b = append(b, r.tx, flag(r.aborted))
	b = binary.AppendUvarint(b, uint64(r.key))
	return binary.AppendUvarint(b, uint64(r.left))
}

// journal is what a log's broker knows beside the records, and the positions
// of the clients.
type journal struct {
	base   []uint32 // by partition: how many records were dropped; kept only where handlers read offsets
	groups []groupState
	txs    []producer // sorted by owner
}

// groupState is a consumer group at a moment.
type groupState struct {
	pending   bool    // the members have to be dealt the partitions anew
	committed []int32 // by partition: the next offset to read; none: nobody has committed
	position  []int32 // by partition: what its owner reads next
	owner     []uint8 // by partition: member plus one
	members   []member
}

// none stands for an offset that nobody has committed.
const none = -1

// standingInGroup is what the broker takes a member for.
type standingInGroup uint8

const (
	inGroup standingInGroup = iota
	outside                 // not a member: it has left, or was removed and may not know it
	dead                    // crashed, and the broker doesn't know it; the new process waits to join
)

type member struct {
	is      standingInGroup
	session Seconds // time left; runs while it is dead or stalled
	poll    Seconds // time left until it must poll again; runs while its handler runs
	has     []taken // the records of its handler, in order; none where it could commit nothing
}

// taken is where a record stands that a handler was given.
type taken struct {
	part uint8
	at   int32 // its offset; none: it was dropped since
}

func (j *journal) encode(b []byte) []byte {
	b = append(b, byte(len(j.base)), byte(len(j.groups)))
	for _, n := range j.base {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, g := range j.groups {
		b = append(b, flag(g.pending), byte(len(g.owner)), byte(len(g.members)))
		b = append(b, g.owner...)
		for _, list := range [][]int32{g.committed, g.position} {
			b = append(b, byte(len(list)))
			for _, n := range list {
				b = binary.AppendVarint(b, int64(n))
			}
		}
		for _, m := range g.members {
			b = append(b, byte(m.is), byte(len(m.has)))
			b = binary.AppendVarint(b, int64(m.session))
			b = binary.AppendVarint(b, int64(m.poll))
			for _, r := range m.has {
				b = binary.AppendVarint(append(b, r.part), int64(r.at))
			}
		}
	}
	for _, t := range j.txs {
		b = t.encode(b)
	}
	return b
}

func (x *step) journal(l int) *journal { return x.w.journals.items[x.read(x.w.firstJournal+l)] }

// changeJournal copies a log's journal, lets f change the copy and stores it.
func (x *step) changeJournal(l int, f func(*journal)) {
	old := x.journal(l)
	c := &journal{base: append([]uint32(nil), old.base...), txs: append([]producer(nil), old.txs...)}
	for _, g := range old.groups {
		g.committed = append([]int32(nil), g.committed...)
		g.position = append([]int32(nil), g.position...)
		g.owner = append([]uint8(nil), g.owner...)
		g.members = append([]member(nil), g.members...)
		c.groups = append(c.groups, g)
	}
	f(c)
	x.setJournal(l, c)
}

func (x *step) setJournal(l int, j *journal) {
	x.write(x.w.firstJournal+l, x.w.journals.intern(j, x.w.scratch))
}

// newJournal is a log's first one: nothing is committed and the partitions are
// dealt out.
func (w *World) newJournal(l int) *journal {
	decl, j := &w.sc.Logs[l], &journal{}
	if decl.Offsets {
		j.base = make([]uint32, decl.Partitions)
	}
	for _, g := range decl.Groups {
		gs := groupState{
			committed: make([]int32, decl.Partitions), position: make([]int32, decl.Partitions),
			owner: make([]uint8, decl.Partitions), members: make([]member, len(g.Members)),
		}
		for i := range gs.committed {
			gs.committed[i] = none
		}
		gs.deal()
		j.groups = append(j.groups, gs)
	}
	return j
}

// logOf returns the log that a queue is a partition of, or -1.
func (w *World) logOf(q int) int { return w.sc.Queues[q].Log - 1 }

// append stores a record at the end of its partition.
func (x *step) append(p int, c *Call) outcome {
	q := int(c.Party)
	l := x.w.logOf(q)
	m := message{id: x.nextMessage(q, c.Op), body: c.Body, label: x.labelOf(p, c)}
	m.record.left = x.w.sc.Logs[l].Retention
	if x.w.sc.Logs[l].Keys {
		m.record.key = c.Key
	}
	if c.InTx {
		if !x.txOpen(p, l) {
			return outcome{answer: Answer{Code: Fenced}}
		}
		m.record.tx = uint8(p + 1)
	}
	m.unsaved = x.leavesUnsaved(q, c)
	x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages, m) })
	if !m.unsaved {
		x.save(q, anyMessage)
	}
	x.emit(Event{Kind: EventStored, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	x.trim(l)
	return outcome{}
}

// nextRecord is nextMessage for a log: its partitions share one set of names.
func (x *step) nextRecord(l int, op ValueID) messageID {
	id := messageID{op: op, publication: 1}
	for again := true; again; {
		again = false
		for q := range x.w.partitions(l) {
			for _, m := range x.queue(q).messages {
				if m.id == id {
					id.publication++
					again = true
				}
			}
		}
	}
	return id
}

// partitions walks over the queues of a log's partitions.
func (w *World) partitions(l int) func(yield func(q int) bool) {
	return func(yield func(q int) bool) {
		decl := &w.sc.Logs[l]
		for q := decl.First; q < decl.First+decl.Partitions; q++ {
			if !yield(q) {
				return
			}
		}
	}
}

// visible tells how a group sees a record. stops: an open transaction holds
// back this record and all that follow.
func visible(g *Group, m *message) (seen, stops bool) {
	if !g.Committed {
		return true, false
	}
	return !m.record.aborted, m.record.tx != 0
}

// ahead lists the offsets of the next records of a partition for a group, most
// of them at most.
func (x *step) ahead(l, g, part, most int) []int32 {
	decl := &x.w.sc.Logs[l]
	messages := x.queue(decl.First + part).messages
	var list []int32
	for i := int(x.journal(l).groups[g].position[part]); i < len(messages) && len(list) < most; i++ {
		seen, stops := visible(&decl.Groups[g], &messages[i])
		if stops {
			break
		}
		if seen {
			list = append(list, int32(i))
		}
	}
	return list
}

// end is the offset behind the last record that a group may read.
func (x *step) endOf(l, g, part int) int32 {
	decl := &x.w.sc.Logs[l]
	messages := x.queue(decl.First + part).messages
	for i := range messages {
		if _, stops := visible(&decl.Groups[g], &messages[i]); stops {
			return int32(i)
		}
	}
	return int32(len(messages))
}

// trim drops, in every partition, the records that nobody can read any more.
func (x *step) trim(l int) {
	if x.w.sc.Plodding {
		return
	}
	decl := &x.w.sc.Logs[l]
	for part := range decl.Partitions {
		if n := x.droppable(l, part); n > 0 {
			x.drop(l, part, n)
		}
	}
}

// droppable is the length of the prefix below every offset that a group can
// still come to.
func (x *step) droppable(l, part int) int32 {
	decl := &x.w.sc.Logs[l]
	low := int32(len(x.queue(decl.First + part).messages))
	for g := range decl.Groups {
		gs := &x.journal(l).groups[g]
		low = min(low, gs.position[part])
		if gs.committed[part] != none {
			low = min(low, gs.committed[part])
		} else if !decl.Groups[g].Latest {
			low = 0
		}
		for _, m := range gs.members {
			for _, r := range m.has {
				if int(r.part) == part {
					low = min(low, max(r.at, 0))
				}
			}
		}
	}
	for other := range x.w.sc.Logs {
		for _, t := range x.journal(other).txs {
			for _, o := range t.offsets {
				if int(o.log) == l && int(o.part) == part {
					low = min(low, o.next)
				}
			}
		}
	}
	return low
}

// drop takes away the first n records of a partition. What pointed to them is
// lost: a committed offset is none any more, and a position moves to where the
// group's reset rule says.
func (x *step) drop(l, part int, n int32) {
	q := x.w.sc.Logs[l].First + part
	x.changeQueue(q, func(qu *queue) { qu.messages = qu.messages[n:] })
	x.changeJournal(l, func(j *journal) {
		if len(j.base) > 0 {
			j.base[part] += uint32(n)
		}
		for g := range j.groups {
			gs := &j.groups[g]
			if gs.committed[part] != none {
				gs.committed[part] = max(none, gs.committed[part]-n)
			}
			if gs.position[part] -= n; gs.position[part] < 0 {
				gs.position[part] = 0
				if x.w.sc.Logs[l].Groups[g].Latest {
					gs.position[part] = x.endOf(l, g, part)
				}
			}
			for i := range gs.members {
				gs.members[i].has = shiftTaken(gs.members[i].has, part, n)
			}
		}
	})
	for other := range x.w.sc.Logs {
		x.shiftOffsets(other, l, part, n)
	}
}

// retentionSteps lists the records whose time is over.
func (w *World) retentionSteps(l int) func(*step) {
	return func(x *step) {
		for q := range w.partitions(l) {
			if messages := x.queue(q).messages; len(messages) > 0 && messages[0].record.left == 0 {
				x.open()
				x.expireRecord(l, q)
				x.close(Outcome{Name: w.retentionName(l, &messages[0]), Kind: StepTimer, Proc: -1, Ages: true})
			}
		}
	}
}

func (w *World) retentionName(l int, m *message) string {
	return w.sc.Logs[l].Name + " drops " + w.messageName(m.id)
}

// expireRecord drops a partition's oldest record because of its age, read or
// not.
func (x *step) expireRecord(l, q int) {
	m := x.queue(q).messages[0]
	x.emit(Event{Kind: EventDropped, Proc: -1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
	x.drop(l, q-x.w.sc.Logs[l].First, 1)
}

// recordOf tells whether a record of an intent in a partition can still be
// delivered to some group: it stands, and the group has not passed it.
func (x *step) recordOf(q, i int) bool {
	l := x.w.logOf(q)
	decl := &x.w.sc.Logs[l]
	messages := x.queue(q).messages
	for n := range messages {
		if int(messages[n].label) != i+1 {
			continue
		}
		for g := range decl.Groups {
			if seen, _ := visible(&decl.Groups[g], &messages[n]); seen && int32(n) >= x.passed(l, g, q-decl.First) {
				return true
			}
		}
	}
	return false
}

// passed is the offset below which a group reads nothing again: the committed
// one, or, where nobody has committed, what its reset rule says.
func (x *step) passed(l, g, part int) int32 {
	gs := &x.journal(l).groups[g]
	switch {
	case gs.committed[part] != none:
		return gs.committed[part]
	case x.w.sc.Logs[l].Groups[g].Latest:
		return gs.position[part]
	}
	return 0
}
