package sim

import "sort"

// A restart of a broker, as a fault: what it keeps, and whom it disconnects.
// Queues with one profile stand on one broker and restart together.

// restarts tells whether the broker of a queue can restart in this scenario.
func (w *World) restarts(q int) bool {
	return w.sc.Faults.Limit[BrokerRestart] > 0 && !w.sc.Queues[q].Managed
}

// restartSteps lists the brokers that can restart.
func (w *World) restartSteps(x *step) {
	if x.budget().total == 0 || x.budget().left[BrokerRestart] == 0 {
		return
	}
	brokers := map[string][]int{}
	var names []string
	for q, decl := range w.sc.Queues {
		if !w.restarts(q) {
			continue
		}
		if brokers[decl.Profile] == nil {
			names = append(names, decl.Profile)
		}
		brokers[decl.Profile] = append(brokers[decl.Profile], q)
	}
	sort.Strings(names)
	for _, name := range names {
		if w.mayRestart(brokers[name]) {
			restart := func(step string, loses bool) {
				x.strike(BrokerRestart, -1, step, func() {
					for _, q := range brokers[name] {
						x.restart(q, loses)
					}
				})
			}
			restart(name+" restart", false)
			if x.anyUnsaved(brokers[name]) {
				restart(name+" restart (unsaved lost)", true)
			}
		}
	}
}

// mayRestart asks the scope of the faults: one queue of a broker is enough.
func (w *World) mayRestart(queues []int) bool {
	for _, q := range queues {
		if !w.sc.Faults.Scoped || w.sc.Faults.Queues[q] {
			return true
		}
	}
	return false
}

// restart loses what a queue's broker keeps in memory, and every connection to
// it. What the broker has not written down was either written at the last moment,
// or it is lost too.
func (x *step) restart(q int, losesUnsaved bool) {
	decl := &x.w.sc.Queues[q]
	x.emit(Event{Kind: EventRestart, Proc: -1, Queue: int16(q), Text: decl.Profile})
	for p := range x.w.sc.Processes {
		x.cutOff(p, q)
	}
	x.wipe(q)
	if losesUnsaved {
		x.loseUnsaved(q)
	}
	x.save(q, anyMessage)
	if decl.MarksAll && x.w.sc.Again && len(x.queue(q).messages) > 0 {
		x.changeQueue(q, func(qu *queue) {
			for i := range qu.messages {
				qu.messages[i].again = true
			}
		})
	}
}

// cutOff ends a process's connection to a queue whose broker restarts. Where
// each call is a request of its own there is none, but a confirm on its way is
// lost all the same.
func (x *step) cutOff(p, q int) {
	decl := &x.w.sc.Processes[p]
	consumes := decl.Kind == Consumer && decl.Queue == q
	if x.w.sc.Queues[q].Boundary != Connection || !consumes || heldBy(x.queue(q), p) == 0 && x.proc(p).node == 0 && len(x.proc(p).buffer) == 0 {
		x.loseConfirms(p, q)
		return
	}
	x.disconnect(p, partyQueue, q)
}

// wipe removes what a restart does not survive.
func (x *step) wipe(q int) {
	decl := &x.w.sc.Queues[q]
	for i := 0; i < len(x.queue(q).messages); {
		m := x.queue(q).messages[i]
		if !decl.Volatile && !(decl.LosesLight && m.transient) {
			i++
			continue
		}
		x.wiped(q, i, false)
	}
	if decl.Volatile && len(x.queue(q).known) > 0 {
		x.changeQueue(q, func(qu *queue) { qu.known = nil })
	}
}

// wiped loses a message in a restart. unsaved tells that its broker had not
// written it down.
func (x *step) wiped(q, i int, unsaved bool) {
	m := x.queue(q).messages[i]
	x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
	e := Event{Kind: EventWiped, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label}
	if unsaved {
		e.Text = "unsaved"
	}
	x.emit(e)
}
