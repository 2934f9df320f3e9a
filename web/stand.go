package web

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// A stand is one simulation of a page: its session, and a goroutine that
// answers its requests one after the other.
type stand struct {
	desk  *desk
	ctx   context.Context
	end   context.CancelFunc
	inbox chan asked

	// Of the goroutine alone.
	session Session
	start   Start // what the session was opened with

	mu      sync.Mutex
	edits   int                // edits that were asked for; only the newest one counts
	current context.CancelFunc // stops the edit that is at work; nil when none is

	searches map[string]*searching // by what they search for
}

// asked is a request on its way to a stand.
type asked struct {
	Request
	problem *Problem // it was refused before it came here
	edit    int      // which edit it is
}

func newStand(d *desk) *stand {
	ctx, cancel := context.WithCancel(d.ctx)
	s := &stand{desk: d, ctx: ctx, end: cancel, inbox: make(chan asked, maxWaiting), searches: map[string]*searching{}}
	d.open.Go(s.work)
	return s
}

// put never waits. An edit stops the one before it: nobody wants to know any
// more what an older text would have done.
func (s *stand) put(request asked) error {
	if request.problem == nil && request.Type == "do" && request.Command.Do == DoEdit {
		s.mu.Lock()
		s.edits++
		request.edit = s.edits
		if s.current != nil {
			s.current()
		}
		s.mu.Unlock()
	}
	select {
	case s.inbox <- request:
		return nil
	default:
		return errCrowded
	}
}

// work answers until a bye or the end of the desk. A bye ends the stand's
// context at once, so what was asked before it is answered soon.
func (s *stand) work() {
	defer s.leave()
	defer s.end()
	for {
		select {
		case request := <-s.inbox:
			s.desk.send(s.answer(request))
			if request.Type == "bye" && request.problem == nil {
				return
			}
		case <-s.desk.ctx.Done():
			return
		}
	}
}

// answer is the session boundary: a panic below it is reported as our fault,
// and the session is gone, because nobody knows what it looks like now. The
// page opens it again with the steps that it knows.
func (s *stand) answer(request asked) (reply Reply) {
	reply = Reply{Type: "state", Sim: request.Sim, Seq: request.Seq}
	defer func() {
		if fault := recover(); fault != nil {
			s.session = nil // it is not closed: that might be what is broken
			reply.Snapshot = nil
			reply.Problem = s.ourFault(request.Request, fmt.Errorf("panic: %v\n%s", fault, debug.Stack()))
		}
		if reply.Snapshot == nil && reply.Type == "state" {
			reply.Type = "problem"
		}
	}()
	if request.problem != nil {
		reply.Problem = request.problem
		return reply
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	var err error
	switch request.Type {
	case "bye":
		s.leave()
		reply.Type = "bye"
		return reply
	case "hello":
		err = s.hello(ctx, *request.Start)
	case "do":
		err = s.do(ctx, request)
	}
	if s.session != nil {
		snapshot := s.session.Snapshot()
		reply.Snapshot = &snapshot
	}
	reply.Problem = s.problem(request.Request, err)
	return reply
}

// problem is what the learner is told of an error.
func (s *stand) problem(request Request, err error) *Problem {
	var problem *Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &problem):
		return problem
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Code: "too_slow", Message: fmt.Sprintf("This took longer than %v and was stopped.", patience),
			Next: "Try it again; if it happens again, make the scenario smaller."}
	case errors.Is(err, context.Canceled):
		return superseded()
	}
	return s.ourFault(request, err)
}

// ourFault writes down what is needed to find the bug and tells the learner
// no more than is useful.
func (s *stand) ourFault(request Request, err error) *Problem {
	s.desk.server.log.Error("fault in a session", "request", request, "error", err)
	return &Problem{Code: "our_fault",
		Message: "Ackademy failed at this step. This is our fault, not yours.",
		Next:    "Reset the simulation; please report what the terminal shows."}
}

// leave gives the session back.
func (s *stand) leave() {
	s.stopSearches()
	if s.session != nil {
		s.session.Close()
		s.session = nil
	}
}

// hello opens the simulation, or opens it again, and puts it where its
// learner was.
func (s *stand) hello(ctx context.Context, start Start) error {
	s.leave()
	session, err := s.open(ctx, start.Scenario, start.Text, start.Budget)
	if err != nil {
		return err
	}
	s.session, s.start = session, start
	if len(start.Steps) == 0 {
		return nil
	}
	return session.Do(ctx, Command{Do: DoLoad, Steps: start.Steps, To: start.Position})
}

func (s *stand) open(ctx context.Context, scenario, text, budget string) (session Session, err error) {
	if text == "" {
		session, err = s.desk.server.workbook.Open(ctx, scenario)
	} else {
		session, err = s.desk.server.workbook.OpenText(ctx, scenario, text)
	}
	if err != nil || budget == "" {
		return session, err
	}
	if err := session.Do(ctx, Command{Do: DoBudget, Budget: budget}); err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

func (s *stand) do(ctx context.Context, request asked) error {
	if s.session == nil {
		return notOpen()
	}
	switch request.Command.Do {
	case DoEdit:
		return s.edit(ctx, request)
	case DoCheck, DoMap, DoCompare:
		s.search(request.Request)
		return nil
	case DoStop:
		s.stopSearches()
		return nil
	}
	err := s.session.Do(ctx, *request.Command)
	if request.Command.Do == DoBudget {
		s.start.Budget = s.session.Snapshot().Scenario.Budget // what it is now, whether or not it was taken
	}
	return err
}

func superseded() *Problem {
	return &Problem{Code: "superseded", Message: "A newer text has taken the place of this one.", Next: "Wait for its answer."}
}

// edit opens the new text beside the old one, which stays where it was unless
// the new one can be opened. Steps are kept up to the first that doesn't fit:
// a later one that happens to fit would tell another story.
func (s *stand) edit(ctx context.Context, request asked) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	newest := request.edit == s.edits
	if newest {
		s.current = cancel
	}
	s.mu.Unlock()
	if !newest {
		return superseded()
	}
	defer func() {
		s.mu.Lock()
		s.current = nil
		s.mu.Unlock()
	}()
	session, err := s.open(ctx, s.start.Scenario, request.Command.Text, s.start.Budget)
	if err != nil {
		return err
	}
	before := s.session.Snapshot()
	if err = s.keep(ctx, session, before); err != nil && len(session.Snapshot().Steps) == 0 && !dropped(err) {
		session.Close()
		return err
	}
	s.leave()
	s.session, s.start.Text = session, request.Command.Text
	return err
}

// keep takes the steps of a snapshot as far as they fit and says where they
// stop to.
func (s *stand) keep(ctx context.Context, session Session, before Snapshot) error {
	if len(before.Steps) == 0 {
		return nil
	}
	var steps []string
	for _, step := range before.Steps {
		steps = append(steps, step.Name)
	}
	err := session.Do(ctx, Command{Do: DoLoad, Steps: steps, To: before.Position})
	var problem *Problem
	if !errors.As(err, &problem) || problem.Code != "not_enabled" {
		return err
	}
	kept := len(session.Snapshot().Steps)
	return &Problem{Code: "steps_dropped",
		Message: fmt.Sprintf("%d of %d steps fit the new text; step %d, %q, can't be taken there.", kept, len(steps), kept+1, steps[min(kept, len(steps)-1)]),
		Next:    "Go on from here, or change the text."}
}

func dropped(err error) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Code == "steps_dropped"
}
