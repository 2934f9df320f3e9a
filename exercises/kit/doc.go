// Package kit lets a Go program take a "build" exercise: it hands the program
// one delivery after another and one SQLite database, and it announces every
// call to the grader before it happens, so that the grader can kill the process
// exactly there.
//
// A whole program:
//
//	func main() { kit.Consume(handle) }
//
//	func handle(store *kit.Store, work kit.Delivery) error {
//		if _, err := store.Exec("UPDATE totals SET amount = amount + ?", work.Amount); err != nil {
//			return err
//		}
//		return work.Answer(kit.Applied)
//	}
//
// Contract. SQL is written as it is, BEGIN IMMEDIATE and COMMIT included, one
// statement per call. Store is one connection; nothing is opened, committed or
// rolled back behind the program's back. Answer settles the delivery: the
// broker will not send it again. A handler that returns an error ends the
// process, as a crash would: an open transaction is gone and the delivery
// comes again, to a new process.
//
// Traps. A connection that meets another one's lock waits at its call and tries
// again later. Only a wait that can never end is given up, and then the call
// returns ErrBusy. A transaction that has read and then wants to write while
// somebody else writes gets ErrBusy at once, as in SQLite itself, whatever its
// timeout. fmt.Println goes to standard error: standard output carries the
// answers.
//
// Started by hand, without the grader, nothing is announced: the program reads
// deliveries as JSON lines from standard input and uses the file named by the
// environment variable ACKADEMY_DATABASE. Package wire describes the
// conversation, for kits in other languages.
package kit
