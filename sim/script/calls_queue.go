package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Publishing and what a publisher holds on to: the publication, its confirm,
// its duplicates, its delay.

// messageParams are what a publish can say of its message.
func messageParams() []Param {
	return []Param{
		{Name: "id", Type: "id", Default: "None", Doc: "The message id by which the queue recognises duplicates; it is not the operation id unless you say so."},
		{Name: "key", Type: "scalar", Default: "None", Doc: "The message's group, where the queue has groups."},
		{Name: "delay", Type: "seconds", Default: "0", Doc: "How long it takes until it can be delivered."},
		{Name: "ttl", Type: "seconds", Default: "0", Doc: "How long it may wait in the queue; 0: as long as the queue says."},
		{Name: "mandatory", Type: "yes/no", Default: "False", Doc: "Whether to be told (unroutable) where no queue would get it."},
		{Name: "transient", Type: "yes/no", Default: "False", Doc: "Whether the broker may forget it when it restarts."},
	}
}

func publicationBindings() []Binding {
	return []Binding{
		{
			Of: kindQueue, Name: "send", Where: whereHandler, do: sendLater, Result: "the publication in flight",
			Doc:    "Publishes a message and goes on; wait() on what it returns awaits the confirm. Several can be in flight. What crashes before its wait never learns what became of it.",
			Fields: "the body of the message",
			Stands: "basic.publish with confirms that are read later; an asynchronous SendMessage or JetStream publish",
			Params: append([]Param{{Name: "op", Type: "id", Positional: true, Doc: "The operation id."}}, messageParams()...),
		},
		{
			Of: kindPublication, Name: "wait", Where: whereHandler, do: waitFor, Result: "the publication",
			Doc:    "Awaits the confirm of a message that was sent.",
			Stands: "the arrival of basic.ack or basic.nack; the answer of SendMessage; a JetStream reply",
		},
		{
			Of: kindPublication, Name: "cancel", Where: whereHandler, do: cancel, Result: "True if the message was there and nobody had it",
			Doc:    "Takes back the message, if it has not been delivered.",
			Stands: "deleting a scheduled message by its sequence number",
		},
		{
			Of: kindQueue, Name: "redrive", Where: whereHandler, do: redrive, Result: "how many were moved",
			Doc:    "Moves every message that nobody holds into another queue, as new messages: they count from the beginning.",
			Stands: "StartMessageMoveTask; a shovel",
			Params: []Param{{Name: "to", Type: "queue", Doc: "Where they go."}},
		},
	}
}

// publication is what publish and send return.
type publication struct {
	plain
	run    *run
	call   sim.Call
	answer sim.Answer
	known  bool // the confirm has come
}

func (p *publication) Attr(name string) (starlark.Value, error) {
	if name != "duplicate" {
		return p.run.sc.lang.method(kindPublication, p, name)
	}
	q := &p.run.sc.Queues[p.call.Party]
	switch {
	case q.Dedupe == 0:
		return starlark.False, nil
	case q.Silent:
		return nil, mistake("no-duplicate", q.Name+" doesn't tell a publisher that its message was a duplicate", "A duplicate is reported as a success; like = \"jetstream\" tells.")
	case !p.known:
		return nil, mistake("no-duplicate", "nobody has waited for the confirm of this publish, and only that tells", "Publish with confirm = True, or call wait() first.")
	}
	return starlark.Bool(p.answer.Value == sim.True), nil
}

func (p *publication) AttrNames() []string {
	return append([]string{"duplicate"}, p.run.sc.lang.names[kindPublication]...)
}

// message reads what publish and send say of a message.
func (c *invocation) message() *publication {
	p := &publication{plain: plain{kindPublication}, run: c.run}
	party := c.receiver.(*party)
	q := &c.run.sc.Queues[party.index]
	call := sim.Call{Verb: sim.VerbPublish, Party: party.index, Table: -1, Op: c.idValue("op")}
	call.Body = c.body()
	call.Seconds = c.seconds("delay", 0)
	call.Post.Lifetime = c.seconds("ttl", 0)
	call.Post.Mandatory = c.flag("mandatory", false)
	call.Post.Transient = c.flag("transient", false)
	if key := c.value("key"); key != nil {
		call.Post.Group = c.scalar("key", key)
	}
	if c.value("id") != nil {
		call.Post.ID = c.idValue("id")
	}
	c.allowed(q, &call)
	if c.src.said["cancel"] {
		call.Post.Nth = c.nextPost()
	}
	p.call = call
	return p
}

