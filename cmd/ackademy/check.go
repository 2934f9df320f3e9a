package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

var checkHelp = `
Searches every schedule of a scenario within its budget of faults, and says of
each property: holds in all states, violated with a shortest schedule, or
undecided because a bound was reached. Folders stand for every .star file in
them, - for standard input. Several files give a table with a line for each;
--details shows all.

A scenario says with expect(...) what it forbids; what it allows is reported
and doesn't fail. The goal done_once guards against handlers that are safe
because they do nothing: some schedule must end with each operation done once.

The properties, as an observer who sees everything finds them:

  lost               promised, not done, and nothing is left that could bring it
  duplicated         done more often than it was wanted
  overwritten        done, and then an older version was written over it
  stuck              promised, not done, and its message will never be settled, or a row
                     says for ever that somebody has it open
  dead_lettered      promised, not done, and its message is in a dead-letter queue
  conflict_accepted  another payload has its name, and it was accepted all the same
  uncaused           done, although its caller was told that it was refused, it was
                     cancelled, or the row that is its cause was never committed
  unresolved         its caller never learns whether it will be done, or a row says for
                     ever that somebody has it open

The faults of --faults, and of faults(...) in a scenario:

` + faultsHelp() + `
  ackademy check lessons/02-ack-first/ack-first.star
  ackademy check lessons
  ackademy check --faults crash=2,total=2 lessons/03-commit-first/one-transaction.star
  ackademy check - < mine.star
  ackademy check --json lessons | jq -r 'select(.status != "holds") | .file'

With several files the worst status wins, in the order 4, 3, 1, 2, 0. An
interrupt (Ctrl-C) ends the search; what is not violated by then is undecided.

With --json, standard output has one JSON object per file, one on each line:

  file         the path as given
  scenario     its name
  title        first line of its doc string
  faults       the budget: {"total": 1, "crash": 1, ...}
  status       holds, violated or undecided: what decides the exit status
  complete     whether every reachable state was seen
  bound        null, or {"name", "value"}: states, memory (bytes), depth,
               time (seconds) or cancelled (value 0)
  states       states that were reached
  transitions  steps between them
  symmetry     with --symmetry: on, or off and why; else absent
  counted_to   where effects of one intent were no longer counted; else absent
  stats        with --stats: "seconds", "judging_seconds" of them spent judging what
               can still come, "states_per_second", "bytes" and "bytes_per_state" of
               memory, "depth" in steps; else absent
  spin         a circle in which the clock stands still: {"schedule" to it,
               "cycle": the steps that repeat}; absent where none was found
  idle         of the faults, those that could strike nowhere, by name; absent where all
               could, or where a bound was reached
  alone        jobs that may overlap themselves and never do, by name; else absent
  restless     where no run comes to its goal although all is done in some: the
               same of what goes on for ever after that; else absent
  growing      where a bound was reached: what only grew along the longest run that was
               seen, a list of {"name", "from", "to"}; else absent
  properties   a list, always in this order: lost, duplicated, overwritten,
               stuck, dead_lettered, conflict_accepted, uncaused, unresolved,
               and the goal done_once. Each has
    name       as above
    status     holds, violated or undecided; of the goal: reached, unreached
               or undecided
    forbidden  whether the scenario forbids it (of the goal: requires it)
    steps      length of a shortest schedule that shows it; absent if none does
    schedule   that schedule on one line, for run --schedule; absent if none
    faults     number of faults in that schedule; absent if none
    needs      the fewest faults with which any schedule shows it; absent if none
    smallest   the budgets with so few faults that show it, each a list of kinds;
               absent if none, or if they were not found within the bounds
    fewest     where that schedule has more faults than are needed: a shortest
               one with no more, {"steps", "schedule", "faults"}; else absent
    intents    the wishes it concerns, by name; absent if none
    explanation  one sentence, when violated

  blocks       where a scenario expects something under several budgets: a
               list with "under", the budget as the text has it, and all the
               fields from status to properties for it. The fields above then
               speak of all blocks together: states and transitions are sums,
               and of each property the worst answer stands. Else absent

A file that can't be checked gives {"file", "error": {"code", "message",
"file", "line", "column", "next"}}. Fields may be added, never renamed.
`

// faultsHelp lists the kinds of faults.
func faultsHelp() string {
	var b strings.Builder
	for _, d := range script.FaultDocs() {
		for i, line := range wrap(d.Doc, 70) {
			name := ""
			if i == 0 {
				name = d.Kind.String()
			}
			fmt.Fprintf(&b, "  %-16s %s\n", name, line)
		}
	}
	return b.String()
}

// checking is one call of the command.
type checking struct {
	drawing
	bounds
	budget   budget
	json     bool
	symmetry bool
	stats    bool
	show     string
	details  bool
	table    bool // a line per file instead of all its answers
	width    int  // of the column of paths in that table
	written  bool // some file's answers stand above
}

