package picture

import (
	"fmt"
	"strings"
)

// Signs on lanes.
const (
	signCrash  = '☠'
	signLost   = '✗'
	signCommit = '◆'
	signMail   = '●'
	signAck    = '✓'
	signBack   = '↻'
)

// row writes the lines of one step. Arrows come first, as what follows them
// happens at their end; what finds no room goes to the next line.
func (w *writer) row(row *Row) {
	if note := w.o.Notes[row.Step]; note != "" {
		w.note(note)
	}
	lines := []*canvas{w.line()}
	head := lines[0]
	head.write(0, fmt.Sprintf("%3d", row.Step), Faint)
	if w.time && (row.Moved > 0 || row.Step == 1) {
		head.write(numberEnd, fmt.Sprintf("%6s", shortSpan(row.At)), Faint)
	}
	signs := map[int]Mark{} // by lane: the mark that an arrow's end can show
	for _, m := range row.Marks {
		if _, sign, _ := w.markText(m); sign != 0 {
			signs[m.Lane] = m
		}
	}
	// put tries the lines from the first on; draw says whether it fitted.
	put := func(draw func(*canvas) bool) {
		for _, c := range lines {
			if draw(c) {
				return
			}
		}
		c := w.line()
		lines = append(lines, c)
		draw(c)
	}
	for _, a := range row.Arrows {
		if w.lane[a.From] < 0 || w.lane[a.To] < 0 {
			continue
		}
		put(func(c *canvas) bool { return w.arrow(c, a, row, signs) })
		if a.Lost == ReplyLost {
			put(func(c *canvas) bool { return w.lostReply(c, a, row) })
		}
	}
	for _, m := range row.Marks {
		_, sign, style := w.markText(m)
		if text := w.wordsOf(row, m); text != "" && w.lane[m.Lane] >= 0 {
			put(func(c *canvas) bool { return w.mark(c, m.Lane, text, sign, style) })
		}
	}
	for _, c := range lines {
		w.lanes(c, row.Step)
		w.print(c.String(w.o.Paint))
	}
}

// curtAnswers are the answers that have a shorter form.
var curtAnswers = map[string]string{"True": "yes", "False": "no", "None": "none"}

// arrowText is an arrow's label with the answer where it says something.
func (w *writer) arrowText(a Arrow) string {
	label, answer := a.Label, a.Answer
	if w.curt {
		if w.d.Lanes[a.From].Kind == LaneBroker {
			label = strings.TrimPrefix(strings.TrimPrefix(label, "deliver "), "dead letter ")
		}
		if short, ok := curtAnswers[answer]; ok {
			answer = short
		}
	}
	if answer != "" && a.Lost == Arrives {
		return label + ": " + answer
	}
	return label
}

// arrow draws an arrow if its columns are free.
func (w *writer) arrow(c *canvas, a Arrow, row *Row, signs map[int]Mark) bool {
	from, to := w.lane[a.From], w.lane[a.To]
	low, high := min(from, to), max(from, to)
	if !c.free(low, high) {
		return false
	}
	style := Plain
	if a.Lost == RequestLost {
		style = Danger
	}
	for x := low; x <= high; x++ {
		c.set(x, '─', style)
	}
	w.ends(c, a, row.Step, signs)
	text := shorten(w.arrowText(a), high-low-3)
	if a.Lost == RequestLost {
		text = shorten(text, high-low-4)
		w.lose(c, a.From, a.To, textWidth(text))
	}
	at := low + 2
	if from > to {
		at = high - 1 - textWidth(text)
	}
	c.write(at, text, style)
	return true
}

// ends draws where an arrow begins and where it arrives.
func (w *writer) ends(c *canvas, a Arrow, step int, signs map[int]Mark) {
	from, to := w.lane[a.From], w.lane[a.To]
	begin, end, tip := joint(w.before(a.From, step), from < to), w.sign(a.To, step), '▶'
	inside := to - 1
	if from > to {
		tip, inside = '◀', to+1
	}
	style := Plain
	if m, ok := signs[a.From]; ok && m.Kind == MarkCrash {
		begin, style = signCrash, Danger
		w.used[signCrash] = true
	}
	c.set(from, begin, style)
	c.set(inside, tip, Plain)
	style = Plain
	if m, ok := signs[a.To]; ok && a.Lost != RequestLost {
		_, end, style = w.markText(m)
		w.used[end] = true
	}
	c.set(to, end, style)
	w.used[w.before(a.From, step)], w.used[w.sign(a.To, step)] = true, true
}

// before is how a lane looked when an arrow left it: as before the step, or,
// where the step began what shows, as after it.
func (w *writer) before(lane, step int) rune {
	was, is := w.sign(lane, step-1), w.sign(lane, step)
	if was == quiet {
		return is
	}
	return was
}

