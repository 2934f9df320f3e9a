package web

import (
	"context"
	"fmt"
	"runtime/debug"
)

// searching is a search that a stand has begun. It runs on a goroutine of its
// own, beside the session, and knows nothing of it but the text and, for a comparison,
// the steps.
type searching struct {
	stop  context.CancelFunc
	ended chan struct{}
}

// search begins a search of the text as it is now; one for the same thing
// that still runs ends first, so that the newest text wins and a page has no
// more than one of each.
func (s *stand) search(request Request) {
	of := request.Command.Do
	s.stopSearch(of)
	ctx, cancel := context.WithCancel(s.ctx)
	run := &searching{stop: cancel, ended: make(chan struct{})}
	s.searches[of] = run
	what := Search{Of: of, Scenario: s.start.Scenario, Text: s.start.Text}
	if of == DoCompare {
		snapshot := s.session.Snapshot()
		what.Budget = snapshot.Scenario.Budget
		for _, step := range snapshot.Steps {
			what.Steps = append(what.Steps, step.Name)
		}
	}
	s.desk.open.Go(func() {
		defer close(run.ended)
		defer cancel()
		tell := func(work Work) {
			work.Of = of
			s.desk.send(Reply{Type: "work", Sim: request.Sim, Seq: request.Seq, Work: &work})
		}
		last := s.look(ctx, request, what, func(work Work) {
			work.State = "running"
			tell(work)
		})
		if ctx.Err() != nil {
			last.State = "stopped"
		}
		tell(last)
	})
}

// look searches, and turns whatever goes wrong into a failed work.
func (s *stand) look(ctx context.Context, request Request, what Search, tell func(Work)) (last Work) {
	defer func() {
		if fault := recover(); fault != nil {
			last = Work{State: "failed", Problem: s.ourFault(request, fmt.Errorf("panic: %v\n%s", fault, debug.Stack()))}
		}
	}()
	last, err := s.desk.server.workbook.Search(ctx, what, tell)
	switch {
	case err == nil:
		last.State = "done"
	case ctx.Err() != nil:
		last = Work{}
	default:
		last = Work{State: "failed", Problem: s.problem(request, err)}
	}
	return last
}

func (s *stand) stopSearch(of string) {
	if run := s.searches[of]; run != nil {
		run.stop()
		<-run.ended
		delete(s.searches, of)
	}
}

func (s *stand) stopSearches() {
	s.stopSearch(DoCheck)
	s.stopSearch(DoMap)
	s.stopSearch(DoCompare)
}
