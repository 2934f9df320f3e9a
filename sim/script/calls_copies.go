package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Copies of a database.

func copyBindings() []Binding {
	name := []Param{{Name: "name", Type: "id", Positional: true}}
	return []Binding{
		{
			Of: kindDatabase, Name: "snapshot", Where: whereHandler, do: copyCall(sim.VerbSnapshot), Params: name, Result: "True",
			Doc: "Copies what is committed. A second copy of the same name replaces the first.", Stands: "pg_dump; .backup",
		},
		{
			Of: kindDatabase, Name: "restore", Where: whereHandler, do: copyCall(sim.VerbRestore), Params: name, Result: "True, or False if there is no such copy",
			Doc:    "Puts a copy back: what was committed since is gone from the tables, and everybody else still knows of it. It waits until no transaction is open. Effects that were counted stay counted.",
			Stands: "pg_restore --clean; .restore",
		},
	}
}

func copyCall(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		db := c.receiver.(*party)
		if c.run.open[db.index] != nil {
			return nil, mistake("tx-open", db.name+" has an open transaction, and copies are made of what is committed",
				"Say it before begin() or after the transaction's end.")
		}
		name := c.table().Str(c.id("name"))
		if c.err != nil {
			return nil, c.err
		}
		a, err := c.ask(sim.Call{Verb: verb, Party: db.index, Table: -1, Key: name})
		if err != nil {
			return nil, err
		}
		return c.run.starlarkValue(a.Value), nil
	}
}
