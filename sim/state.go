package sim

import "encoding/binary"

// State is a world at one moment: a number per slot. A slot holds one party's
// whole content (a queue, a table, a process, ...), interned in the World, so
// equal contents have equal numbers and a state is a few words that can be
// copied, compared and hashed whole. Nothing else is state: no history, no
// clock (timers count from now), no order of discovery.
type State []uint32

// labelID marks data as belonging to an intent: its index plus one. 0 is data
// that belongs to nobody. Only the observer reads labels.
type labelID uint8

// process is what one process is at a moment.
type process struct {
	node    Node        // where its handler stands; 0: idle
	next    uint16      // service: the request it takes next
	label   labelID     // the intent its handler works for
	mixed   bool        // its handler has been told of several
	sources []labelID   // the label of each thing that it was told, where the text says of = ...
	held    []delivered // consumer: what its handler was given
	buffer  []delivered // consumer: what waits in its client, the next one first
	gone    bool        // the connection of its deliveries is lost
	rule    EndRule     // the handler has ended; the runtime still has to do this
	stalled bool
	moved   bool      // stalled, and the clock has moved since
	longest Seconds   // stalled: time left of the longest that a stall can be, where there is one
	silent  bool      // stalled: its broker will take it for dead
	missed  Seconds   // silent: time left until then
	timing  timing    // what the timer below is for
	timer   Seconds   // time left
	reply   Answer    // what the call that is running will be answered
	waited  Seconds   // how long it has waited for a lock, where that has a limit
	circled Seconds   // how long it has waited in a circle of transactions
	fresh   []ValueID // names that fresh_id gave to the running handler
	txs     []transaction
	awaited []confirm // of publishes that are in flight
	life
	heard  []heard  // what its handler has read of sums
	memory []memory // what it remembers from run to run, by name
}

// delivered is a delivery as its client has it.
type delivered struct {
	id      messageID
	settled bool    // the handler has settled it, so far as it knows
	old     bool    // its message has come to this process once more: this one is stale
	label   labelID // kept in buffers and batches
	in      Input   // in the buffer: what its handler will be told
	left    Seconds // in the buffer: time left of its lease by the client's own clock, where expired ones are dropped
	beat    Seconds // its lease is extended so often; 0: never
}

// timing says what a process waits for.
type timing uint8

const (
	notTiming timing = iota
	working          // its own work: stands still while it is stalled
	sleeping         // the clock alone
	awaiting         // an answer that will not come
	answering        // the answer of a call that takes time
)

// transaction is a connection's open transaction, or the broken handle of one.
type transaction struct {
	db     uint8
	broken bool // the connection is lost: every call answers Gone
	writes []write

	isolation Isolation // PostgreSQL
	deferred  bool      // SQLite: it may have no lock at all
	reading   bool      // it has read: a SHARED lock, or a snapshot
	aborted   bool      // PostgreSQL: a statement failed, nothing but the end is left
	saves     []savepoint

	// The snapshot is what is committed, but for the tables that others have
	// changed since: old holds those as they were, changed the keys.
	old     []oldTable
	changed []rowKey
	said    []said // Serializable: what it asked and was told
}

// savepoint is how far a transaction had come.
type savepoint struct {
	writes uint8
}

// oldTable is a table as a snapshot sees it: the number of its contents.
type oldTable struct {
	table uint8
	rows  uint32
}

type rowKey struct {
	table uint8
	key   ValueID
}

// said is a statement of a serializable transaction: the number of the call
// (contents.calls) and what it was told.
type said struct {
	call  uint32
	code  Code
	value ValueID
}

// past is a committed transaction that overlaps an open serializable one: what
// it was told or, where it was not serializable itself, only what it wrote.
type past struct {
	free   bool // what it was told need not be explained
	said   []said
	writes []write
}

// write is one change that becomes visible with the commit.
type write struct {
	verb  Verb
	table uint8
	key   ValueID
	body  ValueID
	label labelID

	joins  bool    // of a sum: it is added to what stands
	shares ValueID // of a sum: whose shares the row has then
}

