package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ackademy/ackademy/sim/script"
)

// wideScenario writes a scenario out of everything that the language has:
// few statements, but any beside any.
func wideScenario(rng *rand.Rand) string {
	for {
		g := &wide{generator: generator{rng: rng}}
		text := g.scenario()
		if _, err := script.Load("wide.star", []byte(text)); err == nil {
			return text
		}
	}
}

// wide is the generator; what it draws first decides what can stand in the
// handlers.
type wide struct {
	generator
	pg      bool   // the database locks rows
	broker  string // a queue's profile; "log"; or nothing
	dead    bool
	mail    bool
	keys    bool
	lookup  bool
	number  bool // a table has a sequence
	cause   bool
	batch   bool
	sum     bool // a table adds up
	stops   bool // a process does something at its end
	names   int
	outages []string
	hosted  bool // there is a host h
}

// scope is where a statement stands.
type scope struct {
	depth int
	id    string // an expression for the operation's id
	of    string // ", of = row" where the handler has been told of several or none
	whose string // what withdraw and hand_over can be given
	role  string // service, consumer, job or operator
	tx    bool
}

// maybe is one of the options, or nothing.
func (g *wide) maybe(n int, list ...string) string {
	if g.chance(n) {
		return g.one(list...)
	}
	return ""
}

func (g *wide) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *wide) scenario() string {
	g.line(0, `"""A random scenario out of everything."""`)
	g.parties()
	if g.hosted = g.chance(4); g.hosted {
		g.line(0, `h = host("h"%s)`, g.maybe(2, ", restart = 6"))
		g.line(0, "def beat():")
		g.line(1, "%s", g.one(`store.exists("work", id = "g")`, `memory.get("seen", 0)`, `memory.put("seen", 1)`))
		g.line(0, `job(beat, every = 30, times = 2, name = "beater", host = h)`)
	}
	g.line(0, `a = intent("a", n = 1, k = "x"%s)`, g.maybe(4, `, promised = True`, `, wants = ["store.done"]`))
	intents := "a"
	if g.chance(3) {
		g.line(0, `b = intent(%q, n = 2, k = "x")`, g.one("a", "b"))
		intents += ", b"
	}
	if g.chance(3) {
		g.line(0, `given(store, "work", id = "g", status = %q, tries = 0%s, of = a)`, g.one("new", "claimed"), g.maybe(2, ", at = after(9)"))
	}
	if g.stops = g.chance(5); g.stops {
		g.line(0, "def leave():")
		g.body(scope{depth: 1, id: `"x"`, of: ", of = None", role: "operator"}, 1)
	}
	at := scope{depth: 1, id: "op.id", whose: "op", role: "service"}
	g.line(0, "def request(op):")
	g.body(at, 1+g.rng.IntN(3))
	g.line(1, "%s", g.one("accept(op)", "accept(op)", "accept(op)", "refuse(op)", "pass"))
	g.line(0, "service(request, intents = [%s]%s%s%s)", intents, g.life(),
		g.maybe(3, `, at = "any_time"`, `, concurrent = 2`), g.maybe(3, `, retries = 1`, `, retries = 1, identity = "new"`, `, retries = 1, patience = 6`, `, patience = 6`, `, retries = 1, after = 0`))
	if g.broker != "" {
		g.consumer()
	}
	if g.broker == "" || g.chance(3) {
		g.line(0, "def tick():")
		g.body(scope{depth: 1, id: `"x"`, of: ", of = None", role: "job"}, 1+g.rng.IntN(2))
		g.line(0, "job(tick, every = %d%s%s)", 10+10*g.rng.IntN(2), g.maybe(3, ", overlap = 2", ", first = 7", ", times = 2"), g.life())
	}
	if g.chance(5) {
		g.line(0, "def person():")
		g.body(scope{depth: 1, id: `"x"`, of: ", of = None", role: "operator"}, 1)
		g.line(0, "operator(person)")
	}
	g.budgets()
	return g.out.String()
}

