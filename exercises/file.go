package exercises

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"modernc.org/sqlite"
)

// observerSchema is the grader's own book inside the database: triggers write
// down every change of the sink's tables, in the transaction that makes it. So
// what was rolled back leaves no trace, what was committed and later written
// over does, and no total can be right by two wrongs.
const observerSchema = `
CREATE TABLE observer (step INTEGER PRIMARY KEY, place TEXT, id TEXT, before INTEGER, after INTEGER);
CREATE TRIGGER observer_inbox_insert AFTER INSERT ON inbox BEGIN
  INSERT INTO observer (place, id, after) VALUES ('inbox', NEW.id, NEW.amount); END;
CREATE TRIGGER observer_inbox_update AFTER UPDATE ON inbox BEGIN
  INSERT INTO observer (place, id, before, after) VALUES ('inbox', NEW.id, OLD.amount, NEW.amount); END;
CREATE TRIGGER observer_inbox_delete AFTER DELETE ON inbox BEGIN
  INSERT INTO observer (place, id, before) VALUES ('inbox', OLD.id, OLD.amount); END;
CREATE TRIGGER observer_totals_insert AFTER INSERT ON totals BEGIN
  INSERT INTO observer (place, id, after) VALUES ('totals', NEW.id, NEW.amount); END;
CREATE TRIGGER observer_totals_update AFTER UPDATE ON totals BEGIN
  INSERT INTO observer (place, id, before, after) VALUES ('totals', NEW.id, OLD.amount, NEW.amount); END;
CREATE TRIGGER observer_totals_delete AFTER DELETE ON totals BEGIN
  INSERT INTO observer (place, id, before) VALUES ('totals', OLD.id, OLD.amount); END;
`

const schemaQuery = "SELECT coalesce(group_concat(sql, ';'), '') FROM (SELECT sql FROM sqlite_schema ORDER BY name)"

// facts is everything the observer finds in a file.
type facts struct {
	Rows
	totals    int // rows in totals; there must be one
	changes   []change
	schema    string
	integrity string // "ok", or what PRAGMA integrity_check says
}

// change is one committed change of a row, in the order of commits.
type change struct {
	place, id     string // place is the table
	before, after sql.NullInt64
}

func (c change) String() string {
	return fmt.Sprintf("%s %s: %s -> %s", c.place, c.id, value(c.before), value(c.after))
}

func value(v sql.NullInt64) string {
	if !v.Valid {
		return "none"
	}
	return fmt.Sprint(v.Int64)
}

// makeFile creates the database every run starts from: the exercise's tables,
// the observer's book, and a write-ahead log. It returns the schema as SQLite
// tells it.
func makeFile(path, tables string) (schema string, err error) {
	db, err := sql.Open("sqlite", dsn(path, "mode=rwc"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, text := range []string{"PRAGMA journal_mode = WAL", tables, observerSchema} {
		if _, err := db.Exec(text); err != nil {
			return "", err
		}
	}
	return schema, db.QueryRow(schemaQuery).Scan(&schema)
}

// dsn names a file for modernc.org/sqlite. The observer never waits either: at
// its moments nothing runs, so SQLITE_BUSY is a fact about the program.
func dsn(path, mode string) string {
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: mode + "&_pragma=busy_timeout(0)"}
	return name.String()
}

// observe reads the file as a process would find it that starts now. It works
// on a copy, because opening the file itself would already repair it: rolling
// back a journal or recovering a log must be left to the learner's processes.
func observe(path, schema string) (facts, error) {
	copied := path + "-observed"
	for _, suffix := range []string{"", "-wal", "-journal"} {
		err := copyFile(path+suffix, copied+suffix)
		if os.IsNotExist(err) && suffix != "" {
			err = os.RemoveAll(copied + suffix)
		}
		if err != nil {
			return facts{}, err
		}
	}
	if err := os.RemoveAll(copied + "-shm"); err != nil {
		return facts{}, err
	}
	return inspect(copied, "mode=rw", schema)
}

// inspect opens a file, reads everything and closes it again. Of a file whose
// schema is not the given one it reads nothing else: the tables may be gone.
func inspect(path, mode, schema string) (found facts, err error) {
	db, err := sql.Open("sqlite", dsn(path, mode))
	if err != nil {
		return facts{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return facts{}, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if err := tx.QueryRow(schemaQuery).Scan(&found.schema); err != nil || found.schema != schema {
		return found, err
	}
	if err := tx.QueryRow("PRAGMA integrity_check").Scan(&found.integrity); err != nil {
		return found, err
	}
	if err := tx.QueryRow("SELECT count(*), coalesce(sum(amount), 0) FROM totals").Scan(&found.totals, &found.Total); err != nil {
		return found, err
	}
	if err := found.readMarkers(tx); err != nil {
		return found, err
	}
	return found, found.readChanges(tx)
}

func (f *facts) readMarkers(tx *sql.Tx) error {
	rows, err := tx.Query("SELECT id, amount FROM inbox")
	if err != nil {
		return err
	}
	defer rows.Close()
	f.Markers = []Marker{}
	for rows.Next() {
		var marker Marker
		if err := rows.Scan(&marker.ID, &marker.Amount); err != nil {
			return err
		}
		f.Markers = append(f.Markers, marker)
	}
	slices.SortFunc(f.Markers, func(a, b Marker) int { return cmp.Compare(a.ID, b.ID) })
	return rows.Err()
}

func (f *facts) readChanges(tx *sql.Tx) error {
	rows, err := tx.Query("SELECT place, id, before, after FROM observer ORDER BY step")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c change
		if err := rows.Scan(&c.place, &c.id, &c.before, &c.after); err != nil {
			return err
		}
		f.changes = append(f.changes, c)
	}
	return rows.Err()
}

// free tells whether the grader can begin a write transaction on the file and
// empty its log: if not, some process still holds a transaction open.
func free(path string) (bool, error) {
	db, err := sql.Open("sqlite", dsn(path, "mode=rw"))
	if err != nil {
		return false, err
	}
	defer db.Close()
	conn, err := db.Conn(context.Background())
	if err != nil {
		return false, err
	}
	defer conn.Close()
	for _, text := range []string{"BEGIN IMMEDIATE", "ROLLBACK"} {
		if _, err := conn.ExecContext(context.Background(), text); err != nil {
			return false, unlessBusy(err)
		}
	}
	// A reader that was left open does not stop writers, but it stops this.
	var busy, logged, moved int
	row := conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := row.Scan(&busy, &logged, &moved); err != nil {
		return false, unlessBusy(err)
	}
	return busy == 0, nil
}

func unlessBusy(err error) error {
	var failure *sqlite.Error
	if errors.As(err, &failure) && failure.Code()&0xff == 5 { // SQLITE_BUSY
		return nil
	}
	return err
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(filepath.Clean(from))
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}
