package explore_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/script"
)

// knobs are what can be added to a declaration, by what is declared.
var knobs = map[string][]string{
	"queue": {
		`like = "plain"`, `like = "rabbitmq-classic"`, `like = "rabbitmq-quorum"`, `like = "sqs-standard"`, `like = "sqs-fifo"`, `like = "pubsub"`,
		`like = "pubsub-exactly-once"`, `like = "jetstream"`, `like = "redis-streams"`, `lease = 10`, `lease = 0`, `timeout = 5`, `stale_ack = "choice"`,
		`stale_ack = "settles"`, `stale_ack = "error"`, `ack = "answer"`, `ack = "send"`, `prefetch = 1`, `prefetch = 2`, `on_error = "requeue"`, `on_error = "leave"`,
		`on_error = "exit"`, `on_error = "close"`, `on_error = "ack"`, `delay = 5`, `ttl = 15`, `dedupe = 20`, `groups = True`, `durable = False`, `max_length = 1`,
		`max_length = 1, overflow = "drop_head"`, `bound = False`, `backoff = [5, 20]`, `max_deliveries = 2`, `counter = "deliveries"`, `boundary = "request"`,
		`boundary = "connection"`, `ordered = False`, `ordered = True`, `max_lease = 25`, `extend = "any"`, `disconnect_requeues = False`, `nack_counts = True`,
	},
	"log": {`partitions = 2`, `retention = 60`, `tx_timeout = 20`, `timeout = 5`},
	"database": {
		`like = "postgres"`, `like = "sqlite"`, `remote = True`, `timeout = 5`, `journal = "wal"`, `busy_timeout = 0`, `busy_timeout = 5`, `lock_timeout = 5`,
		`deadlock_timeout = 2`, `isolation = "repeatable_read"`, `isolation = "serializable"`,
	},
	"provider": {
		`like = "stripe"`, `like = "stripe-old"`, `like = "resend"`, `like = "brevo"`, `keys = True`, `kept = 15`, `mismatch = "first_answer"`, `concurrent = "wait"`,
		`concurrent = "error"`, `rejects = "stored"`, `takes = 5`, `lookup = True`, `lag = 10`, `timeout = 5`,
	},
	"service": {`concurrent = 2`, `at = "any_time"`, `retries = 1`, `retries = 1, after = 10`, `retries = 1, after = 0`, `retries = 1, identity = "new"`, `patience = 5`, `retries = 1, patience = 7`},
	"consumer": {
		`replicas = 2`, `on_return = "ack"`, `on_return = "requeue"`, `on_return = "exit"`, `on_return = "close"`, `on_error = "reject"`, `on_error = "exit"`, `on_error = "close"`,
		`on_error = "requeue"`, `on_error = "nothing"`, `prefetch = 2`, `prefetch = 3`, `auto_ack = True`, `drop_expired = True, prefetch = 2`, `keep = 4`,
		`keep = 4, prefetch = 2, keep_buffer = True`, `claim_idle = 20`, `commit = "auto"`, `commit = "manual"`, `commit = "auto", hand_off = True`, `reset = "latest"`,
		`isolation = "read_committed"`, `session = 10`, `max_poll = 20`, `on_error = "skip"`,
	},
	"job":      {`overlap = 2`, `first = 7`},
	"operator": {`times = 2`},
}

var (
	declaration = regexp.MustCompile(`(?m)^(?:\w+ = )?(queue|log|database|provider|service|consumer|job|operator)\(([^,()]+)`)
	wish        = regexp.MustCompile(`intent\("[^"]+"`)
	ownBudget   = regexp.MustCompile(`(?m)^faults\(.*\)\n`)
	statement   = regexp.MustCompile(`(?m)^( +)((?:\w+ = )?)(\w+\.\w+)\((.*)\)$`)
	plainBegin  = regexp.MustCompile(`begin\(\)`)
	bodyLine    = regexp.MustCompile(`(?m)^ +[^\n]*\n`)
)

// mutant is a scenario with some of it changed at random: a knob more here and
// there, a call whose error is caught, a line twice or not at all, and another
// budget. It is empty if nothing came of it that still is a scenario.
func mutant(rng *rand.Rand, text string) string {
	for range 20 {
		out := withBudget(rng, text)
		for range rng.IntN(4) {
			out = mutate(rng, out)
		}
		if _, err := script.Load("mutant.star", []byte(out)); err == nil {
			return out
		}
	}
	return ""
}

func mutate(rng *rand.Rand, text string) string {
	switch rng.IntN(8) {
	case 0:
		return replaceOne(rng, text, statement, func(m []string) string {
			return m[1] + m[2] + strings.TrimSuffix("attempt("+m[3]+", "+m[4], ", ") + ")"
		})
	case 1:
		modes := []string{`mode = "deferred"`, `mode = "exclusive"`, `isolation = "read_committed"`, `isolation = "repeatable_read"`, `isolation = "serializable"`}
		return replaceOne(rng, text, plainBegin, func([]string) string { return "begin(" + modes[rng.IntN(len(modes))] + ")" })
	case 2:
		return replaceOne(rng, text, bodyLine, func(m []string) string { return m[0] + m[0] })
	case 3:
		return replaceOne(rng, text, bodyLine, func([]string) string { return "" })
	case 4:
		extra := []string{"work(10)", "sleep(5)", `fail("no")`, "one_of(1, 2)", `memory.put("n", memory.get("n", 0))`}
		return replaceOne(rng, text, bodyLine, func(m []string) string {
			return m[0][:len(m[0])-len(strings.TrimLeft(m[0], " "))] + extra[rng.IntN(len(extra))] + "\n" + m[0]
		})
	case 5:
		return replaceOne(rng, text, wish, func(m []string) string { return m[0] + ", promised = True" })
	}
	return replaceOne(rng, text, declaration, func(m []string) string {
		list := knobs[m[1]]
		return m[0] + ", " + list[rng.IntN(len(list))]
	})
}

// replaceOne replaces one of the matches.
func replaceOne(rng *rand.Rand, text string, re *regexp.Regexp, by func(m []string) string) string {
	all := re.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return text
	}
	at := all[rng.IntN(len(all))]
	m := make([]string, len(at)/2)
	for i := range m {
		if at[2*i] >= 0 {
			m[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return text[:at[0]] + by(m) + text[at[1]:]
}

// withBudget gives a scenario a random budget of its own.
func withBudget(rng *rand.Rand, text string) string {
	kinds := sim.FaultKinds()
	rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	parts := []string{fmt.Sprintf("total = %d", 1+rng.IntN(5)/4)}
	for _, k := range kinds[:1+rng.IntN(3)] {
		if k == sim.Outage && !strings.Contains(text, "\noutage(") {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s = 1", k))
		if k == sim.Stall && rng.IntN(2) == 0 {
			parts = append(parts, fmt.Sprintf("longest = %d", 10*(1+rng.IntN(6))))
		}
	}
	return ownBudget.ReplaceAllString(text, "") + "faults(" + strings.Join(parts, ", ") + ")\n"
}
