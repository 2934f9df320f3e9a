package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// The text form of a comparison: the steps in two columns, what an observer
// says of each end, and the windows that differ.

// maxPairs is how many rows are printed: runs that never come to rest have a
// thousand, all alike.
const maxPairs = 120

var sideNames = [2]string{"A", "B"}

func (r *comparison) write(t *terminal) {
	for i, s := range r.sides {
		t.print(t.paint(picture.Head, sideNames[i]+"  "+clean(s.end.path)) + "\n")
		for _, line := range wrap(clean(s.sc.Title), t.width-3) {
			t.print("   " + line + "\n")
		}
	}
	t.print("\n" + t.sentence(r.origin()) + "\n")
	r.writeSteps(t)
	for i, s := range r.sides {
		t.print("\n" + t.paint(picture.Head, "At the end of "+sideNames[i]) + "\n")
		s.end.writeVerdicts(t)
	}
	r.writeWindows(t)
	t.print("\nReplay them:\n")
	for _, s := range r.sides {
		t.print("\n  " + clean(s.command()) + "\n")
	}
}

// origin says where the schedule comes from.
func (r *comparison) origin() string {
	leader, follower := sideNames[1-r.follows], sideNames[r.follows]
	text := "The steps are those of the given schedule of A, then of the fixed rule; B follows them."
	switch {
	case r.shows != nil:
		text = fmt.Sprintf("The steps are a shortest schedule of %s that ends in %s, then those of the fixed rule; %s follows them.", leader, *r.shows, follower)
	case r.sides[0].end.given == 0:
		text = "Neither has a violation within its budget: this is A's run without a fault, which B follows."
		if r.undecided {
			text = "No violation was found before a bound was reached: this is A's run without a fault, which B follows."
		}
	}
	return text
}

// writeSteps prints the two columns with a sign between them.
func (r *comparison) writeSteps(t *terminal) {
	width := 0
	for _, p := range r.rows {
		width = max(width, utf8.RuneCountInString(r.cell(&p, 0)))
	}
	width = max(min(width, (t.width-6)/2), 6)
	indent := strings.Repeat(" ", len("  1  "))
	t.print(" " + indent + t.paint(picture.Head, "A") + strings.Repeat(" ", width-6) + "   " + indent + t.paint(picture.Head, "B") + "\n")
	for i := range r.rows {
		p := &r.rows[i]
		if hidden := len(r.rows) - maxPairs; hidden > 0 && i >= maxPairs/2 && i < maxPairs/2+hidden {
			if i == maxPairs/2 {
				t.print(fmt.Sprintf("      (%s are not shown; --json has them all)\n", plural(hidden, "row")))
			}
			continue
		}
		sign, style := p.sign()
		left := cut(r.cell(p, 0), width)
		right := cut(r.cell(p, 1), t.width-width-5)
		line := " " + r.painted(t, p, 0, left) + strings.Repeat(" ", width-utf8.RuneCountInString(left)) + " " + t.paint(style, sign) + " " + r.painted(t, p, 1, right)
		t.print(strings.TrimRight(line, " ") + "\n")
	}
	t.print("\n  " + strings.Join(r.signsUsed(), "   ") + "\n")
}

// sign is the shape between the columns.
func (p *pair) sign() (string, picture.Style) {
	switch {
	case p.match == schedule.Moved:
		return "~", picture.Caution
	case p.match == schedule.Plain:
		return "#", picture.Caution
	case p.steps[1] < 0:
		return "-", picture.Caution
	case p.steps[0] < 0:
		return "+", picture.Settle
	}
	return "=", picture.Plain
}

// signsUsed explains the signs that occur.
func (r *comparison) signsUsed() []string {
	var list []string
	for _, s := range [][2]string{{"=", "both"}, {"-", "only A"}, {"+", "only B"}, {"~", "both, at another place"}, {"#", "the fault can't strike there"}} {
		for i := range r.rows {
			if sign, _ := r.rows[i].sign(); sign == s[0] {
				list = append(list, s[0]+" "+s[1])
				break
			}
		}
	}
	return list
}

