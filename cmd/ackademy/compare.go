package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

const compareHelp = `
Puts two handlers side by side under the same schedule, and lists the windows
that one of them has and the other has not.

The schedule belongs to one scenario; the other follows it. Its steps are
pinned to the process, the call and the time it is made: calls that only one of
them has are made where they lie, faults strike where they are pinned. Without
--schedule it is a shortest schedule of A's first violation, or of B's if A has
none, or a run without a fault. Both runs then go on to their rest by the fixed
rule of ` + "`ackademy run`" + `.

  =  both make this step      ~  both make it, at different places
  -  only A makes it          #  B makes the call, but the fault can't strike there
  +  only B makes it

  ackademy compare lessons/02-ack-first/ack-first.star lessons/03-commit-first/one-transaction.star
  ackademy compare A.star B.star --schedule 'v1; publisher publish work-1; deliver work-1 to worker1'

A comparison is no judgement: the status is 0 whatever it shows, and 2 if a
bound kept something undecided.

With --json, standard output has one JSON object:

  a, b        the two sides. Each has file, scenario, title, schedule (complete),
              faults (the budget that run needs for it, absent if its own is
              enough), at_rest, decided, done_once and verdicts, as for run
  follows     the side that follows: a or b
  shows       the property whose schedule was taken; absent if none was
  steps       a list of rows: match (same, moved, plain, extra or missing, seen
              from the side that follows), a and b (each with step, from 1, name,
              and fault if it is one; absent where that side makes no such step),
              other (of moved ones: the other side's step)
  windows     the differences: processes, call, number (which call of that name
              in the text, where there are several), fault, and a and b, each
              with mark and verdicts; mark is absent where there is no such call,
              and as_without_fault says that the other side's verdicts need no
              fault here
  always      a and b: the properties that need no fault
An error gives {"file", "error"} as for check.
`

// comparing is one call of the command.
type comparing struct {
	drawing
	bounds
	budget   budget
	schedule string
	given    bool
	json     bool
}

func compareCommand() command {
	c := &comparing{}
	return command{
		name: "compare", args: "A B", summary: "two handlers under the same schedule", help: compareHelp, run: c.run,
		options: slices.Concat([]option{
			{name: "schedule", value: "STEPS", text: "a schedule of A; @FILE reads it from a file, - from standard input",
				set: func(s string) *problem { c.schedule, c.given = s, true; return nil }},
			onSwitch(&c.json, "json", "JSON instead of text"),
			c.budget.option(),
		}, c.bounds.options(), c.drawing.options()),
	}
}

func (c *comparing) run(t *terminal, args []string) int {
	if len(args) != 2 {
		return t.problem(wrongInput("two-files", fmt.Sprintf("compare takes two scenarios, not %d", len(args)), "Name two .star files: `ackademy compare A.star B.star`."))
	}
	c.drawing.apply(t)
	r, path, p := c.compare(t, args)
	switch {
	case p != nil:
		if c.json {
			t.printJSON(struct {
				File  string       `json:"file"`
				Error *problemJSON `json:"error"`
			}{path, p.json()})
		}
		return t.problem(p)
	case c.json:
		t.printJSON(r.json())
	default:
		r.write(t)
	}
	return r.exit()
}

// side is one of the two scenarios.
type side struct {
	own   sim.Faults // the scenario's budget, or that of --faults
	sc    *script.Scenario
	chart *chart
	end   *observed
}

// comparison is both sides, and how their steps lie beside one another.
type comparison struct {
	sides     [2]*side
	follows   int           // the side that follows
	shows     *sim.Property // whose schedule was taken; nil: none was
	undecided bool          // a search for a schedule reached a bound
	rows      []pair
	windows   []tell.Difference
}

// pair is a row: a step of each side, from 0; -1: none.
type pair struct {
	match schedule.Match
	steps [2]int
	other int // of moved ones: the step of the side that has none here
}

// compare makes the comparison. With a problem, path is the file that it is
// about.
func (c *comparing) compare(t *terminal, paths []string) (r *comparison, path string, p *problem) {
	r = &comparison{follows: 1}
	for i, path := range paths {
		sc, p := t.load(path, &c.budget)
		if p != nil {
			return nil, path, p
		}
		r.sides[i] = &side{sc: sc, own: sc.Faults, end: &observed{path: path, sc: sc}}
		if r.sides[i].chart, p = drawChart(t, path, sc, &c.bounds); p != nil {
			return nil, path, p
		}
	}
	steps, p := c.steps(t, r)
	if p != nil {
		return nil, paths[0], p
	}
	leader, follower := r.sides[1-r.follows], r.sides[r.follows]
	if err := leader.replay(steps); err != nil {
		return nil, leader.end.path, problemOf(err, leader.sc)
	}
	if err := r.follow(leader, follower); err != nil {
		return nil, follower.end.path, problemOf(err, follower.sc)
	}
	r.windows = tell.Differences(r.sides[0].chart.told(), r.sides[1].chart.told())
	return r, "", nil
}

