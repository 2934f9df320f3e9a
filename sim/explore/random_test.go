package explore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// randomScenario writes a scenario: parties, handlers and a budget drawn at
// random, small enough to be explored whole.
func randomScenario(rng *rand.Rand) string {
	g := &generator{rng: rng}
	return g.scenario()
}

type generator struct {
	rng *rand.Rand
	out strings.Builder

	state  bool // there is a table whose state counts
	reject bool // the queue knows a reject
	counts bool // the queue tells handlers the number of their delivery
}

func (g *generator) one(list ...string) string { return list[g.rng.IntN(len(list))] }
func (g *generator) chance(n int) bool         { return g.rng.IntN(n) == 0 }
func (g *generator) line(depth int, format string, args ...any) {
	g.out.WriteString(strings.Repeat("    ", depth))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func (g *generator) scenario() string {
	g.line(0, `"""A random scenario."""`)
	dead := g.chance(3)
	knobs := ""
	if dead {
		knobs += ", dead_letter = parked"
	}
	if g.chance(3) {
		knobs += fmt.Sprintf(", lease = %d", 10+10*g.rng.IntN(3))
	}
	if g.chance(3) {
		knobs += fmt.Sprintf(", stale_ack = %q", g.one("ignored", "settles", "choice", "error"))
	}
	if g.chance(4) {
		knobs += fmt.Sprintf(", max_deliveries = %d", 1+g.rng.IntN(2))
	}
	like := g.one("plain", "rabbitmq-classic", "rabbitmq-quorum", "sqs-standard", "pubsub", "pubsub-exactly-once", "jetstream")
	if kind := map[bool]string{true: like, false: "plain"}[strings.HasPrefix(like, "sqs-")]; dead {
		g.line(0, `parked = queue("parked", like = %q)`, kind)
	}
	g.counts = like != "plain" && like != "rabbitmq-classic" && !strings.HasPrefix(like, "pubsub")
	g.reject = like != "sqs-standard" && !strings.HasPrefix(like, "pubsub")
	g.line(0, `q = queue("q", like = %q%s)`, like, g.finer(like, knobs))
	g.line(0, `store = database("store", like = %q, tables = {`, g.one("sqlite", "postgres"))
	g.line(1, `"inbox": table(key = "id", role = "marker"),`)
	g.line(1, `"totals": table(key = "id", role = "effect", counts = "each"),`)
	g.line(1, `"log": table(),`)
	if g.state = g.chance(3); g.state {
		g.line(1, `"latest": table(key = "k", role = "effect", counts = "state", version = "n"),`)
	}
	g.line(0, `})`)
	g.line(0, `mail = provider("mail"%s)`, g.one("", `, keys = True`, `, keys = True, mismatch = "first_answer"`, `, keys = True, kept = 15`))
	g.request()
	g.handler()
	g.wiring()
	return g.out.String()
}

func (g *generator) request() {
	g.line(0, "def request(op):")
	publish := fmt.Sprintf("q.publish(op.id, confirm = %s, n = op.n, k = op.k)", g.one("True", "False"))
	switch g.rng.IntN(4) {
	case 0:
		g.line(1, "for _ in range(2):")
		g.line(2, "if attempt(q.publish, op.id, n = op.n, k = op.k).ok:")
		g.line(3, "accept(op)")
		g.line(3, "return")
	case 1:
		g.line(1, "accept(op)")
		g.line(1, "%s", publish)
	case 2:
		g.line(1, "r = attempt(q.publish, op.id, n = op.n, k = op.k)")
		g.line(1, "if r.ok:")
		g.line(2, "accept(op)")
		g.line(1, "else:")
		g.line(2, "refuse(op)")
	default:
		g.line(1, "%s", publish)
		g.line(1, "accept(op)")
	}
}

func (g *generator) handler() {
	g.line(0, "def handle(d):")
	if g.counts && g.chance(4) {
		g.line(1, "if d.attempt >= 2:")
		g.line(2, "%s", g.one(g.giveUp(), "d.ack()"))
		g.line(2, "return")
	}
	if g.chance(4) {
		g.line(1, "d.ack()")
		g.body(1, 1+g.rng.IntN(2))
		return
	}
	g.body(1, 1+g.rng.IntN(3))
	switch g.rng.IntN(6) {
	case 0: // leaves it to the runtime
	case 1:
		g.line(1, "%s", g.giveUp())
	default:
		g.line(1, "d.ack()")
	}
}

func (g *generator) body(depth, n int) {
	for range n {
		if g.state && g.chance(2) {
			g.line(depth, "store.%s(\"latest\", k = d.k, n = d.n)", g.one("put", "put_newer"))
			continue
		}
		switch g.rng.IntN(9) {
		case 0:
			g.line(depth, `store.add("totals", "all", n = d.n)`)
		case 1:
			g.line(depth, `if store.insert("inbox", id = d.op):`)
			g.line(depth+1, `store.add("totals", "all", n = d.n)`)
		case 2:
			g.line(depth, `if not store.exists("inbox", id = d.op):`)
			g.line(depth+1, `store.add("totals", "all", n = d.n)`)
			g.line(depth+1, `store.insert("inbox", id = d.op)`)
		case 3:
			g.line(depth, `mail.send("ann", key = d.op, n = d.n)`)
		case 4:
			g.line(depth, `r = attempt(mail.send, "ann", n = d.n)`)
			g.line(depth, `if not r.ok:`)
			g.line(depth+1, "%s", g.one(`d.nack()`, g.giveUp(), `fail("no mail")`))
			g.line(depth+1, `return`)
		case 5:
			g.line(depth, `work(%d)`, 10*(1+g.rng.IntN(4)))
		case 6:
			g.line(depth, `store.insert("log", n = d.n)`)
		default:
			g.transaction(depth)
		}
	}
}

func (g *generator) transaction(depth int) {
	g.line(depth, "tx = store.begin()")
	switch g.rng.IntN(4) {
	case 0:
		g.line(depth, `row = tx.get("totals", "all")`)
		g.line(depth, `if row == None:`)
		g.line(depth+1, `tx.put("totals", id = "all", n = d.n)`)
		g.line(depth, `else:`)
		g.line(depth+1, `tx.put("totals", id = "all", n = row.n + d.n)`)
	case 1:
		g.line(depth, `tx.add("totals", "all", n = d.n)`)
	default:
		g.line(depth, `if tx.insert("inbox", id = d.op):`)
		g.line(depth+1, `tx.add("totals", "all", n = d.n)`)
	}
	g.line(depth, "%s", g.one("tx.commit()", "tx.commit()", "tx.commit()", "tx.rollback()"))
}

func (g *generator) wiring() {
	intents := `intent("a", n = 1, k = "x")`
	switch g.rng.IntN(4) {
	case 0:
		intents += `, intent("b", n = 2, k = "x")`
	case 1:
		intents += `, intent("a", n = 2, k = "x")`
	case 2:
		intents = `intent("a", n = 1, k = "x", promised = True)`
	}
	g.line(0, "service(request, intents = [%s])", intents)
	rules := ""
	if g.chance(3) {
		rules += fmt.Sprintf(", on_return = %q", g.one("nothing", "ack"))
	}
	if g.chance(3) {
		rules += fmt.Sprintf(", on_error = %q", g.one("requeue", map[bool]string{true: "reject", false: "nothing"}[g.reject], "leave"))
	}
	g.line(0, "consumer(handle, queue = q, replicas = %d%s)", 1+g.rng.IntN(2), rules)
	kinds := []string{"crash", "lost_request", "lost_reply", "refused", "connection_lost", "stall", "early_expiry", "broker_restart", "surprise"}
	g.rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	parts := []string{"total = 1"}
	for _, k := range kinds[:1+g.rng.IntN(3)] {
		parts = append(parts, k+" = 1")
	}
	if g.chance(3) {
		parts = append(parts, "of = ["+g.one("handle", "request", "q, store", "mail")+"]")
	}
	g.line(0, "faults(%s)", strings.Join(parts, ", "))
	if g.chance(4) {
		g.job()
	}
}

// job is a job that comes to rest.
func (g *generator) job() {
	g.line(0, "def tick():")
	switch g.rng.IntN(3) {
	case 0:
		g.line(1, `store.exists("totals", id = "all")`)
	case 1:
		g.line(1, `if store.exists("inbox", id = "a"):`)
		g.line(2, `store.delete("inbox", "a")`)
	default:
		g.line(1, `tx = store.begin()`)
		g.line(1, `work(%d)`, 10*(1+g.rng.IntN(2)))
		g.line(1, `tx.update("inbox", "a", seen = True)`)
		g.line(1, `tx.delete("inbox", "a")`)
		g.line(1, `tx.commit()`)
	}
	g.line(0, "job(tick, every = %d, overlap = %d)", 10+10*g.rng.IntN(2), 1+g.rng.IntN(2))
}

// giveUp is how a handler gives up on its message at the queue at hand.
func (g *generator) giveUp() string {
	if g.reject {
		return "d.reject()"
	}
	return "d.ack()"
}

// finer adds one of the rarer rules of a queue now and then.
func (g *generator) finer(like, knobs string) string {
	if g.chance(2) {
		return knobs
	}
	rules := []string{", delay = 5", ", ttl = 15", ", durable = False", ", max_length = 1", ", max_length = 1, overflow = \"drop_head\"", ", bound = False"}
	if like != "plain" && like != "rabbitmq-classic" {
		rules = append(rules, ", backoff = [5, 20]")
	}
	return knobs + g.one(rules...)
}
