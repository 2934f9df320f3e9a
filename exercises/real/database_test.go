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
		vals.Str("<\u2028\x00\"ü>"), vals.Record(nil), vals.Record([]sim.Field{{Name: "b", Value: sim.None}, {Name: "a", Value: vals.Int(1)}})} {
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
		if vals.Get(id).Kind == sim.KindRecord {
			continue
		}
		again, err := loaded(stored(back))
		if err != nil || inside(vals, again) != id {
			t.Errorf("%s became %v in a column, %v", vals.Text(id), again, err)
		}
	}
	for _, wrong := range []string{"1.5", "[1]", "99999999999999999999", `{"a": [1]}`} {
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
		{f, call{Verb: "exists", Body: record("a", nil)}, no},
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
