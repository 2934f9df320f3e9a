package sim

import "fmt"

// Symmetry: where replicas of a consumer, and wishes that differ in nothing but
// their ids, are interchangeable, states that differ only in who is who are
// told apart for nothing. Canonical picks one of each such set.
//
// Interchangeable is checked, not assumed (see newSymmetry): the handlers'
// trees must be equal under renaming of ids inside arguments, the payloads
// must be equal, and no id may stand for two wishes. Wishes have an order only
// as long as their requests have not been answered, so only those that were
// are exchanged. Queues keep their order and tables their keys: renaming ids
// in them keeps both, so a state and its renaming have the same future under
// the same renaming.
//
// A renaming of a whole state is put together from renamings of its slots,
// which are remembered, so trying every renaming costs a few look-ups each.
type Symmetry struct {
	w       *World
	ops     map[ValueID]int // the intents that may be exchanged, by id
	classes [][]int         // consumers that may be exchanged
	service int             // the process whose requests the intents are; -1: none
	renames [][]*renaming   // by number of answered requests
	leads   [][][]*renaming // likewise, by content of the first slot; see leading
	nodes   map[nodeOf]Node
	bodies  []ValueID // payloads that a handler can be started with
	order   []int     // the slots in the order in which they are compared
	scratch State
	best    State
}

// maxRenamings bounds the renamings that are tried for each state: more cost
// more than the states they save.
const maxRenamings = 1000

// maxSymmetryNodes bounds the walk through the handlers' trees.
const maxSymmetryNodes = 100_000

// renaming is who becomes who.
type renaming struct {
	intents   []int // by intent: its new index
	processes []int // by process: its new index
	was       []int // by new index: the process
	slots     [][]uint32
	procs     []uint32
	values    map[ValueID]ValueID
}

type nodeOf struct {
	node     Node
	from, to int
}

// Symmetry returns the symmetry of a world, or the reason why there is none.
func (w *World) Symmetry() (*Symmetry, string) {
	if len(w.sc.Logs) > 0 {
		return nil, "a log deals its partitions out by the names of the readers"
	}
	for p := range w.sc.Processes {
		if w.sc.Processes[p].ClaimIdle > 0 {
			return nil, "consumers claim what others hold"
		}
	}
	if len(w.sc.Hosts) > 0 {
		return nil, "several handlers live in one process"
	}
	if w.wireSlot > 0 {
		return nil, "requests can come late"
	}
	if w.firstCopy > 0 {
		return nil, "a copy of a database can be put back"
	}
	if w.downSlot > 0 {
		return nil, "parties can be out"
	}
	if w.living {
		return nil, "processes can be killed, told to stop, or be down"
	}
	for _, ch := range w.channels {
		if ch.sum {
			return nil, "rows add up what several intents contribute"
		}
	}
	y := &Symmetry{w: w, service: -1, ops: map[ValueID]int{}, nodes: map[nodeOf]Node{},
		scratch: make(State, w.slots), best: make(State, w.slots)}
	if reason := w.clientsDiffer(); reason != "" {
		return nil, reason
	}
	y.orderSlots()
	y.findClasses()
	reason := y.findIntents()
	if reason != "" {
		y.ops = map[ValueID]int{}
	}
	answered := 0
	if len(y.ops) > 0 {
		answered = len(w.sc.Processes[y.service].Requests)
	}
	for n := 0; n <= answered; n++ {
		list := y.renamings(n)
		if len(list) > maxRenamings {
			return nil, fmt.Sprintf("there are %d renamings to try, at most %d are worth it", len(list), maxRenamings)
		}
		y.renames = append(y.renames, list)
	}
	y.leads = make([][][]*renaming, len(y.renames))
	if len(y.renames[answered]) == 1 {
		if reason == "" {
			reason = "nothing in the scenario is interchangeable"
		}
		return nil, reason
	}
	return y, reason
}

