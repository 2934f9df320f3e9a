package sim

import (
	"sort"
	"strings"
)

// View is a state opened up for a reader: plain data, in a fixed order, with
// every name spelled out. Nothing in it is shared with the world.
type View struct {
	Processes []ProcessView
	Queues    []QueueView
	Databases []DatabaseView
	Providers []ProviderView
	Intents   []IntentView
	Budget    []BudgetView
	Late      []string     // requests that may still arrive, as the step of their arrival names them
	Outages   []OutageView // who is out
}

// ProcessView is one process. Doing is one of idle, ready, waiting (a lock is
// or a running request is in the way), working, sleeping, awaiting (an answer),
// stalled, and settling (the runtime's settle is due).
type ProcessView struct {
	Name    string
	Kind    string // service, consumer, job, operator
	Doing   string
	Node    Node   // where its handler stands; 0: idle
	Next    string // the call it is about to make, or what it waits for
	Timer   Seconds
	Message string   // the deliveries in hand, with commas between them
	Held    []string // the same one by one
	Buffer  []string // what waits in its client, the next one first
	Intent  int      // index of the intent it works for; -1
	Settled bool
	Memory  []Field // what it remembers, by name
	Gone    bool
	Host    string // the process of the operating system that it lives in with others; empty: its own

	Stopping bool // it was told to stop and takes nothing new
}

// QueueView is a queue's messages in order.
type QueueView struct {
	Name       string
	Profile    string
	DeadLetter bool   // other queues reject into this one
	Log        string // the log that it is a partition of; empty: a queue
	Groups     []GroupView
	Messages   []MessageView
}

// MessageView is one message. Holder is the process it is delivered to; empty
// while it is ready.
type MessageView struct {
	Name   string
	Op     ValueID
	Body   ValueID
	Holder string
	Lease  Seconds // time left; 0: no lease, or due now
	Count  int     // the delivery counter, where it is kept
	Later  bool    // it is not due yet
	Due    Seconds // time left until it is
	Offset int64   // of a record of a log: from the beginning where handlers read offsets, else from the oldest that is kept
	State  string  // of a record of a log: open or aborted, by its transaction; else empty
	Intent int
}

// GroupView is how far a consumer group has come in a partition. Offsets count
// like MessageView.Offset.
type GroupView struct {
	Name      string
	Owner     string // who reads the partition; empty: nobody until the group is rebalanced
	Committed int64  // -1: nobody has committed
	Position  int64  // what its owner reads next
}

// DatabaseView is a database: committed rows, and what open transactions hold
// back.
type DatabaseView struct {
	Name         string
	Profile      string
	Tables       []TableView
	Transactions []TransactionView
}

// TableView is a table's committed rows, in the order of their contents.
type TableView struct {
	Name string
	Key  string
	Role string // marker, effect, cause or empty
	Rows []RowView
}

// RowView is a row: its columns as a record.
type RowView struct {
	Body   ValueID
	Intent int
	Age    Seconds // where the text asks for ages: since it was last written, up to the largest that it asks for
}

// TransactionView is an open transaction of a process.
type TransactionView struct {
	Process string
	Broken  bool
	Writes  bool // it has the file's write lock
	Reads   bool // it has read: others' commits wait, or it keeps a snapshot
	Old     bool // its snapshot is older than what is committed
	Aborted bool // a statement failed: nothing but its end is left
	Pending []PendingView
}

// PendingView is a change that is not committed.
type PendingView struct {
	Table  string
	Verb   string
	Key    ValueID
	Body   ValueID
	Intent int
}

// ProviderView is a provider's mailbox and the keys it remembers.
type ProviderView struct {
	Name  string
	Mails []MailView
	Keys  []KeyView
	Refs  []RefView
}

// MailView is an accepted email.
type MailView struct {
	To     ValueID
	Body   ValueID
	Intent int
}

// KeyView is a remembered idempotency key; Left is 0 where it is kept for ever.
// Refused: the answer that is remembered is a refusal. Running: its first
// request is answered in Ends seconds.
type KeyView struct {
	Key     ValueID
	Left    Seconds
	Refused bool
	Running bool
	Ends    Seconds
}

// RefView is the reference of an accepted email: a lookup finds it, or will in
// Left seconds.
type RefView struct {
	Ref    ValueID
	Listed bool
	Left   Seconds
}

// IntentView is what the observer knows of an intent.
type IntentView struct {
	Name     string
	Promised bool
	Told     string // empty, accepted, refused, withdrawn, handed over
	Effects  []EffectView
}

