package main

import (
	"slices"
	"strings"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

const windowsHelp = `
Draws the window map of a scenario: for each gap between two calls of a handler
what a crash, a lost request, a lost reply and a stall there lead to, over all
continuations without a further fault. Folders stand for every .star file in
them.

  harmless    nothing that does not happen without a fault as well
  a verdict   lost, duplicated, ...: what can come of it, worst first; the
              number is that of a shortest schedule below. ✗ is forbidden by
              the scenario's expect(...), ! is allowed
  unreached   no run without a fault comes to this call
  undecided   a bound was reached first
  impossible  this kind of fault can't strike here

A gap lies before the call that follows it. Verdicts that need no fault stand
once, above the handlers. The budget of the scenario plays no part: it is one
fault, of any of the four kinds, anywhere.

  ackademy windows lessons/02-ack-first/ack-first.star
  ackademy windows --only crash lessons

The map is a picture, not a judgement: the status is 0 when it is complete,
whatever it shows, and 2 if a bound was reached.

With --json, standard output has one JSON object per file, one on each line:

  file, scenario, title    as for check
  complete, bound, states  as for check
  always      what needs no fault: a list of verdicts
  handlers    a list, in the order of the text. Each has
    name        of the function
    processes   the processes that run it
    lines       a list of {"from", "to"}: its text, and that of functions it uses
    gaps        a list, in the order of the text. Each has
      line, column  of the call, from 1; of the handler's end: line alone
      call          as schedules name it: commit, insert inbox; end
      text          the call as it is written; absent before the end
      occurrences   absent: every one; else which times in one run of the handler,
                    from 1, where a loop comes here several times
      marks         a list: fault (crash, lost_request, lost_reply or stall), mark
                    (harmless, harmful, unreached, undecided or impossible) and,
                    of harmful ones, verdicts
A verdict has name, forbidden, intents, steps, schedule (on one line, for run
--schedule), explanation, and faults: the budget that run needs for it.
An error gives {"file", "error"} as for check.
`

// mapping is one call of the command.
type mapping struct {
	drawing
	bounds
	only    []sim.FaultKind // the kinds that are shown
	json    bool
	written bool // some file's map stands above
}

func windowsCommand() command {
	m := &mapping{only: explore.WindowKinds}
	return command{
		name: "windows", args: "FILE...", summary: "where a fault does harm: the window map of each handler", help: windowsHelp, run: m.run,
		options: slices.Concat([]option{
			onSwitch(&m.json, "json", "one JSON object per file instead of text"),
			{name: "only", value: "KIND", text: "only crash, lost_request, lost_reply or stall, or several with commas between", set: m.setOnly},
		}, m.bounds.options(), m.drawing.options()),
	}
}

func (m *mapping) setOnly(s string) *problem {
	m.only = nil
	var names []string
	for _, k := range explore.WindowKinds {
		names = append(names, k.String())
	}
	for _, name := range strings.Split(s, ",") {
		i := slices.Index(names, strings.TrimSpace(name))
		if i < 0 {
			next := "Choose among " + listOf(names) + "."
			if near := nearest(name, names); near != "" {
				next = "Did you mean " + near + "? " + next
			}
			return wrongInput("bad-option", "a window map has no column "+quote(name), next)
		}
		if kind := explore.WindowKinds[i]; !slices.Contains(m.only, kind) {
			m.only = append(m.only, kind)
		}
	}
	return nil
}

func (m *mapping) run(t *terminal, args []string) int {
	if len(args) == 0 {
		return t.problem(wrongInput("no-file", "windows needs a scenario", "Name a .star file or a folder: `ackademy windows lessons`."))
	}
	m.drawing.apply(t)
	worst := exitGood
	for _, f := range scenarios(args) {
		worst = worse(worst, m.file(t, f))
	}
	return worst
}

func (m *mapping) file(t *terminal, f found) int {
	c, p := m.chart(t, f)
	switch {
	case p != nil:
		if m.json {
			t.printJSON(struct {
				File  string       `json:"file"`
				Error *problemJSON `json:"error"`
			}{f.path, p.json()})
		}
		return t.problem(p)
	case m.json:
		t.printJSON(c.json(m.only))
	default:
		m.write(t, c)
	}
	if c.found.Bound != explore.NoBound {
		return exitUndecided
	}
	return exitGood
}

// chart is the window map of one file.
type chart struct {
	path  string
	sc    *script.Scenario
	found *script.WindowMap
	world *sim.World
}

// told is the map for package tell.
func (c *chart) told() *tell.Chart { return &tell.Chart{Scenario: c.sc, Found: c.found} }

func (m *mapping) chart(t *terminal, f found) (*chart, *problem) {
	if f.problem != nil {
		return nil, f.problem
	}
	sc, p := t.load(f.path, &budget{})
	if p != nil {
		return nil, p
	}
	return drawChart(t, f.path, sc, &m.bounds)
}

func drawChart(t *terminal, path string, sc *script.Scenario, b *bounds) (*chart, *problem) {
	o, wipe := b.search(t, path)
	found, err := sc.Windows(t.ctx, o)
	wipe()
	if err != nil {
		return nil, problemOf(err, sc)
	}
	return &chart{path, sc, found, sim.New(found.Scenario)}, nil
}

// explain is the sentence for a verdict. A schedule that the search found and
// that doesn't fit would be a mistake of ours.
func (c *chart) explain(v *explore.WindowVerdict) string {
	run, err := schedule.Replay(c.world, v.Schedule)
	if err != nil {
		panic(err)
	}
	return picture.Explain(run, v.Property, v.Intents[0])
}

// faultsFor is the budget that the schedules of a kind need, as --faults takes
// it.
func (c *chart) faultsFor(k sim.FaultKind) string {
	if k == sim.NoFault {
		return ""
	}
	if c.sc.Faults.Scoped {
		return k.String() + "=1," + anywhere
	}
	return k.String() + "=1"
}

// command is a command line that replays a verdict.
func (c *chart) command(v *explore.WindowVerdict, k sim.FaultKind) string {
	faults := c.faultsFor(k)
	if faults != "" {
		faults = " --faults " + shellQuote(faults)
	}
	return replayCommand(c.path, faults, v.Schedule)
}
