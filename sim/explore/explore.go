package explore

import (
	"context"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// Options bound a search. A zero bound means the default.
type Options struct {
	MaxStates int           // states stored
	MaxBytes  int64         // memory of the stored states and their index
	MaxDepth  int           // steps from the start
	MaxTime   time.Duration // none unless set: a bound in time makes results differ from run to run
	Progress  func(Progress)
}

// The bounds that hold where none is given.
const (
	DefaultMaxStates = 2_000_000
	DefaultMaxBytes  = 2 << 30
	DefaultMaxDepth  = 10_000
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
	Judging     time.Duration // part of Elapsed: the pass back that finds what nothing will bring
}

// Complete tells whether every reachable state was seen.
func (r *Report) Complete() bool { return r.Bound == NoBound }

// Finding returns the answer to one property.
func (r *Report) Finding(p sim.Property) *Finding { return &r.Findings[p] }

// search is one breadth-first search. Breadth first makes the first state that
// shows a violation the end of a shortest schedule.
type search struct {
	w       *sim.World
	o       Options
	st      *store
	parent  []uint32 // state it was first reached from
	calm    []uint32 // its first successor without a fault; itself if it is at rest
	levels  []uint32 // first state of each depth
	edges   int
	done    uint32 // states before this one have been expanded
	bound   Bound
	limit   int64
	first   [sim.DoneOnce + 1]uint32 // state that first shows each property, plus one
	shown   [sim.DoneOnce + 1]uint64 // the intents it shows it for
	began   time.Time
	judging time.Duration
}

// Run searches every schedule of a world within its fault budget. An error is
// a mistake in the scenario's text that a run comes upon; err then is a
// *MistakeError with the schedule that leads there.
func Run(ctx context.Context, w *sim.World, o Options) (*Report, error) {
	o = o.withDefaults()
	s := &search{w: w, o: o, st: newStore(w.Slots()), began: time.Now()}
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

const unknown = ^uint32(0)

func (s *search) explore(ctx context.Context) error {
	s.insert(s.w.Start(), unknown)
	next := make(sim.State, s.w.Slots())
	var current uint32
	var base sim.State
	visit := func(o *sim.Outcome) {
		s.edges++
		o.Into(next, base)
		n := s.insert(next, current)
		if o.Fault == sim.NoFault && s.calm[current] == unknown {
			s.calm[current] = n
		}
	}
	level := uint32(1) // first state of the next depth
	s.levels = append(s.levels, 0)
	for int(s.done) < s.st.count {
		if s.done == level {
			s.levels = append(s.levels, level)
			level = uint32(s.st.count)
			s.tell()
		}
		if s.stop(ctx) {
			return nil
		}
		current = s.done
		base = s.st.state(current)
		if err := s.w.Expand(base, visit); err != nil {
			return s.mistake(current, err)
		}
		if s.calm[current] == unknown {
			s.calm[current] = current
			s.rest(current, base)
		}
		s.done++
	}
	return nil
}

// insert stores a state and looks at it if it is new.
func (s *search) insert(st sim.State, from uint32) uint32 {
	n, isNew := s.st.add(st)
	if isNew {
		s.parent = append(s.parent, from)
		s.calm = append(s.calm, unknown)
		v := s.w.Certain(st)
		s.note(sim.Duplicated, n, v)
		s.note(sim.Uncaused, n, v)
	}
	return n
}

func (s *search) note(p sim.Property, n uint32, v sim.Verdicts) {
	if v.Of[p] != 0 && s.first[p] == 0 {
		s.first[p], s.shown[p] = n+1, v.Of[p]
	}
}

// rest looks at a state where nothing can happen without a fault.
func (s *search) rest(n uint32, st sim.State) {
	if s.first[sim.DoneOnce] == 0 && s.w.DoneAll(st) {
		s.first[sim.DoneOnce] = n + 1
	}
}

// stop tells whether a bound is reached.
func (s *search) stop(ctx context.Context) bool {
	switch {
	case s.st.count > s.o.MaxStates:
		s.bound, s.limit = States, int64(s.o.MaxStates)
	case len(s.levels)-1 > s.o.MaxDepth:
		s.bound, s.limit = Depth, int64(s.o.MaxDepth)
	case s.done&0xfff == 0:
		return s.stopSlow(ctx)
	}
	return s.bound != NoBound
}

// stopSlow looks at the bounds that cost more to look at.
func (s *search) stopSlow(ctx context.Context) bool {
	switch {
	case ctx.Err() != nil:
		s.bound = Cancelled
	case s.st.bytes()+int64(len(s.parent))*8 > s.o.MaxBytes:
		s.bound, s.limit = Memory, s.o.MaxBytes
	case s.o.MaxTime > 0 && time.Since(s.began) > s.o.MaxTime:
		s.bound, s.limit = Time, int64(s.o.MaxTime)
	}
	return s.bound != NoBound
}

func (s *search) tell() {
	if s.o.Progress != nil {
		s.o.Progress(Progress{States: s.st.count, Frontier: s.st.count - int(s.done), Depth: len(s.levels) - 1, Elapsed: time.Since(s.began)})
	}
}
