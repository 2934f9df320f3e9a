package kit

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// TestSingle: one statement per call, wherever semicolons may stand.
func TestSingle(t *testing.T) {
	for text, want := range map[string]bool{
		"COMMIT": true, "COMMIT;": true, "COMMIT; ": true,
		"SELECT ';'": true, `SELECT ";"`: true, "SELECT 'it''s; ' || x": true,
		"BEGIN; COMMIT": false, "SELECT ';'; DELETE FROM t": false,
	} {
		if got := single(text); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

// newFile makes a database with one row.
func newFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's a file?.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	store := open(t, &gate{}, path)
	for _, text := range []string{"PRAGMA journal_mode = WAL", "CREATE TABLE n (v INTEGER)", "INSERT INTO n VALUES (1)"} {
		if _, err := store.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func open(t *testing.T, g *gate, path string) *Store {
	t.Helper()
	store, err := openStore(g, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.close() })
	return store
}

// TestWhereSQLiteWaits: the kit waits where SQLite's busy handler would be
// asked, and fails at once where it would not. Two connections on one file.
func TestWhereSQLiteWaits(t *testing.T) {
	path := newFile(t)
	for _, test := range []struct {
		name   string
		before []string // what the second connection has done
		text   string
		want   error
	}{
		{"a transaction that begins", nil, "BEGIN IMMEDIATE", errWaits},
		{"a lone write", nil, "INSERT INTO n VALUES (3)", errWaits},
		{"the first write of a plain transaction", []string{"BEGIN"}, "INSERT INTO n VALUES (3)", errWaits},
		{"a write after a read", []string{"BEGIN", "SELECT v FROM n"}, "INSERT INTO n VALUES (3)", ErrBusy},
		{"a read", nil, "SELECT v FROM n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, second := open(t, &gate{}, path), open(t, &gate{}, path)
			for _, text := range test.before {
				must(t, second, text)
			}
			must(t, first, "BEGIN IMMEDIATE")
			must(t, first, "INSERT INTO n VALUES (2)")
			_, err := second.conn.ExecContext(t.Context(), test.text)
			if got := second.judge(test.text, err); !errors.Is(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			must(t, first, "ROLLBACK")
		})
	}
}

func must(t *testing.T, store *Store, text string) {
	t.Helper()
	if _, err := store.Exec(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// TestOldSnapshot: SQLITE_BUSY_SNAPSHOT never heals, so it is never waited for.
func TestOldSnapshot(t *testing.T) {
	path := newFile(t)
	first, second := open(t, &gate{}, path), open(t, &gate{}, path)
	must(t, second, "BEGIN")
	must(t, second, "SELECT v FROM n")
	must(t, first, "INSERT INTO n VALUES (2)")
	for range 2 {
		if _, err := second.Exec("INSERT INTO n VALUES (3)"); !errors.Is(err, ErrBusy) {
			t.Fatalf("got %v", err)
		}
	}
	must(t, second, "ROLLBACK")
	must(t, second, "INSERT INTO n VALUES (3)")
}

// TestUnwatched: without a grader nothing is announced and nothing waits.
func TestUnwatched(t *testing.T) {
	path := newFile(t)
	first, second := open(t, &gate{}, path), open(t, &gate{}, path)
	must(t, first, "BEGIN IMMEDIATE")
	if _, err := second.Exec("BEGIN IMMEDIATE"); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}

// TestConversation plays the grader's side of the gate, a wait included, and
// holds the lines of package wire as they are written there.
func TestConversation(t *testing.T) {
	path := newFile(t)
	theirs, announcements := io.Pipe()
	grants, replies := io.Pipe()
	g := &gate{out: json.NewEncoder(announcements), in: bufio.NewReader(grants), watched: true}
	lines := bufio.NewScanner(theirs)
	expect := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("got  %s\nwant %s", lines.Text(), want)
		}
	}
	reply := func(text string) { _, _ = io.WriteString(replies, text+"\n") }

	holder := open(t, &gate{}, path)
	must(t, holder, "BEGIN IMMEDIATE")
	finished := make(chan error)
	go func() {
		store, err := openStore(g, path)
		if err == nil {
			_, err = store.Exec("BEGIN  IMMEDIATE")
		}
		if err == nil {
			_, err = store.Exec("ROLLBACK")
		}
		finished <- err
	}()
	expect(`{"say":"call","number":1,"kind":"open","text":"open"}`)
	reply(`{"go":1}`)
	expect(`{"say":"result","number":1,"outcome":"done"}`)
	expect(`{"say":"call","number":2,"kind":"statement","text":"BEGIN IMMEDIATE"}`)
	reply(`{"go":2}`)
	expect(`{"say":"result","number":2,"outcome":"waits","detail":"waits for a lock"}`)
	must(t, holder, "ROLLBACK")
	reply(`{"go":2}`)
	expect(`{"say":"result","number":2,"outcome":"done"}`)
	expect(`{"say":"call","number":3,"kind":"statement","text":"ROLLBACK"}`)
	reply(`{"busy":3}`)
	lines.Scan()
	if text := lines.Text(); !strings.HasPrefix(text, `{"say":"result","number":3,"outcome":"failed"`) {
		t.Errorf("got %s", text)
	}
	if err := <-finished; !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
}

// TestConsume: deliveries in, answers out; an answer is given exactly once.
func TestConsume(t *testing.T) {
	path := newFile(t)
	t.Setenv(wire.EnvDatabase, path)
	t.Setenv(wire.EnvPipes, "")
	input, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = input.WriteString(`{"delivery":"d1","operation":"work-1","amount":100}` + "\n")
	_, _ = input.Seek(0, io.SeekStart)
	stdin := os.Stdin
	os.Stdin = input
	t.Cleanup(func() { os.Stdin = stdin })
	var answers strings.Builder
	err = consume(func(store *Store, work Delivery) error {
		if _, err := store.Exec("INSERT INTO n VALUES (?)", work.Amount); err != nil {
			return err
		}
		if err := work.Answer(Applied); err != nil {
			return err
		}
		if work.Answer(Duplicate) == nil {
			t.Error("a second answer was accepted")
		}
		return nil
	}, &answers)
	if err != nil || answers.String() != `{"delivery":"d1","answer":"applied"}`+"\n" {
		t.Errorf("got %q, %v", answers.String(), err)
	}
	value, found, err := open(t, &gate{}, path).Int("SELECT v FROM n WHERE v = 100")
	if err != nil || !found || value != 100 {
		t.Errorf("got %d, %v, %v", value, found, err)
	}
}
