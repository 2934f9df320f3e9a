package real

import (
	"context"
	"errors"
	"fmt"
)

// Exit statuses, as every command of the project has them.
const (
	ExitAgrees      = 0
	ExitInterrupted = 2 // undecided: the run was given up
	ExitInput       = 3
	ExitOurFault    = 4 // a difference, too, is our fault
)

// Error is what keeps a real run from an answer. A run that ended with a
// difference is no Error but a Report.
type Error struct {
	Code    string `json:"code"`    // stable: not_for_real, schedule_misfit, ...
	Message string `json:"message"` // one plain sentence
	Next    string `json:"next"`    // what to do
	Exit    int    `json:"exit"`
	cause   error
}

func (e *Error) Error() string {
	if e.Next == "" {
		return e.Message
	}
	return e.Message + "\n  " + e.Next
}

// Unwrap gives the technical cause.
func (e *Error) Unwrap() error { return e.cause }

// ExitCode returns the exit status for an error of Run.
func ExitCode(err error) int {
	var known *Error
	if errors.As(err, &known) {
		return known.Exit
	}
	return ExitOurFault
}

func inputError(code, next string, cause error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Next: next, Exit: ExitInput, cause: cause}
}

// ourFault wraps what nothing in a scenario or schedule should be able to
// cause. An error that has a kind already keeps it.
func ourFault(doing string, cause error) error {
	var known *Error
	if errors.As(cause, &known) {
		return known
	}
	return &Error{
		Code:    "internal",
		Message: "the real run failed while " + doing + ": " + cause.Error(),
		Next:    "Neither the scenario nor the schedule should be able to cause this. Please report it, with both.",
		Exit:    ExitOurFault,
		cause:   cause,
	}
}

// diskError is for a folder that can't be written.
func diskError(doing string, cause error) *Error {
	return inputError("disk", "Free some space, or name another folder to keep the files in (the environment variable TMPDIR moves the temporary one).",
		cause, "the real run can't write its files while %s: %v", doing, cause)
}

func interrupted(ctx context.Context) *Error {
	return &Error{Code: "interrupted", Message: "the real run was interrupted; all its processes are killed", Exit: ExitInterrupted, cause: context.Cause(ctx)}
}
