package schedule

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Following: the same schedule under another handler.
//
// Replay is strict, but two handlers that differ have no schedule in common.
// So the steps of a run are pinned: a call to its process, the job that the
// process is at, the call itself and which time it makes it in that job; a
// fault to the call that it strikes at. Another world then follows the pins in
// their order:
//
//   - a pin that fits is taken;
//   - where it doesn't fit yet, its process makes the calls that lie before it:
//     those that only this handler has are extra, those that the other run
//     makes later are moved. Where that doesn't help, the others make their
//     extra calls too;
//   - a fault that is pinned to a call on the way isn't passed by: then the
//     pin that was looked for is missing, and the fault strikes;
//   - a pin that can't be reached is missing, and no step is taken for it.
//
// Jobs correspond by what begins them: a service's and those that a clock
// or a person starts by their number, a consumer's by the delivery that both runs made. So whatever belongs to a
// delivery that only one of them needs is extra or missing as a whole.
//
// The result is an ordinary run, whose steps are a strict schedule.

// Pin is a step as another handler can follow it.
type Pin struct {
	Step       string // the name in the run that it comes from
	Process    string // who acts or is struck; empty: a party by itself
	Kind       sim.StepKind
	Fault      sim.FaultKind
	Job        int    // which job of the process it belongs to or begins, from 1
	Call       string // the call made or about to be made; empty: the name says all
	Occurrence int    // which of these calls in the job, from 1
}

// Match says what became of a step.
type Match string

// The matches.
const (
	Same    Match = "same"
	Moved   Match = "moved"   // both have it, at different places
	Plain   Match = "plain"   // the call was made, but this fault can't strike there
	Extra   Match = "extra"   // only the following run has it
	Missing Match = "missing" // only the run that is followed has it
)

// Row is one line of two runs side by side. Left is a step of the run that is
// followed, Right one of the run that follows, from 0; -1: none. A moved step
// has two rows, each with the other's step in Other.
type Row struct {
	Match       Match
	Left, Right int
	Other       int
}

// Pins pins the steps of a run.
func Pins(r *Run) []Pin {
	t := newTracker(r.World)
	pins := make([]Pin, r.Len())
	for i := range r.taken {
		step := r.Outcome(i)
		pins[i] = t.pin(&step)
		t.took(&pins[i], r.Events(i))
	}
	return pins
}

// Follow drives a new run along pins. The error, if any, is a mistake in a
// handler's text that the run came upon.
func Follow(w *sim.World, pins []Pin) (*Run, []Row, error) {
	f := &follower{run: New(w), tracker: newTracker(w), pins: pins, done: make([]int, len(pins)), jobs: map[jobOf]int{}}
	for i := range f.done {
		f.done[i] = -1
	}
	for i := range pins {
		if f.done[i] >= 0 {
			f.rows = append(f.rows, Row{Match: Moved, Left: i, Right: -1, Other: f.done[i]})
			continue
		}
		if err := f.follow(i); err != nil {
			return f.run, f.rows, err
		}
	}
	return f.run, f.rows, nil
}

// tracker counts what processes do: their jobs, and the calls in the present
// one.
type tracker struct {
	w    *sim.World
	jobs []int
	made []map[string]int
}

func newTracker(w *sim.World) *tracker {
	n := len(w.Scenario().Processes)
	t := &tracker{w: w, jobs: make([]int, n), made: make([]map[string]int, n)}
	t.begin(w.Beginning())
	return t
}

// begin counts the jobs that a step begins. A batch is one job, whatever it
// holds; what a process does at its end belongs to its last one.
func (t *tracker) begin(events []sim.Event) {
	began := map[int16]bool{}
	for _, e := range events {
		switch e.Kind {
		case sim.EventEnd:
			began[e.Proc] = false
		case sim.EventStart, sim.EventDeliver, sim.EventTaken, sim.EventRun:
			if !began[e.Proc] {
				t.jobs[e.Proc]++
				t.made[e.Proc] = map[string]int{}
			}
			began[e.Proc] = true
		}
	}
}

