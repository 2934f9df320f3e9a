package web

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// The bounds of a desk.
const (
	simsAtOnce = 8    // simulations of one page
	maxSteps   = 2000 // of a schedule that a page can send
	maxName    = 512  // bytes of a scenario's, simulation's or step's name
	patience   = 10 * time.Second
)

// A desk answers the requests of one socket. It holds the sessions of one
// page, each under the name that the page gave it.
type desk struct {
	server *Server
	ctx    context.Context
	sims   map[string]Session
}

func newDesk(server *Server, ctx context.Context) *desk {
	return &desk{server: server, ctx: ctx, sims: map[string]Session{}}
}

// answer is the session boundary: a panic below it is reported as our fault,
// and the session is gone, because nobody knows what it looks like now. The
// page opens it again with the steps that it knows.
func (d *desk) answer(request Request) (reply Reply) {
	reply = Reply{Type: "state", Sim: request.Sim, Seq: request.Seq}
	defer func() {
		if fault := recover(); fault != nil {
			delete(d.sims, request.Sim)
			reply.Snapshot = nil
			reply.Problem = d.ourFault(request, fmt.Errorf("panic: %v\n%s", fault, debug.Stack()))
		}
		if reply.Snapshot == nil && reply.Type == "state" {
			reply.Type = "problem"
		}
	}()
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()

	if problem := checkRequest(request); problem != nil {
		reply.Problem = problem
		return reply
	}
	var err error
	switch request.Type {
	case "bye":
		delete(d.sims, request.Sim)
		reply.Type = "bye"
		return reply
	case "hello":
		err = d.hello(ctx, request)
	case "do":
		err = d.do(ctx, request)
	}
	if session := d.sims[request.Sim]; session != nil {
		snapshot := session.Snapshot()
		reply.Snapshot = &snapshot
	}
	if err != nil {
		var problem *Problem
		if !errors.As(err, &problem) {
			problem = d.ourFault(request, err)
		}
		reply.Problem = problem
	}
	return reply
}

// hello opens the simulation, or opens it again, and puts it where its
// learner was.
func (d *desk) hello(ctx context.Context, request Request) error {
	if d.sims[request.Sim] == nil && len(d.sims) >= simsAtOnce {
		return &Problem{Code: "too_many_simulations",
			Message: fmt.Sprintf("A page can step %d simulations at once.", simsAtOnce),
			Next:    "Open another page for the next one."}
	}
	delete(d.sims, request.Sim)
	session, err := d.server.workbook.Open(ctx, request.Start.Scenario)
	if err != nil {
		return err
	}
	d.sims[request.Sim] = session
	if len(request.Start.Steps) == 0 {
		return nil
	}
	return session.Do(ctx, Command{Do: DoLoad, Steps: request.Start.Steps, To: request.Start.Position})
}

func (d *desk) do(ctx context.Context, request Request) error {
	session := d.sims[request.Sim]
	if session == nil {
		return &Problem{Code: "not_open", Message: "This simulation isn't open.", Next: "Load the page again."}
	}
	return session.Do(ctx, *request.Command)
}

// ourFault writes down what is needed to find the bug and tells the learner
// no more than is useful.
func (d *desk) ourFault(request Request, err error) *Problem {
	d.server.log.Error("fault in a session", "request", request, "error", err)
	return &Problem{Code: "our_fault",
		Message: "Ackademy failed at this step. This is our fault, not yours.",
		Next:    "Reset the simulation; please report what the terminal shows."}
}

// checkRequest refuses what no page of ours sends.
func checkRequest(request Request) *Problem {
	bad := func(code, message string) *Problem {
		return &Problem{Code: code, Message: message, Next: "Load the page again."}
	}
	switch {
	case request.Sim == "" || len(request.Sim) > maxName:
		return bad("bad_request", "A request needs the name of its simulation.")
	case request.Type == "hello" && request.Start == nil:
		return bad("bad_request", "A hello needs a start.")
	case request.Type == "hello":
		return checkSteps(request.Start.Steps, request.Start.Scenario)
	case request.Type == "bye":
		return nil
	case request.Type != "do":
		return bad("unknown_request", "There is no such request.")
	case request.Command == nil:
		return bad("bad_request", "A do needs a command.")
	}
	switch request.Command.Do {
	case DoStep, DoBack, DoForward, DoJump, DoReset, DoFinish, DoRandom, DoLoad:
		return checkSteps(request.Command.Steps, request.Command.Action)
	}
	return bad("unknown_command", "There is no such command.")
}

func checkSteps(steps []string, name string) *Problem {
	if len(steps) > maxSteps {
		return &Problem{Code: "schedule_too_long",
			Message: fmt.Sprintf("The schedule has %d steps, the page takes %d.", len(steps), maxSteps),
			Next:    "Run it with ackademy run, which has no such limit."}
	}
	for _, step := range append([]string{name}, steps...) {
		if len(step) > maxName {
			return &Problem{Code: "name_too_long",
				Message: fmt.Sprintf("A name has %d bytes, at most %d are taken.", len(step), maxName),
				Next:    "Check the schedule: one step on each line."}
		}
	}
	return nil
}
