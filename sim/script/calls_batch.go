package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Several emails in one request.

const kindMessage = "message"

func batchBindings() []Binding {
	return []Binding{
		{
			Name: "message", Where: whereHandler, do: makeMessage, Result: "an email for send_batch",
			Doc:    "One email of a batch. It is no step: nothing is sent before send_batch.",
			Fields: "the body of the email",
			Params: []Param{
				{Name: "to", Type: "id", Positional: true, Doc: "Whom it is for."},
				{Name: "ref", Type: "scalar", Default: "None", Doc: "A reference of your own, by which it can be looked up."},
				{Name: "of", Type: "row, delivery, request or None", Default: "by handler", Doc: "Whose work it is, for the observer."},
			},
		},
		{
			Of: kindProvider, Name: "send_batch", Where: whereHandler, do: sendBatch, Result: "a list of True and False, one for each email: whether it was accepted",
			Doc:    "Sends several emails in one request. The provider may refuse one (\"refused email 2\") and accept the others.",
			Stands: "POST /emails/batch, one Idempotency-Key for all",
			Params: []Param{
				{Name: "messages", Type: "list of messages", Positional: true},
				{Name: "key", Type: "scalar", Default: "None", Doc: "The idempotency key of the whole batch."},
			},
		},
	}
}

// email is what message returns.
type email struct {
	plain
	to, body, ref sim.ValueID
	of            int16
}

func makeMessage(c *invocation) (starlark.Value, error) {
	m := &email{plain: plain{kindMessage}, to: c.idValue("to")}
	if ref := c.value("ref"); ref != nil {
		m.ref = c.scalar("ref", ref)
	}
	if _, given := c.values["of"]; given {
		m.of = c.whose("of")
	}
	m.body = c.record()
	if c.err != nil {
		return nil, c.err
	}
	return m, nil
}

// maxBatch is how many emails a batch can have: more show nothing new.
const maxBatch = 10

func sendBatch(c *invocation) (starlark.Value, error) {
	p := c.receiver.(*party)
	list, ok := c.values["messages"].(*starlark.List)
	if !ok || list.Len() == 0 || list.Len() > maxBatch {
		return nil, mistake("bad-batch", "send_batch is given "+describe(c.values["messages"])+" instead of a list of one to ten messages", "Write mail.send_batch([message(op.id), ...]).")
	}
	vals := c.table()
	var items []sim.ValueID
	for i := range list.Len() {
		m, ok := list.Index(i).(*email)
		if !ok {
			return nil, mistake("bad-batch", describe(list.Index(i))+" is no message", "Write mail.send_batch([message(op.id), ...]).")
		}
		if m.ref != sim.None && !c.run.sc.Providers[p.index].Lookup {
			return nil, mistake("no-lookup", "nobody can look up an email of "+p.name+" by a reference", "Declare it with provider(..., lookup = True), or leave the reference out.")
		}
		items = append(items, vals.Record([]sim.Field{
			{Name: sim.BatchTo, Value: m.to}, {Name: sim.BatchBody, Value: m.body}, {Name: sim.BatchRef, Value: m.ref}, {Name: sim.BatchOf, Value: vals.Int(int64(m.of))},
		}))
	}
	call := sim.Call{Verb: sim.VerbSendBatch, Party: p.index, Table: -1, Key: c.providerKey(p), Body: vals.List(items)}
	if c.err != nil {
		return nil, c.err
	}
	a, err := c.ask(call)
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}
