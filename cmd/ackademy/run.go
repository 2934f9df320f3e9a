package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

const runHelp = `
Runs one schedule of a scenario and draws it: what each step did, what stands
in the tables at the end, and what an observer who sees everything says of it.

A schedule is a list of steps, each named by what it does; ` + "`ackademy check`" + ` prints
one for each violation. Steps are separated by semicolons or stand on lines of
their own. A step that is not possible where the schedule has it is an error
that lists the possible ones; nothing is skipped.

Where the schedule ends before everything is at rest, the run goes on by a
fixed rule: always the first possible step that is no fault. It is then printed
complete. With --stop it ends where the schedule does. Without a schedule the
whole run follows that rule, or, with --seed, chance: equal seeds give equal
runs.

  ackademy run lessons/03-commit-first/one-transaction.star
  ackademy run FILE --schedule 'v1; publisher publish work-1; deliver work-1 to worker1'
  ackademy run FILE --schedule @run.txt --stop
  ackademy run FILE --seed 7

The status is 1 if the run ends with a verdict that the scenario forbids, and 2
if a bound keeps it from coming to rest.

With --json, standard output has one JSON object:

  file, scenario, title, faults   as for check
  schedule    the complete schedule on one line
  steps       a list: step (from 1), name, at (seconds of virtual time), fault
              (absent without one), added (true where the rule or chance chose
              it), sentence
  at_rest     whether nothing can happen any more without a fault
  decided     whether the verdicts are certain
  status      holds, violated or undecided: what decides the exit status
  done_once   whether every promised intent has each effect exactly once
  verdicts    a list: name, forbidden, intent, explanation
  tables      a list: database, table, rows
  mailboxes   a list: provider, mails
  queues      a list: queue, messages
An error gives {"file", "error"} as for check, with "possible" for a step that
doesn't fit.
`

// running is one call of the command.
type running struct {
	drawing
	budget   budget
	schedule string
	given    bool // a schedule was given, perhaps an empty one
	seed     uint64
	seeded   bool
	stop     bool
	json     bool
	maxSteps int
	forReal  bool
	keep     string // folder for the files of a real run
}

// The bounds of a run. A run that needs more steps goes in circles; judging a
// state looks ahead over that many others.
const (
	defaultMaxSteps = 1000
	judgeStates     = 200_000
)

func runCommand() command {
	r := &running{maxSteps: defaultMaxSteps}
	return command{
		name: "run", args: "FILE", summary: "run one schedule and draw it", help: runHelp + realHelp, run: r.run,
		options: append([]option{
			{name: "schedule", value: "STEPS", text: "the steps; @FILE reads them from a file, - from standard input",
				set: func(s string) *problem { r.schedule, r.given = s, true; return nil }},
			{name: "seed", value: "N", text: "go on by chance, faults included, instead of by the fixed rule", set: r.setSeed},
			onSwitch(&r.stop, "stop", "end where the schedule ends"),
			countOption(&r.maxSteps, "max-steps", "add at most so many steps (default 1000)", 1, schedule.MaxSteps),
			onSwitch(&r.json, "json", "JSON instead of text"),
			onSwitch(&r.forReal, "real", "run it for real too: processes, files, kills"),
			{name: "keep", value: "DIR", text: "with --real: keep the files in this folder, which must be new or empty",
				set: func(s string) *problem { r.keep = s; return nil }},
			r.budget.option(),
		}, r.drawing.options()...),
	}
}

func (r *running) setSeed(s string) *problem {
	seed, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return wrongInput("bad-option", "--seed can't be "+quote(s), "Give a whole number that is not negative.")
	}
	r.seed, r.seeded = seed, true
	return nil
}

