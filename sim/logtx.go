package sim

import "encoding/binary"

// Transactions of a log. What they publish stands in the log at once, marked
// as open; readers of committed records stop before the first open one (the
// last stable offset). Offsets that are sent into a transaction are committed
// with it. Nothing but logs takes part: no database, no email.
//
// Each process is a transactional producer of its own, and its restart aborts
// what the process before left open (KafkaProducer, initTransactions).

// txState is how far a producer's transaction is.
type txState uint8

const (
	txOpen      txState = iota
	txCommitted         // kept until the handler ends: a second commit is answered like the first
	txAborted           // likewise; by its timeout, if the handler has not asked for it
)

type producer struct {
	owner   uint8 // process plus one
	state   txState
	left    Seconds // time left until it is aborted; open ones only
	offsets []txOffset
}

// txOffset is an offset that is committed with the transaction.
type txOffset struct {
	log   uint8
	group uint8
	part  uint8
	next  int32
}

func (t producer) encode(b []byte) []byte {
	b = append(b, t.owner, byte(t.state), byte(len(t.offsets)))
	b = binary.AppendUvarint(b, uint64(t.left))
	for _, o := range t.offsets {
		b = append(b, o.log, o.group, o.part)
		b = binary.AppendVarint(b, int64(o.next))
	}
	return b
}

// tx of a log that process p has, if it has one.
func (x *step) logTx(p, l int) (producer, bool) {
	for _, t := range x.journal(l).txs {
		if int(t.owner) == p+1 {
			return t, true
		}
	}
	return producer{}, false
}

func (x *step) txOpen(p, l int) bool {
	t, ok := x.logTx(p, l)
	return ok && t.state == txOpen
}

// setLogTx replaces a process's transaction or, with nil, forgets it.
func (x *step) setLogTx(p, l int, t *producer) {
	x.changeJournal(l, func(j *journal) {
		var list []producer
		for _, old := range j.txs {
			if int(old.owner) <= p {
				list = append(list, old)
			}
		}
		if t != nil {
			list = append(list, *t)
		}
		for _, old := range j.txs {
			if int(old.owner) > p+1 {
				list = append(list, old)
			}
		}
		j.txs = list
	})
}

// logTransaction makes a call that concerns a transaction of a log.
func (x *step) logTransaction(p int, c *Call) outcome {
	l := x.w.logOf(int(c.Party))
	if c.Verb == VerbBeginLog {
		x.setLogTx(p, l, &producer{owner: uint8(p + 1), left: x.w.sc.Logs[l].TxTimeout})
		x.emit(Event{Kind: EventLogTx, Proc: int16(p), Queue: c.Party, Verb: c.Verb})
		return outcome{}
	}
	t, ok := x.logTx(p, l)
	switch {
	case ok && t.state == txCommitted && c.Verb == VerbCommitLog:
		return outcome{} // asked again after a timeout
	case !ok || t.state != txOpen:
		x.emit(Event{Kind: EventFenced, Proc: int16(p), Queue: c.Party, Verb: c.Verb})
		return outcome{answer: Answer{Code: Fenced}}
	case c.Verb == VerbSendOffsets:
		return x.sendOffsets(p, l, c, t)
	}
	x.endLogTx(p, l, c.Verb == VerbCommitLog)
	return outcome{}
}

// sendOffsets puts the offset behind the handler's records into its
// transaction. A member that was removed is refused (KIP-447).
func (x *step) sendOffsets(p, l int, c *Call, t producer) outcome {
	in, g, k := x.w.membership(p)
	m := x.journal(in).groups[g].members[k]
	if m.is != inGroup || len(m.has) == 0 {
		x.emit(Event{Kind: EventFenced, Proc: int16(p), Queue: c.Party, Verb: c.Verb})
		return outcome{answer: Answer{Code: Fenced}}
	}
	r := m.has[c.Place]
	add := txOffset{uint8(in), uint8(g), r.part, r.at + 1}
	var offsets []txOffset
	for _, o := range t.offsets {
		if o.log != add.log || o.group != add.group || o.part != add.part {
			offsets = append(offsets, o)
		}
	}
	t.offsets = append(offsets, add)
	x.setLogTx(p, l, &t)
	return outcome{}
}

