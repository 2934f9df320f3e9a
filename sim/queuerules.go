package sim

import "encoding/binary"

// QueueRules are a queue's rules beyond deliveries, settles and leases. A queue
// without any of them is simply a queue: its messages are due at once, never
// age and are never recognised.
type QueueRules struct {
	LateAck      StaleRule // an ack after the lease, with nobody else holding the message
	StaleNack    StaleRule // a nack from an attempt that lost the message; StaleSettles: it is ready once more
	ExpiryCloses bool      // the end of a lease closes the consumer's channel
	Check        Seconds   // the broker looks so often for leases that are over, so one can end so much later; 0: at once
	NackCounts   bool      // CountsLosses: a message that is given back counts too
	CountsPolicy bool      // the counter is told only where there is a dead-letter queue
	PolicyLimit  int       // with one, and no limit said, so many deliveries are the limit; 0: none
	Requeue      RequeueRule
	NoReject     bool // the broker knows no way to give up on a message
	NoNack       bool // and none to give one back

	Delay        Seconds   // from the publish to the first delivery
	Backoff      []Seconds // by delivery, the last one for all further ones
	BackoffLease bool      // backoff is how long leases last, not a pause after a delivery
	NoNackDelay  bool      // a message can only be given back at once
	NoPostDelay  bool      // a publish can't name a delay
	NoPostTTL    bool      // a publish can't name a lifetime
	Delays       bool      // something in the scenario can delay a message here

	Lifetime    Seconds // how long a message may wait; 0: for ever
	Ages        bool    // some message here has a lifetime
	DropsHeld   bool    // a lifetime ends a message that somebody holds, too
	BuriesAged  bool    // a message whose lifetime ended is dead-lettered; otherwise it is gone
	KeepsAge    bool    // a message that is dead-lettered is as old in the dead-letter queue as it was
	OwnKind     bool    // its dead-letter queue has to be of the same kind
	Dedupe      Seconds // how long a message's id is remembered; 0: not at all
	DedupesBody bool    // a message without an id is recognised by its contents
	Silent      bool    // the publisher of a duplicate is not told that it was one
	Groups      bool    // of each group only the oldest message is delivered
	RepeatsKey  bool    // with one message of a group that comes again the later ones come again
	OrderedAcks bool    // an ack is refused while an earlier message of its group is not acked
	NeedsGroup  bool    // a message without a group is no message

	Cancellable  bool // a message that nobody holds can be taken back by its publisher
	MaxLength    int  // 0: no limit
	DropsHead    bool // beyond the limit the oldest goes; otherwise the publish is refused
	Unbound      bool // no message reaches the queue
	UnboundFails bool // and every publisher that waits is told so; otherwise only one that asks
	Mandatory    bool // a publisher can ask

	Managed    bool // nobody restarts this broker
	Volatile   bool // a restart loses what is in it
	LosesLight bool // a restart loses transient messages
	MarksAll   bool // after a restart every message counts as delivered before
	Reappears  bool // surprise: a deleted message may come again
	Doubles    bool // surprise: a message may be delivered to somebody else inside its lease
}

// RequeueRule is where a message that comes back becomes available again.
type RequeueRule uint8

// The rules.
const (
	RequeuePlace RequeueRule = iota // where it was
	RequeueFront                    // before what was never delivered, behind what came back earlier
	RequeueTail                     // like RequeueFront, but one that is given back on purpose goes to the end
)

// finer is what a message has where its queue's rules read it.
type finer struct {
	group     ValueID
	transient bool
	unsaved   bool    // its broker has not written it down, so a restart may lose it
	knownAs   ValueID // unsaved: the id under which the broker would know it again
	again     bool    // delivered before, as the broker tells it
	front     bool    // came back and is served before the others
	pending   pending // not ready although nobody holds it
	due       Seconds // time left until it is ready
	mortal    bool    // it has a lifetime
	left      Seconds // time left of it
	over      Seconds // since its lease was over, where the broker looks only now and then
	by        uint8   // the process that can still take it back, plus one
	nth       uint8   // which publication of that process's handler it is
}

// pending says why a message is not ready.
type pending uint8

const (
	notPending pending = iota
	scheduled          // published with a delay: it is not in the queue yet
	paused             // it came back with a delay
	kept               // it was acked, and comes again with an earlier message of its key
)

// knownID is the memory of an accepted message.
type knownID struct {
	id   ValueID
	left Seconds
}

// confirm is the answer to a publish in flight, which its publisher has not
// awaited yet.
type confirm struct {
	queue  uint8
	nth    uint8
	answer Answer
}

func (f *finer) encode(b []byte) []byte {
	if *f == (finer{}) {
		return append(b, 0)
	}
	b = append(b, 1|flag(f.transient)<<1|flag(f.again)<<2|flag(f.front)<<3|flag(f.mortal)<<4|flag(f.unsaved)<<5, byte(f.pending), f.by, f.nth)
	b = binary.AppendUvarint(b, uint64(f.group))
	b = binary.AppendUvarint(b, uint64(f.due))
	b = binary.AppendUvarint(b, uint64(f.over))
	b = binary.AppendUvarint(b, uint64(f.knownAs))
	return binary.AppendUvarint(b, uint64(f.left))
}

func (m *message) encode(b []byte) []byte {
	b = m.id.encode(b)
	b = binary.AppendUvarint(b, uint64(m.body))
	b = append(b, byte(m.label), m.holder, m.last, m.count)
	b = m.record.encode(b)
	b = binary.AppendUvarint(b, uint64(m.idle))
	b = binary.AppendUvarint(b, uint64(m.lease))
	b = binary.AppendUvarint(b, uint64(m.beat))
	b = binary.AppendUvarint(b, uint64(m.most))
	return m.finer.encode(b)
}

// encodeMemory adds what a queue remembers of messages that are not in it.
func (q *queue) encodeMemory(b []byte) []byte {
	if len(q.known)+len(q.gone) == 0 {
		return b
	}
	// No message is named 0, so this can't be read as one.
	b = binary.AppendUvarint(append(b, 0), uint64(len(q.known)))
	for _, k := range q.known {
		b = binary.AppendUvarint(b, uint64(k.id))
		b = binary.AppendUvarint(b, uint64(k.left))
	}
	for i := range q.gone {
		b = q.gone[i].encode(b)
	}
	return b
}

func encodeConfirms(b []byte, list []confirm) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(b, 0xff) // no database has this number
	for _, c := range list {
		b = append(b, c.queue, c.nth, byte(c.answer.Code))
		b = binary.AppendUvarint(b, uint64(c.answer.Value))
	}
	return b
}
