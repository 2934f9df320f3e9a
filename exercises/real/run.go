package real

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// Options say what to run.
type Options struct {
	Scenario *script.Scenario
	Steps    []string // the schedule; bare names of processes are accepted
	// Stop kills everybody where the schedule ends. Otherwise a run that ends in
	// mid-handler is completed in both worlds: always the first step that is
	// enabled and no fault, until nothing can happen.
	Stop bool
	// Keep is a folder for the files, which must be empty or not there yet;
	// without it they stand in a temporary folder that is removed.
	Keep string
	// Patience is how long a child may keep the referee waiting; 0: 10 seconds.
	Patience time.Duration
	// Executable is the program that is started for each process; "": this one.
	Executable string

	// What tests use to break things on purpose.
	tamper func(*sim.View)            // changes the prediction
	source string                     // the text that the workers are given
	before func(r *referee, step int) // is called before each step, from 0
}

// maxFinish bounds how far a run is completed: one that goes on longer repeats
// itself, and a person has seen enough.
const maxFinish = 1000

// Run plays the scenario along the schedule in both worlds and compares them.
// The error, if any, is an *Error; a difference between the worlds is none, but
// stands in the report. No child outlives Run.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if err := runnable(o.Scenario); err != nil {
		return nil, err
	}
	began := time.Now()
	r := &referee{options: o, ctx: ctx, scenario: o.Scenario, report: &Report{}}
	if err := r.predict(); err != nil {
		return nil, err
	}
	if err := r.makeFolder(); err != nil {
		return nil, err
	}
	err := r.inFolder()
	err = errors.Join(err, r.removeFolder())
	if err != nil {
		return nil, ourFault("playing the schedule", err)
	}
	r.report.Milliseconds = time.Since(began).Milliseconds()
	return r.report, nil
}

// runnable tells whether there is something real to put in the place of every
// party; if not, what is nearest.
func runnable(sc *script.Scenario) error {
	if err := brokerRunnable(sc); err != nil {
		return err
	}
	if !supported {
		return inputError("not_for_real", "Run it on Linux or macOS.", nil, "real runs kill and stop processes in a way that %s does not have", runtime.GOOS)
	}
	for _, p := range sc.Processes {
		if p.Kind == sim.Service && p.Front >= 0 {
			return inputError("not_for_real", "Let the callers of "+p.Name+" ask once, in order, to run it for real.", nil,
				"%s: the callers of %s do more than ask once, one after the other, and real runs have no such callers", sc.Filename, p.Name)
		}
		if p.Kind == sim.Operator {
			return inputError("not_for_real", "Leave the operator out to run the rest for real.", nil,
				"%s: %s is a person's doing, and real runs have processes only", sc.Filename, p.Name)
		}
		if p.Kind == sim.Job {
			return inputError("not_for_real", "Write its work into the handler of a service or a consumer to run that for real.", nil,
				"%s: %s is a job, and real runs have no clock that could start it", sc.Filename, p.Name)
		}
	}
	for _, h := range sc.Hosts {
		return inputError("not_for_real", "Give each handler a process of its own to run them for real.", nil,
			"%s: several handlers live in %s, and real runs have one in each process", sc.Filename, h.Name)
	}
	for _, l := range sc.Logs {
		return inputError("not_for_real", "The nearest thing is queue("+text(l.Name)+"), with a settle per message.", nil,
			"%s: %s is a log, and real runs have only queues", sc.Filename, l.Name)
	}
	if sc.Batches {
		return inputError("not_for_real", "Send one by one to run it for real.", nil, "%s: the text sends emails in batches, which real runs don't", sc.Filename)
	}
	if sc.Restores {
		return inputError("not_for_real", "Leave the copies out to run the rest for real.", nil, "%s: the text makes copies of a database or puts them back, which real runs don't", sc.Filename)
	}
	if err := plainClients(sc); err != nil {
		return err
	}
	for _, d := range sc.Databases {
		if d.Isolation != sim.SingleWriter {
			return inputError("not_for_real", "The nearest thing is database("+text(d.Name)+", like = \"sqlite\"), with remote = True if answers must be able to get lost.", nil,
				"%s: the database %s is like %s, and only SQLite can be run for real", sc.Filename, d.Name, d.Profile)
		}
		for _, t := range d.Tables {
			if t.Sequence {
				return inputError("not_for_real", "Give each row an id of its own to run it for real.", nil,
					"%s: a sequence hands out the keys of %s, and real runs have none", sc.Filename, t.Name)
			}
			if t.Sum {
				return inputError("not_for_real", "Count each commit to run it for real: leave out counts.", nil,
					"%s: rows of %s add up shares, which only the simulator's observer knows", sc.Filename, t.Name)
			}
			if t.Stamps {
				return inputError("not_for_real", "Leave out after, due and not_due to run it for real.", nil,
					"%s: columns of %s fall due, and the time of real runs is not that of the scenario", sc.Filename, t.Name)
			}
			if len(t.Ages) > 0 {
				return inputError("not_for_real", "Leave out older and younger to run it for real.", nil,
					"%s: somebody asks for the age of rows of %s, and the time of real runs is not that of the scenario", sc.Filename, t.Name)
			}
			if len(t.Name) >= len(reserved) && t.Name[:len(reserved)] == reserved {
				return inputError("not_for_real", "Give the table another name.", nil, "%s: SQLite keeps table names that begin with %s, as %s does, for itself", sc.Filename, reserved, t.Name)
			}
		}
	}
	for _, k := range []sim.FaultKind{sim.Late, sim.Outage} {
		if sc.Faults.Limit[k] > 0 {
			return inputError("not_for_real", "Leave "+k.String()+" out of the faults.", nil, "%s: the fault %s can't be brought about for real", sc.Filename, k)
		}
	}
	for i := range sc.Providers {
		if err := runnableProvider(sc.Filename, &sc.Providers[i], &sc.Faults); err != nil {
			return err
		}
	}
	return nil
}

