package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// The text form of a check: a table of answers, then the schedule of the first
// violation as a diagram with the sentence that explains it.

func (c *checking) write(t *terminal, r *result, block int) {
	if c.written {
		t.print("\n")
	}
	c.written = true
	if block == 0 {
		t.title(r.path, r.sc.Title)
	}
	if r.under != "" {
		t.print(t.sentence("Under " + r.under + ":"))
	}
	for i := range r.report.Findings {
		t.print(r.line(t, &r.report.Findings[i]))
	}
	r.writeNeeds(t)
	t.print("\n  " + r.extent() + "\n")
	r.writeRemarks(t)
	if c.stats {
		r.writeStats(t)
	}
	if f := c.shown(r); f != nil {
		c.writeSchedule(t, r, f)
	}
}

// line is one row of the table. The three answers differ in their sign, their
// word and their colour.
func (r *result) line(t *terminal, f *explore.Finding) string {
	sign, word, style := "✓", string(f.Status), picture.Good
	switch {
	case r.fails(f):
		sign, word, style = "✗", strings.ToUpper(word), picture.Danger
	case f.Status == explore.Undecided:
		sign, style = "?", picture.Caution
	case f.Status == explore.Violated, f.Status == explore.Unreached:
		sign, word, style = "!", word+", allowed", picture.Plain
	}
	if t.ascii {
		sign = strings.NewReplacer("✓", "+", "✗", "x").Replace(sign)
	}
	text := "  " + t.paint(style, fmt.Sprintf("%s %-18s %s", sign, f.Property, word))
	if f.Status == explore.Violated || f.Status == explore.Reached {
		gap := strings.Repeat(" ", max(1, 18-len(word)))
		faults := plural(f.Faults, "fault")
		if f.Status == explore.Reached && f.Faults > f.Needs {
			faults += ", though it needs " + needsNumber(f.Needs)
		}
		text += gap + fmt.Sprintf("%9s, %s", plural(len(f.Schedule), "step"), faults)
	}
	if f.Status == explore.Violated {
		text += ": " + clean(listOf(r.names(f.Intents)))
	}
	return text + "\n"
}

// extent says how much was seen.
func (r *result) extent() string {
	rep := r.report
	text := fmt.Sprintf("%s, %s, %s.", plural(rep.States, "state"), plural(rep.Transitions, "transition"), budgetText(&r.sc.Faults))
	if rep.Symmetry != "" {
		text += "\n  Symmetry " + rep.Symmetry + "."
	}
	switch bound := boundText(rep.Bound, rep.Limit); {
	case bound != "":
		return text + "\n  " + bound + ": what is not violated so far is undecided."
	case rep.Symmetry != "":
		return text + "\n  Every schedule was looked at."
	}
	return text + " Every schedule was looked at."
}

// writeRemarks says what a reader would otherwise trip over.
func (r *result) writeRemarks(t *terminal) {
	for _, text := range tell.Remarks(r.sc, r.report) {
		for i, line := range wrap(clean(text), t.width-4) {
			t.print(strings.Repeat(" ", 2+2*min(i, 1)) + line + "\n")
		}
	}
}

// writeStats says what the search cost.
func (r *result) writeStats(t *terminal) {
	rep := r.report
	seconds := max(rep.Elapsed.Seconds(), 1e-6)
	t.print(fmt.Sprintf("  %s bytes per state, %s bytes in all; depth %d.\n  %s, %s of it judging what can still come; %s states a second.\n",
		thousands(int(rep.Bytes)/max(rep.States, 1)), thousands(int(rep.Bytes)), rep.Depth,
		rep.Elapsed.Round(time.Millisecond), rep.Judging.Round(time.Millisecond), thousands(int(float64(rep.States)/seconds))))
}

// needsNumber is a number of faults as what something needs.
func needsNumber(n int) string {
	if n == 0 {
		return "none"
	}
	return plural(n, "fault")
}

// writeNeeds says how little it takes for each violation.
func (r *result) writeNeeds(t *terminal) {
	first := true
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if f.Status != explore.Violated {
			continue
		}
		if first {
			t.print("\n")
			first = false
		}
		verb := "needs"
		if !r.report.Complete() && f.Needs > 0 {
			verb = "needs at most" // what was not looked at may need less
		}
		for i, line := range wrap(fmt.Sprintf("%s %s %s.", f.Property, verb, tell.Needs(f.Needs, r.smallest.Of[f.Property])), t.width-4) {
			t.print(strings.Repeat(" ", 2+2*min(i, 1)) + line + "\n")
		}
	}
}

// shown is the finding to draw: the one that was asked for, or the first that
// fails; where that takes more than anybody reads, the shortest that fails.
func (c *checking) shown(r *result) *explore.Finding {
	var best *explore.Finding
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		switch {
		case c.show == f.Property.String():
			return f
		case c.show != "" || !r.fails(f):
		case best == nil, len(best.Schedule) > longestRead && f.Status == explore.Violated && len(f.Schedule) < len(best.Schedule):
			best = f
		}
	}
	return best
}

// longestRead is how many steps of a schedule somebody may still read.
const longestRead = 500

