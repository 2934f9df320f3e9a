package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/profile"
)

func partyBindings() []Binding {
	return []Binding{
		{
			Name: "queue", Where: whereTop, do: declareQueue, Result: "the queue",
			Doc: "A queue where each message is settled by itself. It behaves like the system that like names; every further parameter overrides one rule of it.",
			Params: append([]Param{
				{Name: "name", Type: "name"},
				{Name: "like", Type: "text", Default: "\"rabbitmq-quorum\"", Doc: "A profile: plain, rabbitmq-classic, rabbitmq-quorum, sqs-standard, sqs-fifo, pubsub, pubsub-exactly-once, jetstream or redis-streams."},
				{Name: "ordered", Type: "yes/no", Default: "by profile", Doc: "Whether the oldest ready message is delivered first."},
				{Name: "lease", Type: "seconds", Default: "by profile", Doc: "How long a delivery belongs to its consumer; 0: until it settles or disconnects."},
				{Name: "heartbeat", Type: "seconds", Default: "by profile", Doc: "How long the broker waits for a sign of life on a connection before it closes it: a consumer that is stalled gives none. 0: for ever."},
				{Name: "lease_check", Type: "seconds", Default: "by profile", Doc: "How often the broker looks for leases that are over: each ends at a moment of the schedule's choosing within so long; 0: at once. Only where nothing can extend a lease."},
				{Name: "stale_ack", Type: "text", Default: "by profile", Doc: "What an ack from an attempt that lost the message does: ignored, error, settles or choice."},
				{Name: "ack", Type: "text", Default: "by profile", Doc: "send: the broker doesn't answer a settle; answer: it does."},
				{Name: "disconnect_requeues", Type: "yes/no", Default: "by profile", Doc: "Whether the end of a connection gives back what it held."},
				{Name: "prefetch", Type: "number of messages", Default: "by profile", Doc: "The most messages a consumer may hold unsettled, and what its client fetches ahead unless consumer(prefetch = ...) says otherwise; 0: no limit, and nothing is fetched ahead."},
				{Name: "dead_letter", Type: "queue", Default: "None", Doc: "Where messages go that are rejected or given up; None: they are dropped."},
				{Name: "on_error", Type: "text", Default: "by profile", Doc: "What the runtime does for a handler that failed: nothing, ack, requeue, reject, close (the connection) or exit (the process)."},
				{Name: "boundary", Type: "text", Default: "by profile", Doc: "connection or request: what a lost message takes along."},
				{Name: "timeout", Type: "seconds", Default: "0", Doc: "How long a caller waits for an answer that was lost."},
				{Name: "counter", Type: "text", Default: "by profile", Doc: "What the delivery counter counts: nothing, deliveries, or losses (deliveries that ended with their connection)."},
				{Name: "max_deliveries", Type: "number of deliveries", Default: "by profile", Doc: "A message that came so often is given up: dead-lettered or dropped; 0: no limit."},
				{Name: "extend", Type: "text", Default: "by profile", Doc: "What delivery.extend can ask for: any length, the lease anew, no (there is no such call), or, without a lease, idle: what claim_idle asks for begins anew."},
				{Name: "max_lease", Type: "seconds", Default: "by profile", Doc: "How long a lease can last in all, however often it is extended; 0: without end."},
			}, queueRuleParams()...),
		},
		{
			Name: "table", Where: whereTop, do: declareTable, Result: "a table, for database(tables = ...)",
			Doc: "A table of a database.",
			Params: []Param{
				{Name: "key", Type: "name", Default: "None", Doc: "The column with a unique key; None: rows are only appended."},
				{Name: "sequence", Type: "yes/no", Default: "False", Doc: "Whether an insert gives its row the next number as its key, before the commit. With postgres a number is gone once it was handed out, committed or not; with sqlite a rollback gives it back."},
				{Name: "role", Type: "text", Default: "None", Doc: "marker: records what was processed; effect: its rows are what the business wanted; cause: an effect without a committed row of its intent here is uncaused."},
				{Name: "counts", Type: "text", Default: "\"each\"", Doc: "How effects are counted. each: every committed transaction that writes for an intent is one. state: what stands counts, and an older version over a newer one is overwritten; an intent whose fields are named like key and version wants its row there. sum: a row adds up the shares of several intents, as a total does; add, plus and minus put a share to what stands, and a value that a handler worked out has the shares that its handler had read and its own, so that a lost update takes away the share of whoever was overwritten."},
				{Name: "version", Type: "name", Default: "None", Doc: "With counts = \"state\": the column that says which of two rows is newer, a whole number."},
				{Name: "open", Type: "dict of lists", Default: "None", Doc: "The states in which a row says that somebody has its intent open: open = {\"status\": [\"claimed\", \"sending\"]}. What stays so is stuck, or unresolved where the effect is there."},
			},
		},
		{
			Name: "database", Where: whereTop, do: declareDatabase, Result: "the database",
			Doc: "A database with transactions.",
			Params: []Param{
				{Name: "name", Type: "name"},
				{Name: "tables", Type: "dict of tables", Doc: "The tables by name."},
				{Name: "like", Type: "text", Default: "\"sqlite\"", Doc: "A profile: sqlite or postgres."},
				{Name: "remote", Type: "yes/no", Default: "False", Doc: "Whether a server stands between the process and an sqlite file, so that answers can be lost."},
				{Name: "timeout", Type: "seconds", Default: "0", Doc: "How long a caller waits for an answer that was lost."},
				{Name: "journal", Type: "text", Default: "\"delete\"", Doc: "With sqlite: delete, where a commit waits for readers in transactions, or wal, where they keep their snapshot."},
				{Name: "busy_timeout", Type: "seconds", Default: "without end", Doc: "With sqlite: how long a call waits for a lock before its outcome is \"busy\"; 0: not at all."},
				{Name: "lock_timeout", Type: "seconds", Default: "without end", Doc: "With postgres: how long a call waits for a lock before its outcome is \"lock_timeout\"."},
				{Name: "deadlock_timeout", Type: "seconds", Default: "1", Doc: "With postgres: how long transactions wait for each other before one of them fails with \"deadlock\"."},
				{Name: "isolation", Type: "text", Default: "\"read_committed\"", Doc: "With postgres: what a transaction begins with: read_committed, repeatable_read or serializable."},
			},
		},
		providerBinding(),
	}
}

