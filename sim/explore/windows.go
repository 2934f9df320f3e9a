package explore

import (
	"context"
	"sort"

	"github.com/ackademy/ackademy/sim"
)

// The window map: for every gap of a handler and every kind of fault that can
// strike there, the verdicts that some continuation without a further fault
// shows, each with a shortest schedule; minus the verdicts that need no fault
// at all.
//
// What an operator starts is no fault, and nothing to count on. So a gap is
// marked with what its fault leads to by itself, and with what it leads to
// together with operators, unless they are enough for it by themselves.
//
// It is one search with a budget of exactly one fault. The states before the
// fault and those after it are disjoint, so a gap's marks are what can be
// reached from the states that a fault there leads to. Three passes find that:
// what each state shows by itself, what it can still lead to (handed back
// along the steps without a fault), and how far that is.

// WindowKinds are the faults that a window map strikes with. A stall lasts
// until the process wakes, over every continuation, so it covers one beyond
// the lease.
var WindowKinds = []sim.FaultKind{sim.Crash, sim.LostRequest, sim.LostReply, sim.Stall}

// Gap names a place in a handler: before a call, or before its end.
type Gap struct {
	Handler    string
	Line       int    // of the call in the text; 0 where it has none
	Col        int    // where it begins in that line: a line can hold several calls
	Call       string // "commit", "insert inbox"; "end" before the end
	Occurrence int    // from 1: which of this line's calls it is, where a loop makes several
}

// Locate tells which gap of a handler a node is.
type Locate func(h sim.HandlerID, n sim.Node, settling bool) Gap

// Mark says how a gap fares under one kind of fault.
type Mark string

// The marks. Harmless, Unreached and Undecided are three different things.
const (
	MarkHarmless  Mark = "harmless"
	MarkHarmful   Mark = "harmful"   // see the verdicts
	MarkUnreached Mark = "unreached" // no run without a fault comes here
	MarkUndecided Mark = "undecided" // a bound was reached
	MarkNone      Mark = "impossible"
)

// Window is a gap with what each kind of fault there leads to.
type Window struct {
	Gap
	Faults []WindowFault // in the order of WindowKinds
}

// WindowFault is what one kind of fault in a gap leads to.
type WindowFault struct {
	Kind     sim.FaultKind
	Mark     Mark
	Verdicts []WindowVerdict // worst first in the order of sim.Properties
}

// WindowVerdict is a verdict with a shortest schedule that shows it.
type WindowVerdict struct {
	Property sim.Property
	Schedule []string
	Intents  []int
}

// WindowMap is the map of all handlers of a scenario. Always lists the verdicts
// that need no fault; they stand once, above the handlers.
type WindowMap struct {
	Windows []Window // by handler, line and occurrence
	Always  []WindowVerdict
	Bound   Bound
	Limit   int64
	States  int
}

// OneFault is the budget of a window map: one fault of any of its kinds.
func OneFault() sim.Faults {
	f := sim.Faults{Total: 1}
	for _, k := range WindowKinds {
		f.Limit[k] = 1
	}
	return f
}

// Windows draws the window map of a scenario whose budget is OneFault; its
// program must be made for that budget.
func Windows(ctx context.Context, sc *sim.Scenario, locate Locate, o Options) (*WindowMap, error) {
	if sc.Faults.Total != 1 || sc.Faults.Scoped {
		panic("explore: a window map needs a budget of one fault that may strike anywhere")
	}
	o.Symmetry = false // marks speak of single places, not of one that stands for several
	s := newSearch(sim.New(sc).Searching(), o.withDefaults())
	if err := s.explore(ctx); err != nil {
		return nil, err
	}
	m := &mapper{search: s, locate: locate}
	if err := m.graph(); err != nil {
		return nil, err
	}
	if err := m.own(); err != nil {
		return nil, err
	}
	if s.cancelled() {
		// Half a graph has no marks to show: every gap is undecided.
		return &WindowMap{Bound: s.bound, States: s.st.count()}, nil
	}
	m.reach()
	return m.draw()
}

