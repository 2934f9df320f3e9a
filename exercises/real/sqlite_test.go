package real

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// What the simulator says of SQLite's locks is compared with SQLite: connections
// to one real file, busy_timeout 0, make the same calls in the same order as
// processes of a scenario, and each must be told the same. First the cases that
// the documentation tells, then what chance comes up with.

// lockCall is a call of a connection: "a begin deferred", "b put x".
type lockCall struct {
	who  int // 0: a, 1: b, ...
	verb string
	key  string
}

func (c lockCall) String() string {
	return strings.TrimSpace(fmt.Sprintf("%c %s %s", 'a'+c.who, c.verb, c.key))
}

func parseCalls(t *testing.T, text string) []lockCall {
	t.Helper()
	var list []lockCall
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		c := lockCall{who: int(words[0][0] - 'a'), verb: words[1]}
		if len(words) > 2 {
			c.key = words[2]
		}
		if c.who < 0 || c.who > 2 {
			t.Fatalf("nobody is called %s", words[0])
		}
		list = append(list, c)
	}
	return list
}

func TestSQLiteAgrees(t *testing.T) {
	for name, text := range map[string]string{
		"deferred has no lock before its first statement": "a begin deferred, b begin immediate, b put x, b commit, a get x, a commit",
		"the second of two immediate is busy":             "a begin immediate, b begin immediate, a put x, b begin immediate, a commit, b begin immediate, b put x, b commit",
		"immediate lets readers in":                       "a begin immediate, a put x, b get x, b begin deferred, b get x, b commit, a commit",
		"exclusive and readers":                           "a begin exclusive, b get x, b begin deferred, b get x, a put x, a commit, b get x, b commit",
		"exclusive begins while somebody reads":           "b begin deferred, b get x, a begin exclusive, b commit, a begin exclusive, a rollback",
		"a commit finds a reader":                         "b begin deferred, b get x, a begin immediate, a put x, a commit, c get x, b get x, b commit, a commit, c get x",
		"a commit that found a reader, rolled back":       "b begin deferred, b get x, a begin immediate, a put x, a commit, a rollback, c get x, b commit",
		"both read, then write":                           "a begin deferred, b begin deferred, a get x, b get x, a put x, b put x, a commit, b put x, b rollback, a commit",
		"a snapshot that is old can't write":              "a begin deferred, a get x, b put x, a get x, a put y, a put y, a rollback, a begin deferred, a get x, a put y, a commit",
		"a deferred first write waits for the lock":       "a begin immediate, b begin deferred, b put x, a put x, a commit, b put x, b commit",
		"a statement by itself finds a reader":            "a begin deferred, a get x, b put x, b insert x, a commit, b put x, b ignore x",
		"a statement that changes nothing finds a reader": "a put x, a begin deferred, a get x, b ignore x, b delete y, a commit",
		"a commit without a change finds a reader":        "a begin deferred, a get x, b begin immediate, b delete x, b commit, a commit",
		"a constraint error undoes its statement":         "a begin immediate, a put x, a insert x, a put y, a commit, b get x, b get y",
		"insert or ignore":                                "a begin immediate, a put x, a commit, b ignore x, b begin deferred, b ignore x, b ignore y, b commit",
		"a savepoint keeps the lock":                      "a begin deferred, a savepoint, a put x, a back, b put y, a get x, a commit, b put y",
		"lost update, both in one transaction":            "a begin deferred, a get n, b begin deferred, b get n, a add n, b add n, a commit, b add n, b rollback, a commit, c get n",
		"a commit without a statement finds a reader":     "a begin deferred, a get x, b begin immediate, b commit, a commit",
		"atomic addition":                                 "a add n, b add n, c get n",
	} {
		for _, journal := range []string{"delete", "wal"} {
			t.Run(name+"/"+journal, func(t *testing.T) {
				calls := parseCalls(t, text)
				p := newSQLitePlayers(t, journal)
				var made []lockCall
				var told []string
				for _, c := range calls {
					if p.makesSense(c) { // what one journal refuses may have happened with the other one
						made, told = append(made, c), append(told, p.make(c))
					}
				}
				compareLocks(t, journal, made, told)
			})
		}
	}
}