// plainClients refuses what a consumer's client does by itself: the referee
// hands out one delivery at a time.
func plainClients(sc *script.Scenario) error {
	for _, p := range sc.Processes {
		what, instead := "", ""
		switch {
		case p.Prefetch > 1:
			what, instead = "a buffer", "Leave out prefetch to run the handler for real."
		case p.Batch > 0:
			what, instead = "batches", "Leave out batch, and let the handler take one delivery, to run it for real."
		case p.AutoAck:
			what, instead = "deliveries that are settled as they leave the broker", "Ack first in the handler to run it for real."
		case p.Keep > 0 || p.Kind == sim.Consumer && sc.Extends:
			what, instead = "leases that are extended", "Choose a lease longer than the work to run it for real."
		case p.OnReturn == sim.RuleClose || p.OnReturn == sim.RuleExit || closes(sc, p):
			what, instead = "a connection or process that ends by rule", "Choose on_error = \"requeue\" to run it for real."
		default:
			continue
		}
		return inputError("not_for_real", instead, nil, "%s: the consumer %s has %s, and real runs do not", sc.Filename, p.Name, what)
	}
	return nil
}

// closes tells whether a failed handler of a process closes its connection or
// ends it.
func closes(sc *script.Scenario, p sim.Process) bool {
	if p.Kind != sim.Consumer {
		return false
	}
	rule := p.OnError
	if rule == sim.RuleProfile {
		rule = sc.Queues[p.Queue].OnError
	}
	return rule == sim.RuleClose || rule == sim.RuleExit
}

const reserved = "sqlite_"

// predict plays the whole run in the simulator.
func (r *referee) predict() error {
	run, err := schedule.Replay(sim.New(r.scenario.Scenario), r.options.Steps)
	given := run.Len()
	if err == nil && !r.options.Stop {
		r.report.AtRest, err = run.Finish(maxFinish)
	}
	if err == nil && r.options.Stop {
		_, err = run.Enabled() // a mistake in the text may be all that comes next
	}
	if err != nil {
		return r.scheduleError(err)
	}
	if err := r.refuseModes(run); err != nil {
		return err
	}
	r.run, r.world = run, run.World
	r.report.describe(r.scenario, run)
	r.report.Given, r.report.Stopped = given, !r.report.AtRest
	return nil
}

