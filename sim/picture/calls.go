package picture

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Sentences of calls: who asks whom for what, and how it came out.

// called tells a call: what was asked, then what became of it.
func (t *teller) called(e *sim.Event) string {
	who := t.who(e.Proc)
	if e.Runtime {
		who = "the runtime of " + who
	}
	ask := who + " " + t.ask(e)
	switch {
	case e.Answer.Code == sim.Gone:
		return ask + ", but its connection is lost: gone"
	case e.Fault == sim.RefusedCall || e.Answer.Code == sim.Refused && t.first(sim.EventKnownKey) == nil:
		return ask + ", and " + t.party(e.Call) + " refuses: nothing happened" + t.remembered()
	case e.Fault == sim.Late:
		return ask + ", but the request takes its time and may still arrive" + t.lost(e)
	case e.Fault == sim.LostRequest:
		return ask + ", but the request gets lost on the way" + t.lost(e)
	case e.Fault == sim.LostReply:
		return ask + t.result(e) + ", but the answer gets lost" + t.lost(e)
	}
	if why := t.locked(e); why != "" {
		return ask + why
	}
	return ask + t.result(e)
}

// lost tells what a loss takes along and what the caller sees.
func (t *teller) lost(e *sim.Event) string {
	text := ""
	if t.first(sim.EventDisconnect) != nil {
		text += " with the connection to " + t.party(e.Call)
	}
	if e.Fault != sim.LostReply || e.Call.Verb != sim.VerbCommit {
		if t.first(sim.EventRollback) != nil {
			text += "; the open transaction is rolled back"
		}
	}
	if back := t.first(sim.EventReturned); back != nil {
		text += "; " + t.goesBack(back)
	}
	switch {
	case e.Runtime:
	case e.Answer.Code != sim.Timeout:
		text += "; " + t.who(e.Proc) + " doesn't notice"
	case t.h.view(t.step).Processes[e.Proc].Doing == "awaiting":
		text += "; " + t.who(e.Proc) + " waits for an answer"
	default:
		text += "; " + t.who(e.Proc) + " sees a timeout"
	}
	return text
}

// party names whom a call speaks to.
func (t *teller) party(c *sim.Call) string {
	sc := t.h.sc
	switch c.Verb {
	case sim.VerbPublish, sim.VerbAck, sim.VerbNack, sim.VerbReject, sim.VerbExtend, sim.VerbWait, sim.VerbCancel, sim.VerbRedrive:
		return sc.Queues[c.Party].Name
	case sim.VerbCommitOffset, sim.VerbCommitAfter, sim.VerbBeginLog, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
		return sc.Logs[sc.Queues[c.Party].Log-1].Name
	case sim.VerbSend, sim.VerbSendBatch, sim.VerbLookup:
		return sc.Providers[c.Party].Name
	case sim.VerbAccept, sim.VerbRefuse:
		return "the caller"
	}
	return sc.Databases[c.Party].Name
}

func (t *teller) table(c *sim.Call) string { return t.h.sc.Databases[c.Party].Tables[c.Table].Name }

// row names a row of a keyed table: "row 1 of totals"; of another, the table.
func (t *teller) row(c *sim.Call) string {
	if t.h.sc.Databases[c.Party].Tables[c.Table].Key == "" {
		return t.table(c)
	}
	return "row " + t.h.plain(c.Key) + " of " + t.table(c)
}

