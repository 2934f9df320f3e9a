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
		Bytes: s.bytes(), Symmetry: s.symmetry,
		Elapsed: time.Since(s.began), Judging: s.judging, Growing: s.growing(),
	}
	if s.bound == NoBound {
		r.Idle, r.Alone = s.idle(), s.alone()
	}
	var err error
	if r.Spin, err = s.spinSteps(); err != nil {
		return nil, err
	}
	if r.Restless, err = s.restlessSteps(); err != nil {
		return nil, err
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
			steps, end, err := s.schedule(shown.at)
			if err != nil {
				return nil, err
			}
			f.Schedule = steps
			f.Intents = intents(s.nameBack(shown.mask, end))
			f.Faults, f.Needs = shown.faults, shown.needs
		}
		r.Findings = append(r.Findings, f)
	}
	return r, nil
}

// idle lists the kinds of faults that the budget has and that could never
// strike.
func (s *search) idle() []sim.FaultKind {
	var list []sim.FaultKind
	budget, offered := &s.w.Scenario().Faults, s.w.Offered()
	for _, k := range sim.FaultKinds() {
		if budget.Limit[k] > 0 && budget.Total > 0 && !offered[k] {
			list = append(list, k)
		}
	}
	return list
}

// alone lists the jobs that may overlap themselves and of which no state has two
// runs.
func (s *search) alone() []string {
	var list []string
	for _, f := range s.w.Scenario().Fronts {
		if f.Kind == sim.Job && len(f.Members) > 1 && !s.anyState(func(st sim.State) bool { return s.runs(st, f.Members) > 1 }) {
			list = append(list, f.Name)
		}
	}
	return list
}

// runs counts the processes of a list that are at work.
func (s *search) runs(st sim.State, list []int) int {
	n := 0
	for _, p := range list {
		if node, _ := s.w.NodeAt(st, p); node != 0 {
			n++
		}
	}
	return n
}

func (s *search) anyState(holds func(sim.State) bool) bool {
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			if holds(s.st.state(number(place)<<partitionBits | number(part))) {
				return true
			}
		}
	}
	return false
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
// from; each step is found again by taking those that are enabled. With
// symmetry a stored state stands for several, so the run is followed in states
// that really come one after the other.
func (s *search) schedule(n number) ([]string, sim.State, error) {
	var path []number
	for at := n; at != none; at = s.st.parent(at) {
		path = append(path, at)
	}
	steps := make([]string, 0, len(path)-1)
	real := s.w.Start()
	for i := len(path) - 2; i >= 0; i-- {
		name, next, err := s.stepTo(real, path[i], anyStep)
		if err != nil {
			return nil, nil, err
		}
		steps = append(steps, name)
		real = next
	}
	return steps, real, nil
}

// nameBack says of which intents a set speaks in a state, where the set was
// found in the state that stands for it.
func (s *search) nameBack(set uint64, st sim.State) uint64 {
	if s.sym == nil {
		return set
	}
	return back(set, s.sym.Canonical(append(sim.State(nil), st...)))
}

// stepTo names the first of the wanted steps that leads from a state to one
// that a stored state stands for, and returns that state.
func (s *search) stepTo(from sim.State, to number, wanted func(o *sim.Outcome) bool) (string, sim.State, error) {
	want := s.st.state(to)
	next, canonical := make(sim.State, s.w.Slots()), make(sim.State, s.w.Slots())
	var name string
	var found sim.State
	err := s.w.Expand(from, func(o *sim.Outcome) {
		if found != nil || !wanted(o) {
			return
		}
		o.Into(next, from)
		copy(canonical, next)
		if s.sym != nil {
			s.sym.Canonical(canonical)
		}
		if equal(canonical, want) {
			name, found = o.Name, append(sim.State(nil), next...)
		}
	})
	return name, found, err
}

func anyStep(*sim.Outcome) bool    { return true }
func calmStep(o *sim.Outcome) bool { return !o.Fault.Strikes() }

// mistake wraps a scenario's error with the way to it.
func (s *search) mistake(n number, err error) error {
	steps, _, scheduleErr := s.schedule(n)
	if scheduleErr != nil {
		steps = nil
	}
	return &MistakeError{Schedule: steps, Cause: err}
}
