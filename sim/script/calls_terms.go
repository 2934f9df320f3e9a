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
)

// termKind is what a term is made of and good for.
type termKind struct {
	use     termUse
	numbers bool // its part is a whole number
	seconds bool // which is a span of time
	doc     string
	stands  string
}

var termKinds = map[string]termKind{
	sim.TermNot:     {matchingTerms, false, false, "Matches a column that differs from the value; a missing one differs from every value.", "column IS NOT ? (sqlite), column IS DISTINCT FROM ? (postgres)"},
	sim.TermAnyOf:   {matchingTerms, false, false, "Matches a column that has one of the values.", "column IN (?, ...)"},
	sim.TermAbove:   {matchingTerms, true, false, "Matches a column that holds a greater number.", "column > ?"},
	sim.TermBelow:   {matchingTerms, true, false, "Matches a column that holds a smaller number.", "column < ?"},
	sim.TermOlder:   {matchingTerms, true, true, "Matches any column of a row whose last change was committed that many seconds ago, or more.", "updated_at <= now() - interval ?"},
	sim.TermYounger: {matchingTerms, true, true, "Matches any column of a row whose last change was committed less than that many seconds ago.", "updated_at > now() - interval ?"},
	sim.TermPlus:    {settingTerms, true, false, "What stands in the column, or 0, plus this number.", "column = coalesce(column, 0) + ?"},
	sim.TermMinus:   {settingTerms, true, false, "What stands in the column, or 0, minus this number.", "column = coalesce(column, 0) - ?"},
}

// termNames is the order of the reference.
var termNames = []string{sim.TermPlus, sim.TermMinus, sim.TermNot, sim.TermAnyOf, sim.TermAbove, sim.TermBelow, sim.TermOlder, sim.TermYounger}

func termBindings() []Binding {
	var list []Binding
	for _, name := range termNames {
		kind := termKinds[name]
		b := Binding{Name: name, Where: whereBoth, do: makeTerm, Doc: kind.doc, Stands: kind.stands, Result: "what stands in the place of a value in where"}
		if kind.use == settingTerms {
			b.Result = "what stands in the place of a value in update, put, change and claim"
		}
		part := Param{Name: "value", Type: "scalar", Positional: true}
		if kind.numbers {
			part = Param{Name: "n", Type: "number", Positional: true}
			if kind.seconds {
				part = Param{Name: "seconds", Type: "seconds", Positional: true}
			}
		}
		b.Params = []Param{part}
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
			c.age(p.Name)
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
	case c.terms == use:
	case use == matchingTerms:
		c.wrong(name, "bad-value", fmt.Sprintf("%s matches values, and %s of %s needs one", t, name, c.title()), "Use it in where, or in select, count, remove and exists.")
		return sim.None
	default:
		c.wrong(name, "bad-value", fmt.Sprintf("%s makes a value of what stands in a column, and %s of %s can't", t, name, c.title()), "Use it in update, put, change or claim.")
		return sim.None
	}
	if termKinds[t.name].seconds {
		c.knownAge(name, t)
	}
	parts := make([]sim.ValueID, len(t.parts))
	for i, p := range t.parts {
		parts[i] = c.columnValue(name, p)
	}
	return c.table().Term(t.name, parts...)
}