// life is how a process may end, and how it starts again.
func (g *wide) life() string {
	if g.hosted && g.chance(2) {
		return g.maybe(3, ", kill_after = 8", ", grace = 4") + ", host = h"
	}
	text := g.maybe(4, ", restart = 12", `, restart = "never"`, ", kill_after = 8", ", kill_after = 8, restart = 3", ", grace = 4")
	if g.stops && g.chance(2) {
		text += ", on_stop = leave"
	}
	return text
}

func (g *wide) parties() {
	g.broker = g.one("", "log", "plain", "rabbitmq-classic", "rabbitmq-quorum", "sqs-standard", "sqs-standard", "sqs-fifo", "pubsub", "pubsub-exactly-once", "jetstream", "redis-streams")
	switch g.broker {
	case "":
	case "log":
		g.line(0, `q = log("q"%s%s)`, g.maybe(4, ", partitions = 2"), g.maybe(5, ", retention = 30", ", tx_timeout = 10", ", timeout = 5"))
	default:
		knobs := ""
		if g.dead = g.chance(4); g.dead {
			g.line(0, `dead = queue("dead", like = %q)`, g.broker)
			knobs = ", dead_letter = dead"
		}
		knobs += g.maybe(3, ", lease = 20", ", lease = 10, max_lease = 15", ", max_deliveries = 1", ", max_deliveries = 2", `, stale_ack = "choice"`, `, stale_ack = "settles"`)
		knobs += g.maybe(4, ", delay = 5", ", ttl = 15", ", dedupe = 20", ", groups = True", ", durable = False", ", max_length = 1", ", bound = False", ", backoff = [5, 20]", ", nack_counts = True", ", timeout = 5")
		g.line(0, `q = queue("q", like = %q%s)`, g.broker, knobs)
	}
	g.pg = g.chance(2)
	db := `like = "sqlite"` + g.maybe(2, ", remote = True") + g.maybe(3, `, journal = "wal"`, `, busy_timeout = 0`, `, busy_timeout = 5`)
	if g.pg {
		db = `like = "postgres"` + g.maybe(3, ", lock_timeout = 5", ", deadlock_timeout = 2", `, isolation = "repeatable_read"`, `, isolation = "serializable"`)
	}
	g.line(0, `store = database("store", %s, tables = {`, db)
	g.line(1, `"work": table(key = "id"%s),`, g.maybe(2, `, open = {"status": ["claimed"]}`, `, open = {"status": ["new", "claimed"]}`))
	g.line(1, `"done": table(%srole = "effect"),`, g.maybe(2, `key = "id", `))
	if g.sum = g.chance(3); g.sum {
		g.line(1, `"sums": table(key = "id", role = "effect", counts = "sum"),`)
	}
	if g.number = g.chance(5); g.number {
		g.line(1, `"seq": table(key = "id", sequence = True),`)
	}
	if g.cause = g.chance(4); g.cause {
		g.line(1, `"orders": table(key = "id", role = "cause"),`)
	}
	g.line(0, `})`)
	if g.chance(8) {
		g.line(0, `outage(store, 20)`)
		g.outages = append(g.outages, "store")
	}
	if g.mail = g.chance(2); g.mail {
		g.keys, g.lookup = g.chance(2), g.chance(3)
		knobs := ""
		if g.keys {
			knobs += ", keys = True" + g.maybe(2, `, kept = 15`, `, mismatch = "first_answer"`, `, rejects = "stored"`, `, concurrent = "wait"`)
		}
		if g.lookup {
			knobs += ", lookup = True" + g.maybe(2, ", lag = 8")
		}
		g.line(0, `mail = provider("mail"%s%s)`, knobs, g.maybe(3, ", takes = 5", ", timeout = 5", ", takes = 5, timeout = 3"))
		if g.chance(6) {
			g.line(0, `outage(mail, 20)`)
			g.outages = append(g.outages, "mail")
		}
	}
}

