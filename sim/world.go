package sim

import (
	"fmt"
	"slices"
)

// World is the machine that a scenario describes: from a state the enabled
// steps, from a state and a step the next state. It interns contents and
// remembers what it has worked out (see memo.go), so it is not safe for
// concurrent use; what it returns depends on nothing but its arguments.
type World struct {
	sc   *Scenario
	prog Program

	slots        int
	firstProc    int
	firstQ       int
	firstLock    int
	firstMail    int
	firstFront   int
	wireSlot     int // requests that come late; 0: there can be none
	firstCopy    int // copies of databases; 0: none are made
	downSlot     int // who is out; 0: nobody can be
	firstJournal int
	tableSlot    [][]int // by database and table

	*contents

	channels  []channel // where effects happen
	counted   []uint8   // by queue: where its counter stops; 0: nobody reads it
	conflicts []bool    // by intent: another one shares its id and wishes something else
	timers    bool      // something in the scenario can take time
	lockTimed bool      // a wait for a lock can end by itself
	dated     bool      // rows have ages or stamps
	living    bool      // some process can end or start by anything but a crash

	steps  []*group // what processes, brokers and due timers do
	wakes  []*group // the end of stalls: holds no clock
	clock  []*group // the next due moment, where nothing holds the clock
	forced []*group // wakes where nothing else at all can happen
	lates  []*group // requests that come late: hold no clock, and rest does not wait for them
	acts   []*group // what operators can do
	comes  []*group // requests that come at any time: holds no clock
	faults []*group
	judges [][]*group
	start  State

	spent     []bool // by budget: nothing is left of it
	prepared  int    // ghosts that every judge has looked at
	summed    int    // tables, likewise
	saturate  bool   // see Searching
	searching *World
	begun     []Event
}

// contents interns what slots hold. The worlds of one scenario that share it
// share their states.
type contents struct {
	processes store[*process] // one store for all slots of a kind: replicas share contents
	queues    store[*queue]
	locks     store[*locks]
	tables    store[*table]
	mailboxes store[*mailbox]
	journals  store[*journal]
	budgets   store[*budget]
	ghosts    store[*ghost]
	wires     store[*wire]
	downs     store[*downs]
	copied    store[*copies]
	fronts    store[*front]
	calls     callStore
	scratch   []byte
}

// channel is a place where effects of intents become real: an effect table or
// a mailbox.
type channel struct {
	db, table int // db -1: a mailbox
	provider  int
	state     bool     // what stands counts, not how often it was written
	wants     []wanted // by intent; only where state
	sum       bool     // whose shares stand counts
}

// wanted is what an intent wants to stand in a table whose state counts: a row
// with this key, of this version or a newer one. It is read off the intent's
// fields that are named like the table's columns; without them the intent wants
// nothing there.
type wanted struct {
	any     bool
	key     ValueID
	version int64
}

// New builds the world of a scenario. The scenario must come from a front end
// that has checked it; an inconsistent one panics, since it is our mistake.
func New(sc *Scenario) *World {
	w := &World{sc: sc, prog: sc.Program, contents: &contents{scratch: make([]byte, 0, 256)}}
	w.layOut()
	w.findChannels()
	w.findConflicts()
	w.findCounted()
	w.timers = hasTimers(sc) || slices.ContainsFunc(w.consumers(), w.beats)
	w.living = w.anyLives()
	w.dated = isDated(sc)
	w.lockTimed = hasLockTimers(sc)
	w.buildSteps()
	w.buildJudges()
	w.start = w.begin()
	return w
}

// Searching returns the world as a search sees it: beyond the scenario's effect
// cap it leaves out changes that nobody counts or reads, so that endless
// repetition has finitely many states. The states of both are the same, and so
// are the names of their steps.
func (w *World) Searching() *World {
	if w.searching == nil {
		c := *w
		c.saturate = c.sc.EffectCap > 0
		c.prepared, c.summed = 0, 0
		c.steps, c.wakes, c.clock, c.forced, c.lates, c.acts, c.comes, c.faults = nil, nil, nil, nil, nil, nil, nil, nil
		c.buildSteps()
		c.buildJudges()
		c.searching = &c
		w.searching = &c
	}
	return w.searching
}

