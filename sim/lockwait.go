package sim

// A process that waits for a lock is where it was before the call; only a limit
// gives the wait a timer. SQLite's busy_timeout and PostgreSQL's lock_timeout
// end a wait by themselves, and PostgreSQL's deadlock_timeout ends one that
// would never end: each of those who wait for each other may be the victim,
// as the manual promises nothing (PostgreSQL manual 13.3.4).
//
// The clock of a wait stands still while its process is stalled.

// lockTimer is one end that a wait for a lock can find.
type lockTimer struct {
	left Seconds
	code Code
}

// lockTimers lists those of a process that waits for a lock.
func (x *step) lockTimers(p int) []lockTimer {
	pr := x.proc(p)
	if pr.node == 0 {
		return nil
	}
	d := int(x.w.prog.Call(pr.node).Party)
	if d < 0 || partyOf(x.w.prog.Call(pr.node).Verb) != partyDatabase || !x.waitsIn(p, d) {
		return nil
	}
	var list []lockTimer
	db := &x.w.sc.Databases[d]
	if db.Limited && db.Wait > 0 {
		code := LockTimeout
		if db.Isolation == SingleWriter {
			code = Busy
		}
		list = append(list, lockTimer{max(0, db.Wait-pr.waited), code})
	}
	if db.Deadlock > 0 && x.inCircle(p, d) {
		list = append(list, lockTimer{max(0, db.Deadlock-pr.circled), Deadlock})
	}
	return list
}

// waitLonger lets d pass for a process that waits for a lock.
func (x *step) waitLonger(p int, d Seconds) {
	list := x.lockTimers(p)
	pr := *x.proc(p)
	if len(list) == 0 && pr.circled == 0 {
		return
	}
	circled := false
	for _, t := range list {
		if t.code == Deadlock {
			circled = true
			pr.circled += d
		} else {
			pr.waited += d
		}
	}
	if !circled {
		pr.circled = 0
	}
	x.setProc(p, &pr)
}

// lockSteps lists the waits of a process that end after d more seconds.
func (w *World) lockSteps(x *step, p int, d Seconds) {
	for _, t := range x.lockTimers(p) {
		if t.left != d {
			continue
		}
		x.open()
		if d > 0 {
			x.advance(d)
		}
		x.giveUp(p, t.code)
		x.close(Outcome{Name: w.procName(p) + " " + t.code.String(), Kind: StepTimer, Proc: int16(p)})
	}
}

// giveUp ends a wait with an error.
func (x *step) giveUp(p int, code Code) {
	c := x.w.prog.Call(x.proc(p).node)
	d := int(c.Party)
	if code == Busy {
		x.gaveUp(p, d)
	} else if c.InTx {
		x.abort(p, d)
	}
	if code == Deadlock {
		x.circleBroken(p, d)
	}
	x.called(p, c, Answer{Code: code}, NoFault)
	x.answer(p, Answer{Code: code})
}

// circleBroken lets those who waited in a circle with a victim begin to wait
// anew: each new circle has its own deadlock_timeout.
func (x *step) circleBroken(victim, d int) {
	for q := range x.w.sc.Processes {
		if q != victim && x.proc(q).circled > 0 && !x.inCircle(q, d) {
			x.change(q, func(pr *process) { pr.circled = 0 })
		}
	}
}

// hasLockTimers tells whether a wait for a lock can end by itself.
func hasLockTimers(sc *Scenario) bool {
	for _, db := range sc.Databases {
		if db.Limited && db.Wait > 0 || db.Deadlock > 0 {
			return true
		}
	}
	return false
}