// The same with calls drawn by chance.
func TestSQLiteAgreesByChance(t *testing.T) {
	for seed := range uint64(100) {
		journal := []string{"delete", "wal"}[seed%2]
		rng := rand.New(rand.NewPCG(seed, 1))
		p := newSQLitePlayers(t, journal)
		var calls []lockCall
		var told []string
		for range 25 {
			c := lockCall{who: rng.IntN(3), key: []string{"x", "y"}[rng.IntN(2)]}
			verbs := []string{"get", "get", "put", "ignore", "insert", "delete", "add"}
			if p.open[c.who] {
				verbs = append(verbs, "commit", "commit", "rollback", "savepoint")
				if p.saves[c.who] > 0 {
					verbs = append(verbs, "back")
				}
			} else {
				verbs = append(verbs, "begin", "begin", "begin", "begin")
			}
			c.verb = verbs[rng.IntN(len(verbs))]
			switch c.verb {
			case "begin":
				c.key = []string{"deferred", "deferred", "immediate", "exclusive"}[rng.IntN(4)]
			case "commit", "rollback", "savepoint", "back":
				c.key = ""
			}
			calls, told = append(calls, c), append(told, p.make(c))
		}
		if !compareLocks(t, journal, calls, told) {
			t.Fatalf("seed %d, %s", seed, journal)
		}
	}
}

// sqlitePlayers are connections to a real file.
type sqlitePlayers struct {
	t     *testing.T
	conns [3]*sql.Conn
	open  [3]bool
	saves [3]int
}

