package exercises

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The end of a worker, and why it came.

// moment is how long the grader waits for what is about to happen: that a process
// ends which has lost its pipes, that a pipe ends whose process is dead.
const moment = time.Second

// linger waits a moment for the end of a process that has made a mistake. One
// that runs out of memory may break off its conversation first, and only its
// end tells why.
func (w *worker) linger() {
	select {
	case <-w.ended:
	case <-w.ctx.Done():
	case <-time.After(moment):
	}
}

// kill sends SIGKILL to the whole group and returns when the process is
// reaped, because its locks live until then.
func (w *worker) kill() error {
	if w.state == gone {
		return nil
	}
	select {
	case <-w.ended:
	default:
		w.killed = true
		killGroup(w.command.Process.Pid)
		<-w.ended
	}
	return w.bury()
}

// bury takes in what the ended process has still said, and closes everything.
// Children that outlive it are killed; one that has left the group and holds a
// pipe open is left alone after a moment. The error is the bound that the
// process has reached, if it has, and else its first mistake.
func (w *worker) bury() error {
	killGroup(w.command.Process.Pid)
	defer w.pipes.close()
	w.pipes.hurry(time.Now().Add(moment))
	err := w.lastSaid()
	<-w.quiet
	w.state = gone // a call that it announced and was never granted did not happen
	if w.reached == nil {
		w.reached = w.overMemory()
	}
	switch {
	case w.reached != nil:
		return w.reached
	case err == nil && w.command.ProcessState.ExitCode() >= 0: // a signal may strike in the middle of a line
		return w.cut
	}
	return err
}

// lastSaid reads both pipes to their ends.
func (w *worker) lastSaid() (first error) {
	note := func(err error) {
		if first == nil {
			first = err
		}
	}
	if w.said != nil {
		for message := range w.said {
			if first == nil {
				_, err := w.takeMessage(message)
				note(err)
			}
		}
	}
	if w.answers != nil {
		for answer := range w.answers {
			note(w.takeAnswer(answer))
		}
	}
	return first
}

// reach keeps a bound that was found.
func (w *worker) reach(err error) {
	var halted *halt
	if errors.As(err, &halted) && halted.bound != "" {
		w.reached = halted
	}
}

// overMemory tells whether the ended process ran out of memory. It has used most
// of what it may have, or has asked for so much at once that it was refused; then
// its complaint alone tells. A program that only pretends gains nothing: it has
// not passed either way.
func (w *worker) overMemory() *halt {
	state := w.command.ProcessState
	switch {
	case !limitsMemory,
		w.killed && state.ExitCode() < 0,              // by the grader
		w.pipes.input == nil && state.ExitCode() == 0: // told to leave, and left
	case largestMemory(state) > w.limits.Memory/2:
		return &halt{bound: "memory", message: fmt.Sprintf("%s ended after it had used most of the %d MiB it may have.", w.name, w.limits.Memory>>20)}
	case state.ExitCode() != 0 && complainsOfMemory(w.complaint()):
		return &halt{bound: "memory", message: fmt.Sprintf("%s ended when it was refused more than the %d MiB it may have.", w.name, w.limits.Memory>>20)}
	}
	return nil
}

// complainsOfMemory knows the words of Go and of most others, and Python's.
func complainsOfMemory(text string) bool {
	text = strings.ToLower(text)
	for _, words := range []string{"out of memory", "cannot allocate memory", "memoryerror"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// complaint is what the process wrote to standard error, shortened.
func (w *worker) complaint() string { return strings.TrimSpace(w.stderr.String()) }
