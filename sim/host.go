package sim

import "slices"

// Several handlers in one process of the operating system: threads of it. Each
// runs its handler by itself, so the rest of the world treats it as a process.
// What belongs to the whole they share: a crash, an exit or a kill of one is the
// end of all, a stall holds all of them up, they stop, stay down and come back
// together, and they remember together. A connection to a broker is one for all
// of them, with a channel each: what closes a channel leaves the others alone.
// Each has its own connection to a database, as from a pool.
//
// A crash is named by the one whose gap it falls into, as that of any process;
// where several of a host run, several names stand for one misfortune.

// hosted tells whether a process is one of several of its host.
func (w *World) hosted(p int) bool { return w.sc.Processes[p].Host > 0 }

// together lists the processes of a process's host, itself included.
func (w *World) together(p int) []int {
	host := w.sc.Processes[p].Host
	if host == 0 {
		return []int{p}
	}
	return w.sc.Hosts[host-1].Members
}

// first tells whether a process is the first of its host: it stands for all
// where something is the host's doing.
func (w *World) first(p int) bool { return !w.hosted(p) || w.together(p)[0] == p }

// hostName is what a schedule calls what ends and starts again as a whole.
func (w *World) hostName(p int) string {
	if host := w.sc.Processes[p].Host; host > 0 {
		return w.sc.Hosts[host-1].Name
	}
	return w.procName(p)
}

// fall is the end of a process and of all that live in it.
func (x *step) fall(p int) {
	if x.w.hosted(p) {
		for _, m := range x.w.together(p) {
			if m == p {
				continue
			}
			if x.proc(m).node != 0 || x.proc(m).owes || len(x.proc(m).buffer) > 0 {
				x.emit(Event{Kind: EventCrash, Proc: int16(m), Call: x.w.prog.Call(x.proc(m).node), With: int16(p) + 1})
			}
		}
	}
	for _, m := range x.w.together(p) {
		x.die(m)
		if x.w.hosted(p) && x.w.sc.Processes[m].Kind == Job {
			x.wakeUpJob(m)
		}
	}
}

// wakeUpJob makes a job look again that has slept: it has forgotten what it had
// done, or what it remembers has changed.
func (x *step) wakeUpJob(p int) {
	x.changeFront(x.w.sc.Processes[p].Front, func(f *front) { f.asleep, f.watch = false, 0 })
}

// shared notes that what a host remembers has changed: all of it remember it, and
// those that a clock starts look again.
func (x *step) shared(p int, list []memory) {
	for _, m := range x.w.together(p) {
		x.change(m, func(pr *process) { pr.memory = list })
		x.runsAgain(m)
		if m != p && x.w.sc.Processes[m].Kind == Job {
			x.wakeUpJob(m)
		}
	}
}

// cut is the loss of a connection: to a broker it is one for all of a host, and
// queues with one profile stand on one broker.
func (x *step) cut(p int, kind partyKind, i int) {
	x.disconnect(p, kind, i)
	if kind != partyQueue || !x.w.hosted(p) {
		return
	}
	for _, m := range x.w.together(p) {
		if m == p {
			continue
		}
		for q := range x.w.sc.Queues {
			if x.w.sc.Queues[q].Profile == x.w.sc.Queues[i].Profile && x.uses(m, q) {
				x.disconnect(m, kind, q)
			}
		}
	}
}

// uses tells whether a process has something at stake on a connection to a
// queue's broker.
func (x *step) uses(p, q int) bool {
	decl, pr := &x.w.sc.Processes[p], x.proc(p)
	if decl.Kind == Consumer && decl.Queue == q && !pr.gone && (pr.node != 0 || pr.owes || len(pr.buffer) > 0) {
		return true
	}
	return slices.ContainsFunc(pr.awaited, func(k confirm) bool { return int(k.queue) == q })
}

// waitsForRest notes that a process has come to its end in order while others of
// its host have not, and tells whether that is so.
func (x *step) waitsForRest(p int) bool {
	if !x.w.hosted(p) {
		return false
	}
	x.change(p, func(pr *process) { pr.done = true })
	for _, m := range x.w.together(p) {
		if !x.proc(m).done {
			return true
		}
	}
	return false
}