func newSQLitePlayers(t *testing.T, journal string) *sqlitePlayers {
	p := &sqlitePlayers{t: t}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.Join(t.TempDir(), "a.sqlite"), RawQuery: "_pragma=busy_timeout(0)&_pragma=synchronous(off)&_pragma=journal_mode(" + journal + ")"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec("CREATE TABLE a (id TEXT NOT NULL PRIMARY KEY, n ANY) STRICT"); err != nil {
		t.Fatal(err)
	}
	for i := range p.conns {
		if p.conns[i], err = db.Conn(context.Background()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.conns[i].Close() })
		// A connection reads the schema at its first statement.
		if _, err := p.conns[i].ExecContext(context.Background(), "SELECT count(*) FROM a"); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// makesSense leaves out the end of a transaction that is none, and beginnings
// inside one.
func (p *sqlitePlayers) makesSense(c lockCall) bool {
	switch c.verb {
	case "begin":
		return !p.open[c.who]
	case "commit", "rollback", "savepoint":
		return p.open[c.who]
	case "back":
		return p.saves[c.who] > 0
	}
	return true
}

// make makes a call for real and returns what it was told.
func (p *sqlitePlayers) make(c lockCall) string {
	p.t.Helper()
	told, err := p.statement(c)
	if err != nil {
		r := failed(err)
		switch {
		case r.Busy:
			return "busy"
		case r.Code == "conflict":
			return "conflict"
		}
		p.t.Fatalf("%s: %v", c, err)
	}
	switch c.verb {
	case "begin":
		p.open[c.who], p.saves[c.who] = true, 0
	case "commit", "rollback":
		p.open[c.who] = false
	case "savepoint":
		p.saves[c.who]++
	}
	return told
}

func (p *sqlitePlayers) statement(c lockCall) (string, error) {
	conn, ctx := p.conns[c.who], context.Background()
	text, values := map[string]string{
		"begin": "BEGIN " + c.key, "commit": "COMMIT", "rollback": "ROLLBACK",
		"savepoint": fmt.Sprintf("SAVEPOINT s%d", p.saves[c.who]+1), "back": fmt.Sprintf("ROLLBACK TO s%d", p.saves[c.who]),
		"put":    fmt.Sprintf("INSERT INTO a (id, n) VALUES (?, %d) ON CONFLICT (id) DO UPDATE SET n = excluded.n", c.who),
		"insert": fmt.Sprintf("INSERT INTO a (id, n) VALUES (?, %d)", c.who),
		"ignore": fmt.Sprintf("INSERT INTO a (id, n) VALUES (?, %d) ON CONFLICT DO NOTHING", c.who),
		"delete": "DELETE FROM a WHERE id = ?",
		"add":    "INSERT INTO a (id, n) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET n = n + excluded.n",
	}[c.verb], []any{}
	if strings.Contains(text, "?") {
		values = append(values, c.key)
	}
	if c.verb == "get" {
		var n int
		err := conn.QueryRowContext(ctx, "SELECT n FROM a WHERE id = ?", c.key).Scan(&n)
		if err == sql.ErrNoRows {
			return "None", nil
		}
		return fmt.Sprintf("{id: %q, n: %d}", c.key, n), err
	}
	done, err := conn.ExecContext(ctx, text, values...)
	if err != nil || !slices.Contains([]string{"insert", "ignore", "delete"}, c.verb) {
		return "None", err
	}
	n, err := done.RowsAffected()
	return map[bool]string{true: "True", false: "False"}[n > 0], err
}

// compareLocks makes the same calls in the simulator.
func compareLocks(t *testing.T, journal string, calls []lockCall, told []string) bool {
	t.Helper()
	sc, err := script.Load("locks.star", []byte(lockScenario(journal, calls)))
	if err != nil {
		t.Fatal(err)
	}
	run := schedule.New(sim.New(sc.Scenario))
	for i, c := range calls {
		got := ""
		if err := run.Step(string(rune('a' + c.who))); err != nil {
			got = err.Error()
		} else {
			for _, e := range run.Events(run.Len() - 1) {
				if e.Kind != sim.EventCall {
					continue
				}
				got = sc.Values.Text(e.Answer.Value)
				if e.Answer.Code != sim.OK {
					got = e.Answer.Code.String()
				}
			}
		}
		if got != told[i] {
			var story strings.Builder
			for n := range calls[:i+1] {
				fmt.Fprintf(&story, "  %s: %s\n", calls[n], told[n])
			}
			t.Errorf("%s: SQLite says %s, the simulator %s, after\n%s", c, told[i], got, story.String())
			return false
		}
	}
	return true
}

// lockScenario writes each connection's calls as the handler of a process.
func lockScenario(journal string, calls []lockCall) string {
	var b strings.Builder
	fmt.Fprintf(&b, "store = database(\"store\", journal = %q, busy_timeout = 0, tables = {\"a\": table(key = \"id\")})\n", journal)
	for who := range 3 {
		name := string(rune('a' + who))
		fmt.Fprintf(&b, "def %s(op):\n    s = []\n    tx = None\n", name)
		for _, c := range calls {
			if c.who == who {
				fmt.Fprintf(&b, "%s", lockLines(c))
			}
		}
		fmt.Fprintf(&b, "    work(1)\nservice(%s, name = %q, intents = [intent(%q)])\n", name, name, "intent-"+name)
	}
	return b.String()
}

func lockLines(c lockCall) string {
	n, key := c.who, c.key
	statement := map[string]string{
		"get": fmt.Sprintf("get, \"a\", %q", key), "delete": fmt.Sprintf("delete, \"a\", %q", key), "add": fmt.Sprintf("add, \"a\", %q, n = 1, of = None", key),
		"put": fmt.Sprintf("put, \"a\", id = %q, n = %d, of = None", key, n), "ignore": fmt.Sprintf("insert, \"a\", id = %q, n = %d, of = None", key, n),
		"insert": fmt.Sprintf("insert, \"a\", conflict = \"error\", id = %q, n = %d, of = None", key, n),
	}
	switch c.verb {
	case "begin":
		return fmt.Sprintf("    r = attempt(store.begin, mode = %q)\n    tx = r.value if r.ok else tx\n    s = []\n", key)
	case "commit":
		return "    r = attempt(tx.commit)\n    tx = None if r.ok else tx\n"
	case "rollback":
		return "    tx.rollback()\n    tx = None\n"
	case "savepoint":
		return "    s = s + [tx.savepoint()]\n"
	case "back":
		return "    s[-1].rollback()\n"
	}
	return fmt.Sprintf("    attempt((store if tx == None else tx).%s)\n", statement[c.verb])
}
