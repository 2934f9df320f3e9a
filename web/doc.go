// Package web serves the workbook to a browser on this machine: the contents
// page, the lessons, the casebook and the idioms, and one socket over which every simulation on a page is
// stepped.
//
// The main types are Server, which listens and guards the door, Workbook and
// Session, the two small interfaces through which it reaches the engine, and
// Snapshot (wire.go), which is everything that the page draws.
//
// The contract with the page is one immutable snapshot per answer. The page
// keeps no model of the world; it draws what it was told last. A session
// here holds nothing that can't be rebuilt from the scenario's name or text, its
// budget of faults, the list of steps and the position, and the page sends
// these whenever it connects. So a lost connection, a dropped slow reader and a
// restarted server all end in the same place: where the learner was.
//
// Each simulation of a page has a stand of its own (stand.go), which answers its
// requests one after the other, so that a text that takes long holds up no other
// simulation. Searches run beside it (searching.go) and answer with messages of
// their own. A learner's own text goes to Workbook.OpenText and Search, which
// must evaluate it where it can do no harm.
//
// The door is closed unless opened (guard.go): loopback only, a token that
// works once, then a signed cookie; Host and Origin must be exactly ours; a
// strict Content-Security-Policy; every message, rate and count is bounded.
//
// Two traps. A cookie belongs to a host and not to a port, so its name and
// its signature hold the port, or two servers would log each other out. And
// a panic in a session is recovered at the session's boundary only, where it
// is told to the learner as our fault: anywhere else it would hide a bug.
//
// Left out: anything off loopback, and running learners' programs, which
// only the command line does.
package web