// endLogTx ends an open transaction: its records become visible, or never do.
func (x *step) endLogTx(p, l int, commit bool) {
	t, _ := x.logTx(p, l)
	n := 0
	for q := range x.w.partitions(l) {
		mine := false
		for _, m := range x.queue(q).messages {
			mine = mine || m.record.tx == t.owner
		}
		if !mine {
			continue
		}
		x.changeQueue(q, func(qu *queue) {
			for i := range qu.messages {
				if r := &qu.messages[i].record; r.tx == t.owner {
					r.tx, r.aborted = 0, !commit
					n++
				}
			}
		})
	}
	done := producer{owner: t.owner, state: txCommitted}
	e := Event{Kind: EventLogTx, Proc: int16(p), Queue: int16(x.w.sc.Logs[l].First), Verb: VerbCommitLog, Rows: n}
	if !commit {
		done.state, e.Verb = txAborted, VerbAbortLog
	}
	x.setLogTx(p, l, &done)
	x.emit(e)
	if commit {
		for _, o := range t.offsets {
			x.commitOffset(p, int(o.log), int(o.group), int(o.part), o.next)
		}
	}
	for other := range x.w.sc.Logs {
		x.trim(other)
	}
}

// abortAll ends every transaction of a process without asking: its handler has
// ended, or it has been restarted.
func (x *step) abortAll(p int) {
	for l := range x.w.sc.Logs {
		if x.txOpen(p, l) {
			x.endLogTx(p, l, false)
		}
		if _, known := x.logTx(p, l); known {
			x.setLogTx(p, l, nil)
		}
	}
}

// anyLogTx tells whether a process has a transaction of a log open.
func (x *step) anyLogTx(p int) bool {
	for l := range x.w.sc.Logs {
		if x.txOpen(p, l) {
			return true
		}
	}
	return false
}

// shiftOffsets corrects the offsets that transactions of one log hold for a
// partition of another which has lost its first n records.
func (x *step) shiftOffsets(in, l, part int, n int32) {
	for _, t := range x.journal(in).txs {
		for _, o := range t.offsets {
			if int(o.log) == l && int(o.part) == part {
				x.changeJournal(in, func(j *journal) {
					for i := range j.txs {
						offsets := append([]txOffset(nil), j.txs[i].offsets...)
						for k := range offsets {
							if int(offsets[k].log) == l && int(offsets[k].part) == part {
								offsets[k].next = max(0, offsets[k].next-n)
							}
						}
						j.txs[i].offsets = offsets
					}
				})
				return
			}
		}
	}
}

// offsetsOpen tells whether an open transaction holds offsets of a group. Who
// reads only what is committed waits for it before it reads on.
func (x *step) offsetsOpen(l, g int) bool {
	for other := range x.w.sc.Logs {
		for _, t := range x.journal(other).txs {
			for _, o := range t.offsets {
				if int(o.log) == l && int(o.group) == g {
					return true
				}
			}
		}
	}
	return false
}

// txTimeouts lists the transactions that have been open for too long.
func (w *World) txTimeouts(l int) func(*step) {
	return func(x *step) {
		for _, t := range x.journal(l).txs {
			if t.state == txOpen && t.left == 0 {
				x.open()
				x.endLogTx(int(t.owner)-1, l, false)
				x.close(Outcome{Name: w.txTimeoutName(l, t), Kind: StepTimer, Proc: int16(t.owner) - 1})
			}
		}
	}
}

func (w *World) txTimeoutName(l int, t producer) string {
	return w.sc.Logs[l].Name + " aborts the transaction of " + w.procName(int(t.owner)-1)
}
