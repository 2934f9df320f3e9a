package exercises

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// worker is one process of the learner's program. It is always in one of the
// states below when the grader looks: between two grants nothing runs.
type worker struct {
	name    string
	limits  Limits
	command *exec.Cmd
	pipes   pipes

	state    state
	at       wire.Message // the announced call, while parked or waiting
	result   wire.Message // the result of the call before it
	greeted  bool         // it has said hello
	calls    int          // grants since its delivery
	spins    int          // equal failures in a row
	delivery *delivery    // what it was handed last

	said   chan wire.Message // closed at the end of its announcements
	answer chan wire.Answer  // closed at the end of its standard output
	broken chan error        // why a reader stopped early
	stderr *excerpt
	ended  chan struct{} // closed once the process is reaped
}

type state int

const (
	running state = iota
	parked        // stands before a call it has announced
	waiting       // tried the call and met a lock; still before it
	gone          // ended and reaped
)

// pipes are the grader's ends.
type pipes struct {
	input, output, complaint, announcements, grants *os.File
}

// start runs the program and waits until it stands at its first boundary.
func startWorker(ctx context.Context, name string, program []string, folder, database string, limits Limits) (*worker, error) {
	w := &worker{
		name: name, limits: limits, stderr: &excerpt{},
		said: make(chan wire.Message, maxQueue), answer: make(chan wire.Answer, maxQueue),
		broken: make(chan error, 3), ended: make(chan struct{}),
	}
	w.command = exec.Command(program[0], program[1:]...)
	w.command.Dir = folder
	w.command.Env = environment(database)
	ownGroup(w.command)
	theirs, err := w.connect()
	if err == nil {
		err = w.command.Start()
	}
	closeAll(theirs...)
	if err != nil {
		w.pipes.close()
		return nil, ourFault("starting your program", err)
	}
	limitMemory(w.command.Process.Pid, limits.Memory)
	go w.readAnnouncements()
	go w.readAnswers()
	go w.stderr.fill(w.pipes.complaint)
	go func() {
		_ = w.command.Wait() // how it ended is in ProcessState
		close(w.ended)
	}()
	return w, w.settle(ctx)
}

