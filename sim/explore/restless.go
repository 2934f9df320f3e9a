package explore

import "github.com/ackademy/ackademy/sim"

// Runs that have done everything and never come to rest: a heartbeat that is
// renewed for ever keeps a scenario from its goal, and a reader has to be told
// that it is this and not something undone.

// restlessSteps names, where no run comes to its goal, the steps that repeat
// after everything is done; nil where it is never done, or not all was seen.
func (s *search) restlessSteps() (*Spin, error) {
	if s.shown[sim.DoneOnce].at != none || s.bound != NoBound {
		return nil, nil
	}
	done := s.firstDone()
	if done == none {
		return nil, nil
	}
	seen := map[number]bool{}
	at := done
	for ; !seen[at]; at = s.st.calm(at) {
		seen[at] = true
	}
	if !s.w.DoneAll(s.st.state(at)) || s.st.calm(at) == at {
		return nil, nil // what goes on undoes it
	}
	steps, real, err := s.schedule(at)
	if err != nil {
		return nil, err
	}
	out := &Spin{Schedule: steps}
	for n := s.st.calm(at); ; n = s.st.calm(n) {
		var name string
		if name, real, err = s.stepTo(real, n, calmStep); err != nil {
			return nil, err
		}
		if out.Cycle = append(out.Cycle, name); n == at {
			return out, nil
		}
	}
}

// firstDone is one of the shallowest states in which everything promised is
// done.
func (s *search) firstDone() number {
	depth, best := s.depths(), none
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			n := number(place)<<partitionBits | number(part)
			if (best == none || depth.of(n) < depth.of(best)) && s.w.DoneAll(s.st.state(n)) {
				best = n
			}
		}
	}
	return best
}
