package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/profile"
)

// Logs: the party, its transactions, and what a consumer group is told.

const (
	kindLog   = "log"
	kindLogTx = "log transaction"
)

const defaultSession, defaultMaxPoll = 45, 300

func logBindings() []Binding {
	record := []Param{
		{Name: "op", Type: "id", Positional: true, Doc: "The operation id."},
		{Name: "key", Type: "scalar", Default: "None", Doc: "Records with one key go to one partition: that of the number of the first intent in which the key stands. Without a key, the operation id decides."},
		{Name: "partition", Type: "number of the partition", Default: "by key", Doc: "The partition, from 0."},
	}
	confirm := Param{Name: "confirm", Type: "yes/no", Default: "True", Doc: "Whether to wait for the broker's answer; without it nobody hears of a loss, and a restart of the broker may lose the record until somebody has read it or the clock has moved."}
	return []Binding{
		{
			Name: "log", Where: whereTop, do: declareLog, Result: "the log",
			Doc: "A log: records with offsets, in partitions. Reading takes nothing away; each consumer group commits how far it has come.",
			Params: []Param{
				{Name: "name", Type: "name"},
				{Name: "like", Type: "text", Default: "\"kafka\"", Doc: "A profile: kafka."},
				{Name: "partitions", Type: "number of partitions", Default: "1"},
				{Name: "retention", Type: "seconds", Default: "by profile", Doc: "A record is dropped when it is so old, whether or not anybody has read it; 0: never."},
				{Name: "tx_timeout", Type: "seconds", Default: "by profile", Doc: "A transaction that is open for so long is aborted by the broker."},
				{Name: "timeout", Type: "seconds", Default: "0", Doc: "How long a caller waits for an answer that was lost."},
			},
		},
		{
			Of: kindLog, Name: "publish", Where: whereHandler, do: publishRecord, Params: append(append([]Param(nil), record...), confirm),
			Doc:    "Appends a record to a partition. Publishing again after a timeout makes a second record: the client library removes only repeats of its own.",
			Fields: "the body of the record",
			Stands: "KafkaProducer.send and its answer (acks=all, enable.idempotence=true)",
		},
		{
			Of: kindLog, Name: "begin", Where: whereHandler, do: beginLog, Result: "the transaction",
			Doc:    "Opens a transaction of the log. It covers records and offsets of logs and nothing else: no database, no email.",
			Stands: "KafkaProducer.beginTransaction, with a transactional.id per process",
		},
		{
			Of: kindLogTx, Name: "publish", Where: whereHandler, do: publishRecord, Params: record,
			Doc:    "Appends a record that readers of committed records see after the commit.",
			Fields: "the body of the record",
			Stands: "KafkaProducer.send in a transaction",
		},
		{
			Of: kindLogTx, Name: "send_offsets", Where: whereHandler, do: sendOffsets,
			Doc:    "Commits the offset behind a delivery together with the transaction. A member that its group has removed gets the outcome \"fenced\".",
			Stands: "KafkaProducer.sendOffsetsToTransaction",
			Params: []Param{{Name: "delivery", Type: "delivery"}},
		},
		{
			Of: kindLogTx, Name: "commit", Where: whereHandler, do: endLog(sim.VerbCommitLog),
			Doc:    "Ends the transaction: its records become visible and its offsets are committed. Asked again after a timeout it gives the same answer; a transaction that the broker has aborted gives \"fenced\".",
			Stands: "KafkaProducer.commitTransaction",
		},
		{
			Of: kindLogTx, Name: "abort", Where: whereHandler, do: endLog(sim.VerbAbortLog),
			Doc:    "Ends the transaction: readers of committed records never see what it published.",
			Stands: "KafkaProducer.abortTransaction",
		},
		{
			Of: kindDelivery, Name: "commit", Where: whereHandler, do: commitOffset,
			Doc:    "Commits the offset behind this record of a log. It is cumulative: all that lies before in the partition counts as done. A member that its group has removed gets the outcome \"fenced\".",
			Stands: "KafkaConsumer.commitSync",
		},
	}
}

