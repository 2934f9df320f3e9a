package explore

import "github.com/ackademy/ackademy/sim"

// Circles in zero time. A consumer that gives a message back at once and gets
// it again does so for ever without the clock moving; a person has to be told
// that, because no lease and no timer will end it.

// findSpin looks for the shallowest doubtful state that leads back to itself by
// steps at one moment, and keeps a shortest way round.
func (s *search) findSpin(doubtful []number, ahead *future, depth *table) {
	round := onCircle(ahead.edges, ahead.ends)
	best := -1
	for i, n := range doubtful {
		if round[i] && (best < 0 || depth.of(n) < depth.of(doubtful[best])) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	for _, i := range wayRound(int32(best), ahead.edges, ahead.ends) {
		s.spin = append(s.spin, doubtful[i])
	}
}

func from(ends []int, i int32) int {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

// onCircle tells which states can come back to themselves by steps at one
// moment: what is left when states without such a step from or to others that
// are left are taken away again and again.
func onCircle(edges []edge, ends []int) []bool {
	n := len(ends)
	left := make([]bool, n)
	for i := range left {
		left[i] = true
	}
	for changed := true; changed; {
		changed = false
		into := make([]bool, n)
		for i := range left {
			if !left[i] {
				continue
			}
			out := false
			for _, e := range edges[from(ends, int32(i)):ends[i]] {
				if e.atOnce && left[e.to] {
					out = true
					into[e.to] = true
				}
			}
			if !out {
				left[i], changed = false, true
			}
		}
		for i := range left {
			if left[i] && !into[i] {
				left[i], changed = false, true
			}
		}
	}
	for i := range left {
		if left[i] && wayRound(int32(i), edges, ends) == nil {
			left[i] = false // it only lies between two circles
		}
	}
	return left
}

// wayRound returns a shortest way from a state back to it by steps at one
// moment, both ends included, or nil.
func wayRound(start int32, edges []edge, ends []int) []int32 {
	before := map[int32]int32{}
	queue := []int32{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range edges[from(ends, at):ends[at]] {
			if !e.atOnce {
				continue
			}
			if e.to == start {
				way := []int32{start}
				for ; at != start; at = before[at] {
					way = append([]int32{at}, way...)
				}
				return append([]int32{start}, way...)
			}
			if _, seen := before[e.to]; !seen {
				before[e.to] = at
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

// spinSteps names the steps of the circle that was found.
func (s *search) spinSteps() (*Spin, error) {
	if len(s.spin) == 0 {
		return nil, nil
	}
	steps, real, err := s.schedule(s.spin[0])
	if err != nil {
		return nil, err
	}
	out := &Spin{Schedule: steps}
	for _, n := range s.spin[1:] {
		var name string
		name, real, err = s.stepTo(real, n, func(o *sim.Outcome) bool { return calmStep(o) && o.Kind != sim.StepTimer })
		if err != nil {
			return nil, err
		}
		out.Cycle = append(out.Cycle, name)
	}
	return out, nil
}
