//go:build linux || darwin

package real

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// A comparison that cannot fail proves nothing. Each of these breaks the
// agreement on purpose, in another place, and the run has to notice.
func TestDifferencesAreFound(t *testing.T) {
	swapped := strings.Replace(source(t, "testdata/ack_first.star"), "    tx.commit()\n", "    tx.rollback()\n", 1)
	doubled := strings.Replace(source(t, "testdata/ack_first.star"), "amount = delivery.amount)", "amount = 2 * delivery.amount)", 1)
	for _, c := range []struct {
		name     string
		scenario string
		steps    []string
		options  Options
		what     string // of the first difference
		step     int
	}{
		{"a prediction with another row", "ack_first", nil, Options{tamper: func(v *sim.View) {
			v.Databases[0].Tables[0].Rows = nil
		}}, "rows of store.totals", -1},
		{"a prediction with one mail more", "email", nil, Options{tamper: func(v *sim.View) {
			v.Providers[0].Mails = append(v.Providers[0].Mails, v.Providers[0].Mails[0])
		}}, "rows of mail", -1},
		{"a prediction without the key", "email_key", nil, Options{tamper: func(v *sim.View) {
			v.Providers[0].Keys = nil
		}}, "rows of mail keys", -1},
		{"workers with another text, other call", "ack_first", nil, Options{source: swapped}, "worker1 stands before", 6},
		{"workers with another text, other value", "ack_first", nil, Options{source: doubled}, "worker1 stands before", 5},
		{"a row that somebody else writes", "commit_first", nil, Options{before: at(7, func(r *referee) {
			execute(t, r, "INSERT INTO totals (id, amount) VALUES ('intruder', 1)")
		})}, "rows of store.totals", -1},
		{"a row that somebody else writes first", "sink", nil, Options{before: at(5, func(r *referee) {
			execute(t, r, "INSERT INTO inbox (id, amount) VALUES ('work-1', 100)")
		})}, "worker1 is told by insert", 7},
		{"a lock that nobody knows of", "commit_first", nil, Options{before: at(4, func(r *referee) {
			db, err := sql.Open("sqlite", dsn(filepath.Join(r.folder, "1.sqlite"), "mode=rw"))
			if err != nil {
				t.Error(err)
			}
			db.SetMaxOpenConns(1)
			t.Cleanup(func() { _ = db.Close() })
			if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
				t.Error(err)
			}
		})}, "worker1 is told by begin", 4},
		{"a lock that nobody holds", "sink", locking, Options{before: at(7, func(r *referee) {
			r.workers[1].child.kill() // its lock is free before the simulator says so
		})}, "worker2 is told by begin", 7},
		{"an email that nobody meant", "email", nil, Options{before: at(5, func(r *referee) {
			post(t, filepath.Join(r.folder, r.providers[0].socket))
		})}, "rows of mail", -1},
		{"a request that changes nothing", "email_key", nil, Options{before: at(10, func(r *referee) {
			conn, err := net.Dial("unix", filepath.Join(r.folder, r.providers[0].socket))
			if err != nil {
				t.Error(err)
				return
			}
			// Its refusal shows that it was counted.
			if _, err := conn.Write([]byte("nothing\r\n\r\n")); err != nil {
				t.Error(err)
			}
			if _, err := io.ReadAll(conn); err != nil {
				t.Error(err)
			}
			_ = conn.Close()
		})}, "requests sent to mail", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Scenario, c.options.Steps = load(t, "testdata/"+c.scenario+".star"), c.steps
			report, err := Run(context.Background(), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if report.Agrees() || report.Exit() != ExitOurFault {
				t.Fatalf("nothing was noticed:\n%s", report.Text())
			}
			d := report.Differences[0]
			if d.What != c.what || d.Step != c.step {
				t.Errorf("got %+v, want %s at step %d", d, c.what, c.step)
			}
			if !strings.Contains(report.Text(), "bug of Ackademy") || !strings.Contains(report.Text(), "Again: ackademy run") {
				t.Errorf("the report says too little:\n%s", report.Text())
			}
		})
	}
}

// locking makes worker2 wait for worker1 in its seventh step.
var locking = []string{"publisher", "publisher", "publisher", "publisher",
	"deliver work-1 to worker1", "worker1 begin", "deliver work-1'2 to worker2"}

func source(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func at(step int, f func(*referee)) func(*referee, int) {
	return func(r *referee, n int) {
		if n == step {
			f(r)
		}
	}
}

func execute(t *testing.T, r *referee, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(filepath.Join(r.folder, "1.sqlite"), "mode=rw"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Error(err)
	}
}

func post(t *testing.T, socket string) {
	t.Helper()
	if r := newMailer(socket, 0).send(&call{Op: value{"eve"}, Body: value{map[string]value{}}}); r.Code != "ok" {
		t.Errorf("%+v", r)
	}
}

// The JSON of a report is an interface: its names stay.
func TestReportAsJSON(t *testing.T) {
	report := agree(t, "testdata/email.star", []string{"publisher"}, Options{})
	report.Milliseconds = 0
	got, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := "testdata/report.json"
	want, err := os.ReadFile(golden)
	if os.Getenv("REWRITE") != "" {
		want, err = got, os.WriteFile(golden, append(got, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(want)) != string(got) {
		t.Errorf("got\n%s\nwant\n%s\nREWRITE=1 writes it anew", got, want)
	}
}

// The files of a run stay where somebody wants them, and nothing beside them.
func TestKeep(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	agree(t, "testdata/email.star", nil, Options{Keep: folder})
	there, err := filepath.Glob(folder + "/*")
	if err != nil || len(there) != 2 {
		t.Errorf("found %v, %v", there, err)
	}
	_, err = Run(context.Background(), Options{Scenario: load(t, "testdata/email.star"), Keep: folder})
	wantError(t, err, "folder_in_use", ExitInput)
}

func TestTemporaryFoldersGo(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	agree(t, "testdata/email.star", nil, Options{})
	if there, err := os.ReadDir(folder); err != nil || len(there) != 0 {
		t.Errorf("found %v, %v", there, err)
	}
}
