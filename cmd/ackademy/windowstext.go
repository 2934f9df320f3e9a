package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/script"
)

// The text form of a window map: the lines of each handler, and between them,
// on a rail, the gaps with a column for each kind of fault. A gap has a line
// of its own because it lies between two calls, before the one that follows,
// and because several can lie in one line of the text.

// piece is a word with the style it is painted in.
type piece struct {
	text  string
	style picture.Style
}

func (p piece) width() int { return utf8.RuneCountInString(p.text) }

// gapRow is a gap as it is printed: a label and a cell for each kind, each of
// one or several lines.
type gapRow struct {
	line  int
	label []piece
	cells [][]piece
}

// example is a schedule that is listed below the map.
type example struct {
	head    string
	verdict *explore.WindowVerdict
	kind    sim.FaultKind
}

// mapWriter writes one map.
type mapWriter struct {
	t        *terminal
	c        *chart
	only     []sim.FaultKind
	examples []example
	marks    map[explore.Mark]bool // those that occur, for the legend
	allowed  bool                  // a harmful mark that the scenario allows occurs
	refused  bool                  // one that it forbids does
}

func (m *mapping) write(t *terminal, c *chart) {
	if m.written {
		t.print("\n")
	}
	m.written = true
	w := &mapWriter{t: t, c: c, only: m.only, marks: map[explore.Mark]bool{}}
	t.title(c.path, c.sc.Title)
	w.always()
	for i := range c.found.Handlers {
		w.handler(&c.found.Handlers[i])
	}
	w.legend()
	w.extent()
	w.schedules()
}

// always lists the verdicts that need no fault.
func (w *mapWriter) always() {
	if len(w.c.found.Always) == 0 {
		if w.c.found.Bound == explore.NoBound {
			w.t.print("Without a fault nothing goes wrong.\n\n")
		}
		return
	}
	for i := range w.c.found.Always {
		p := w.verdict(&w.c.found.Always[i], sim.NoFault, "without a fault")
		w.t.print(w.t.paint(p.style, p.text) + " needs no fault at all; the marks below say what a fault adds.\n")
	}
	w.t.print("\n")
}

// verdict is a harmful mark. It gets the next number, under which its schedule
// is listed.
func (w *mapWriter) verdict(v *explore.WindowVerdict, k sim.FaultKind, where string) piece {
	w.examples = append(w.examples, example{where, v, k})
	sign, style := "!", picture.Caution
	if w.c.sc.Forbidden[v.Property] {
		sign, style = w.sign("✗"), picture.Danger
		w.refused = true
	} else {
		w.allowed = true
	}
	return piece{fmt.Sprintf("%s%d %s", sign, len(w.examples), v.Property), style}
}

// signs are the shapes of the marks beside the harmful ones; each mark has its
// word as well, so that nothing depends on them or on colours.
var signs = map[explore.Mark]struct {
	sign  string
	style picture.Style
}{
	explore.MarkHarmless: {"✓", picture.Good}, explore.MarkUnreached: {"○", picture.Faint},
	explore.MarkUndecided: {"?", picture.Caution}, explore.MarkNone: {"·", picture.Faint},
}

var asciiSigns = strings.NewReplacer("✓", "+", "✗", "x", "○", "o", "·", ".", "│", "|", "├", ">", "┊", ":")

func (w *mapWriter) sign(s string) string { return w.t.sign(s) }

// sign is a shape, or what stands for it where only ASCII is shown.
func (t *terminal) sign(s string) string {
	if t.ascii {
		return asciiSigns.Replace(s)
	}
	return s
}

func (w *mapWriter) handler(h *script.HandlerWindow) {
	rows := w.rows(h)
	label, columns := w.layout(rows)
	w.t.print(w.t.paint(picture.Head, clean(h.Name)) + ", run by " + clean(listOf(h.Processes)) + "\n\n")
	head := strings.Repeat(" ", railWidth+label)
	for i, k := range w.only {
		head += fmt.Sprintf("  %-*s", columns[i], kindName(k))
	}
	w.t.print(strings.TrimRight(head, " ") + "\n")
	source := strings.Split(w.c.sc.Source, "\n")
	for i, lines := range h.Lines {
		if i > 0 {
			w.t.print(strings.Repeat(" ", railWidth-2) + w.sign("┊") + "\n")
		}
		for line := lines.From; line <= lines.To; line++ {
			w.gaps(rows, line, false, label, columns)
			w.code(line, source[line-1])
			w.gaps(rows, line, true, label, columns)
		}
	}
	w.t.print("\n")
}

// kindName is the kind of a fault in words.
func kindName(k sim.FaultKind) string { return strings.ReplaceAll(k.String(), "_", " ") }

// railWidth is the room of line numbers and the rail.
const railWidth = 8

func (w *mapWriter) code(line int, text string) {
	text = strings.ReplaceAll(clean(strings.TrimRight(text, " \t\r")), "\t", "    ")
	if room := w.t.width - railWidth; utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:room-3]) + "..."
	}
	w.t.print(strings.TrimRight(fmt.Sprintf("%5d %s %s", line, w.sign("│"), text), " ") + "\n")
}

