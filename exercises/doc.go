// Package exercises hands out the exercises in which the learner writes a
// program, and grades them with real processes on real SQLite files.
//
// The main verb is Grade: it compiles a program, runs it many times, kills it
// with SIGKILL at each of its database calls in turn, delivers again what was
// not settled, lets two processes race call by call, and judges what stands in
// the file. Its answer is a Report. List, Find and Init hand the exercises out.
//
// # How a run works
//
// A program announces each call before it makes it (package kit, and package
// kit/wire for the conversation) and waits to be let through. So between two
// grants nothing runs, and the grader decides everything: who moves next, who is
// killed where. It is the broker as well. A killed process is reaped before
// anybody else moves, because its locks live until then.
//
// No connection waits inside SQLite. A call that meets a lock leaves its process
// standing where it is, and it is tried again when it is that process's turn.
// When everybody waits, the first wait is ended as a busy timeout would end it.
//
// # What is judged
//
// Rows. Inside each database triggers keep the observer's book: every committed
// change, in order. From that and from what the broker was told come the
// verdicts (lost, duplicated, overwritten, conflict_accepted, stuck), at the
// moment when nothing runs any more and before a late copy could cover a loss. An
// answer counts as what it is for a broker: an acknowledged delivery does not
// come again. The exit status of a program is never looked at.
//
// A limit that is reached (time, calls, output, memory) is no verdict: the report
// is undecided and names the bound. A program that reaches the database without
// the kit is failed as unannounced, because kills at announced calls would prove
// nothing about it. This is found by looking at the file after every call of an
// undisturbed run; somebody who sets out to deceive the grader can, and has only
// himself to deceive.
//
// # Traps
//
// The program is the learner's own and runs with the learner's rights, in its own
// process group, with limits, but not in a sandbox. Call Grade only for the person
// who owns the program. A child that leaves the process group survives. Memory is
// limited on Linux only. Linux and macOS run exercises; elsewhere Grade says so.
//
// SIGKILL strikes between calls, not inside one: what SQLite does within a
// COMMIT is SQLite's promise, and losing power is another test than losing a
// process.
package exercises
