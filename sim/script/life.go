package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// How processes end but by crashing, and how they start again.

func lifeParams() []Param {
	return []Param{
		{Name: "kill_after", Type: "seconds", Default: "0", Doc: "Whoever watches over the process kills it when a handler has run for so long, work and waiting included: the limit of a serverless function, a job's deadline, a watchdog. It is a crash that needs no fault; 0: nobody does."},
		{Name: "restart", Type: "seconds or \"never\"", Default: "0", Doc: "How long the process is down after a crash, an exit, a kill or a stop; 0: it is back at once."},
		{Name: "on_stop", Type: "function", Default: "None", Doc: "What the process does at its end when it was told to stop (faults(stop = 1)), once its handler is done: a function without parameters, or, of a consumer of a queue, with one: the list of deliveries that it still holds. What that leaves unsettled goes back by the broker's rule."},
		{Name: "grace", Type: "seconds", Default: "0", Doc: "How long after it was told to stop it is killed; 0: it is waited for."},
		hostParam(),
	}
}

func lifeBindings() []Binding {
	return []Binding{{
		Name: "stopping", Where: whereHandler, do: askStopping, Result: "True once this process was told to stop, otherwise False",
		Doc:    "A process that is told to stop (faults(stop = 1)) takes nothing new and ends when its handler has ended; this is how the handler knows. It is no step.",
		Stands: "a flag that the handler of SIGTERM sets; ctx.Done()",
	}}
}

func askStopping(c *invocation) (starlark.Value, error) {
	a, err := c.ask(sim.Call{Verb: sim.VerbStopping, Party: -1, Table: -1})
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}

// life reads what may end a process and how it starts again.
func (c *invocation) life() sim.Life { return c.lifeWith(handler{queue: givenNothing}) }

// lifeWith does so for a process whose on_stop may be given what it holds: in
// the role of holding.
func (c *invocation) lifeWith(holding handler) sim.Life {
	l := sim.Life{KillAfter: c.seconds("kill_after", 0), Grace: c.seconds("grace", 0)}
	l = c.downtime(l)
	if c.err == nil && c.value("on_stop") != nil {
		role := handler{queue: givenNothing}
		if fn, is := c.value("on_stop").(*starlark.Function); is && fn.NumParams() > 0 && holding.queue >= 0 {
			role, l.StopHeld = holding, true
		}
		l.HasOnStop, l.OnStop = true, c.addHandlerOf("on_stop", role)
	}
	return l
}

// downtime reads how long a process is down before it starts again.
func (c *invocation) downtime(l sim.Life) sim.Life {
	if text, is := c.value("restart").(starlark.String); is {
		if l.Never = string(text) == "never"; !l.Never {
			c.wrong("restart", "bad-seconds", "restart is a number of seconds or \"never\", not "+describe(text), "Write restart = 30, or restart = \"never\".")
		}
	} else {
		l.Restart = c.seconds("restart", 0)
	}
	return l
}

// serversAreKnown insists that a server that restarts is one.
func (l *loader) serversAreKnown(d *faultsDecl) *Error {
	if d.faults.Limit[sim.DatabaseRestart] == 0 {
		return nil
	}
	for _, db := range l.sc.Databases {
		if db.Boundary != sim.InProcess {
			return nil
		}
	}
	return l.sc.src.found("no-server", d.at, "faults has a restart of a database, and none here has a server of its own: SQLite is a file, which its processes open",
		"A crash of the process is the nearest thing; or write database(..., like = \"postgres\"), or remote = True.")
}