// Weight is about how many bytes the world takes to remember what its slots can
// hold and what its steps lead to. It grows with what a search meets with.
func (w *World) Weight() int64 {
	n := w.contents.weight() + w.sc.Values.weight()
	for _, list := range [][]*group{w.steps, w.wakes, w.clock, w.forced, w.lates, w.acts, w.comes, w.faults} {
		for _, g := range list {
			n += g.weight()
		}
	}
	for _, list := range w.judges {
		for _, g := range list {
			n += g.weight()
		}
	}
	return n
}

func (c *contents) weight() int64 {
	return c.processes.weight() + c.queues.weight() + c.locks.weight() + c.tables.weight() + c.mailboxes.weight() +
		c.journals.weight() + c.budgets.weight() + c.ghosts.weight() + c.wires.weight() + c.downs.weight() +
		c.copied.weight() + c.fronts.weight()
}

// Scenario returns the scenario of the world.
func (w *World) Scenario() *Scenario { return w.sc }

// Start returns the state before the first step.
func (w *World) Start() State { return append(State(nil), w.start...) }

// Beginning returns what has happened before the first step: services took
// their first requests.
func (w *World) Beginning() []Event { return w.begun }

// Slots returns the number of words in a state.
func (w *World) Slots() int { return w.slots }

const (
	slotBudget = 0
	slotGhost  = 1
)

func (w *World) layOut() {
	sc := w.sc
	w.firstProc = slotGhost + 1
	w.firstQ = w.firstProc + len(sc.Processes)
	w.firstLock = w.firstQ + len(sc.Queues)
	next := w.firstLock + len(sc.Databases)
	w.tableSlot = make([][]int, len(sc.Databases))
	for d, db := range sc.Databases {
		for range db.Tables {
			w.tableSlot[d] = append(w.tableSlot[d], next)
			next++
		}
	}
	w.firstMail = next
	w.firstFront = next + len(sc.Providers)
	w.firstJournal = w.firstFront + len(sc.Fronts)
	w.slots = w.firstJournal + len(sc.Logs)
	w.layOutMore()
	if w.slots > maxSlots {
		panic(fmt.Sprintf("sim: %d slots, at most %d", w.slots, maxSlots))
	}
}

// maxSlots bounds the parts of a world, so that a set of slots is one word.
const maxSlots = 64

func (w *World) findChannels() {
	for d, db := range w.sc.Databases {
		for t, tab := range db.Tables {
			if tab.Role == RoleEffect {
				w.channels = append(w.channels, w.tableChannel(d, t, &tab))
			}
		}
	}
	for p := range w.sc.Providers {
		w.channels = append(w.channels, channel{db: -1, table: -1, provider: p})
	}
}

func (w *World) tableChannel(d, t int, tab *Table) channel {
	ch := channel{db: d, table: t, provider: -1, state: tab.Version != "", sum: tab.Sum}
	if !ch.state {
		return ch
	}
	for _, in := range w.sc.Intents {
		key, hasKey := w.sc.Values.Field(in.Body, tab.Key)
		_, hasVersion := w.sc.Values.Field(in.Body, tab.Version)
		any := hasKey && hasVersion && (in.Wants == nil || in.Wants[len(w.channels)] > 0)
		ch.wants = append(ch.wants, wanted{any, key, w.version(tab, in.Body)})
	}
	return ch
}

func (w *World) findConflicts() {
	w.conflicts = make([]bool, len(w.sc.Intents))
	for i, a := range w.sc.Intents {
		for j, b := range w.sc.Intents {
			if i != j && a.Op == b.Op && a.Body != b.Body {
				w.conflicts[i] = true
			}
		}
	}
}

