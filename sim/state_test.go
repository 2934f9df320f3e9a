package sim

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// samples are contents with something in every list, so that each field of
// each part can be changed.
func samples() []content {
	w := write{verb: VerbInsert, table: 1, key: 2, body: 3, label: 1}
	return []content{
		&process{node: 1, next: 2, label: 1, sources: []labelID{1}, held: []delivered{{id: messageID{3, 1}}}, buffer: []delivered{{id: messageID{3, 1}}}, timer: 4, fresh: []ValueID{5},
			txs: []transaction{{db: 0, writes: []write{w}, saves: []savepoint{{1}}, old: []oldTable{{1, 2}}, changed: []rowKey{{1, 2}}, said: []said{{1, OK, 2}}}}, awaited: []confirm{{queue: 1, nth: 1}}, memory: []memory{{1, 2, 3}}, heard: []heard{{1, 2, 3, 4}}},
		&queue{messages: []message{{id: messageID{3, 1}, body: 4, label: 1, holder: 1, last: 2, lease: 5, count: 6, idle: 7, record: recordState{key: 1, tx: 2, left: 3}}},
			known: []knownID{{1, 2}}, gone: []message{{id: messageID{3, 1}}}},
		&journal{base: []uint32{1}, txs: []producer{{owner: 1, left: 2, offsets: []txOffset{{1, 2, 3, 4}}}},
			groups: []groupState{{committed: []int32{1}, position: []int32{2}, owner: []uint8{1}, members: []member{{session: 1, poll: 2, has: []taken{{1, 2}}}}}}},
		&locks{writer: 1, keys: []lockedKey{{1, 2, 3, 4, false}}, named: []namedLock{{1, 2, 3}}, base: []uint32{1}, past: []past{{false, []said{{1, OK, 2}}, []write{w}}}},
		&table{rows: []row{{1, 2, 3, 4, 5}}},
		&mailbox{mails: []mail{{1, 2, 3}}, keys: []knownKey{{key: 1, to: 2, body: 3, ref: 4, left: 5}}, refs: []knownRef{{ref: 1, left: 2}}},
		&budget{total: 3},
		&wire{late: []lateRequest{{1, 2, 3}}},
		&downs{list: []outageLeft{{true, 3}}},
		&copies{list: []databaseCopy{{1, []uint32{2}}}},
		&front{timer: 1, asleep: true, watch: 2, runs: []run{{3, false}}, acts: 1,
			next: 1, held: 2, callers: []caller{{1, 2, pausing, 3}}, serving: []uint8{1}},
		&ghost{intents: []intentGhost{{promised: true, told: toldAccepted, effects: []uint8{1, 0}}}},
	}
}

// A field that can influence behaviour and does not stand in the encoding would
// make two different states one. So each field of each content is changed, one
// at a time, and the encoding must follow.
func TestEveryFieldIsIdentity(t *testing.T) {
	for i := range samples() {
		n := 0
		for leaf := 0; ; leaf++ {
			base, changed := samples()[i], samples()[i]
			path, more := touch(reflect.ValueOf(changed).Elem(), leaf)
			if !more {
				break
			}
			n++
			if string(base.encode(nil)) == string(changed.encode(nil)) {
				t.Errorf("%T: changing %s does not change the encoding", base, path)
			}
		}
		if n == 0 {
			t.Errorf("%T has no field to change", samples()[i])
		}
	}
}

// touch changes leaf number n of a value, counted depth first, and names it.
func touch(v reflect.Value, n int) (path string, found bool) {
	count := 0
	var walk func(v reflect.Value, at string) bool
	walk = func(v reflect.Value, at string) bool {
		v = writable(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if walk(v.Field(i), at+"."+v.Type().Field(i).Name) {
					return true
				}
			}
			return false
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				if walk(v.Index(i), fmt.Sprintf("%s[%d]", at, i)) {
					return true
				}
			}
			return false
		}
		if count++; count-1 != n {
			return false
		}
		path = at
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int64, reflect.Int32:
			v.SetInt(v.Int() + 1)
		default:
			v.SetUint(v.Uint() + 1)
		}
		return true
	}
	return path, walk(v, "")
}

// writable lets a test change an unexported field.
func writable(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// One store holds what all slots of a kind hold, whatever their shapes: jobs and
// services, logs of one partition and of three. So lists of different lengths
// must not run into each other, nor one field into the next: of contents that
// are filled at random with small numbers, no two may have one encoding.
func TestEncodingsAreUnambiguous(t *testing.T) {
	for _, sample := range samples() {
		rng := rand.New(rand.NewPCG(1, 2))
		seen := map[string]string{}
		for range 20_000 {
			c := reflect.New(reflect.TypeOf(sample).Elem())
			fill(rng, c.Elem())
			key, text := string(c.Interface().(content).encode(nil)), fmt.Sprintf("%+v", c.Elem())
			if old, known := seen[key]; known && old != text {
				t.Errorf("one encoding:\n%s\n%s", old, text)
				break
			}
			seen[key] = text
		}
	}
}

// fill puts small numbers and short lists into a value. Most fields stay empty,
// so that contents differ in few of them.
func fill(rng *rand.Rand, v reflect.Value) {
	v = writable(v)
	if rng.IntN(3) > 0 && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rng, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rng.IntN(3), 2))
		for i := range v.Len() {
			fill(rng, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(rng, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64, reflect.Int32:
		v.SetInt(int64(rng.IntN(3)))
	default:
		v.SetUint(uint64(rng.IntN(3)))
	}
}
