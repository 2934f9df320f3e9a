package workbook

import (
	"context"
	"fmt"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
)

// session is one learner's run. Invariant: 0 <= position <= run.Len().
type session struct {
	name      string
	sc        *script.Scenario
	budget    string // of faults, as in web.Start
	world     *sim.World
	run       *schedule.Run // the whole schedule, the part beyond position included
	position  int
	reference []script.Binding // the calls of the language, in words
}

// Close implements web.Session. Nothing is held.
func (s *session) Close() {}

// addedSteps bounds what one command adds to a run: more could not be read.
const addedSteps = 500

// Do implements web.Session.
func (s *session) Do(ctx context.Context, command web.Command) error {
	switch command.Do {
	case web.DoStep:
		return s.step(command.Action)
	case web.DoBack:
		s.position = max(0, s.position-1)
	case web.DoForward:
		s.position = min(s.run.Len(), s.position+1)
	case web.DoJump:
		s.position = s.inside(command.To)
	case web.DoReset:
		s.run.Back(0)
		s.position = 0
	case web.DoFinish:
		return s.goOn(s.run.Finish)
	case web.DoRandom:
		return s.goOn(func(n int) (bool, error) { return s.run.Random(uint64(command.Seed), n) })
	case web.DoLoad:
		return s.load(ctx, command)
	case web.DoBudget:
		return s.changeBudget(ctx, command.Budget)
	}
	return nil
}

func (s *session) inside(position int) int { return min(max(0, position), s.run.Len()) }

// step takes a step. The one that is recorded next is followed; any other one
// makes the rest of the schedule forgotten, if it is possible at all.
func (s *session) step(name string) error {
	if s.position < s.run.Len() && s.run.Outcome(s.position).Name == name {
		s.position++
		return nil
	}
	steps, err := s.world.Steps(s.run.At(s.position))
	if err != nil {
		return problemOf(err, s.sc)
	}
	for _, o := range steps {
		if o.Name == name {
			s.run.Back(s.position)
			err := s.run.Step(name)
			s.position = s.run.Len()
			return problemOf(err, s.sc)
		}
	}
	return problemOf(&schedule.MisfitError{Index: s.position, Step: name}, s.sc)
}

// goOn lets the rest of a run be chosen, from the position on.
func (s *session) goOn(choose func(n int) (bool, error)) error {
	s.run.Back(s.position)
	rest, err := choose(addedSteps)
	s.position = s.run.Len()
	if err == nil && !rest {
		return &web.Problem{Code: "no_rest", Message: fmt.Sprintf("The run has not come to rest within %d steps.", addedSteps),
			Next: "Look whether it goes in circles, or go on."}
	}
	return problemOf(err, s.sc)
}

// load replaces the schedule, as far as it fits.
func (s *session) load(ctx context.Context, command web.Command) error {
	s.run.Back(0)
	for _, step := range command.Steps {
		err := ctx.Err()
		if err == nil {
			err = problemOf(s.run.Step(step), s.sc)
		}
		if err != nil {
			s.position = s.run.Len()
			return err
		}
	}
	s.position = s.inside(command.To)
	return nil
}