// cell is the text of a side in a row.
func (r *comparison) cell(p *pair, side int) string {
	switch n := p.steps[side]; {
	case n >= 0:
		return fmt.Sprintf("%3d  %s", n+1, clean(r.sides[side].end.run.Outcome(n).Name))
	case p.match == schedule.Moved:
		return fmt.Sprintf("     (as step %d)", p.other+1)
	}
	return ""
}

func (r *comparison) painted(t *terminal, p *pair, side int, text string) string {
	n := p.steps[side]
	if n >= 0 && r.sides[side].end.run.Outcome(n).Fault.Strikes() {
		return t.paint(picture.Danger, text)
	}
	return text
}

// cut shortens a text to a width.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:max(width-3, 0)]) + "..."
}

// writeWindows prints the windows that differ, as a table.
func (r *comparison) writeWindows(t *terminal) {
	t.print("\n" + t.paint(picture.Head, "Windows that differ") + "\n\n")
	rows := r.windowRows()
	if len(rows) == 0 {
		t.print("  None: a fault in corresponding gaps does the same harm to both.\n")
		return
	}
	var width [2]int
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(row.cells[i].text))
		}
	}
	t.print(strings.TrimRight(fmt.Sprintf("  %-*s   %-*s   %s", width[0], "", width[1], "A", "B"), " ") + "\n")
	for _, row := range rows {
		line := " "
		for i, cell := range row.cells {
			text := cell.text
			if t.ascii {
				text = asciiSigns.Replace(text)
			}
			line += " " + t.paint(cell.style, text)
			if i < 2 {
				line += strings.Repeat(" ", width[i]-utf8.RuneCountInString(text)+2)
			}
		}
		t.print(strings.TrimRight(line, " ") + "\n")
	}
}

// windowRow is a line of that table: the gap, A, B.
type windowRow struct{ cells [3]piece }

func (r *comparison) windowRows() []windowRow {
	var rows []windowRow
	if a, b := r.alwaysText(0), r.alwaysText(1); a != b {
		rows = append(rows, windowRow{[3]piece{{text: "without a fault"}, r.alwaysPiece(a), r.alwaysPiece(b)}})
	}
	before := ""
	for i := range r.windows {
		d := &r.windows[i]
		if who := clean(listOf(d.Processes)); who != before {
			rows = append(rows, windowRow{[3]piece{{text: who + ":"}}})
			before = who
		}
		gap := fmt.Sprintf("  %s before %s", kindName(d.Fault), clean(d.Call))
		if d.Number > 0 {
			gap += fmt.Sprintf(" (%d)", d.Number)
		}
		rows = append(rows, windowRow{[3]piece{{text: gap}, r.sides[0].window(&d.Sides[0]), r.sides[1].window(&d.Sides[1])}})
	}
	return rows
}

func (r *comparison) alwaysText(side int) string {
	var names []string
	for _, p := range r.sides[side].chart.told().AlwaysNames() {
		names = append(names, p.String())
	}
	return listOf(names)
}

func (r *comparison) alwaysPiece(names string) piece {
	if names == "" {
		return piece{"✓ nothing", picture.Good}
	}
	return piece{"✗ " + names, picture.Danger}
}

// window is a cell of the table.
func (s *side) window(w *tell.WindowSide) piece {
	switch {
	case w.Mark == "":
		return piece{"  no such call", picture.Faint}
	case w.AsEver:
		return piece{"  the same without a fault", picture.Caution}
	case w.Mark != explore.MarkHarmful:
		return piece{signs[w.Mark].sign + " " + string(w.Mark), signs[w.Mark].style}
	}
	sign, style := "!", picture.Caution
	var names []string
	for _, p := range w.Verdicts {
		names = append(names, p.String())
		if s.sc.Forbidden[p] {
			sign, style = "✗", picture.Danger
		}
	}
	return piece{sign + " " + listOf(names), style}
}
