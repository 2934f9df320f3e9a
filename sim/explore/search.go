package explore

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// search is one breadth-first search. Breadth first makes the first state that
// shows a violation the end of a shortest schedule.
//
// States of one depth are expanded in batches, and each batch in three phases:
//
//  1. workers expand pieces of the batch into out-boxes, one per partition,
//     using only what the world has worked out already; a state that needs
//     more is put aside;
//  2. one goroutine expands those that were put aside, in their order, which
//     is where the world learns and hands out numbers;
//  3. workers empty the out-boxes into the partitions, piece by piece in order.
//
// Nothing depends on who came first, so states, their order and all links are
// the same for any number of workers.
type search struct {
	ctx     context.Context
	w       *sim.World
	o       Options
	st      *store
	depth   int
	edges   int
	bound   Bound
	limit   int64
	shown   [sim.DoneOnce + 1]shown // the state that is shown for each property
	began   time.Time
	judging time.Duration

	spin     []number // the states of a circle in zero time, the first one last again
	sym      *sim.Symmetry
	symmetry string

	unexpanded []number // when a bound ended the search: states that were not expanded
	pieces     []*piece // reused from batch to batch
}

const (
	pieceStates = 256 // states that a worker takes at a time
	batchStates = 16_384
)

// shown is the state that shows a property: one of the shallowest and, among
// those, one with the fewest faults. needs is the fewest with which any state
// shows it.
type shown struct {
	at     number
	mask   uint64 // the intents it shows it for
	depth  int
	faults int
	needs  int
}

// finding is a state that shows a property.
type finding struct {
	p      sim.Property
	at     number
	mask   uint64
	faults int
}

func newSearch(w *sim.World, o Options) *search {
	s := &search{w: w, o: o, st: newStore(w.Slots()), began: time.Now()}
	for p := range s.shown {
		s.shown[p] = shown{at: none}
	}
	if o.Symmetry {
		s.symmetry = "on"
		var reason string
		if s.sym, reason = w.Symmetry(); s.sym == nil {
			s.symmetry = "off: " + reason
		} else if reason != "" {
			s.symmetry = "on for replicas: " + reason
		}
	}
	return s
}

func (s *search) explore(ctx context.Context) error {
	s.ctx = ctx
	start := s.w.Start()
	h := hash(start)
	n, _ := s.st.add(partitionOf(h), start, h, none)
	s.noteCertain(n, start)
	var seen [partitions]int // states of each partition that have had their turn
	for s.depth = 0; ; s.depth++ {
		level := s.nextLevel(&seen)
		if len(level) == 0 {
			s.depth--
			return nil
		}
		for at := 0; at < len(level); at += batchStates {
			stopped := s.stop(ctx)
			if !stopped {
				done, err := s.batch(level[at:min(at+batchStates, len(level))])
				if err != nil {
					return err
				}
				stopped = !done
			}
			if stopped {
				s.unexpanded = level[at:]
				s.nextLevelInto(&seen)
				return nil
			}
			s.tell(len(level) - at)
		}
	}
}

// noteCertain looks at the first state, which no step leads to.
func (s *search) noteCertain(n number, st sim.State) {
	v := s.w.Certain(st)
	for _, p := range certainProperties {
		if v.Of[p] != 0 {
			s.note(finding{p, n, v.Of[p], 0}, 0)
		}
	}
}

// certainProperties are the verdicts that a state shows by itself.
var certainProperties = []sim.Property{sim.Duplicated, sim.Uncaused}

// nextLevel lists the states that were added since the last call.
func (s *search) nextLevel(seen *[partitions]int) []number {
	n := s.st.count()
	for _, places := range seen {
		n -= places
	}
	level := make([]number, 0, n)
	for part := range s.st.parts {
		n := s.st.parts[part].count
		for place := seen[part]; place < n; place++ {
			level = append(level, number(place)<<partitionBits|number(part))
		}
		seen[part] = n
	}
	return level
}

func (s *search) nextLevelInto(seen *[partitions]int) {
	s.unexpanded = append(append([]number(nil), s.unexpanded...), s.nextLevel(seen)...)
}

// batch expands some states of one depth. It returns false where the search
// was cancelled meanwhile: then nothing of the batch was stored.
func (s *search) batch(states []number) (bool, error) {
	s.w.Prepare()
	n := (len(states) + pieceStates - 1) / pieceStates
	for len(s.pieces) < n {
		s.pieces = append(s.pieces, &piece{})
	}
	pieces := s.pieces[:n]
	s.parallel(n, func(i int) {
		s.expandKnown(pieces[i], states[i*pieceStates:min((i+1)*pieceStates, len(states))])
	})
	for _, p := range pieces {
		if s.cancelled() {
			return false, nil
		}
		if err := s.expandAside(p); err != nil {
			return false, err
		}
	}
	if s.cancelled() { // during the last piece, which then may be half done
		return false, nil
	}
	if s.sym != nil {
		for _, p := range pieces {
			s.makeCanonical(p)
		}
	}
	s.w.Prepare()
	s.parallel(partitions, func(part int) { s.deliver(pieces, part) })
	for _, p := range pieces {
		s.collect(p)
	}
	return true, nil
}

// cancelled notes that somebody waits for the search to end. It is asked
// inside a batch too, because a batch of states that are all new to the world
// means interpreting handlers for a long time.
func (s *search) cancelled() bool {
	if s.ctx.Err() == nil {
		return false
	}
	s.bound, s.limit = Cancelled, 0
	return true
}