// took notes a step that was taken.
func (t *tracker) took(p *Pin, events []sim.Event) {
	if i := t.index(p.Process); i >= 0 && p.Call != "" && p.Fault != sim.Crash && p.Fault != sim.Stall {
		made := maps.Clone(t.made[i]) // copies share it
		if made == nil {
			made = map[string]int{}
		}
		made[p.Call]++
		if strings.HasPrefix(p.Call, oneOf) {
			made[strings.TrimSpace(oneOf)]++ // a fault before it doesn't know how it will come out
		}
		t.made[i] = made
	}
	t.begin(events)
}

func (t *tracker) index(process string) int {
	return slices.IndexFunc(t.w.Scenario().Processes, func(p sim.Process) bool { return p.Name == process })
}

func (t *tracker) clone() *tracker {
	return &tracker{w: t.w, jobs: slices.Clone(t.jobs), made: slices.Clone(t.made)}
}

// publication is the number of a publication at the end of a message's name.
// Two handlers may number the same publication differently.
var publication = regexp.MustCompile(`^(publish .*)'[0-9]+$`)

// oneOf begins the name of a free choice; what was chosen follows.
var oneOf = sim.VerbOneOf.String() + " "

// pin pins a step that is possible now.
func (t *tracker) pin(o *sim.Outcome) Pin {
	p := Pin{Step: o.Name, Kind: o.Kind, Fault: o.Fault}
	if o.Proc < 0 {
		return p
	}
	p.Process = t.w.Scenario().Processes[o.Proc].Name
	p.Job = t.jobs[o.Proc]
	call, own := strings.CutPrefix(o.Name, p.Process+" ")
	switch {
	case o.Kind == sim.StepDeliver:
		p.Job++
		return p
	case !own || o.Kind == sim.StepWake || o.Kind == sim.StepOperator || o.Fault == sim.ConnectionLost || o.Fault == sim.Stop:
		return p
	case o.Fault == sim.Crash || o.Fault == sim.Stall:
		_, call, _ = strings.Cut(call, " before ")
	case o.Fault != sim.NoFault:
		call = call[:strings.LastIndexByte(call, ' ')]
	}
	p.Call = publication.ReplaceAllString(call, "$1")
	p.Occurrence = t.made[o.Proc][p.Call] + 1
	return p
}

// maxOnTheWay bounds the steps that are taken to reach one pin.
const maxOnTheWay = 200

type jobOf struct {
	process string
	job     int
}

// follower is a run that follows pins.
type follower struct {
	*tracker
	run  *Run
	pins []Pin
	done []int         // by pin: the step that was taken for it out of its turn; -1: none
	jobs map[jobOf]int // of the run that is followed: which job here corresponds
	rows []Row
}

// follow takes the step of a pin, if it can be reached.
func (f *follower) follow(i int) error {
	pin := &f.pins[i]
	length, rows := f.run.Len(), len(f.rows)
	before, done := f.tracker.clone(), slices.Clone(f.done)
	for range maxOnTheWay {
		steps, err := f.run.Enabled()
		if err != nil {
			return err
		}
		if at, match := f.find(steps, pin); at >= 0 {
			return f.take(steps[at], Row{Match: match, Left: i}, pin)
		}
		if f.outOfReach(pin) {
			break
		}
		at := f.onTheWay(steps, i)
		if at < 0 {
			break
		}
		passed, err := f.pass(steps, at, i)
		if err != nil {
			return err
		}
		if !passed {
			break
		}
	}
	f.run.Back(length)
	f.tracker, f.done, f.rows = before, done, f.rows[:rows]
	f.rows = append(f.rows, Row{Match: Missing, Left: i, Right: -1})
	return nil
}

// take takes a step and adds its row. pin is the one that it stands for, or
// nil.
func (f *follower) take(o sim.Outcome, row Row, pin *Pin) error {
	own := f.tracker.pin(&o)
	row.Right = f.run.Len()
	if err := f.run.take(o); err != nil {
		return err
	}
	f.tracker.took(&own, f.run.Events(row.Right))
	if pin != nil && pin.Kind == sim.StepDeliver {
		f.jobs[jobOf{pin.Process, pin.Job}] = own.Job
	}
	f.rows = append(f.rows, row)
	return nil
}

