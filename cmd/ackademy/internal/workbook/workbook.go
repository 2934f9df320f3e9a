// Package workbook joins the engine to the page: it opens scenarios for
// package web, takes a learner's commands to a schedule.Run, and turns where
// that run stands into the snapshot that the page draws.
//
// Book serves what is shipped, session implements web.Session. A learner's own
// text goes through OpenText, SearchText and Compare, which package child calls
// in a process that may die. A session is a scenario, the steps taken, a position
// among them and a budget of faults; everything that the page sees is derived
// from these in Snapshot. Each session has a world of its own, because a world
// is not safe for concurrent use.
//
// Left out: HTTP and sockets (package web), the rules (package sim), what a
// picture shows (package picture).
package workbook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
)

// Book is the lessons, the casebook and the idioms under a root. It is a
// web.Workbook but for OpenText, which must not happen in this process.
type Book struct {
	root     fs.FS
	lessons  []lessons.Lesson
	casebook []lessons.Chapter
	idioms   []lessons.Idiom
	shelf    shelf
}

// Open reads what is under root.
func Open(root fs.FS) (*Book, error) {
	list, wrongLessons := lessons.Load(root)
	casebook, wrongCases := lessons.LoadCasebook(root)
	idioms, wrongIdioms := lessons.LoadIdioms(root)
	if err := errors.Join(wrongLessons, wrongCases, wrongIdioms); err != nil {
		return nil, err
	}
	return &Book{root: root, lessons: list, casebook: casebook, idioms: idioms}, nil
}

// Lessons implements web.Workbook.
func (b *Book) Lessons() []lessons.Lesson { return b.lessons }

// Casebook implements web.Workbook.
func (b *Book) Casebook() []lessons.Chapter { return b.casebook }

// Idioms implements web.Workbook.
func (b *Book) Idioms() []lessons.Idiom { return b.idioms }

// Open implements web.Workbook. A scenario is named by its path under the
// lessons.
func (b *Book) Open(_ context.Context, name string) (web.Session, error) {
	source, err := b.read(name)
	if err != nil {
		return nil, err
	}
	return OpenText(name, source)
}

// read returns the text of a shipped scenario.
func (b *Book) read(name string) ([]byte, error) {
	if !fs.ValidPath(name) || path.Ext(name) != ".star" {
		return nil, noScenario(name)
	}
	source, err := fs.ReadFile(b.root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noScenario(name)
	}
	if err != nil {
		return nil, fmt.Errorf("read scenario %s: %w", name, err)
	}
	return source, nil
}

// OpenText makes a session of a text in this process: one of ours, or any in
// a process that may die.
func OpenText(name string, source []byte) (web.Session, error) {
	sc, err := script.Load(name, source)
	if err != nil {
		return nil, problemOf(err, nil)
	}
	w := sim.New(sc.Scenario)
	return &session{name: name, sc: sc, world: w, run: schedule.New(w), reference: script.Reference()}, nil
}

func noScenario(name string) *web.Problem {
	return &web.Problem{Code: "no_scenario", Message: fmt.Sprintf("There is no scenario %q.", name), Next: "Go back to the contents."}
}

// problemOf turns what a learner can cause into a *web.Problem; any other
// error stays what it is: our fault.
func problemOf(err error, sc *script.Scenario) error {
	var text *script.Error
	var mistake *sim.MistakeError
	var misfit *schedule.MisfitError
	if errors.As(err, &mistake) && sc != nil {
		text = sc.Mistake(mistake)
	}
	switch {
	case text != nil || errors.As(err, &text):
		return &web.Problem{Code: text.Code, Message: text.Message, Next: text.Next, File: text.File, Line: text.Line, Column: text.Col}
	case errors.As(err, &misfit):
		return &web.Problem{Code: "not_enabled", Message: fmt.Sprintf("Step %d, %q, can't be taken here.", misfit.Index+1, misfit.Step),
			Next: "Choose one of the steps that are offered."}
	}
	return err
}
