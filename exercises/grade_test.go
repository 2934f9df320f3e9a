package exercises

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStubFails: the learner starts with something that runs, fails, and shows
// why. Grading it again, one run at a time, tells exactly the same: nothing
// depends on luck.
func TestStubFails(t *testing.T) {
	t.Parallel()
	exercise, err := Find("01")
	if err != nil {
		t.Fatal(err)
	}
	report := gradeFolder(t, exercise, exercise.Stub, false)
	if report.ExitCode() != ExitFailed || report.Verdict != VerdictLost {
		show(t, report)
		t.Fatal("want failed: lost")
	}
	first := report.Findings[0]
	if !strings.HasPrefix(first.Boundary, "UPDATE totals") || first.Expected.Total != 100 || first.Found.Total != 0 || len(first.Found.Markers) != 1 {
		show(t, report)
		t.Error("want the kill before the UPDATE, a marker, and a total of 0 instead of 100")
	}
	again, err := Grade(context.Background(), Options{Exercise: "1", Folder: "..", Parallel: 4, Limits: roomy})
	if err != nil {
		t.Fatal(err)
	}
	again.Program = report.Program
	one, _ := json.MarshalIndent(report, "", " ")
	two, _ := json.MarshalIndent(again, "", " ")
	if string(one) != string(two) {
		t.Errorf("two reports of the same program:\n%s\n%s", one, two)
	}
}

// checkRecord: the solution's report holds the record, line by line, and every
// stage really did something.
func checkRecord(t *testing.T, report Report) {
	t.Helper()
	want := []Check{
		{Name: "killed after both writes, before COMMIT of work-1", Found: "inbox empty, total 0"},
		{Name: "work-1 with 100: applied", Found: "inbox (work-1 100), total 100"},
		{Name: "work-2 with 50: applied", Found: "inbox (work-1 100) (work-2 50), total 150"},
		{Name: "work-1 with 100, delivered again: duplicate", Found: "inbox (work-1 100) (work-2 50), total 150"},
		{Name: "work-1 with 999: conflict", Found: "inbox (work-1 100) (work-2 50), total 150"},
		{Name: "no transaction open; the file opened read-only", Found: "inbox (work-1 100) (work-2 50), total 150"},
	}
	for i := range want {
		want[i].Expected, want[i].Outcome = want[i].Found, outcomeOK
	}
	stage := report.Stages[len(report.Stages)-1]
	if stage.Name != "record" || stage.Kills != 1 || !slices.Equal(stage.Checks, want) {
		show(t, report)
		t.Errorf("got %+v", stage)
	}
	for _, stage := range report.Stages {
		if stage.Status != StatusPassed || stage.Runs == 0 || stage.Name != "undisturbed" && stage.Kills == 0 {
			t.Errorf("%s did nothing: %d runs, %d kills", stage.Name, stage.Runs, stage.Kills)
		}
	}
	// Every call of every delivery is struck once: 7 for each of two that are
	// applied, 5 for each of two that are not, and the opening of the file.
	for _, stage := range []Stage{report.Stages[1], report.Stages[3]} {
		if len(stage.Checks) != 25 || stage.Kills != 25 {
			t.Errorf("%s: %d checks, %d kills", stage.Name, len(stage.Checks), stage.Kills)
		}
	}
}

// TestInputErrors: what can't be graded says so, with the exit status for wrong
// input and a next step.
func TestInputErrors(t *testing.T) {
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
	broken := write("broken.go", "package main\n\nfunc main() { undefined() }\n")
	library := write("library.go", "package library\n")
	text := write("notes.txt", "hello")
	if err := os.Mkdir(filepath.Join(folder, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ exercise, program, code, contains string }{
		{"77", "", "no_such_exercise", "01 (A transactional sink)"},
		{"01", "", "no_program", "--init 01-transactional-sink"},
		{"01", "missing.go", "no_program", "missing.go"},
		{"01", "empty", "no_program", "empty"},
		{"01", text, "not_a_program", "notes.txt"},
		{"01", library, "not_a_program", "package main"},
		{"01", broken, "does_not_compile", "broken.go:3:15"},
	} {
		_, err := Grade(context.Background(), Options{Exercise: test.exercise, Program: test.program, Folder: folder})
		known, ok := err.(*Error)
		if !ok || known.Code != test.code || known.Next == "" || ExitCode(err) != ExitInput {
			t.Errorf("%+v: got %v", test, err)
			continue
		}
		if !strings.Contains(err.Error(), test.contains) {
			t.Errorf("%+v: the message is %q", test, err)
		}
	}
}

// TestNoToolchain: somebody with the binary alone is told what is missing.
func TestNoToolchain(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Grade(context.Background(), Options{Exercise: "01", Folder: ".."})
	if known, ok := err.(*Error); !ok || known.Code != "no_go_toolchain" || ExitCode(err) != ExitInput {
		t.Errorf("got %v", err)
	}
}

// TestOurFault: a scratch folder that can't be used is nobody's wrong answer.
func TestOurFault(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := Grade(context.Background(), Options{Exercise: "01", Folder: "..", Scratch: missing})
	if err == nil || ExitCode(err) != ExitOurFault {
		t.Errorf("got %v", err)
	}
}

// TestNothingIsLeft: without Keep, no file stays behind.
func TestNothingIsLeft(t *testing.T) {
	scratch := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "attack-says-nothing")
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	if _, err := Grade(context.Background(), Options{Exercise: "01", Program: program, Scratch: scratch, Limits: roomy}); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(scratch); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
