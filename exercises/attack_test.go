package exercises

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ackademy/ackademy/exercises/kit"
	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// TestMain lets the test binary play a learner's program: started under a name
// that begins with "attack-" it behaves badly in the way the name says.
func TestMain(m *testing.M) {
	if mode, ok := strings.CutPrefix(filepath.Base(os.Args[0]), "attack-"); ok {
		attacks[mode]()
		return
	}
	os.Exit(m.Run())
}

// attacks are programs against the grader.
var attacks = map[string]func(){
	"exits-at-once": func() {},
	"hangs":         func() { select {} },
	"hangs-holding-the-lock": consume(func(store *kit.Store, _ kit.Delivery) error {
		_, _ = store.Exec("BEGIN IMMEDIATE")
		time.Sleep(time.Hour)
		return nil
	}),
	"calls-for-ever": consume(func(store *kit.Store, _ kit.Delivery) error {
		for {
			_, _, _ = store.Int("SELECT amount FROM totals")
		}
	}),
	"floods-stdout": func() {
		for {
			fmt.Printf("{\"delivery\":\"d1\",\"answer\":%q}\n", strings.Repeat("x", 60<<10))
		}
	},
	"long-line": func() {
		_, _ = os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<20))
		select {}
	},
	"floods-stderr": consume(func(store *kit.Store, work kit.Delivery) error {
		_, _ = os.Stderr.Write(bytes.Repeat([]byte("\x1b[31mno\n"), 1<<18))
		return solve(store, work)
	}),
	"answers-blindly": func() {
		fmt.Println(`{"delivery":"d1","answer":"applied"}`)
		select {}
	},
	"prints-to-stdout": func() {
		fmt.Println("starting up")
		select {}
	},
	"garbage-announcements": func() {
		_, _ = os.NewFile(3, "announcements").WriteString("go away\n")
		select {}
	},
	"skips-numbers": func() {
		pipe := os.NewFile(3, "announcements")
		_, _ = pipe.WriteString(`{"say":"hello","protocol":1}` + "\n" + `{"say":"call","number":7,"kind":"open"}` + "\n")
		select {}
	},
	"leaves-children": consume(func(_ *kit.Store, work kit.Delivery) error {
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return err
		}
		return os.WriteFile("child", []byte(strconv.Itoa(child.Process.Pid)), 0o600)
	}),
	"takes-memory": consume(func(_ *kit.Store, _ kit.Delivery) error {
		var kept [][]byte
		for {
			kept = append(kept, bytes.Repeat([]byte{1}, 1<<20))
			if len(kept) > 4096 {
				select {}
			}
		}
	}),
	"bypasses-the-kit": consume(func(_ *kit.Store, work kit.Delivery) error {
		db, err := sql.Open("sqlite", os.Getenv(wire.EnvDatabase))
		if err != nil {
			return err
		}
		defer db.Close()
		if _, err := db.Exec("INSERT OR IGNORE INTO inbox VALUES (?, ?)", work.Operation, work.Amount); err != nil {
			return err
		}
		if _, err := db.Exec("UPDATE totals SET amount = amount + ?", work.Amount); err != nil {
			return err
		}
		return work.Answer(kit.Applied)
	}),
	"drops-a-table": consume(func(store *kit.Store, work kit.Delivery) error {
		_, _ = store.Exec("DROP TABLE inbox")
		return work.Answer(kit.Applied)
	}),
	"erases-the-book": consume(func(store *kit.Store, work kit.Delivery) error {
		_, _ = store.Exec("DROP TRIGGER observer_totals_update")
		return work.Answer(kit.Applied)
	}),
	"tramples-the-file": consume(func(_ *kit.Store, work kit.Delivery) error {
		_ = os.WriteFile(os.Getenv(wire.EnvDatabase), bytes.Repeat([]byte("no"), 1<<14), 0o600)
		return work.Answer(kit.Applied)
	}),
	"removes-the-file": consume(func(_ *kit.Store, work kit.Delivery) error {
		_ = os.Remove(os.Getenv(wire.EnvDatabase))
		return work.Answer(kit.Applied)
	}),
	"always-fails":     consume(func(*kit.Store, kit.Delivery) error { return fmt.Errorf("not today") }),
	"says-nothing":     consume(func(*kit.Store, kit.Delivery) error { return nil }),
	"made-up-answer":   consume(func(_ *kit.Store, work kit.Delivery) error { return work.Answer("maybe") }),
	"always-conflicts": consume(func(_ *kit.Store, work kit.Delivery) error { return work.Answer(kit.Conflict) }),
}

func consume(handle func(*kit.Store, kit.Delivery) error) func() {
	return func() { kit.Consume(handle) }
}

// solve does one delivery right, for attacks that need a working program.
func solve(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	amount, known, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Operation)
	answer := kit.Applied
	switch {
	case err != nil:
		return err
	case known && amount != work.Amount:
		answer = kit.Conflict
	case known:
		answer = kit.Duplicate
	default:
		if _, err := store.Exec("INSERT INTO inbox VALUES (?, ?)", work.Operation, work.Amount); err != nil {
			return err
		}
		if _, err := store.Exec("UPDATE totals SET amount = amount + ?", work.Amount); err != nil {
			return err
		}
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	return work.Answer(answer)
}