// logParams are the parameters of consumer(...) that a log has need of.
func logParams() []Param {
	return []Param{
		{Name: "group", Type: "name", Default: "the consumer's name", Doc: "Of a log: the consumer group. Each partition belongs to one member."},
		{Name: "commit", Type: "text", Default: "\"after\"", Doc: "Of a log: after: the runtime commits when a handler has returned; auto: the client commits whatever it has handed out, done or not, when it polls again; manual: only delivery.commit() and tx.send_offsets(delivery) do."},
		{Name: "hand_off", Type: "yes/no", Default: "False", Doc: "Of a log with commit = \"auto\": whether the client polls on while its handler works, so that it can commit what is not done yet."},
		{Name: "reset", Type: "text", Default: "\"earliest\"", Doc: "Of a log: where a group begins that has no committed offset: earliest, or latest, which skips what stands there."},
		{Name: "isolation", Type: "text", Default: "\"read_uncommitted\"", Doc: "Of a log: read_committed waits for open transactions and never sees what was aborted."},
		{Name: "session", Type: "seconds", Default: "45", Doc: "Of a log: a member that has been silent for so long is removed from the group."},
		{Name: "max_poll", Type: "seconds", Default: "300", Doc: "Of a log: a member leaves when its handler has run for so long; 0: never."},
	}
}

func declareLog(c *invocation) (starlark.Value, error) {
	l := c.load
	name := c.partyName(len(l.sc.Logs), maxQueues)
	like := c.text("like", "kafka")
	p, ok := profile.FindLog(like)
	if !ok {
		c.noProfile(like, profileNames(profile.Logs(), func(p profile.Log) string { return p.Name }))
		return nil, c.err
	}
	decl := p.Knobs
	decl.Name, decl.First = name, len(l.sc.Queues)
	decl.Partitions = c.count("partitions", "partitions", 1, 1, maxQueues)
	decl.Retention = c.seconds("retention", decl.Retention)
	decl.TxTimeout = max(1, c.seconds("tx_timeout", decl.TxTimeout))
	decl.Offsets, decl.Keys = c.src.dots["offset"] || c.src.dots["partition"], c.src.dots["key"]
	if c.err == nil && len(l.sc.Queues)+decl.Partitions > maxQueues {
		c.wrong("partitions", "limit-parties", fmt.Sprintf("a scenario has at most %d queues and partitions", maxQueues), "Two partitions show what many would.")
	}
	timeout := c.seconds("timeout", 0)
	if c.err != nil {
		return nil, c.err
	}
	l.sc.Logs = append(l.sc.Logs, decl)
	for i := range decl.Partitions {
		q := p.Partition
		q.Name, q.Profile, q.Timeout, q.DeadLetter, q.Log = name, decl.Profile, timeout, -1, len(l.sc.Logs)
		if decl.Partitions > 1 {
			q.Name = fmt.Sprintf("%s-%d", name, i)
		}
		l.sc.Queues = append(l.sc.Queues, q)
		l.queueAt = append(l.queueAt, c.here())
	}
	return c.newParty(kindLog, name, len(l.sc.Logs)-1), nil
}

// logReader fills in what a consumer is that reads a log: one call declares
// a whole group.
func (c *invocation) logReader(l *party, p *sim.Process) *sim.Group {
	log := &c.load.sc.Logs[l.index]
	p.Queue, p.Group = log.First, len(log.Groups)+1
	p.Batch = c.count("batch", "records", 0, 1, maxPrefetch)
	g := &sim.Group{Session: defaultSession, MaxPoll: defaultMaxPoll}
	g.Name = c.name("group", c.text("name", "worker"))
	g.Commit = [...]sim.CommitRule{sim.CommitAfter, sim.CommitAuto, sim.CommitManual}[c.choice("commit", 0, "after", "auto", "manual")]
	g.HandOff = c.flag("hand_off", false)
	g.Latest = c.choice("reset", 0, "earliest", "latest") == 1
	g.Committed = c.choice("isolation", 0, "read_uncommitted", "read_committed") == 1
	g.Session = max(1, c.seconds("session", g.Session))
	g.MaxPoll = c.seconds("max_poll", g.MaxPoll)
	g.Skips = c.choice("on_error", 0, "retry", "skip") == 1
	if c.err == nil && g.HandOff && g.Commit != sim.CommitAuto {
		c.wrong("hand_off", "no-hand-off", "hand_off matters only where the client commits by itself", "Add commit = \"auto\", or leave hand_off out.")
	}
	if c.value("claim_idle") != nil {
		c.wrong("claim_idle", "no-claim", "nobody can claim what a member of "+g.Name+" reads: a partition has one owner", "Leave claim_idle out: session = seconds says when a silent member loses its partitions.")
	}
	if c.value("on_return") != nil {
		c.wrong("on_return", "no-settle", "a record of a log is not settled by itself", "commit = \"after\" commits when the handler has returned; commit = \"manual\" leaves it to the handler.")
	}
	for _, other := range log.Groups {
		if other.Name == g.Name {
			c.wrong("group", "name-taken", log.Name+" has a group called "+g.Name+" already", "Give each group a name, or give this one more replicas.")
		}
	}
	return g
}