// nextPost numbers the publications of a run that later calls speak of.
func (c *invocation) nextPost() uint8 {
	c.run.posts++
	return uint8(min(c.run.posts, maxCalls))
}

// allowed refuses what the queue's system has no word for.
func (c *invocation) allowed(q *sim.Queue, call *sim.Call) {
	post := &call.Post
	switch {
	case post.Group != sim.None && !q.Groups:
		c.wrong("key", "no-groups", q.Name+" has no groups", "Declare it with queue(..., groups = True), or put the key into the body.")
	case post.Group == sim.None && q.Groups && q.NeedsGroup:
		c.wrong("op", "no-group", "a message for "+q.Name+" needs a group", "Say key = ...: one per thing whose messages must stay in order. Any other name (group, message_group_id) is a field of the body.")
	case post.ID != sim.None && q.Dedupe == 0:
		c.wrong("id", "no-dedupe", q.Name+" recognises no duplicates, so an id would do nothing", "Declare it with queue(..., dedupe = seconds), or leave the id out.")
	case call.Seconds > 0 && q.NoPostDelay:
		c.wrong("delay", "no-delay", q.Profile+" knows no delay of a single message", "queue(..., delay = seconds) delays all, where the system has that; or keep what is not due in a table.")
	case post.Lifetime > 0 && q.NoPostTTL:
		c.wrong("ttl", "no-ttl", q.Profile+" knows no lifetime of a single message", "queue(..., ttl = seconds) is for all of them.")
	case post.Mandatory && !q.Mandatory:
		c.wrong("mandatory", "no-mandatory", q.Profile+" knows no mandatory publish", "Leave it out: "+map[bool]string{true: "every publisher that waits is told.", false: "nobody is told where nothing is bound."}[q.UnboundFails])
	}
}

func publish(c *invocation) (starlark.Value, error) {
	p := c.message()
	p.call.Confirm = c.flag("confirm", true)
	if c.err != nil {
		return nil, c.err
	}
	a, err := c.ask(p.call)
	if err != nil {
		return nil, err
	}
	p.answer, p.known = a, p.call.Confirm
	return p, nil
}

func sendLater(c *invocation) (starlark.Value, error) {
	p := c.message()
	p.call.Post.Later = true
	if p.call.Post.Nth == 0 {
		p.call.Post.Nth = c.nextPost()
	}
	if c.err != nil {
		return nil, c.err
	}
	if _, err := c.ask(p.call); err != nil {
		return nil, err
	}
	return p, nil
}

func waitFor(c *invocation) (starlark.Value, error) {
	p := c.receiver.(*publication)
	if !p.call.Post.Later {
		return nil, mistake("nothing-to-wait", "publish has waited for its confirm already", "Use send(...) to publish now and wait later.")
	}
	if p.known {
		return nil, mistake("nothing-to-wait", "this confirm has been awaited already", "Call wait() once for each send(...).")
	}
	p.known = true
	call := sim.Call{Verb: sim.VerbWait, Party: p.call.Party, Table: -1, Op: p.call.Op, Post: p.call.Post}
	a, err := c.ask(call)
	p.answer = a
	if err != nil {
		return nil, err
	}
	return p, nil
}

func cancel(c *invocation) (starlark.Value, error) {
	p := c.receiver.(*publication)
	q := &c.run.sc.Queues[p.call.Party]
	if !q.Cancellable {
		return nil, mistake("no-cancel", q.Profile+" can't take back a message", "Let the handler look in a table whether the message is still wanted.")
	}
	a, err := c.ask(sim.Call{Verb: sim.VerbCancel, Party: p.call.Party, Table: -1, Op: p.call.Op, Post: sim.Post{Nth: p.call.Post.Nth}})
	if err != nil {
		return nil, err
	}
	return starlark.Bool(a.Value == sim.True), nil
}

