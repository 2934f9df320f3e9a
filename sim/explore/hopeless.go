package explore

import (
	"time"

	"github.com/ackademy/ackademy/sim"
)

// An intent is hopeless in a state if it is promised, its effect is missing,
// and no continuation without a further fault brings it (world.md section 6).
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

// judge finds the first state that shows each verdict that is about the
// future.
func (s *search) judge() error {
	began := time.Now()
	defer func() { s.judging = time.Since(began) }()
	fates := s.follow()
	var doubtful []uint32
	place := make(map[uint32]int)
	for n := range uint32(s.st.count) {
		if fates[n] == fateDoubtful {
			place[n] = len(doubtful)
			doubtful = append(doubtful, n)
		}
	}
	if len(doubtful) == 0 {
		return nil
	}
	reach, err := s.handBack(doubtful, place)
	if err != nil {
		return err
	}
	for i, n := range doubtful {
		st := s.st.state(n)
		v := s.w.Hopeless(st, s.w.Missing(st)&^reach[i].done, ^reach[i].closed)
		v.Of[sim.Unresolved] = s.w.Untold(st) &^ reach[i].told
		for _, p := range futureProperties {
			s.note(p, n, v)
		}
	}
	return nil
}

// futureProperties are the verdicts that depend on what can still come.
var futureProperties = []sim.Property{sim.Lost, sim.Stuck, sim.DeadLettered, sim.ConflictAccepted, sim.Unresolved}

// follow walks from every state along its remembered fault-free successors to
// a rest, and tells which states are well. A state that was not expanded
// counts as well: what lies behind it is not known, so nothing is claimed.
func (s *search) follow() []fate {
	fates := make([]fate, s.st.count)
	for n := s.done; int(n) < s.st.count; n++ {
		fates[n] = fateWell
	}
	var path []uint32
	for n := range s.done {
		path = path[:0]
		at := n
		for fates[at] == fateUnknown {
			fates[at] = fateOnPath
			path = append(path, at)
			if s.calm[at] == at {
				break
			}
			at = s.calm[at]
		}
		end := fates[at]
		if end == fateOnPath {
			end = fateDoubtful
			if st := s.st.state(at); s.calm[at] == at && s.w.Missing(st) == 0 && s.w.Untold(st) == 0 {
				end = fateWell
			}
		}
		for _, p := range path {
			fates[p] = end
		}
	}
	return fates
}

// reachable is what can still come to be, per intent.
type reachable struct {
	done   uint64 // not missing, here or later
	told   uint64 // its caller told, here or later
	closed uint64 // nothing of it open, here or later
}

// handBack computes what every doubtful state can still reach without a fault.
func (s *search) handBack(doubtful []uint32, place map[uint32]int) ([]reachable, error) {
	reach := make([]reachable, len(doubtful))
	var edges []int32 // doubtful successors, one behind the other
	ends := make([]int, len(doubtful))
	next := make(sim.State, s.w.Slots())
	for i, n := range doubtful {
		st := s.st.state(n)
		reach[i] = reachable{done: ^s.w.Missing(st), told: ^s.w.Untold(st), closed: ^s.w.Open(st)}
		err := s.w.Expand(st, func(o *sim.Outcome) {
			if o.Fault != sim.NoFault {
				return
			}
			o.Into(next, st)
			to, _ := s.st.add(next)
			if j, ok := place[to]; ok {
				edges = append(edges, int32(j))
			} else {
				reach[i] = reachable{^uint64(0), ^uint64(0), ^uint64(0)}
			}
		})
		if err != nil {
			return nil, s.mistake(n, err)
		}
		ends[i] = len(edges)
	}
	for changed := true; changed; {
		changed = false
		for i := len(doubtful) - 1; i >= 0; i-- {
			from := 0
			if i > 0 {
				from = ends[i-1]
			}
			was := reach[i]
			for _, j := range edges[from:ends[i]] {
				reach[i].done |= reach[j].done
				reach[i].told |= reach[j].told
				reach[i].closed |= reach[j].closed
			}
			changed = changed || reach[i] != was
		}
	}
	return reach, nil
}
