package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// ValueID is the number under which a value stands in a Values table. Two
// values are equal exactly when their numbers in one table are.
type ValueID uint32

// The three values every table starts with.
const (
	None  ValueID = 0
	False ValueID = 1
	True  ValueID = 2
)

// ValueKind says which shape a value has.
type ValueKind uint8

// The kinds of values that a handler can be told or can say.
const (
	KindNone ValueKind = iota
	KindBool
	KindInt
	KindString
	KindRecord
	KindList
	KindTerm // what a statement says of a column instead of a value: plus(1), above(3)
)

// Value is one piece of data: a message body, a row, an argument. It is
// immutable once it stands in a table.
type Value struct {
	Kind   ValueKind
	Int    int64   // KindInt; KindBool: 0 or 1
	String string  // KindString; KindTerm: its name
	Fields []Field // KindRecord, sorted by name; KindList and KindTerm: the parts in order, without names
}

// Field is one named part of a record.
type Field struct {
	Name  string
	Value ValueID
}

// Values numbers values. A table belongs to one scenario and is not safe for
// concurrent use: all interning happens where the world is stepped.
//
// Invariant: the numbers are handed out in the order of first use and never
// change, so they may stand in a state; they never decide an order that a
// reader sees (Less compares contents).
type Values struct {
	ids   map[string]ValueID
	list  []Value
	bytes int64 // of all keys
}

// weight is about how many bytes the values take.
func (v *Values) weight() int64 { return 4*v.bytes + 150*int64(len(v.list)) }

// NewValues returns a table that holds None, False and True.
func NewValues() *Values {
	v := &Values{ids: map[string]ValueID{}}
	v.intern(Value{Kind: KindNone})
	v.intern(Value{Kind: KindBool})
	v.intern(Value{Kind: KindBool, Int: 1})
	return v
}

// Get returns the value with that number.
func (v *Values) Get(id ValueID) Value { return v.list[id] }

// Bool, Int, Str and Record return the number of a value, adding it if new.
func (v *Values) Bool(b bool) ValueID {
	if b {
		return True
	}
	return False
}

// Int returns the number of an integer.
func (v *Values) Int(n int64) ValueID { return v.intern(Value{Kind: KindInt, Int: n}) }

// Str returns the number of a string.
func (v *Values) Str(s string) ValueID { return v.intern(Value{Kind: KindString, String: s}) }

// Record returns the number of a record; the fields may come in any order.
func (v *Values) Record(fields []Field) ValueID {
	sorted := append([]Field(nil), fields...)
	for i := 1; i < len(sorted); i++ {
		for j := i; j > 0 && sorted[j].Name < sorted[j-1].Name; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	return v.intern(Value{Kind: KindRecord, Fields: sorted})
}

// List returns the number of a list.
func (v *Values) List(items []ValueID) ValueID {
	return v.intern(Value{Kind: KindList, Fields: unnamed(items)})
}

// Term returns the number of a term; matching.go lists them.
func (v *Values) Term(name string, parts ...ValueID) ValueID {
	return v.intern(Value{Kind: KindTerm, String: name, Fields: unnamed(parts)})
}

func unnamed(items []ValueID) []Field {
	fields := make([]Field, len(items))
	for i, item := range items {
		fields[i].Value = item
	}
	return fields
}

func (v *Values) intern(val Value) ValueID {
	key := encodeValue(val)
	if id, ok := v.ids[key]; ok {
		return id
	}
	v.bytes += int64(len(key))
	id := ValueID(len(v.list))
	v.ids[key] = id
	v.list = append(v.list, val)
	return id
}

func encodeValue(val Value) string {
	switch val.Kind {
	case KindNone:
		return "n"
	case KindBool:
		return "b" + strconv.FormatInt(val.Int, 10)
	case KindInt:
		return "i" + strconv.FormatInt(val.Int, 10)
	case KindString:
		return "s" + val.String
	case KindRecord, KindList, KindTerm:
		var b strings.Builder
		b.WriteByte("rlt"[val.Kind-KindRecord])
		fmt.Fprintf(&b, "%s:", val.String)
		for _, f := range val.Fields {
			fmt.Fprintf(&b, "%d:%s=%d;", len(f.Name), f.Name, f.Value)
		}
		return b.String()
	}
	panic(fmt.Sprintf("sim: value of unknown kind %d", val.Kind))
}

// Field returns a field of a record, and whether it is there.
func (v *Values) Field(id ValueID, name string) (ValueID, bool) {
	for _, f := range v.list[id].Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return None, false
}

// With returns a record that is id with one field set or added.
func (v *Values) With(id ValueID, name string, value ValueID) ValueID {
	old := v.list[id].Fields
	fields := make([]Field, 0, len(old)+1)
	for _, f := range old {
		if f.Name != name {
			fields = append(fields, f)
		}
	}
	return v.Record(append(fields, Field{Name: name, Value: value}))
}

// withParts returns a record, list or term like id, with these parts in the
// same order.
func (v *Values) withParts(id ValueID, parts []Field) ValueID {
	val := v.list[id]
	val.Fields = parts
	return v.intern(val)
}

// Less orders values by content: by kind, then by number, text or fields. It
// is the only order of values that may reach an output.
func (v *Values) Less(a, b ValueID) bool { return v.compare(a, b) < 0 }

func (v *Values) compare(a, b ValueID) int {
	if a == b {
		return 0
	}
	x, y := v.list[a], v.list[b]
	switch {
	case x.Kind != y.Kind:
		return int(x.Kind) - int(y.Kind)
	case x.Kind == KindString:
		return strings.Compare(x.String, y.String)
	case x.Kind < KindRecord:
		if x.Int < y.Int {
			return -1
		}
		return 1
	case x.String != y.String:
		return strings.Compare(x.String, y.String)
	}
	for i := 0; i < len(x.Fields) && i < len(y.Fields); i++ {
		if c := strings.Compare(x.Fields[i].Name, y.Fields[i].Name); c != 0 {
			return c
		}
		if c := v.compare(x.Fields[i].Value, y.Fields[i].Value); c != 0 {
			return c
		}
	}
	return len(x.Fields) - len(y.Fields)
}

// Text prints a value the way a handler would write it: 100, "work-1",
// True, {amount: 100, id: "work-1"}, [1, 2], plus(1).
func (v *Values) Text(id ValueID) string {
	val := v.list[id]
	switch val.Kind {
	case KindNone:
		return "None"
	case KindBool:
		if val.Int == 1 {
			return "True"
		}
		return "False"
	case KindInt:
		return strconv.FormatInt(val.Int, 10)
	case KindString:
		return strconv.Quote(val.String)
	}
	parts := make([]string, len(val.Fields))
	for i, f := range val.Fields {
		parts[i] = v.Text(f.Value)
		if val.Kind == KindRecord {
			parts[i] = f.Name + ": " + parts[i]
		}
	}
	text := strings.Join(parts, ", ")
	switch val.Kind {
	case KindList:
		return "[" + text + "]"
	case KindTerm:
		if val.String == TermAfter && text == "0" {
			return TermDue
		}
		return val.String + "(" + text + ")"
	}
	return "{" + text + "}"
}

// Plain prints a value for a name or a label: a string without quotes.
func (v *Values) Plain(id ValueID) string {
	if v.list[id].Kind == KindString {
		return v.list[id].String
	}
	return v.Text(id)
}
