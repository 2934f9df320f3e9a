package sim

// Jobs: handlers that a clock starts. A tick is a timer. It starts the first
// process of the job that is idle; where all of them run, it is skipped.
//
// A job whose last run changed nothing is asleep: it would do the same again.
// It wakes when something that this run read has changed. Its ticks go on
// meanwhile, so it keeps its phase, but they hold no clock and start nothing,
// unless it asked for the age of rows: then the clock moves to the first tick
// that finds one older. What a provider lists or forgets and a broker forgets
// by itself moves the clock too, for the sake of a job that asked there.
// Without that a job that polls an empty table would keep every run from rest.
//
// A job that was started as often as it may be is over: it has no ticks any
// more, and nothing wakes it.

// tickSteps lists a job's tick that is due.
func (w *World) tickSteps(f int) func(*step) {
	return func(x *step) {
		if c := x.front(f); !c.asleep && c.timer == 0 && !x.over(f) {
			w.tick(x, f, 0)
		}
	}
}

// over tells whether a job was started as often as it may be.
func (x *step) over(f int) bool { return x.w.sc.Fronts[f].Times > 0 && x.front(f).acts == 0 }

// tick is a job's tick in d from now.
func (w *World) tick(x *step, f int, d Seconds) {
	decl := &w.sc.Fronts[f]
	p := x.freeMember(f)
	x.open()
	if d > 0 {
		x.advance(d)
	}
	x.changeFront(f, func(c *front) { c.timer, c.asleep, c.watch = decl.Every, false, 0 })
	if p < 0 {
		x.emit(Event{Kind: EventSkipped, Proc: int16(decl.Members[0])})
		x.close(Outcome{Name: "tick " + decl.Name + " skipped", Kind: StepTimer, Proc: -1})
		return
	}
	if decl.Times > 0 {
		x.changeFront(f, func(c *front) {
			if c.acts--; c.acts == 0 {
				c.timer = 0
			}
		})
	}
	x.startRun(p)
	x.close(Outcome{Name: "tick " + w.procName(p), Kind: StepTimer, Proc: int16(p)})
}

// freeMember is the first idle process of a front, or -1.
func (x *step) freeMember(f int) int {
	for _, p := range x.w.sc.Fronts[f].Members {
		if x.proc(p).free() {
			return p
		}
	}
	return -1
}

// startRun starts a handler that is given nothing.
func (x *step) startRun(p int) {
	x.emit(Event{Kind: EventRun, Proc: int16(p)})
	if limit := x.w.sc.Processes[p].KillAfter; limit > 0 {
		x.change(p, func(pr *process) { pr.kill = limit })
	}
	x.arrive(p, x.w.prog.Start(x.w.sc.Processes[p].Handler, Input{}))
}

// tickIn tells when a job's next tick comes, and whether the clock moves for
// it: not while the job is asleep, and not for a tick that would be skipped,
// unless somebody is stalled, who can outlast it.
func (x *step) tickIn(f int, stalled bool) (left Seconds, wakes bool) {
	c := x.front(f)
	if x.w.sc.Fronts[f].Kind != Job || x.over(f) {
		return 0, false
	}
	left = c.timer
	if c.asleep {
		change, ahead := x.ageAhead(c.watch)
		if !ahead {
			return 0, false
		}
		for left < change {
			left += x.w.sc.Fronts[f].Every
		}
	}
	return left, stalled || x.freeMember(f) >= 0
}

// advanceFronts moves the clocks of callers and jobs. A job that sleeps keeps
// its phase.
func (x *step) advanceFronts(d Seconds) {
	for f := range x.w.sc.Fronts {
		every := x.w.sc.Fronts[f].Every
		if x.over(f) {
			every = 0
		}
		x.changeFront(f, func(c *front) {
			for i := range c.callers {
				c.callers[i].timer = max(0, c.callers[i].timer-d)
			}
			if every == 0 {
				return
			}
			if c.timer -= d; c.timer < 0 {
				c.timer = (c.timer%every + every) % every
			}
		})
	}
}

// noteRun notes what a call of a job's handler has read, and whether it came
// out in a way that may be another one next time: it got lost, it was refused,
// a limit was reached.
func (x *step) noteRun(p int, c *Call, a Answer, k FaultKind) {
	if x.w.sc.Processes[p].Kind != Job {
		return
	}
	f, i := x.w.member(p)
	if x.over(f) {
		return
	}
	x.changeFront(f, func(fr *front) {
		r := &fr.runs[i]
		r.restless = r.restless || k != NoFault || !settledCode(a.Code)
		r.seen |= x.w.slotsRead(c)
		if c.Verb == VerbTryLock && a.Value == False || c.Verb == VerbClaim && a.Value == None {
			r.seen |= 1 << (x.w.firstLock + int(c.Party)) // what is locked is free one day; a lock that it had it will have again
		}
		r.trim()
	})
}

