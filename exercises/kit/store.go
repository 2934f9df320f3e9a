package kit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"modernc.org/sqlite"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// Store is the database: one file, one connection. Each method is one call, and
// one boundary where the process may be killed.
type Store struct {
	gate *gate
	pool *sql.DB
	conn *sql.Conn
	// inside: a transaction was begun and not ended. touched: and a statement
	// has run in it, so that it may hold a snapshot or a lock.
	inside, touched bool
}

// openStore opens the file. No other connection is ever made: database/sql is
// given one and would silently replace a broken one, so it is pinned.
func openStore(gate *gate, path string) (*Store, error) {
	if path == "" {
		return nil, fmt.Errorf("no database: set %s to the path of a SQLite file", wire.EnvDatabase)
	}
	s := &Store{gate: gate}
	err := gate.cross(wire.KindOpen, "open", func() (err error) {
		name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "mode=rw&_pragma=busy_timeout(0)"}
		if s.pool, err = sql.Open("sqlite", name.String()); err != nil {
			return err
		}
		s.conn, err = s.pool.Conn(context.Background())
		return s.judge("open", err)
	})
	return s, err
}

func (s *Store) close() error {
	return errors.Join(s.conn.Close(), s.pool.Close())
}

// Exec runs one statement and returns how many rows it changed. BEGIN
// IMMEDIATE, COMMIT and ROLLBACK are statements too.
func (s *Store) Exec(query string, args ...any) (changed int64, err error) {
	err = s.statement(query, func() error {
		result, err := s.conn.ExecContext(context.Background(), query, args...)
		if err != nil {
			return err
		}
		changed, err = result.RowsAffected()
		return err
	})
	return changed, err
}

// Int runs one query and returns the first column of its first row; found is
// false if there was no row.
func (s *Store) Int(query string, args ...any) (value int64, found bool, err error) {
	err = s.statement(query, func() error {
		err := s.conn.QueryRowContext(context.Background(), query, args...).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		found = err == nil
		return err
	})
	return value, found, err
}

func (s *Store) statement(query string, call func() error) error {
	text := strings.Join(strings.Fields(query), " ")
	if !single(text) {
		return fmt.Errorf("one statement per call, please, so that each has its boundary: %q", text)
	}
	return s.gate.cross(wire.KindStatement, text, func() error {
		if err := s.judge(text, call()); err != nil {
			return err
		}
		s.follow(text)
		return nil
	})
}

// follow keeps track of the transaction after a statement that worked.
func (s *Store) follow(text string) {
	switch verb := firstWord(text); {
	case verb == "BEGIN":
		s.inside, s.touched = true, !strings.EqualFold(text, "BEGIN") && !strings.EqualFold(text, "BEGIN DEFERRED")
	case verb == "COMMIT", verb == "END", verb == "ROLLBACK" && !strings.Contains(strings.ToUpper(text), " TO "):
		s.inside, s.touched = false, false
	default:
		s.touched = s.inside
	}
}

// Result codes of SQLite, from its page "Result and Error Codes".
const (
	codeBusy         = 5
	codeBusySnapshot = 517
)

// judge sorts out SQLITE_BUSY: where SQLite's own busy handler would wait, the
// call waits; where it would not be asked, the program gets ErrBusy at once.
// It is not asked when the transaction already holds a snapshot or a lock and
// the statement needs a stronger one; a COMMIT does wait.
func (s *Store) judge(text string, err error) error {
	var failure *sqlite.Error
	if !errors.As(err, &failure) || failure.Code()&0xff != codeBusy {
		return err
	}
	verb := firstWord(text)
	ends := verb == "COMMIT" || verb == "END"
	if failure.Code() == codeBusySnapshot || s.touched && !ends {
		return fmt.Errorf("%w: this transaction has read and can no longer write; roll back and start again", ErrBusy)
	}
	return errWaits
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return strings.ToUpper(strings.TrimRight(word, ";"))
}

// single tells whether the text holds one statement: no semicolon outside of
// quotes, but at its end.
func single(text string) bool {
	text = strings.TrimRight(text, "; ")
	quote := rune(0)
	for _, char := range text {
		switch {
		case quote != 0 && char == quote:
			quote = 0
		case quote == 0 && (char == '\'' || char == '"'):
			quote = char
		case quote == 0 && char == ';':
			return false
		}
	}
	return true
}
