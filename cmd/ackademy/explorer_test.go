package main

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ackademy/ackademy/sim/explore"
)

// shellSplit splits a printed command line as a POSIX shell does: quotes, and
// what a backslash protects.
func shellSplit(t *testing.T, line string) []string {
	t.Helper()
	var list []string
	word, quoted, begun := "", false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case c == '\\' && !quoted:
			i++
			word, begun = word+string(line[i]), true
		case c == ' ' && !quoted:
			if begun {
				list = append(list, word)
			}
			word, begun = "", false
		default:
			word, begun = word+string(c), true
		}
	}
	if quoted {
		t.Fatalf("a quote is not closed: %s", line)
	}
	if begun {
		list = append(list, word)
	}
	return list
}

func shippedFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lessons: %v", err)
	}
	return append(files, "testdata/scoped.star", "testdata/ack_first.star", "testdata/circle.star")
}

// TestWindowCommands: each command that a window map prints replays, and its
// run ends in the verdict that it was printed for.
func TestWindowCommands(t *testing.T) {
	commands := 0
	for _, file := range shippedFiles(t) {
		out, complaints, status := ackademy(t, "", "windows", file)
		if status != exitGood || complaints != "" {
			t.Fatalf("%s: status %d, %s", file, status, complaints)
		}
		var heading string
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 5 && line[2] >= '0' && line[2] <= '9' && line[3:5] == "  " {
				heading = line
			}
			command, ok := strings.CutPrefix(line, "     ackademy ")
			if !ok {
				continue
			}
			commands++
			_, verdict, _ := strings.Cut(heading, ": ")
			verdict, _, _ = strings.Cut(verdict, ",")
			got, complaints, _ := ackademy(t, "", append(shellSplit(t, command), "--json")...)
			var run runJSON
			if err := json.Unmarshal([]byte(got), &run); err != nil || complaints != "" {
				t.Fatalf("%s: %s doesn't replay: %s", file, command, complaints)
			}
			if !slices.ContainsFunc(run.Verdicts, func(v verdictJSON) bool { return v.Name == verdict }) {
				t.Errorf("%s: %s\nends in %v, not in %q", file, command, run.Verdicts, verdict)
			}
		}
	}
	if commands < 100 {
		t.Errorf("only %d commands: the test shows little", commands)
	}
}

// TestWindowsJSONAgrees: the JSON form has the marks of the text form, and its
// schedules end in their verdicts with the budget that it names.
func TestWindowsJSONAgrees(t *testing.T) {
	for _, file := range []string{"testdata/commit_first.star", "testdata/scoped.star", "testdata/circle.star"} {
		out, _, _ := ackademy(t, "", "windows", "--json", file)
		var m windowsJSON
		if err := json.Unmarshal([]byte(out), &m); err != nil {
			t.Fatal(err)
		}
		list := m.Always
		for _, h := range m.Handlers {
			for _, g := range h.Gaps {
				for _, mark := range g.Marks {
					if (mark.Mark == "harmful") != (len(mark.Verdicts) > 0) {
						t.Errorf("%s: %s before %s is %s with %v", file, mark.Fault, g.Call, mark.Mark, mark.Verdicts)
					}
					list = append(list, mark.Verdicts...)
				}
			}
		}
		for _, v := range list {
			args := []string{"run", file, "--stop", "--json", "--schedule", v.Schedule}
			if v.Faults != "" {
				args = append(args, "--faults", v.Faults)
			}
			got, complaints, _ := ackademy(t, "", args...)
			if !strings.Contains(got, `"verdicts":[{"name":"`) || !strings.Contains(got, `{"name":"`+v.Name+`"`) {
				t.Errorf("%v: no %s: %s%s", args, v.Name, got, complaints)
			}
		}
	}
}

// TestCompareCommands: the two commands that a comparison prints replay, and
// end as the comparison says.
func TestCompareCommands(t *testing.T) {
	files := shippedFiles(t)
	files = files[:len(files)-1] // the last one never comes to rest
	for i := range files {
		a, b := files[i], files[(i+1)%len(files)]
		out, complaints, status := ackademy(t, "", "compare", a, b)
		if status != exitGood || complaints != "" {
			t.Fatalf("%s and %s: status %d, %s", a, b, status, complaints)
		}
		structured, _, _ := ackademy(t, "", "compare", "--json", a, b)
		var c compareJSON
		if err := json.Unmarshal([]byte(structured), &c); err != nil {
			t.Fatal(err)
		}
		var commands []string
		for _, line := range strings.Split(out, "\n") {
			if command, ok := strings.CutPrefix(line, "  ackademy "); ok {
				commands = append(commands, command)
			}
		}
		if len(commands) != 2 {
			t.Fatalf("%s and %s: %d commands", a, b, len(commands))
		}
		for k, side := range []sideJSON{c.A, c.B} {
			got, complaints, _ := ackademy(t, "", append(shellSplit(t, commands[k]), "--json", "--stop")...)
			var run runJSON
			if err := json.Unmarshal([]byte(got), &run); err != nil || complaints != "" {
				t.Fatalf("%s doesn't replay: %s", commands[k], complaints)
			}
			if run.Schedule != side.Schedule || run.DoneOnce != side.DoneOnce || !slices.Equal(run.Verdicts, side.Verdicts) {
				t.Errorf("%s\nends in %+v, the comparison says %+v", commands[k], run.Verdicts, side.Verdicts)
			}
		}
	}
}