// orderSlots puts queues first, because who holds which message says the most;
// then the rest but for the budget.
func (y *Symmetry) orderSlots() {
	for slot := y.w.firstQ; slot < y.w.firstLock; slot++ {
		y.order = append(y.order, slot)
	}
	for slot := slotGhost; slot < y.w.slots; slot++ {
		if slot < y.w.firstQ || slot >= y.w.firstLock {
			y.order = append(y.order, slot)
		}
	}
}

// findClasses groups consumers that are declared alike and struck alike.
func (y *Symmetry) findClasses() {
	sc := y.w.sc
	type class struct {
		handler           HandlerID
		queue             int
		onReturn, onError EndRule
		autoAck           bool
		scoped            bool
	}
	at := map[class]int{}
	for p, decl := range sc.Processes {
		if decl.Kind != Consumer {
			continue
		}
		c := class{decl.Handler, decl.Queue, decl.OnReturn, decl.OnError, decl.AutoAck, sc.Faults.Scoped && sc.Faults.Processes[p]}
		i, known := at[c]
		if !known {
			i = len(y.classes)
			at[c] = i
			y.classes = append(y.classes, nil)
		}
		y.classes[i] = append(y.classes[i], p)
	}
}

// findIntents checks whether all intents of the one service are
// interchangeable.
func (y *Symmetry) findIntents() string {
	sc := y.w.sc
	for p, decl := range sc.Processes {
		if decl.Kind != Service {
			continue
		}
		if y.service >= 0 {
			return "several services publish"
		}
		y.service = p
	}
	if y.service < 0 || len(sc.Processes[y.service].Requests) != len(sc.Intents) {
		return "not every intent is a request of the one service"
	}
	if len(sc.Fronts) > 0 {
		return "jobs, operators or callers that ask again have a state of their own"
	}
	if sc.Attempts > 0 {
		return "handlers read the number of their delivery"
	}
	if sc.Again {
		return "handlers ask whether their delivery is a repeated one"
	}
	for _, q := range sc.Queues {
		if q.Groups {
			return "messages have groups"
		}
	}
	for _, d := range sc.Databases {
		if d.Modes && d.Isolation != SingleWriter {
			return "a serializable transaction remembers the order of commits"
		}
	}
	if len(sc.Given) > 0 {
		return "some rows stand from the start"
	}
	if sc.Remembers {
		return "processes remember what earlier runs kept"
	}
	if sc.Fresh {
		return "fresh ids are handed out in an order"
	}
	for i, in := range sc.Intents {
		if _, twice := y.ops[in.Op]; twice {
			return "two intents share an id"
		}
		if in.Body != sc.Intents[0].Body {
			return "the payloads of the intents differ"
		}
		if in.Promised != sc.Intents[0].Promised {
			return "some intents are promised from the start and some are not"
		}
		if sc.Processes[y.service].Requests[i] != i {
			return "the requests are not in the order of the intents"
		}
		y.ops[in.Op] = i
	}
	return y.walkTrees()
}

