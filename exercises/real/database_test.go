package real

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

func record(fields ...any) value {
	m := map[string]value{}
	for i := 0; i < len(fields); i += 2 {
		m[fields[i].(string)] = value{fields[i+1]}
	}
	return value{m}
}

// Values cross the pipe and stand in columns without becoming something else.
func TestValuesSurvive(t *testing.T) {
	vals := sim.NewValues()
	for _, id := range []sim.ValueID{sim.None, sim.True, sim.False, vals.Int(1), vals.Int(-1 << 53), vals.Int(1<<62 + 1), vals.Str(""), vals.Str("1"), vals.Str("true"),
		vals.Str("<\u2028\x00\"ü>"), vals.Record(nil), vals.Record([]sim.Field{{Name: "b", Value: sim.None}, {Name: "a", Value: vals.Int(1)}}),
		vals.List(nil), vals.List([]sim.ValueID{vals.Int(1), vals.Record(nil)})} {
		crossed, err := json.Marshal(outside(vals, id))
		if err != nil {
			t.Fatal(err)
		}
		var back value
		if err := json.Unmarshal(crossed, &back); err != nil {
			t.Fatal(err)
		}
		if got := inside(vals, back); got != id {
			t.Errorf("%s became %s on the way (%s)", vals.Text(id), vals.Text(got), crossed)
		}
		if k := vals.Get(id).Kind; k == sim.KindRecord || k == sim.KindList {
			continue // neither stands in a column
		}
		again, err := loaded(stored(back))
		if err != nil || inside(vals, again) != id {
			t.Errorf("%s became %v in a column, %v", vals.Text(id), again, err)
		}
	}
	for _, wrong := range []string{"1.5", "[1.5]", "99999999999999999999", `{"a": [1.5]}`, `[`} {
		if err := json.Unmarshal([]byte(wrong), &value{}); err == nil {
			t.Errorf("%s is a value", wrong)
		}
	}
}

// tables of the tests below.
var things = []tableSetup{{Name: "things", Key: "id", Columns: []string{"id", "a", "b"}}, {Name: "log", Columns: []string{"a"}}, {Name: "bare"}}

func twoConnections(t *testing.T) (one, other *file) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a file?#%20.sqlite") // names of folders are not ours to choose
	if err := makeFile(path, things); err != nil {
		t.Fatal(err)
	}
	open := func() *file {
		f, err := openFile(path, things)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.close() })
		return f
	}
	return open(), open()
}

func TestStatements(t *testing.T) {
	f, other := twoConnections(t)
	key := value{"k"}
	yes, no, nothing := &result{Code: "ok", Value: value{true}}, &result{Code: "ok", Value: value{false}}, &result{Code: "ok"}
	busy := &result{Busy: true}
	for i, c := range []struct {
		on   *file
		call call
		want *result
	}{
		{f, call{Verb: "insert", Key: key, Body: record("id", "k", "a", int64(1))}, yes},
		{f, call{Verb: "insert", Key: key, Body: record("id", "k", "a", int64(2))}, no},
		{f, call{Verb: "get", Key: key}, &result{Code: "ok", Value: record("id", "k", "a", int64(1))}},
		{f, call{Verb: "put", Key: key, Body: record("id", "k", "b", nil)}, nothing},
		{f, call{Verb: "get", Key: key}, &result{Code: "ok", Value: record("id", "k", "b", nil)}},
		{f, call{Verb: "exists", Body: record("b", nil)}, yes},
		{f, call{Verb: "exists", Body: record("a", nil)}, yes},
		{f, call{Verb: "exists", Body: record("a", term{"not_", []value{{}}})}, no},
		{f, call{Verb: "update", Key: key, Body: record("a", true)}, yes},
		{f, call{Verb: "update", Key: value{"j"}, Body: record("a", true)}, no},
		{f, call{Verb: "add", Key: key, Body: record("a", int64(2), "b", int64(3))}, nothing},
		{f, call{Verb: "get", Key: key}, &result{Code: "ok", Value: record("id", "k", "a", int64(3), "b", int64(3))}},
		{f, call{Verb: "get", Key: value{"j"}}, nothing},
		{f, call{Verb: "begin"}, nothing},
		{other, call{Verb: "begin"}, busy},
		{other, call{Verb: "insert", Key: value{int64(1)}, Body: record("id", int64(1))}, busy},
		{f, call{Verb: "insert", Key: value{"j"}, Body: record("id", "j")}, yes},
		{f, call{Verb: "delete", Key: key}, yes},
		{f, call{Verb: "delete", Key: key}, no},
		{other, call{Verb: "exists", Body: record("id", "k")}, yes},
		{other, call{Verb: "exists", Body: record("id", "j")}, no},
		{f, call{Verb: "commit"}, nothing},
		{other, call{Verb: "exists", Body: record("id", "k")}, no},
		{other, call{Verb: "begin"}, nothing},
		{other, call{Verb: "insert", Key: value{int64(1)}, Body: record("id", int64(1))}, yes},
		{other, call{Verb: "insert", Key: value{"1"}, Body: record("id", "1")}, yes},
		{other, call{Verb: "insert", Key: value{true}, Body: record("id", true)}, yes},
		{other, call{Verb: "rollback"}, nothing},
		{f, call{Verb: "exists", Body: record("id", "1")}, no},
		{f, call{Verb: "insert", Table: 1, Body: record("a", "x")}, yes},
		{f, call{Verb: "insert", Table: 1, Body: record("a", "x")}, yes},
		{f, call{Verb: "insert", Table: 2}, yes},
		{f, call{Verb: "exists", Table: 2}, yes},
	} {
		if got := c.on.do(&c.call); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d: %s gave %+v, want %+v", i, text(c.call), got, c.want)
		}
	}
}

