//go:build linux || darwin

package real

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ackademy/ackademy/sim/script"
)

func wantError(t *testing.T, err error, code string, exit int) {
	t.Helper()
	var known *Error
	if !errors.As(err, &known) {
		t.Fatalf("got %v, want the error %s", err, code)
	}
	if known.Code != code || ExitCode(err) != exit || known.Message == "" {
		t.Errorf("got %+v, want %s with exit status %d", known, code, exit)
	}
}

func inline(t *testing.T, text string) *script.Scenario {
	t.Helper()
	sc, err := script.Load("inline.star", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

const rest = `
def request(op):
    store.put("things", id = op.id)
service(request, intents = [intent("work-1")])
`

func TestNotForReal(t *testing.T) {
	for _, text := range []string{
		`store = database("store", like = "postgres", tables = {"things": table(key = "id")})` + rest,
		`store = database("store", tables = {"things": table(key = "id"), "sqlite_things": table()})` + rest,
	} {
		_, err := Run(context.Background(), Options{Scenario: inline(t, text)})
		wantError(t, err, "not_for_real", ExitInput)
	}
}

func TestMisfit(t *testing.T) {
	_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), Steps: []string{"nobody does anything"}})
	wantError(t, err, "schedule_misfit", ExitInput)
}

func TestMistakeInTheText(t *testing.T) {
	_, err := Run(context.Background(), Options{Scenario: inline(t, `
store = database("store", tables = {"things": table(key = "id")})
def request(op):
    store.put("things", id = op.id)
    store.put("thongs", id = op.id)
service(request, intents = [intent("work-1")])
`)})
	wantError(t, err, "scenario_mistake", ExitInput)
	if !strings.Contains(err.Error(), "inline.star:5") {
		t.Errorf("where is it? %v", err)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), Keep: filepath.Join(file, "below")})
	wantError(t, err, "disk", ExitInput)
}

// A program that does not call WorkerMain, ends at once or says nothing.
func TestChildrenThatAreNone(t *testing.T) {
	for program, says := range map[string]string{"cat": "real.WorkerMain", "true": "", "sleep-for-ever": "said nothing for 50ms"} {
		t.Run(program, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), program)
			text := "#!/bin/sh\nPATH=/bin:/usr/bin\nexec " + program + "\n"
			if program == "sleep-for-ever" {
				text = "#!/bin/sh\nPATH=/bin:/usr/bin\nexec sleep 1000\n"
			}
			if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
			patience := time.Minute
			if program == "sleep-for-ever" {
				patience = 50 * time.Millisecond
			}
			_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), Executable: path, Patience: patience})
			wantError(t, err, "internal", ExitOurFault)
			if !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want something about %q", err, says)
			}
		})
	}
}

// A child that dies by itself is our fault, and its last words are told.
func TestChildThatDies(t *testing.T) {
	_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), before: at(4, func(r *referee) {
		if err := r.workers[1].child.command.Process.Signal(os.Kill); err != nil {
			t.Error(err)
		}
	})})
	wantError(t, err, "internal", ExitOurFault)
	if !strings.Contains(err.Error(), "worker1") {
		t.Errorf("who was it? %v", err)
	}
}

// Why a child ended is told, whether its end is met while it is spoken to or
// while it is listened to.
func TestReasonOfAnEnd(t *testing.T) {
	for _, says := range []string{`echo a reason >&2`, `echo '{"is":"failed","text":"a reason"}'`} {
		path := filepath.Join(t.TempDir(), "ends")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+says+"\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			c, err := startChild(path, roleWorker, "worker1", t.TempDir(), time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = c.ask(t.Context(), &request{Do: doTry}, isTried)
			}
			if !strings.Contains(err.Error(), "a reason") {
				t.Fatalf("%s: got %v", says, err)
			}
		}
	}
}

// A party that has ended is no difference between the worlds, though the first
// that shows of it is that a call comes out differently.
func TestPartyThatDies(t *testing.T) {
	for file, party := range map[string]func(*referee) *child{
		"email":  func(r *referee) *child { return r.providers[0].child },
		"remote": func(r *referee) *child { return r.servers[0].child },
	} {
		_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/"+file+".star"), before: func(r *referee, n int) {
			if n == 1 {
				_ = party(r).command.Process.Kill()
			}
		}})
		wantError(t, err, "internal", ExitOurFault)
	}
}

// A file that cannot be opened any more stands for whatever a disk can do.
func TestDiskTrouble(t *testing.T) {
	_, err := Run(context.Background(), Options{Scenario: load(t, "testdata/commit_first.star"), before: at(4, func(r *referee) {
		if err := os.Rename(filepath.Join(r.folder, "1.sqlite"), filepath.Join(r.folder, "gone.sqlite")); err != nil {
			t.Error(err)
		}
	})})
	wantError(t, err, "disk", ExitInput)
}

// Nobody writes to standard error in a good run; a child that does has met
// something, such as a race, that it survived.
func TestComplaints(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "complains")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho something is odd >&2\nexec '"+executable+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), Executable: path})
	wantError(t, err, "internal", ExitOurFault)
	if !strings.Contains(err.Error(), "something is odd") {
		t.Errorf("got %v", err)
	}
}

// With stop, too, a mistake that the run has come to is told.
func TestMistakeBehindTheLastStep(t *testing.T) {
	_, err := Run(context.Background(), Options{Stop: true, Scenario: inline(t, `
def request(op):
    work(op.nothing)
service(request, intents = [intent("work-1")])
`)})
	wantError(t, err, "scenario_mistake", ExitInput)
}

// A scenario without any party, whose first handlers end at once.
func TestHandlersThatDoNothing(t *testing.T) {
	report, err := Run(context.Background(), Options{Scenario: inline(t, `
def request(op):
    id = fresh_id()
    if op.id == "work-3":
        accept(op)
        work(len(id))
service(request, intents = [intent("work-1"), intent("work-2"), intent("work-3")])
service(request, name = "other", intents = [intent("work-3", name = "again")])
`)})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Agrees() || !report.AtRest || len(report.Schedule) == 0 {
		t.Error(report.Text())
	}
}
