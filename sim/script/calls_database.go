package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// The calls to databases. Every statement exists twice: on a transaction, and
// on the database itself, where it is a transaction of its own.

func databaseBindings() []Binding {
	list := []Binding{{
		Of: kindDatabase, Name: "begin", Where: whereHandler, do: begin, Result: "the transaction",
		Doc: "Opens a transaction. With sqlite it is the only one that may write until it ends.", Stands: "BEGIN IMMEDIATE (sqlite); BEGIN (postgres)",
	}}
	table := Param{Name: "table", Type: "name of a table", Positional: true}
	key := Param{Name: "key", Type: "scalar", Positional: true, Doc: "The value of the table's key column."}
	for _, of := range []string{kindTransaction, kindDatabase} {
		list = append(list,
			Binding{
				Of: of, Name: "insert", Where: whereHandler, do: statement(sim.VerbInsert), Params: []Param{table}, Fields: "the row", Result: "True, or False if the key stands already",
				Doc: "Adds a row unless its key stands already.", Stands: "INSERT INTO t (...) VALUES (...) ON CONFLICT DO NOTHING",
			},
			Binding{
				Of: of, Name: "put", Where: whereHandler, do: statement(sim.VerbPut), Params: []Param{table}, Fields: "the row",
				Doc: "Adds a row or replaces the one with its key.", Stands: "INSERT INTO t (...) VALUES (...) ON CONFLICT (key) DO UPDATE SET ...",
			},
			Binding{
				Of: of, Name: "put_newer", Where: whereHandler, do: statement(sim.VerbPutNewer), Params: []Param{table}, Fields: "the row, its version included", Result: "True, or False if a version as new stands already",
				Doc: "Adds a row, or replaces the one with its key if this version is newer. For tables that have a version.", Stands: "INSERT INTO t (...) VALUES (...) ON CONFLICT (key) DO UPDATE SET ... WHERE excluded.v > t.v",
			},
			Binding{
				Of: of, Name: "update", Where: whereHandler, do: statement(sim.VerbUpdate), Params: []Param{table, key}, Fields: "the columns to change", Result: "True, or False if there is no such row",
				Doc: "Changes columns of a row.", Stands: "UPDATE t SET ... WHERE key = ?",
			},
			Binding{
				Of: of, Name: "add", Where: whereHandler, do: statement(sim.VerbAdd), Params: []Param{table, key}, Fields: "the amounts, by column",
				Doc: "Adds amounts to columns of a row, which is made if there is none.", Stands: "INSERT INTO t (...) VALUES (...) ON CONFLICT (key) DO UPDATE SET n = n + excluded.n",
			},
			Binding{
				Of: of, Name: "delete", Where: whereHandler, do: statement(sim.VerbDelete), Params: []Param{table, key}, Result: "True, or False if there is no such row",
				Doc: "Removes a row.", Stands: "DELETE FROM t WHERE key = ?",
			},
			Binding{
				Of: of, Name: "get", Where: whereHandler, do: statement(sim.VerbGet), Params: []Param{table, key}, Result: "the row with its columns as attributes, or None",
				Doc: "Reads a row.", Stands: "SELECT * FROM t WHERE key = ?",
			},
			Binding{
				Of: of, Name: "exists", Where: whereHandler, do: statement(sim.VerbExists), Params: []Param{table}, Fields: "the columns to match; none: any row", Result: "True or False",
				Doc: "Asks whether a row has these values.", Stands: "SELECT EXISTS (SELECT 1 FROM t WHERE ...)",
			},
		)
	}
	return append(list,
		Binding{
			Of: kindTransaction, Name: "commit", Where: whereHandler, do: end(sim.VerbCommit),
			Doc: "Makes everything that the transaction wrote visible at once.", Stands: "COMMIT",
		},
		Binding{
			Of: kindTransaction, Name: "rollback", Where: whereHandler, do: end(sim.VerbRollback),
			Doc: "Undoes everything that the transaction wrote.", Stands: "ROLLBACK",
		},
	)
}

func begin(c *invocation) (starlark.Value, error) {
	db := c.receiver.(*party)
	if c.run.open[db.index] != nil {
		return nil, mistake("tx-open", db.name+" has an open transaction already, and a process has one connection to it", "Commit or roll back the first one before the second begins.")
	}
	if _, err := c.ask(sim.Call{Verb: sim.VerbBegin, Party: db.index, Table: -1}); err != nil {
		return nil, err
	}
	tx := &transaction{plain: plain{kindTransaction}, run: c.run, db: db.index}
	c.run.open[db.index] = tx
	return tx, nil
}