// onlyOfLogs refuses what says nothing about a queue.
func (c *invocation) onlyOfLogs() {
	for _, p := range logParams() {
		if c.value(p.Name) != nil {
			c.wrong(p.Name, "not-a-log", p.Name+" is for consumers of a log, and this is a queue", "Leave it out, or declare events = log(\"events\").")
		}
	}
}

// partitionOf is the queue that a record goes to.
func (c *invocation) partitionOf(l *sim.Log, call *sim.Call) int16 {
	if c.value("partition") != nil {
		return int16(l.First + c.count("partition", "partitions", 0, 0, l.Partitions-1))
	}
	key := call.Op
	if call.Key != sim.None {
		key = call.Key
	}
	return int16(l.First + c.run.sc.firstWith(key)%l.Partitions)
}

// firstWith is the number of the first intent in which a value stands, as its
// id or in a field. Other values are spread by their text.
func (s *Scenario) firstWith(v sim.ValueID) int {
	for i, in := range s.Intents {
		if in.Op == v {
			return i
		}
		for _, f := range s.Values.Get(in.Body).Fields {
			if f.Value == v {
				return i
			}
		}
	}
	sum := 0
	for _, b := range []byte(s.Values.Text(v)) {
		sum = (31*sum + int(b)) % (1 << 20)
	}
	return sum
}

func publishRecord(c *invocation) (starlark.Value, error) {
	tx, inTx := c.receiver.(*logTransaction)
	index := int16(0)
	if inTx {
		if err := tx.usable(); err != nil {
			return nil, err
		}
		index = tx.log
	} else {
		l := c.receiver.(*party)
		index = l.index
	}
	call := sim.Call{Verb: sim.VerbPublish, Table: -1, InTx: inTx, Confirm: true, Op: c.idValue("op")}
	if !inTx {
		call.Confirm = c.flag("confirm", true)
	}
	if key := c.value("key"); key != nil {
		call.Key = c.scalar("key", key)
	}
	call.Body = c.body()
	if c.err == nil {
		call.Party = c.partitionOf(&c.run.sc.Logs[index], &call)
	}
	if c.err != nil {
		return nil, c.err
	}
	if !c.run.sc.Logs[index].Keys {
		call.Key = sim.None // it has done its work, and nobody can read it
	}
	_, err := c.ask(call)
	return starlark.None, err
}

// logTransaction is what begin of a log returns.
type logTransaction struct {
	plain
	run   *run
	log   int16
	ended string
}

func (t *logTransaction) Attr(name string) (starlark.Value, error) {
	return t.run.sc.lang.method(kindLogTx, t, name)
}

func (t *logTransaction) AttrNames() []string { return t.run.sc.lang.names[kindLogTx] }

func (t *logTransaction) usable() error {
	if t.ended != "" {
		return mistake("tx-ended", "this transaction is "+t.ended+" already", "Begin another one, or move the call before the end.")
	}
	return nil
}

func beginLog(c *invocation) (starlark.Value, error) {
	l := c.receiver.(*party)
	if open := c.run.logTx[l.index]; open != nil && open.ended == "" {
		return nil, mistake("tx-open", l.name+" has an open transaction of this process, and a producer has one at a time", "Commit or abort it first.")
	}
	if _, err := c.ask(sim.Call{Verb: sim.VerbBeginLog, Party: int16(c.run.sc.Logs[l.index].First), Table: -1}); err != nil {
		return nil, err
	}
	tx := &logTransaction{plain: plain{kindLogTx}, run: c.run, log: l.index}
	if c.run.logTx == nil {
		c.run.logTx = map[int16]*logTransaction{}
	}
	c.run.logTx[l.index] = tx
	return tx, nil
}

