// Package real is the third world: it plays a scenario along a schedule with
// operating-system processes that are really killed, SQLite files that are
// really written, and an email provider that is a real HTTP server. Afterwards
// the files are opened again and laid beside what the simulator predicted. A
// difference is a bug of ours, never the learner's.
//
// Run is the one entry. It drives a schedule.Run and acts on the events of each
// step:
//
//	referee   this process: grants one call at a time, plays broker, callers
//	          and clock, kills (SIGKILL) and stalls (SIGSTOP) where the
//	          schedule says so, compares every call and every answer
//	worker    one child per simulated process: interprets the same handler
//	          text (script.Live), holds one connection per database, sends
//	          real HTTP requests; it parks before each call until it is granted
//	provider  one child per provider: accepts emails over a unix socket into a
//	          SQLite file; cuts connections where a request or reply gets lost
//	server    one child per database with remote = True: the SQLite file behind
//	          a socket, so that the answer to a commit can be lost for real
//
// The children are this same program, started again with a variable set; a
// program that calls Run must call WorkerMain first thing in main (a test: in
// TestMain).
//
// What is real and what is ours: processes, their deaths, database files, the
// provider's mailbox and cut connections are real. Broker and clock are played
// by the referee from the state of the simulated run: work and sleep do not
// sleep, and the provider's retention is counted on the referee's clock.
//
// No connection ever waits inside SQLite: busy_timeout is 0, and SQLITE_BUSY
// means that the process stays parked at the same boundary. Where the simulator
// says that a process waits, the referee lets it try and insists on BUSY.
//
// Traps: a killed process is reaped before the next grant, since its locks live
// until then. A kill does not lose the page cache, so this proves nothing about
// power loss. The scenario that Run is given must not be used by anybody else
// meanwhile.
//
// Left out: PostgreSQL (nothing to run it on), and Windows, which has neither
// SIGKILL nor SIGSTOP.
package real
