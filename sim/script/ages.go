package script

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ackademy/ackademy/sim"
)

// Ages are state only up to the largest that is asked for, and only in tables
// whose rows are asked. Both are read off the text before anything runs, and a
// run that asks for another age is told so.

// ageTexts is what a text asks for ages.
type ageTexts struct {
	seen    map[*syntax.Ident]bool
	asked   map[string]map[sim.Seconds]bool // by table; "*": by any
	numbers map[sim.Seconds]bool            // every number that the text writes
	stamps  bool                            // columns fall due
	unknown map[string]bool                 // tables that are asked for an age that isn't written where it is asked
}

func newAgeTexts() *ageTexts {
	return &ageTexts{seen: map[*syntax.Ident]bool{}, asked: map[string]map[sim.Seconds]bool{}, numbers: map[sim.Seconds]bool{}, unknown: map[string]bool{}}
}

// visit notes what a node says. It comes to a statement before its parts.
func (a *ageTexts) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.CallExpr:
		if name, ok := n.Fn.(*syntax.Ident); ok && name.Name == sim.TermAfter {
			a.stamps = true
		}
		if read, table := tableRead(n); read != nil {
			syntax.Walk(n, func(part syntax.Node) bool { return a.inside(table, part) })
			return
		}
		a.inside("*", n)
	case *syntax.Ident:
		if (n.Name == sim.TermOlder || n.Name == sim.TermYounger) && !a.seen[n] {
			a.seen[n] = true
			a.ask("*")
			a.unknown["*"] = true
		}
	case syntax.Expr:
		if v, ok := written(n); ok {
			a.numbers[v] = true
		}
	}
}

// inside notes a call of older or younger in what a table is asked.
func (a *ageTexts) inside(table string, n syntax.Node) bool {
	call, ok := n.(*syntax.CallExpr)
	if !ok {
		return true
	}
	name, ok := call.Fn.(*syntax.Ident)
	if !ok || a.seen[name] || name.Name != sim.TermOlder && name.Name != sim.TermYounger {
		return true
	}
	a.seen[name] = true
	a.ask(table)
	if len(call.Args) == 1 {
		if v, ok := written(call.Args[0]); ok {
			a.asked[table][v] = true
			return true
		}
	}
	a.unknown[table] = true
	return true
}

func (a *ageTexts) ask(table string) {
	if a.asked[table] == nil {
		a.asked[table] = map[sim.Seconds]bool{}
	}
}

// written is the number that an expression of numbers alone stands for.
func written(x syntax.Expr) (sim.Seconds, bool) {
	switch x := x.(type) {
	case *syntax.Literal:
		n, ok := x.Value.(int64)
		return sim.Seconds(n), ok && n >= 0 && n <= maxSeconds
	case *syntax.ParenExpr:
		return written(x.X)
	case *syntax.BinaryExpr:
		a, okA := written(x.X)
		b, okB := written(x.Y)
		if !okA || !okB {
			return 0, false
		}
		switch x.Op {
		case syntax.STAR:
			a *= b
		case syntax.PLUS:
			a += b
		case syntax.MINUS:
			a -= b
		default:
			return 0, false
		}
		return a, a >= 0 && a <= maxSeconds
	}
	return 0, false
}

// of lists the ages that a table's rows are asked for, the least first.
func (a *ageTexts) of(table string) []sim.Seconds {
	all := map[sim.Seconds]bool{}
	for _, name := range []string{table, "*"} {
		for s := range a.asked[name] {
			all[s] = true
		}
		if a.unknown[name] {
			for s := range a.numbers {
				all[s] = true
			}
		}
	}
	var list []sim.Seconds
	for s := range all {
		if s > 0 {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return list
}

// age insists on a span that ages can tell apart.
func (c *invocation) age(name, term string) {
	if c.seconds(name, 0); c.err == nil && c.seconds(name, 0) == 0 && term != sim.TermAfter {
		c.wrong(name, "bad-seconds", "every row is at least 0 seconds old", "Choose a number from 1, or leave the condition out.")
	}
}

// knownAge insists that the text writes an age as a number somewhere: the ages
// of rows stop at the largest number.
func (c *invocation) knownAge(name string, t *term) {
	n, _ := t.parts[0].(starlark.Int).Int64()
	if !slices.Contains(c.asked.Ages, sim.Seconds(n)) {
		c.wrong(name, "age-unknown", fmt.Sprintf("the text writes the number %d nowhere, and rows of %s grow only as old as a number in it", n, c.asked.Name),
			fmt.Sprintf("Write %s(%d).", t.name, n))
	}
}
