package child

import (
	"context"

	"github.com/ackademy/ackademy/web"
)

// session is a run of a learner's text. The run itself is in a process; here
// is what it takes to make another one, which is in the last snapshot.
type session struct {
	book     *Book
	name     string
	text     string
	snapshot web.Snapshot
	seat     seat
}

// Snapshot implements web.Session: where the run stands, or stood before a
// process died.
func (s *session) Snapshot() web.Snapshot { return s.snapshot }

// Do implements web.Session.
func (s *session) Do(ctx context.Context, command web.Command) error {
	ctx, cancel := context.WithTimeout(ctx, 2*s.book.limits.Request) // making a process again included
	defer cancel()
	p, err := s.book.seats.take(ctx, &s.seat)
	if err != nil {
		return err
	}
	defer s.book.seats.leave(&s.seat)
	if p == nil {
		if p, err = s.begin(ctx); err != nil {
			return err
		}
	}
	return s.ask(ctx, p, request{Command: &command})
}

// Close implements web.Session.
func (s *session) Close() { s.book.seats.clear(&s.seat) }

// begin makes a process and puts it where the session stands.
func (s *session) begin(ctx context.Context) (*process, error) {
	p, err := start(s.book.limits)
	if err != nil {
		return nil, err
	}
	s.book.seats.put(&s.seat, p)
	r := request{Open: &opening{Name: s.name, Text: s.text, Budget: s.snapshot.Scenario.Budget}}
	for _, step := range s.snapshot.Steps {
		r.Open.Steps = append(r.Open.Steps, step.Name)
	}
	r.Open.Position = s.snapshot.Position
	if err := s.ask(ctx, p, r); err != nil {
		p.kill(causeClosed) // half a session is none
		return nil, err
	}
	return p, nil
}

// ask sends a request and takes in the snapshot that comes back.
func (s *session) ask(ctx context.Context, p *process, r request) error {
	var got answer
	err := p.ask(ctx, s.book.limits.Request, r, func(a *answer) bool {
		got = *a
		return true
	})
	if err != nil {
		return err
	}
	if got.Snapshot != nil {
		s.snapshot = *got.Snapshot
	}
	if got.Fault != "" {
		p.kill(causeClosed)
	}
	return got.failure()
}