// mapper holds the graph of a search while the map is drawn. States are dense
// here: index i is list[i].
type mapper struct {
	*search
	locate Locate
	list   []number
	place  *table
	calms  [][]int32 // by state: successors without a fault
	acts   [][]int32 // by state: successors without a fault, by an operator's hand too
	beyond []bool    // by state: it takes a fault or an operator to come here
	shows  []uint16  // by state: verdicts it shows, bit per property
	leads  []uint16  // by state: verdicts that it or a continuation shows
	helped []uint16  // by state: the same with operators
	masks  [][sim.DoneOnce]uint64
	depth  []int32
	struck []struck
}

type gapKey struct {
	gap  Gap
	kind sim.FaultKind
}

// struck is one fault edge.
type struck struct {
	from, to int32
	gap      gapKey
}

// graph lists all edges again, now with the gaps that faults strike in.
func (m *mapper) graph() error {
	for part := range m.st.parts {
		for place := range m.st.parts[part].count {
			m.list = append(m.list, number(place)<<partitionBits|number(part))
		}
	}
	m.list = byDepth(m.list, m.depths())
	m.place = m.places(m.list)
	m.calms, m.acts = make([][]int32, len(m.list)), make([][]int32, len(m.list))
	open := m.places(m.unexpanded)
	next := make(sim.State, m.w.Slots())
	for i, n := range m.list {
		if i%pieceStates == 0 && m.cancelled() {
			return nil
		}
		if open.of(n) >= 0 {
			continue
		}
		st := m.st.state(n)
		err := m.w.Expand(st, func(o *sim.Outcome) {
			o.Into(next, st)
			to := int32(m.place.of(m.st.find(next))) // the map is drawn without symmetry
			if !o.Fault.Strikes() {
				m.acts[i] = append(m.acts[i], to)
				if o.Fault == sim.NoFault {
					m.calms[i] = append(m.calms[i], to)
				}
				return
			}
			node, settling := m.w.NodeAt(st, int(o.Proc))
			if node == 0 {
				return // a delivery that got lost lies in no handler's gap
			}
			key := gapKey{m.locate(m.w.HandlerAt(st, int(o.Proc)), node, settling), o.Fault}
			m.struck = append(m.struck, struck{int32(i), to, key})
		})
		if err != nil {
			return m.mistake(n, err)
		}
	}
	return nil
}

// own finds what each state shows by itself.
func (m *mapper) own() error {
	if m.cancelled() {
		return nil
	}
	m.shows = make([]uint16, len(m.list))
	m.masks = make([][sim.DoneOnce]uint64, len(m.list))
	note := func(i int, v sim.Verdicts) {
		for p, set := range v.Of[:sim.DoneOnce] {
			if set != 0 {
				m.shows[i] |= 1 << p
				m.masks[i][p] |= set
			}
		}
	}
	for i, n := range m.list {
		v := m.w.Certain(m.st.state(n))
		v.Of[sim.Overwritten] = m.w.Overwritten(m.st.state(n))
		note(i, v)
		if m.bound != NoBound && m.w.LocalTestHolds() {
			note(i, m.abandoned(m.st.state(n)))
		}
	}
	doubtful := byDepth(m.doubtful(m.follow()), m.depths())
	ahead, err := m.handBack(doubtful)
	if err != nil || m.bound == Cancelled {
		return err
	}
	for i, n := range doubtful {
		st := m.st.state(n)
		note(m.place.of(n), ahead.reach[i].hopeless(m.w, st))
	}
	return nil
}

// reach hands what states show back along the steps without a fault.
func (m *mapper) reach() {
	m.leads, m.helped = handOn(m.shows, m.calms), handOn(m.shows, m.acts)
	depths := m.depths()
	m.depth = make([]int32, len(m.list))
	for i, n := range m.list {
		m.depth[i] = int32(depths.of(n))
	}
}

