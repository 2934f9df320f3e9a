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
	for _, d := range FaultDocs() {
		budget = append(budget, Param{Name: d.Kind.String(), Type: "number of faults", Default: "0", Doc: d.Doc + " It strikes " + d.Needs + "."})
	}
	budget = append(budget, Param{Name: "longest", Type: "seconds", Default: "0", Doc: "How long a stall lasts at most; 0: as long as it likes."})
	budget = append(budget, Param{Name: "of", Type: "list", Default: "[]", Doc: "Strike only these: handlers, hosts, names of processes, queues, databases, providers. Empty: everywhere."})
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
		Name: "under", Type: "budget", Default: "the scenario's own", Doc: "The faults under which this is expected: under = faults(crash = 1, of = [relay]). A scenario may have several such blocks; each is checked by itself.",
	}, Param{
		Name: "counted_to", Type: "number of effects", Default: strconv.Itoa(sim.DefaultEffectCap),
		Doc: "How far the effects of one intent in one place are told apart; 0: without end.",
	})
	return []Binding{
		{
			Name: "faults", Where: whereTop, do: declareFaults, Params: budget, Result: "the budget, for expect(under = ...); by itself it is the scenario's own",
			Doc: "The budget of misfortunes: what may strike, how often, whom. Without it nothing goes wrong.",
		},
		{
			Name: "expect", Where: whereTop, do: declareExpect, Params: expected,
			Doc: "What makes a check fail: 0 forbids a verdict, \"possible\" allows it. All verdicts are reported anyway.",
		},
	}
}

// faultsDecl is a budget. It keeps the scope until all processes are known.
type faultsDecl struct {
	plain
	at     place
	start  place // of the call
	text   string
	faults sim.Faults
	scope  []starlark.Value
	under  bool // it is the budget of a block of its own
}

func declareFaults(c *invocation) (starlark.Value, error) {
	call := c.src.frame(c.thread.CallStack())
	d := &faultsDecl{plain: plain{"budget"}, at: c.src.argument(call, "of"), start: c.here()}
	d.text = c.src.textOf(call)
	f := &d.faults
	sum := 0
	for _, k := range sim.FaultKinds() {
		f.Limit[k] = c.count(k.String(), "faults", 0, 0, maxFaults)
		sum += f.Limit[k]
	}
	f.Total = min(c.count("total", "faults", sum, 0, maxFaults*len(sim.FaultKinds())), sum, maxFaults)
	f.Longest = c.seconds("longest", 0)
	if f.Longest > 0 && f.Limit[sim.Stall] == 0 {
		c.wrong("longest", "no-stall", "longest says how long a stall lasts at most, and there is none", "Add stall = 1.")
	}
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
			d.scope = append(d.scope, item)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	c.load.budgets = append(c.load.budgets, d)
	return d, nil
}

// settleFaults resolves whom the faults of a budget may strike.
func (l *loader) settleFaults(d *faultsDecl) *Error {
	f := &d.faults
	if e := l.outagesAreKnown(d); e != nil {
		return e
	}
	if e := l.serversAreKnown(d); e != nil {
		return e
	}
	f.Processes = make([]bool, len(l.sc.Processes))
	f.Queues = make([]bool, len(l.sc.Queues))
	f.Databases = make([]bool, len(l.sc.Databases))
	f.Providers = make([]bool, len(l.sc.Providers))
	f.Scoped = len(d.scope) > 0
	for _, item := range d.scope {
		if !l.scope(f, item) {
			var names []string
			for _, p := range l.sc.Processes {
				names = append(names, "\""+p.Name+"\"")
			}
			return l.sc.src.found("bad-scope", d.at, "faults can't strike "+describe(item),
				"Name handlers, queues, databases and providers by their variable, and processes by name: "+strings.Join(names, ", ")+".")
		}
	}
	return nil
}

func (l *loader) scope(f *sim.Faults, item starlark.Value) bool {
	found := false
	switch v := item.(type) {
	case *party:
		switch v.kind {
		case kindQueue:
			f.Queues[v.index] = true
		case kindLog:
			log := &l.sc.Logs[v.index]
			for q := log.First; q < log.First+log.Partitions; q++ {
				f.Queues[q] = true
			}
		case kindDatabase:
			f.Databases[v.index] = true
		case kindHost:
			for _, p := range l.sc.Hosts[v.index].Members {
				f.Processes[p] = true
			}
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
		for _, h := range l.sc.Hosts {
			for _, i := range h.Members {
				if h.Name == string(v) {
					f.Processes[i], found = true, true
				}
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

// expectDecl is one expect(...).
type expectDecl struct {
	under     *faultsDecl // nil: the scenario's own budget
	forbidden [sim.DoneOnce + 1]bool
	cap       int
}

func declareExpect(c *invocation) (starlark.Value, error) {
	l := c.load
	e := &expectDecl{forbidden: forbiddenByDefault(), cap: c.count("counted_to", "effects", sim.DefaultEffectCap, 0, maxFaults)}
	if v := c.value("under"); v != nil {
		budget, ok := v.(*faultsDecl)
		if !ok {
			c.wrong("under", "bad-type", "under of expect is a budget, not "+describe(v), "Write expect(under = faults(crash = 1), ...).")
			return nil, c.err
		}
		budget.under, e.under = true, budget
	}
	for _, other := range l.expected {
		if other.under == nil && e.under == nil {
			return nil, mistake("given-twice", "expect is given twice for the same budget", "Say under which faults the second one holds: expect(under = faults(crash = 1), ...).")
		}
	}
	for _, p := range sim.Properties() {
		c.expectation(p, &e.forbidden[p])
	}
	if c.err != nil {
		return nil, c.err
	}
	l.expected = append(l.expected, e)
	return starlark.None, nil
}

func forbiddenByDefault() (forbidden [sim.DoneOnce + 1]bool) {
	for _, p := range []sim.Property{sim.Lost, sim.Duplicated, sim.Overwritten, sim.Stuck, sim.ConflictAccepted, sim.Uncaused, sim.DoneOnce} {
		forbidden[p] = true
	}
	return forbidden
}

// expectation reads what is expected of one property.
func (c *invocation) expectation(p sim.Property, forbidden *bool) {
	name := p.String()
	if p == sim.DoneOnce {
		*forbidden = c.flag(name, true)
		return
	}
	switch v := c.value(name).(type) {
	case nil:
		return
	case starlark.Int:
		if n, ok := v.Int64(); ok && n == 0 {
			*forbidden = true
			return
		}
	case starlark.String:
		if v == "possible" {
			*forbidden = false
			return
		}
	}
	c.wrong(name, "bad-choice", fmt.Sprintf("%s of expect can't be %s", name, describe(c.value(name))), "Write 0 to forbid it or \"possible\" to allow it.")
}
