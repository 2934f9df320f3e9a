package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// The values that handlers hold on to: parties, which stand at the top level,
// and what one run was given. A handle knows what its own run has been told
// about it, never the state of the world.

// party is a queue, database or provider.
type party struct {
	plain
	lang  *language
	name  string
	index int16
}

func (p *party) String() string { return p.kind + " " + p.name }

func (p *party) Attr(name string) (starlark.Value, error) { return p.lang.method(p.kind, p, name) }
func (p *party) AttrNames() []string                      { return p.lang.names[p.kind] }

// tableDecl is what table(...) returns, until database(...) takes it.
type tableDecl struct {
	plain
	key     string
	version string
	role    sim.Role
	open    []sim.Pattern
	counter bool // its key is a sequence
	sum     bool // its rows add up shares
}

// intentDecl is what intent(...) returns.
type intentDecl struct {
	plain
	index int
}

// request is what a service's handler is given.
type request struct {
	plain
	run *run
}

func (q *request) Attr(name string) (starlark.Value, error) {
	if name == "id" {
		return q.run.starlarkValue(q.run.in.Op), nil
	}
	if name == "op" {
		return nil, mistake("no-such-name", "a request has nothing called op", "A request is the operation itself: its id is op.id.")
	}
	return q.run.field(kindRequest, q.run.in.Body, name)
}

func (q *request) AttrNames() []string {
	return append([]string{"id"}, q.run.fieldNames(q.run.in.Body)...)
}

// delivery is what a consumer's handler is given.
type delivery struct {
	plain
	run    *run
	queue  int16
	source int16 // which of the things with a label it is that the handler has been told
	in     sim.Input
	place  uint8 // which of the handler's deliveries it is
	auto   bool  // it was settled as it left the broker
}

func (d *delivery) Attr(name string) (starlark.Value, error) {
	lang := d.run.sc.lang
	switch {
	case name == "op":
		return d.run.starlarkValue(d.in.Op), nil
	case name == "redelivered":
		return starlark.Bool(d.in.Again), nil
	case name == "attempt" && d.in.Attempt > 0:
		return starlark.MakeInt(int(d.in.Attempt)), nil
	case name == "attempt":
		return nil, d.noCounter()
	}
	if v, ok := d.recordAttr(name); ok {
		if _, isField := d.run.sc.Values.Field(d.in.Body, name); !isField {
			return v, nil
		}
	}
	if _, isField := d.run.sc.Values.Field(d.in.Body, name); !isField {
		_, isMethod := lang.methods[kindDelivery][name]
		_, isLater := notYetMethods[name]
		if isMethod || isLater {
			return lang.method(kindDelivery, d, name)
		}
		if name == "key" {
			return d.key()
		}
		if name == "id" {
			return nil, mistake("no-such-name", "a delivery has nothing called id", "The operation id is delivery.op.")
		}
	}
	return d.run.field(kindDelivery, d.in.Body, name)
}

// noCounter is the mistake of asking for a count that nobody keeps.
func (d *delivery) noCounter() error {
	q, next := &d.run.sc.Queues[d.queue], "Use a profile whose broker does, such as sqs-standard, or count in a table with add."
	if q.CountsPolicy {
		next = "Its broker counts where there is a dead-letter queue: queue(..., dead_letter = dead)."
	}
	return mistake("no-counter", "the queue "+q.Name+" doesn't count deliveries", next)
}

func (d *delivery) AttrNames() []string {
	names := append([]string{"op", "attempt", "redelivered", "key"}, d.run.fieldNames(d.in.Body)...)
	return append(names, d.run.deliveryNames()...)
}

// transaction is what begin returns.
type transaction struct {
	plain
	run   *run
	db    int16
	ended string // "committed" or "rolled back": using it again is a mistake
	saves int    // how many savepoints can be gone back to
	fails bool   // it is aborted (PostgreSQL): only going back or ending is left
	gone  bool   // its connection is lost or its end uncertain: every call answers gone
}

func (t *transaction) Attr(name string) (starlark.Value, error) {
	return t.run.sc.lang.method(kindTransaction, t, name)
}

func (t *transaction) AttrNames() []string { return t.run.sc.lang.names[kindTransaction] }

// savepoint is what a transaction's savepoint returns.
type savepoint struct {
	plain
	tx     *transaction
	number int // from 1; one that was gone back over is gone
}

func (s *savepoint) Attr(name string) (starlark.Value, error) {
	return s.tx.run.sc.lang.method(kindSavepoint, s, name)
}

func (s *savepoint) AttrNames() []string { return s.tx.run.sc.lang.names[kindSavepoint] }