// messageID names a message within its queue: the operation and, among the
// messages that are there, the publication. 0 is none (publications count
// from 1).
type messageID struct {
	op          ValueID
	publication uint8
}

// message is one record in a queue.
type message struct {
	id     messageID
	body   ValueID
	label  labelID
	holder uint8       // 0: ready; otherwise the process it is delivered to, plus one
	last   uint8       // kept only where a late settle counts: the last holder of a ready message
	lease  Seconds     // time left of the lease; 0: none
	beat   Seconds     // its holder extends the lease so often, and lease is what is left before the next time; 0: it runs
	most   Seconds     // time until the lease can't be extended any more, where it can be extended at all
	idle   Seconds     // since it was delivered, where somebody claims
	record recordState // of a log
	count  uint8       // what the broker's counter says, where a rule or a handler reads it
	finer
}

// queue is a queue's content, in delivery order where it has one.
type queue struct {
	messages []message
	known    []knownID // ids by which a duplicate would be recognised, sorted
	gone     []message // deleted, and may reappear: only while a surprise can still strike
}

// locks is what open transactions of a database hold.
type locks struct {
	writer uint8 // SingleWriter: the process that may write, plus one
	keys   []lockedKey
	named  []namedLock // of sessions, by name

	// Of SQLite files in DELETE mode: the writer began exclusively, or it has
	// tried to commit and lets no further reader in (a PENDING lock).
	exclusive bool
	pending   bool
	readers   uint32 // processes whose transaction is reading, as bits

	// While a serializable transaction is open: the tables before the first
	// commit that overlaps it, and the transactions committed since, in order.
	base []uint32
	past []past
}

// namedLock is a lock that belongs to a connection, not to a transaction.
type namedLock struct {
	name  ValueID
	owner uint8 // process plus one
	depth uint8 // how often it was taken
}

type lockedKey struct {
	table uint8
	key   ValueID
	owner uint8 // process plus one
	save  uint8 // how many savepoints there were when it was locked
	idle  bool  // locked but not changed: SELECT ... FOR UPDATE
}

// table is a table's committed rows, sorted.
type table struct {
	rows []row
	last int64 // the number that its sequence gave out last, where it has one
}

// row is a committed row. Rows of a table without a key may be equal.
type row struct {
	key   ValueID
	body  ValueID
	label labelID
	age   Seconds // since the commit that last wrote it, where the text asks for ages

	shares ValueID // of a sum: the intents whose share it has in it, as a list of labels
}

// mailbox is what a provider has accepted, and which keys and references it
// remembers.
type mailbox struct {
	mails []mail
	keys  []knownKey
	refs  []knownRef
}

type mail struct {
	to    ValueID
	body  ValueID
	label labelID
}

type knownKey struct {
	key  ValueID
	to   ValueID
	body ValueID
	ref  ValueID
	left Seconds // time left until it is forgotten; 0: never

	refused bool    // the answer that is remembered is a refusal
	running bool    // its first request has not been answered yet
	ends    Seconds // running: time left until it is
}

// knownRef is a reference of an accepted email.
type knownRef struct {
	ref    ValueID
	listed bool    // a lookup finds it
	left   Seconds // otherwise: time left until one does
}

// budget is what is left of the faults.
type budget struct {
	total uint8
	left  [faultKinds]uint8
}

// ghost is what the observer alone knows, per intent.
type ghost struct {
	intents []intentGhost
}

type intentGhost struct {
	promised  bool
	told      told
	acked     bool    // a delivery of it was settled as done, or its caller told accepted
	withdrawn bool    // nobody wants it any more
	handed    bool    // a person has it: open, and said so
	astray    bool    // it had an effect after it was withdrawn
	caused    bool    // a row of it was committed in a table of causes
	effects   []uint8 // per channel (World.channels), counted up to the scenario's cap
}

// told is what the caller of an intent's request has heard.
type told uint8

const (
	toldNothing told = iota
	toldAccepted
	toldRefused
)

