package picture

import "github.com/ackademy/ackademy/sim"

// Sentences of what locks and snapshots do to a call.

// locked says why a database did not carry out a call, or nothing.
func (t *teller) locked(e *sim.Event) string {
	if !e.Call.InTx && e.Call.Table < 0 && e.Call.Verb != sim.VerbBegin {
		return ""
	}
	file := t.party(e.Call)
	switch e.Answer.Code {
	case sim.Busy:
		return t.busy(e, file)
	case sim.Serialization:
		return ", but no order of the transactions would explain it: serialization failure (40001), " + file + " rolls it back"
	case sim.Deadlock:
		return ", but waits for somebody who waits for it: " + file + " ends the deadlock (40P01) and rolls it back"
	case sim.LockTimeout:
		return ", but the lock does not come free in time (55P03): " + file + " rolls it back"
	case sim.Aborted:
		if e.Call.Verb == sim.VerbCommit {
			return ", but the transaction failed before: nothing is written"
		}
		return ", but the transaction failed before: nothing but its end is left (25P02)"
	case sim.Conflict:
		if e.Call.Verb == sim.VerbInsert {
			return ", but it stands there already: conflict"
		}
	}
	return ""
}

func (t *teller) busy(e *sim.Event, file string) string {
	if e.Call.Verb == sim.VerbCommit {
		return ", but somebody still reads " + file + ": busy; the transaction stays open"
	}
	for _, tx := range t.h.view(t.step - 1).Databases[e.Call.Party].Transactions {
		if tx.Process == t.who(e.Proc) && tx.Old {
			return ", but others have changed " + file + " since it began to read: busy, and every retry in this transaction will be (SQLITE_BUSY_SNAPSHOT)"
		}
	}
	return ", but " + file + " is locked: busy"
}