// find looks for the step of a pin among those that are possible.
func (f *follower) find(steps []sim.Outcome, pin *Pin) (at int, match Match) {
	plain := -1
	for i := range steps {
		own := f.tracker.pin(&steps[i])
		if pin.Call == "" {
			if own.Step == pin.Step {
				return i, Same
			}
			continue
		}
		if !f.sameCall(&own, pin) {
			continue
		}
		if own.Fault == pin.Fault {
			return i, Same
		}
		if own.Fault == sim.NoFault && pin.Fault != sim.Crash && pin.Fault != sim.Stall && plain < 0 {
			plain = i
		}
	}
	return plain, Plain
}

// sameCall tells whether a step here is at the call that a pin is at.
func (f *follower) sameCall(own, pin *Pin) bool {
	return pin.Call != "" && own.Call == pin.Call && own.Process == pin.Process && own.Occurrence == pin.Occurrence && own.Job == f.jobHere(pin)
}

// jobHere is the job of this run that corresponds to a pin's; 0: none.
func (f *follower) jobHere(pin *Pin) int {
	p := f.index(pin.Process)
	if p < 0 {
		return 0
	}
	if f.w.Scenario().Processes[p].Kind != sim.Consumer {
		return pin.Job
	}
	return f.jobs[jobOf{pin.Process, pin.Job}]
}

// outOfReach tells whether a pin's job is over, or never was.
func (f *follower) outOfReach(pin *Pin) bool {
	if pin.Call == "" {
		return false
	}
	job := f.jobHere(pin)
	p := f.index(pin.Process)
	if p < 0 || job == 0 && pin.Job > 0 || job < f.tracker.jobs[p] {
		return true
	}
	node, _ := f.w.NodeAt(f.run.State(), p)
	return node == 0
}

// onTheWay chooses the step to take where a pin is not possible yet: one of
// its process, else an extra one of somebody else.
func (f *follower) onTheWay(steps []sim.Outcome, i int) int {
	pin := &f.pins[i]
	if pin.Call != "" || pin.Kind == sim.StepDeliver {
		for at := range steps {
			own := f.tracker.pin(&steps[at])
			if own.Fault == sim.NoFault && own.Call != "" && own.Process == pin.Process {
				return at
			}
		}
	}
	for at := range steps {
		own := f.tracker.pin(&steps[at])
		if own.Fault == sim.NoFault && (own.Kind == sim.StepCall || own.Kind == sim.StepDeliver) && f.later(&own, i, false) < 0 && f.later(&own, i, true) < 0 {
			return at
		}
	}
	return -1
}

// later finds a pin from number i on that is at the same call, with or without
// a fault; -1: none.
func (f *follower) later(own *Pin, i int, fault bool) int {
	for ; i < len(f.pins); i++ {
		pin := &f.pins[i]
		if f.done[i] >= 0 || (pin.Fault != sim.NoFault) != fault {
			continue
		}
		if f.sameCall(own, pin) || pin.Call == "" && pin.Step == own.Step {
			return i
		}
	}
	return -1
}

// pass takes a step on the way to pin i. It returns false where a crash or a
// stall is pinned there: that isn't passed by.
func (f *follower) pass(steps []sim.Outcome, at, i int) (bool, error) {
	own := f.tracker.pin(&steps[at])
	k := f.later(&own, i+1, true)
	if k >= 0 && (f.pins[k].Fault == sim.Crash || f.pins[k].Fault == sim.Stall) {
		return false, nil
	}
	if k >= 0 {
		at, _ = f.find(steps, &f.pins[k])
	} else {
		k = f.later(&own, i+1, false)
	}
	if k < 0 {
		return true, f.take(steps[at], Row{Match: Extra, Left: -1}, nil)
	}
	f.done[k] = f.run.Len()
	return true, f.take(steps[at], Row{Match: Moved, Left: -1, Other: k}, &f.pins[k])
}