// The encodings below are the identity of a slot's content: two contents are
// equal exactly when their encodings are. Every field must stand in them;
// TestEveryFieldIsIdentity changes each and expects a difference.

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (p *process) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(p.node))
	b = binary.AppendUvarint(b, uint64(p.next))
	b = append(b, byte(p.label), byte(len(p.sources)))
	for _, l := range p.sources {
		b = append(b, byte(l))
	}
	b = encodeDelivered(b, p.held)
	b = encodeDelivered(b, p.buffer)
	b = append(b, flag(p.gone)|flag(p.stalled)<<1|flag(p.moved)<<2|flag(p.mixed)<<3|flag(p.silent)<<4, byte(p.rule), byte(p.timing))
	b = binary.AppendUvarint(b, uint64(p.timer))
	b = binary.AppendUvarint(b, uint64(p.longest))
	b = binary.AppendUvarint(b, uint64(p.missed))
	b = append(b, byte(p.reply.Code))
	b = binary.AppendUvarint(b, uint64(p.reply.Value))
	b = binary.AppendUvarint(b, uint64(p.waited))
	b = binary.AppendUvarint(b, uint64(p.circled))
	b = binary.AppendUvarint(b, uint64(len(p.fresh)))
	for _, id := range p.fresh {
		b = binary.AppendUvarint(b, uint64(id))
	}
	b = encodeMemory(b, p.memory)
	b = p.life.encode(b)
	b = encodeHeard(b, p.heard)
	for _, tx := range p.txs {
		b = tx.encode(b)
	}
	return encodeConfirms(b, p.awaited)
}

func (tx *transaction) encode(b []byte) []byte {
	b = append(b, tx.db, flag(tx.broken)|flag(tx.deferred)<<1|flag(tx.reading)<<2|flag(tx.aborted)<<3, byte(tx.isolation))
	b = encodeWrites(b, tx.writes)
	b = binary.AppendUvarint(b, uint64(len(tx.saves)))
	for _, s := range tx.saves {
		b = append(b, s.writes)
	}
	b = binary.AppendUvarint(b, uint64(len(tx.old)))
	for _, o := range tx.old {
		b = append(b, o.table)
		b = binary.AppendUvarint(b, uint64(o.rows))
	}
	b = binary.AppendUvarint(b, uint64(len(tx.changed)))
	for _, k := range tx.changed {
		b = append(b, k.table)
		b = binary.AppendUvarint(b, uint64(k.key))
	}
	return encodeSaid(b, tx.said)
}

func encodeWrites(b []byte, writes []write) []byte {
	b = binary.AppendUvarint(b, uint64(len(writes)))
	for _, w := range writes {
		b = append(b, byte(w.verb), w.table, byte(w.label))
		b = binary.AppendUvarint(b, uint64(w.key))
		b = binary.AppendUvarint(b, uint64(w.body))
		b = append(b, flag(w.joins))
		b = binary.AppendUvarint(b, uint64(w.shares))
	}
	return b
}

func encodeSaid(b []byte, list []said) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = append(b, byte(s.code))
		b = binary.AppendUvarint(b, uint64(s.call))
		b = binary.AppendUvarint(b, uint64(s.value))
	}
	return b
}

func encodeDelivered(b []byte, list []delivered) []byte {
	b = append(b, byte(len(list)))
	for _, d := range list {
		b = d.id.encode(b)
		b = append(b, flag(d.settled)|flag(d.old)<<1, byte(d.label))
		b = d.in.encode(b)
		b = binary.AppendUvarint(b, uint64(d.left))
		b = binary.AppendUvarint(b, uint64(d.beat))
	}
	return b
}

func (in Input) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(in.Op))
	b = binary.AppendUvarint(b, uint64(in.Body))
	b = binary.AppendUvarint(b, uint64(in.Batch))
	b = binary.AppendUvarint(b, uint64(in.Key))
	b = binary.AppendVarint(b, in.Offset)
	b = binary.AppendUvarint(b, uint64(in.Group))
	return append(b, in.Attempt, in.Partition, flag(in.Again))
}

