package script

import (
	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// The calls that begin and end transactions, or go back in one.

func transactionBindings() []Binding {
	return []Binding{{
		Of: kindDatabase, Name: "begin", Where: whereHandler, do: begin, Result: "the transaction",
		Doc:    "Opens a transaction. With sqlite it is the only one that may write until it ends, unless it is deferred.",
		Stands: "BEGIN IMMEDIATE, DEFERRED or EXCLUSIVE (sqlite); BEGIN ISOLATION LEVEL ... (postgres)",
		Params: []Param{
			{Name: "mode", Type: "text", Default: "\"immediate\"", Doc: "With sqlite: immediate takes the write lock at once; deferred takes no lock before a statement needs it, and is told busy where it has read and another one writes; exclusive keeps readers out as well, unless the journal is wal."},
			{Name: "isolation", Type: "text", Default: "by database", Doc: "With postgres: read_committed, repeatable_read or serializable."},
		},
	}}
}

func endBindings() []Binding {
	return []Binding{
		{
			Of: kindTransaction, Name: "commit", Where: whereHandler, do: end(sim.VerbCommit),
			Doc: "Makes everything that the transaction wrote visible at once.", Stands: "COMMIT",
		},
		{
			Of: kindTransaction, Name: "rollback", Where: whereHandler, do: end(sim.VerbRollback),
			Doc: "Undoes everything that the transaction wrote.", Stands: "ROLLBACK",
		},
		{
			Of: kindTransaction, Name: "savepoint", Where: whereHandler, do: setSavepoint, Result: "the savepoint",
			Doc: "Marks a place to go back to. With postgres it is how a transaction outlives an error.", Stands: "SAVEPOINT s",
		},
		{
			Of: kindSavepoint, Name: "rollback", Where: whereHandler, do: backToSavepoint,
			Doc: "Undoes what came after the savepoint; the transaction goes on, even after an error.", Stands: "ROLLBACK TO SAVEPOINT s",
		},
	}
}

// isolations and modes as begin names them.
var (
	beginModes = []string{"immediate", "deferred", "exclusive"}
	isolations = []string{"read_committed", "repeatable_read", "serializable"}
)

func begin(c *invocation) (starlark.Value, error) {
	db := c.receiver.(*party)
	if c.run.open[db.index] != nil {
		return nil, mistake("tx-open", db.name+" has an open transaction already, and a process has one connection to it", "Commit or roll back the first one before the second begins. Where attempt(...) tries a unit again, begin outside of it, so that the transaction can be rolled back.")
	}
	mode := c.beginMode(&c.run.sc.Databases[db.index])
	if c.err != nil {
		return nil, c.err
	}
	if _, err := c.ask(sim.Call{Verb: sim.VerbBegin, Party: db.index, Table: -1, Mode: mode}); err != nil {
		return nil, err
	}
	tx := &transaction{plain: plain{kindTransaction}, run: c.run, db: db.index}
	c.run.open[db.index] = tx
	return tx, nil
}

// beginMode reads how a transaction begins. What the database does anyway is
// the plain mode, so that saying it makes no difference.
func (c *invocation) beginMode(db *sim.Database) sim.Mode {
	mode, name := sim.ModePlain, "mode"
	if db.Isolation == sim.SingleWriter {
		if c.value("isolation") != nil {
			c.wrong("isolation", "other-database", db.Name+" is a SQLite file, whose transactions are serializable anyway", "Leave isolation out, or say mode = \"deferred\".")
		}
		mode = []sim.Mode{sim.ModePlain, sim.ModeDeferred, sim.ModeExclusive}[c.choice("mode", 0, beginModes...)]
	} else {
		name = "isolation"
		if c.value("mode") != nil {
			c.wrong("mode", "other-database", db.Name+" is no SQLite file: its transactions have no mode", "Leave mode out, or say isolation = \"serializable\".")
		}
		own := int(db.Isolation - sim.ReadCommitted)
		if at := c.choice("isolation", own, isolations...); at != own {
			mode = sim.ModeReadCommitted + sim.Mode(at)
		}
	}
	if mode != sim.ModePlain && !db.Modes && c.err == nil {
		c.wrong(name, "bad-choice", name+" is a text that was put together, and it has to be known before any handler runs", "Write it out: begin("+name+" = \"...\").")
	}
	return mode
}

// ask makes a call of a transaction and notes what its answer means for the
// handle. A lost answer is a lost connection, and with it goes the
// transaction, whatever became of it; the client library then answers gone by
// itself, and that is no step.
func (t *transaction) ask(c *invocation, call sim.Call) (sim.Answer, error) {
	if t.gone {
		return sim.Answer{Code: sim.Gone}, &outcomeError{code: sim.Gone}
	}
	a, err := c.ask(call)
	switch a.Code {
	case sim.Timeout, sim.Gone:
		t.gone = true
		delete(t.run.open, t.db)
	case sim.Conflict, sim.Serialization, sim.Deadlock, sim.LockTimeout:
		t.fails = t.run.sc.Databases[t.db].Isolation != sim.SingleWriter
	}
	return a, err
}

// usable refuses a handle that has ended.
func (t *transaction) usable() error {
	if t.ended != "" {
		return mistake("tx-ended", "this transaction is "+t.ended+" already", "Begin another one, or move the call before the end.")
	}
	return nil
}

// mode is the one of a call that has none of its own.
func (t *transaction) mode() sim.Mode {
	if t.fails {
		return sim.ModeAborted
	}
	return sim.ModePlain
}

// end makes commit and rollback. A commit that finds the file locked leaves the
// transaction open; every other answer is its end.
func end(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		tx := c.receiver.(*transaction)
		if err := tx.usable(); err != nil {
			return nil, err
		}
		call := sim.Call{Verb: verb, Party: tx.db, Table: -1, InTx: true}
		if verb == sim.VerbCommit {
			call.Mode = tx.mode()
		}
		a, err := tx.ask(c, call)
		switch a.Code {
		case sim.OK, sim.Aborted, sim.Serialization:
			if err == nil || a.Code != sim.OK {
				tx.ended = "committed"
				if verb == sim.VerbRollback || a.Code != sim.OK {
					tx.ended = "rolled back"
				}
				delete(c.run.open, tx.db)
			}
		}
		return starlark.None, err
	}
}

func setSavepoint(c *invocation) (starlark.Value, error) {
	tx := c.receiver.(*transaction)
	if err := tx.usable(); err != nil {
		return nil, err
	}
	if _, err := tx.ask(c, sim.Call{Verb: sim.VerbSavepoint, Party: tx.db, Table: -1, InTx: true, Mode: tx.mode()}); err != nil {
		return nil, err
	}
	tx.saves++
	return &savepoint{plain: plain{kindSavepoint}, tx: tx, number: tx.saves}, nil
}

func backToSavepoint(c *invocation) (starlark.Value, error) {
	s := c.receiver.(*savepoint)
	if err := s.tx.usable(); err != nil {
		return nil, err
	}
	if s.number > s.tx.saves {
		return nil, mistake("tx-ended", "the transaction went back to before this savepoint, and it is gone", "Set another one.")
	}
	call := sim.Call{Verb: sim.VerbRollbackTo, Party: s.tx.db, Table: -1, InTx: true, Key: c.table().Int(int64(s.number))}
	if _, err := s.tx.ask(c, call); err != nil {
		return nil, err
	}
	s.tx.saves, s.tx.fails = s.number, false
	return starlark.None, nil
}