// partyName reads the name of a new party; all parties share one set of names,
// because schedules and pictures do.
func (c *invocation) partyName(count, most int) string {
	name := c.name("name", "")
	if c.err != nil {
		return name
	}
	if c.load.partyNames[name] {
		c.wrong("name", "name-taken", "something is called "+name+" already", "Give each queue, database and provider a name of its own.")
	}
	if count >= most {
		c.wrong("name", "limit-parties", fmt.Sprintf("a scenario has at most %d of %s", most, c.binding.Name), "Leave one out.")
	}
	c.load.partyNames[name] = true
	return name
}

func (c *invocation) newParty(kind, name string, index int) *party {
	return &party{plain: plain{kind}, lang: c.load.sc.lang, name: name, index: int16(index)}
}

func (c *invocation) noProfile(like string, names []string) {
	next := "Choose " + oneOf(quoted(names)) + "."
	if later, ok := otherSystems[like]; ok {
		c.wrong("like", "not-yet", "there is no profile "+like+" yet", later)
		return
	}
	if near := nearest(like, names); near != "" {
		next = "Did you mean \"" + near + "\"? " + next
	}
	c.wrong("like", "no-profile", fmt.Sprintf("there is no profile %q", like), next)
}

func profileNames[T any](list []T, name func(T) string) []string {
	var names []string
	for _, p := range list {
		names = append(names, name(p))
	}
	return names
}

var endRules = []string{"profile", "nothing", "ack", "requeue", "reject", "close", "exit"}

// rule reads on_return or on_error.
func (c *invocation) rule(name string, def sim.EndRule) sim.EndRule {
	if c.value(name) == nil {
		return def
	}
	if s, _ := c.value(name).(starlark.String); s == "leave" {
		return sim.RuleNothing
	}
	return sim.EndRule(c.choice(name, int(def)-1, endRules[1:]...) + 1)
}