func (m messageID) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(m.op))
	return append(b, m.publication)
}

func (q *queue) encode(b []byte) []byte {
	for i := range q.messages {
		b = q.messages[i].encode(b)
	}
	return q.encodeMemory(b)
}

func (l *locks) encode(b []byte) []byte {
	b = append(b, l.writer, flag(l.exclusive)|flag(l.pending)<<1)
	b = binary.AppendUvarint(b, uint64(l.readers))
	b = binary.AppendUvarint(b, uint64(len(l.keys)))
	for _, k := range l.keys {
		b = append(b, k.table, k.owner, k.save, flag(k.idle))
		b = binary.AppendUvarint(b, uint64(k.key))
	}
	b = append(b, byte(len(l.named)))
	for _, n := range l.named {
		b = append(b, n.owner, n.depth)
		b = binary.AppendUvarint(b, uint64(n.name))
	}
	b = binary.AppendUvarint(b, uint64(len(l.base)))
	for _, rows := range l.base {
		b = binary.AppendUvarint(b, uint64(rows))
	}
	for _, t := range l.past {
		b = encodeWrites(encodeSaid(append(b, flag(t.free)), t.said), t.writes)
	}
	return b
}

func (t *table) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(t.last))
	for _, r := range t.rows {
		b = binary.AppendUvarint(b, uint64(r.key))
		b = binary.AppendUvarint(b, uint64(r.body))
		b = append(b, byte(r.label))
		b = binary.AppendUvarint(b, uint64(r.age))
		b = binary.AppendUvarint(b, uint64(r.shares))
	}
	return b
}

func (m *mailbox) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.mails)))
	for _, e := range m.mails {
		b = binary.AppendUvarint(b, uint64(e.to))
		b = binary.AppendUvarint(b, uint64(e.body))
		b = append(b, byte(e.label))
	}
	b = binary.AppendUvarint(b, uint64(len(m.keys)))
	for _, k := range m.keys {
		b = binary.AppendUvarint(b, uint64(k.key))
		b = binary.AppendUvarint(b, uint64(k.to))
		b = binary.AppendUvarint(b, uint64(k.body))
		b = binary.AppendUvarint(b, uint64(k.ref))
		b = binary.AppendUvarint(b, uint64(k.left))
		b = append(b, flag(k.refused)|flag(k.running)<<1)
		b = binary.AppendUvarint(b, uint64(k.ends))
	}
	for _, r := range m.refs {
		b = binary.AppendUvarint(b, uint64(r.ref))
		b = append(b, flag(r.listed))
		b = binary.AppendUvarint(b, uint64(r.left))
	}
	return b
}

func (u *budget) encode(b []byte) []byte {
	b = append(b, u.total)
	return append(b, u.left[:]...)
}

func (g *ghost) encode(b []byte) []byte {
	for _, i := range g.intents {
		b = append(b, flag(i.promised)|flag(i.acked)<<1|flag(i.withdrawn)<<2|flag(i.handed)<<3|flag(i.astray)<<4|flag(i.caused)<<5, byte(i.told), byte(len(i.effects)))
		b = append(b, i.effects...)
	}
	return b
}

// content is what a slot can hold.
type content interface{ encode([]byte) []byte }

// store interns the contents of one slot.
type store[T content] struct {
	ids   map[string]uint32
	items []T
	bytes int64 // of the names of all contents
}

// weight is about how many bytes a store takes: a content is several times as
// large as its name, and both are kept.
func (s *store[T]) weight() int64 { return 8*s.bytes + 100*int64(len(s.items)) }

// intern returns the number of a content. The content must not change after.
func (s *store[T]) intern(c T, scratch []byte) uint32 {
	key := c.encode(scratch[:0])
	if id, ok := s.ids[string(key)]; ok {
		return id
	}
	if s.ids == nil {
		s.ids = map[string]uint32{}
	}
	id := uint32(len(s.items))
	s.ids[string(key)] = id
	s.items = append(s.items, c)
	s.bytes += int64(len(key))
	return id
}
