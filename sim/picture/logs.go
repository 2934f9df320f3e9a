package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// What is drawn and told of logs alone.

// logOf is the log of an event's partition.
func (h *history) logOf(e *sim.Event) *sim.Log { return &h.sc.Logs[h.sc.Queues[e.Queue].Log-1] }

// askLog says what a call to a log wants.
func (t *teller) askLog(e *sim.Event) string {
	log := t.party(e.Call)
	switch e.Call.Verb {
	case sim.VerbCommitOffset:
		return "commits the offset behind " + t.delivery(e.Call)
	case sim.VerbCommitAfter:
		return "commits the offset behind what it was handed"
	case sim.VerbBeginLog:
		return "opens a transaction of " + log
	case sim.VerbSendOffsets:
		return "sends the offset behind " + t.delivery(e.Call) + " into its transaction of " + log
	case sim.VerbCommitLog:
		return "commits its transaction of " + log
	}
	return "aborts its transaction of " + log
}

// logResult says what became of a call to a log.
func (t *teller) logResult(e *sim.Event) string {
	if e.Answer.Code == sim.Fenced || t.first(sim.EventFenced) != nil {
		if e.Call.Verb == sim.VerbCommitOffset || e.Call.Verb == sim.VerbCommitAfter || e.Call.Verb == sim.VerbSendOffsets {
			return ", but it is no longer a member of its group: no effect"
		}
		return ", but the log has ended that transaction: no effect"
	}
	text := ""
	if tx := t.first(sim.EventLogTx); tx != nil && tx.Verb == sim.VerbCommitLog {
		text = ": " + plural(tx.Rows, "record") + " become visible to everybody"
		if tx.Rows == 1 {
			text = ": 1 record becomes visible to everybody"
		}
	}
	var passed []string
	group := ""
	for _, p := range t.events {
		if p.Kind == sim.EventPassed {
			passed = append(passed, p.Message)
			group = p.To
		}
	}
	if len(passed) > 0 {
		text += ": the group " + group + " is past " + clause(passed)
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func (t *teller) removed(e *sim.Event) string {
	name := t.who(e.Proc)
	if strings.HasSuffix(t.outcome.Name, " exceeds max_poll") {
		return name + " has not polled for so long that it leaves the group " + e.To + ", while its handler goes on"
	}
	text := "the session of " + name + " ends: " + t.h.logOf(e).Name + " removes it from the group " + e.To
	if j := t.h.current[e.Proc]; j != nil && t.h.view(t.step).Processes[e.Proc].Node != 0 {
		text += ", and it doesn't know"
	}
	return text
}

func (t *teller) rebalanced(e *sim.Event) string {
	return t.h.logOf(e).Name + " deals its partitions out to the group " + e.To + ": " + e.Message + "; each reads on from the committed offset"
}

func (t *teller) dropped(e *sim.Event) string {
	return t.h.sc.Queues[e.Queue].Name + " drops " + e.Message + " for its age, whether or not anybody has read it"
}

func (t *teller) aborted(e *sim.Event) string {
	return t.h.logOf(e).Name + " aborts the transaction of " + t.who(e.Proc) + ", which was open for too long"
}

// logMark draws what happens at a log.
func (a *artist) logMark(e *sim.Event) {
	lane := a.lanes.queues[int(e.Queue)]
	switch e.Kind {
	case sim.EventPassed:
		a.add(lane, MarkAck, e.To+" past "+e.Message)
	case sim.EventFenced:
		a.add(lane, MarkStale, "fenced: no effect")
	case sim.EventLogTx:
		switch e.Verb {
		case sim.VerbBeginLog:
			a.add(lane, MarkBegin, "")
		case sim.VerbCommitLog:
			a.add(lane, MarkCommit, "committed")
		default:
			a.add(lane, MarkRollback, "aborted")
		}
	case sim.EventRemoved:
		a.add(lane, MarkTimeout, a.h.sc.Processes[e.Proc].Name+" leaves "+e.To)
	case sim.EventRebalanced:
		a.add(lane, MarkNote, e.To+" rebalanced")
	case sim.EventDropped:
		a.add(lane, MarkReject, "drops "+e.Message)
	}
}

// partition is the lane of the partition whose offset a call commits, or -1.
// The call itself names its log by the first one, and a client's own commit
// goes where its handler was handed its first record.
func (a *artist) partition(e *sim.Event) int {
	j, c := a.h.stepJob[a.row.Step], e.Call
	switch {
	case j == nil:
	case (c.Verb == sim.VerbCommitOffset || c.Verb == sim.VerbSendOffsets) && int(c.Place) < len(j.batch):
		return a.lanes.queues[int(j.batch[c.Place].queue)]
	case c.Verb == sim.VerbCommitAfter && j.source != nil:
		return a.lanes.queues[int(j.source.queue)]
	}
	return -1
}

// logBand ends the bands of records that a commit has passed, or that a reader
// may not commit any more.
func (a *artist) logBand(e *sim.Event, step int) {
	if e.Kind == sim.EventRemoved {
		a.stop(a.lanes.processes[int(e.Proc)], BandUnacked, step, "", "removed")
		return
	}
	for _, lane := range a.lanes.processes {
		a.stop(lane, BandUnacked, step, e.Message, "committed")
	}
	if j := a.h.stepJob[step]; j != nil && j.source != nil && j.source.name == e.Message && (j.ended == 0 || j.ended >= step) {
		a.window(e, step, windowAcked, "acked")
	}
}

// passed takes up a commit behind a record.
func (h *history) passed(e *sim.Event) {
	m, j := h.message(e), h.current[e.Proc]
	m.settled, m.verb, m.settler = h.now, sim.VerbCommitOffset, j
	if j != nil && slices.Contains(j.batch, m) {
		j.settledAt, j.settledBy = h.now, sim.VerbCommitOffset
	}
}

// replace forgets a record whose name a new one bears: the old one was dropped
// once nobody could read it any more.
func (h *history) replace(e *sim.Event) {
	if m := h.live[key{e.Queue, e.Message}]; m != nil && h.sc.Queues[e.Queue].Log > 0 {
		delete(h.live, m.key)
	}
}

// gonePast tells what a log did with a record without any handler's doing.
func (x *explainer) gonePast(m *message) []string {
	var parts []string
	if m.dropped > 0 {
		parts = append(parts, fmt.Sprintf("%s dropped %s at step %d for its age", x.h.sc.Queues[m.queue].Name, m.name, m.dropped))
	}
	if m.settled > 0 && m.verb == sim.VerbCommitOffset && m.settler != nil && !slices.Contains(m.settler.batch, m) {
		parts = append(parts, fmt.Sprintf("%s committed an offset behind it at step %d", x.h.name(m.settler), m.settled))
	}
	return parts
}

// GroupText says in words how far a consumer group has come in a partition: the
// numbers of offsets count from the oldest record that is kept.
func GroupText(q *sim.QueueView, g sim.GroupView) string {
	place := func(offset int64) string {
		for _, m := range q.Messages {
			if m.Offset == offset {
				return "before " + m.Name
			}
		}
		return "at the end"
	}
	text := "group " + g.Name + ": position " + place(g.Position)
	if g.Committed < 0 {
		text += ", no offset committed"
	} else {
		text += ", offset committed " + place(g.Committed)
	}
	if g.Owner == "" {
		return text + ", read by nobody"
	}
	return text + ", read by " + g.Owner
}
