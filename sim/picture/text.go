package picture

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// The text form: lanes are columns, time runs downward, a step takes as many
// lines as it needs, mostly one.
//
//	         publisher       exports       worker1
//	            │               ┊             ┊
//	  1         ├─publish work-1▶┊             ┊
//	  2         │               ├──work-1────▶┃
//	  3         │               ┊        CRASH ☠
//
// A lane's line shows what goes on: dotted while nothing does, thin while a
// handler runs, thick while a delivery is in its hands, double while a
// transaction is open. Arrows pass in front of the lanes between.

// Style says what a piece of the picture means, for a drawer with colours.
type Style uint8

// The styles. The picture can be read without them.
const (
	Plain   Style = iota
	Head          // names of lanes
	Faint         // numbers, quiet lanes
	Danger        // crashes, losses, what went wrong
	Good          // commits, effects
	Settle        // acks
	Caution       // leases, returns, stalls
)

// TextOptions says how a diagram is written.
type TextOptions struct {
	Width   int            // columns; 0: 100
	ASCII   bool           // only ASCII characters
	Legend  bool           // explain the signs below
	MaxRows int            // leave out the middle of longer runs; 0: never
	Notes   map[int]string // a line before the row of a step
	Paint   func(Style, string) string
}

const defaultWidth = 100

// Text writes a diagram, one line after the other, each ending in a newline.
func Text(d *Diagram, o TextOptions) string {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	w := &writer{d: d, o: o, used: map[rune]bool{}}
	w.layOut()
	w.heads()
	for i := range d.Rows {
		if skipped := w.skipped(i); skipped > 0 {
			w.note(fmt.Sprintf("%d steps are not shown", skipped))
		}
		if w.shown(i) {
			w.row(&d.Rows[i])
		}
	}
	w.spacer(len(d.Rows))
	if o.Legend {
		w.legend()
	}
	text := w.out.String()
	if o.ASCII {
		text = toASCII(text)
	}
	return text
}

// writer writes one diagram.
type writer struct {
	d    *Diagram
	o    TextOptions
	lane []int // column of each lane; -1: left out
	time bool  // the clock moves in this run
	curt bool  // labels in their short form
	out  strings.Builder
	used map[rune]bool // signs that stand in the picture
}

// shown tells whether a row is among those that fit into MaxRows.
func (w *writer) shown(i int) bool {
	n, limit := len(w.d.Rows), w.o.MaxRows
	return limit <= 0 || n <= limit || i < limit/2 || i >= n-(limit-limit/2)
}

// skipped is the number of rows left out before row i, where it is the first
// of them.
func (w *writer) skipped(i int) int {
	if w.shown(i) || i > 0 && !w.shown(i-1) {
		return 0
	}
	return len(w.d.Rows) - w.o.MaxRows
}

func (w *writer) print(line string) { w.out.WriteString(line + "\n") }

func (w *writer) line() *canvas { return newCanvas(w.o.Width) }

// heads writes the names of the lanes and what they are.
func (w *writer) heads() {
	names, kinds := w.line(), w.line()
	for i, lane := range w.d.Lanes {
		if w.lane[i] < 0 {
			continue
		}
		w.centre(names, i, lane.Name, Head)
		w.centre(kinds, i, headOf(lane), Faint)
	}
	w.print(names.String(w.o.Paint))
	w.print(kinds.String(w.o.Paint))
	w.spacer(0)
}

func headOf(l Lane) string {
	switch l.Kind {
	case LaneBroker:
		if l.Log {
			return "log"
		}
		return "queue"
	case LaneCaller:
		return ""
	}
	if l.Host != "" {
		return string(l.Kind) + " in " + l.Host
	}
	return string(l.Kind)
}