// ask says what a call wants, in the present tense.
func (t *teller) ask(e *sim.Event) string {
	c := e.Call
	switch c.Verb {
	case sim.VerbPublish:
		return "publishes " + t.h.plain(c.Op) + " to " + t.party(c) + t.post(c)
	case sim.VerbWait:
		return "awaits the confirm of " + t.h.plain(c.Op)
	case sim.VerbCancel:
		return "takes back " + t.h.plain(c.Op)
	case sim.VerbRedrive:
		return "moves what lies in " + t.party(c) + " to " + t.h.sc.Queues[c.To].Name
	case sim.VerbAck, sim.VerbNack, sim.VerbReject:
		name := t.delivery(c)
		if c.Mode == sim.ModeMultiple {
			name += " and all that it was given before"
		}
		return map[sim.Verb]string{sim.VerbAck: "acks ", sim.VerbNack: "gives back ", sim.VerbReject: "rejects "}[c.Verb] + name
	case sim.VerbCommitOffset, sim.VerbCommitAfter, sim.VerbBeginLog, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
		return t.askLog(e)
	case sim.VerbExtend:
		if c.Seconds == 0 {
			return "claims " + t.delivery(c) + " for itself"
		}
		return "extends the lease of " + t.delivery(c) + " to " + span(c.Seconds)
	case sim.VerbBegin:
		return "opens a transaction on " + t.party(c) + map[sim.Mode]string{sim.ModeDeferred: ", deferred", sim.ModeExclusive: ", exclusive", sim.ModeReadCommitted: ", read committed",
			sim.ModeRepeatableRead: ", repeatable read", sim.ModeSerializable: ", serializable"}[c.Mode]
	case sim.VerbInsert:
		if t.h.sc.Databases[c.Party].Tables[c.Table].Key == "" {
			return "appends a row to " + t.table(c)
		}
		return "inserts " + t.h.plain(c.Key) + " into " + t.table(c)
	case sim.VerbPut:
		return "puts " + t.row(c)
	case sim.VerbPutNewer:
		return "puts " + t.row(c) + " if it is newer"
	case sim.VerbUpdate:
		return "changes " + t.row(c) + " to " + t.h.fields(c.Body)
	case sim.VerbAdd:
		return "adds " + t.h.fields(c.Body) + " to " + t.row(c)
	case sim.VerbDelete:
		return "deletes " + t.row(c)
	case sim.VerbGet:
		if c.Mode == sim.ModeLock {
			return "reads and locks " + t.row(c)
		}
		return "reads " + t.row(c)
	case sim.VerbExists:
		if what := t.h.fields(c.Body); what != "" {
			return "looks for " + what + " in " + t.table(c)
		}
		return "looks whether " + t.table(c) + " has a row"
	case sim.VerbSelect, sim.VerbCount, sim.VerbChange, sim.VerbRemove, sim.VerbClaim:
		return t.askRows(c)
	case sim.VerbSnapshot:
		return "makes the copy " + t.h.plain(c.Key) + " of " + t.party(c)
	case sim.VerbRestore:
		return "puts the copy " + t.h.plain(c.Key) + " back into " + t.party(c)
	case sim.VerbCommit:
		return "commits"
	case sim.VerbRollback:
		return "rolls back"
	case sim.VerbSavepoint:
		return "sets a savepoint"
	case sim.VerbRollbackTo:
		return "goes back to its savepoint " + t.h.plain(c.Key)
	case sim.VerbSendBatch:
		return "asks " + t.party(c) + " to send several emails at once"
	case sim.VerbSend:
		return "asks " + t.party(c) + " to send an email to " + t.h.plain(c.Op)
	case sim.VerbLookup:
		return "looks for " + t.h.plain(c.Key) + " at " + t.party(c)
	case sim.VerbAccept:
		return "tells its caller that " + t.promise(e) + " is accepted"
	case sim.VerbRefuse:
		return "tells its caller that " + t.promise(e) + " is refused"
	case sim.VerbWork:
		return "starts to work for " + span(c.Seconds)
	case sim.VerbSleep:
		return "sleeps for " + span(c.Seconds)
	case sim.VerbOneOf:
		return "takes " + t.h.sc.Values.Text(e.Answer.Value) + " of " + t.h.sc.Values.Text(c.Body)
	}
	return c.Verb.String()
}

func (t *teller) promise(e *sim.Event) string {
	if j := t.h.stepJob[t.step]; j != nil && j.intent >= 0 {
		return t.h.intentName(j.intent)
	}
	return "the request"
}

