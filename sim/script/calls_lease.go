package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// What a consumer says of its client, and the calls that make leases longer.

func leaseBindings() []Binding {
	return []Binding{
		{
			Of: kindDelivery, Name: "extend", Where: whereHandler, do: extendLease,
			Doc:    "Makes the lease last so long from now on. Where another attempt holds the message by now, the queue's rule for stale settles tells what comes of it.",
			Stands: "ChangeMessageVisibility; ModifyAckDeadline; +WPI; XCLAIM to oneself",
			Params: []Param{{Name: "seconds", Type: "seconds", Default: "the queue's lease"}},
		},
		{
			Name: "keep", Where: whereHandler, do: keep,
			Doc: "Has the client extend the lease of a delivery at once and then so often, as long as the handler runs and its process neither stalls nor dies. It is no step; a lost request may strike one of the extensions.",
			Params: []Param{
				{Name: "delivery", Type: "delivery"},
				{Name: "every", Type: "seconds"},
			},
			Stands: "a heartbeat thread with ChangeMessageVisibility; the lease management of a Pub/Sub client; +WPI by a timer",
		},
	}
}

// clientParams are the parameters of consumer(...) that say what its client does
// by itself.
func clientParams() []Param {
	return []Param{
		{Name: "prefetch", Type: "number of deliveries", Default: "by queue", Doc: "The most deliveries that its client has: what runs and what waits in its buffer. From 2 on there is a buffer; the leases in it run, and a crash loses it."},
		{Name: "batch", Type: "number of deliveries", Default: "None", Doc: "The handler is given a list: the first that are ready, up to so many. It settles each by itself. Of a log: the most records of one poll, from its partitions one after the other; delivery.commit() of one commits up to it in its partition, and commit = \"after\" all of them."},
		{Name: "auto_ack", Type: "yes/no", Default: "False", Doc: "Whether a delivery is settled as it leaves the broker."},
		{Name: "drop_expired", Type: "yes/no", Default: "False", Doc: "Whether the client drops what waits in its buffer once the lease has ended by its own clock."},
		{Name: "keep", Type: "seconds", Default: "None", Doc: "The client extends the lease of what its handler works on so often, as keep(delivery, every) does."},
		{Name: "keep_buffer", Type: "yes/no", Default: "False", Doc: "Whether it extends the leases of what waits in its buffer too."},
	}
}

// insteadOf says, for what only a queue's client has, what the reader of a log
// has instead.
var insteadOf = map[string]struct{ why, next string }{
	"prefetch":     {"a log hands out no deliveries that could wait in a client: its reader has a position, and what it fetches ahead is not counted before the handler is given it", "Write batch = 10 for the most records of one poll (max.poll.records)."},
	"auto_ack":     {"a record of a log is not settled: its group commits how far it has come", "commit = \"auto\" commits whatever a poll has handed out, done or not, at the next poll."},
	"drop_expired": {"a record of a log has no lease that could end", "A reader that was removed from its group is told by the outcome \"fenced\" of its commit."},
	"keep":         {"a record of a log has no lease that could be extended: its reader is a member of the group while its heartbeats come and it polls in time", "session = seconds and max_poll = seconds say how long a member may be silent and how long a handler may take."},
	"keep_buffer":  {"a record of a log has no lease that could be extended: its reader is a member of the group while its heartbeats come and it polls in time", "session = seconds and max_poll = seconds say how long a member may be silent and how long a handler may take."},
}

// onlyOfQueues refuses for the reader of a log what a log has not.
func (c *invocation) onlyOfQueues() {
	for _, p := range clientParams() {
		if instead, ok := insteadOf[p.Name]; ok && c.value(p.Name) != nil {
			c.wrong(p.Name, "not-a-queue", instead.why, instead.next)
		}
	}
}

// deliveries is what a consumer's handler is given.
func (r *run) deliveries(decl *handler) starlark.Value {
	var list []starlark.Value
	for i, in := range r.sc.Elements(r.in) {
		list = append(list, &delivery{plain: plain{kindDelivery}, run: r, queue: decl.queue, in: in, source: int16(i + 1), place: uint8(i), auto: decl.auto})
	}
	r.heard = int16(len(list))
	if !decl.batch {
		return list[0]
	}
	all := starlark.NewList(list)
	all.Freeze()
	return all
}

