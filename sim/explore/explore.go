package explore

import (
	"context"
	"runtime"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// Options bound a search. A zero bound means the default.
type Options struct {
	MaxStates int           // states stored
	MaxBytes  int64         // memory of the stored states, their index, and what the world remembers
	MaxDepth  int           // steps from the start
	MaxTime   time.Duration // none unless set: a bound in time makes results differ from run to run
	Workers   int           // goroutines; results do not depend on it. Default: one per processor, at most 8
	Symmetry  bool          // one of each set of states that differ only in who is who
	Progress  func(Progress)
}

// The bounds that hold where none is given.
const (
	DefaultMaxStates = 2_000_000
	DefaultMaxBytes  = 2 << 30
	DefaultMaxDepth  = 250_000 // days of redeliveries every few seconds
)

// Progress is how far a search has come.
type Progress struct {
	States, Frontier, Depth int
	Elapsed                 time.Duration
}

// Bound names what ended a search early.
type Bound string

// The bounds.
const (
	NoBound   Bound = ""
	States    Bound = "states"
	Memory    Bound = "memory"
	Depth     Bound = "depth"
	Time      Bound = "time"
	Cancelled Bound = "cancelled"
)

// Status is the answer to one property.
type Status string

// The answers. Undecided is neither of the others: a bound was reached.
const (
	Holds     Status = "holds"
	Violated  Status = "violated"
	Undecided Status = "undecided"
	Reached   Status = "reached"   // the goal
	Unreached Status = "unreached" // the goal, after a complete search
)

// Finding is the answer to one property, with a shortest schedule where there
// is one to show.
type Finding struct {
	Property sim.Property
	Status   Status
	Schedule []string // names of steps, from the start
	Intents  []int    // those that the verdict speaks of in the state it ends in
	Faults   int      // in that schedule: of the shortest ones, it has the fewest
	Needs    int      // the fewest faults with which any schedule shows it
}

// Report is the result of a search.
type Report struct {
	States      int
	Transitions int
	Depth       int // longest shortest path seen
	Bound       Bound
	Limit       int64 // the value of the bound that was reached
	Findings    []Finding
	Bytes       int64
	Elapsed     time.Duration
	Capped      bool            // some intent has as many effects as are counted; more are not told apart
	Spin        *Spin           // an endless repetition in which the clock stands still; nil: none was found
	Restless    *Spin           // everything is done, and this goes on for ever: no run comes to its goal; nil: not so
	Idle        []sim.FaultKind // of the budget's faults, those that no state offers; only where all states were seen
	Alone       []string        // jobs that may overlap themselves and never do; only where all states were seen
	Growing     []Growth        // where a bound was reached: what only grew along the longest run that was seen
	Symmetry    string          // empty if it was not asked for; else "on", "on for replicas: why not more" or "off: why"
	Judging     time.Duration   // part of Elapsed: the pass back that finds what nothing will bring
}

// Spin is a run that goes round: nothing but a fault or another choice ends it.
// In Report.Spin the clock stands still meanwhile, and what is missing does not
// come; that is looked for among the states from which something is hopeless or
// doubtful.
type Spin struct {
	Schedule []string // to the first state of the circle
	Cycle    []string // the steps that lead back to it
}

// Complete tells whether every reachable state was seen.
func (r *Report) Complete() bool { return r.Bound == NoBound }

// Finding returns the answer to one property.
func (r *Report) Finding(p sim.Property) *Finding { return &r.Findings[p] }

// Run searches every schedule of a world within its fault budget. An error is
// a mistake in the scenario's text that a run comes upon; err then is a
// *MistakeError with the schedule that leads there.
func Run(ctx context.Context, w *sim.World, o Options) (*Report, error) {
	s := newSearch(w.Searching(), o.withDefaults())
	if err := s.explore(ctx); err != nil {
		return nil, err
	}
	if err := s.judge(); err != nil {
		return nil, err
	}
	return s.report()
}

func (o Options) withDefaults() Options {
	if o.MaxStates <= 0 {
		o.MaxStates = DefaultMaxStates
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Workers <= 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), 8)
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	return o
}

// MistakeError is a mistake in a handler's text and a schedule that reaches
// it.
type MistakeError struct {
	Schedule []string
	Cause    error
}

func (e *MistakeError) Error() string { return e.Cause.Error() }
func (e *MistakeError) Unwrap() error { return e.Cause }