// handOn hands sets back along edges until nothing changes.
func handOn(shows []uint16, next [][]int32) []uint16 {
	leads := append([]uint16(nil), shows...)
	for changed := true; changed; {
		changed = false
		for i := len(next) - 1; i >= 0; i-- {
			was := leads[i]
			for _, to := range next[i] {
				leads[i] |= leads[to]
			}
			changed = changed || leads[i] != was
		}
	}
	return leads
}

// findBeyond finds the states that it takes a fault or an operator to come to.
func (m *mapper) findBeyond(start int32) {
	m.beyond = make([]bool, len(m.list))
	for i := range m.beyond {
		m.beyond[i] = int32(i) != start
	}
	reached := []int32{start}
	for i := 0; i < len(reached); i++ {
		for _, to := range m.calms[reached[i]] {
			if m.beyond[to] {
				m.beyond[to] = false
				reached = append(reached, to)
			}
		}
	}
}

// draw puts the map together.
func (m *mapper) draw() (*WindowMap, error) {
	out := &WindowMap{Bound: m.bound, Limit: m.limit, States: len(m.list)}
	start := int32(m.place.of(m.st.find(m.w.Start())))
	m.findBeyond(start)
	always := m.helped[start]
	for p := sim.Property(0); p < sim.DoneOnce; p++ {
		if always&(1<<p) == 0 {
			continue
		}
		v, err := m.shortest(p, []struck{{from: start, to: start}}, m.acts, false)
		if err != nil {
			return nil, err
		}
		out.Always = append(out.Always, v)
	}
	byGap := map[gapKey][]struck{}
	for _, e := range m.struck {
		byGap[e.gap] = append(byGap[e.gap], e)
	}
	gaps := m.reachedGaps()
	for _, g := range gaps {
		w := Window{Gap: g}
		for _, k := range WindowKinds {
			f, err := m.fault(byGap[gapKey{g, k}], k, start)
			if err != nil {
				return nil, err
			}
			w.Faults = append(w.Faults, f)
		}
		out.Windows = append(out.Windows, w)
	}
	return out, nil
}

// reachedGaps lists the gaps that some run without a fault comes to, in order.
func (m *mapper) reachedGaps() []Gap {
	seen := map[Gap]bool{}
	var gaps []Gap
	for _, e := range m.struck {
		if !seen[e.gap.gap] {
			seen[e.gap.gap] = true
			gaps = append(gaps, e.gap.gap)
		}
	}
	sort.Slice(gaps, func(i, j int) bool {
		a, b := gaps[i], gaps[j]
		switch {
		case a.Line != b.Line:
			return a.Line < b.Line
		case a.Handler != b.Handler:
			return a.Handler < b.Handler
		case a.Col != b.Col:
			return a.Col < b.Col
		case a.Occurrence != b.Occurrence:
			return a.Occurrence < b.Occurrence
		}
		return a.Call < b.Call
	})
	return gaps
}

// fault is what the edges of one gap and kind lead to.
func (m *mapper) fault(edges []struck, k sim.FaultKind, start int32) (WindowFault, error) {
	f := WindowFault{Kind: k, Mark: MarkHarmless}
	if len(edges) == 0 {
		f.Mark = MarkNone
		if m.bound != NoBound {
			f.Mark = MarkUndecided // it may strike in a state that was not looked at
		}
		return f, nil
	}
	leads, helped := uint16(0), uint16(0)
	var plain []struck
	for _, e := range edges {
		helped |= m.helped[e.to]
		if !m.beyond[e.from] {
			leads |= m.leads[e.to]
			plain = append(plain, e)
		}
	}
	leads &^= m.leads[start]
	helped &^= m.helped[start]
	for p := sim.Property(0); p < sim.DoneOnce; p++ {
		if (leads|helped)&(1<<p) == 0 {
			continue
		}
		from, next := edges, m.acts
		if leads&(1<<p) != 0 {
			from, next = plain, m.calms
		}
		v, err := m.shortest(p, from, next, true)
		if err != nil {
			return f, err
		}
		f.Verdicts = append(f.Verdicts, v)
	}
	switch {
	case len(f.Verdicts) > 0:
		f.Mark = MarkHarmful
	case m.bound != NoBound:
		f.Mark = MarkUndecided
	}
	return f, nil
}

