package script

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ackademy/ackademy/sim"
)

// Error is a mistake in a scenario's text: where it is, what is wrong and what
// to do about it.
type Error struct {
	Code    string `json:"code"` // stable, for tests and help pages: "bad-seconds"
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1; 0: the file as a whole
	Col     int    `json:"col"`  // from 1, in characters
	Message string `json:"message"`
	Next    string `json:"next"` // what to do

	argument string // the argument that is wrong, until its position is known
}

// Error prints "file:line:col: message" and the next step on a line of its own.
func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Col)
	}
	text := where + ": " + e.Message
	if e.Next != "" {
		text += "\n  " + e.Next
	}
	return text
}

// mistake makes an error whose position is filled in where it is known.
func mistake(code, message, next string) *Error {
	return &Error{Code: code, Message: message, Next: next}
}

// at names the argument that an error is about.
func (e *Error) at(argument string) *Error {
	e.argument = argument
	return e
}

// outcomeError is a call that failed, or fail(...): the only thing that
// attempt catches.
type outcomeError struct {
	code sim.Code
	text string
}

func (e *outcomeError) Error() string {
	if e.text != "" {
		return e.text
	}
	return e.code.String()
}

// errYield stops an interpretation at the first question that has no answer
// yet.
var errYield = errors.New("script: the handler asks")

// place is a position in the text.
type place struct{ line, col int }

func placeOf(p syntax.Position) place { return place{int(p.Line), int(p.Col)} }

// locate turns whatever the interpreter returned into an *Error with a
// position.
func (s *source) locate(err error) *Error {
	var own *Error
	var eval *starlark.EvalError
	isEval := errors.As(err, &eval)
	if errors.As(err, &own) {
		if own.Line == 0 && isEval {
			located := *own
			at := s.frame(eval.CallStack)
			if own.argument != "" {
				at = s.argument(at, own.argument)
			} else {
				at = s.callStart(at)
			}
			located.File, located.Line, located.Col, located.argument = s.file, at.line, at.col, ""
			return &located
		}
		if own.File == "" {
			own.File = s.file
		}
		return own
	}
	var parse syntax.Error
	if errors.As(err, &parse) {
		hint := s.pythonHint(placeOf(parse.Pos))
		if hint == "" {
			hint = "Correct the text here; the error may begin a little before."
		}
		return s.found("syntax", placeOf(parse.Pos), parse.Msg, hint)
	}
	var names resolve.ErrorList
	if errors.As(err, &names) && len(names) > 0 {
		return s.resolveError(names[0])
	}
	if isEval {
		return s.evalError(eval)
	}
	panic(fmt.Sprintf("script: an error of a kind that the interpreter doesn't have: %T: %v", err, err))
}

func (s *source) found(code string, at place, message, next string) *Error {
	return &Error{Code: code, File: s.file, Line: at.line, Col: at.col, Message: message, Next: next}
}

// frame returns where the innermost function of the scenario's text stands.
func (s *source) frame(stack starlark.CallStack) place {
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Pos.Filename() == s.file && stack[i].Pos.Line > 0 {
			return placeOf(stack[i].Pos)
		}
	}
	return place{}
}

// resolveError words what is found out about names before anything runs.
func (s *source) resolveError(e resolve.Error) *Error {
	at := placeOf(e.Pos)
	name, undefined := strings.CutPrefix(e.Msg, "undefined: ")
	if !undefined {
		return s.found("syntax", at, e.Msg, "A name at the top level is given once; use another name for the second value.")
	}
	hint := "Define it above, or look at the list of calls in the language reference."
	if i := strings.Index(name, " ("); i >= 0 {
		near := strings.TrimSuffix(strings.TrimPrefix(name[i:], " (did you mean "), "?)")
		name, hint = name[:i], "Did you mean "+near+"?"
	}
	if next, known := notYet[name]; known {
		return s.found("not-yet", at, name+" is not there yet", next)
	}
	return s.found("undefined", at, "nothing is called "+name+" here", hint)
}

// evalError words the interpreter's own errors.
func (s *source) evalError(e *starlark.EvalError) *Error {
	at := s.frame(e.CallStack)
	msg := e.Msg
	switch {
	case strings.Contains(msg, "cancelled: too many steps"):
		return s.found("limit-steps", at, fmt.Sprintf("this takes too long: more than %d steps at the top level or %d in one run of a handler",
			maxLoadSteps, maxRunSteps), "Make the loop shorter, or leave it out.")
	case strings.Contains(msg, "called recursively"):
		return s.found("recursion", at, msg, "Write it as a loop over range(n).")
	case strings.Contains(msg, "frozen"):
		return s.found("frozen", at, msg+": what a handler was told and what stands at the top level doesn't change",
			"Keep what must be remembered in a table of a database.")
	case strings.Contains(msg, "NoneType has no ."):
		return s.found("no-such-name", at, msg+": there was no row, or nothing was given back", "Ask first: if row: ...")
	case strings.Contains(msg, "has no ."):
		return s.found("no-such-name", at, msg, "Look at the list of calls in the language reference.")
	}
	return s.found("run", at, msg, "Correct this line.")
}

// nearest returns the candidate that is most like a word, or "".
func nearest(word string, candidates []string) string {
	best, distance := "", 1+len(word)/2
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	for _, c := range sorted {
		if d := editDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	return best
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// oneOf prints "a, b or c".
func oneOf(names []string) string {
	switch len(names) {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
