package script

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

func expectationBindings() []Binding {
	budget := []Param{{Name: "total", Type: "number of faults", Default: "the sum", Doc: "How many faults may strike in all."}}
	for _, k := range sim.FaultKinds() {
		budget = append(budget, Param{Name: k.String(), Type: "number of faults", Default: "0"})
	}
	budget = append(budget, Param{Name: "of", Type: "list", Default: "[]", Doc: "Strike only these: handlers, names of processes, queues, databases, providers. Empty: everywhere."})
	var expected []Param
	for _, p := range sim.Properties() {
		switch p {
		case sim.DoneOnce:
			expected = append(expected, Param{Name: p.String(), Type: "yes/no", Default: "True", Doc: "Whether some run must finish with every operation done once."})
		case sim.DeadLettered, sim.Unresolved:
			expected = append(expected, Param{Name: p.String(), Type: "0 or \"possible\"", Default: "\"possible\""})
		default:
			expected = append(expected, Param{Name: p.String(), Type: "0 or \"possible\"", Default: "0"})
		}
	}
	expected = append(expected, Param{
		Name: "counted_to", Type: "number of effects", Default: strconv.Itoa(sim.DefaultEffectCap),
		Doc: "How far the effects of one intent in one place are told apart; 0: without end.",
	})
	return []Binding{
		{
			Name: "faults", Where: whereTop, do: declareFaults, Params: budget,
			Doc: "The budget of misfortunes: what may strike, how often, whom. Without it nothing goes wrong.",
		},
		{
			Name: "expect", Where: whereTop, do: declareExpect, Params: expected,
			Doc: "What makes a check fail: 0 forbids a verdict, \"possible\" allows it. All verdicts are reported anyway.",
		},
	}
}

// faultsDecl keeps the scope until all processes are known.
type faultsDecl struct {
	at    place
	scope []starlark.Value
}

func declareFaults(c *invocation) (starlark.Value, error) {
	l := c.load
	if l.faults != nil {
		return nil, mistake("given-twice", "faults is given twice", "A scenario has one budget: write one faults(...).")
	}
	f := &l.sc.Faults
	sum := 0
	for _, k := range sim.FaultKinds() {
		f.Limit[k] = c.count(k.String(), "faults", 0, 0, maxFaults)
		sum += f.Limit[k]
	}
	f.Total = min(c.count("total", "faults", sum, 0, maxFaults*len(sim.FaultKinds())), sum, maxFaults)
	l.faults = &faultsDecl{at: c.src.argument(c.src.frame(c.thread.CallStack()), "of")}
	if of := c.value("of"); of != nil {
		list, ok := of.(starlark.Iterable)
		if !ok {
			c.wrong("of", "bad-type", "of of faults is a list, not "+describe(of), "Write of = [handle].")
			return nil, c.err
		}
		it := list.Iterate()
		defer it.Done()
		var item starlark.Value
		for it.Next(&item) {
			l.faults.scope = append(l.faults.scope, item)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}

// settleFaults resolves whom faults may strike.
func (l *loader) settleFaults() *Error {
	f := &l.sc.Faults
	f.Processes = make([]bool, len(l.sc.Processes))
	f.Queues = make([]bool, len(l.sc.Queues))
	f.Databases = make([]bool, len(l.sc.Databases))
	f.Providers = make([]bool, len(l.sc.Providers))
	if l.faults == nil || len(l.faults.scope) == 0 {
		return nil
	}
	f.Scoped = true
	for _, item := range l.faults.scope {
		if !l.scope(item) {
			var names []string
			for _, p := range l.sc.Processes {
				names = append(names, "\""+p.Name+"\"")
			}
			return l.sc.src.found("bad-scope", l.faults.at, "faults can't strike "+describe(item),
				"Name handlers, queues, databases and providers by their variable, and processes by name: "+strings.Join(names, ", ")+".")
		}
	}
	return nil
}

func (l *loader) scope(item starlark.Value) bool {
	f := &l.sc.Faults
	found := false
	switch v := item.(type) {
	case *party:
		switch v.kind {
		case kindQueue:
			f.Queues[v.index] = true
		case kindDatabase:
			f.Databases[v.index] = true
		default:
			f.Providers[v.index] = true
		}
		return true
	case starlark.String:
		for i, p := range l.sc.Processes {
			if p.Name == string(v) {
				f.Processes[i], found = true, true
			}
		}
	case *starlark.Function:
		for i, p := range l.sc.Processes {
			if l.sc.handlers[p.Handler].fn == v {
				f.Processes[i], found = true, true
			}
		}
	}
	return found
}

func declareExpect(c *invocation) (starlark.Value, error) {
	l := c.load
	if l.expected {
		return nil, mistake("given-twice", "expect is given twice", "A scenario has one expectation: write one expect(...).")
	}
	l.expected = true
	l.sc.EffectCap = c.count("counted_to", "effects", sim.DefaultEffectCap, 0, maxFaults)
	for _, p := range sim.Properties() {
		name := p.String()
		if p == sim.DoneOnce {
			l.sc.Forbidden[p] = c.flag(name, true)
			continue
		}
		switch v := c.value(name).(type) {
		case nil:
			continue
		case starlark.Int:
			if n, ok := v.Int64(); ok && n == 0 {
				l.sc.Forbidden[p] = true
				continue
			}
		case starlark.String:
			if v == "possible" {
				l.sc.Forbidden[p] = false
				continue
			}
		}
		c.wrong(name, "bad-choice", fmt.Sprintf("%s of expect can't be %s", name, describe(c.value(name))), "Write 0 to forbid it or \"possible\" to allow it.")
	}
	if c.err != nil {
		return nil, c.err
	}
	return starlark.None, nil
}
