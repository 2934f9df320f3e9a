package real

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// A database is a SQLite file in WAL mode with synchronous = FULL, and a
// process has one connection to it that it never gives back to a pool. Each
// call is the statement that the language reference says it stands for.
//
// Columns are of type ANY in STRICT tables, so a value comes back as it was
// written: 1 is not "1". NULL is a column that the row does not have. SQLite
// has no booleans, and a None that was written is not a missing column; both
// are short BLOBs, which the sqlite3 shell shows as true, false and null.

// store makes database calls: on a file, or through a server before it.
type store interface {
	do(c *call) *result
	rollBack() // what the handler left open, as the process's runtime would
}

// file is the one connection of a process to a SQLite file.
type file struct {
	db     *sql.DB
	conn   *sql.Conn
	tables []tableSetup
	open   bool  // a transaction is open
	saves  int64 // its savepoints
}

// openFile opens a file that makeFile has made; path is relative to the
// process's folder.
func openFile(path string, tables []tableSetup) (*file, error) {
	db, err := sql.Open("sqlite", dsn(path, "mode=rw"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &file{db: db, conn: conn, tables: tables}, nil
}

func (f *file) close() error { return errors.Join(f.conn.Close(), f.db.Close()) }

func dsn(path, mode string) string {
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: mode + "&_pragma=busy_timeout(0)&_pragma=synchronous(full)"}
	if !strings.HasPrefix(path, "/") {
		name.Path, name.Opaque = "", url.PathEscape(path)
	}
	return name.String()
}

// lazyFile opens its file at the first call. Opening is part of that call
// because it may recover the log that a killed process has left, and two
// processes that do so at the same time get in each other's way; while a
// process makes a call, no other one runs.
type lazyFile struct {
	path   string
	tables []tableSetup
	file   *file
}

func (f *lazyFile) do(c *call) *result {
	if f.file == nil {
		opened, err := openFile(f.path, f.tables)
		if err != nil {
			return failed(err)
		}
		f.file = opened
	}
	return f.file.do(c)
}

func (f *lazyFile) rollBack() {
	if f.file != nil {
		f.file.rollBack()
	}
}

// makeFile makes the file and its tables.
func makeFile(path string, tables []tableSetup) (err error) {
	db, err := sql.Open("sqlite", dsn(path, "mode=rwc"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	statements := []string{"PRAGMA journal_mode = WAL"}
	for i := range tables {
		statements = append(statements, tables[i].create())
	}
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	for i := range tables {
		for _, row := range tables[i].Given {
			text, values, err := tables[i].statement(&call{Verb: "insert", Body: row})
			if err != nil {
				return err
			}
			if _, err := db.Exec(text, values...); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
	}
	return nil
}

// noColumns stands in a table that the run never gives a column; SQLite has
// no table without any. No column of a scenario can be called so.
const noColumns = "_"

func (t *tableSetup) create() string {
	columns := []string{quote(noColumns) + " ANY"}
	if len(t.Columns) > 0 {
		columns = nil
	}
	for _, name := range t.Columns {
		column := quote(name) + " ANY"
		if name == t.Key {
			column += " NOT NULL PRIMARY KEY"
		}
		columns = append(columns, column)
	}
	return "CREATE TABLE " + quote(t.Name) + " (" + strings.Join(columns, ", ") + ") STRICT"
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, ", ")
}

// do makes a call. An open transaction survives a refused statement.
func (f *file) do(c *call) *result {
	r, err := f.carryOut(c)
	if err != nil {
		return failed(err)
	}
	return r
}

func (f *file) carryOut(c *call) (*result, error) {
	switch c.Verb {
	case "begin":
		return f.boundary(begins[c.Mode], true)
	case "savepoint":
		f.saves++
		return f.boundary("SAVEPOINT "+savepointName(f.saves), true)
	case "rollback_to":
		n, _ := c.Key.any.(int64)
		f.saves = n
		return f.boundary("ROLLBACK TO "+savepointName(n), true)
	case "commit":
		return f.boundary("COMMIT", false)
	case "rollback":
		return f.boundary("ROLLBACK", false)
	}
	if int(c.Table) < 0 || int(c.Table) >= len(f.tables) {
		return nil, fmt.Errorf("there is no table %d", c.Table)
	}
	t := &f.tables[c.Table]
	switch c.Verb {
	case "get":
		return f.get(t, c)
	case "exists":
		return f.exists(t, c)
	case "select", "count", "change", "remove", "claim":
		return f.rows(t, c)
	}
	text, values, err := t.statement(c)
	if err != nil {
		return nil, err
	}
	done, err := f.conn.ExecContext(context.Background(), text, values...)
	if err != nil {
		return nil, err
	}
	changed, err := done.RowsAffected()
	if err != nil {
		return nil, err
	}
	switch c.Verb {
	case "insert", "put_newer", "update", "delete":
		return &result{Code: "ok", Value: value{changed > 0}}, nil
	}
	return &result{Code: "ok"}, nil
}

// begins is how a transaction begins, by mode.
var begins = map[string]string{"": "BEGIN IMMEDIATE", "deferred": "BEGIN DEFERRED", "exclusive": "BEGIN EXCLUSIVE"}

func savepointName(n int64) string { return fmt.Sprintf("s%d", n) }

func (f *file) boundary(text string, opens bool) (*result, error) {
	if _, err := f.conn.ExecContext(context.Background(), text); err != nil {
		return nil, err
	}
	if f.open = opens; !opens {
		f.saves = 0
	}
	return &result{Code: "ok"}, nil
}

func (f *file) rollBack() {
	if f.open {
		// If it fails the lock stays, and the next process finds that out.
		_, _ = f.boundary("ROLLBACK", false)
	}
}

// statement writes a change as SQL.
func (t *tableSetup) statement(c *call) (string, []any, error) {
	columns, values := fields(c.Body)
	name, key := quote(t.Name), quote(t.Key)
	switch c.Verb {
	case "insert":
		if len(columns) == 0 {
			return "INSERT INTO " + name + " DEFAULT VALUES", nil, nil
		}
		if c.Mode == "strict" {
			return t.insert(columns), values, nil
		}
		return t.insert(columns) + " ON CONFLICT DO NOTHING", values, nil
	case "put", "put_newer":
		record, _ := c.Body.any.(map[string]value)
		var set []string
		for _, column := range t.Columns {
			sent := "excluded." + quote(column)
			if _, isTerm := record[column].any.(term); isTerm {
				sent = number(name+"."+quote(column)) + " + " + sent
			}
			if column != t.Key {
				set = append(set, quote(column)+" = "+sent)
			}
		}
		if set == nil {
			return t.insert(columns) + " ON CONFLICT DO NOTHING", values, nil
		}
		text := t.insert(columns) + " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
		if c.Verb == "put_newer" {
			// A row whose version is no number is older than any, as it is for the
			// simulator.
			old, sent := name+"."+quote(t.Version), "excluded."+quote(t.Version)
			text += " WHERE " + sent + " > " + old + " OR typeof(" + old + ") <> 'integer'"
		}
		return text, values, nil
	case "update":
		set, values, err := settings(name, c.Body)
		return "UPDATE " + name + " SET " + strings.Join(set, ", ") + " WHERE " + key + " = ?", append(values, stored(c.Key)), err
	case "add":
		set := mapped(columns, func(column string) string { return column + " = " + number(name+"."+column) + " + excluded." + column })
		return t.insert(append([]string{t.Key}, columns...)) + " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", "),
			append([]any{stored(c.Key)}, values...), nil
	case "delete":
		return "DELETE FROM " + name + " WHERE " + key + " = ?", []any{stored(c.Key)}, nil
	}
	return "", nil, fmt.Errorf("%s is no call to a database", c.Verb)
}

func (t *tableSetup) insert(columns []string) string {
	return "INSERT INTO " + quote(t.Name) + " (" + quoteAll(columns) + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
}

// mapped quotes names and applies f to each.
func mapped(names []string, f func(string) string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = f(quote(name))
	}
	return out
}

func (f *file) get(t *tableSetup, c *call) (*result, error) {
	rows, err := readRows(f.conn, "SELECT * FROM "+quote(t.Name)+" WHERE "+quote(t.Key)+" = ?", stored(c.Key))
	if err != nil || len(rows) == 0 {
		return &result{Code: "ok"}, err
	}
	return &result{Code: "ok", Value: rows[0]}, nil
}

func (f *file) exists(t *tableSetup, c *call) (*result, error) {
	where, values, err := conditions(c.Body)
	if err != nil {
		return nil, err
	}
	text := "SELECT EXISTS (SELECT 1 FROM " + quote(t.Name) + where
	var found bool
	err = f.conn.QueryRowContext(context.Background(), text+")", values...).Scan(&found)
	return &result{Code: "ok", Value: value{found}}, err
}

// querier is a connection or a database.
type querier interface {
	QueryContext(ctx context.Context, text string, values ...any) (*sql.Rows, error)
}

// readRows reads rows as records.
func readRows(q querier, text string, values ...any) ([]value, error) {
	rows, err := q.QueryContext(context.Background(), text, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []value
	for rows.Next() {
		cells, into := make([]any, len(names)), make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		record := map[string]value{}
		for i, cell := range cells {
			if names[i] == noColumns || cell == nil {
				continue
			}
			v, err := loaded(cell)
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", names[i], err)
			}
			record[names[i]] = v
		}
		list = append(list, value{record})
	}
	return list, rows.Err()
}

// fields takes a record apart, sorted by name.
func fields(body value) (names []string, values []any) {
	record, _ := body.any.(map[string]value) // None is a record without fields
	names = sortedNames(record)
	for _, name := range names {
		values = append(values, stored(record[name]))
	}
	return names, values
}

func sortedNames(record map[string]value) []string {
	var names []string
	for name := range record {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// stored is a value as it stands in a column.
func stored(v value) any {
	switch raw := v.any.(type) {
	case nil:
		return []byte("null")
	case bool:
		return fmt.Append(nil, raw)
	case term:
		n, _, _ := amount(v) // what it makes of a row that isn't there
		return n
	}
	return v.any
}

// loaded is the inverse of stored.
func loaded(cell any) (value, error) {
	switch cell := cell.(type) {
	case int64, string:
		return value{cell}, nil
	case []byte:
		switch string(cell) {
		case "null":
			return value{}, nil
		case "true", "false":
			return value{string(cell) == "true"}, nil
		}
	}
	return value{}, fmt.Errorf("%v was not written by this program", cell)
}

// failed sorts an error by SQLite's result code, never by its text.
func failed(err error) *result {
	r := &result{Failure: err.Error()}
	var known *sqlite.Error
	if !errors.As(err, &known) {
		return r
	}
	switch known.Code() & 0xff {
	case 5: // SQLITE_BUSY
		return &result{Busy: true}
	case 19: // SQLITE_CONSTRAINT
		return &result{Code: "conflict"}
	case 8, 10, 13, 14: // SQLITE_READONLY, _IOERR, _FULL, _CANTOPEN
		r.Disk = true
	}
	return r
}