func checkCommand() command {
	c := &checking{}
	return command{
		name: "check", args: "FILE...", summary: "search every schedule of a scenario", help: checkHelp, run: c.run,
		options: slices.Concat([]option{
			onSwitch(&c.json, "json", "one JSON object per file instead of text"),
			c.budget.option(),
			onSwitch(&c.symmetry, "symmetry", "look at one of all states that differ only in who is who,\nwhere that is certain to change no answer"),
			onSwitch(&c.details, "details", "all answers and a schedule for each of several files, not a line"),
			onSwitch(&c.stats, "stats", "say what the search cost: time, memory, rate"),
			{name: "show", value: "PROPERTY", text: "draw the schedule of this property, not of the first violated one", set: c.setShow},
		}, c.bounds.options(), c.drawing.options()),
	}
}

func (c *checking) setShow(name string) *problem {
	var names []string
	for _, p := range sim.Properties() {
		if p.String() == name {
			c.show = name
			return nil
		}
		names = append(names, p.String())
	}
	next := "Choose one of " + listOf(names) + "."
	if near := nearest(name, names); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return wrongInput("bad-option", "there is no property "+quote(name), next)
}

func (c *checking) run(t *terminal, args []string) int {
	if len(args) == 0 {
		return t.problem(wrongInput("no-file", "check needs a scenario", "Name a .star file or a folder: `ackademy check lessons`."))
	}
	c.drawing.apply(t)
	worst, count := exitGood, map[int]int{}
	files := scenarios(args)
	c.table = len(files) > 1 && !c.details && c.show == ""
	if c.table && !c.json {
		c.width = pathWidth(files)
	}
	for _, f := range files {
		status := c.file(t, f)
		worst = worse(worst, status)
		count[status]++
	}
	if len(files) > 1 && !c.json {
		t.print(summary(len(files), count))
	}
	return worst
}

// file checks one file and returns its exit status.
func (c *checking) file(t *terminal, f found) int {
	results, p := c.search(t, f)
	switch {
	case p != nil:
		if c.json {
			t.printJSON(struct {
				File  string       `json:"file"`
				Error *problemJSON `json:"error"`
			}{f.path, p.json()})
		}
		return t.problem(p)
	case c.json:
		t.printJSON(blocksJSON(results, c.stats))
	case c.table:
		for _, r := range results {
			t.print(c.row(t, r))
		}
	default:
		for i, r := range results {
			c.write(t, r, i)
		}
	}
	return exitOf(results)
}

// exitOf is the exit status of a file with all its blocks.
func exitOf(results []*result) int {
	status := exitGood
	for _, r := range results {
		status = worse(status, r.exit())
	}
	return status
}

// result is what a search found in one file, or in one of its blocks.
type result struct {
	path     string
	under    string // the budget of the block as the text has it; empty for the file's own
	sc       *script.Scenario
	world    *sim.World
	report   *explore.Report
	smallest *explore.Needs
}

// search looks through every block of a file, or through its first one with
// the budget that the command line asks for.
func (c *checking) search(t *terminal, f found) ([]*result, *problem) {
	if f.problem != nil {
		return nil, f.problem
	}
	sc, p := t.load(f.path, &c.budget)
	if p != nil {
		return nil, p
	}
	blocks := sc.Blocks()
	if c.budget.text != "" || len(blocks) == 1 {
		r, p := c.searchOne(t, f, sc)
		return []*result{r}, p
	}
	var results []*result
	for _, b := range blocks {
		r, p := c.searchOne(t, f, sc.Under(b))
		if p != nil {
			return nil, p
		}
		r.under = b.Under
		if r.under == "" {
			r.under = "its own faults"
			if b.Faults.Total == 0 {
				r.under = "no fault"
			}
		}
		results = append(results, r)
	}
	return results, nil
}

func (c *checking) searchOne(t *terminal, f found, sc *script.Scenario) (*result, *problem) {
	w := sim.New(sc.Scenario)
	o, wipe := c.bounds.search(t, f.path)
	defer wipe()
	o.Symmetry = c.symmetry
	report, err := explore.Run(t.ctx, w, o)
	if err != nil {
		return nil, problemOf(err, sc)
	}
	smallest, err := explore.Smallest(t.ctx, sc.Scenario, report, o)
	if err != nil {
		return nil, problemOf(err, sc)
	}
	return &result{path: f.path, sc: sc, world: w, report: report, smallest: smallest}, nil
}

// fails tells whether a finding is one that the scenario forbids.
func (r *result) fails(f *explore.Finding) bool {
	return r.sc.Forbidden[f.Property] && (f.Status == explore.Violated || f.Status == explore.Unreached)
}

// exit is the exit status that a report stands for.
func (r *result) exit() int {
	status := exitGood
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if r.fails(f) {
			return exitBad
		}
		if r.sc.Forbidden[f.Property] && f.Status == explore.Undecided {
			status = exitUndecided
		}
	}
	return status
}

func (t *terminal) printJSON(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only our own types are written
	}
	t.print(string(text) + "\n")
}