// rows are the gaps of a handler with their marks.
func (w *mapWriter) rows(h *script.HandlerWindow) []gapRow {
	var rows []gapRow
	for i := range h.Gaps {
		g := &h.Gaps[i]
		r := gapRow{line: g.Line, label: []piece{{text: "before " + clean(g.Call)}}}
		if g.End {
			r.line = -g.Line // behind the line's calls
		}
		if g.Occurrences != nil {
			r.label = append(r.label, piece{text: "  " + times(g.Occurrences)})
		}
		for _, k := range w.only {
			for j := range g.Faults {
				if g.Faults[j].Kind == k {
					r.cells = append(r.cells, w.cell(g, &g.Faults[j]))
				}
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func (w *mapWriter) cell(g *script.GapWindow, f *explore.WindowFault) []piece {
	var lines []piece
	for i := range f.Verdicts {
		where := fmt.Sprintf("%s before %s, line %d", kindName(f.Kind), g.Call, g.Line)
		if g.Occurrences != nil {
			where += ", " + times(g.Occurrences)
		}
		lines = append(lines, w.verdict(&f.Verdicts[i], f.Kind, where))
	}
	if len(lines) > 0 {
		return lines
	}
	w.marks[f.Mark] = true
	s := signs[f.Mark]
	return []piece{{w.sign(s.sign) + " " + string(f.Mark), s.style}}
}

// times says which of several times are meant.
func times(occurrences []int) string {
	var words []string
	for _, n := range occurrences {
		suffix := "th"
		if n%100 < 11 || n%100 > 13 {
			switch n % 10 {
			case 1:
				suffix = "st"
			case 2:
				suffix = "nd"
			case 3:
				suffix = "rd"
			}
		}
		words = append(words, fmt.Sprintf("%d%s", n, suffix))
	}
	return listOf(words) + " time"
}

// layout measures the columns.
func (w *mapWriter) layout(rows []gapRow) (label int, columns []int) {
	for _, k := range w.only {
		columns = append(columns, len(kindName(k)))
	}
	for _, r := range rows {
		for _, p := range r.label {
			label = max(label, p.width())
		}
		for i, cell := range r.cells {
			for _, p := range cell {
				columns[i] = max(columns[i], p.width())
			}
		}
	}
	return label, columns
}

// gaps prints the gaps that lie before a line's calls, or before the end in
// it.
func (w *mapWriter) gaps(rows []gapRow, line int, end bool, label int, columns []int) {
	if end {
		line = -line
	}
	for _, r := range rows {
		if r.line != line {
			continue
		}
		height := len(r.label)
		for _, cell := range r.cells {
			height = max(height, len(cell))
		}
		for y := range height {
			rail := "├"
			if y > 0 {
				rail = "│"
			}
			text := strings.Repeat(" ", railWidth-2) + w.sign(rail) + " " + w.padded(r.label, y, label)
			for i, cell := range r.cells {
				text += "  " + w.padded(cell, y, columns[i])
			}
			w.t.print(strings.TrimRight(text, " ") + "\n")
		}
	}
}

// padded is line y of a cell, painted and filled up to its column's width.
func (w *mapWriter) padded(cell []piece, y, width int) string {
	if y >= len(cell) {
		return strings.Repeat(" ", width)
	}
	return w.t.paint(cell[y].style, cell[y].text) + strings.Repeat(" ", width-cell[y].width())
}

// legend explains the marks that occur and are not verdicts.
func (w *mapWriter) legend() {
	var parts []string
	for _, e := range []struct {
		occurs bool
		text   string
	}{
		{w.refused, "✗ forbidden"}, {w.allowed, "! allowed by the scenario"},
		{w.marks[explore.MarkUnreached], "○ no run without a fault comes here"},
		{w.marks[explore.MarkUndecided], "? a bound was reached first"},
		{w.marks[explore.MarkNone], "· this fault can't strike here"},
	} {
		if e.occurs {
			parts = append(parts, w.sign(e.text))
		}
	}
	for line := ""; len(parts) > 0; line = "" {
		for line == "" || len(parts) > 0 && utf8.RuneCountInString(line+parts[0])+3 <= w.t.width {
			line += "   "[:min(3, len(line)+2)] + parts[0]
			parts = parts[1:]
		}
		w.t.print(strings.TrimRight(line, " ") + "\n")
	}
}

// extent says how much was seen.
func (w *mapWriter) extent() {
	text := fmt.Sprintf("%s, one fault in all.", plural(w.c.found.States, "state"))
	if bound := boundText(w.c.found.Bound, w.c.found.Limit); bound != "" {
		text += "\n  " + bound + ": what is not harmful is undecided,\n  and what is harmful may turn out to need no fault."
	}
	w.t.print("  " + text + "\n")
}

// schedules lists the shortest schedule of each harmful mark.
func (w *mapWriter) schedules() {
	for i := range w.examples {
		e := &w.examples[i]
		w.t.print("\n" + w.t.paint(picture.Head, fmt.Sprintf("%3d  %s: %s", i+1, clean(e.head), e.verdict.Property)) +
			fmt.Sprintf(", %s\n", plural(len(e.verdict.Schedule), "step")))
		for _, line := range wrap(clean(w.c.explain(e.verdict)), w.t.width-5) {
			w.t.print("     " + line + "\n")
		}
		w.t.print("     " + clean(w.c.command(e.verdict, e.kind)) + "\n")
	}
}
