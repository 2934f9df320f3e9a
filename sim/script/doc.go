// Package script reads scenarios: files in Starlark, a small deterministic
// dialect of Python, that declare a world and hold the handlers of its
// processes. It is the only importer of go.starlark.net.
//
// Load evaluates a file and returns a Scenario: what package sim needs to
// build a world, the handlers as a sim.Program, and the text for pictures.
// Whatever is wrong with a text is an *Error with file, line, column, a plain
// sentence and a next step.
//
// # One text, three uses
//
// A handler is interpreted from the top with the answers that it was given so
// far; the first call beyond them is the question that it asks (run.go). The
// tree of these questions is the sim.Program of the simulator and the explorer
// (tree.go). Site runs the same interpretation to tell where in the text a
// process stands, and Live runs it for a real process, blocking in each
// question until the real party has answered. The three can't differ, because
// there is one interpreter and one table of calls.
//
// # The language
//
// Every call is a Binding: name, parameters, documentation, what it stands for
// in SQL or in a protocol, and the Go function behind it. Reference returns
// them for the language reference. Names that are not there yet are known too,
// with the nearest thing that is (errors.go, bindings.go).
//
// A call that fails raises an outcome: timeout, refused, conflict, gone, stale,
// or failed after fail(...). Uncaught, it ends the handler (sim.VerbFail);
// attempt(call, ...) turns it into a result. A mistake in the text is no
// outcome: it ends the handler as sim.VerbMistake, and Scenario.Mistake gives
// the error. That may be found only when a run gets there.
//
// A handle knows what its own run was told. A transaction that was committed
// or rolled back can't be used again: that is a mistake. One whose connection
// was lost, or whose end is uncertain, answers gone by itself from then on;
// this is the client library speaking, and no step of the world. A lost
// delivery does the same.
//
// # Limits
//
// limits.go names them: size of the text, steps of the interpreter, calls of a
// handler, places of all handlers, counts of everything declared. guard.go
// keeps the cost of one step small. No text can read a clock, a file, the
// network or another text, or keep anything between two runs of a handler.
//
// What can't be bounded in process: the memory that many small values take
// together (the steps allow some ten million of them), and the time of hashing
// or freezing tuples that hold one another many times over, which is cut short
// only where such a tuple is built. Whoever opens a text that is not their own
// evaluates it in a child process.
//
// # Traps
//
// A Scenario is not safe for concurrent use: asking for a node may add nodes
// and values. Node numbers mean nothing outside their Scenario. The index of a
// call by its parenthesis is made before the checks of guard.go are put into
// the text, so inserted calls are never shown to anybody.
package script
