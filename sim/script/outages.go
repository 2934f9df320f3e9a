package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

func outageBindings() []Binding {
	return []Binding{{
		Name: "outage", Where: whereTop, do: declareOutage,
		Doc: "Says how long the fault outage of a database or provider lasts: every call to it is refused, and what it had accepted stands.",
		Params: []Param{
			{Name: "party", Type: "database or provider"},
			{Name: "seconds", Type: "seconds"},
		},
	}}
}

func declareOutage(c *invocation) (starlark.Value, error) {
	sc := c.load.sc
	o := sim.OutageOf{Database: -1, Provider: -1, Lasts: c.seconds("seconds", 0)}
	p, _ := c.value("party").(*party)
	switch {
	case p != nil && p.kind == kindDatabase:
		o.Database = int(p.index)
	case p != nil && p.kind == kindProvider:
		o.Provider = int(p.index)
	default:
		c.wrong("party", "bad-type", "only a database or a provider can be out, not "+describe(c.value("party")), "For a queue, faults(connection_lost = 1) or lost_request is the nearest thing.")
	}
	if c.err == nil && o.Lasts == 0 {
		c.wrong("seconds", "bad-seconds", "an outage of no time is none", "Write outage("+p.name+", 30).")
	}
	for _, other := range sc.Outages {
		if c.err == nil && other.Database == o.Database && other.Provider == o.Provider {
			c.wrong("party", "given-twice", "how long an outage of "+p.name+" lasts is said already", "Say it once.")
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	sc.Outages = append(sc.Outages, o)
	return starlark.None, nil
}

// outagesAreKnown insists that a budget with an outage says whose.
func (l *loader) outagesAreKnown(d *faultsDecl) *Error {
	if d.faults.Limit[sim.Outage] > 0 && len(l.sc.Outages) == 0 {
		return l.sc.src.found("no-outage", d.at, "faults has an outage, and nothing says of whom and how long", "Add outage(store, 30) with a database or provider.")
	}
	return nil
}