// walkTrees compares every handler's tree for each intent with the one for the
// first, and remembers which node corresponds to which. Payloads that a handler
// publishes are walked in their turn.
func (y *Symmetry) walkTrees() string {
	y.bodies = []ValueID{y.w.sc.Intents[0].Body}
	for i := 0; i < len(y.bodies); i++ {
		for h := range y.w.sc.Handlers {
			row := make([]Node, len(y.w.sc.Intents))
			for n, in := range y.w.sc.Intents {
				row[n] = y.w.prog.Start(HandlerID(h), Input{Op: in.Op, Body: y.bodies[i]})
			}
			if reason := y.walk(row); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// walk goes down corresponding nodes side by side: row[i] is the node for
// intent i.
func (y *Symmetry) walk(row []Node) string {
	if len(y.nodes) > maxSymmetryNodes {
		return "the handlers have too many places to compare"
	}
	if _, seen := y.nodes[nodeOf{row[0], 0, 0}]; seen {
		same := true
		for j, n := range row {
			same = same && y.nodes[nodeOf{row[0], 0, j}] == n
		}
		if same {
			return ""
		}
	}
	for i, a := range row {
		for j, b := range row {
			if old, known := y.nodes[nodeOf{a, i, j}]; known && old != b {
				return "one place of a handler corresponds to several"
			}
			y.nodes[nodeOf{a, i, j}] = b
		}
	}
	first := y.w.prog.Call(row[0])
	if first.Verb == VerbPublish {
		if y.rename(first.Body, 0, len(row)-1) != first.Body {
			return "a payload holds the intent's id"
		}
		y.addBody(first.Body)
	}
	for j, n := range row[1:] {
		if !y.sameCall(first, y.w.prog.Call(n), j+1) {
			return "the handlers differ in more than the intents' ids"
		}
	}
	if first.Ends() {
		return ""
	}
	if first.Verb == VerbOneOf {
		return "handlers choose freely"
	}
	answers, finite := PossibleAnswers(y.w.sc, first)
	if !finite {
		return fmt.Sprintf("what %s can answer is not known beforehand", first.Verb)
	}
	for _, a := range answers {
		next := make([]Node, len(row))
		for i, n := range row {
			next[i] = y.w.prog.Next(n, a)
		}
		if reason := y.walk(next); reason != "" {
			return reason
		}
	}
	return ""
}

func (y *Symmetry) addBody(body ValueID) {
	for _, b := range y.bodies {
		if b == body {
			return
		}
	}
	y.bodies = append(y.bodies, body)
}

// sameCall tells whether b is a with intent 0 renamed to intent j.
func (y *Symmetry) sameCall(a, b *Call, j int) bool {
	c := *a
	c.Op, c.Key, c.Ref, c.Body = y.rename(a.Op, 0, j), y.rename(a.Key, 0, j), y.rename(a.Ref, 0, j), y.rename(a.Body, 0, j)
	c.Where = y.rename(a.Where, 0, j)
	c.Post.Group, c.Post.ID = y.rename(a.Post.Group, 0, j), y.rename(a.Post.ID, 0, j)
	return c == *b
}

// rename swaps the ids of two intents in a value.
func (y *Symmetry) rename(v ValueID, i, j int) ValueID {
	in := y.w.sc.Intents
	switch v {
	case in[i].Op:
		return in[j].Op
	case in[j].Op:
		return in[i].Op
	}
	val := y.w.sc.Values.Get(v)
	if len(val.Fields) == 0 {
		return v
	}
	fields := make([]Field, len(val.Fields))
	for n, f := range val.Fields {
		fields[n] = Field{f.Name, y.rename(f.Value, i, j)}
	}
	return y.w.sc.Values.withParts(v, fields)
}

// renamings lists every way to exchange the first n intents and the consumers
// of each class; the first changes nothing.
func (y *Symmetry) renamings(n int) []*renaming {
	sc := y.w.sc
	base := &renaming{intents: identity(len(sc.Intents)), processes: identity(len(sc.Processes))}
	list := []*renaming{base}
	if n > 1 {
		members := identity(n)
		list = exchange(list, func(r *renaming) []int { return r.intents }, members)
	}
	for _, class := range y.classes {
		list = exchange(list, func(r *renaming) []int { return r.processes }, class)
	}
	for _, r := range list {
		r.slots = make([][]uint32, y.w.slots)
		r.values = map[ValueID]ValueID{}
		r.was = make([]int, len(r.processes))
		for from, to := range r.processes {
			r.was[to] = from
		}
	}
	return list
}

func identity(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// exchange multiplies renamings by every order of some members.
func exchange(list []*renaming, part func(*renaming) []int, members []int) []*renaming {
	var out []*renaming
	for _, r := range list {
		permute(members, func(order []int) {
			c := &renaming{intents: append([]int(nil), r.intents...), processes: append([]int(nil), r.processes...)}
			for i, m := range members {
				part(c)[m] = order[i]
			}
			out = append(out, c)
		})
		if len(out) > maxRenamings {
			return out
		}
	}
	return out
}

// permute calls f with every order of list, the given one first.
func permute(list []int, f func([]int)) {
	order := append([]int(nil), list...)
	var at func(i int)
	at = func(i int) {
		if i == len(order) {
			f(order)
			return
		}
		for j := i; j < len(order); j++ {
			order[i], order[j] = order[j], order[i]
			at(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	at(0)
}
