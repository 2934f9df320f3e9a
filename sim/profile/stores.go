package profile

import "github.com/ackademy/ackademy/sim"

// Databases returns the database profiles in the order in which they are shown.
func Databases() []Database {
	return []Database{
		{
			Name:  "sqlite",
			Title: "SQLite file, transactions begun with BEGIN IMMEDIATE unless they say otherwise",
			Knobs: sim.Database{Profile: "sqlite", Boundary: sim.InProcess, Isolation: sim.SingleWriter},
			Facts: []Fact{
				{"like", "One writer at a time for the whole file; BEGIN IMMEDIATE takes the write lock at once or waits for it.", "sqlite.org lang_transaction; R-SQL-2"},
				{"like", "A reader sees what is committed and never another connection's open transaction.", "sqlite.org isolation"},
				{"like", "When a process dies its open transaction is rolled back by the next opener and its lock disappears; a commit is never lost.", "sqlite.org atomiccommit; R-SQL-8"},
				{"journal", "DELETE (the default): a commit needs the file without readers in transactions, else it is busy and the transaction stays open. WAL: readers keep their snapshot and are in nobody's way.", "sqlite.org lockingv3, wal; R-SQL-3"},
				{"journal", "A deferred transaction that has read and then writes while another one writes is told busy at once, whatever busy_timeout says; with WAL, one whose snapshot is old can't write any more and has to begin again (SQLITE_BUSY_SNAPSHOT).", "sqlite.org lang_transaction, rescode, c3ref/busy_handler; R-SQL-4"},
				{"busy_timeout", "The library waits for no lock until busy_timeout is set; drivers often set one. The world waits without end unless the scenario says how long.", "sqlite.org pragma busy_timeout"},
				{"journal", "A constraint error undoes its statement only: the transaction stays open and can commit.", "sqlite.org lang_conflict; R-SQL-7"},
				{"remote", "The library runs inside the process, so no answer can be lost on the way.", "our reading"},
			},
		},
		{
			Name:  "postgres",
			Title: "PostgreSQL 15, READ COMMITTED unless a transaction says otherwise",
			Knobs: sim.Database{Profile: "postgres", Boundary: sim.Connection, Isolation: sim.ReadCommitted, Deadlock: 1},
			Facts: []Fact{
				{"like", "Each statement sees what is committed when it runs.", "PostgreSQL manual 13.2"},
				{"like", "A second insert of a key waits for the first transaction to end; ON CONFLICT DO NOTHING then reports no row.", "PostgreSQL manual, INSERT; R-PG-1"},
				{"deadlock_timeout", "Two transactions that wait for each other: the server fails one of them after a second (40P01). Which one is not to be relied upon, so the world tries each.", "PostgreSQL manual 13.3.4 and 20.12; R-PG-5"},
				{"lock_timeout", "A statement waits for a lock without end unless lock_timeout is set (55P03).", "PostgreSQL manual 20.11; R-PG-5"},
				{"isolation", "REPEATABLE READ sees what was committed at its first statement; changing a row that somebody has changed since fails with 40001, and so does ON CONFLICT that meets a row it can't see.", "PostgreSQL manual 13.2.2; R-PG-1, R-PG-2"},
				{"isolation", "SERIALIZABLE refuses a commit that no serial order explains. The server may refuse more; the world refuses exactly those.", "PostgreSQL manual 13.2.3; R-PG-3"},
				{"isolation", "An error aborts the transaction: every later statement fails (25P02) and COMMIT reports ROLLBACK. A savepoint lets it live on.", "PostgreSQL manual, ROLLBACK TO SAVEPOINT; R-PG-5"},
				{"like", "When the connection is lost, the server rolls its transaction back and frees the locks.", "R-PG-6"},
				{"timeout", "A COMMIT whose answer is lost may have happened; the client can't know.", "PostgreSQL manual 9.27, pg_xact_status; R-PG-6"},
			},
		},
	}
}