// findCounted decides which delivery counters are state: those that a handler
// reads, and those whose limit can be reached within the budget. They stop
// where nothing tells larger numbers apart.
func (w *World) findCounted() {
	w.counted = make([]uint8, len(w.sc.Queues))
	for q, decl := range w.sc.Queues {
		most := 0
		if decl.Counter != CountsNothing {
			most = w.sc.Attempts
		}
		reachable := decl.Counter == CountsDeliveries || decl.NackCounts || decl.Counter == CountsLosses && w.sc.Faults.Total >= decl.MaxDeliveries
		if decl.MaxDeliveries > 0 && reachable {
			most = max(most, decl.MaxDeliveries)
		}
		most = max(most, len(decl.Backoff))
		w.counted[q] = uint8(most)
	}
}

// consumers lists the processes that take deliveries.
func (w *World) consumers() []int {
	var list []int
	for p := range w.sc.Processes {
		if w.sc.Processes[p].Kind == Consumer {
			list = append(list, p)
		}
	}
	return list
}

func hasTimers(sc *Scenario) bool {
	for _, q := range sc.Queues {
		if q.Lease > 0 || q.LongestIdle > 0 || q.Timeout > 0 || q.timed() {
			return true
		}
	}
	for _, d := range sc.Databases {
		if d.Timeout > 0 {
			return true
		}
	}
	for _, p := range sc.Providers {
		if p.Timeout > 0 || p.KeptFor > 0 || p.Takes > 0 || p.Lag > 0 {
			return true
		}
	}
	if isDated(sc) {
		return true
	}
	for _, p := range sc.Processes {
		if p.KillAfter > 0 || p.Restart > 0 || p.Grace > 0 {
			return true
		}
	}
	for _, f := range sc.Fronts {
		if f.Every > 0 || f.Callers.After > 0 || f.Callers.Patience > 0 {
			return true
		}
	}
	return sc.Timed || len(sc.Logs) > 0 || sc.Faults.Limit[Outage] > 0 || sc.Faults.Limit[Stall] > 0 && sc.Faults.Longest > 0
}

// isDated tells whether rows have ages or stamps.
func isDated(sc *Scenario) bool {
	for _, db := range sc.Databases {
		for _, t := range db.Tables {
			if len(t.Ages) > 0 || t.Stamps {
				return true
			}
		}
	}
	return false
}

// begin builds the first state: empty parties, services at their first
// request.
func (w *World) begin() State {
	sc := w.sc
	s := make(State, w.slots)
	x := &step{w: w, base: s, cur: s, record: true}
	u := &budget{total: uint8(sc.Faults.Total)}
	for k, n := range sc.Faults.Limit {
		u.left[k] = uint8(n)
	}
	u.trim()
	g := &ghost{intents: make([]intentGhost, len(sc.Intents))}
	for i, in := range sc.Intents {
		g.intents[i] = intentGhost{promised: in.Promised, effects: make([]uint8, len(w.channels))}
	}
	x.setBudget(u)
	x.setGhost(g)
	for p := range sc.Processes {
		x.setProc(p, &process{})
	}
	for q := range sc.Queues {
		x.setQueue(q, &queue{})
	}
	for d, db := range sc.Databases {
		x.setLocks(d, &locks{})
		for t := range db.Tables {
			x.setTable(d, t, &table{})
		}
	}
	for _, r := range sc.Given {
		rows := append([]row(nil), x.table(r.Database, r.Table).rows...)
		rows = append(rows, row{key: r.Key, body: r.Body, label: labelID(r.Intent + 1)})
		x.setTable(r.Database, r.Table, &table{sortRows(rows), x.lastWith(r.Database, write{verb: VerbInsert, table: uint8(r.Table), key: r.Key})})
		if sc.Databases[r.Database].Tables[r.Table].Role == RoleCause {
			x.changeIntent(labelID(r.Intent+1), func(g *intentGhost) { g.caused = true })
		}
	}
	for p := range sc.Providers {
		x.setMailbox(p, &mailbox{})
	}
	w.beginMore(x)
	x.beginFronts()
	for l := range sc.Logs {
		x.setJournal(l, w.newJournal(l))
	}
	for p := range sc.Processes {
		if sc.Processes[p].Kind == Service && !w.fronted(p) {
			x.nextRequest(p)
		}
	}
	for f := range sc.Fronts {
		if sc.Fronts[f].Kind == Service {
			x.serve(f)
		}
	}
	w.begun = x.events
	return s
}
