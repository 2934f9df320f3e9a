package explore

import (
	"math/bits"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// report turns what was found into answers.
func (s *search) report() (*Report, error) {
	r := &Report{
		States: s.st.count(), Transitions: s.edges, Depth: s.depth, Bound: s.bound, Limit: s.limit,
		Bytes:   s.st.bytes(),
		Elapsed: time.Since(s.began), Judging: s.judging,
	}
	for _, p := range sim.Properties() {
		f := Finding{Property: p, Status: Holds}
		shown := s.shown[p]
		found := shown.at != none
		switch {
		case p == sim.DoneOnce && found:
			f.Status = Reached
		case found:
			f.Status = Violated
		case s.bound != NoBound:
			f.Status = Undecided
		case p == sim.DoneOnce:
			f.Status = Unreached
		}
		if found {
			steps, err := s.schedule(shown.at)
			if err != nil {
				return nil, err
			}
			f.Schedule = steps
			f.Intents = intents(shown.mask)
			f.Faults, f.Needs = shown.faults, shown.needs
		}
		r.Findings = append(r.Findings, f)
	}
	return r, nil
}

// intents lists the members of a set.
func intents(set uint64) []int {
	var list []int
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}

// schedule names the steps to a state. States remember only where they came
// from; the step is found again by taking each one there.
func (s *search) schedule(n number) ([]string, error) {
	var path []number
	for at := n; at != none; at = s.st.parent(at) {
		path = append(path, at)
	}
	steps := make([]string, 0, len(path)-1)
	for i := len(path) - 1; i > 0; i-- {
		name, err := s.stepBetween(path[i], path[i-1], anyStep)
		if err != nil {
			return nil, err
		}
		steps = append(steps, name)
	}
	return steps, nil
}

// stepBetween names the first of the wanted steps that leads from one state to
// another.
func (s *search) stepBetween(from, to number, wanted func(o *sim.Outcome) bool) (string, error) {
	base, want := s.st.state(from), s.st.state(to)
	next := make(sim.State, s.w.Slots())
	name := ""
	err := s.w.Expand(base, func(o *sim.Outcome) {
		if name == "" && wanted(o) {
			if o.Into(next, base); equal(next, want) {
				name = o.Name
			}
		}
	})
	return name, err
}

func anyStep(*sim.Outcome) bool    { return true }
func calmStep(o *sim.Outcome) bool { return o.Fault == sim.NoFault }

// mistake wraps a scenario's error with the way to it.
func (s *search) mistake(n number, err error) error {
	steps, scheduleErr := s.schedule(n)
	if scheduleErr != nil {
		steps = nil
	}
	return &MistakeError{Schedule: steps, Cause: err}
}
