package web

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// The bounds of a desk.
const (
	simsAtOnce = 8        // simulations of one page
	maxSteps   = 2000     // of a schedule that a page can send
	maxName    = 512      // bytes of a scenario's, simulation's or step's name
	maxText    = 64 << 10 // bytes of a learner's text
	maxWaiting = rateBurst
	patience   = 10 * time.Second
)

// A desk takes the requests of one socket. Each simulation of the page has a
// stand of its own, so that one whose text takes long doesn't hold up the
// others.
//
// take and close are called by one goroutine; the stands answer on theirs.
type desk struct {
	server *Server
	ctx    context.Context
	cancel context.CancelFunc
	send   func(Reply) // must not block for long
	stands map[string]*stand
	open   sync.WaitGroup // goroutines of the stands and their searches
}

func newDesk(ctx context.Context, server *Server, send func(Reply)) *desk {
	ctx, cancel := context.WithCancel(ctx)
	return &desk{server: server, ctx: ctx, cancel: cancel, send: send, stands: map[string]*stand{}}
}

// close ends every stand and waits for them.
func (d *desk) close() {
	d.cancel()
	d.open.Wait()
}

// errCrowded ends a socket whose page asks faster than it is answered.
var errCrowded = errors.New("web: too many requests wait for an answer")

// take hands a request to its stand, or answers it where there is none.
func (d *desk) take(request Request) error {
	refuse := func(problem *Problem) {
		d.send(Reply{Type: "problem", Sim: request.Sim, Seq: request.Seq, Problem: problem})
	}
	if problem := checkRequest(request); problem != nil {
		if s := d.stands[request.Sim]; s != nil {
			return s.put(asked{Request: request, problem: problem}) // after those that were asked before
		}
		refuse(problem)
		return nil
	}
	s := d.stands[request.Sim]
	switch request.Type {
	case "hello":
		if s == nil && len(d.stands) >= simsAtOnce {
			refuse(&Problem{Code: "too_many_simulations",
				Message: fmt.Sprintf("A page can step %d simulations at once.", simsAtOnce),
				Next:    "Open another page for the next one."})
			return nil
		}
		if s == nil {
			s = newStand(d)
			d.stands[request.Sim] = s
		}
	case "bye":
		if s == nil {
			d.send(Reply{Type: "bye", Sim: request.Sim, Seq: request.Seq})
			return nil
		}
		delete(d.stands, request.Sim)
		defer s.end()
	default:
		if s == nil {
			refuse(notOpen())
			return nil
		}
	}
	return s.put(asked{Request: request})
}

func notOpen() *Problem {
	return &Problem{Code: "not_open", Message: "This simulation isn't open.", Next: "Load the page again."}
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
		return checkStart(request.Start.Text, request.Start.Scenario, request.Start.Steps)
	case request.Type == "bye":
		return nil
	case request.Type != "do":
		return bad("unknown_request", "There is no such request.")
	case request.Command == nil:
		return bad("bad_request", "A do needs a command.")
	}
	switch request.Command.Do {
	case DoStep, DoBack, DoForward, DoJump, DoReset, DoFinish, DoRandom, DoLoad, DoEdit, DoBudget, DoCheck, DoMap, DoCompare, DoStop:
		return checkStart(request.Command.Text, request.Command.Action, request.Command.Steps)
	}
	return bad("unknown_command", "There is no such command.")
}

func checkStart(text, name string, steps []string) *Problem {
	if len(text) > maxText {
		return &Problem{Code: "text_too_long",
			Message: fmt.Sprintf("The text has %d bytes, at most %d are taken.", len(text), maxText),
			Next:    "Split it into several scenarios."}
	}
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
