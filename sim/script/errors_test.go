package script

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// TestErrors loads the scenarios under testdata/errors, several per file with
// "---" between them, and runs their handlers. The offending line ends with
// the error that it must give, "# error: code: words of the message"; an error
// that has no line stands as "# error in file: code: words".
func TestErrors(t *testing.T) {
	seen := map[string]bool{}
	paths, err := filepath.Glob("testdata/errors/*.star")
	if err != nil || len(paths) == 0 {
		t.Fatal("no error tests", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for _, chunk := range strings.Split(string(text), "---\n") {
			checkErrors(t, fmt.Sprintf("%s:%d", filepath.Base(path), line), chunk, seen)
			line += strings.Count(chunk, "\n") + 1
		}
	}
	checkFileErrors(t, seen)
	for _, code := range codesInSource(t) {
		if !seen[code] {
			t.Errorf("no error test gives the code %s", code)
		}
	}
}

// checkFileErrors are those that no readable test file can give.
func checkFileErrors(t *testing.T, seen map[string]bool) {
	for code, src := range map[string]string{
		"limit-source": strings.Repeat("# too long\n", maxSource/10),
		"not-utf8":     "x = '\xff'\n",
		"not-text":     "x = 1\x00\n",

		"limit-nesting": "x = 1" + strings.Repeat("+1", 30_000) + "\n",
	} {
		if got := firstMistake(src); got == nil || got.Code != code || got.Next == "" {
			t.Errorf("got %v, want %s", got, code)
		}
		seen[code] = true
	}
	seen["limit-nodes"] = true // TestFullStore
}

var wanted = regexp.MustCompile(`# error( in file)?: ([a-z0-9-]+): (.*)$`)

func checkErrors(t *testing.T, name, chunk string, seen map[string]bool) {
	var want []string
	var wantLine int
	for i, line := range strings.Split(chunk, "\n") {
		if m := wanted.FindStringSubmatch(line); m != nil {
			want, wantLine = m, i+1
			if m[1] != "" {
				wantLine = 0
			}
		}
	}
	if want == nil {
		t.Errorf("%s: no error is expected", name)
		return
	}
	got := firstMistake(chunk)
	switch {
	case got == nil:
		t.Errorf("%s: no error, want %s", name, want[0])
	case got.Line != wantLine || got.Code != want[2] || !strings.Contains(got.Message, want[3]):
		t.Errorf("%s: error in line %d with code %s:\n%v\nwant line %d, %s: %s", name, got.Line, got.Code, got, wantLine, want[2], want[3])
	case got.Message == "" || got.Next == "" || got.File != "scenario.star" || (got.Line > 0 && got.Col < 1):
		t.Errorf("%s: an incomplete error: %#v", name, got)
	default:
		seen[got.Code] = true
	}
}

// firstMistake loads a scenario, or else looks through its handlers.
func firstMistake(src string) *Error {
	s, err := Load("scenario.star", []byte(src))
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			panic(err)
		}
		return e
	}
	var found *Error
	eachInput(s, func(h sim.HandlerID, in sim.Input) {
		reach(s, s.Program.Start(h, in), 500, func(n sim.Node) {
			if e := s.Mistake(&sim.MistakeError{Node: n}); e != nil && found == nil {
				found = e
			}
		})
	})
	return found
}

// eachInput gives every handler every intent as a request or as a delivery.
func eachInput(s *Scenario, do func(h sim.HandlerID, in sim.Input)) {
	for h := range s.handlers {
		for _, in := range s.Intents {
			do(sim.HandlerID(h), sim.Input{Op: in.Op, Body: in.Body})
		}
	}
}

// reach visits the nodes behind one, with a few answers where any can come.
func reach(s *Scenario, root sim.Node, most int, visit func(sim.Node)) {
	seen := map[sim.Node]bool{root: true}
	for todo := []sim.Node{root}; len(todo) > 0 && most > 0; most-- {
		n := todo[0]
		todo = todo[1:]
		visit(n)
		call := s.Program.Call(n)
		if call.Ends() {
			continue
		}
		answers, finite := sim.PossibleAnswers(s.Scenario, call)
		if !finite {
			answers = sampleAnswers(s, call)
		}
		for _, a := range answers {
			if next := s.Program.Next(n, a); !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
}

func sampleAnswers(s *Scenario, call *sim.Call) []sim.Answer {
	if call.Verb == sim.VerbFreshID {
		return []sim.Answer{{Value: s.Values.Str("id-1")}}
	}
	switch call.Verb {
	case sim.VerbRecall:
		return []sim.Answer{{}, {Value: s.Values.Int(2)}}
	case sim.VerbSelect:
		return []sim.Answer{{Value: s.Values.List(nil)}, {Value: s.Values.List([]sim.ValueID{recordOf(s, []string{"id=a", "n=1"})})}, {Code: sim.Timeout}}
	case sim.VerbCount, sim.VerbChange, sim.VerbRemove:
		return []sim.Answer{{Value: s.Values.Int(0)}, {Value: s.Values.Int(2)}, {Code: sim.Timeout}}
	}
	return []sim.Answer{{}, {Value: recordOf(s, []string{"id=a", "n=1"})}, {Code: sim.Timeout}}
}

// codesInSource finds the codes of all errors in this package's source.
func codesInSource(t *testing.T) []string {
	code := regexp.MustCompile(`(?:mistake\(|found\(|wrong\([a-zA-Z.]+, |wrong\("[a-z_]*", |whole\(name, )"([a-z0-9-]+)"`)
	var codes []string
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			codes = append(codes, m[1])
		}
	}
	if len(codes) < 40 {
		t.Fatalf("only %d codes found: the pattern no longer fits the source", len(codes))
	}
	return codes
}
