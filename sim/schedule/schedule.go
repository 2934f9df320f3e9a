// Package schedule is the text form of a run: a list of steps, each named by
// what it does. Scenario and schedule together are the run, always.
//
// The text is one step per line, or several on one separated by semicolons,
// after the version word v1:
//
//	v1
//	publisher publish work-1
//	deliver work-1 to worker1
//	worker1 crash before ack
//
// Lines that start with # are remarks. Parse and Print are each other's
// inverse up to remarks and white space. A Run replays a schedule strictly: a
// step that does not fit stops it with a MisfitError; nothing is skipped.
//
// Two handlers have no strict schedule in common. Pins and Follow let one go
// along the run of another, and say of each step whether both have it.
//
// The package knows nothing of files, sessions or pictures.
package schedule

import (
	"fmt"
	"strings"
	"unicode"
)

// Version is the word that opens a schedule's text.
const Version = "v1"

// The bounds of a text: longer ones are refused, since no shipped run comes
// near and a page must be able to hold one in a link.
const (
	MaxSteps    = 10_000
	MaxStepSize = 400 // bytes
)

// SyntaxError says what is wrong with a schedule's text. Line counts from 1.
type SyntaxError struct {
	Line    int
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("schedule line %d: %s", e.Line, e.Message) }

// Parse reads a schedule. The version word may be missing.
func Parse(text string) ([]string, error) {
	steps := []string{}
	opened := false
	text = strings.TrimPrefix(text, "\ufeff") // some editors put it before a text
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, part := range strings.Split(line, ";") {
			step := strings.Join(strings.Fields(part), " ")
			if step == "" {
				continue
			}
			if !opened {
				opened = true
				if step == Version {
					continue
				}
				if isVersion(step) {
					return nil, &SyntaxError{i + 1, fmt.Sprintf("this is a schedule of version %s; this program reads %s", step, Version)}
				}
			}
			if err := checkStep(step, len(steps)); err != "" {
				return nil, &SyntaxError{i + 1, err}
			}
			steps = append(steps, step)
		}
	}
	return steps, nil
}

func isVersion(step string) bool {
	if len(step) < 2 || step[0] != 'v' {
		return false
	}
	return strings.Trim(step[1:], "0123456789") == ""
}

func checkStep(step string, before int) string {
	if before >= MaxSteps {
		return fmt.Sprintf("more than %d steps", MaxSteps)
	}
	if len(step) > MaxStepSize {
		return fmt.Sprintf("a step longer than %d bytes", MaxStepSize)
	}
	if step[0] == '#' {
		return "a remark stands on a line of its own"
	}
	for _, r := range step {
		if !unicode.IsPrint(r) {
			return fmt.Sprintf("the character %q cannot be part of a step's name", r)
		}
	}
	return ""
}

// Print writes a schedule, one step per line.
func Print(steps []string) string {
	return Version + "\n" + strings.Join(append(append([]string(nil), steps...), ""), "\n")
}

// Inline writes a schedule on one line, as a command's argument.
func Inline(steps []string) string {
	return strings.Join(append([]string{Version}, steps...), "; ")
}