func (g *wide) consumer() {
	client := ""
	if g.broker == "log" {
		client = g.maybe(2, `, commit = "auto"`, `, commit = "manual"`, `, commit = "auto", hand_off = True`) + g.maybe(3, `, isolation = "read_committed"`, `, reset = "latest"`, `, on_error = "skip"`) + g.maybe(3, ", batch = 2") + ", session = 10, max_poll = 30"
		g.batch = strings.Contains(client, "batch")
	} else {
		client = g.maybe(2, ", prefetch = 2", ", auto_ack = True", ", keep = 4", ", keep = 4, prefetch = 2, keep_buffer = True", ", prefetch = 2, drop_expired = True", ", claim_idle = 20", ", batch = 2") +
			g.maybe(3, `, on_error = "exit"`, `, on_error = "close"`, `, on_return = "requeue"`, `, on_return = "ack"`, `, on_error = "reject"`)
		g.batch = strings.Contains(client, "batch")
	}
	g.line(0, "def handle(d):")
	at := scope{depth: 1, id: "d.op", whose: "d", role: "consumer"}
	if g.batch {
		g.line(0, "    for m in d:")
		at = scope{depth: 2, id: "m.op", of: ", of = m", whose: "m", role: "consumer"}
	}
	g.body(at, 1+g.rng.IntN(3))
	if g.chance(4) {
		g.line(0, "    pass")
	} else {
		g.settle(at)
	}
	life := g.life()
	if g.broker != "log" && strings.Contains(life, "on_stop") && g.chance(2) {
		g.line(0, "def drain(held):")
		g.line(1, "for m in held:")
		g.settle(scope{depth: 2, id: "m.op", of: ", of = m", whose: "m", role: "consumer"})
		life = strings.Replace(life, "leave", "drain", 1)
	}
	many := g.maybe(2, ", replicas = 2")
	if strings.Contains(life, "host") || g.broker != "log" && g.chance(5) {
		many = ""
		if g.broker != "log" {
			many = ", slots = 2"
		}
	}
	g.line(0, "consumer(handle, queue = q%s%s%s)", many, client, life)
	if g.dead {
		switch g.rng.IntN(3) {
		case 0:
			g.line(0, "def replay():")
			g.line(1, "dead.redrive(to = q)")
			g.line(0, "%s", g.one("operator(replay, name = \"replayer\")", "job(replay, every = 30, name = \"replayer\")"))
		case 1:
			g.line(0, "consumer(handle, queue = dead, name = \"undertaker\")")
		}
	}
}

func (g *wide) settle(at scope) {
	if g.broker == "log" {
		d := strings.TrimSuffix(at.id, ".op")
		g.line(at.depth, "%s", g.one(d+".commit()", "attempt("+d+".commit)", "pass"))
		return
	}
	d := strings.TrimSuffix(at.id, ".op")
	if (g.broker == "rabbitmq-classic" || g.broker == "rabbitmq-quorum") && g.chance(4) {
		g.line(at.depth, "%s", g.one(d+".ack(multiple = True)", d+".nack(multiple = True)"))
		return
	}
	g.line(at.depth, "%s", g.one(d+".ack()", d+".ack()", d+".ack()", "attempt("+d+".ack)", d+".nack()", d+".nack(delay = 5)", d+".reject()"))
}

func (g *wide) budgets() {
	kinds := []string{"crash", "lost_request", "lost_reply", "refused", "connection_lost", "stall", "early_expiry", "late", "broker_restart", "surprise", "stop", "stop"}
	if g.pg {
		kinds = append(kinds, "database_restart")
	}
	if g.outages != nil {
		kinds = append(kinds, "outage", "outage")
	}
	draw := func() string {
		g.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		parts := []string{"total = 1"}
		for _, k := range kinds[:1+g.rng.IntN(3)] {
			if strings.Contains(strings.Join(parts, " "), k+" = 1") {
				continue
			}
			parts = append(parts, k+" = 1")
			if k == "stall" {
				parts = append(parts, strings.TrimPrefix(g.maybe(2, ", longest = 12", ", longest = 45"), ", "))
			}
		}
		return strings.TrimSuffix(strings.ReplaceAll(strings.Join(parts, ", "), ", , ", ", "), ", ")
	}
	if g.chance(6) {
		g.line(0, "expect(under = faults(%s))", draw())
		g.line(0, "expect(under = faults(%s))", draw())
		return
	}
	if !g.chance(8) {
		g.line(0, "faults(%s)", draw())
	}
}
