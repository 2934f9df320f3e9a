package picture

import (
	"strings"
	"unicode"
)

// canvas is a line of a text diagram: cells that know whether something stands
// in them already, so that what doesn't fit goes to the next line.
type canvas struct {
	cells []cell
}

type cell struct {
	r     rune // 0: the right half of a wide character
	style Style
	taken bool
}

func newCanvas(width int) *canvas {
	c := &canvas{cells: make([]cell, width)}
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// free tells whether columns from..to (inclusive) hold nothing yet.
func (c *canvas) free(from, to int) bool {
	if from < 0 || to >= len(c.cells) {
		return false
	}
	for i := from; i <= to; i++ {
		if c.cells[i].taken {
			return false
		}
	}
	return true
}

func (c *canvas) set(at int, r rune, style Style) { c.cells[at] = cell{r, style, true} }

// write puts text from a column on and returns the column behind it. What
// lies beyond the edge is cut off.
func (c *canvas) write(at int, text string, style Style) int {
	for _, r := range text {
		w := runeWidth(r)
		if w == 0 || at+w > len(c.cells) {
			continue
		}
		c.set(at, r, style)
		if w == 2 {
			c.set(at+1, 0, style)
		}
		at += w
	}
	return at
}

// String prints the line without the blanks at its end.
func (c *canvas) String(paint func(Style, string) string) string {
	end := len(c.cells)
	for end > 0 && c.cells[end-1].r == ' ' {
		end--
	}
	var out strings.Builder
	for i := 0; i < end; {
		style := c.cells[i].style
		var run strings.Builder
		for ; i < end && c.cells[i].style == style; i++ {
			if r := c.cells[i].r; r != 0 {
				run.WriteRune(r)
			}
		}
		if paint == nil || style == Plain {
			out.WriteString(run.String())
		} else {
			out.WriteString(paint(style, run.String()))
		}
	}
	return out.String()
}

// runeWidth is the number of columns that a terminal gives a character. What
// is not printable gets none: texts of a scenario must not steer a terminal.
func runeWidth(r rune) int {
	switch {
	case !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// textWidth is the number of columns of a text.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// shorten cuts a text to a width, with … where something is missing.
func shorten(s string, width int) string {
	if textWidth(s) <= width {
		return s
	}
	n, out := 0, strings.Builder{}
	for _, r := range s {
		w := runeWidth(r)
		if n+w > width-1 {
			break
		}
		out.WriteRune(r)
		n += w
	}
	if width > 0 {
		out.WriteRune('…')
	}
	return out.String()
}

// toASCII replaces the signs of the diagram for terminals and files that know
// no others.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if a, ok := asciiSigns[r]; ok {
			return a
		}
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, s)
}

var asciiSigns = map[rune]rune{
	'─': '-', '▶': '>', '◀': '<', '│': '|', '┊': ':', '┃': 'I', '║': '#', '├': '|', '┤': '|', '┠': 'I', '┨': 'I',
	'╟': '#', '╢': '#', '┼': '+', '╂': '+', '╫': '+', '☠': 'X', '✗': 'x', '◆': '*', '✓': 'v', '↻': 'r', '●': 'o', '…': '~', '┄': '.',
	'▒': '%',
}