// parallel calls f for 0 to n-1, spread over the workers.
func (s *search) parallel(n int, f func(i int)) {
	if s.o.Workers == 1 || n == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	var broken atomic.Value
	for range min(s.o.Workers, n) {
		wait.Go(func() {
			// A panic is a broken invariant of ours. It is carried to the caller's
			// goroutine, where whoever called can say so and go on.
			defer func() {
				if p := recover(); p != nil {
					broken.CompareAndSwap(nil, fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wait.Wait()
	if p := broken.Load(); p != nil {
		panic(p)
	}
}

// expandKnown is phase one for a piece.
func (s *search) expandKnown(p *piece, states []number) {
	p.reset(states)
	e := newExpansion(p, s.w.Slots())
	for place, n := range states {
		e.begin(uint32(place), s.st.state(n))
		mark := p.mark()
		if !s.w.ExpandKnown(e.base, e.packed) {
			p.cut(mark)
			p.aside = append(p.aside, place)
		}
	}
}

// expandAside is phase two for a piece.
func (s *search) expandAside(p *piece) error {
	e := newExpansion(p, s.w.Slots())
	for _, place := range p.aside {
		n := p.states[place]
		e.begin(uint32(place), s.st.state(n))
		if err := s.w.Expand(e.base, e.outcome); err != nil {
			return s.mistake(n, err)
		}
	}
	return nil
}

// makeCanonical replaces a piece's successors by the one state that stands for
// each and deals them out anew. Only here can the renaming of a content be new
// to the world, so this too is done by one goroutine.
func (s *search) makeCanonical(p *piece) {
	width := s.w.Slots()
	old, edges := p.boxes, p.edges
	p.boxes = [partitions]outbox{}
	for _, box := range old {
		for ; len(box) > 0; box = box[width+boxed:] {
			st := sim.State(box[:width])
			s.sym.Canonical(st)
			p.post(st, hash(st), box[width+2])
		}
	}
	p.edges = edges // posting counts, and these were counted before
}

// find returns the number of the stored state that stands for st, which it may
// rename, and where the intents have gone; nil if nothing is renamed.
func (s *search) find(st sim.State) (number, []int) {
	if s.sym == nil {
		return s.st.find(st), nil
	}
	intents := s.sym.Canonical(st)
	return s.st.find(st), intents
}

// deliver is phase three for a partition.
func (s *search) deliver(pieces []*piece, part int) {
	width := s.w.Slots()
	for _, p := range pieces {
		primed := 0
		for box := p.boxes[part]; len(box) > 0; box = box[width+boxed:] {
			if primed--; primed < 0 {
				primed = s.st.primeBox(part, box) - 1
			}
			st := sim.State(box[:width:width])
			h, from := uint64(box[width])<<32|uint64(box[width+1]), box[width+2]
			place := from &^ (calmMark | busyMark)
			if from&busyMark != 0 {
				p.busy[place] = true
			}
			n, isNew := s.st.add(part, st, h, p.states[place])
			if from&calmMark != 0 {
				p.calm[place] = n
			}
			if isNew {
				p.judge(s.w, part, n, st)
			}
		}
	}
}

// collect takes over what came of a piece. The first finding in the order of
// pieces and partitions counts; all of one batch have the same depth.
func (s *search) collect(p *piece) {
	s.edges += p.edges
	for part := range p.found {
		for _, f := range p.found[part] {
			s.note(f, s.depth+1)
		}
	}
	for place, n := range p.states {
		to := p.calm[place]
		if to == none {
			to = n
		}
		if !p.busy[place] {
			if st := s.st.state(n); s.w.DoneAll(st) {
				s.note(finding{sim.DoneOnce, n, 0, s.w.FaultsUsed(st)}, s.depth)
			}
		}
		s.st.setCalm(n, to)
	}
}

// note keeps a finding if it is better than what was found before.
func (s *search) note(f finding, depth int) {
	best := &s.shown[f.p]
	if best.at == none {
		*best = shown{f.at, f.mask, depth, f.faults, f.faults}
		return
	}
	needs := min(best.needs, f.faults)
	if depth < best.depth || depth == best.depth && f.faults < best.faults {
		*best = shown{at: f.at, mask: f.mask, depth: depth, faults: f.faults}
	}
	best.needs = needs
}

// stop tells whether a bound is reached.
func (s *search) stop(ctx context.Context) bool {
	count := s.st.count()
	switch {
	case count > s.o.MaxStates:
		s.bound, s.limit = States, int64(s.o.MaxStates)
	case s.depth > s.o.MaxDepth:
		s.bound, s.limit = Depth, int64(s.o.MaxDepth)
	case s.cancelled():
	case s.bytes() > s.o.MaxBytes:
		s.bound, s.limit = Memory, s.o.MaxBytes
	case s.o.MaxTime > 0 && time.Since(s.began) > s.o.MaxTime:
		s.bound, s.limit = Time, int64(s.o.MaxTime)
	}
	return s.bound != NoBound
}

// bytes is what a search has in memory: the states and their index, and what
// the world remembers, which outgrows them where every state has contents of
// its own.
func (s *search) bytes() int64 { return s.st.bytes() + s.w.Weight() }

func (s *search) tell(frontier int) {
	if s.o.Progress != nil {
		s.o.Progress(Progress{States: s.st.count(), Frontier: frontier, Depth: s.depth, Elapsed: time.Since(s.began)})
	}
}
