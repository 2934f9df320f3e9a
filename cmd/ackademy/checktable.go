package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
)

// Of several files a check prints a table: a line for each, or for each of its
// budgets, with what is violated and how little it takes.

// pathWidth is the width of the longest path.
func pathWidth(files []found) int {
	width := 0
	for _, f := range files {
		width = max(width, utf8.RuneCountInString(clean(f.path)))
	}
	return width
}

func (c *checking) row(t *terminal, r *result) string {
	sign, style := "✓", picture.Good
	switch r.exit() {
	case exitBad:
		sign, style = "✗", picture.Danger
	case exitUndecided:
		sign, style = "?", picture.Caution
	}
	if t.ascii {
		sign = strings.NewReplacer("✓", "+", "✗", "x").Replace(sign)
	}
	path := clean(r.path)
	text := t.paint(style, sign) + " " + path + strings.Repeat(" ", max(0, c.width-utf8.RuneCountInString(path))) + "  " + r.gist()
	if r.under != "" {
		text += "; under " + clean(r.under)
	}
	return text + "\n"
}

// gist is a result in a few words: what fails, what is allowed and shown, and
// what is undecided.
func (r *result) gist() string {
	var fails, allowed []string
	undecided := false
	for i := range r.report.Findings {
		f := &r.report.Findings[i]
		switch {
		case f.Status == explore.Undecided:
			undecided = true
		case f.Status != explore.Violated && f.Status != explore.Unreached:
		case r.fails(f):
			fails = append(fails, r.withNeeds(f))
		default:
			allowed = append(allowed, f.Property.String())
		}
	}
	text := "holds"
	switch {
	case len(fails) > 0:
		text = strings.Join(fails, ", ")
	case undecided:
		text = "undecided"
	}
	if len(allowed) > 0 {
		text += "; allowed: " + strings.Join(allowed, ", ")
	}
	text += fmt.Sprintf(" (%s)", plural(r.report.States, "state"))
	return text
}

// withNeeds names a verdict and how little it takes.
func (r *result) withNeeds(f *explore.Finding) string {
	if f.Property == sim.DoneOnce {
		return f.Property.String() + " unreached"
	}
	return f.Property.String() + ": " + tell.Needs(f.Needs, r.smallest.Of[f.Property])
}
