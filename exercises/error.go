package exercises

import "errors"

// Exit statuses, the same for every command of the project.
const (
	ExitPassed    = 0
	ExitFailed    = 1
	ExitUndecided = 2
	ExitInput     = 3
	ExitOurFault  = 4
)

// Error is what keeps an exercise from being graded at all. A program that was
// graded and failed is no Error but a Report.
type Error struct {
	Code     string `json:"code"`               // stable, e.g. does_not_compile
	Message  string `json:"message"`            // one plain sentence, perhaps with the compiler's lines below it
	Position string `json:"position,omitempty"` // file:line:column, or a path
	Next     string `json:"next"`               // what to do
	Exit     int    `json:"exit"`               // ExitInput or ExitOurFault; ExitUndecided if compiling took too long
	cause    error
}

func (e *Error) Error() string {
	text := e.Message
	if e.Position != "" {
		text = e.Position + ": " + text
	}
	return text + " [" + e.Code + "]\n" + e.Next
}

// Unwrap gives the technical cause, for logs.
func (e *Error) Unwrap() error { return e.cause }

// ExitCode gives the exit status for an error of this package. An error of
// unknown origin is our own fault.
func ExitCode(err error) int {
	var known *Error
	if errors.As(err, &known) {
		return known.Exit
	}
	return ExitOurFault
}

func inputError(code, position, message, next string, cause error) *Error {
	return &Error{Code: code, Message: message, Position: position, Next: next, Exit: ExitInput, cause: cause}
}

// ourFault wraps what no program of a learner should be able to cause.
func ourFault(doing string, cause error) *Error {
	return &Error{
		Code:    "internal",
		Message: "the grader itself failed while " + doing + ": " + cause.Error(),
		Next:    "This is not your program's fault. Check that the disk is not full and try again; if it stays, please report it.",
		Exit:    ExitOurFault,
		cause:   cause,
	}
}