func sendOffsets(c *invocation) (starlark.Value, error) {
	tx := c.receiver.(*logTransaction)
	if err := tx.usable(); err != nil {
		return nil, err
	}
	d, ok := c.value("delivery").(*delivery)
	if !ok {
		return nil, mistake("bad-type", "send_offsets is given "+describe(c.value("delivery"))+" instead of a delivery", "Give it what the handler was given: tx.send_offsets(delivery).").at("delivery")
	}
	if err := d.ofLog("send_offsets"); err != nil {
		return nil, err
	}
	_, err := c.ask(sim.Call{Verb: sim.VerbSendOffsets, Party: int16(c.run.sc.Logs[tx.log].First), Table: -1, Place: d.place})
	return starlark.None, err
}

func endLog(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		tx := c.receiver.(*logTransaction)
		if err := tx.usable(); err != nil {
			return nil, err
		}
		if _, err := c.ask(sim.Call{Verb: verb, Party: int16(c.run.sc.Logs[tx.log].First), Table: -1}); err != nil {
			return nil, err // after a timeout it may be asked again
		}
		tx.ended = map[sim.Verb]string{sim.VerbCommitLog: "committed", sim.VerbAbortLog: "aborted"}[verb]
		return starlark.None, nil
	}
}

func commitOffset(c *invocation) (starlark.Value, error) {
	d := c.receiver.(*delivery)
	if err := d.ofLog("commit"); err != nil {
		return nil, err
	}
	_, err := c.ask(sim.Call{Verb: sim.VerbCommitOffset, Party: d.queue, Table: -1, Place: d.place})
	return starlark.None, err
}

// ofLog insists that a delivery is a record of a log.
func (d *delivery) ofLog(call string) error {
	q := &d.run.sc.Queues[d.queue]
	if q.Log > 0 {
		return nil
	}
	return mistake("not-a-log", q.Name+" is a queue, where each message is settled by itself: it has no offsets for "+call, "Write delivery.ack().")
}

// settles refuses to settle a record of a log by itself.
func (d *delivery) settles(call string) error {
	q := &d.run.sc.Queues[d.queue]
	if q.Log == 0 {
		return nil
	}
	return mistake("no-settle", "there is no "+call+" for a record of the log "+d.run.sc.Logs[q.Log-1].Name+": a group commits how far it has come",
		"Write delivery.commit() with consumer(..., commit = \"manual\"), or leave it to the runtime.")
}

// recordAttr is what only a record of a log has.
func (d *delivery) recordAttr(name string) (starlark.Value, bool) {
	if d.run.sc.Queues[d.queue].Log == 0 {
		return nil, false
	}
	switch name {
	case "offset":
		return starlark.MakeInt64(d.in.Offset), true
	case "partition":
		return starlark.MakeInt(int(d.in.Partition)), true
	case "key":
		return d.run.starlarkValue(d.in.Key), true
	}
	return nil, false
}

// deliveryNames lists what a delivery can be asked to do: a record of a log is
// not settled by itself, and a message has no offset.
func (r *run) deliveryNames() []string {
	if r.sc.Queues[r.queue].Log > 0 {
		return []string{"key", "offset", "partition", "commit"}
	}
	var names []string
	for _, name := range r.sc.lang.names[kindDelivery] {
		if name != "commit" {
			names = append(names, name)
		}
	}
	return names
}

// claimsIdle notes that somebody claims what a queue's consumers hold for long.
func (c *invocation) claimsIdle(index int16, idle sim.Seconds) {
	q := &c.load.sc.Queues[index]
	if q.Profile != "redis-streams" {
		c.wrong("claim_idle", "no-claim", "nobody can claim what a consumer of "+q.Name+" holds", "Declare it with like = \"redis-streams\", or leave claim_idle out: a lease or a lost connection gives messages back.")
		return
	}
	q.LongestIdle = max(q.LongestIdle, idle)
}