// shortest finds a shortest schedule that takes one of the edges and goes on
// along next to a state that shows the verdict. It walks forward from all
// the edges' ends at once, those that are reached soonest first.
func (m *mapper) shortest(p sim.Property, edges []struck, next [][]int32, takesEdge bool) (WindowVerdict, error) {
	walk := newWalk(len(m.list))
	for _, e := range edges {
		d := m.depth[e.from]
		if takesEdge {
			d++
		}
		walk.offer(e.to, e.from, d)
	}
	end := walk.run(next, func(i int32) bool { return m.shows[i]&(1<<p) != 0 })
	path := []int32{end}
	for at := end; ; {
		from := walk.from[at]
		if walk.first[at] {
			if takesEdge {
				path = append(path, from)
			}
			at = from
			break
		}
		path = append(path, from)
		at = from
	}
	first := m.list[path[len(path)-1]]
	steps, _, err := m.schedule(first)
	if err != nil {
		return WindowVerdict{}, err
	}
	for i := len(path) - 1; i > 0; i-- {
		wanted := calmStep
		if takesEdge && i == len(path)-1 {
			wanted = m.inGap(path[i], edges[0].gap)
		}
		name, _, err := m.stepTo(m.st.state(m.list[path[i]]), m.list[path[i-1]], wanted)
		if err != nil {
			return WindowVerdict{}, err
		}
		steps = append(steps, name)
	}
	return WindowVerdict{Property: p, Schedule: steps, Intents: intents(m.masks[end][p])}, nil
}

// inGap picks the steps of a state that are a gap's fault.
func (m *mapper) inGap(from int32, key gapKey) func(o *sim.Outcome) bool {
	st := m.st.state(m.list[from])
	return func(o *sim.Outcome) bool {
		if o.Fault != key.kind {
			return false
		}
		node, settling := m.w.NodeAt(st, int(o.Proc))
		return m.locate(m.w.HandlerAt(st, int(o.Proc)), node, settling) == key.gap
	}
}

// walk is a search forward from several states that are reached at different
// depths: a queue per depth.
type walk struct {
	from    []int32
	first   []bool // it was offered, not walked to
	dist    []int32
	buckets [][]int32
}

func newWalk(n int) *walk {
	w := &walk{from: make([]int32, n), first: make([]bool, n), dist: make([]int32, n)}
	for i := range w.dist {
		w.dist[i] = -1
	}
	return w
}

// offer says that state i can be reached from another at distance d.
func (w *walk) offer(i, from, d int32) {
	if w.dist[i] >= 0 && w.dist[i] <= d {
		return
	}
	w.put(i, from, d)
	w.first[i] = true
}

func (w *walk) put(i, from, d int32) {
	w.dist[i], w.from[i], w.first[i] = d, from, false
	for int(d) >= len(w.buckets) {
		w.buckets = append(w.buckets, nil)
	}
	w.buckets[d] = append(w.buckets[d], i)
}

// run walks until a state is wanted, and returns it. One must be within reach.
func (w *walk) run(next [][]int32, wanted func(i int32) bool) int32 {
	for d := int32(0); int(d) < len(w.buckets); d++ {
		for k := 0; k < len(w.buckets[d]); k++ {
			i := w.buckets[d][k]
			if w.dist[i] != d {
				continue
			}
			if wanted(i) {
				return i
			}
			for _, to := range next[i] {
				if w.dist[to] < 0 || w.dist[to] > d+1 {
					w.put(to, i, d+1)
				}
			}
		}
	}
	panic("explore: a verdict that can be reached was not found")
}
