package explore

import (
	"time"

	"github.com/ackademy/ackademy/sim"
)

// An intent is hopeless in a state if it is promised, its effect is missing,
// and no continuation without a further fault brings it.
// That is a question about what can still be reached, so it is answered from
// the back.
//
// Most states need no work: each state keeps one successor without a fault,
// and if following those leads to a rest where everything promised is done and
// everybody has been told, nothing was hopeless on the way. Only for the
// others (the doubtful ones) are all fault-free successors looked at, and what
// each can still reach is handed back until nothing changes.

// fate is what is known of a state.
type fate uint8

const (
	fateUnknown fate = iota
	fateWell         // everything missing here can still come
	fateDoubtful
	fateOnPath // being followed: meeting it again is a circle
)

// fates holds one per stored state.
type fates [partitions][]fate

func (f *fates) of(n number) fate        { return f[n%partitions][n>>partitionBits] }
func (f *fates) set(n number, fate fate) { f[n%partitions][n>>partitionBits] = fate }

// judge finds the first state that shows each verdict that is about the
// future. States are looked at by depth, so the first is one of the shallowest.
func (s *search) judge() error {
	began := time.Now()
	defer func() { s.judging = time.Since(began) }()
	if s.cancelled() {
		return nil
	}
	s.noteOverwritten()
	s.noteAbandoned()
	f := s.follow()
	doubtful := s.doubtful(f)
	if len(doubtful) == 0 {
		return nil
	}
	depth := s.depths()
	doubtful = byDepth(doubtful, depth)
	ahead, err := s.handBack(doubtful)
	if err != nil || s.bound == Cancelled {
		return err // half of this pass says nothing: the answers are undecided
	}
	reach := ahead.reach
	s.findSpin(doubtful, ahead, depth)
	for i, n := range doubtful {
		st := s.st.state(n)
		v := reach[i].hopeless(s.w, st)
		for _, p := range futureProperties {
			if v.Of[p] != 0 {
				s.note(finding{p, n, v.Of[p], s.w.FaultsUsed(st)}, depth.of(n))
			}
		}
	}
	return nil
}

// noteAbandoned finds losses where a bound has ended the search: looking back
// from the future claims nothing about what lies before the states that were
// not expanded, but where nothing is left that could bring an effect, its loss
// is certain all the same.
func (s *search) noteAbandoned() {
	if s.bound == NoBound || !s.w.LocalTestHolds() {
		return
	}
	depth := s.depths()
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			n := number(place)<<partitionBits | number(part)
			st := s.st.state(n)
			v := s.abandoned(st)
			for _, p := range []sim.Property{sim.Lost, sim.ConflictAccepted} {
				if v.Of[p] != 0 {
					s.note(finding{p, n, v.Of[p], s.w.FaultsUsed(st)}, depth.of(n))
				}
			}
		}
	}
}

// abandoned judges a state by itself.
func (s *search) abandoned(st sim.State) sim.Verdicts {
	return s.w.Hopeless(st, s.w.Abandoned(st, s.w.Missing(st)), 0)
}

// noteOverwritten looks at every state for rows that an older version stands
// over; only scenarios with tables whose state counts can have them.
func (s *search) noteOverwritten() {
	if !s.w.KeepsStates() {
		return
	}
	depth := s.depths()
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			n := number(place)<<partitionBits | number(part)
			st := s.st.state(n)
			if mask := s.w.Overwritten(st); mask != 0 {
				s.note(finding{sim.Overwritten, n, mask, s.w.FaultsUsed(st)}, depth.of(n))
			}
		}
	}
}

// futureProperties are the verdicts that depend on what can still come.
var futureProperties = []sim.Property{sim.Lost, sim.Stuck, sim.DeadLettered, sim.ConflictAccepted, sim.Uncaused, sim.Unresolved}

// follow walks from every state along its remembered fault-free successors to
// a rest, and tells which states are well. A state that was not expanded
// counts as well: what lies behind it is not known, so nothing is claimed.
func (s *search) follow() *fates {
	f := &fates{}
	for part := range s.st.parts {
		f[part] = make([]fate, s.st.parts[part].count)
	}
	for _, n := range s.unexpanded {
		f.set(n, fateWell)
	}
	var path []number
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			path = s.followOne(f, number(place)<<partitionBits|number(part), path[:0])
		}
	}
	return f
}

func (s *search) followOne(f *fates, n number, path []number) []number {
	at := n
	for f.of(at) == fateUnknown {
		f.set(at, fateOnPath)
		path = append(path, at)
		if s.st.calm(at) == at {
			break
		}
		at = s.st.calm(at)
	}
	end := f.of(at)
	if end == fateOnPath {
		end = fateDoubtful
		if st := s.st.state(at); s.st.calm(at) == at && s.w.Missing(st)|s.w.Untold(st)|s.w.Causeless(st) == 0 {
			end = fateWell
		}
	}
	for _, p := range path {
		f.set(p, end)
	}
	return path
}

func (s *search) doubtful(f *fates) []number {
	var list []number
	for part := range f {
		for place, fate := range f[part] {
			if fate == fateDoubtful {
				list = append(list, number(place)<<partitionBits|number(part))
			}
		}
	}
	return list
}

// byDepth puts states in the order of their depth, those of one depth as they
// were. Most steps lead one deeper, so that handing back from the end is over
// after few rounds.
func byDepth(list []number, depth *table) []number {
	var places []int // by depth plus one: how many, then where the next one goes
	for _, n := range list {
		for depth.of(n)+1 >= len(places) {
			places = append(places, 0)
		}
		places[depth.of(n)+1]++
	}
	for d := 1; d < len(places); d++ {
		places[d] += places[d-1]
	}
	out := make([]number, len(list))
	for _, n := range list {
		d := depth.of(n)
		out[places[d]] = n
		places[d]++
	}
	return out
}