// joint is where an arrow leaves a lane.
func joint(lane rune, right bool) rune {
	joints := map[rune][2]rune{thin: {'├', '┤'}, quiet: {'├', '┤'}, thick: {'┠', '┨'}, double: {'╟', '╢'}, stalledSign: {'├', '┤'}, downSign: {'├', '┤'}}
	if right {
		return joints[lane][0]
	}
	return joints[lane][1]
}

// lose cuts an arrow off before it arrives, behind a label of that width.
func (w *writer) lose(c *canvas, from, to, label int) {
	w.used[signLost] = true
	a, b := w.lane[from], w.lane[to]
	step, length := 1, b-a
	if a > b {
		step, length = -1, a-b
	}
	cut := a + step*min(max(length*2/3, label+3), length-2)
	c.set(cut, signLost, Danger)
	for x := cut + step; x != b+step; x += step {
		c.cells[x] = cell{r: ' ', taken: true}
	}
	for i, column := range w.lane {
		if column >= 0 && (column-cut)*step > 0 && (b-column)*step >= 0 {
			c.set(column, w.sign(i, 0), Plain)
			if w.d.Lanes[i].Kind.runs() {
				c.set(column, quiet, Faint)
			}
		}
	}
}

// lostReply draws the answer that doesn't arrive.
func (w *writer) lostReply(c *canvas, a Arrow, row *Row) bool {
	from, to := w.lane[a.To], w.lane[a.From] // the reply goes the other way
	low, high := min(from, to), max(from, to)
	if !c.free(low, high) {
		return false
	}
	for x := low; x <= high; x++ {
		c.set(x, '─', Danger)
	}
	c.set(from, joint(w.sign(a.To, row.Step), from < to), Plain)
	text := shorten("reply", high-low-4)
	w.lose(c, a.To, a.From, textWidth(text))
	c.set(to, w.sign(a.From, row.Step), Plain)
	at := low + 2
	if from > to {
		at = high - 1 - textWidth(text)
	}
	c.write(at, text, Danger)
	return true
}

// mark draws a mark: a sign on its lane and the text to the right of it, or to
// the left where that is the only room.
func (w *writer) mark(c *canvas, lane int, text string, sign rune, style Style) bool {
	column, width := w.lane[lane], textWidth(text)
	fitsRight := column+2+width < w.next(lane)
	last := min(column+1+width, w.o.Width-1)
	switch {
	case fitsRight && c.free(column+1, column+1+width):
		c.write(column+2, text, style)
	case !fitsRight && column-1-width >= numberEnd && c.free(column-1-width, column):
		c.write(column-1-width, text, style)
	case !fitsRight && c.free(column+1, last):
		c.write(column+2, shorten(text, w.o.Width-column-2), style)
	default:
		return false
	}
	if sign != 0 && !c.cells[column].taken {
		w.used[sign] = true
		c.set(column, sign, style)
	}
	return true
}

// next is the column of the next lane to the right.
func (w *writer) next(lane int) int {
	for _, column := range w.lane[lane+1:] {
		if column >= 0 {
			return column
		}
	}
	return w.o.Width + 1
}

// wordsOf is the text of a mark in its row. Where no arrow and no other mark says
// what the step was, it is the mark's own.
func (w *writer) wordsOf(row *Row, m Mark) string {
	if len(row.Arrows) == 0 {
		said := false
		for _, m := range row.Marks {
			text, _, _ := w.markText(m)
			said = said || text != ""
		}
		if !said {
			return m.Text
		}
	}
	text, _, _ := w.markText(m)
	return text
}

// markText is how a mark is shown: its text, the sign that replaces the lane,
// and its style. Marks whose arrow says it all have no text.
func (w *writer) markText(m Mark) (string, rune, Style) {
	switch m.Kind {
	case MarkCrash:
		return m.Text, signCrash, Danger
	case MarkStall:
		return m.Text, stalledSign, Danger
	case MarkDisconnect:
		return "connection lost", 0, Danger
	case MarkFail, MarkGone, MarkTimeout, MarkStale, MarkRollback:
		return m.Text, 0, Danger
	case MarkExpire:
		if w.curt && strings.HasPrefix(m.Text, "lease of ") {
			return "lease ends", 0, Caution
		}
		return m.Text, 0, Caution
	case MarkForget, MarkKnownKey, MarkWake:
		return m.Text, 0, Caution
	case MarkWork, MarkDone, MarkNote:
		return m.Text, 0, Plain
	case MarkEffect:
		text, sign := m.Text, signCommit
		if w.curt {
			text = strings.Replace(text, " of ", " ", 1)
		}
		if w.d.Lanes[m.Lane].Kind == LaneProvider {
			sign = signMail
		}
		return text, sign, Good
	case MarkCommit:
		return "", signCommit, Good
	case MarkMail:
		return "", signMail, Good
	case MarkNack, MarkReturn:
		return "", signBack, Caution
	case MarkAck, MarkReject:
		return "", signAck, Settle
	}
	return "", 0, Plain
}
