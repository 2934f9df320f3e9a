// Command ackademy is the workbook on the command line: it checks scenarios
// under every schedule, runs one schedule, grades exercises and serves the
// pages. The work is done by the packages it wires together; here are flags,
// files, what a person reads, and the exit status.
//
// Read command.go for the list of commands; each command has a file of its
// own. Main is the whole program except for the process around it, so that the
// tests run it as users do.
//
// The exit status is the same everywhere: 0 holds or passed, 1 violated or
// failed, 2 undecided because a bound was reached, 3 the input is wrong, 4 our
// own fault. Go ends a program that panics with status 2, which here would
// mean undecided; so Main recovers and makes it 4.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/child"
	"github.com/ackademy/ackademy/exercises/real"
)

func main() {
	real.WorkerMain()  // returns unless this is a child of a real run
	child.WorkerMain() // or one that evaluates a learner's text for the page
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // the first interrupt ends a search in good order, the second one ends the program
	}()
	os.Exit(Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitGood      = 0
	exitBad       = 1
	exitUndecided = 2
	exitInput     = 3
	exitOurFault  = 4
)

// exitMeanings is what --help says of them.
var exitMeanings = [...]string{"holds, or passed", "violated, or failed", "undecided: a bound was reached, or it was cancelled", "the input is wrong",
	"our own fault"}

// worse returns the exit status that wins where several files have one each:
// 4, 3, 1, 2, 0.
func worse(a, b int) int {
	rank := [...]int{exitGood: 0, exitUndecided: 1, exitBad: 2, exitInput: 3, exitOurFault: 4}
	if rank[a] >= rank[b] {
		return a
	}
	return b
}

// Main runs the program with these arguments and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	t := newTerminal(ctx, stdin, stdout, stderr)
	defer func() {
		if fault := recover(); fault != nil {
			status = t.ourFault(fault, debug.Stack())
		}
	}()
	return t.undelivered(t.command(args))
}