func redrive(c *invocation) (starlark.Value, error) {
	from := c.receiver.(*party)
	to, ok := c.value("to").(*party)
	if !ok || to.kind != kindQueue || to == from {
		return nil, mistake("bad-type", "to of queue.redrive is another queue, not "+describe(c.value("to")), "Write dead.redrive(to = jobs).").at("to")
	}
	a, err := c.ask(sim.Call{Verb: sim.VerbRedrive, Party: from.index, Table: -1, To: to.index})
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}

// settling completes a settle, and refuses what the queue's system has no word
// for.
func (c *invocation) settling(call *sim.Call) bool {
	q := &c.run.sc.Queues[call.Party]
	if call.Verb != sim.VerbReject && c.flag("multiple", false) {
		call.Mode = sim.ModeMultiple
		if !q.TagsEnd {
			c.wrong("multiple", "no-multiple", q.Profile+" settles each delivery by itself", "Settle them one by one: for d in deliveries: d.ack().")
		}
	}
	switch call.Verb {
	case sim.VerbReject:
		if q.NoReject {
			c.wrong("", "no-reject", q.Profile+" has no call that gives up on a message", noRejectNext(q))
		}
	case sim.VerbNack:
		call.Seconds = c.seconds("delay", 0)
		if q.NoNack {
			c.wrong("", "no-nack", q.Profile+" has no call that gives a message back", noNackNext)
		} else if call.Seconds > 0 && q.NoNackDelay {
			c.wrong("delay", "no-delay", q.Profile+" gives a message back at once", "Publish it anew with a delay, or to a queue with ttl = seconds and dead_letter = this queue.")
		}
	}
	return c.err == nil
}

func noRejectNext(q *sim.Queue) string {
	if q.NoNack {
		return "Publish it to another queue and ack."
	}
	return "Let it come until max_deliveries moves it to the dead-letter queue, or publish it to another queue and ack."
}

const noNackNext = "Leave it to whoever claims it: consumer(..., claim_idle = 60)."

// rejects refuses on_return and on_error = "reject" or "requeue" where there is
// no such call.
func (c *invocation) rejects(q *sim.Queue, name string, rule sim.EndRule) {
	if rule == sim.RuleRequeue && q.NoNack {
		c.wrong(name, "no-nack", q.Profile+" has no call that gives a message back", noNackNext)
	}
	if rule == sim.RuleReject && q.NoReject {
		c.wrong(name, "no-reject", q.Profile+" has no call that gives up on a message", noRejectNext(q))
	}
}

// key is what a delivery's message was published with.
func (d *delivery) key() (starlark.Value, error) {
	if q := &d.run.sc.Queues[d.queue]; !q.Groups {
		return nil, mistake("no-groups", q.Name+" has no groups, so a message has no key", "Declare it with queue(..., groups = True), or put the key into the body.")
	}
	return d.run.starlarkValue(d.in.Group), nil
}

// backoff reads a list of pauses.
func (c *invocation) backoff() []sim.Seconds {
	v := c.value("backoff")
	if v == nil {
		return nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok || starlark.Len(list) == 0 || starlark.Len(list) > maxBackoff {
		c.wrong("backoff", "bad-type", fmt.Sprintf("backoff of queue is a list of 1 to %d pauses, not %s", maxBackoff, describe(v)), "Write backoff = [1, 5, 30].")
		return nil
	}
	var pauses []sim.Seconds
	it := list.Iterate()
	defer it.Done()
	var item starlark.Value
	for it.Next(&item) {
		n, isInt := item.(starlark.Int)
		s, fits := n.Int64()
		if !isInt || !fits || s < 1 || s > maxSeconds {
			c.wrong("backoff", "bad-seconds", "a pause of backoff is "+describe(item)+", and must be a whole number of seconds, at least 1", "Write backoff = [1, 5, 30].")
			return nil
		}
		pauses = append(pauses, sim.Seconds(s))
	}
	return pauses
}

// maxBackoff bounds a backoff list: as many deliveries are told apart.
const maxBackoff = 10
