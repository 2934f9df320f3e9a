package exercises

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// bench is what the runs of one grading share.
type bench struct {
	exercise Exercise
	program  []string // command line of the compiled program
	folder   string   // scratch; every run gets a folder in it
	template string   // the database file each run starts from
	keep     bool     // leave the folders of the runs behind
	schema   string   // of the template; no run may change it
	limits   Limits
}

// run is one fresh database and the processes that work on it, driven one call
// at a time. It is the broker too: it hands out deliveries and takes answers.
type run struct {
	*bench
	ctx        context.Context
	file       string
	workers    []*worker
	deliveries []*delivery
	schedule   []string // who did what, in order
	kills      int
	boundary   string // where a process was killed

	crossed int      // boundaries at which a process was granted its call
	strike  int      // kill the process at this boundary, counted from 1; 0: never
	passed  []string // names of the boundaries crossed
	watched int      // changes in the file when it was watched last; -1: not watched
}

// errStruck ends what a run was doing when the kill it was made for came.
var errStruck = errors.New("killed as planned")

func (b *bench) newRun(ctx context.Context, name string) (*run, error) {
	folder := filepath.Join(b.folder, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, ourFault("making a folder", err)
	}
	r := &run{bench: b, ctx: ctx, file: filepath.Join(folder, "sink.db"), watched: -1}
	if err := copyFile(b.template, r.file); err != nil {
		return nil, ourFault("copying the database", err)
	}
	return r, nil
}

// close ends every process that is left, which does not count as a kill, and
// removes the files: memory may be small.
func (r *run) close() {
	for _, w := range r.workers {
		_ = w.kill() // what it still said no longer matters
	}
	if !r.keep {
		_ = os.RemoveAll(filepath.Dir(r.file)) // the whole scratch folder goes later
	}
}

func (r *run) log(format string, args ...any) {
	r.schedule = append(r.schedule, fmt.Sprintf(format, args...))
}

// start begins a process and brings it to its first boundary.
func (r *run) start() (*worker, error) {
	name := fmt.Sprintf("worker%d", len(r.workers)+1)
	w, err := startWorker(r.ctx, name, r.program, filepath.Dir(r.file), r.file, r.limits)
	if w != nil {
		r.workers = append(r.workers, w)
	}
	if err != nil {
		return w, err
	}
	r.log("%s starts", name)
	return w, r.alive(w)
}

// alive complains about a process that has ended before it received anything.
func (r *run) alive(w *worker) error {
	if w.state != gone || w.delivery != nil {
		return nil
	}
	if !w.greeted {
		return &halt{verdict: VerdictUnannounced, message: "The program ended before it said anything to the grader. Its main function has to call kit.Consume."}
	}
	return &halt{verdict: VerdictStuck, message: fmt.Sprintf("%s ended before it received a delivery.", w.name)}
}

// step grants the call at which a worker stands. A lock that it meets leaves
// it where it is, waiting.
func (r *run) step(w *worker) error {
	retried := w.state == waiting
	r.crossed++
	r.passed = append(r.passed, w.place())
	if r.crossed == r.strike {
		if err := r.kill(w); err != nil {
			return err
		}
		return errStruck
	}
	w.calls++
	if w.calls > r.limits.Calls {
		return &halt{bound: "calls", message: fmt.Sprintf("%s made %d calls for one delivery, the last at %s.", w.name, r.limits.Calls, w.last())}
	}
	if !retried && w.at.Kind != wire.KindReceive {
		r.log("%s %s", w.name, w.at.Text)
	}
	at := len(r.schedule) - 1
	w.grant()
	if err := w.settle(); err != nil {
		return err
	}
	switch {
	case w.state == waiting && !retried:
		r.schedule[at] += " (waits)"
	case w.state != waiting && retried:
		r.log("%s %s (waited)", w.name, w.result.Text)
	case w.state != waiting && w.result.Outcome == wire.OutcomeFailed:
		r.schedule[at] += " (fails: " + plain(w.result.Detail) + ")"
	}
	if w.state == gone {
		r.log("%s ends", w.name)
	}
	return r.watch(w.result)
}

// idle: the worker stands before a receive.
func (w *worker) idle() bool { return w.state == parked && w.at.Kind == wire.KindReceive }

// ready brings a worker to its receive, where nothing was handed to it yet.
func (r *run) ready(w *worker) error {
	for !w.idle() {
		if err := r.step(w); err != nil {
			return err
		}
		if err := r.alive(w); err != nil {
			return err
		}
	}
	return nil
}

// killed is the number of processes killed; a run that never began has none.
func (r *run) killed() int {
	if r == nil {
		return 0
	}
	return r.kills
}

// cause finds the bound that a run has really ended at. A process that is held
// or ended by a bound shows much else first, in an order that depends on who
// looks when: it says nothing more, breaks off, is gone. So when one of these is
// what a run ended with, its processes are killed, everything that they have
// written is taken in, and a bound that was reached comes first. What the file
// proves stands in any case.
func (r *run) cause(err error) error {
	var halted *halt
	if !errors.As(err, &halted) {
		return err
	}
	switch halted.verdict {
	case "", VerdictProtocol, VerdictStuck, VerdictUnannounced:
	default:
		return err
	}
	for _, w := range r.workers {
		_ = w.kill() // the first mistake is known
		if w.reached != nil {
			return w.reached
		}
	}
	return err
}

// kill strikes a worker before the call it stands at.
func (r *run) kill(w *worker) error {
	r.kills++
	r.boundary = w.place()
	r.log("%s crash before %s", w.name, w.at.Text)
	return w.kill()
}

// finish lets workers go on until each is idle or gone. Where everybody who is
// left waits for a lock, nobody can go on: then the longest wait is over, as a
// busy timeout would end it, and that worker's program is told SQLITE_BUSY.
func (r *run) finish(workers ...*worker) error {
	for {
		moved, stopped := false, (*worker)(nil)
		for _, w := range workers {
			for first := true; w.state != gone && !w.idle(); first = false {
				if err := r.step(w); err != nil {
					return err
				}
				if w.state == waiting {
					moved = moved || !first
					break
				}
				moved = true
			}
			if w.state == waiting && stopped == nil {
				stopped = w
			}
		}
		if stopped == nil {
			return nil
		}
		if !moved {
			if err := r.timeOut(stopped); err != nil {
				return err
			}
		}
	}
}

// timeOut ends a worker's wait.
func (r *run) timeOut(w *worker) error {
	r.log("%s busy at %s", w.name, w.at.Text)
	w.giveUp()
	return w.settle()
}

// leave ends the input of idle workers, so that they leave by themselves. A
// worker that stays is killed.
func (r *run) leave() error {
	for _, w := range r.workers {
		if w.state == gone {
			continue
		}
		if err := r.ready(w); err != nil {
			return err
		}
		closeAll(w.pipes.input)
		w.pipes.input = nil
		w.grant()
		if err := w.settle(); err != nil {
			return err
		}
		if err := w.kill(); err != nil {
			return err
		}
	}
	return nil
}
