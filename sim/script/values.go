package script

import (
	"fmt"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// scalar turns a Starlark value into data of the world. Only scalars travel:
// a list in a message or a row would need rules of comparison that no table
// and no broker has.
func (c *invocation) scalar(name string, v starlark.Value) sim.ValueID {
	vals := c.table()
	switch v := v.(type) {
	case starlark.NoneType:
		return sim.None
	case starlark.Bool:
		return vals.Bool(bool(v))
	case starlark.Int:
		n, ok := v.Int64()
		if !ok || n > maxNumber || n < -maxNumber {
			c.wrong(name, "bad-value", fmt.Sprintf("%s is %s, which is too large", name, shorten(v.String())), "Numbers go up to 2^53 on both sides of zero.")
			return sim.None
		}
		return vals.Int(n)
	case starlark.String:
		if len(v) > maxText || !utf8.ValidString(string(v)) {
			c.wrong(name, "bad-value", name+" is a text that is too long or not UTF-8", fmt.Sprintf("A text has at most %d bytes.", maxText))
			return sim.None
		}
		return vals.Str(string(v))
	}
	c.wrong(name, "bad-value", fmt.Sprintf("%s is %s, and only None, True, False, whole numbers and texts can be stored or sent", name, describe(v)),
		"Give the parts one by one, each under its own name.")
	return sim.None
}

// table returns the numbering of values of the scenario at work.
func (c *invocation) table() *sim.Values { return c.scenario().Values }

// scenario returns the scenario at work.
func (c *invocation) scenario() *Scenario {
	if c.load != nil {
		return c.load.sc
	}
	return c.run.sc
}

// record makes a record of the call's named values.
func (c *invocation) record(extra ...sim.Field) sim.ValueID {
	if len(c.fields) > maxFields {
		c.wrong("", "limit-fields", fmt.Sprintf("%s is given %d named values, at most %d", c.title(), len(c.fields), maxFields), "Leave some out.")
		return sim.None
	}
	fields := extra
	for _, kw := range c.fields {
		name := string(kw[0].(starlark.String))
		if !nameForm.MatchString(name) {
			c.wrong(name, "bad-name", fmt.Sprintf("%q can't be a name", name), "A name is a small letter and then small letters, digits and _, at most 32 in all.")
		}
		fields = append(fields, sim.Field{Name: name, Value: c.columnValue(name, kw[1])})
	}
	return c.table().Record(fields)
}

// reservedInBody are the names that a request or a delivery has already, or
// will have.
var reservedInBody = map[string]bool{"id": true, "op": true, "ack": true, "nack": true, "reject": true, "attempt": true, "extend": true, "confirm": true,
	"redelivered": true}

// body is record for messages, which handlers read through op.name and
// delivery.name.
func (c *invocation) body() sim.ValueID {
	for _, kw := range c.fields {
		if name := string(kw[0].(starlark.String)); reservedInBody[name] {
			c.wrong(name, "bad-name", name+" is a name that every request or delivery has already", "Use another name in the body.")
		}
	}
	return c.record()
}

// starlarkValue shows data of the world to a handler. A record is a row, and
// with each row the handler is told whose it is: it must be shown once.
func (r *run) starlarkValue(id sim.ValueID) starlark.Value {
	v := r.sc.Values.Get(id)
	switch v.Kind {
	case sim.KindBool:
		return starlark.Bool(v.Int == 1)
	case sim.KindInt:
		return starlark.MakeInt64(v.Int)
	case sim.KindString:
		return starlark.String(v.String)
	case sim.KindRecord:
		r.heard++
		return &row{run: r, id: id, source: r.heard}
	case sim.KindList:
		items := make([]starlark.Value, len(v.Fields))
		for i, f := range v.Fields {
			items[i] = r.starlarkValue(f.Value)
		}
		list := starlark.NewList(items)
		list.Freeze()
		return list
	}
	return starlark.None
}

// plain is what every value of ours has in common: it is frozen from the start
// and can't be a key of a dict.
type plain struct{ kind string }

func (p plain) Type() string          { return p.kind }
func (p plain) String() string        { return "<" + p.kind + ">" }
func (p plain) Freeze()               {}
func (p plain) Truth() starlark.Bool  { return starlark.True }
func (p plain) Hash() (uint32, error) { return 0, fmt.Errorf("a %s can't be a key", p.kind) }

// field reads a named part of a record for row, request and delivery.
func (r *run) field(kind string, record sim.ValueID, name string) (starlark.Value, error) {
	if id, ok := r.sc.Values.Field(record, name); ok {
		return r.starlarkValue(id), nil
	}
	names := r.fieldNames(record)
	switch kind {
	case kindRequest:
		names = append([]string{"id"}, names...)
	case kindDelivery:
		names = append(append([]string{"op"}, names...), r.deliveryNames()...)
	}
	next := "It has " + oneOf(names) + "."
	if near := nearest(name, names); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return nil, mistake("no-such-name", "this "+kind+" has nothing called "+name, next)
}

func (r *run) fieldNames(record sim.ValueID) []string {
	var names []string
	for _, f := range r.sc.Values.Get(record).Fields {
		names = append(names, f.Name)
	}
	return names
}

// row is what get returns.
type row struct {
	run    *run
	id     sim.ValueID
	source int16 // which of the things with a label it is that the handler has been told
}

func (*row) Type() string          { return "row" }
func (w *row) String() string      { return w.run.sc.Values.Text(w.id) }
func (*row) Freeze()               {}
func (*row) Truth() starlark.Bool  { return starlark.True }
func (*row) Hash() (uint32, error) { return 0, fmt.Errorf("a row can't be a key") }

func (w *row) Attr(name string) (starlark.Value, error) { return w.run.field("row", w.id, name) }
func (w *row) AttrNames() []string                      { return w.run.fieldNames(w.id) }

// result is what attempt returns.
type result struct {
	plain
	value starlark.Value
	code  sim.Code
}

func (t *result) Attr(name string) (starlark.Value, error) {
	switch name {
	case "ok":
		return starlark.Bool(t.code == sim.OK), nil
	case "value":
		return t.value, nil
	case "error":
		if t.code == sim.OK {
			return starlark.None, nil
		}
		return starlark.String(t.code.String()), nil
	}
	return nil, mistake("no-such-name", "a result has nothing called "+name, "It has ok, value or error.")
}

func (t *result) AttrNames() []string { return []string{"error", "ok", "value"} }
