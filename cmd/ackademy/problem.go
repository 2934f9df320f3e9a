package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ackademy/ackademy/exercises"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// problem is an error as the user sees it: what is wrong, where, and what to
// do.
type problem struct {
	code     string
	message  string
	where    string // file:line:col, or empty
	file     string
	line     int
	column   int
	next     string
	possible []string // the steps that would fit, where one doesn't
	exit     int
}

func wrongInput(code, message, next string) *problem {
	return &problem{code: code, message: message, next: next, exit: exitInput}
}

// problemJSON is the form in which --json reports a problem.
type problemJSON struct {
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
	Next     string   `json:"next"`
	Possible []string `json:"possible,omitempty"`
}

func (p *problem) json() *problemJSON {
	return &problemJSON{p.code, p.message, p.file, p.line, p.column, p.next, p.possible}
}

// text is the problem as it is printed: a line that editors can follow, then
// the next step.
func (p *problem) text() string {
	text := p.message + " [" + p.code + "]\n"
	if p.where != "" {
		text = p.where + ": " + text
	}
	if len(p.possible) > 0 {
		text += "  Possible here:\n"
		for _, step := range p.possible {
			text += "    " + step + "\n"
		}
	}
	if p.next != "" {
		text += "  " + strings.ReplaceAll(p.next, "\n", "\n  ") + "\n"
	}
	return text
}

// problem prints a problem and returns its exit status.
func (t *terminal) problem(p *problem) int {
	t.complain(p.text())
	return p.exit
}

// ourFault reports a panic.
func (t *terminal) ourFault(fault any, stack []byte) int {
	t.complain(fmt.Sprintf("ackademy failed: %v [our-fault]\n"+
		"  This is our fault, not yours. Please report it with the command that you gave, the scenario,\n"+
		"  and what follows: https://github.com/ackademy/ackademy/issues\n\n%s\n%s", fault, versionText(), stack))
	return exitOurFault
}

// problemOf turns an error of the packages below into a problem. sc may be nil.
func problemOf(err error, sc *script.Scenario) *problem {
	var text *script.Error
	var search *explore.MistakeError
	var step *schedule.MisfitError
	var syntax *schedule.SyntaxError
	var exercise *exercises.Error
	if sc != nil {
		if found := mistakeOf(err, sc); found != nil {
			text = found
		}
	}
	switch {
	case text != nil || errors.As(err, &text):
		p := &problem{code: text.Code, message: text.Message, file: text.File, line: text.Line, column: text.Col, next: text.Next, exit: exitInput}
		p.where = text.File
		if text.Line > 0 {
			p.where = fmt.Sprintf("%s:%d:%d", text.File, text.Line, text.Col)
		}
		if errors.As(err, &search) {
			p.next = strings.TrimSpace(p.next + "\nA schedule that comes upon it: " + shellQuote(schedule.Inline(search.Schedule)))
		}
		return p
	case errors.As(err, &step):
		return misfit(step)
	case errors.As(err, &syntax):
		return wrongInput("bad-schedule", syntax.Error(), "A schedule is one step a line, or steps with ; between them, after the word "+schedule.Version+".")
	case errors.As(err, &exercise):
		return &problem{code: exercise.Code, message: exercise.Message, where: exercise.Position, next: exercise.Next, exit: exercise.Exit}
	}
	panic(err) // an error that nobody told us about is our own fault
}

// shownSteps is how many of the possible steps a misfit lists.
const shownSteps = 24

// misfit says what would have fitted.
func misfit(e *schedule.MisfitError) *problem {
	p := wrongInput("misfit", fmt.Sprintf("step %d of the schedule, %s, is not possible there", e.Index+1, quote(e.Step)), "")
	switch near := nearest(e.Step, e.Enabled); {
	case len(e.Enabled) == 0:
		p.next = fmt.Sprintf("After the first %d steps nothing can happen any more: end the schedule there.", e.Index)
	case near != "":
		p.next = "Did you mean " + quote(near) + "?"
	default:
		p.next = "Take one of these, or correct an earlier step."
	}
	p.possible = e.Enabled
	if len(p.possible) > shownSteps {
		p.possible = append(p.possible[:shownSteps:shownSteps], fmt.Sprintf("... and %d more", len(e.Enabled)-shownSteps))
	}
	return p
}

// nearest returns the candidate that s begins, or that is a slip of the
// keyboard away from it, or "".
func nearest(s string, candidates []string) string {
	for _, c := range candidates {
		if len(s) > 2 && strings.HasPrefix(c, s) {
			return c
		}
	}
	best, least := "", max(2, len(s)/4)+1
	for _, c := range candidates {
		if d := distance(s, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace between two texts.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func quote(s string) string { return strconv.Quote(s) }

// shellQuote writes an argument so that a POSIX shell takes it as it is.
func shellQuote(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./=,@:+%", r))
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