func (c *checking) writeSchedule(t *terminal, r *result, f *explore.Finding) {
	if f.Status != explore.Violated && f.Status != explore.Reached {
		if f.Status == explore.Unreached {
			t.print("\n" + indented(r.unreached(), t.width-2))
		} else {
			t.print(fmt.Sprintf("\n  There is no schedule to show: %s %s.\n", f.Property, f.Status))
		}
		return
	}
	head := fmt.Sprintf("a shortest schedule, %s", plural(len(f.Schedule), "step"))
	few := r.smallest.Fewest[f.Property]
	if few != nil {
		head += " and " + plural(f.Faults, "fault")
	}
	c.drawSchedule(t, r, f, head)
	if few != nil {
		c.drawSchedule(t, r, few, fmt.Sprintf("a shortest schedule with the fewest faults, %s and %s", plural(len(few.Schedule), "step"), plural(few.Faults, "fault")))
	}
}

// drawSchedule draws a schedule and says what it shows.
func (c *checking) drawSchedule(t *terminal, r *result, f *explore.Finding, head string) {
	run := r.replay(f)
	t.print(fmt.Sprintf("\n%s: %s\n\n", t.paint(picture.Head, f.Property.String()), head))
	t.print(picture.Text(picture.Draw(run), t.pictureOptions()))
	t.print("\n")
	for _, i := range f.Intents {
		t.print(t.sentence(picture.Explain(run, f.Property, i)))
	}
	if f.Property == sim.DoneOnce {
		t.print(t.sentence(picture.Explain(run, f.Property, 0)))
	}
	t.print("\nReplay it:\n\n  " + clean(c.replayLine(r, f)) + "\n")
}

// unreached says what may keep a scenario from its goal, and where to look.
func (r *result) unreached() string {
	text := "No schedule ends with every promised intent done once"
	for i := range r.report.Findings {
		if f := &r.report.Findings[i]; f.Status == explore.Violated && f.Needs == 0 {
			return text + fmt.Sprintf(": even without a fault some end %s. `ackademy check %s --show %s` draws how.",
				strings.ReplaceAll(f.Property.String(), "_", " "), shellQuote(r.path), f.Property)
		}
	}
	if r.report.Restless != nil {
		return "All is done in some runs, and none of them comes to rest, which the goal asks for. Let what repeats end, or allow it: expect(done_once = False)."
	}
	return text + fmt.Sprintf(", and nothing else goes wrong without a fault: perhaps nothing is promised, or never done. `ackademy run %s` draws a run without a fault.", shellQuote(r.path))
}

// indented wraps a text that stands under a table.
func indented(text string, width int) string {
	return "  " + strings.Join(wrap(clean(text), width), "\n  ") + "\n"
}

// longestLine is how long a schedule may be to stand on a command line: systems
// refuse longer ones, and nobody reads them.
const longestLine = 20_000

// replayLine is what to copy to replay a finding.
func (c *checking) replayLine(r *result, f *explore.Finding) string {
	command := replayCommand(r.path, c.budget.argument(), f.Schedule)
	if len(command) <= longestLine {
		return command
	}
	path, faults := shellQuote(r.path), c.budget.argument()
	which := fmt.Sprintf(".properties[] | select(.name == \"%s\")", f.Property)
	if f == r.smallest.Fewest[f.Property] {
		which += " | .fewest"
	}
	return fmt.Sprintf("ackademy check %s%s --json | jq -r '%s | .schedule' > run.txt; ackademy run %s%s --schedule @run.txt", path, faults, which, path, faults)
}

// replayCommand is a command line to copy.
func replayCommand(path, faults string, steps []string) string {
	return "ackademy run " + shellQuote(path) + faults + " --schedule " + shellQuote(schedule.Inline(steps))
}

// title prints which scenario this is about.
func (t *terminal) title(path, title string) {
	t.print(t.paint(picture.Head, clean(path)) + "\n" + t.sentence(title) + "\n")
}

// sentence prints an explanation, wrapped to the width of the diagram.
func (t *terminal) sentence(text string) string {
	return strings.Join(wrap(clean(text), t.width), "\n") + "\n"
}

// wrap breaks a text into lines of at most so many columns, as far as its
// words allow.
func wrap(text string, width int) []string {
	lines, room := []string{""}, width
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		n := utf8.RuneCountInString(word)
		switch {
		case *last == "":
			*last, room = word, width-n
		case n+1 > room:
			lines, room = append(lines, word), width-n
		default:
			*last, room = *last+" "+word, room-n-1
		}
	}
	return lines
}

// headed prints a sentence behind a word that says what it is about.
func (t *terminal) headed(style picture.Style, word, text string) {
	t.print(t.paint(style, word) + strings.TrimPrefix(t.sentence(word+" "+text), word))
}

func listOf(names []string) string { return strings.Join(names, ", ") }

// summary counts the files by their status.
func summary(files int, count map[int]int) string {
	var parts []string
	for _, s := range []struct {
		status int
		word   string
	}{{exitGood, "hold"}, {exitBad, "violated"}, {exitUndecided, "undecided"}, {exitInput, "wrong"}, {exitOurFault, "failed by our fault"}} {
		if n := count[s.status]; n > 0 {
			word := s.word
			if word == "hold" && n == 1 {
				word = "holds"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return fmt.Sprintf("\n%s: %s\n", plural(files, "file"), strings.Join(parts, ", "))
}