// reachable is what can still come to be, per intent.
type reachable struct {
	done   uint64 // not missing, here or later
	told   uint64 // its caller told, here or later
	caused uint64 // no effect without its cause, here or later
	closed uint64 // nothing of it open, here or later, by what does not take a lifetime
	ended  uint64 // nothing of it open, here or later
	taken  uint64 // a consumer has a message of it, here or later
}

// everything is what lies ahead of a state where nothing is in doubt.
var everything = reachable{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// here is what a state shows by itself.
func here(w *sim.World, s sim.State) reachable {
	open := w.Open(s)
	return reachable{
		done: ^w.Missing(s), told: ^w.Untold(s), caused: ^w.Causeless(s),
		closed: ^open, ended: ^open, taken: w.InHand(s),
	}
}

// hopeless is what the observer says of a state with this ahead of it.
func (r *reachable) hopeless(w *sim.World, s sim.State) sim.Verdicts {
	stays := ^r.ended | r.taken&^r.closed
	v := w.Hopeless(s, w.Missing(s)&^r.done, stays)
	v.Of[sim.Unresolved] = w.Untold(s) &^ r.told
	v.Of[sim.Uncaused] = w.Causeless(s) &^ r.caused
	return v
}

// add hands back what lies at the end of an edge.
func (r *reachable) add(e *edge, to *reachable) {
	r.done |= back(to.done, e.intents)
	r.told |= back(to.told, e.intents)
	r.caused |= back(to.caused, e.intents)
	r.taken |= back(to.taken, e.intents)
	if !e.asked {
		r.closed |= back(to.closed, e.intents) &^ e.aged
		r.ended |= back(to.ended, e.intents)
	}
}

// edge leads from a doubtful state to another. Where symmetry has renamed the
// intents on the way, intents says where each has gone.
type edge struct {
	to      int32
	atOnce  bool   // the clock does not move
	asked   bool   // a request comes that could have stayed away
	aged    uint64 // closed by nothing but the end of a lifetime, in the names of the state before
	intents []int
}

// newEdge is the edge of a step from one state to another, which has a number
// among the doubtful ones.
func newEdge(w *sim.World, o *sim.Outcome, from, to sim.State, number int32, intents []int) edge {
	return edge{number, o.Kind != sim.StepTimer, o.Kind == sim.StepRequest, w.Aged(o, from, to), intents}
}

// future is what lies ahead of doubtful states: what each can still reach
// without a fault, and the edges between them, those of state i before ends[i].
type future struct {
	reach []reachable
	edges []edge
	ends  []int
}

// handBack computes what every doubtful state can still reach without a fault.
// Where the search is cancelled meanwhile the result is of no use.
func (s *search) handBack(doubtful []number) (*future, error) {
	place := s.places(doubtful)
	reach := make([]reachable, len(doubtful))
	var edges []edge // one behind the other
	ends := make([]int, len(doubtful))
	next := make(sim.State, s.w.Slots())
	for i, n := range doubtful {
		if i%pieceStates == 0 && s.cancelled() {
			return nil, nil
		}
		st := s.st.state(n)
		reach[i] = here(s.w, st)
		err := s.w.Expand(st, func(o *sim.Outcome) {
			if o.Fault != sim.NoFault {
				return
			}
			o.Into(next, st)
			to, intents := s.find(next)
			if j := place.of(to); j >= 0 {
				edges = append(edges, newEdge(s.w, o, st, next, int32(j), intents))
			} else {
				reach[i] = everything
			}
		})
		if err != nil {
			return nil, s.mistake(n, err)
		}
		ends[i] = len(edges)
	}
	settle(reach, edges, ends, s.cancelled)
	return &future{reach, edges, ends}, nil
}

// settle hands back along the edges until nothing changes, or until it is told
// to stop.
func settle(reach []reachable, edges []edge, ends []int, stop func() bool) {
	for changed := true; changed && !stop(); {
		changed = false
		for i := len(ends) - 1; i >= 0; i-- {
			from := 0
			if i > 0 {
				from = ends[i-1]
			}
			was := reach[i]
			for n := range edges[from:ends[i]] {
				e := &edges[from+n]
				reach[i].add(e, &reach[e.to])
			}
			changed = changed || reach[i] != was
		}
	}
}

// back undoes the renaming of a set of intents.
func back(set uint64, intents []int) uint64 {
	if intents == nil {
		return set
	}
	out := uint64(0)
	for i, to := range intents {
		out |= set >> to & 1 << i
	}
	return out
}

// table holds a number for each stored state.
type table [partitions][]int32

func (t *table) of(n number) int { return int(t[n%partitions][n>>partitionBits]) }

func (s *search) newTable(fill int32) *table {
	t := &table{}
	for part := range s.st.parts {
		t[part] = make([]int32, s.st.parts[part].count)
		for i := range t[part] {
			t[part][i] = fill
		}
	}
	return t
}

// places inverts a list of states; -1 for those that are not in it.
func (s *search) places(list []number) *table {
	t := s.newTable(-1)
	for i, n := range list {
		t[n%partitions][n>>partitionBits] = int32(i)
	}
	return t
}

// depths is each state's distance from the start.
func (s *search) depths() *table {
	t := s.newTable(-1)
	var path []number
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			path = path[:0]
			at := number(place)<<partitionBits | number(part)
			for ; at != none && t.of(at) < 0; at = s.st.parent(at) {
				path = append(path, at)
			}
			d := -1
			if at != none {
				d = t.of(at)
			}
			for i := len(path) - 1; i >= 0; i-- {
				d++
				t[path[i]%partitions][path[i]>>partitionBits] = int32(d)
			}
		}
	}
	return t
}
