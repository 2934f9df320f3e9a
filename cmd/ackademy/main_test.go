package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/exercises/real"
	"github.com/ackademy/ackademy/sim/picture"
)

func TestMain(m *testing.M) {
	real.WorkerMain() // real runs start this test's own binary
	os.Exit(m.Run())
}

// TestCommands runs command lines and compares everything they print, with
// their exit status. A test is a command line, then standard input:
//
//	ackademy
//	run testdata/ack_first.star --schedule -
//	publisher publish work-1
//	----
func TestCommands(t *testing.T) {
	datadriven.Walk(t, "testdata/commands", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			line, stdin, _ := strings.Cut(d.Input, "\n")
			out, complaints, status := ackademy(t, stdin, arguments(line)...)
			text := out
			if complaints != "" {
				text += "-- standard error --\n" + complaints
			}
			return text + fmt.Sprintf("-- status %d --\n", status)
		})
	})
}

// ackademy runs the program.
func ackademy(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, complaints bytes.Buffer
	status = Main(context.Background(), args, strings.NewReader(stdin), &out, &complaints)
	return out.String(), complaints.String(), status
}

// arguments splits a line as a shell would, as far as these tests need it.
func arguments(line string) []string {
	var list []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// TestEmptyFolder and other input that a repository can't hold.
func TestWrongFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty := filepath.Join(folder, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(folder, "nowhere.star")
	if err := os.Symlink("gone", nowhere); err != nil {
		t.Logf("no links here: %v", err) // Windows lets only some users make them
	} else if _, complaints, _ := ackademy(t, "", "check", nowhere); !strings.Contains(complaints, "this link leads nowhere [no-file]") {
		t.Errorf("a link that leads nowhere: %s", complaints)
	}
	for _, test := range []struct{ code, path string }{
		{"no-scenario", empty},
		{"no-file", filepath.Join(folder, "missing.star")},
		{"not-utf8", write("latin.star", "# \xe9\n")},
		{"not-text", write("zero.star", "a\x00b")},
		{"limit-source", write("long.star", strings.Repeat("#\n", 1<<20))},
		{"no-process", write("nothing.star", "")},
	} {
		for _, command := range []string{"check", "run"} {
			_, complaints, status := ackademy(t, "", command, test.path)
			if command == "run" && test.code == "no-scenario" {
				test.code = "is-folder"
			}
			if status != exitInput || !strings.Contains(complaints, "["+test.code+"]") {
				t.Errorf("%s %s: status %d, %s", command, test.path, status, complaints)
			}
		}
	}
	schedule := write("schedule.txt", "# one step\nv1\npublisher publish work-1\n")
	if out, _, status := ackademy(t, "", "run", "testdata/ack_first.star", "--schedule", "@"+schedule, "--stop"); status != exitGood || !strings.Contains(out, "publish work-1") {
		t.Errorf("schedule from a file: %d %s", status, out)
	}
}

// Marks that editors leave in texts change nothing: neither the answer nor the
// places that errors name.
func TestEditorsMarks(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain, err := os.ReadFile("testdata/ack_first.star")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(plain), "\r\n", "\n") // as it may come out of a checkout
	want, _, _ := ackademy(t, "", "check", write("a.star", text))
	for _, test := range []struct{ name, text string }{
		{"bom", "\ufeff" + text}, {"crlf", strings.ReplaceAll(text, "\n", "\r\n")}, {"both", "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")},
	} {
		if got, complaints, _ := ackademy(t, "", "check", write("a.star", test.text)); got != want || complaints != "" {
			t.Errorf("%s: %s%s", test.name, got, complaints)
		}
	}
	wrong := write("wrong.star", "\ufeffqueue(1)\r\n")
	if _, complaints, _ := ackademy(t, "", "check", wrong); !strings.HasPrefix(complaints, wrong+":1:") {
		t.Errorf("a mistake behind a mark: %s", complaints)
	}

	steps := write("run.txt", "\ufeffv1\r\n\r\npublisher publish work-1\r\n")
	if out, complaints, status := ackademy(t, "", "run", "testdata/ack_first.star", "--stop", "--schedule", "@"+steps); status != exitGood || !strings.Contains(out, "publish work-1") {
		t.Errorf("a schedule with marks: %d %s%s", status, out, complaints)
	}
	newer := write("newer.txt", "# a remark\nv9\n")
	if _, complaints, _ := ackademy(t, "", "run", "testdata/ack_first.star", "--schedule", "@"+newer); !strings.HasPrefix(complaints, newer+":2: ") {
		t.Errorf("a mistake in a schedule file: %s", complaints)
	}
	if _, complaints, _ := ackademy(t, "", "run", "testdata/ack_first.star", "--schedule", steps); !strings.Contains(complaints, "--schedule @") {
		t.Errorf("a schedule file without @: %s", complaints)
	}
}

