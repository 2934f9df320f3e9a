package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Terms stand in the place of a column's value: plus(1) where a row is written,
// above(3) where rows are matched.

// term is what plus(...), above(...) and the like return.
type term struct {
	plain
	name  string
	parts []starlark.Value
}

func (t *term) String() string {
	parts := make([]string, len(t.parts))
	for i, p := range t.parts {
		parts[i] = p.String()
	}
	return t.name + "(" + strings.Join(parts, ", ") + ")"
}

// termUse says which terms a call understands.
type termUse uint8

const (
	noTerms       termUse = iota
	settingTerms          // those that make a value
	matchingTerms         // those that a value fits or not
	stampingTerms         // those that need nothing that stood before
)

// termKind is what a term is made of and good for.
type termKind struct {
	use     termUse
	numbers bool // its part is a whole number
	seconds bool // which is a span of time
	bare    bool // it is made of nothing
	doc     string
	stands  string
}

var termKinds = map[string]termKind{
	sim.TermNot:     {matchingTerms, false, false, false, "Matches a column that differs from the value; a missing one differs from every value.", "column IS NOT ? (sqlite), column IS DISTINCT FROM ? (postgres)"},
	sim.TermAnyOf:   {matchingTerms, false, false, false, "Matches a column that has one of the values.", "column IN (?, ...)"},
	sim.TermAbove:   {matchingTerms, true, false, false, "Matches a column that holds a greater number.", "column > ?"},
	sim.TermBelow:   {matchingTerms, true, false, false, "Matches a column that holds a smaller number.", "column < ?"},
	sim.TermOlder:   {matchingTerms, true, true, false, "Matches any column of a row whose last change was committed that many seconds ago, or more.", "updated_at <= now() - interval ?"},
	sim.TermYounger: {matchingTerms, true, true, false, "Matches any column of a row whose last change was committed less than that many seconds ago.", "updated_at > now() - interval ?"},
	sim.TermPlus:    {settingTerms, true, false, false, "What stands in the column, or 0, plus this number.", "column = coalesce(column, 0) + ?"},
	sim.TermMinus:   {settingTerms, true, false, false, "What stands in the column, or 0, minus this number.", "column = coalesce(column, 0) - ?"},
	sim.TermAfter:   {stampingTerms, true, true, false, "A stamp that falls due in so many seconds, counted from the commit: leased_until = after(30). A handler that reads it is told whether it was due then, True or False; what is due says no longer since when.", "column = now() + interval ?"},
	sim.TermDue:     {matchingTerms, false, false, true, "Matches a column that holds a stamp whose time has come.", "column <= now()"},
	sim.TermNotDue:  {matchingTerms, false, false, true, "Matches a column that holds a stamp whose time has not come.", "column > now()"},
}

// termNames is the order of the reference.
var termNames = []string{sim.TermPlus, sim.TermMinus, sim.TermNot, sim.TermAnyOf, sim.TermAbove, sim.TermBelow, sim.TermOlder, sim.TermYounger, sim.TermAfter, sim.TermDue, sim.TermNotDue}

func termBindings() []Binding {
	var list []Binding
	for _, name := range termNames {
		kind := termKinds[name]
		b := Binding{Name: name, Where: whereBoth, do: makeTerm, Doc: kind.doc, Stands: kind.stands, Result: "what stands in the place of a value in where"}
		switch kind.use {
		case settingTerms:
			b.Result = "what stands in the place of a value in update, put, change and claim"
		case stampingTerms:
			b.Result = "what stands in the place of a value in insert, put, update, change, claim and given"
		}
		part := Param{Name: "value", Type: "scalar", Positional: true}
		if kind.numbers {
			part = Param{Name: "n", Type: "number", Positional: true}
			if kind.seconds {
				part = Param{Name: "seconds", Type: "seconds", Positional: true}
			}
		}
		if b.Params = []Param{part}; kind.bare {
			b.Params = nil
		}
		if name == sim.TermAnyOf {
			b.Params = nil
			for i := range maxAlternatives {
				p := Param{Name: fmt.Sprintf("value%d", i+1), Type: "scalar", Positional: true}
				if i > 0 {
					p.Default = "left out"
				}
				b.Params = append(b.Params, p)
			}
		}
		list = append(list, b)
	}
	return list
}

// makeTerm makes a term of whatever it is given by place.
func makeTerm(c *invocation) (starlark.Value, error) {
	name := c.binding.Name
	t := &term{plain: plain{"term"}, name: name}
	for _, p := range c.binding.Params {
		v, ok := c.values[p.Name]
		if !ok {
			continue
		}
		if _, isInt := v.(starlark.Int); termKinds[name].numbers && !isInt {
			c.wrong(p.Name, "bad-value", fmt.Sprintf("%s needs a whole number, not %s", name, describe(v)), "Write a number like 1.")
		}
		if termKinds[name].seconds && c.err == nil {
			c.age(p.Name, name)
		}
		inner, isTerm := v.(*term)
		if !isTerm {
			c.scalar(p.Name, v)
		} else if name != sim.TermNot || inner.name != sim.TermAnyOf {
			c.wrong(p.Name, "bad-value", fmt.Sprintf("%s stands in %s, which needs a value", inner, name), "Only any_of(...) may stand in not_(...).")
		}
		t.parts = append(t.parts, v)
	}
	if c.err != nil {
		return nil, c.err
	}
	return t, nil
}

// columnValue turns what is given for a column into data of the world.
func (c *invocation) columnValue(name string, v starlark.Value) sim.ValueID {
	t, ok := v.(*term)
	if !ok {
		return c.scalar(name, v)
	}
	switch use := termKinds[t.name].use; {
	case c.terms == use, use == stampingTerms && c.terms == settingTerms:
	case use == stampingTerms:
		c.wrong(name, "bad-value", fmt.Sprintf("%s is a stamp in a row, and %s of %s can't be one", t, name, c.title()), "Write it with insert, put, update, change, claim or given; ask for it with due() and not_due().")
		return sim.None
	case use == matchingTerms:
		c.wrong(name, "bad-value", fmt.Sprintf("%s matches values, and %s of %s needs one", t, name, c.title()), "Use it in where, or in select, count, remove and exists.")
		return sim.None
	default:
		c.wrong(name, "bad-value", fmt.Sprintf("%s makes a value of what stands in a column, and %s of %s can't", t, name, c.title()), "Use it in update, put, change or claim.")
		return sim.None
	}
	if termKinds[t.name].seconds && termKinds[t.name].use == matchingTerms {
		c.knownAge(name, t)
	}
	parts := make([]sim.ValueID, len(t.parts))
	for i, p := range t.parts {
		parts[i] = c.columnValue(name, p)
	}
	return c.table().Term(t.name, parts...)
}