// result says what became of a call that arrived.
func (t *teller) result(e *sim.Event) string {
	c, open := e.Call, ""
	if c.InTx {
		open = " (not committed yet)"
	}
	switch c.Verb {
	case sim.VerbCommitOffset, sim.VerbCommitAfter, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
		return t.logResult(e)
	case sim.VerbPublish:
		if e.Answer.Code == sim.Fenced {
			return t.logResult(e)
		}
		return t.posted(c)
	case sim.VerbWait:
		if e.Answer.Code != sim.OK {
			return ": " + e.Answer.Code.String()
		}
		return ": it is stored"
	case sim.VerbCancel:
		if t.first(sim.EventCancelled) == nil {
			return ", but it is no longer there for the taking"
		}
	case sim.VerbRedrive:
		return t.redriven()
	case sim.VerbAck, sim.VerbNack, sim.VerbReject:
		return t.settled(e)
	case sim.VerbExtend:
		return t.extended(e)
	case sim.VerbInsert, sim.VerbPutNewer, sim.VerbUpdate, sim.VerbDelete:
		if t.answered(e) == sim.False {
			return map[sim.Verb]string{sim.VerbInsert: ", but it stands there already", sim.VerbPutNewer: ", and it is not: nothing changes", sim.VerbUpdate: ", but there is no such row",
				sim.VerbDelete: ", but there is no such row"}[c.Verb]
		}
		return open + t.visible()
	case sim.VerbPut, sim.VerbAdd:
		return open + t.visible()
	case sim.VerbGet:
		if e.Answer.Code == sim.OK && e.Answer.Value == sim.None {
			return ": there is none"
		}
		if e.Answer.Code == sim.OK {
			return ": " + t.h.fields(e.Answer.Value)
		}
	case sim.VerbExists:
		if e.Answer.Code == sim.OK {
			return map[bool]string{true: ": found", false: ": nothing"}[e.Answer.Value == sim.True]
		}
	case sim.VerbSelect, sim.VerbCount, sim.VerbChange, sim.VerbRemove, sim.VerbClaim:
		return t.resultOfRows(e, open)
	case sim.VerbCommit:
		return t.visible()
	case sim.VerbSend:
		return t.mailed(e)
	case sim.VerbLookup:
		return t.lookedUp(e)
	}
	return ""
}

// answered is the value that a statement had for its caller, whether or not
// the answer got lost.
func (t *teller) answered(*sim.Event) sim.ValueID {
	if s := t.first(sim.EventStatement); s != nil && !s.Done {
		return sim.False
	}
	return sim.True
}

func (t *teller) settled(e *sim.Event) string {
	queue := t.party(e.Call)
	if s := t.first(sim.EventStale); s != nil {
		text := ", but " + s.Message + " is no longer its own: no effect"
		if e.Answer.Code == sim.Refused {
			return ", and is refused for the time being: an earlier message of its key is not acked"
		}
		if e.Answer.Code == sim.Stale {
			text += ", and it is told so"
		}
		return text
	}
	s := t.first(sim.EventSettled)
	names := strings.Split(t.names(sim.EventSettled), ", ")
	switch {
	case s == nil:
		return ""
	case len(names) > 1 && s.Verb == sim.VerbNack:
		return ": " + strings.Join(names, ", ") + " are ready in " + queue + " again"
	case len(names) > 1:
		return ": " + queue + " forgets " + strings.Join(names, ", ")
	case s.Verb == sim.VerbNack && s.Seconds > 0:
		return ": it is ready in " + queue + " again in " + span(s.Seconds)
	case s.Verb == sim.VerbNack:
		return ": it is ready in " + queue + " again"
	case s.Verb == sim.VerbReject && s.To != "":
		return ": it moves to " + s.To
	case s.Verb == sim.VerbReject:
		return ": " + queue + " drops it"
	case s.Verb == sim.VerbAck && t.keptAcked(s):
		return ": " + queue + " keeps it, since it comes again if an earlier message of its key does"
	case strings.HasSuffix(t.outcome.Name, "(settled)"):
		return ", which another attempt holds by now, and " + queue + " forgets it all the same"
	}
	return ": " + queue + " forgets it"
}