// attack grades the test binary under a name.
func attack(t *testing.T, mode string, limits Limits) (Report, string) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "attack-"+mode)
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	report, err := Grade(context.Background(), Options{Exercise: "01", Program: program, Scratch: folder, Keep: true, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return report, report.Kept
}

// TestAttacks: whatever a program does, the grader comes back within its limits,
// with an outcome that says what happened, and never with "passed".
func TestAttacks(t *testing.T) {
	for _, test := range []struct{ mode, status, reason string }{
		{"exits-at-once", StatusFailed, VerdictUnannounced},
		{"hangs", StatusUndecided, "time"},
		{"hangs-holding-the-lock", StatusUndecided, "time"},
		{"calls-for-ever", StatusUndecided, "calls"},
		{"floods-stdout", StatusFailed, VerdictProtocol},
		{"long-line", StatusUndecided, "output"},
		{"answers-blindly", StatusFailed, VerdictProtocol},
		{"prints-to-stdout", StatusFailed, VerdictProtocol},
		{"garbage-announcements", StatusFailed, VerdictProtocol},
		{"skips-numbers", StatusFailed, VerdictProtocol},
		{"takes-memory", StatusUndecided, "memory"},
		{"bypasses-the-kit", StatusFailed, VerdictUnannounced},
		{"drops-a-table", StatusFailed, VerdictMismatch},
		{"erases-the-book", StatusFailed, VerdictMismatch},
		{"tramples-the-file", StatusFailed, VerdictCorrupt},
		{"removes-the-file", StatusFailed, VerdictMismatch},
		{"always-fails", StatusFailed, VerdictStuck},
		{"says-nothing", StatusFailed, VerdictStuck},
		{"made-up-answer", StatusFailed, VerdictLost},
		{"always-conflicts", StatusFailed, VerdictLost},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			limits := roomy
			switch test.reason {
			case "time":
				limits.Answer = time.Second // it comes in any case
			case "memory":
				limits.Memory, limits.Answer = 300<<20, 3*time.Minute // a busy machine is slow to give so much
				if !limitsMemory || raceEnabled {
					t.Skip("memory is not limited on this system, or taken by the race detector")
				}
			}
			report, _ := attack(t, test.mode, limits)
			if report.Status != test.status || report.Verdict+report.Bound != test.reason {
				show(t, report)
				t.Errorf("want %s: %s", test.status, test.reason)
			}
		})
	}
}

// roomy limits are not reached by accident, on a busy machine or with the race
// detector.
var roomy = Limits{Answer: 30 * time.Second, Total: 9 * time.Minute, Memory: 8 << 30}

// TestOutputLimit: many good lines are too many as well.
func TestOutputLimit(t *testing.T) {
	limits := roomy
	limits.Output = 20
	report, _ := attack(t, "floods-stderr", limits)
	if report.Bound != "output" {
		show(t, report)
		t.Error("want the bound output")
	}
}

// TestChildrenDie: a process that a program leaves behind is killed with it, and
// one that holds its pipes open delays nothing.
func TestChildrenDie(t *testing.T) {
	report, kept := attack(t, "leaves-children", roomy)
	if report.Verdict != VerdictStuck {
		show(t, report)
		t.Error("want stuck: it never answers")
	}
	text, err := os.ReadFile(filepath.Join(kept, "undisturbed", "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return !alive(child) }) {
		t.Errorf("process %d still runs", child)
	}
}

// alive tells whether a process runs; one that is dead and not yet reaped by
// its new parent does not.
func alive(process int) bool {
	if syscall.Kill(process, 0) != nil {
		return false
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	return err != nil || !bytes.Contains(state, []byte(") Z "))
}

// eventually waits for the system to do what was asked of it, at most a minute.
func eventually(done func() bool) bool {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

// TestComplaintIsHarmless: what a program writes to standard error is kept to its
// end and stripped of control characters.
func TestComplaintIsHarmless(t *testing.T) {
	limits := roomy
	limits.Calls = 3
	report, _ := attack(t, "floods-stderr", limits)
	if report.Status != StatusUndecided {
		show(t, report)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(text.String(), '\x1b') || text.Len() > 20_000 {
		t.Errorf("the report has %d characters, or control characters", text.Len())
	}
}

// TestCancel: Grade comes back when its context ends, and says why.
func TestCancel(t *testing.T) {
	binary, _ := os.Executable()
	program := filepath.Join(t.TempDir(), "attack-hangs")
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := Grade(ctx, Options{Exercise: "01", Program: program, Limits: roomy}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	report, err := Grade(context.Background(), Options{Exercise: "01", Program: program, Limits: Limits{Total: 100 * time.Millisecond, Memory: roomy.Memory}})
	if err != nil || report.Bound != "total_time" || report.ExitCode() != ExitUndecided {
		t.Errorf("got %+v, %v", report, err)
	}
}
