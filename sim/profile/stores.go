package profile

import "github.com/ackademy/ackademy/sim"

// Databases returns the database profiles in the order in which they are shown.
func Databases() []Database {
	return []Database{
		{
			Name:  "sqlite",
			Title: "SQLite file, transactions begun with BEGIN IMMEDIATE",
			Knobs: sim.Database{Profile: "sqlite", Boundary: sim.InProcess, Isolation: sim.SingleWriter},
			Facts: []Fact{
				{"like", "One writer at a time for the whole file; BEGIN IMMEDIATE takes the write lock at once or waits for it.", "sqlite.org lang_transaction; R-SQL-2"},
				{"like", "A reader sees what is committed and never another connection's open transaction.", "sqlite.org isolation"},
				{"like", "When a process dies its open transaction is rolled back by the next opener and its lock disappears; a commit is never lost.", "sqlite.org atomiccommit; R-SQL-8"},
				{"remote", "The library runs inside the process, so no answer can be lost on the way.", "our reading"},
			},
		},
		{
			Name:  "postgres",
			Title: "PostgreSQL 15, READ COMMITTED",
			Knobs: sim.Database{Profile: "postgres", Boundary: sim.Connection, Isolation: sim.ReadCommitted, Deadlock: 1},
			Facts: []Fact{
				{"like", "Each statement sees what is committed when it runs.", "PostgreSQL manual 13.2"},
				{"like", "A second insert of a key waits for the first transaction to end; ON CONFLICT DO NOTHING then reports no row.", "PostgreSQL manual, INSERT; R-PG-1"},
				{"like", "Two transactions that wait for each other: the server fails one of them after a second (40P01). The world can't do that yet, so it lets both wait and calls their operations stuck.", "PostgreSQL manual 20.12, deadlock_timeout; R-PG-5"},
				{"like", "When the connection is lost, the server rolls its transaction back and frees the locks.", "R-PG-6"},
				{"timeout", "A COMMIT whose answer is lost may have happened; the client can't know.", "PostgreSQL manual 9.27, pg_xact_status; R-PG-6"},
			},
		},
	}
}