// EffectView counts an intent's effects in one place, up to the cap of 3.
type EffectView struct {
	Place string // "store.totals" or "mail"
	Count int
}

// OutageView is a party that refuses every call for Left seconds more.
type OutageView struct {
	Party string
	Left  Seconds
}

// BudgetView is what is left of a kind of fault.
type BudgetView struct {
	Kind string
	Left int
}

// Look opens a state up.
func (w *World) Look(s State) *View {
	x := &step{w: w, base: s}
	v := &View{}
	for p := range w.sc.Processes {
		v.Processes = append(v.Processes, w.lookProcess(x, p))
	}
	for q := range w.sc.Queues {
		v.Queues = append(v.Queues, w.lookQueue(x, q))
	}
	for d := range w.sc.Databases {
		v.Databases = append(v.Databases, w.lookDatabase(x, d))
	}
	for i := range w.sc.Providers {
		v.Providers = append(v.Providers, w.lookProvider(x, i))
	}
	for i := range w.sc.Intents {
		v.Intents = append(v.Intents, w.lookIntent(x, i))
	}
	w.lookMore(x, v)
	for _, k := range FaultKinds() {
		if w.sc.Faults.Limit[k] > 0 {
			left := min(x.budget().left[k], x.budget().total)
			v.Budget = append(v.Budget, BudgetView{k.String(), int(left)})
		}
	}
	return v
}

func (w *World) lookProcess(x *step, p int) ProcessView {
	pr, decl := x.proc(p), &w.sc.Processes[p]
	v := ProcessView{Name: decl.Name, Kind: decl.Kind.String(), Doing: "idle", Node: pr.node, Timer: pr.timer,
		Intent: int(pr.label) - 1, Settled: len(pr.held) > 0 && pr.unsettled() < 0, Gone: pr.gone}
	if decl.Kind == Consumer {
		v.Held, v.Buffer = w.deliveryNames(pr.held), w.deliveryNames(pr.buffer)
		v.Message = strings.Join(v.Held, ",")
	}
	for _, m := range pr.memory {
		v.Memory = append(v.Memory, Field{w.sc.Values.Plain(m.name), m.value})
	}
	v.Stopping = pr.stopping
	if w.hosted(p) {
		v.Host = w.hostName(p)
	}
	if pr.node == 0 {
		switch {
		case pr.down:
			v.Doing, v.Timer = "down", pr.back
			return v
		case pr.stalled:
			v.Doing = "stalled"
			return v
		}
		w.lookIdle(x, p, &v)
		return v
	}
	c := w.prog.Call(pr.node)
	v.Next = w.before(x, p, c)
	switch {
	case pr.stalled:
		v.Doing = "stalled"
	case pr.timing != notTiming:
		v.Doing = [...]string{working: "working", sleeping: "sleeping", awaiting: "awaiting", answering: "awaiting"}[pr.timing]
	case pr.rule != RuleProfile:
		v.Doing = "settling"
	case x.waitsAnywhere(p, c):
		v.Doing = "waiting"
	default:
		v.Doing = "ready"
	}
	return v
}

// lookIdle tells when a job that doesn't run comes next. One that sleeps, or
// was started as often as it may be, has nothing to wait for.
func (w *World) lookIdle(x *step, p int, v *ProcessView) {
	if w.sc.Processes[p].Kind != Job {
		return
	}
	f := w.sc.Processes[p].Front
	if c := x.front(f); !c.asleep && !x.over(f) {
		v.Next, v.Timer = "tick", c.timer
	}
}

// waitsAnywhere tells whether a process's next call is held up by a lock.
func (x *step) waitsAnywhere(p int, c *Call) bool {
	return partyOf(c.Verb) == partyDatabase && x.waitsIn(p, int(c.Party)) || c.Verb == VerbSend && x.waitsForKey(c)
}

func (w *World) lookQueue(x *step, q int) QueueView {
	decl := &w.sc.Queues[q]
	v := QueueView{Name: decl.Name, Profile: decl.Profile, DeadLetter: decl.IsDeadLetter}
	if w.logOf(q) >= 0 {
		w.lookPartition(x, q, &v)
	}
	for i, m := range x.queue(q).messages {
		mv := MessageView{Name: w.messageName(m.id), Op: m.id.op, Body: m.body, Lease: m.lease, Count: int(m.count), Later: m.pending == scheduled || m.pending == paused, Due: m.due, Intent: int(m.label) - 1}
		w.lookRecord(x, q, i, &mv)
		if m.pending == kept {
			mv.State = "acked"
		}
		if m.holder != 0 {
			mv.Holder = w.procName(int(m.holder) - 1)
		}
		v.Messages = append(v.Messages, mv)
	}
	return v
}

