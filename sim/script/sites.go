package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// WithSites returns the scenario with another budget of faults and with
// handlers whose nodes are told apart by their place in the text as well, and
// where each node stands. Two lines with the same remaining program are then
// two nodes: a picture that speaks of lines needs that, a search for verdicts
// does not. The budget has to be given here because the answers that a handler
// must be ready for depend on it.
//
// Site.Occurrence counts here, from 1, how often this very call of the text
// was made before in the same run of the handler.
func (s *Scenario) WithSites(faults sim.Faults) (*sim.Scenario, func(n sim.Node) Site) {
	inner, c := *s.Scenario, *s
	inner.Faults = faults
	c.Scenario = &inner
	c.tree = newTree(&c, true)
	inner.Program = c.tree
	return &inner, func(n sim.Node) Site { return c.tree.sites[n] }
}

// lineSite tells where a handler stands after these answers, counting the
// calls that are made from the same place.
func (s *Scenario) lineSite(h sim.HandlerID, in sim.Input, answers []sim.Answer) Site {
	next := 0
	seen := map[place]int{}
	var site Site
	e := s.interpret(h, in, func(c *sim.Call, t *starlark.Thread) (sim.Answer, error) {
		at := s.src.frame(t.CallStack())
		seen[at]++
		if next < len(answers) {
			next++
			return answers[next-1], nil
		}
		site = s.siteOf(t.CallStack(), c, seen[at])
		return sim.Answer{}, errYield
	})
	if e.call == nil {
		return site
	}
	end := s.handlers[h].end
	return Site{Line: end.line, Col: end.col, EndLine: end.line, Call: e.call, Occurrence: 1}
}