// refuseModes tells whether the run has a transaction that a real file can't be
// compared for. The files are in WAL mode, which makes no difference as long as
// nobody but writers holds a lock; in DELETE mode readers in transactions get in
// the way of commits, and a real commit that finds them keeps new ones out.
func (r *referee) refuseModes(run *schedule.Run) error {
	for n := range run.Len() {
		for _, e := range run.Events(n) {
			if e.Kind != sim.EventCall || e.Call.Verb != sim.VerbBegin {
				continue
			}
			db := &r.scenario.Databases[e.Call.Party]
			if m := e.Call.Mode; db.Journal == sim.DeleteJournal && (m == sim.ModeDeferred || m == sim.ModeExclusive) {
				return inputError("not_for_real", "Add journal = \"wal\" to database("+text(db.Name)+", ...), or begin with mode = \"immediate\".", nil,
					"%s: a real run has its files in WAL mode, and %s begins a transaction that is %s in a file in DELETE mode", r.scenario.Filename, run.Outcome(n).Name, m)
			}
		}
	}
	return nil
}

func (r *referee) scheduleError(err error) error {
	var misfit *schedule.MisfitError
	if errors.As(err, &misfit) {
		return inputError("schedule_misfit", "Correct this step, or make the schedule anew: it may belong to another version of the scenario.", err, "%v", err)
	}
	var mistake *sim.MistakeError
	if errors.As(err, &mistake) {
		if known := r.scenario.Mistake(mistake); known != nil {
			return inputError("scenario_mistake", "Correct the scenario.", known, "%s runs into a mistake of the text: %v", mistake.Process, known)
		}
	}
	return ourFault("predicting the run", err)
}

func (r *referee) makeFolder() error {
	var err error
	if r.folder = r.options.Keep; r.folder == "" {
		r.folder, err = os.MkdirTemp("", "ackademy-real-")
	} else if err = os.MkdirAll(r.folder, 0o700); err == nil {
		r.folder, err = filepath.Abs(r.folder)
	}
	if err != nil {
		return diskError("making a folder", err)
	}
	there, err := os.ReadDir(r.folder)
	if err != nil {
		return diskError("looking into its folder", err)
	}
	if len(there) > 0 {
		return inputError("folder_in_use", "Name an empty folder, or one that is not there yet.", nil, "the folder %s has something in it already: %s", r.folder, there[0].Name())
	}
	return nil
}

// removeFolder removes everything, or what nobody could use any more.
func (r *referee) removeFolder() error {
	if r.options.Keep == "" {
		return os.RemoveAll(r.folder)
	}
	r.report.Folder = r.folder
	var err error
	for _, p := range append(append([]party(nil), r.providers...), r.servers...) {
		if p.socket != "" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.folder, p.socket)))
		}
	}
	return err
}

// inFolder makes the files, plays the run, kills everybody and compares.
func (r *referee) inFolder() error {
	defer r.killAll() // whatever happens
	if err := r.makeFiles(); err != nil {
		return err
	}
	if err := r.startAll(); err != nil {
		return err
	}
	reached, err := r.play()
	if err != nil {
		return err
	}
	if err := r.countRequests(); err != nil {
		return err
	}
	r.killAll()
	if r.noise != "" {
		return ourFault("listening to its processes", errors.New(r.noise))
	}
	return r.compare(r.run.At(reached))
}

// play takes all steps, up to the first difference. It returns how many were
// taken.
func (r *referee) play() (int, error) {
	for n := 0; n <= r.run.Len(); n++ {
		if r.ctx.Err() != nil {
			return n, interrupted(r.ctx)
		}
		err := r.step(n)
		var difference *Difference
		if errors.As(err, &difference) {
			// A party that has ended lets every call to it come out differently.
			if err := r.partiesAnswer(); err != nil {
				return n, err
			}
			r.report.Differences = append(r.report.Differences, *difference)
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return r.run.Len(), nil
}

// makeFiles makes the databases.
func (r *referee) makeFiles() error {
	columns := columnsOf(r.scenario.Scenario, r.run)
	for d, db := range r.scenario.Databases {
		s := dbSetup{File: fmt.Sprintf("%d.sqlite", d+1)}
		for t, table := range db.Tables {
			s.Tables = append(s.Tables, tableSetup{Name: table.Name, Key: table.Key, Version: table.Version, Columns: columns[d][t]})
		}
		for _, row := range r.scenario.Given {
			if row.Database == d {
				t := &s.Tables[row.Table]
				t.Given = append(t.Given, outside(r.scenario.Values, row.Body))
			}
		}
		if err := makeFile(filepath.Join(r.folder, s.File), s.Tables); err != nil {
			if failed(err).Disk {
				return diskError("making the database "+db.Name, err)
			}
			return ourFault("making the database "+db.Name, err)
		}
		r.databases = append(r.databases, s)
	}
	return nil
}