// centre writes a name over its lane, as wide as the neighbours allow.
func (w *writer) centre(c *canvas, lane int, text string, style Style) {
	column := w.lane[lane]
	room := w.o.Width
	for i, other := range w.lane {
		if other >= 0 && i != lane {
			// A short neighbour leaves more room than the half of the gap.
			half := min(textWidth(w.d.Lanes[i].Name), leastGap-1) / 2
			room = min(room, 2*(max(column-other, other-column)-half-1)-1)
		}
	}
	text = shorten(text, room)
	c.write(max(0, column-textWidth(text)/2), text, style)
}

// spacer writes a line with nothing but the lanes as they are after a step.
func (w *writer) spacer(step int) {
	c := w.line()
	w.lanes(c, step)
	w.print(c.String(w.o.Paint))
}

// note writes a remark across the lanes.
func (w *writer) note(text string) {
	c := w.line()
	w.lanes(c, -1)
	at := w.lane[w.first()] + 2
	c.write(at, "┄┄ "+shorten(text, w.o.Width-at-7)+" ┄┄", Faint)
	w.print(c.String(w.o.Paint))
}

func (w *writer) first() int {
	for i, column := range w.lane {
		if column >= 0 {
			return i
		}
	}
	return 0
}

// lanes draws the lanes where nothing stands yet. step < 0 draws quiet ones.
func (w *writer) lanes(c *canvas, step int) {
	for i, column := range w.lane {
		if column < 0 || c.cells[column].taken {
			continue
		}
		sign := w.sign(i, step)
		w.used[sign] = true
		style := Plain
		if sign == quiet {
			style = Faint
		}
		c.cells[column] = cell{sign, style, false}
	}
}

// The signs of lanes.
const (
	quiet       = '┊' // nothing goes on
	thin        = '│' // a handler runs
	thick       = '┃' // a delivery is in its hands
	double      = '║' // a transaction is open
	stalledSign = '▒'
	downSign    = '░'
)

// sign is how a lane's line looks after a step: the strongest of its bands.
func (w *writer) sign(lane, step int) rune {
	if !w.d.Lanes[lane].Kind.runs() {
		return thin
	}
	sign, rank := quiet, 0
	for _, b := range w.d.Bands {
		if b.Lane != lane || b.First > step || b.End != "" && b.Last <= step {
			continue
		}
		if r, s := strength(b.Kind); r > rank {
			sign, rank = s, r
		}
	}
	return sign
}

func strength(k BandKind) (int, rune) {
	switch k {
	case BandHandler:
		return 1, thin
	case BandUnacked:
		return 2, thick
	case BandTransaction:
		return 3, double
	case BandStalled:
		return 4, stalledSign
	case BandDown:
		return 5, downSign
	}
	return 0, quiet
}

// legend explains the signs that stand in the picture.
func (w *writer) legend() {
	var parts []string
	for _, entry := range []struct {
		sign rune
		text string
	}{
		{thick, "unacked delivery"}, {double, "open transaction"}, {thin, ""}, {quiet, "idle"}, {stalledSign, "stalled"}, {downSign, "down"},
		{signCommit, "committed"}, {signMail, "email accepted"}, {signAck, "settled"}, {signBack, "ready again"}, {signLost, "lost"}, {signCrash, "crash"},
	} {
		if w.used[entry.sign] && entry.text != "" {
			parts = append(parts, string(entry.sign)+" "+entry.text)
		}
	}
	const between = 3
	c, at := w.line(), w.margin()
	for _, part := range parts {
		if at > w.margin() && at+textWidth(part) > w.o.Width {
			w.print(c.String(w.o.Paint))
			c, at = w.line(), w.margin()
		}
		at = c.write(at, part, Faint) + between
	}
	w.print(c.String(w.o.Paint))
}

// clockMoves tells whether time moves in this run; only then it is shown.
func clockMoves(d *Diagram) bool {
	for i := range d.Rows {
		if d.Rows[i].Moved > 0 {
			return true
		}
	}
	return false
}

// shortSpan writes a moment in few columns.
func shortSpan(s sim.Seconds) string { return strings.ReplaceAll(span(s), " ", "") }
