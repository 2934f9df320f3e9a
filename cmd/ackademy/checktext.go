package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// The text form of a check: a table of answers, then the schedule of the first
// violation as a diagram with the sentence that explains it.

func (c *checking) write(t *terminal, r *result) {
	if c.written {
		t.print("\n")
	}
	c.written = true
	t.title(r.path, r.sc.Title)
	for i := range r.report.Findings {
		t.print(r.line(t, &r.report.Findings[i]))
	}
	t.print("\n  " + r.extent() + "\n")
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
		text += gap + fmt.Sprintf("%9s, %s", plural(len(f.Schedule), "step"), plural(f.Faults, "fault"))
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
	switch rep.Bound {
	case explore.NoBound:
		return text + " Every schedule was looked at."
	case explore.Cancelled:
		return text + "\n  Cancelled: what is not violated so far is undecided."
	case explore.Time:
		text += fmt.Sprintf("\n  Stopped at the bound of time (%s)", time.Duration(rep.Limit))
	case explore.Memory:
		text += fmt.Sprintf("\n  Stopped at the bound of memory (%s bytes)", thousands(int(rep.Limit)))
	default:
		text += fmt.Sprintf("\n  Stopped at the bound of %s (%s)", rep.Bound, thousands(int(rep.Limit)))
	}
	return text + ": what is not violated is undecided."
}

// shown is the finding to draw: the one that was asked for, or the first that
// fails.
func (c *checking) shown(r *result) *explore.Finding {
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		if c.show == f.Property.String() || c.show == "" && r.fails(f) {
			return f
		}
	}
	return nil
}

func (c *checking) writeSchedule(t *terminal, r *result, f *explore.Finding) {
	if f.Status != explore.Violated && f.Status != explore.Reached {
		if f.Status == explore.Unreached {
			t.print("\n  No schedule ends with every promised intent done once: the handlers are safe by doing nothing,\n  or something always goes wrong.\n")
		} else {
			t.print(fmt.Sprintf("\n  There is no schedule to show: %s %s.\n", f.Property, f.Status))
		}
		return
	}
	run := r.replay(f)
	t.print(fmt.Sprintf("\n%s: a shortest schedule, %s\n\n", t.paint(picture.Head, f.Property.String()), plural(len(f.Schedule), "step")))
	t.print(picture.Text(picture.Draw(run), t.pictureOptions()))
	t.print("\n")
	for _, i := range f.Intents {
		t.print(t.sentence(picture.Explain(run, f.Property, i)))
	}
	if f.Property == sim.DoneOnce {
		t.print(t.sentence(picture.Explain(run, f.Property, 0)))
	}
	t.print("\nReplay it:\n\n  " + clean(replayCommand(r.path, c.budget.argument(), f.Schedule)) + "\n")
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
	var out strings.Builder
	line := 0
	for _, word := range strings.Fields(clean(text)) {
		if line > 0 && line+1+len(word) > t.width {
			out.WriteString("\n")
			line = 0
		}
		if line > 0 {
			out.WriteString(" ")
			line++
		}
		out.WriteString(word)
		line += len(word)
	}
	return out.String() + "\n"
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

// progress shows how far a search has come where somebody watches, and wipes
// it afterwards.
func (t *terminal) progress(path string) (show func(explore.Progress), wipe func()) {
	if !t.live {
		return nil, func() {}
	}
	last, shown := time.Duration(0), false
	show = func(p explore.Progress) {
		if p.Elapsed-last < time.Second/2 {
			return
		}
		last, shown = p.Elapsed, true
		_, _ = fmt.Fprintf(t.stderr, "\r\x1b[K%s: %s states, depth %d", clean(path), thousands(p.States), p.Depth)
	}
	return show, func() {
		if shown {
			_, _ = fmt.Fprint(t.stderr, "\r\x1b[K")
		}
	}
}
