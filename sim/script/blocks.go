package script

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// A scenario can say what it expects under several budgets: without a fault,
// with one crash of the relay, with a stall of up to forty seconds. Each is a
// block, and each block is checked by itself.
//
// What is stepped, drawn and shared has one budget: all kinds that some block
// has, as many at once as the largest one. A schedule that the check of any
// block shows can therefore be replayed.

// Block is one expectation with its budget.
type Block struct {
	Under     string // the budget as the text has it; empty for the scenario's own
	Faults    sim.Faults
	Forbidden [sim.DoneOnce + 1]bool
	EffectCap int
}

// Blocks returns what the scenario expects, at least one block, in the order of
// the text.
func (s *Scenario) Blocks() []Block { return s.blocks }

// Under returns the scenario with the budget and the expectation of a block.
func (s *Scenario) Under(b Block) *Scenario {
	if len(s.blocks) == 1 {
		return s
	}
	inner, c := *s.Scenario, *s
	inner.Faults, inner.EffectCap = b.Faults, b.EffectCap
	copy(inner.Forbidden[:], b.Forbidden[:])
	c.Scenario, c.blocks = &inner, []Block{b}
	c.tree = newTree(&c, false)
	inner.Program = c.tree
	return &c
}

// settleBlocks puts budgets and expectations together.
func (l *loader) settleBlocks() *Error {
	own := &faultsDecl{}
	for _, d := range l.budgets {
		if !d.under {
			if own.start != (place{}) {
				return l.sc.src.found("given-twice", d.start, "faults is given twice", "A scenario has one budget of its own; others stand in expect(under = faults(...)).")
			}
			own = d
		}
	}
	for _, d := range append([]*faultsDecl{own}, l.budgets...) {
		if e := l.settleFaults(d); e != nil {
			return e
		}
	}
	if len(l.expected) == 0 || own.start != (place{}) && !l.expectsOwn() {
		l.expected = append([]*expectDecl{{forbidden: forbiddenByDefault(), cap: sim.DefaultEffectCap}}, l.expected...)
	}
	for _, e := range l.expected {
		b := Block{Faults: own.faults, Forbidden: e.forbidden, EffectCap: e.cap}
		if e.under != nil {
			b.Under, b.Faults = e.under.text, e.under.faults
		}
		l.sc.blocks = append(l.sc.blocks, b)
	}
	for _, b := range l.sc.blocks {
		l.sc.Stops = l.sc.Stops || b.Faults.Limit[sim.Stop] > 0
	}
	first := &l.sc.blocks[0]
	copy(l.sc.Forbidden[:], first.Forbidden[:])
	l.sc.EffectCap, l.sc.Faults = first.EffectCap, first.Faults
	for _, b := range l.sc.blocks[1:] {
		l.sc.Faults = widest(l.sc.Faults, b.Faults)
		if b.EffectCap == 0 || l.sc.EffectCap > 0 && b.EffectCap > l.sc.EffectCap {
			l.sc.EffectCap = b.EffectCap
		}
	}
	return nil
}

func (l *loader) expectsOwn() bool {
	for _, e := range l.expected {
		if e.under == nil {
			return true
		}
	}
	return false
}

// widest is a budget within which everything can happen that can within a or b.
func widest(a, b sim.Faults) sim.Faults {
	out := a
	out.Total = max(a.Total, b.Total)
	for k := range out.Limit {
		out.Limit[k] = max(a.Limit[k], b.Limit[k])
	}
	switch {
	case a.Limit[sim.Stall] == 0:
		out.Longest = b.Longest
	case b.Limit[sim.Stall] > 0 && (a.Longest == 0 || b.Longest == 0):
		out.Longest = 0
	default:
		out.Longest = max(a.Longest, b.Longest)
	}
	switch {
	case a.Total == 0:
		out.Scoped = b.Scoped
	case b.Total > 0:
		out.Scoped = a.Scoped && b.Scoped
	}
	out.Processes, out.Queues = either(a.Processes, b.Processes), either(a.Queues, b.Queues)
	out.Databases, out.Providers = either(a.Databases, b.Databases), either(a.Providers, b.Providers)
	return out
}

func either(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] || b[i]
	}
	return out
}

// textOf is a call as it is written, on one line.
func (s *source) textOf(call place) string {
	c := s.calls[call]
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(s.span(c.start, c.end)), " ")
}
