// Package child keeps learners' own text out of the server's process. A text
// that was edited, pasted or came with a link is loaded, stepped, searched and
// mapped in a process of its own, made of the same binary, that may die
// without taking anything along.
//
// Book is a web.Workbook: what is shipped it leaves to package workbook, and
// for anybody's text it hands out sessions that speak to a process. WorkerMain
// is the other end; main calls it first.
//
// A process is bounded in memory, time, what it writes and how many there are
// (limits.go). It serves one session, or one search. It ends with the request
// that was too much for it, when its session ends, when it was idle for long,
// when its place is needed, or when its parent is gone. None of that loses
// anything, because a session is made of its text, its steps and its position:
// the next request makes a new process and puts it there.
//
// How a process died is told to the learner as a *web.Problem (death.go), and
// their page stays where it was.
//
// The traps. The limits of memory are two: the process watches itself, which
// works everywhere and gives a clear reason, and on Linux the kernel refuses
// it more, which holds even between two looks. And no request may trust what
// a process writes: lines are bounded, and one that is not understood ends it.
//
// Left out: any sandbox. The interpreter gives a text no files, no network and
// no clock; the process bounds what the interpreter can't.
package child

import (
	"context"
	"fmt"
	"time"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/workbook"
	"github.com/ackademy/ackademy/web"
)

// Book serves what is shipped in this process and everything else in children.
type Book struct {
	*workbook.Book
	seats    *seats
	searches chan struct{} // holds one for each search at work
	limits   limits
}

// New makes a workbook that can open any text.
func New(shipped *workbook.Book) *Book {
	l := standard
	return &Book{Book: shipped, seats: newSeats(l.Seats, l.Idle), searches: make(chan struct{}, l.Searches), limits: l}
}

// OpenText implements web.Workbook.
func (b *Book) OpenText(ctx context.Context, name, text string) (web.Session, error) {
	s := &session{book: b, name: nameOf(name), text: text}
	if err := s.Do(ctx, web.Command{Do: web.DoLoad}); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Search implements web.Workbook. Searches of learners' texts wait for one
// another beyond a number of them, so that stepping stays quick.
func (b *Book) Search(ctx context.Context, search web.Search, tell func(web.Work)) (web.Work, error) {
	tell(web.Work{})
	if search.Text == "" {
		return b.Book.Search(ctx, search, tell) // small, and found once for everybody
	}
	if search.Of == web.DoCompare {
		original, err := b.Source(search.Scenario)
		if err != nil {
			return web.Work{}, err
		}
		search.Original = original
	}
	select {
	case b.searches <- struct{}{}:
		defer func() { <-b.searches }()
	case <-ctx.Done():
		return web.Work{}, ctx.Err()
	}
	search.Scenario = nameOf(search.Scenario)
	p, err := start(b.limits)
	if err != nil {
		return web.Work{}, err
	}
	defer p.kill(causeClosed)
	var last answer
	err = p.ask(ctx, b.limits.Search, request{Search: &search}, func(a *answer) bool {
		if a.Work != nil && !a.Last {
			tell(*a.Work)
		}
		last = *a
		return a.Last
	})
	switch {
	case err != nil:
		return web.Work{}, err
	case last.failure() != nil:
		return web.Work{}, last.failure()
	case last.Work == nil:
		return web.Work{}, fmt.Errorf("child: a search without a result")
	}
	return *last.Work, nil
}

// nameOf is what the errors of a text call it.
func nameOf(name string) string {
	if name == "" {
		return "scenario.star"
	}
	return name
}

// limits bound children. Durations are of the wall clock.
type limits struct {
	Memory   int64         // bytes that a child has in use
	Request  time.Duration // for one command, and for coming to life
	Search   time.Duration
	Line     int // bytes of one answer
	Seats    int // children of sessions at once
	Searches int // children of searches at once
	Idle     time.Duration
}

// standard: the largest scenario of the lessons takes 20 MiB and 10 ms for a
// command. Memory of all children together stays under 2.5 GiB.
var standard = limits{
	Memory:   256 << 20,
	Request:  5 * time.Second,
	Search:   25 * time.Second, // the search itself ends earlier, with a result
	Line:     8 << 20,
	Seats:    8,
	Searches: 4,
	Idle:     time.Minute,
}