// askTx makes a call of a transaction and notes what its answer means for the
// handle. A lost answer is a lost connection, and with it goes the
// transaction, whatever became of it; the client library then answers gone by
// itself, and that is no step.
func (t *transaction) ask(c *invocation, call sim.Call) (sim.Answer, error) {
	if t.gone {
		return sim.Answer{Code: sim.Gone}, &outcomeError{code: sim.Gone}
	}
	a, err := c.ask(call)
	if a.Code == sim.Timeout || a.Code == sim.Gone {
		t.gone = true
		delete(t.run.open, t.db)
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

func end(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		tx := c.receiver.(*transaction)
		if err := tx.usable(); err != nil {
			return nil, err
		}
		if _, err := tx.ask(c, sim.Call{Verb: verb, Party: tx.db, Table: -1, InTx: true}); err != nil {
			return nil, err
		}
		tx.ended = map[sim.Verb]string{sim.VerbCommit: "committed", sim.VerbRollback: "rolled back"}[verb]
		delete(c.run.open, tx.db)
		return starlark.None, nil
	}
}

func statement(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		tx, inTx := c.receiver.(*transaction)
		db := int16(-1)
		if inTx {
			db = tx.db
			if err := tx.usable(); err != nil {
				return nil, err
			}
		} else {
			db = c.receiver.(*party).index
			if c.run.open[db] != nil {
				return nil, mistake("tx-open", c.receiver.(*party).name+" has an open transaction, and a process has one connection to it",
					"Say it through the transaction (tx."+verb.String()+"), or after its end.")
			}
		}
		call := sim.Call{Verb: verb, Party: db, InTx: inTx}
		if !c.fill(&call) {
			return nil, c.err
		}
		var a sim.Answer
		var err error
		if inTx {
			a, err = tx.ask(c, call)
		} else {
			a, err = c.ask(call)
		}
		if err != nil {
			return nil, err
		}
		return c.run.starlarkValue(a.Value), nil
	}
}

// fill reads table, key and columns of a statement.
func (c *invocation) fill(call *sim.Call) bool {
	db := &c.run.sc.Databases[call.Party]
	name := c.text("table", "")
	if c.err != nil {
		return false
	}
	index, names := -1, []string{}
	for i, t := range db.Tables {
		names = append(names, t.Name)
		if t.Name == name {
			index = i
		}
	}
	if index < 0 {
		next := db.Name + " has " + oneOf(quoted(names)) + "."
		if near := nearest(name, names); near != "" {
			next = "Did you mean \"" + near + "\"? " + next
		}
		c.wrong("table", "no-table", fmt.Sprintf("%s has no table %q", db.Name, name), next)
		return false
	}
	call.Table = int16(index)
	t := &db.Tables[index]
	switch call.Verb {
	case sim.VerbInsert, sim.VerbPut, sim.VerbPutNewer:
		c.fillRow(call, t)
	case sim.VerbExists:
		call.Body = c.record()
	default:
		c.fillByKey(call, t)
	}
	return c.err == nil
}

// fillRow reads a whole row; its key is one of the columns.
func (c *invocation) fillRow(call *sim.Call, t *sim.Table) {
	if t.Key == "" && call.Verb != sim.VerbInsert {
		c.wrong("table", "no-key", t.Name+" has no key that could say which row to replace", "Give the table a key, or use insert.")
		return
	}
	call.Body = c.record()
	if c.err != nil || t.Key == "" {
		return
	}
	if !c.versioned(call, t) {
		return
	}
	key, ok := c.table().Field(call.Body, t.Key)
	if !ok || key == sim.None {
		c.wrong(t.Key, "no-key", "the row has no "+t.Key+", which is the key of "+t.Name, "Add "+t.Key+" = ... to the call.")
		return
	}
	call.Key = key
}

// versioned insists on a version where a table has one: a whole number, so that
// newer means the same everywhere.
func (c *invocation) versioned(call *sim.Call, t *sim.Table) bool {
	if t.Version == "" {
		if call.Verb == sim.VerbPutNewer {
			c.wrong("table", "no-version", t.Name+" has no version that could be newer", "Declare it with counts = \"state\", version = \"v\".")
		}
		return c.err == nil
	}
	v, ok := c.table().Field(call.Body, t.Version)
	if !ok || c.table().Get(v).Kind != sim.KindInt {
		c.wrong(t.Version, "no-version", "the row has no whole number as "+t.Version+", which is the version of "+t.Name, "Add "+t.Version+" = ... to the call.")
	}
	return c.err == nil
}

// fillByKey reads a key and columns beside it.
func (c *invocation) fillByKey(call *sim.Call, t *sim.Table) {
	if t.Key == "" {
		c.wrong("table", "no-key", t.Name+" has no key that could say which row is meant", "Give the table a key, or use exists to ask for a row.")
		return
	}
	if c.value("key") == nil {
		c.wrong("key", "no-key", "the key is None", "Give the value of "+t.Key+".")
		return
	}
	call.Key = c.scalar("key", c.value("key"))
	if call.Verb == sim.VerbGet || call.Verb == sim.VerbDelete {
		return
	}
	if len(c.fields) == 0 {
		c.wrong("", "missing-argument", c.title()+" is given no column", c.usage())
	}
	for _, kw := range c.fields {
		name := string(kw[0].(starlark.String))
		if name == t.Key {
			c.wrong(name, "no-key", name+" is the key of "+t.Name+" and can't be changed", "Delete the row and insert another one.")
		}
		if _, isInt := kw[1].(starlark.Int); call.Verb == sim.VerbAdd && !isInt {
			c.wrong(name, "bad-value", fmt.Sprintf("add needs a number for %s, not %s", name, describe(kw[1])), "Use put or update to store other values.")
		}
	}
	call.Body = c.record()
}