func (r *run) trim() {
	if r.restless {
		r.seen = 0
	}
}

// settledCode tells whether a call that came out like this would do so again
// as long as nothing changes.
func settledCode(c Code) bool {
	switch c {
	case OK, Conflict, Stale, Failed:
		return true
	}
	return false
}

// slotsRead is the set of slots that decide what comes of a call. A transaction
// may read what stood when it began, so its beginning reads every table. A
// publish changes its queue, unless that knows the message or has no room.
func (w *World) slotsRead(c *Call) uint64 {
	switch partyOf(c.Verb) {
	case partyDatabase:
		if c.Table >= 0 {
			set := uint64(1) << w.tableSlot[c.Party][c.Table]
			if c.Mode == ModeBelow {
				set |= 1 << (w.firstLock + int(c.Party)) // a transaction that is rolled back changes nothing else
			}
			return set
		}
		set := uint64(0)
		switch c.Verb {
		case VerbSnapshot, VerbRestore:
			set |= 1 << (w.firstCopy + int(c.Party))
			fallthrough
		case VerbBegin:
			for _, slot := range w.tableSlot[c.Party] {
				set |= 1 << slot
			}
		}
		return set
	case partyQueue:
		return 1 << (w.firstQ + int(c.Party))
	case partyProvider:
		return 1 << (w.firstMail + int(c.Party))
	}
	return 0
}

// restlessRun makes a job run again, whatever its present run does: it was
// broken off.
func (x *step) restlessRun(p int) {
	if x.w.sc.Processes[p].Kind != Job {
		return
	}
	f, i := x.w.member(p)
	x.changeFront(f, func(c *front) { c.runs[i] = run{restless: !x.over(f)} })
}

// watched tells whether a sleeping job has read a slot: what changes there by
// itself will wake it.
func (x *step) watched(slot int) bool {
	if x.w.sc.Plodding {
		return true
	}
	for f, decl := range x.w.sc.Fronts {
		if decl.Kind == Job && x.front(f).watch&(1<<slot) != 0 {
			return true
		}
	}
	return false
}

// endRun is the end of a job's run. Where it changed nothing the job falls
// asleep until something that it read changes.
func (x *step) endRun(p int) {
	f, i := x.w.member(p)
	last := x.front(f).runs[i]
	sleeps := !x.over(f) && !x.w.sc.Plodding && !last.restless && x.changed()&^x.w.lockSlots() == 0
	x.changeFront(f, func(c *front) {
		c.runs[i] = run{}
		if c.asleep = sleeps; sleeps {
			c.watch |= last.seen
		} else {
			c.watch = 0
		}
	})
}

// forgetRun is the end of what a job's process does when it was told to stop.
// That was no run: what it read says nothing about whether the job has to run.
func (x *step) forgetRun(p int) {
	f, i := x.w.member(p)
	x.changeFront(f, func(c *front) { c.runs[i] = run{} })
}

// wakeJobs tells the jobs that the clock alone has changed what a table
// answers: an age that somebody asked about has passed.
func (x *step) wakeJobs(d, t int) { x.woken |= 1 << x.w.tableSlot[d][t] }

// changed is the set of slots outside processes and fronts that the step at
// work has changed, not counting what the clock alone did.
func (x *step) changed() uint64 {
	from, set := x.base, x.woken
	if len(x.moved) > 0 {
		from = x.moved
	}
	for slot := x.w.firstQ; slot < x.w.slots; slot++ {
		isFront := slot >= x.w.firstFront && slot < x.w.firstFront+len(x.w.sc.Fronts)
		if !isFront && x.cur[slot] != from[slot] {
			set |= 1 << slot
		}
	}
	return set
}

func (w *World) lockSlots() uint64 {
	return (1<<len(w.sc.Databases) - 1) << w.firstLock
}

// stir tells the jobs what the step of process p (-1: nobody) has changed.
// Those who have read it run again; whoever changed it does too, except for
// locks, which it gives back.
func (x *step) stir(p int) {
	changed := x.changed()
	if changed == 0 {
		return
	}
	for f, decl := range x.w.sc.Fronts {
		if decl.Kind != Job || x.over(f) {
			continue
		}
		old := x.front(f)
		wasAsleep := x.w.fronts.items[x.base[x.w.firstFront+f]].asleep
		c := *old
		c.runs = append([]run(nil), old.runs...)
		if old.asleep && wasAsleep && old.watch&changed != 0 {
			c.asleep, c.watch = false, 0
		}
		for i, m := range decl.Members {
			r := &c.runs[i]
			if m == p {
				r.restless = r.restless || x.proc(m).node != 0 && changed&^x.w.lockSlots() != 0
			} else {
				r.restless = r.restless || r.seen&changed != 0
			}
			r.trim()
		}
		x.setFront(f, &c)
	}
}