func declareQueue(c *invocation) (starlark.Value, error) {
	l := c.load
	name := c.partyName(len(l.sc.Queues), maxQueues)
	like := c.text("like", "rabbitmq-quorum")
	p, ok := profile.FindQueue(like)
	if !ok {
		c.noProfile(like, profileNames(profile.Queues(), func(q profile.Queue) string { return q.Name }))
		return nil, c.err
	}
	q := c.atVersion(p)
	q.Name = name
	q.Ordered = c.flag("ordered", q.Ordered)
	q.Lease = c.seconds("lease", q.Lease)
	q.Check = c.seconds("lease_check", q.Check)
	q.Heartbeat = c.seconds("heartbeat", q.Heartbeat)
	q.MaxLease = c.seconds("max_lease", q.MaxLease)
	q.Extend = sim.ExtendRule(c.choice("extend", int(q.Extend), "any", "anew", "no", "idle"))
	q.StaleAck = sim.StaleRule(c.choice("stale_ack", int(q.StaleAck), "ignored", "error", "settles", "choice"))
	answers := 0
	if q.AckAnswers {
		answers = 1
	}
	q.AckAnswers = c.choice("ack", answers, "send", "answer") == 1
	q.DisconnectRequeues = c.flag("disconnect_requeues", q.DisconnectRequeues)
	q.HoldLimit = c.count("prefetch", "messages", q.HoldLimit, 0, 1000)
	q.MaxDeliveries = c.count("max_deliveries", "deliveries", q.MaxDeliveries, 0, maxAttempts)
	q.Counter = sim.CountRule(c.choice("counter", int(q.Counter), "nothing", "deliveries", "losses"))
	q.Boundary = sim.Boundary(c.choice("boundary", int(q.Boundary)-1, "connection", "request") + 1)
	q.OnError = c.rule("on_error", q.OnError)
	q.Timeout = c.seconds("timeout", 0)
	if c.value("lease_check") != nil && q.Check > 0 && (q.Extend != sim.ExtendsNever || q.Lease == 0) {
		c.wrong("lease_check", "no-check", "nothing is looked for now and then here: leases of "+q.Name+" can be extended, or there is none", "Leave it out, or say extend = \"no\" and a lease.")
	}
	c.queueRules(&q)
	q.DeadLetter = -1
	if v := c.value("dead_letter"); v != nil {
		if dead, ok := v.(*party); ok && dead.kind == kindQueue {
			q.DeadLetter = int(dead.index)
		} else {
			c.wrong("dead_letter", "bad-type", "dead_letter of queue is a queue, not "+describe(v), "Declare the dead-letter queue first: dead = queue(\"dead\").")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	if q.DeadLetter >= 0 && q.OwnKind && l.sc.Queues[q.DeadLetter].Profile != q.Profile {
		c.wrong("dead_letter", "other-kind", "a dead-letter queue of "+q.Profile+" is of the same kind, and "+l.sc.Queues[q.DeadLetter].Name+" is "+l.sc.Queues[q.DeadLetter].Profile, "Declare it with like = \""+q.Profile+"\".")
		return nil, c.err
	}
	if q.DeadLetter >= 0 {
		if c.value("max_deliveries") == nil && q.MaxDeliveries == 0 {
			q.MaxDeliveries = q.PolicyLimit
		}
		l.sc.Queues[q.DeadLetter].IsDeadLetter = true
	}
	l.sc.Queues = append(l.sc.Queues, q)
	l.queueAt = append(l.queueAt, c.here())
	return c.newParty(kindQueue, name, len(l.sc.Queues)-1), nil
}

func declareTable(c *invocation) (starlark.Value, error) {
	t := &tableDecl{plain: plain{"table"}}
	if c.value("key") != nil {
		t.key = c.name("key", "")
	}
	if t.counter = c.flag("sequence", false); t.counter && t.key == "" {
		c.wrong("sequence", "no-key", "a sequence hands out keys, and this table has none", "Name the column: table(key = \"id\", sequence = True).")
	}
	if c.value("role") != nil {
		t.role = sim.Role(c.choice("role", 0, "marker", "effect", "cause") + 1)
	}
	t.open = c.openStates()
	counts := c.choice("counts", 0, "each", "state", "sum")
	if t.sum = counts == 2; t.sum && (t.key == "" || t.role != sim.RoleEffect) {
		c.wrong("counts", "no-sum", "a table whose rows add up needs a key and the role of effects", "Write table(key = \"id\", role = \"effect\", counts = \"sum\").")
		return nil, c.err
	}
	if counts == 1 {
		if c.value("version") == nil || t.key == "" {
			c.wrong("counts", "no-version", "a table whose state counts needs a key and a version", "Add key = \"id\", version = \"v\": the column that says which of two rows is newer.")
			return nil, c.err
		}
	}
	if c.value("version") != nil {
		t.version = c.name("version", "")
		if c.err == nil && c.text("counts", "each") != "state" {
			c.wrong("version", "no-version", "a version says what stands, and this table counts each change", "Add counts = \"state\".")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return t, nil
}

func declareDatabase(c *invocation) (starlark.Value, error) {
	l := c.load
	name := c.partyName(len(l.sc.Databases), maxDatabases)
	like := c.text("like", "sqlite")
	p, ok := profile.FindDatabase(like)
	if !ok {
		c.noProfile(like, profileNames(profile.Databases(), func(d profile.Database) string { return d.Name }))
		return nil, c.err
	}
	db := p.Knobs
	db.Name = name
	if c.flag("remote", false) {
		db.Boundary = sim.Connection
	}
	db.Timeout = c.seconds("timeout", 0)
	c.locking(&db)
	db.Tables = c.tables()
	if c.err != nil {
		return nil, c.err
	}
	l.sc.Databases = append(l.sc.Databases, db)
	return c.newParty(kindDatabase, name, len(l.sc.Databases)-1), nil
}

// locking reads how transactions get out of each other's way.
func (c *invocation) locking(db *sim.Database) {
	file := db.Isolation == sim.SingleWriter
	for _, name := range []string{"journal", "busy_timeout", "lock_timeout", "deadlock_timeout", "isolation"} {
		if c.value(name) != nil && file != (name == "journal" || name == "busy_timeout") {
			other := map[bool]string{true: "postgres", false: "sqlite"}[file]
			c.wrong(name, "other-database", name+" is for databases like "+other, "Leave it out, or write like = \""+other+"\".")
		}
	}
	limit := "lock_timeout"
	if file {
		limit = "busy_timeout"
	}
	db.Journal = sim.Journal(c.choice("journal", 0, "delete", "wal"))
	db.Wait = c.seconds(limit, 0)
	db.Limited = c.value(limit) != nil && (file || db.Wait > 0) // PostgreSQL's 0 is no limit
	db.Deadlock = c.seconds("deadlock_timeout", db.Deadlock)
	if !file {
		db.Isolation = sim.ReadCommitted + sim.Isolation(c.choice("isolation", int(db.Isolation-sim.ReadCommitted), isolations...))
	}
	db.Modes = c.src.modes
}

// tables reads the dict of tables, in the order of the text.
func (c *invocation) tables() []sim.Table {
	dict, ok := c.value("tables").(*starlark.Dict)
	if !ok || dict.Len() == 0 {
		c.wrong("tables", "bad-type", "tables of database is a dict of tables, not "+describe(c.value("tables")), "Write tables = {\"inbox\": table(key = \"id\")}.")
		return nil
	}
	var list []sim.Table
	for _, item := range dict.Items() {
		name, isText := item[0].(starlark.String)
		decl, isTable := item[1].(*tableDecl)
		switch {
		case !isText || !nameForm.MatchString(string(name)):
			c.wrong("tables", "bad-name", describe(item[0])+" can't be the name of a table", "A name is a small letter and then small letters, digits and _, at most 32 in all.")
		case !isTable:
			c.wrong("tables", "bad-type", "the table "+string(name)+" is "+describe(item[1])+" instead of table(...)", "Write \""+string(name)+"\": table(key = \"id\").")
		default:
			read := c.src.reads[string(name)] || c.src.reads["*"]
			list = append(list, sim.Table{Name: string(name), Key: decl.key, Role: decl.role, Version: decl.version, Open: decl.open, Read: read, Sequence: decl.counter, Ages: c.src.ages.of(string(name)), Stamps: c.src.ages.stamps, Sum: decl.sum})
		}
	}
	if c.load.tableCount += len(list); c.load.tableCount > maxTables {
		c.wrong("tables", "limit-tables", fmt.Sprintf("a scenario has at most %d tables", maxTables), "Leave some out.")
	}
	return list
}
