package script

import (
	"errors"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// The calls to queues, callers, providers and the runtime.

var multipleParam = Param{Name: "multiple", Type: "yes/no", Default: "False", Doc: "Of RabbitMQ: also everything that this process was given before and has not settled, whatever became of it (rabbitmq-website docs/confirms.md)."}

func queueBindings() []Binding {
	return []Binding{
		{
			Of: kindQueue, Name: "publish", Where: whereHandler, do: publish,
			Doc:    "Publishes a message. Publishing twice makes two messages, unless the queue recognises the second by its id.",
			Fields: "the body of the message",
			Stands: "basic.publish, then basic.ack from the broker (confirm); SendMessage; a JetStream publish and its reply",
			Result: "the publication",
			Params: append([]Param{
				{Name: "op", Type: "id", Positional: true, Doc: "The operation id."},
				{Name: "confirm", Type: "yes/no", Default: "True", Doc: "Whether to wait for the broker's confirm; without it nobody hears of a loss."},
			}, messageParams()...),
		},
		{
			Of: kindDelivery, Name: "ack", Where: whereHandler, do: settle(sim.VerbAck),
			Doc:    "Tells the broker that the message is done with.",
			Stands: "basic.ack; DeleteMessage; Acknowledge; +ACK",
			Params: []Param{multipleParam},
		},
		{
			Of: kindDelivery, Name: "nack", Where: whereHandler, do: settle(sim.VerbNack),
			Doc:    "Gives the message back, to be delivered again at once or after a delay.",
			Stands: "basic.nack(requeue = true); ChangeMessageVisibility; ModifyAckDeadline; -NAK",
			Params: []Param{{Name: "delay", Type: "seconds", Default: "0", Doc: "How long it stays away."}, multipleParam},
		},
		{
			Of: kindDelivery, Name: "reject", Where: whereHandler, do: settle(sim.VerbReject),
			Doc:    "Gives up on the message: it goes to the dead-letter queue, or nowhere if there is none.",
			Stands: "basic.reject(requeue = false); +TERM",
		},
	}
}

func callerBindings() []Binding {
	params := []Param{{Name: "op", Type: "request", Doc: "The request that the handler was given."}}
	return []Binding{
		{
			Name: "accept", Where: whereHandler, do: tell(sim.VerbAccept), Params: params,
			Doc:    "Tells the caller of a service that its request is accepted. From here on the intent is promised.",
			Stands: "HTTP 202 Accepted",
		},
		{
			Name: "refuse", Where: whereHandler, do: tell(sim.VerbRefuse), Params: params,
			Doc:    "Tells the caller of a service that its request is refused.",
			Stands: "HTTP 409 Conflict or 503 Service Unavailable",
		},
	}
}

func runtimeBindings() []Binding {
	seconds := []Param{{Name: "seconds", Type: "seconds"}}
	return []Binding{
		{Name: "work", Where: whereHandler, do: pass(sim.VerbWork), Params: seconds, Doc: "Works for so long. The work stands still while the process is stalled."},
		{Name: "sleep", Where: whereHandler, do: pass(sim.VerbSleep), Params: seconds, Doc: "Waits for so long. The clock of a sleep goes on while the process is stalled."},
		{Name: "fresh_id", Where: whereHandler, do: freshID, Result: "an id that nothing bears yet", Doc: "Asks the runtime for a new id. It is no step, and each attempt gets another one."},
		{
			Name: "fail", Where: whereHandler, do: fail,
			Doc:    "Ends the handler with an error; the rule on_error applies. attempt(...) around it catches it with the error \"failed\".",
			Params: []Param{{Name: "text", Type: "text"}},
		},
		{
			Name: "attempt", Where: whereHandler, do: attempt, Result: "a result with ok, value and error",
			Doc:    "Makes a call, or calls a function, and gives its outcome instead of ending the handler: error is \"timeout\", \"refused\", \"conflict\", \"gone\", \"stale\", \"unroutable\", \"fenced\", \"in_use\", \"failed\", \"busy\", \"serialization\", \"deadlock\", \"lock_timeout\" or \"aborted\". Mistakes in the text are not caught.",
			Fields: "handed on to the call",
			Params: []Param{{Name: "call", Type: "function or call", Positional: true, Doc: "Without parentheses; what follows is handed on to it: attempt(exports.publish, op.id, amount = 1)."}},
		},
	}
}

// idValue is id as data of the world.
func (c *invocation) idValue(name string) sim.ValueID {
	id := c.id(name)
	if c.err != nil {
		return sim.None
	}
	return c.table().Str(id)
}

// askBroker puts a question about a delivery. Once a handler has been told that
// the connection of its deliveries is lost, the broker can't be asked any more:
// the client library answers by itself, and that is no step.
func (c *invocation) askBroker(d *delivery, call sim.Call) (starlark.Value, error) {
	r := c.run
	if r.gone {
		return nil, &outcomeError{code: sim.Gone}
	}
	call.Party, call.Table, call.Place = d.queue, -1, d.place
	a, err := c.ask(call)
	if a.Code == sim.Gone || a.Code == sim.Timeout && r.sc.Queues[d.queue].Boundary == sim.Connection {
		r.gone = true
	}
	return starlark.None, err
}

// settle makes ack, nack and reject.
func settle(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		d := c.receiver.(*delivery)
		if err := d.settles(c.binding.Name); err != nil {
			return nil, err
		}
		if d.auto {
			return nil, mistake("no-settle", "this delivery was settled as it left the broker: the consumer says auto_ack = True", "Leave the call out, or leave out auto_ack.")
		}
		call := sim.Call{Verb: verb, Party: d.queue, Table: -1}
		if !c.settling(&call) {
			return nil, c.err
		}
		return c.askBroker(d, call)
	}
}