// steps chooses the schedule, and which side follows.
func (c *comparing) steps(t *terminal, r *comparison) ([]string, *problem) {
	if c.given {
		return t.readSchedule(c.schedule)
	}
	for i, s := range r.sides {
		o, wipe := c.bounds.search(t, s.end.path)
		report, err := explore.Run(t.ctx, sim.New(s.sc.Scenario), o)
		wipe()
		if err != nil {
			return nil, problemOf(err, s.sc)
		}
		r.undecided = r.undecided || !report.Complete()
		for k := range report.Findings {
			if f := &report.Findings[k]; f.Status == explore.Violated && s.sc.Forbidden[f.Property] {
				r.follows, r.shows = 1-i, &f.Property
				return f.Schedule, nil
			}
		}
	}
	return nil, nil
}

// replay drives the side whose schedule it is, to its rest.
func (s *side) replay(steps []string) error {
	run, err := schedule.Replay(sim.New(s.sc.Scenario), steps)
	if err != nil {
		return err
	}
	return s.rest(run)
}

// rest lets a run go on by the fixed rule and judges its end.
func (s *side) rest(run *schedule.Run) error {
	o := s.end
	o.run, o.given, o.rule = run, run.Len(), "the first possible step that is no fault"
	var err error
	if o.atRest, err = run.Finish(defaultMaxSteps); err != nil {
		return err
	}
	o.standing, err = explore.Judge(run.World, run.State(), judgeStates)
	o.doneOnce = run.World.DoneAll(run.State())
	return err
}

// follow drives the other side. It gets the budget of the first: under the
// same schedule the same may go wrong.
func (r *comparison) follow(leader, follower *side) error {
	sc, err := script.Load(follower.sc.Filename, []byte(follower.sc.Source)) // its handlers' trees depend on the budget
	if err != nil {
		return err
	}
	follower.sc, follower.end.sc = sc, sc
	f := &sc.Faults
	f.Total, f.Limit, f.Scoped = leader.sc.Faults.Total, leader.sc.Faults.Limit, false
	run, rows, err := schedule.Follow(sim.New(sc.Scenario), schedule.Pins(leader.end.run))
	if err != nil {
		return err
	}
	if err := follower.rest(run); err != nil {
		return err
	}
	for _, row := range rows {
		p := pair{match: row.Match, other: row.Other}
		p.steps[1-r.follows], p.steps[r.follows] = row.Left, row.Right
		r.rows = append(r.rows, p)
	}
	for i := follower.end.given; i < run.Len(); i++ {
		p := pair{match: schedule.Extra}
		p.steps[1-r.follows], p.steps[r.follows] = -1, i
		r.rows = append(r.rows, p)
	}
	return nil
}

func (r *comparison) exit() int {
	for _, s := range r.sides {
		if r.undecided || s.chart.found.Bound != explore.NoBound || !s.end.atRest || !s.end.standing.Decided {
			return exitUndecided
		}
	}
	return exitGood
}

// faults is the budget that the side's run needs, as --faults takes it; empty
// where its scenario's own is enough.
func (s *side) faults() string {
	var used sim.Faults
	for i := range s.end.run.Len() {
		if k := s.end.run.Outcome(i).Fault; k.Strikes() {
			used.Total++
			used.Limit[k]++
		}
	}
	enough := used.Total <= s.own.Total && !s.own.Scoped
	var parts []string
	for _, k := range sim.FaultKinds() {
		enough = enough && used.Limit[k] <= s.own.Limit[k]
		if used.Limit[k] > 0 {
			parts = append(parts, fmt.Sprintf("%s=%d", k, used.Limit[k]))
		}
	}
	if enough || used.Total == 0 {
		return ""
	}
	if s.own.Scoped {
		parts = append(parts, anywhere)
	}
	return strings.Join(parts, ",")
}

// command is a command line that replays the side's run.
func (s *side) command() string {
	faults := s.faults()
	if faults != "" {
		faults = " --faults " + shellQuote(faults)
	}
	return replayCommand(s.end.path, faults, s.end.run.Steps())
}