func (t *teller) mailed(e *sim.Event) string {
	known := t.first(sim.EventKnownKey)
	switch {
	case known == nil:
		return ": accepted" + t.effects() + t.running(e)
	case e.Answer.Code == sim.InUse:
		return ", which is still at work on the first request with the key " + t.h.plain(e.Call.Key) + ": in use"
	case e.Answer.Code == sim.Refused:
		return ", which knows the key " + t.h.plain(e.Call.Key) + " and repeats that it refuses"
	case known.Done:
		return ", which knows the key " + t.h.plain(e.Call.Key) + " and sends nothing"
	case e.Answer.Code == sim.Conflict:
		return ", which knows the key " + t.h.plain(e.Call.Key) + " with another body: conflict"
	}
	return ", which knows the key " + t.h.plain(e.Call.Key) + " (with another body) and sends nothing"
}

// visible tells what a commit changed, if this step committed.
func (t *teller) visible() string {
	e := t.first(sim.EventCommit)
	if e == nil {
		return ""
	}
	changes := t.h.changes(t.step, int(e.Database))
	if len(changes) == 0 {
		return ": nothing changes"
	}
	return ": " + strings.Join(changes, "; ") + t.effects()
}

// effects names the effects that became real.
func (t *teller) effects() string {
	var names []string
	for _, e := range t.events {
		if e.Kind == sim.EventEffect {
			name := t.h.intentName(e.Intent())
			if n := t.h.count(t.step, e.Intent(), e.Channel); n > 1 {
				name += ", the " + ordinal(n)
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; effect of " + strings.Join(names, " and ")
}

// count is the number of effects of an intent in a place up to a step.
func (h *history) count(step, intent, channel int) int {
	n := 0
	for _, e := range h.effectsOf(intent, channel) {
		if e.step <= step {
			n++
		}
	}
	return n
}

func ordinal(n int) string {
	switch n {
	case 1:
		return "first"
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return "next"
}

// changes lists what a step changed in a database's tables.
func (h *history) changes(step, db int) []string {
	before, after := h.view(step - 1).Databases[db], h.view(step).Databases[db]
	var list []string
	for i, table := range after.Tables {
		old := before.Tables[i].Rows
		for _, row := range table.Rows {
			n := -1
			for k, o := range old {
				if o.Body == row.Body && o.Intent == row.Intent || table.Key != "" && h.field(o.Body, table.Key) == h.field(row.Body, table.Key) {
					n = k
				}
			}
			if n < 0 {
				list = append(list, table.Name+" gets "+h.rowText(row.Body, table.Key))
				continue
			}
			if old[n].Body != row.Body {
				list = append(list, h.changed(old[n].Body, row.Body, table.Name, table.Key))
			}
			old = append(append(old[:0:0], old[:n]...), old[n+1:]...)
		}
		for _, o := range old {
			list = append(list, table.Name+" loses "+h.rowText(o.Body, table.Key))
		}
	}
	return list
}

func (h *history) field(id sim.ValueID, name string) sim.ValueID {
	v, _ := h.sc.Values.Field(id, name)
	return v
}

// rowText prints a row: its key, then the other columns: "work-1 (amount
// 100)".
func (h *history) rowText(id sim.ValueID, key string) string {
	var parts []string
	for _, f := range h.sc.Values.Get(id).Fields {
		if f.Name != key {
			parts = append(parts, f.Name+" "+h.plain(f.Value))
		}
	}
	columns := strings.Join(parts, ", ")
	switch {
	case key == "":
		return "(" + columns + ")"
	case columns == "":
		return h.plain(h.field(id, key))
	}
	return h.plain(h.field(id, key)) + " (" + columns + ")"
}

// changed prints what is new in a row that stood before: "in totals, 1 becomes
// amount 150".
func (h *history) changed(old, row sim.ValueID, table, key string) string {
	var parts []string
	for _, f := range h.sc.Values.Get(row).Fields {
		if h.field(old, f.Name) != f.Value {
			parts = append(parts, f.Name+" "+h.plain(f.Value))
		}
	}
	name := "row"
	if key != "" {
		name = h.plain(h.field(row, key))
	}
	return "in " + table + ", " + name + " becomes " + strings.Join(parts, ", ")
}
