package web

import (
	"context"

	"github.com/ackademy/ackademy/lessons"
)

// A Workbook is what the server serves.
type Workbook interface {
	// Lessons returns the lessons in the order of the contents page.
	Lessons() []lessons.Lesson
	// Open makes a session at the beginning of a scenario, named as a lesson
	// names it. Unknown names and mistakes in the text are *Problem errors.
	Open(ctx context.Context, scenario string) (Session, error)
}

// A Session is one learner's run of one scenario: the text, the steps so far
// and a position among them. It is used by one goroutine at a time.
type Session interface {
	// Snapshot returns what the page draws. The value is never changed
	// afterwards.
	Snapshot() Snapshot
	// Do carries out a command. A *Problem error is shown to the learner;
	// any other error, and a panic, is reported as our fault. After an error
	// the session still stands somewhere: after a step that isn't enabled
	// where it was, after a load at the last step that fitted. Do must end
	// soon after ctx does.
	Do(ctx context.Context, command Command) error
}
