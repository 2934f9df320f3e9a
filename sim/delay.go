package sim

// Messages that are not ready although nobody holds them, where a message that
// comes back becomes available, and messages that wait too long.

// isDue tells whether the broker can hand out a message now, but for its group.
func (w *World) isDue(q int, m *message) bool {
	return m.holder == 0 && m.pending == notPending && !w.overcounted(q, *m) && !(m.mortal && m.left == 0)
}

// order is how a queue's messages are kept.
type order uint8

const (
	byName  order = iota // delivered in any order: kept in a fixed one
	byAge                // the oldest ready one is delivered first
	byGroup              // the oldest one of each group may be delivered
)

func (w *World) orderOf(q int) order {
	switch decl := &w.sc.Queues[q]; {
	case decl.Groups:
		return byGroup
	case decl.Ordered:
		return byAge
	}
	return byName
}

// laneOf sorts the parts of a queue that is kept by age: what came back, what
// is with somebody or comes back later, what was never delivered, what is not
// in the queue yet. Only the first and the third have an order of their own;
// the others are kept by name, because nothing can tell their order. Where a
// message keeps its place when it is handed out, there are only two parts.
func laneOf(m *message, lined bool) int {
	switch {
	case m.pending == scheduled:
		return 3
	case !lined:
		return 2
	case m.holder != 0 || m.pending == paused:
		return 1
	case m.front:
		return 0
	}
	return 2
}

// lined tells whether messages change their place when they are handed out.
func (w *World) lined(q int) bool {
	return w.orderOf(q) == byAge && w.sc.Queues[q].Requeue != RequeuePlace
}

// place is the index at which a message belongs in a list without it.
func (w *World) place(q int, list []message, m *message) int {
	lined := w.lined(q)
	i := 0
	for ; i < len(list); i++ {
		if w.placedBefore(q, lined, m, &list[i]) {
			break
		}
	}
	return i
}

// placedBefore tells whether a message that is put in goes before o.
func (w *World) placedBefore(q int, lined bool, m, o *message) bool {
	switch w.orderOf(q) {
	case byName:
		return !w.messageBefore(o.id, m.id)
	case byGroup:
		if m.group != o.group {
			return w.sc.Values.Less(m.group, o.group)
		}
		return m.group == None && !w.messageBefore(o.id, m.id)
	}
	a, b := laneOf(m, lined), laneOf(o, lined)
	if a != b {
		return a < b
	}
	return (a == 1 || a == 3) && !w.messageBefore(o.id, m.id)
}

// move puts message i to the place where it belongs now.
func (w *World) move(q int, qu *queue, i int) {
	m := qu.messages[i]
	qu.messages = w.insertMessage(q, append(qu.messages[:i], qu.messages[i+1:]...), m)
}

// comeBack makes a message available again, after a pause if there is one.
// given tells that its consumer gave it back on purpose.
func (w *World) comeBack(q int, qu *queue, i int, last uint8, pause Seconds, given bool) {
	decl := &w.sc.Queues[q]
	m := &qu.messages[i]
	ready(m, last)
	m.again = w.sc.Again
	if pause == 0 && decl.Backoff != nil && !decl.BackoffLease {
		pause = backoff(decl.Backoff, m.count)
	}
	if pause > 0 {
		m.pending, m.due = paused, pause
	}
	if w.lined(q) {
		m.front = decl.Requeue == RequeueFront || !given
		w.move(q, qu, i)
	}
}

// backoff is the step of a backoff list after so many deliveries.
func backoff(list []Seconds, count uint8) Seconds {
	return list[min(max(int(count), 1), len(list))-1]
}

// release makes a message ready whose delay is over.
func (x *step) release(q, i int) {
	m := x.queue(q).messages[i]
	x.changeQueue(q, func(qu *queue) {
		qu.messages[i].pending, qu.messages[i].due = notPending, 0
		if x.w.lined(q) || m.pending == scheduled && x.w.orderOf(q) == byAge {
			x.w.move(q, qu, i)
		}
	})
	x.emit(Event{Kind: EventReady, Proc: -1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
}

// age ends the lifetime of a message.
func (x *step) age(q, i int) {
	m := x.queue(q).messages[i]
	e := Event{Kind: EventAged, Proc: int16(m.holder) - 1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label}
	x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
	if x.w.sc.Queues[q].BuriesAged {
		e.To = x.deadLetter(q, m)
	}
	x.emit(e)
}

// mayAge tells whether the end of its lifetime would end a message now.
func (w *World) mayAge(q int, m *message) bool {
	return m.mortal && (m.holder == 0 || w.sc.Queues[q].DropsHeld)
}

// timed tells whether a queue has timers besides leases.
func (q *Queue) timed() bool { return q.Delays || q.Ages || q.Dedupe > 0 }

// queueTimer is a timer of a queue besides its leases.
type queueTimer struct {
	left  Seconds
	name  string
	wakes bool // the clock moves for it alone
	ages  bool // a lifetime ends
	fire  func(x *step)
}

// queueTimers lists a queue's timers besides its leases, the next ones and
// those that are due.
func (x *step) queueTimers(q int) []queueTimer {
	w, qu := x.w, x.queue(q)
	name := w.sc.Queues[q].Name
	var list []queueTimer
	for i := range qu.messages {
		m := &qu.messages[i]
		if m.pending == scheduled || m.pending == paused {
			list = append(list, queueTimer{left: m.due, name: name + " releases " + w.messageName(m.id), wakes: true, fire: func(x *step) { x.release(q, i) }})
		}
		if w.mayAge(q, m) {
			list = append(list, queueTimer{left: m.left, name: name + " expires " + w.messageName(m.id), wakes: true, ages: true, fire: func(x *step) { x.age(q, i) }})
		}
	}
	for i, k := range qu.known {
		list = append(list, queueTimer{left: k.left, name: name + " forgets " + w.knownName(qu, i), fire: func(x *step) { x.forgetID(q, i) }})
	}
	return list
}

// dueSteps lists what is due at a queue.
func (w *World) dueSteps(q int) func(*step) {
	return func(x *step) {
		for _, t := range x.queueTimers(q) {
			if t.left == 0 {
				x.open()
				t.fire(x)
				x.close(Outcome{Name: t.name, Kind: StepTimer, Proc: -1, Ages: t.ages})
			}
		}
	}
}

// fireQueue lists a step for each timer of a queue that ends in d.
func (w *World) fireQueue(x *step, q int, d Seconds) {
	for _, t := range x.queueTimers(q) {
		if t.left == d {
			x.open()
			x.advance(d)
			t.fire(x)
			x.close(Outcome{Name: t.name, Kind: StepTimer, Proc: -1, Ages: t.ages})
		}
	}
}

// advanceQueue lets time pass for what a queue waits for or remembers.
func (x *step) advanceQueue(q int, d Seconds) {
	if old := x.queue(q); len(old.messages)+len(old.known) == 0 {
		return
	}
	x.changeQueue(q, func(qu *queue) {
		for i := range qu.messages {
			m := &qu.messages[i]
			if m.pending != notPending {
				m.due = max(0, m.due-d)
			}
			m.left = max(0, m.left-d) // somebody may hold it beyond its time
		}
		qu.known = append([]knownID(nil), qu.known...)
		for i := range qu.known {
			qu.known[i].left -= d
		}
	})
}
