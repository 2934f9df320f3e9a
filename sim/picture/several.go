package picture

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Sentences of statements about several rows.

// askRows says what such a statement wants.
func (t *teller) askRows(c *sim.Call) string {
	which := t.table(c)
	if where := t.h.conditions(c.Where); where != "" {
		which += " with " + where
	}
	switch c.Verb {
	case sim.VerbSelect:
		text := "reads the rows of " + which
		if c.Limit > 0 {
			text += fmt.Sprintf(", at most %d", c.Limit)
		}
		return text
	case sim.VerbCount:
		return "counts the rows of " + which
	case sim.VerbChange:
		return "changes the rows of " + which + " to " + t.h.fields(c.Body)
	case sim.VerbRemove:
		return "removes the rows of " + which
	}
	return "claims a row of " + which
}

// conditions prints a condition: "status open, n above(3)".
func (h *history) conditions(where sim.ValueID) string { return h.fields(where) }

// resultOfRows says what came of it.
func (t *teller) resultOfRows(e *sim.Event, open string) string {
	if e.Answer.Code != sim.OK && e.Fault != sim.LostReply {
		return ""
	}
	c := e.Call
	switch c.Verb {
	case sim.VerbSelect:
		if e.Answer.Code == sim.OK {
			return ": " + t.h.keys(c, e.Answer.Value)
		}
		return ""
	case sim.VerbCount:
		if e.Answer.Code == sim.OK {
			return ": " + t.h.plain(e.Answer.Value)
		}
		return ""
	}
	s := t.first(sim.EventStatement)
	switch {
	case s == nil || !s.Done && c.Verb == sim.VerbClaim:
		return ": there is none"
	case !s.Done:
		return ": there are none"
	case c.Verb == sim.VerbClaim && e.Answer.Code == sim.OK:
		return " and gets " + t.h.keys(c, e.Answer.Value) + open + t.visible()
	}
	return ": " + counted(s.Rows, "row") + open + t.visible()
}

// keys names rows by their keys, or by all columns where the table has no key.
func (h *history) keys(c *sim.Call, rows sim.ValueID) string {
	list := []sim.ValueID{rows}
	if v := h.sc.Values.Get(rows); v.Kind == sim.KindList {
		list = nil
		for _, f := range v.Fields {
			list = append(list, f.Value)
		}
	}
	key := h.sc.Databases[c.Party].Tables[c.Table].Key
	var names []string
	for _, row := range list {
		switch {
		case row == sim.None:
		case key == "":
			names = append(names, "("+h.fields(row)+")")
		default:
			names = append(names, h.plain(h.field(row, key)))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
