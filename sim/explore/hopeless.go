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
	ahead, err := s.handBack(doubtful)
	if err != nil || s.bound == Cancelled {
		return err // half of this pass says nothing: the answers are undecided
	}
	depth, reach := s.depths(), ahead.reach
	s.findSpin(doubtful, ahead, depth)
	for i, n := range doubtful {
		st := s.st.state(n)
		v := s.w.Hopeless(st, s.w.Missing(st)&^reach[i].done, ^reach[i].closed)
		v.Of[sim.Unresolved] = s.w.Untold(st) &^ reach[i].told
		v.Of[sim.Uncaused] = s.w.Causeless(st) &^ reach[i].caused
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

// reachable is what can still come to be, per intent.
type reachable struct {
	done   uint64 // not missing, here or later
	told   uint64 // its caller told, here or later
	closed uint64 // nothing of it open, here or later
	caused uint64 // no effect without its cause, here or later
}

// edge leads from a doubtful state to another. Where symmetry has renamed the
// intents on the way, intents says where each has gone.
type edge struct {
	to      int32
	atOnce  bool // the clock does not move
	intents []int
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
		reach[i] = reachable{done: ^s.w.Missing(st), told: ^s.w.Untold(st), closed: ^s.w.Open(st), caused: ^s.w.Causeless(st)}
		err := s.w.Expand(st, func(o *sim.Outcome) {
			if o.Fault != sim.NoFault {
				return
			}
			o.Into(next, st)
			to, intents := s.find(next)
			if j := place.of(to); j >= 0 {
				edges = append(edges, edge{int32(j), o.Kind != sim.StepTimer, intents})
			} else {
				reach[i] = reachable{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
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
			for _, e := range edges[from:ends[i]] {
				reach[i].done |= back(reach[e.to].done, e.intents)
				reach[i].told |= back(reach[e.to].told, e.intents)
				reach[i].closed |= back(reach[e.to].closed, e.intents)
				reach[i].caused |= back(reach[e.to].caused, e.intents)
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
