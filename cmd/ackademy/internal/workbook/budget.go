package workbook

import (
	"context"
	"errors"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
)

// changeBudget starts the same text anew with another budget of faults, and
// takes the steps again as far as they fit.
func (s *session) changeBudget(ctx context.Context, name string) error {
	if name != "" && name != web.OneFault {
		return &web.Problem{Code: "no_budget", Message: "There is no such budget of faults.", Next: "Load the page again."}
	}
	if name == s.budget {
		return nil
	}
	// Loaded anew, because a handler's tree depends on the faults there are.
	sc, err := script.Load(s.sc.Filename, []byte(s.sc.Source))
	if err != nil {
		return problemOf(err, nil)
	}
	if name == web.OneFault {
		sc.Scenario.Faults = explore.OneFault()
	}
	steps, position := s.run.Steps(), s.position
	s.sc, s.budget, s.world = sc, name, sim.New(sc.Scenario)
	s.run, s.position = schedule.New(s.world), 0
	err = s.load(ctx, web.Command{Steps: steps, To: position})
	var problem *web.Problem
	if errors.As(err, &problem) && problem.Code == "not_enabled" {
		return &web.Problem{Code: "steps_dropped", Message: problem.Message[:len(problem.Message)-1] + " with this budget of faults; the steps before it stay.",
			Next: "Go on from here, or choose the other budget."}
	}
	return err
}
