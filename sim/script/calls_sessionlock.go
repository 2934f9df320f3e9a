package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Locks that belong to a connection.

func sessionLockBindings() []Binding {
	name := []Param{{Name: "name", Type: "id", Positional: true}}
	return []Binding{
		{
			Of: kindDatabase, Name: "lock", Where: whereHandler, do: sessionLock(sim.VerbLock), Params: name,
			Doc:    "Takes a lock of the connection, or waits for it. The end of the handler doesn't give it back: unlock, a crash or the loss of the connection do. With postgres.",
			Stands: "SELECT pg_advisory_lock(?)",
		},
		{
			Of: kindDatabase, Name: "try_lock", Where: whereHandler, do: sessionLock(sim.VerbTryLock), Params: name, Result: "True, or False if another connection has it",
			Doc: "Takes a lock of the connection if nobody else has it. With postgres.", Stands: "SELECT pg_try_advisory_lock(?)",
		},
		{
			Of: kindDatabase, Name: "unlock", Where: whereHandler, do: sessionLock(sim.VerbUnlock), Params: name, Result: "True, or False if this connection doesn't have it",
			Doc: "Gives a lock of the connection back: one that was taken twice has to be given back twice. With postgres.", Stands: "SELECT pg_advisory_unlock(?)",
		},
	}
}

func sessionLock(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		db := c.receiver.(*party)
		if c.run.open[db.index] != nil {
			return nil, mistake("tx-open", db.name+" has an open transaction, and its connection's locks are taken outside of it",
				"Say it before begin() or after the transaction's end.")
		}
		if c.run.sc.Databases[db.index].Isolation == sim.SingleWriter {
			return nil, mistake("other-database", db.name+" is a SQLite file, which has no locks with names", "Write like = \"postgres\", or begin a transaction: it is the only writer.")
		}
		key := c.table().Str(c.id("name"))
		if c.err != nil {
			return nil, c.err
		}
		a, err := c.ask(sim.Call{Verb: verb, Party: db.index, Table: -1, Key: key})
		if err != nil {
			return nil, err
		}
		return c.run.starlarkValue(a.Value), nil
	}
}