// Statements about several rows do what they stand for.
func TestRows(t *testing.T) {
	f, _ := twoConnections(t)
	of := func(v any) *result { return &result{Code: "ok", Value: value{v}} }
	is := func(name string, parts ...any) term {
		list := make([]value, len(parts))
		for i, p := range parts {
			list[i] = value{p}
		}
		return term{name, list}
	}
	rows := func(list ...value) *result { return of(append([]value{}, list...)) }
	for _, id := range []any{"k", int64(2), int64(10), true} {
		f.do(&call{Verb: "insert", Key: value{id}, Body: record("id", id, "a", int64(1))})
	}
	for i, c := range []struct {
		call call
		want *result
	}{
		{call{Verb: "count"}, of(int64(4))},
		{call{Verb: "change", Where: record("id", is("any_of", "k", int64(2))), Body: record("a", is("plus", int64(4)))}, of(int64(2))},
		{call{Verb: "select", Where: record("a", is("above", int64(1))), Limit: 1}, rows(record("id", int64(2), "a", int64(5)))},
		{call{Verb: "select", Where: record("a", int64(1))}, rows(record("id", true, "a", int64(1)), record("id", int64(10), "a", int64(1)))},
		{call{Verb: "select", Where: record("a", int64(7))}, rows()},
		{call{Verb: "update", Key: value{"k"}, Body: record("b", is("minus", int64(1)), "a", nil)}, of(true)},
		{call{Verb: "count", Where: record("b", is("not_", int64(-1)))}, of(int64(3))},
		{call{Verb: "count", Where: record("b", nil)}, of(int64(3))},
		{call{Verb: "claim", Where: record("b", is("below", int64(0))), Order: value{"a"}, Body: record("b", is("plus", int64(3)))}, of(record("id", "k", "a", nil, "b", int64(2)).any)},
		{call{Verb: "claim", Where: record("b", is("below", int64(0))), Body: record("b", int64(0))}, of(nil)},
		{call{Verb: "put", Key: value{"k"}, Body: record("id", "k", "b", is("plus", int64(1)))}, of(nil)},
		{call{Verb: "put", Key: value{"j"}, Body: record("id", "j", "b", is("minus", int64(1)))}, of(nil)},
		{call{Verb: "select", Order: value{"b"}, Where: record("a", nil)}, rows(record("id", "j", "b", int64(-1)), record("id", "k", "b", int64(3)))},
		{call{Verb: "remove", Where: record("b", is("not_", nil))}, of(int64(2))},
		{call{Verb: "count"}, of(int64(3))},
	} {
		if got := f.do(&c.call); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d: %s gave %+v, want %+v", i, text(c.call), got, c.want)
		}
	}
}

// What a handler left open is rolled back with it.
func TestRollBack(t *testing.T) {
	f, other := twoConnections(t)
	f.do(&call{Verb: "begin"})
	f.do(&call{Verb: "insert", Key: value{"k"}, Body: record("id", "k")})
	f.rollBack()
	f.rollBack()
	if got := other.do(&call{Verb: "begin"}); got.Busy || got.Failure != "" {
		t.Errorf("the lock stayed: %+v", got)
	}
	if got := other.do(&call{Verb: "exists"}); got.Value.any != false {
		t.Errorf("the row stayed: %+v", got)
	}
}