func (r *running) run(t *terminal, args []string) int {
	switch {
	case len(args) == 0:
		return t.problem(wrongInput("no-file", "run needs a scenario", "Name a .star file: `ackademy run FILE`."))
	case len(args) > 1:
		return t.problem(wrongInput("too-many-arguments", "run takes one scenario, not "+fmt.Sprint(len(args)),
			"Put a schedule in quotes behind --schedule; `ackademy check` takes several files."))
	case r.stop && r.seeded:
		return t.problem(wrongInput("bad-option", "--stop ends the run where --seed would go on", "Leave one of the two out."))
	}
	r.drawing.apply(t)
	if r.forReal {
		return r.real(t, args[0])
	}
	if r.keep != "" {
		return t.problem(wrongInput("bad-option", "--keep is for the files of a real run", "Give --real too, or leave --keep out."))
	}
	o, p := r.drive(t, args[0])
	if p != nil {
		if r.json {
			t.printJSON(struct {
				File  string       `json:"file"`
				Error *problemJSON `json:"error"`
			}{args[0], p.json()})
		}
		return t.problem(p)
	}
	if r.json {
		t.printJSON(o.json())
	} else {
		o.write(t, &r.budget)
	}
	return o.exit()
}

// observed is a run and what the observer says of its end.
type observed struct {
	path     string
	sc       *script.Scenario
	run      *schedule.Run
	given    int // steps of the schedule; the others were added
	rule     string
	atRest   bool
	standing explore.Standing
	doneOnce bool
}

// drive replays the schedule and goes on as asked.
func (r *running) drive(t *terminal, path string) (*observed, *problem) {
	sc, p := t.load(path, &r.budget)
	if p != nil {
		return nil, p
	}
	var steps []string
	if r.given {
		if steps, p = t.readSchedule(r.schedule); p != nil {
			return nil, p
		}
	}
	o := &observed{path: path, sc: sc}
	w := sim.New(sc.Scenario)
	var err error
	if o.run, err = schedule.Replay(w, steps); err != nil {
		return nil, problemOf(err, sc)
	}
	o.given = o.run.Len()
	switch {
	case r.stop:
		o.atRest, err = rests(o.run)
	case r.seeded:
		o.rule = fmt.Sprintf("drawn by chance, seed %d", r.seed)
		o.atRest, err = o.run.Random(r.seed, r.maxSteps)
	default:
		o.rule = "the first possible step that is no fault"
		o.atRest, err = o.run.Finish(r.maxSteps)
	}
	if err == nil {
		o.standing, err = explore.Judge(w, o.run.State(), judgeStates)
	}
	if err != nil {
		return nil, problemOf(err, sc)
	}
	o.doneOnce = w.DoneAll(o.run.State())
	return o, nil
}

// rests tells whether a run can't go on without a fault.
func rests(run *schedule.Run) (bool, error) {
	steps, err := run.Enabled()
	for _, s := range steps {
		if s.Calm() && s.Kind != sim.StepRequest {
			return false, err
		}
	}
	return true, err
}

// verdict is what the observer says of one intent.
type verdict struct {
	property  sim.Property
	intent    int
	forbidden bool
}

// verdicts lists them in the order of properties and intents.
func (o *observed) verdicts() []verdict {
	var list []verdict
	for _, p := range sim.Properties() {
		for i := range o.sc.Intents {
			if p != sim.DoneOnce && o.standing.Verdicts.Of[p]&(1<<i) != 0 {
				list = append(list, verdict{p, i, o.sc.Forbidden[p]})
			}
		}
	}
	return list
}

// exit is the exit status that the run stands for. A run that was meant to
// stop early is not undecided for it.
func (o *observed) exit() int {
	for _, v := range o.verdicts() {
		if v.forbidden {
			return exitBad
		}
	}
	if !o.standing.Decided || !o.atRest && o.rule != "" {
		return exitUndecided
	}
	return exitGood
}

// added tells whether step n (from 1) was not in the schedule.
func (o *observed) added(n int) bool { return n > o.given }

// command is a command line that repeats the run, complete.
func (o *observed) command(b *budget) string {
	return strings.TrimSpace(replayCommand(o.path, b.argument(), o.run.Steps()))
}