func tell(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		if _, ok := c.value("op").(*request); !ok {
			return nil, mistake("bad-type", c.title()+" answers the caller of a service's request, not "+describe(c.value("op")), "Give it what the service's handler was given: "+c.title()+"(op).")
		}
		if c.run.told {
			return nil, mistake("told-twice", "the caller of this request has its answer already", "Call accept or refuse once on each way through the handler.")
		}
		c.run.told = true
		_, err := c.ask(sim.Call{Verb: verb, Party: -1, Table: -1})
		return starlark.None, err
	}
}

func pass(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		n := c.seconds("seconds", 0)
		if c.err != nil {
			return nil, c.err
		}
		_, err := c.ask(sim.Call{Verb: verb, Party: -1, Table: -1, Seconds: n})
		return starlark.None, err
	}
}

func freshID(c *invocation) (starlark.Value, error) {
	a, err := c.ask(sim.Call{Verb: sim.VerbFreshID, Party: -1, Table: -1})
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}

func fail(c *invocation) (starlark.Value, error) {
	text := c.text("text", "")
	if len(text) > maxText {
		c.wrong("text", "bad-value", "the text of fail is too long", "Say it shorter.")
	}
	if c.err != nil {
		return nil, c.err
	}
	return nil, &outcomeError{code: sim.Failed, text: text}
}

func attempt(c *invocation) (starlark.Value, error) {
	if len(c.rest) == 0 {
		return nil, mistake("missing-argument", "attempt needs a call", "Write attempt(exports.publish, op.id).")
	}
	callee, ok := c.rest[0].(starlark.Callable)
	if !ok {
		return nil, mistake("bad-type", "attempt is given "+describe(c.rest[0])+" instead of a call", "Name the call without parentheses and give its values after it: attempt(exports.publish, op.id).")
	}
	v, err := starlark.Call(c.thread, callee, c.rest[1:], c.restKw)
	if err == nil {
		return &result{plain: plain{"result"}, value: v}, nil
	}
	var outcome *outcomeError
	if errors.As(err, &outcome) {
		return &result{plain: plain{"result"}, value: starlark.None, code: outcome.code}, nil
	}
	return nil, err
}
