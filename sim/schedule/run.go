package schedule

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Run is a world being driven: the steps taken so far, with the state and the
// events of each. It is not safe for concurrent use.
type Run struct {
	World *sim.World
	taken []taken
	start sim.State
}

type taken struct {
	step   sim.Outcome
	state  sim.State
	events []sim.Event
}

// MisfitError says that a step is not enabled where a schedule has it.
type MisfitError struct {
	Index   int    // of the step, from 0
	Step    string // as the schedule names it
	Enabled []string
}

func (e *MisfitError) Error() string {
	text := fmt.Sprintf("step %d, %q, does not fit here", e.Index+1, e.Step)
	if len(e.Enabled) == 0 {
		return text + "; nothing can happen any more"
	}
	return text + "; possible are: " + strings.Join(e.Enabled, "; ")
}

// New starts a run.
func New(w *sim.World) *Run { return &Run{World: w, start: w.Start()} }

// Replay drives a new run along a schedule. With an error the run stands
// before the step that does not fit.
func Replay(w *sim.World, steps []string) (*Run, error) {
	r := New(w)
	for _, s := range steps {
		if err := r.Step(s); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Len is the number of steps taken.
func (r *Run) Len() int { return len(r.taken) }

// Steps returns the names of the steps taken, in full.
func (r *Run) Steps() []string {
	names := make([]string, len(r.taken))
	for i, t := range r.taken {
		names[i] = t.step.Name
	}
	return names
}

// Outcome returns step i (from 0) as it was enabled.
func (r *Run) Outcome(i int) sim.Outcome { return r.taken[i].step }

// Events returns what happened in step i.
func (r *Run) Events(i int) []sim.Event { return r.taken[i].events }

// At returns the state after n steps.
func (r *Run) At(n int) sim.State {
	if n == 0 {
		return r.start
	}
	return r.taken[n-1].state
}

// State returns the state the run stands in.
func (r *Run) State() sim.State { return r.At(len(r.taken)) }

// Enabled lists the steps that are possible now.
func (r *Run) Enabled() ([]sim.Outcome, error) { return r.World.Steps(r.State()) }

// Back takes back everything after the first n steps.
func (r *Run) Back(n int) { r.taken = r.taken[:n] }

// Step takes the step of that name. The bare name of a process stands for the
// one thing it can do by itself.
func (r *Run) Step(name string) error {
	steps, err := r.Enabled()
	if err != nil {
		return err
	}
	chosen, ok := choose(steps, name)
	if !ok {
		return &MisfitError{Index: len(r.taken), Step: name, Enabled: Names(steps)}
	}
	return r.take(chosen)
}

func (r *Run) take(o sim.Outcome) error {
	state, events, err := r.World.Apply(r.State(), o.Name)
	if err != nil {
		return err
	}
	r.taken = append(r.taken, taken{o, state, events})
	return nil
}

// Names lists the names of steps.
func Names(steps []sim.Outcome) []string {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Name
	}
	return names
}

func choose(steps []sim.Outcome, name string) (sim.Outcome, bool) {
	for _, s := range steps {
		if s.Name == name {
			return s, true
		}
	}
	var own []sim.Outcome
	for _, s := range steps {
		if s.Kind != sim.StepDeliver && s.Fault == sim.NoFault && strings.HasPrefix(s.Name, name+" ") {
			own = append(own, s)
		}
	}
	if len(own) == 1 && !strings.Contains(name, " ") {
		return own[0], true
	}
	return sim.Outcome{}, false
}

// Finish goes on without faults until nothing can happen or n steps are taken:
// always the first enabled step. It tells whether the run came to rest.
func (r *Run) Finish(n int) (bool, error) {
	for range n {
		steps, err := r.Enabled()
		if err != nil {
			return false, err
		}
		next, ok := firstCalm(steps)
		if !ok {
			return true, nil
		}
		if err := r.take(next); err != nil {
			return false, err
		}
	}
	return false, nil
}

func firstCalm(steps []sim.Outcome) (sim.Outcome, bool) {
	for _, s := range steps {
		if s.Calm() {
			return s, true
		}
	}
	return sim.Outcome{}, false
}

// Random goes on with steps drawn by a seed until nothing can happen or n
// steps are taken. A fault is drawn about once in eight steps while the budget
// lasts. Equal seeds give equal runs.
func (r *Run) Random(seed uint64, n int) (bool, error) {
	rng := rand.New(rand.NewPCG(seed, 0x5eed))
	for range n {
		steps, err := r.Enabled()
		if err != nil {
			return false, err
		}
		calm, faults := split(steps)
		from := calm
		if len(calm) == 0 {
			return true, nil
		}
		if len(faults) > 0 && rng.IntN(8) == 0 {
			from = faults
		}
		if err := r.take(from[rng.IntN(len(from))]); err != nil {
			return false, err
		}
	}
	return false, nil
}

func split(steps []sim.Outcome) (calm, faults []sim.Outcome) {
	for _, s := range steps {
		if s.Fault == sim.NoFault {
			calm = append(calm, s)
		} else {
			faults = append(faults, s)
		}
	}
	return calm, faults
}
