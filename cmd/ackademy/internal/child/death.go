package child

import (
	"context"
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/web"
)

// statusMemory is the exit status of a child that found itself too big.
const statusMemory = 70

// death says why the child is gone: a *web.Problem where a text was too much,
// the context's error where nobody waited any more, else our fault.
func (p *process) death(ctx context.Context) error {
	p.mu.Lock()
	why, limit := p.cause, p.request
	p.mu.Unlock()
	says := p.says.String()
	switch {
	case why == causeTime || cpuIsOver(p.command.ProcessState):
		return &web.Problem{Code: "scenario_time", Message: fmt.Sprintf("The scenario took longer than %v and was stopped.", limit),
			Next: "Look for a loop that runs very often, or for tuples that hold one another many times."}
	case why == causeOutput:
		return &web.Problem{Code: "scenario_output", Message: fmt.Sprintf("The scenario has more to show than %d MiB and was stopped.", p.limits.Line>>20),
			Next: "Declare fewer or shorter values."}
	case why == causeStopped:
		return context.Cause(ctx)
	case why == causeClosed:
		return fmt.Errorf("child: asked after it was closed")
	case p.command.ProcessState.ExitCode() == statusMemory, strings.Contains(says, "out of memory"), strings.Contains(says, "cannot allocate memory"):
		return &web.Problem{Code: "scenario_memory", Message: fmt.Sprintf("The scenario used more than %d MiB of memory and was stopped.", p.limits.Memory>>20),
			Next: "Build smaller lists and dictionaries, or fewer of them."}
	case strings.Contains(says, "stack overflow"):
		return &web.Problem{Code: "scenario_depth", Message: "The scenario nests values or expressions too deeply and was stopped.",
			Next: "Nest them less deeply."}
	case why == causeGarbage:
		return fmt.Errorf("child: an answer that can't be read; it complains: %q", says)
	case p.command.ProcessState.ExitCode() == -1:
		return &web.Problem{Code: "scenario_killed", Message: fmt.Sprintf("The process that runs this scenario was ended from outside (%v).", p.command.ProcessState),
			Next: "Try it again; it goes on where you were. If it happens again, this machine may be short of memory."}
	}
	return fmt.Errorf("child: ended with %v: %s", p.command.ProcessState, says)
}