func (w *World) lookDatabase(x *step, d int) DatabaseView {
	decl := &w.sc.Databases[d]
	v := DatabaseView{Name: decl.Name, Profile: decl.Profile}
	for t, tab := range decl.Tables {
		tv := TableView{Name: tab.Name, Key: tab.Key, Role: [...]string{"", "marker", "effect", "cause"}[tab.Role]}
		for _, r := range x.table(d, t).rows {
			tv.Rows = append(tv.Rows, RowView{r.body, int(r.label) - 1, r.age})
		}
		sort.SliceStable(tv.Rows, func(i, j int) bool { return w.sc.Values.Less(tv.Rows[i].Body, tv.Rows[j].Body) })
		v.Tables = append(v.Tables, tv)
	}
	for p := range w.sc.Processes {
		tx, open := x.tx(p, d)
		if !open {
			continue
		}
		tv := TransactionView{Process: w.procName(p), Broken: tx.broken, Writes: int(x.locks(d).writer) == p+1,
			Reads: tx.reading, Old: len(tx.old) > 0, Aborted: tx.aborted}
		for _, wr := range tx.writes {
			tv.Pending = append(tv.Pending, PendingView{decl.Tables[wr.table].Name, wr.verb.String(), wr.key, wr.body, int(wr.label) - 1})
		}
		v.Transactions = append(v.Transactions, tv)
	}
	return v
}

func (w *World) lookProvider(x *step, i int) ProviderView {
	v := ProviderView{Name: w.sc.Providers[i].Name}
	for _, m := range x.mailbox(i).mails {
		v.Mails = append(v.Mails, MailView{m.to, m.body, int(m.label) - 1})
	}
	sort.SliceStable(v.Mails, func(a, b int) bool { return w.sc.Values.Less(v.Mails[a].To, v.Mails[b].To) })
	for _, k := range x.mailbox(i).keys {
		v.Keys = append(v.Keys, KeyView{k.key, k.left, k.refused, k.running, k.ends})
	}
	for _, r := range x.mailbox(i).refs {
		v.Refs = append(v.Refs, RefView{r.ref, r.listed, r.left})
	}
	return v
}

func (w *World) lookIntent(x *step, i int) IntentView {
	g := x.ghost().intents[i]
	v := IntentView{Name: w.sc.Intents[i].Name, Promised: g.promised, Told: [...]string{"", "accepted", "refused"}[g.told]}
	switch {
	case g.withdrawn:
		v.Told = "withdrawn"
	case g.handed:
		v.Told = "handed over"
	}
	for n, ch := range w.channels {
		count := g.effects[n]
		if ch.sum {
			count = x.standingShares(ch, i)
		}
		v.Effects = append(v.Effects, EffectView{w.ChannelName(n), int(count)})
	}
	return v
}

// ChannelName names a place of effects: "store.totals" or "mail".
func (w *World) ChannelName(n int) string { return w.sc.Channels()[n] }

// Channels names the places of effects, in order: effect tables and mailboxes.
func (sc *Scenario) Channels() []string {
	var names []string
	for _, db := range sc.Databases {
		for _, t := range db.Tables {
			if t.Role == RoleEffect {
				names = append(names, db.Name+"."+t.Name)
			}
		}
	}
	for _, p := range sc.Providers {
		names = append(names, p.Name)
	}
	return names
}

// HandlerAt returns the handler that a process runs in a state, or would.
func (w *World) HandlerAt(s State, p int) HandlerID {
	x := &step{w: w, base: s}
	return x.handler(p)
}

// NodeAt returns where a process's handler stands in a state, and whether it
// has ended and only the runtime's settle is left. 0 is an idle process.
func (w *World) NodeAt(s State, p int) (n Node, settling bool) {
	pr := w.processes.items[s[w.firstProc+p]]
	return pr.node, pr.rule != RuleProfile
}

// FaultsUsed returns how many faults have struck on the way to a state.
func (w *World) FaultsUsed(s State) int {
	return w.sc.Faults.Total - int(w.budgets.items[s[slotBudget]].total)
}

// Capped tells whether in some state seen so far an intent has as many effects
// in one place as are counted.
func (w *World) Capped() bool {
	if w.sc.EffectCap == 0 {
		return false
	}
	for _, g := range w.ghosts.items {
		for _, i := range g.intents {
			if most(i.effects) >= w.effectLimit() {
				return true
			}
		}
	}
	return false
}
