package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// Statements about several rows, and the rows that stand from the start.

func rowsBindings() []Binding {
	table := Param{Name: "table", Type: "name of a table", Positional: true}
	order := Param{Name: "order", Type: "name of a column", Default: "None", Doc: "Whose order counts; None, and where it says nothing: the key's."}
	where := Param{Name: "where", Type: "dict", Default: "{}", Doc: "What the columns of a row must be: values, or not_(v), any_of(a, b), above(n), below(n), older(s), younger(s). None is a missing column too."}
	var list []Binding
	for _, of := range []string{kindTransaction, kindDatabase} {
		list = append(list,
			Binding{
				Of: of, Name: "select", Where: whereHandler, do: statement(sim.VerbSelect), Fields: "what the columns must be, as in where of change", Result: "a list of rows",
				Params: []Param{table, order, {Name: "limit", Type: "number of rows", Default: "0", Doc: "At most so many; 0: all."}, {Name: "below_open", Type: "yes/no", Default: "False", Doc: "Where a sequence hands out the keys: only rows whose number is below that of every row that an open transaction has inserted. xmin < pg_snapshot_xmin(pg_current_snapshot()) is how postgres says so."}},
				Doc:    "Reads the rows that match, in order.", Stands: "SELECT * FROM t WHERE ... ORDER BY ... LIMIT ?",
			},
			Binding{
				Of: of, Name: "count", Where: whereHandler, do: statement(sim.VerbCount), Params: []Param{table}, Fields: "what the columns must be, as in where of change", Result: "a number",
				Doc: "Counts the rows that match.", Stands: "SELECT count(*) FROM t WHERE ...",
			},
			Binding{
				Of: of, Name: "change", Where: whereHandler, do: statement(sim.VerbChange), Params: []Param{table, where}, Fields: "the columns to change", Result: "the number of rows changed",
				Doc: "Changes columns of all rows that match.", Stands: "UPDATE t SET ... WHERE ...",
			},
			Binding{
				Of: of, Name: "remove", Where: whereHandler, do: statement(sim.VerbRemove), Params: []Param{table}, Fields: "what the columns must be, as in where of change", Result: "the number of rows removed",
				Doc: "Removes all rows that match.", Stands: "DELETE FROM t WHERE ...",
			},
			Binding{
				Of: of, Name: "claim", Where: whereHandler, do: statement(sim.VerbClaim), Params: []Param{table, where, order}, Fields: "the columns to change", Result: "the row as it is now, or None",
				Doc:    "Finds the first row that matches and changes it in one step. It passes over rows that another open transaction has locked; with sqlite nobody else can have a row locked, and the claim waits for the file.",
				Stands: "UPDATE t SET ... WHERE key = (SELECT key FROM t WHERE ... ORDER BY ... LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING * (postgres); the same without FOR UPDATE (sqlite)",
			},
		)
	}
	return append(list, Binding{
		Name: "given", Where: whereTop, do: given, Fields: "the row",
		Doc: "A row that stands from the start. It is no effect.",
		Params: []Param{
			{Name: "store", Type: "database", Positional: true},
			table,
			{Name: "of", Type: "intent", Default: "None", Doc: "Whose work it is, for the observer."},
		},
	})
}

// fillRows reads what a statement about several rows says.
func (c *invocation) fillRows(call *sim.Call, t *sim.Table) {
	writes := call.Verb == sim.VerbChange || call.Verb == sim.VerbRemove || call.Verb == sim.VerbClaim
	if writes && t.Key == "" {
		c.wrong("table", "no-key", t.Name+" has no key by which a row could be locked and changed", "Give the table a key.")
		return
	}
	call.Order = c.column("order")
	if call.Verb == sim.VerbSelect {
		if c.flag("below_open", false) {
			if call.Mode = sim.ModeBelow; !t.Sequence {
				c.wrong("below_open", "numbered", t.Name+" has no sequence that numbers its rows", "Declare it with table(key = \"id\", sequence = True).")
			}
		}
		call.Limit = int32(c.count("limit", "rows", 0, 0, maxNumberOfRows))
	}
	if c.binding.param("where") == nil {
		c.terms = matchingTerms
		call.Where = c.record()
		return
	}
	call.Where = c.conditions("where")
	if len(c.fields) == 0 {
		c.wrong("", "missing-argument", c.title()+" is given no column to change", c.usage())
	}
	for _, kw := range c.fields {
		if name := string(kw[0].(starlark.String)); name == t.Key {
			c.wrong(name, "no-key", name+" is the key of "+t.Name+" and can't be changed", "Remove the row and insert another one.")
		}
	}
	c.terms = settingTerms
	call.Body = c.record()
}

// column reads the name of a column.
func (c *invocation) column(name string) sim.ValueID {
	if c.value(name) == nil {
		return sim.None
	}
	return c.table().Str(c.name(name, ""))
}

// conditions reads a dict of what columns must be.
func (c *invocation) conditions(name string) sim.ValueID {
	v := c.value(name)
	if v == nil {
		return c.table().Record(nil)
	}
	dict, ok := v.(*starlark.Dict)
	if !ok || dict.Len() > maxFields {
		c.wrong(name, "bad-type", fmt.Sprintf("%s of %s is a dict of at most %d columns, not %s", name, c.title(), maxFields, describe(v)), "Write "+name+" = {\"status\": \"open\"}.")
		return sim.None
	}
	c.terms = matchingTerms
	var fields []sim.Field
	for _, item := range dict.Items() {
		column, ok := item[0].(starlark.String)
		if !ok || !nameForm.MatchString(string(column)) {
			c.wrong(name, "bad-name", describe(item[0])+" can't be the name of a column", "A name is a small letter and then small letters, digits and _, at most 32 in all.")
			return sim.None
		}
		fields = append(fields, sim.Field{Name: string(column), Value: c.columnValue(string(column), item[1])})
	}
	return c.table().Record(fields)
}

// given adds a row that stands from the start.
func given(c *invocation) (starlark.Value, error) {
	l := c.load
	db, ok := c.value("store").(*party)
	if !ok || db.kind != kindDatabase {
		c.wrong("store", "bad-type", "a given row stands in a database, not in "+describe(c.value("store")), "Declare it first: store = database(\"store\", tables = {...}), then given(store, \"table\", id = 1).")
		return nil, c.err
	}
	call := sim.Call{Verb: sim.VerbInsert, Party: db.index, Table: -1}
	if !c.fill(&call) {
		return nil, c.err
	}
	row := sim.GivenRow{Database: int(db.index), Table: int(call.Table), Key: call.Key, Body: call.Body, Intent: -1}
	if v := c.value("of"); v != nil {
		in, ok := v.(*intentDecl)
		if !ok {
			c.wrong("of", "bad-type", "of says whose row this is, and "+describe(v)+" is no intent", "Write of = a name that intent(...) was assigned to, or leave it out.")
			return nil, c.err
		}
		row.Intent = in.index
		l.givenIntent[in.index] = true
	}
	for _, other := range l.sc.Given {
		if other.Database == row.Database && other.Table == row.Table && row.Key != sim.None && other.Key == row.Key {
			c.wrong("", "given-twice", "a row with the key "+l.sc.Values.Text(row.Key)+" is given already", "Give each row a key of its own.")
			return nil, c.err
		}
	}
	if len(l.sc.Given) >= maxGiven {
		c.wrong("", "limit-given", fmt.Sprintf("a scenario has at most %d given rows", maxGiven), "Two or three rows show what many would.")
		return nil, c.err
	}
	l.sc.Given = append(l.sc.Given, row)
	return starlark.None, nil
}