// What a search cost is in the JSON form where it is asked for, of a file and
// of each block.
func TestStatsJSON(t *testing.T) {
	type stats struct {
		Seconds  float64 `json:"seconds"`
		Judging  float64 `json:"judging_seconds"`
		Rate     float64 `json:"states_per_second"`
		Bytes    int64   `json:"bytes"`
		PerState int64   `json:"bytes_per_state"`
		Depth    int     `json:"depth"`
	}
	for _, file := range []string{"testdata/ack_first.star", "testdata/blocks.star"} {
		for _, asked := range []bool{true, false} {
			args := []string{"check", "--json", file}
			if asked {
				args = append(args, "--stats")
			}
			out, _, _ := ackademy(t, "", args...)
			var got struct {
				Stats  *stats
				Blocks []struct{ Stats *stats }
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			all := []*stats{got.Stats}
			for _, b := range got.Blocks {
				all = append(all, b.Stats)
			}
			for _, s := range all {
				if (s != nil) != asked || asked && (s.Seconds <= 0 || s.Rate <= 0 || s.Bytes <= 0 || s.PerState <= 0 || s.Depth <= 0 || s.Judging > s.Seconds) {
					t.Errorf("%v: %+v", args, s)
				}
			}
		}
	}
}

// TestFolders: every .star below a folder is checked, hidden folders aside,
// and the worst status wins.
func TestFolders(t *testing.T) {
	folder := t.TempDir()
	for to, from := range map[string]string{"b/good.star": "one_transaction", "a/bad.star": "ack_first", ".git/broken.star": "broken", "notes.md": "circle", "a/program": "mistake"} {
		text, err := os.ReadFile("testdata/" + from + ".star")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, complaints, status := ackademy(t, "", "check", folder)
	if status != exitBad || complaints != "" || !strings.Contains(out, "2 files: 1 holds, 1 violated") {
		t.Errorf("status %d\n%s%s", status, out, complaints)
	}
	if strings.Index(out, "bad.star") > strings.Index(out, "good.star") {
		t.Error("files are not in the order of their names")
	}
}

func TestWorst(t *testing.T) {
	order := []int{exitGood, exitUndecided, exitBad, exitInput, exitOurFault}
	for i, a := range order {
		for j, b := range order {
			if got := worse(a, b); got != order[max(i, j)] {
				t.Errorf("worse(%d, %d) = %d", a, b, got)
			}
		}
	}
}

// TestCancelled: an interrupted search claims nothing.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, complaints bytes.Buffer
	status := Main(ctx, []string{"check", "testdata/one_transaction.star"}, strings.NewReader(""), &out, &complaints)
	if status != exitUndecided || !strings.Contains(out.String(), "Cancelled") {
		t.Errorf("status %d\n%s%s", status, out.String(), complaints.String())
	}
	if strings.Contains(out.String(), "holds") {
		t.Errorf("a cancelled search says that something holds:\n%s", out.String())
	}
}

// panics is an input that fails as only a mistake of ours could.
type panics struct{}

func (panics) Read([]byte) (int, error) { panic("broken invariant") }

func TestOurFault(t *testing.T) {
	var out, complaints bytes.Buffer
	status := Main(context.Background(), []string{"run", "testdata/ack_first.star", "--schedule", "-"}, panics{}, &out, &complaints)
	if status != exitOurFault {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{"our fault", "broken invariant", "report"} {
		if !strings.Contains(complaints.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, complaints.String())
		}
	}
}

// full is an output that takes nothing, like that of a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestUnwrittenOutput: a report that nobody can read must not end with the
// status of a good one, and is no fault of ours.
func TestUnwrittenOutput(t *testing.T) {
	for _, line := range []string{"check testdata/one_transaction.star", "check --json testdata/one_transaction.star", "windows testdata/ack_first.star",
		"run testdata/ack_first.star", "language", "profile", "grade", "help"} {
		var complaints bytes.Buffer
		status := Main(context.Background(), strings.Fields(line), strings.NewReader(""), full{}, &complaints)
		if status != exitInput || !strings.Contains(complaints.String(), "no space left [unwritten]") {
			t.Errorf("%s: status %d, %s", line, status, complaints.String())
		}
	}
}

// fails is an input that can't be read.
type fails struct{}

func (fails) Read([]byte) (int, error) { return 0, errors.New("gone") }

func TestUnreadableInput(t *testing.T) {
	var out, complaints bytes.Buffer
	status := Main(context.Background(), []string{"run", "testdata/ack_first.star", "--schedule", "-"}, fails{}, &out, &complaints)
	if status != exitInput {
		t.Errorf("status %d: %s", status, complaints.String())
	}
}

// TestDocumented: every field of the JSON forms is named in the help, and
// nothing is printed beside the objects.
func TestDocumented(t *testing.T) {
	for command, args := range map[string][]string{
		checkHelp: {"check", "--json", "--max-states", "20", "testdata/ack_first.star", "testdata/does_nothing.star", "testdata/broken.star"},
		runHelp:   {"run", "--json", "testdata/ack_first.star", "--schedule", "v1; publisher publish work-1; deliver work-1 to worker1; worker1 ack; worker1 crash before begin"},
	} {
		out, _, _ := ackademy(t, "", args...)
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%s is no object: %v", line, err)
			}
			fields(object, func(name string) {
				if !strings.Contains(command+checkHelp, name) {
					t.Errorf("%s: the field %s is not documented", args[0], name)
				}
			})
		}
	}
}

