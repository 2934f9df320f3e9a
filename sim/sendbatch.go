package sim

import "fmt"

// Batch sends: several emails in one request, under one idempotency key, with
// an outcome for each. The provider may refuse one and accept the others; with
// the answer lost, nobody knows which.

// The fields of an email in a batch, which stands in the call's body as a list.
const (
	BatchTo   = "to"
	BatchBody = "body"
	BatchRef  = "ref"
	BatchOf   = "of" // Call.Of
)

// batchOf opens a batch up: each email as the send that it stands for.
func (w *World) batchOf(c *Call) []*Call {
	vals := w.sc.Values
	var list []*Call
	for _, item := range vals.Get(c.Body).Fields {
		part := func(name string) ValueID {
			v, _ := vals.Field(item.Value, name)
			return v
		}
		list = append(list, &Call{Verb: VerbSend, Party: c.Party, Table: -1, Of: int16(vals.Get(part(BatchOf)).Int),
			Op: part(BatchTo), Body: part(BatchBody), Ref: part(BatchRef)})
	}
	return list
}

// batchAnswer is what the caller is told: whether each email was accepted.
// Number but is refused; -1: none is.
func batchAnswer(vals *Values, items, but int) ValueID {
	list := make([]ValueID, items)
	for i := range list {
		list[i] = vals.Bool(i != but)
	}
	return vals.List(list)
}

// sendBatch carries out a batch in which email number but is refused. A key
// that is known gives the answer that was given before.
func (x *step) sendBatch(p int, c *Call, but int) outcome {
	decl := &x.w.sc.Providers[c.Party]
	if k, known := x.keyOf(c); known {
		same := k.body == c.Body
		if k.running && decl.InUseWaits {
			return outcome{waits: true}
		}
		x.emit(Event{Kind: EventKnownKey, Proc: int16(p), Provider: c.Party, Call: c, Done: same})
		switch {
		case k.running:
			return outcome{answer: Answer{Code: InUse}}
		case !same && decl.MismatchFails:
			return outcome{answer: Answer{Code: Conflict}}
		case k.refused:
			return outcome{answer: Answer{Code: Refused}}
		case x.w.sc.Values.Get(k.to).Kind != KindList: // the first request was a single email
			return outcome{answer: Answer{Value: batchAnswer(x.w.sc.Values, 1, -1)}}
		}
		return outcome{answer: Answer{Value: k.to}}
	}
	items := x.w.batchOf(c)
	answer := batchAnswer(x.w.sc.Values, len(items), but)
	for i, item := range items {
		if i != but {
			x.send(p, item)
		}
	}
	if decl.Keys && c.Key != None {
		old := x.mailbox(int(c.Party))
		k := newKey(decl, c)
		k.to = answer
		x.setMailbox(int(c.Party), &mailbox{mails: old.mails, refs: old.refs, keys: insertKey(old.keys, k)})
	}
	return outcome{answer: Answer{Value: answer}, runs: decl.Takes > 0}
}

// anyBatch tells whether a batch can be given the answer of another one, which
// may have had fewer emails or more.
func anyBatch(sc *Scenario, c *Call) bool {
	return c.Verb == VerbSendBatch && c.Key != None && !sc.Providers[c.Party].MismatchFails
}

// batchAnswers lists what a batch can be told that reached its provider.
func batchAnswers(sc *Scenario, c *Call) []Answer {
	n := len(sc.Values.Get(c.Body).Fields)
	list := []Answer{{Value: batchAnswer(sc.Values, n, -1)}}
	if sc.Faults.Limit[RefusedCall] > 0 {
		for i := range n {
			list = append(list, Answer{Value: batchAnswer(sc.Values, n, i)})
		}
	}
	return append(list, sendAnswers(sc, c)[1:]...)
}

// itemRefusals lists the emails of a batch that the provider may refuse alone.
func (w *World) itemRefusals(x *step, p int, c *Call, name string) {
	if c.Verb != VerbSendBatch {
		return
	}
	if _, known := x.keyOf(c); known {
		return
	}
	for i := range w.batchOf(c) {
		x.strike(RefusedCall, p, name+fmt.Sprintf(" refused email %d", i+1), func() {
			out := x.sendBatch(p, c, i)
			x.called(p, c, out.answer, NoFault)
			x.answerIn(p, c, out)
		})
	}
}