// environment is small on purpose: a run depends on the program alone.
func environment(database string) []string {
	list := []string{"GOMAXPROCS=1", wire.EnvPipes + "=3,4", wire.EnvDatabase + "=" + database}
	for _, name := range []string{"PATH", "HOME", "LANG", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// settle waits until a granted worker stands at its next boundary, waits for a
// lock, or has ended.
func (w *worker) settle(ctx context.Context) error {
	w.state = running
	patience := time.NewTimer(w.limits.Answer)
	defer patience.Stop()
	for {
		select {
		case message, open := <-w.said:
			if !open {
				w.said = nil // the process is ending, or has closed the pipe and runs on
				continue
			}
			settled, err := w.hear(message)
			if settled || err != nil {
				return err
			}
		case answer, open := <-w.answer:
			if !open {
				w.answer = nil
				continue
			}
			if err := w.note(answer); err != nil {
				return err
			}
		case err := <-w.broken:
			return err
		case <-w.ended:
			return w.bury()
		case <-patience.C:
			return w.late()
		case <-ctx.Done():
			return stopped(ctx)
		}
	}
}

// late is the outcome of a worker that nothing was heard of for too long.
func (w *worker) late() error {
	message := fmt.Sprintf("%s did nothing that the grader can see for %v after %s.", w.name, w.limits.Answer, w.last())
	if !w.greeted {
		message = fmt.Sprintf("%s said nothing to the grader for %v. Does its main function call kit.Consume?", w.name, w.limits.Answer)
	}
	return &halt{bound: "time", message: message}
}

// stopped tells why the context ended.
func stopped(ctx context.Context) error {
	if ctx.Err() == context.DeadlineExceeded {
		return &halt{bound: "total_time", message: "The time for the whole grading is over."}
	}
	return ctx.Err()
}

// hear takes in one message; settled means that nothing runs any more.
func (w *worker) hear(message wire.Message) (settled bool, err error) {
	switch {
	case message.Say == wire.SayHello && message.Protocol == wire.Version && !w.greeted:
		w.greeted = true
	case message.Say == wire.SayCall && w.greeted && message.Number == w.at.Number+1:
		w.at, w.state = message, parked
		return true, nil
	case message.Say == wire.SayResult && message.Number == w.at.Number && message.Outcome == wire.OutcomeWaits:
		w.result, w.state = message, waiting
		return true, nil
	case message.Say == wire.SayResult && message.Number == w.at.Number:
		return false, w.conclude(message)
	default:
		return false, &halt{verdict: VerdictProtocol, message: fmt.Sprintf("%s announced %+v, which does not fit after %s.", w.name, message, w.last())}
	}
	return false, nil
}

// conclude takes in the result of a finished call. A program that meets the
// same failure at the same call again and again, while nobody else moves,
// spins: it will do so for ever.
func (w *worker) conclude(result wire.Message) error {
	same := w.result.Outcome == wire.OutcomeFailed && w.result.Detail == result.Detail && w.result.Text == w.at.Text
	w.result = result
	w.result.Text = w.at.Text
	w.spins++
	if result.Outcome != wire.OutcomeFailed || !same {
		w.spins = 0
	}
	if w.spins >= maxSpins {
		return &halt{verdict: VerdictStuck, message: fmt.Sprintf("%s repeats %q and fails every time (%s); it would do so for ever.", w.name, w.at.Text, result.Detail)}
	}
	heard := w.delivery != nil && w.delivery.answer != ""
	if w.at.Kind != wire.KindAnswer || result.Outcome != wire.OutcomeDone || heard {
		return nil
	}
	select { // it was written before the result, but on another pipe
	case answer, open := <-w.answer:
		if open {
			return w.note(answer)
		}
	case err := <-w.broken:
		return err
	case <-time.After(w.limits.Answer):
	}
	return &halt{verdict: VerdictProtocol, message: w.name + " announced an answer and wrote none."}
}

// note takes in an answer. Only the first answer to a delivery settles it.
func (w *worker) note(answer wire.Answer) error {
	if w.delivery == nil || answer.Token != w.delivery.token {
		return &halt{verdict: VerdictProtocol, message: fmt.Sprintf("%s answered delivery %q, which it does not hold.", w.name, answer.Token)}
	}
	if w.delivery.answer == "" {
		w.delivery.answer = answer.Answer
	}
	return nil
}

// grant lets the worker make the call it stands before.
func (w *worker) grant() { w.reply(wire.Reply{Go: w.at.Number}) }

// giveUp ends the worker's wait: its program is told SQLITE_BUSY.
func (w *worker) giveUp() { w.reply(wire.Reply{Busy: w.at.Number}) }

func (w *worker) reply(reply wire.Reply) {
	_ = json.NewEncoder(w.pipes.grants).Encode(reply) // a dead reader shows as its end
}

// send writes a delivery to the worker's standard input.
func (w *worker) send(d *delivery) {
	_ = json.NewEncoder(w.pipes.input).Encode(wire.Delivery{Token: d.token, Operation: d.Operation, Amount: d.Amount})
}

// kill sends SIGKILL to the whole group and returns when the process is
// reaped, because its locks live until then.
func (w *worker) kill() error {
	if w.state == gone {
		return nil
	}
	killGroup(w.command.Process.Pid)
	<-w.ended
	return w.bury()
}

// bury takes in what the ended process has still said, and closes everything.
// Children that outlive it are killed; one that has left the group and holds a
// pipe open is left alone after a moment.
func (w *worker) bury() error {
	w.state = gone
	killGroup(w.command.Process.Pid)
	defer w.pipes.close()
	w.pipes.hurry(time.Now().Add(time.Second))
	if w.said != nil {
		for range w.said { // announced and never granted: it did not happen
		}
	}
	var err error
	if w.answer != nil {
		for answer := range w.answer {
			if err == nil {
				err = w.note(answer)
			}
		}
	}
	select {
	case broken := <-w.broken:
		return broken
	default:
		return err
	}
}

// last names the call before which the worker stood last.
func (w *worker) last() string {
	if w.at.Number == 0 {
		return "its start"
	}
	return quote(w.place())
}

// place names the boundary the worker stands at: "COMMIT of work-1".
func (w *worker) place() string {
	text := w.at.Text
	if w.delivery == nil || w.at.Kind == wire.KindOpen {
		return text
	}
	return text + " of " + w.delivery.label
}

// complaint is what the process wrote to standard error, shortened.
func (w *worker) complaint() string { return strings.TrimSpace(w.stderr.String()) }