// TestMapsFit: no map and no comparison of shipped scenarios is wider than 100
// columns, but for the commands to copy.
func TestMapsFit(t *testing.T) {
	files := shippedFiles(t)
	for i, file := range files {
		maps, _, _ := ackademy(t, "", "windows", file)
		sides, _, _ := ackademy(t, "", "compare", file, files[(i+3)%len(files)])
		checked, _, _ := ackademy(t, "", "check", "--symmetry", file)
		for _, line := range strings.Split(maps+sides+checked, "\n") {
			if n := utf8.RuneCountInString(line); n > 100 && !strings.Contains(line, "ackademy run") && !strings.Contains(line, "transitions") {
				t.Errorf("%s: %d columns: %s", file, n, line)
			}
		}
	}
}

// TestExplorerDocumented: every field of the JSON forms is named in the help.
func TestExplorerDocumented(t *testing.T) {
	for help, args := range map[string][]string{
		windowsHelp + checkHelp:           {"windows", "--json", "--max-states", "900", "testdata/ack_first.star", "testdata/scoped.star", "testdata/circle.star", "testdata/mistake.star"},
		compareHelp + runHelp + checkHelp: {"compare", "--json", "testdata/commit_first.star", "testdata/ack_first.star"},
		checkHelp:                         {"check", "--json", "--symmetry", "testdata/ack_first.star"},
	} {
		out, _, _ := ackademy(t, "", args...)
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%s is no object: %v", line, err)
			}
			fields(object, func(name string) {
				if !strings.Contains(help, name) {
					t.Errorf("%s: the field %s is not documented", args[0], name)
				}
			})
		}
	}
}

// TestExplorerCancelled: an interrupted map or comparison claims nothing.
func TestExplorerCancelled(t *testing.T) {
	for _, args := range [][]string{
		{"windows", "testdata/one_transaction.star"}, {"compare", "testdata/one_transaction.star", "testdata/ack_first.star"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var out, complaints bytes.Buffer
		status := Main(ctx, args, strings.NewReader(""), &out, &complaints)
		if status != exitUndecided || complaints.Len() > 0 {
			t.Errorf("%v: status %d\n%s", args, status, complaints.String())
		}
		if args[0] == "windows" && (!strings.Contains(out.String(), "Cancelled") || strings.Contains(out.String(), "harmless")) {
			t.Errorf("a cancelled map:\n%s", out.String())
		}
	}
}

// TestMapColours: the text is the same without colours.
func TestMapColours(t *testing.T) {
	for _, args := range [][]string{{"windows", "testdata/commit_first.star"}, {"compare", "testdata/ack_first.star", "testdata/commit_first.star"}} {
		texts := map[bool]string{}
		for _, colour := range []bool{false, true} {
			var out bytes.Buffer
			term := newTerminal(context.Background(), nil, &out, &out)
			term.colour = colour
			term.command(args)
			texts[colour] = out.String()
		}
		stripped := texts[true]
		for _, code := range escapes {
			stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
		}
		if stripped = strings.ReplaceAll(stripped, "\x1b[0m", ""); stripped != texts[false] || stripped == texts[true] {
			t.Errorf("%s: the coloured text says something else", args[0])
		}
	}
}

// TestProgress: it is shown where somebody watches, not too often, and wiped;
// elsewhere there is nothing.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	term := newTerminal(context.Background(), nil, &out, &out)
	if show, wipe := term.progress("a.star"); show != nil {
		t.Error("progress is shown where nobody watches")
	} else if wipe(); out.Len() > 0 {
		t.Errorf("%q is written where nobody watches", out.String())
	}
	term.live = true
	show, wipe := term.progress("a\x1b.star")
	show(explore.Progress{States: 100, Elapsed: time.Second / 4})
	if out.Len() > 0 {
		t.Errorf("a search of a moment shows %q", out.String())
	}
	show(explore.Progress{States: 3_000, Frontier: 500, Depth: 7, Elapsed: time.Second})
	if got := out.String(); got != "\r\x1b[Ka.star: 3,000 states, 500 waiting, 3,000 a second, depth 7" {
		t.Errorf("progress: %q", got)
	}
	show(explore.Progress{States: 4_000, Frontier: 400, Depth: 8, Elapsed: time.Second * 3 / 2})
	if wipe(); !strings.HasSuffix(out.String(), "2,000 a second, depth 8\r\x1b[K") {
		t.Errorf("progress: %q", out.String())
	}
}

// TestMemorySizes: sizes have a unit.
func TestMemorySizes(t *testing.T) {
	for text, want := range map[string]int64{
		"512MB": 512_000_000, "4GiB": 4 << 30, "1.5 kb": 1500, "64kib": 64 << 10, "1_000B": 1000,
		"12": 0, "": 0, "MB": 0, "-1MB": 0, "0GB": 0, "9999999999TiB": 0, "1XB": 0, "nanMB": 0,
	} {
		var b bounds
		if p := b.setMemory(text); (p == nil) != (want > 0) || b.maxBytes != want {
			t.Errorf("%q is %d bytes (%v), want %d", text, b.maxBytes, p, want)
		}
	}
}

// TestStats says what a search cost.
func TestStats(t *testing.T) {
	out, _, _ := ackademy(t, "", "check", "--stats", "testdata/ack_first.star")
	for _, want := range []string{"bytes per state", "judging", "states a second", "depth"} {
		if !strings.Contains(out, want) {
			t.Errorf("--stats lacks %q:\n%s", want, out)
		}
	}
}