// fields visits the names in an object, except those of data that scenarios
// name themselves.
func fields(v any, visit func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, part := range v {
			visit(name)
			if name != "faults" && name != "rows" {
				fields(part, visit)
			}
		}
	case []any:
		for _, part := range v {
			fields(part, visit)
		}
	}
}

// TestControlCharacters: a scenario can't steer the terminal.
func TestControlCharacters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evil.star")
	text, err := os.ReadFile("testdata/ack_first.star")
	if err != nil {
		t.Fatal(err)
	}
	evil := strings.Replace(string(text), "Ack first", `\x1b[2JAck first`, 1)
	evil = strings.Replace(evil, "    delivery.ack()\n", `    fail("\x1b]0;owned\x07")`+"\n", 1)
	if err := os.WriteFile(path, []byte(evil), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "run"} {
		out, complaints, _ := ackademy(t, "", command, path)
		if strings.ContainsAny(out+complaints, "\x1b\x07") {
			t.Errorf("%s lets control characters through:\n%q\n%q", command, out, complaints)
		}
		if command == "run" && !strings.Contains(out, "owned") {
			t.Errorf("%s doesn't show the failure at all:\n%s%s", command, out, complaints)
		}
	}
}

// TestColour: colours only where they are wanted, and the text is the same
// without them.
func TestColour(t *testing.T) {
	var plain, coloured bytes.Buffer
	for _, test := range []struct {
		out    *bytes.Buffer
		colour bool
	}{{&plain, false}, {&coloured, true}} {
		term := newTerminal(context.Background(), nil, test.out, test.out)
		term.colour = test.colour
		term.command([]string{"check", "testdata/ack_first.star"})
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(coloured.String(), "\x1b[1;31m✗ lost") {
		t.Errorf("colours:\n%q", coloured.String())
	}
	stripped := coloured.String()
	for _, code := range escapes {
		stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
	}
	if strings.ReplaceAll(stripped, "\x1b[0m", "") != plain.String() {
		t.Error("the coloured text says something else")
	}
	if escapes[picture.Plain] != "" {
		t.Error("plain text has a colour")
	}
}

func TestVersion(t *testing.T) {
	out, _, status := ackademy(t, "", "version")
	if status != exitGood || !strings.Contains(out, "schedules v1") {
		t.Errorf("%d %s", status, out)
	}
}

// TestHelp: each command teaches, with an example and the exit statuses.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		out, complaints, status := ackademy(t, "", c.name, "--help")
		if status != exitGood || complaints != "" {
			t.Errorf("%s --help: %d %s", c.name, status, complaints)
		}
		for _, want := range []string{"Usage: ackademy " + c.name, "Exit status:", "go build -o ackademy"} {
			if !strings.Contains(out, want) {
				t.Errorf("the help of %s lacks %q", c.name, want)
			}
		}
		if again, _, _ := ackademy(t, "", "help", c.name); again != out {
			t.Errorf("help %s is not %s --help", c.name, c.name)
		}
	}
}

// TestServe: the workbook comes up, says where it is, and ends in good order.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, complaints bytes.Buffer
	data := t.TempDir()
	if status := Main(ctx, []string{"serve", "--data", data, "--no-browser"}, nil, &out, &complaints); status != exitGood {
		t.Fatalf("status %d: %s", status, complaints.String())
	}
	if !strings.Contains(out.String(), "http://127.0.0.1:") {
		t.Errorf("no address: %s", out.String())
	}
	if err := os.Chmod(filepath.Join(data, "cookie.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, complaints, status := ackademy(t, "", "serve", "--data", data); status != exitInput || !strings.Contains(complaints, "key_open") {
		t.Errorf("a key that others can read: %d %s", status, complaints)
	}
}

// TestLessonsFit: no diagram of a shipped scenario is wider than 100 columns.
func TestLessonsFit(t *testing.T) {
	for _, property := range []string{"lost", "duplicated", "dead_lettered", "conflict_accepted", "done_once"} {
		out, _, _ := ackademy(t, "", "check", "../../lessons", "--show", property)
		for _, line := range strings.Split(out, "\n") {
			if n := len([]rune(line)); n > 100 && !strings.Contains(line, "ackademy run") && !strings.Contains(line, "transitions") {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
}