// client reads what consumer(...) says of its client.
func (c *invocation) client(q *sim.Queue) sim.Client {
	client := sim.Client{
		Prefetch:    c.count("prefetch", "deliveries", q.HoldLimit, 0, maxPrefetch),
		Batch:       c.count("batch", "deliveries", 0, 1, maxPrefetch),
		AutoAck:     c.flag("auto_ack", false),
		DropExpired: c.flag("drop_expired", false),
		Keep:        c.seconds("keep", 0),
		KeepBuffer:  c.flag("keep_buffer", false),
	}
	switch {
	case c.err != nil:
	case client.AutoAck && q.NoAutoAck:
		c.wrong("auto_ack", "no-auto-ack", q.Profile+" has no way to settle a delivery as it leaves the broker", "Ack first in the handler, or choose rabbitmq-classic, rabbitmq-quorum or jetstream.")
	case client.AutoAck && (client.Keep > 0 || client.DropExpired):
		c.wrong("auto_ack", "no-lease", "a delivery that is settled as it leaves the broker has no lease", "Leave out auto_ack, or keep and drop_expired.")
	case client.DropExpired && (client.Prefetch <= 1 || q.Lease == 0):
		c.wrong("drop_expired", "no-lease", "nothing waits here whose lease could end", "Add prefetch = 10, and a lease to the queue.")
	case client.KeepBuffer && (client.Keep == 0 || client.Prefetch <= 1):
		c.wrong("keep_buffer", "no-keep", "keep_buffer needs keep, and a buffer", "Add keep = 10, prefetch = 10.")
	case client.Keep > 0:
		c.extendable("keep", q, client.Keep)
	}
	return client
}

// extendable insists that leases of a queue can be extended every so often.
func (c *invocation) extendable(name string, q *sim.Queue, every sim.Seconds) {
	switch {
	case q.Extend == sim.ExtendsNever:
		c.wrong(name, "no-extend", q.Profile+" has no call that makes a lease longer", "Give the queue a longer lease, or do less in one handler.")
	case q.Lease == 0:
		c.wrong(name, "no-lease", "deliveries of "+q.Name+" have no lease that could be made longer", "Give the queue a lease: queue(..., lease = 30).")
	case every >= q.Lease:
		c.wrong(name, "bad-value", fmt.Sprintf("a lease of %d s ends before the first extension after %d s", q.Lease, every), "Extend more often: a third of the lease is usual.")
	}
}

func extendLease(c *invocation) (starlark.Value, error) {
	d := c.receiver.(*delivery)
	if err := d.settles("extend"); err != nil {
		return nil, err
	}
	q := &c.run.sc.Queues[d.queue]
	n := c.seconds("seconds", q.Lease)
	idle := q.Extend == sim.ExtendsIdle
	if !idle {
		c.extendable("seconds", q, 0)
	}
	if c.err == nil {
		switch {
		case d.auto:
			c.wrong("seconds", "no-settle", "this delivery was settled as it left the broker: the consumer says auto_ack = True", "Leave the call out, or leave out auto_ack.")
		case idle && n > 0:
			c.wrong("seconds", "bad-value", "an entry of "+q.Profile+" has no lease whose length could be said", "Write delivery.extend(): how long it has been idle begins anew.")
		case n == 0 && !idle:
			c.wrong("seconds", "bad-value", "an extension by 0 s ends the lease", "Write delivery.nack().")
		case q.Extend == sim.ExtendsAnew && n != q.Lease:
			c.wrong("seconds", "bad-value", fmt.Sprintf("an extension begins the lease of %d s anew and takes no length", q.Lease), "Write delivery.extend().")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.askBroker(d, sim.Call{Verb: sim.VerbExtend, Seconds: n})
}

func keep(c *invocation) (starlark.Value, error) {
	d, ok := c.value("delivery").(*delivery)
	if !ok {
		return nil, mistake("bad-type", "keep holds the lease of a delivery, not of "+describe(c.value("delivery")), "Give it what the consumer's handler was given: keep(delivery, 10).")
	}
	every := c.seconds("every", 0)
	c.extendable("every", &c.run.sc.Queues[d.queue], every)
	if c.err == nil && (every == 0 || d.auto) {
		c.wrong("every", "bad-value", "there is nothing to extend every 0 s, and nothing at all where deliveries are settled as they leave the broker", "Write keep(delivery, 10).")
	}
	if c.err != nil {
		return nil, c.err
	}
	_, err := c.ask(sim.Call{Verb: sim.VerbKeep, Party: d.queue, Table: -1, Seconds: every, Place: d.place})
	return starlark.None, err
}
