package script

import (
	"strings"

	"go.starlark.net/syntax"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/profile"
)

// The parameters of queue(...) beyond deliveries, settles and leases.

func queueRuleParams() []Param {
	return []Param{
		{Name: "version", Type: "text", Default: "the newest", Doc: "Which release of the system, where its rules changed: of rabbitmq-quorum and rabbitmq-classic \"3.13\", \"4.0\" or \"4.3\"."},
		{Name: "nack_counts", Type: "yes/no", Default: "by profile", Doc: "With counter = \"losses\": whether a message that is given back counts too."},
		{Name: "backoff", Type: "list of seconds", Default: "None", Doc: "A pause before each further delivery, or, of jetstream, the length of each lease; the last one stands for all further ones."},
		{Name: "delay", Type: "seconds", Default: "0", Doc: "How long every message takes until it can be delivered."},
		{Name: "ttl", Type: "seconds", Default: "0", Doc: "How long a message may wait; then it is dead-lettered or dropped, as the system does. 0: for ever."},
		{Name: "dedupe", Type: "seconds", Default: "by profile", Doc: "How long the id of an accepted message is remembered; a publish with a known id stores nothing. 0: not at all."},
		{Name: "groups", Type: "yes/no", Default: "by profile", Doc: "Whether of the messages with one key only the oldest is delivered, and the next one only when that is settled."},
		{Name: "durable", Type: "yes/no", Default: "by profile", Doc: "Whether the queue outlives a restart of its broker."},
		{Name: "max_length", Type: "number of messages", Default: "0", Doc: "How many messages fit; 0: all."},
		{Name: "overflow", Type: "text", Default: "\"reject\"", Doc: "What a full queue does with a publish: reject refuses it, drop_head makes room by giving up the oldest message."},
		{Name: "bound", Type: "yes/no", Default: "True", Doc: "Whether messages reach the queue at all: with False nothing is bound to it."},
	}
}

// atVersion returns a profile's rules at the wanted version.
func (c *invocation) atVersion(p profile.Queue) sim.Queue {
	q, ok := p.At(c.text("version", ""))
	if !ok {
		var names []string
		for _, v := range p.Versions {
			names = append(names, v.Name)
		}
		next := "Leave the version out: its rules are the same in all that we know."
		if len(names) > 0 {
			next = "Choose " + oneOf(quoted(names)) + "."
		}
		c.wrong("version", "no-profile", p.Name+" has no version "+strings.TrimSpace(shorten(c.text("version", ""))), next)
	}
	return q
}

// queueRules reads the rules of a queue beyond deliveries, settles and leases.
// stale tells that what an old attempt's ack does was chosen by hand.
func (c *invocation) queueRules(q *sim.Queue) {
	if c.value("stale_ack") != nil {
		q.LateAck, q.StaleNack = q.StaleAck, sim.StaleIgnored
		switch q.StaleAck {
		case sim.StaleChoice:
			q.LateAck = sim.StaleSettles
		case sim.StaleError:
			q.StaleNack = sim.StaleError
		}
	}
	q.NackCounts = c.flag("nack_counts", q.NackCounts)
	if q.Requeue == sim.RequeueTail && q.MaxDeliveries > 0 {
		q.Requeue = sim.RequeueFront
	}
	q.Backoff = c.backoff()
	if q.Backoff != nil && q.Counter == sim.CountsNothing {
		q.Counter = sim.CountsDeliveries
	}
	if q.Backoff != nil && q.BackoffLease {
		q.Lease = q.Backoff[0]
	}
	q.Delay = c.seconds("delay", 0)
	q.Lifetime = c.seconds("ttl", 0)
	q.Dedupe = c.seconds("dedupe", q.Dedupe)
	q.Groups = c.flag("groups", q.Groups)
	q.Volatile = !c.flag("durable", !q.Volatile)
	q.MaxLength = c.count("max_length", "messages", 0, 0, 1000)
	q.DropsHead = c.choice("overflow", 0, "reject", "drop_head") == 1
	q.Unbound = !c.flag("bound", true)
}

// settleQueues works out what a scenario can't use, so that it costs nothing.
func (s *Scenario) settleQueues() {
	said := s.src.said
	s.Again = said["redelivered"]
	s.Cancels = said["cancel"]
	s.Redrives = said["redrive"]
	s.Batches = said["send_batch"]
	s.Restores = said["snapshot"] || said["restore"]
	s.Sends = said["wait"]
	s.NamesMessages = s.src.namesMessages
	for i := range s.Queues {
		q := &s.Queues[i]
		if !q.DedupesBody && !s.NamesMessages {
			q.Dedupe = 0 // nothing is ever recognised
		}
		q.Delays = q.Delay > 0 || q.Backoff != nil && !q.BackoffLease || said["delay"]
		q.Ages = q.Lifetime > 0 || said["ttl"] || q.KeepsAge && q.DeadLetter >= 0 && s.Queues[q.DeadLetter].Lifetime > 0
	}
}

// namesMessage tells whether a call may be a publish that names its message by
// an id: q.publish(..., id = ...), attempt(q.send, ..., id = ...).
func namesMessage(n *syntax.CallExpr) bool {
	posts, named := isPost(n.Fn), false
	for _, arg := range n.Args {
		posts = posts || isPost(arg)
		switch arg := arg.(type) {
		case *syntax.UnaryExpr:
			named = named || arg.Op == syntax.STARSTAR
		case *syntax.BinaryExpr:
			name, ok := arg.X.(*syntax.Ident)
			named = named || arg.Op == syntax.EQ && ok && name.Name == "id"
		}
	}
	return posts && named
}

func isPost(x syntax.Expr) bool {
	dot, ok := x.(*syntax.DotExpr)
	return ok && (dot.Name.Name == "publish" || dot.Name.Name == "send")
}
