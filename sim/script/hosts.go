package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Processes in which several handlers run.

const kindHost = "host"

func hostBindings() []Binding {
	return []Binding{{
		Name: "host", Where: whereTop, do: declareHost, Result: "the host, for service(..., host = ...), consumer(..., host = ...) and job(..., host = ...)",
		Doc:    "One process of the operating system in which several handlers run, each in a thread of its own. A crash, a kill or an exit of one is the end of all; they stall, stop and start again together, share what they remember (memory) and one connection to each broker. Each has its own connection to a database.",
		Stands: "a web server with a background worker in it; a consumer with a scheduler thread",
		Params: []Param{
			{Name: "name", Type: "name"},
			{Name: "restart", Type: "seconds or \"never\"", Default: "0", Doc: "How long it is down after a crash, an exit, a kill or a stop; 0: it is back at once."},
		},
	}}
}

func hostParam() Param {
	return Param{Name: "host", Type: "host", Default: "None", Doc: "The process that it runs in, together with other handlers: api = host(\"api\")."}
}

func declareHost(c *invocation) (starlark.Value, error) {
	l := c.load
	h := hostDecl{at: c.here()}
	name := c.name("name", "")
	h.life = c.downtime(sim.Life{})
	if c.err != nil {
		return nil, c.err
	}
	c.addHost(name)
	if c.err != nil {
		return nil, c.err
	}
	l.hosts = append(l.hosts, h)
	return c.newParty(kindHost, name, len(l.sc.Hosts)-1), nil
}

// hostDecl is what a host says of all that live in it.
type hostDecl struct {
	life sim.Life
	at   place
}

// addHost adds a host, if its name is free.
func (c *invocation) addHost(name string) {
	l := c.load
	for _, other := range l.sc.Hosts {
		if other.Name == name {
			c.wrong("name", "name-taken", "a host is called "+name+" already", "Say which is which: name = \"...\".")
			return
		}
	}
	l.sc.Hosts = append(l.sc.Hosts, sim.Host{Name: name})
}

// livesIn reads the host of a process and what it says of it: the host's number
// plus one, or 0.
func (c *invocation) livesIn(p *sim.Process) {
	v := c.value("host")
	if v == nil || c.err != nil {
		return
	}
	h, ok := v.(*party)
	if !ok || h.kind != kindHost {
		c.wrong("host", "bad-type", "host of "+c.title()+" is a host, not "+describe(v), "Write api = host(\"api\") above, and host = api here.")
		return
	}
	if c.value("restart") != nil {
		c.wrong("restart", "host-restarts", "what lives in one process starts again together, so "+h.name+" says when", fmt.Sprintf("Write %s = host(%q, restart = ...), and leave it out here.", h.name, h.name))
		return
	}
	life := c.load.hosts[h.index].life
	p.Host, p.Restart, p.Never = int(h.index)+1, life.Restart, life.Never
}

// slotHost is the host of the slots of one consumer.
func (c *invocation) slotHost(name string) int {
	c.addHost(name)
	c.load.hosts = append(c.load.hosts, hostDecl{at: c.here()})
	return len(c.load.sc.Hosts)
}

// hostsAreUsed insists that something lives in each host, and that its name is
// no other process's.
func (l *loader) hostsAreUsed() *Error {
	for i, h := range l.sc.Hosts {
		if len(h.Members) == 0 {
			return l.sc.src.found("unused-host", l.hosts[i].at, "nothing lives in "+h.Name, "Add host = "+h.Name+" to a service, a consumer or a job, or leave it out.")
		}
		for _, p := range l.sc.Processes {
			if p.Name == h.Name {
				return l.sc.src.found("name-taken", l.hosts[i].at, "a process is called "+h.Name+", so a host can't be", "Give the host a name of its own.")
			}
		}
	}
	return nil
}
