package exercises

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// worker is one process of the learner's program. It is always in one of the
// states below when the grader looks: between two grants nothing runs.
type worker struct {
	ctx     context.Context // of the whole grading
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

	said    chan heard[wire.Message] // closed at the end of its announcements
	answers chan heard[wire.Answer]  // closed at the end of its standard output
	stderr  *excerpt
	quiet   chan struct{} // closed at the end of its standard error
	ended   chan struct{} // closed once the process is reaped

	spoiled bool  // its standard output holds a mistake; what comes after it does not count
	cut     error // a line that it began and never ended
	killed  bool  // by the grader
	reached *halt // the bound that it has run into
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
		ctx: ctx, name: name, limits: limits, stderr: &excerpt{},
		said: make(chan heard[wire.Message], maxQueue), answers: make(chan heard[wire.Answer], maxQueue),
		quiet: make(chan struct{}), ended: make(chan struct{}),
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
	go func() {
		w.stderr.fill(w.pipes.complaint)
		close(w.quiet)
	}()
	go func() {
		_ = w.command.Wait() // how it ended is in ProcessState
		close(w.ended)
	}()
	return w, w.settle()
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
func (w *worker) settle() error {
	w.state = running
	err := w.listen()
	var halted *halt
	if errors.As(err, &halted) && halted.verdict == VerdictProtocol {
		w.linger()
	}
	return err
}

func (w *worker) listen() error {
	patience := time.NewTimer(w.limits.Answer)
	defer patience.Stop()
	for {
		select {
		case message, open := <-w.said:
			if !open {
				w.said = nil // the process is ending, or has closed the pipe and runs on
				continue
			}
			settled, err := w.takeMessage(message)
			if settled || err != nil {
				return err
			}
		case answer, open := <-w.answers:
			if !open {
				w.answers = nil
				continue
			}
			if err := w.takeAnswer(answer); err != nil {
				return err
			}
		case <-w.ended:
			return w.bury()
		case <-patience.C:
			return w.late()
		case <-w.ctx.Done():
			return stopped(w.ctx)
		}
	}
}

// takeMessage takes in what was read from the announcements.
func (w *worker) takeMessage(message heard[wire.Message]) (settled bool, err error) {
	switch {
	case message.cut:
		w.cut = message.err
		return false, nil
	case message.err != nil:
		w.reach(message.err)
		return false, message.err
	}
	return w.hear(message.line)
}

// takeAnswer takes in what was read from standard output. It comes in the order
// in which it was written, so the first thing that is wrong is what counts.
func (w *worker) takeAnswer(answer heard[wire.Answer]) error {
	switch {
	case w.spoiled:
		return nil
	case answer.cut:
		w.cut = answer.err
		return nil
	case answer.err != nil:
		w.reach(answer.err)
		return answer.err
	}
	err := w.note(answer.line)
	w.spoiled = err != nil
	return err
}

// late is the outcome of a worker that nothing was heard of for too long.
func (w *worker) late() error {
	if w.ctx.Err() != nil {
		return stopped(w.ctx)
	}
	if w.cut != nil {
		return w.cut // it has closed the pipe in the middle of a line, and is alive
	}
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
	return w.awaitAnswer()
}

// awaitAnswer takes in the answer whose call is done: it was written before the
// result, but to another pipe.
func (w *worker) awaitAnswer() error {
	missing := &halt{verdict: VerdictProtocol, message: w.name + " announced an answer and wrote none."}
	if w.answers == nil {
		return missing
	}
	select {
	case answer, open := <-w.answers:
		if err := w.takeAnswer(answer); err != nil || open && !answer.cut {
			return err
		}
	case <-w.ctx.Done():
		return stopped(w.ctx)
	case <-time.After(w.limits.Answer):
	}
	return missing
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
