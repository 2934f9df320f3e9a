package web

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files and page/wire.js")

// golden compares with a file that a reviewer can read.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run go test ./web -update and read the change. Got:\n%s", file, got)
	}
}

// The page's half of wire.go is written from it, so the two can't drift
// apart: a renamed field is a failing test here and a failing type check
// there.
func TestWireTypes(t *testing.T) {
	var out strings.Builder
	out.WriteString("// The types of wire.go, which explains them. This file is written by\n//\n//\tgo test ./web -run TestWireTypes -update\n\n")
	for _, value := range []any{Request{}, Start{}, Command{}, Reply{}, Work{}, Progress{}, Found{}, WindowMap{}, MapHandler{}, Gap{}, GapFault{}, Way{}, Comparison{}, ComparedRow{}, Difference{}, WindowSide{}, Problem{}, Snapshot{}, Scenario{}, Process{}, Action{}, Step{},
		Budget{}, Diagram{}, Lane{}, Row{}, Arrow{}, Mark{}, Band{}, Queue{}, Group{}, Message{}, Table{}, TableRow{}, Mailbox{}, Mail{}, Intent{}, Verdict{}, Outage{}} {
		kind := reflect.TypeOf(value)
		fmt.Fprintf(&out, "/**\n * @typedef {object} %s\n", kind.Name())
		for i := range kind.NumField() {
			name, optional := fieldName(t, kind.Field(i))
			if optional {
				name = "[" + name + "]"
			}
			fmt.Fprintf(&out, " * @property {%s} %s\n", scriptType(t, kind.Field(i).Type, optional), name)
		}
		out.WriteString(" */\n\n")
	}
	out.WriteString("export {};\n")
	golden(t, "page/wire.js", out.String())
}

func fieldName(t *testing.T, field reflect.StructField) (name string, optional bool) {
	name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		t.Fatalf("%s has no name on the wire", field.Name)
	}
	return name, rest == "omitempty"
}

func scriptType(t *testing.T, kind reflect.Type, optional bool) string {
	switch kind.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "number"
	case reflect.Slice:
		return scriptType(t, kind.Elem(), true) + "[]"
	case reflect.Struct:
		return kind.Name()
	case reflect.Pointer:
		if optional { // left out rather than null
			return scriptType(t, kind.Elem(), true)
		}
		return scriptType(t, kind.Elem(), true) + " | null"
	}
	t.Fatalf("no type of the page for %v", kind)
	return ""
}

// The spelling on the wire, one file for each kind of message. A list is
// never null: the page walks over all of them.
func TestWireGolden(t *testing.T) {
	session := &toySession{book: &toyBook{}, name: "01-toy/toy.star"}
	for _, step := range []string{"publisher publish work-1", "deliver work-1 to worker1", "worker1 ack", "worker1 begin", "worker1 add", "worker1 commit lost-reply"} {
		if err := session.take(step); err != nil {
			t.Fatal(err)
		}
	}
	session.position = 5
	snapshot := session.Snapshot()
	snapshot.Scenario.Source = "def handle(delivery):\n    delivery.ack()\n"
	for name, value := range map[string]any{
		"hello": Request{Type: "hello", Sim: "toy", Seq: 1, Start: &Start{Scenario: "01-toy/toy.star", Steps: []string{"worker1 ack"}, Position: 1}},
		"do":    Request{Type: "do", Sim: "toy", Seq: 2, Command: &Command{Do: DoStep, Action: "worker1 ack"}},
		"state": Reply{Type: "state", Sim: "toy", Seq: 2, Snapshot: &snapshot},
		"work": Reply{Type: "work", Sim: "toy", Seq: -1, Work: &Work{Of: DoMap, State: "done", States: 42, Depth: 7, Map: &WindowMap{Handlers: []MapHandler{{
			Name: "handle", Processes: []string{"worker1"}, Gaps: []Gap{{Line: 2, Column: 5, Last: 2, Call: "ack", Text: "delivery.ack()",
				Faults: []GapFault{{Kind: "crash", Mark: "harmful", Ways: []Way{{Word: "lost", Steps: []string{"worker1 ack"}, Fits: true}}}}}}}}}}},
		"problem": Reply{Type: "problem", Sim: "toy", Seq: 1,
			Problem: &Problem{Code: "no_scenario", Message: "There is no such scenario.", Next: "Check the link.", File: "toy.star", Line: 3, Column: 7}},
	} {
		data, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "null") && strings.Contains(strings.ReplaceAll(string(data), `"lease": null`, ""), "null") {
			t.Errorf("%s has a null that is no lease", name)
		}
		golden(t, "testdata/wire/"+name+".json", string(data)+"\n")
	}
}
