package web

import (
	"context"

	"github.com/ackademy/ackademy/lessons"
)

// A Workbook is what the server serves.
type Workbook interface {
	// Lessons returns the lessons in the order of the contents page.
	Lessons() []lessons.Lesson
	// Casebook returns the incidents under their headings.
	Casebook() []lessons.Chapter
	// Idioms returns the scenarios to begin with.
	Idioms() []lessons.Idiom
	// Open makes a session at the beginning of a scenario, named as a lesson
	// names it. Unknown names and mistakes in the text are *Problem errors.
	Open(ctx context.Context, scenario string) (Session, error)
	// OpenText makes a session at the beginning of a learner's own text; name
	// is what its errors call it. The text is hostile for all we know: whoever
	// implements this evaluates it where it can do no harm.
	OpenText(ctx context.Context, name, text string) (Session, error)
	// Search checks a scenario or draws its window map, Of being DoCheck or
	// DoMap, or compares its run with the original's where Of is DoCompare, and
	// tells how far it has come. It runs beside sessions and other
	// searches, and ends at once when ctx does. What it returns isn't running.
	Search(ctx context.Context, search Search, tell func(Work)) (Work, error)
}

// A Search is what is asked of one scenario. Text is empty for a shipped one.
// The rest is for comparisons.
type Search struct {
	Of       string
	Scenario string
	Text     string
	Budget   string
	Steps    []string
	Original string // the shipped text; the workbook finds it by its name
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
	// It is never given DoEdit or a search: those are the workbook's.
	Do(ctx context.Context, command Command) error
	// Close gives back what the session holds. Nothing is called afterwards.
	Close()
}
