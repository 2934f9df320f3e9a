package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// The calls to databases. Every statement exists twice: on a transaction, and
// on the database itself, where it is a transaction of its own.

func databaseBindings() []Binding {
	list := transactionBindings()
	table := Param{Name: "table", Type: "name of a table", Positional: true}
	conflict := Param{Name: "conflict", Type: "text", Default: "\"ignore\"", Doc: "error: a key that stands already is the outcome \"conflict\", and with postgres the end of the transaction."}
	lock := Param{Name: "lock", Type: "yes/no", Default: "False", Doc: "With postgres: lock the row until the transaction ends."}
	key := Param{Name: "key", Type: "scalar", Positional: true, Doc: "The value of the table's key column."}
	for _, of := range []string{kindTransaction, kindDatabase} {
		list = append(list,
			Binding{
				Of: of, Name: "insert", Where: whereHandler, do: statement(sim.VerbInsert), Params: []Param{table, conflict}, Fields: "the row", Result: "True, or False if the key stands already; the number where a sequence hands out the keys",
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
	for i := range list {
		if list[i].Of == kindTransaction && list[i].Name == "get" {
			list[i].Params = append(list[i].Params, lock)
			list[i].Stands += " [FOR UPDATE]"
		}
	}
	return append(append(list, endBindings()...), sessionLockBindings()...)
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
		if inTx && tx.fails {
			call.Mode = sim.ModeAborted
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
	db := &c.scenario().Databases[call.Party]
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
	c.asked = t
	switch call.Verb {
	case sim.VerbInsert, sim.VerbPut, sim.VerbPutNewer:
		if call.Verb == sim.VerbPut {
			c.terms = settingTerms
		}
		c.fillRow(call, t)
		if call.Verb == sim.VerbInsert && c.choice("conflict", 0, "ignore", "error") == 1 && t.Key != "" {
			call.Mode = sim.ModeStrict
		}
	case sim.VerbExists:
		c.terms = matchingTerms
		call.Body = c.record()
	case sim.VerbSelect, sim.VerbCount, sim.VerbChange, sim.VerbRemove, sim.VerbClaim:
		c.fillRows(call, t)
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
	if c.terms == noTerms {
		c.terms = stampingTerms
	}
	call.Body = c.record()
	if c.err != nil || t.Key == "" {
		return
	}
	if !c.versioned(call, t) {
		return
	}
	if t.Sequence {
		c.fillNumbered(call, t)
		return
	}
	key, ok := c.table().Field(call.Body, t.Key)
	if !ok || key == sim.None || c.table().Get(key).Kind == sim.KindTerm {
		c.wrong(t.Key, "no-key", "the row has no "+t.Key+", which is the key of "+t.Name, "Add "+t.Key+" = ... to the call.")
		return
	}
	call.Key = key
}

// fillNumbered reads a row whose key the sequence hands out. A given row may
// say which number it has.
func (c *invocation) fillNumbered(call *sim.Call, t *sim.Table) {
	key, says := c.table().Field(call.Body, t.Key)
	switch {
	case call.Verb != sim.VerbInsert:
		c.wrong("table", "numbered", "the sequence of "+t.Name+" hands out its keys, so "+call.Verb.String()+" can't say which row is meant", "Use insert for a new row, and update or change for one that stands.")
	case says && c.load == nil:
		c.wrong(t.Key, "numbered", "the sequence of "+t.Name+" hands out its keys", "Leave "+t.Key+" out; insert returns the number.")
	case says && (c.table().Get(key).Kind != sim.KindInt || c.table().Get(key).Int < 1):
		c.wrong(t.Key, "numbered", "the keys of "+t.Name+" are numbers from 1", "Leave "+t.Key+" out, or write a number like 1.")
	case says:
		call.Key = key
	case c.load != nil:
		last := int64(0)
		for _, r := range c.load.sc.Given {
			if r.Database == int(call.Party) && r.Table == int(call.Table) {
				last = max(last, c.table().Get(r.Key).Int)
			}
		}
		call.Key = c.table().Int(last + 1)
		call.Body = c.table().With(call.Body, t.Key, call.Key)
	}
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
	if t.Sequence && call.Verb == sim.VerbAdd {
		c.fillNumbered(call, t)
		return
	}
	if call.Verb == sim.VerbGet && call.InTx && c.flag("lock", false) {
		call.Mode = sim.ModeLock
		if db := &c.run.sc.Databases[call.Party]; db.Isolation == sim.SingleWriter {
			c.wrong("lock", "other-database", db.Name+" is a SQLite file, which has no locks on rows", "Begin the transaction with store.begin(): it is the only writer then.")
		}
	}
	if call.Verb == sim.VerbGet || call.Verb == sim.VerbDelete {
		return
	}
	if call.Verb == sim.VerbUpdate {
		c.terms = settingTerms
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
