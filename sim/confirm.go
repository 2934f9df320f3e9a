package sim

// Publishing: what a broker makes of a message that reaches it, and confirms
// that are awaited later.

// publish is a message that reaches the broker.
func (x *step) publish(p int, c *Call) outcome {
	if x.w.logOf(int(c.Party)) >= 0 {
		return x.append(p, c)
	}
	a := x.post(p, c)
	if c.Post.Later {
		x.await(p, c, a)
	}
	if !c.Confirm {
		a = Answer{}
	}
	return outcome{answer: a}
}

// post stores a message or says why not.
func (x *step) post(p int, c *Call) Answer {
	q := int(c.Party)
	decl := &x.w.sc.Queues[q]
	e := Event{Proc: int16(p), Queue: int16(q), Message: x.w.sc.Values.Plain(c.Op), Label: x.labelOf(p, c)}
	if decl.Unbound {
		e.Kind = EventUnroutable
		x.emit(e)
		if decl.UnboundFails || c.Post.Mandatory {
			return Answer{Code: Unroutable}
		}
		return Answer{}
	}
	id := x.identity(c)
	if id != None && x.queue(q).knows(id) {
		e.Kind = EventDuplicate
		x.emit(e)
		return x.w.stored(c, true)
	}
	if decl.MaxLength > 0 && len(x.queue(q).messages) >= decl.MaxLength && !x.dropHead(q) {
		e.Kind = EventRefused
		x.emit(e)
		return Answer{Code: Refused}
	}
	m := x.newMessage(p, q, c)
	if m.unsaved {
		m.knownAs = id
	}
	x.changeQueue(q, func(qu *queue) {
		qu.messages = x.w.insertMessage(q, qu.messages, m)
		if id != None {
			x.w.remember(q, qu, id)
		}
	})
	if c.Confirm && !c.Post.Later {
		x.save(q, anyMessage)
	}
	e.Kind, e.Message = EventStored, x.w.messageName(m.id)
	x.emit(e)
	return x.w.stored(c, false)
}

// stored is the confirm of a message that is in the queue now, or was before.
func (w *World) stored(c *Call, duplicate bool) Answer {
	if !tellsDuplicates(w.sc, c) {
		return Answer{}
	}
	return Answer{Value: [...]ValueID{False, True}[flag(duplicate)]}
}

// tellsDuplicates tells whether the confirm of a publish says if it was one of
// a known message.
func tellsDuplicates(sc *Scenario, c *Call) bool {
	q := &sc.Queues[c.Party]
	return q.Dedupe > 0 && !q.Silent && (c.Post.ID != None || q.DedupesBody)
}

// newMessage is the message that a publish makes.
func (x *step) newMessage(p, q int, c *Call) message {
	m := message{id: x.nextMessage(q, c.Op), body: c.Body, label: x.labelOf(p, c)}
	m.group, m.transient = c.Post.Group, c.Post.Transient && x.w.restarts(q)
	m.unsaved = x.leavesUnsaved(q, c)
	if c.Post.Nth > 0 && (x.w.sc.Cancels || m.unsaved && c.Post.Later) && x.late == nil { // of one that came late nobody has the handle
		m.by, m.nth = uint8(p+1), c.Post.Nth
	}
	x.w.born(q, &m)
	if c.Seconds > 0 {
		m.pending, m.due = scheduled, c.Seconds
	}
	if life := c.Post.Lifetime; life > 0 && (!m.mortal || life < m.left) {
		m.mortal, m.left = true, life
	}
	return m
}

// born gives a message what its queue gives every one: a delay and a lifetime.
func (w *World) born(q int, m *message) {
	decl := &w.sc.Queues[q]
	if decl.Delay > 0 {
		m.pending, m.due = scheduled, decl.Delay
	}
	if decl.Lifetime > 0 {
		m.mortal, m.left = true, decl.Lifetime
	} else if w.outlives(q) {
		m.left = w.sc.Queues[decl.DeadLetter].Lifetime
	}
}

// dropHead makes room in a full queue whose oldest message goes for a new one.
func (x *step) dropHead(q int) bool {
	if !x.w.sc.Queues[q].DropsHead {
		return false
	}
	for i, m := range x.queue(q).messages {
		if m.holder == 0 && m.pending != kept {
			x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
			e := Event{Kind: EventAged, Proc: -1, Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label}
			e.To = x.deadLetter(q, m)
			x.emit(e)
			return true
		}
	}
	return true // everything is with somebody: the limit is overshot
}

// await notes the answer to a publish whose caller asks for it later.
func (x *step) await(p int, c *Call, a Answer) {
	x.change(p, func(pr *process) {
		list := append([]confirm(nil), pr.awaited...)
		pr.awaited = append(list, confirm{uint8(c.Party), c.Post.Nth, a})
	})
}

// takeConfirm is the answer that a wait gets.
func (x *step) takeConfirm(p int, c *Call) Answer {
	var a Answer
	x.change(p, func(pr *process) {
		var rest []confirm
		for _, k := range pr.awaited {
			if k.nth == c.Post.Nth {
				a = k.answer
			} else {
				rest = append(rest, k)
			}
		}
		pr.awaited = rest
	})
	return a
}

// wait is the moment at which a publisher learns what became of a publish; one
// whose confirm was lost on the way waits in vain.
func (x *step) wait(p int, c *Call) {
	a := x.takeConfirm(p, c)
	if a.Code == OK {
		x.save(int(c.Party), func(_ int, m *message) bool { return int(m.by) == p+1 && m.nth <= c.Post.Nth })
	}
	x.called(p, c, a, NoFault)
	if patience := timeoutOf(x.w.sc, c); a.Code == Timeout && patience > 0 {
		x.change(p, func(pr *process) { pr.timing, pr.timer = awaiting, patience })
		return
	}
	x.answer(p, a)
}

// loseConfirms loses the confirms on their way to a process from a queue.
func (x *step) loseConfirms(p, q int) {
	if len(x.proc(p).awaited) == 0 {
		return
	}
	x.change(p, func(pr *process) {
		pr.awaited = append([]confirm(nil), pr.awaited...)
		for i := range pr.awaited {
			if int(pr.awaited[i].queue) == q {
				pr.awaited[i].answer = Answer{Code: Timeout}
			}
		}
	})
}

// cancel takes back a message that nobody holds.
func (x *step) cancel(p int, c *Call) outcome {
	q := int(c.Party)
	for i, m := range x.queue(q).messages {
		if int(m.by) == p+1 && m.nth == c.Post.Nth && m.holder == 0 {
			x.changeQueue(q, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
			x.emit(Event{Kind: EventCancelled, Proc: int16(p), Queue: int16(q), Message: x.w.messageName(m.id), Label: m.label})
			return outcome{answer: Answer{Value: True}}
		}
	}
	return outcome{answer: Answer{Value: False}}
}

// disown ends what a process can still take back: its handler has ended.
func (x *step) disown(p int) {
	for q := range x.w.sc.Queues {
		for _, m := range x.queue(q).messages {
			if int(m.by) != p+1 {
				continue
			}
			x.changeQueue(q, func(qu *queue) {
				for i := range qu.messages {
					if int(qu.messages[i].by) == p+1 {
						qu.messages[i].by, qu.messages[i].nth = 0, 0
					}
				}
			})
			break
		}
	}
}

// redrive moves what nobody holds in one queue into another, as new messages
// of the same wishes. It tells how many.
func (x *step) redrive(p int, c *Call) outcome {
	from, to := int(c.Party), int(c.To)
	n := 0
	for i := 0; i < len(x.queue(from).messages); {
		m := x.queue(from).messages[i]
		if m.holder != 0 || m.pending == kept {
			i++
			continue
		}
		n++
		x.changeQueue(from, func(qu *queue) { qu.messages = append(qu.messages[:i], qu.messages[i+1:]...) })
		x.emit(Event{Kind: EventRedriven, Proc: int16(p), Queue: int16(from), Message: x.w.messageName(m.id), Label: m.label, To: x.w.sc.Queues[to].Name})
		x.moveInto(to, m)
	}
	return outcome{answer: Answer{Value: x.w.sc.Values.Int(int64(n))}}
}

// moveInto puts a message of another queue into this one, as a new message.
func (x *step) moveInto(q int, m message) messageID {
	moved := message{id: x.nextMessage(q, m.id.op), body: m.body, label: m.label}
	moved.group = m.group
	x.w.born(q, &moved)
	x.changeQueue(q, func(qu *queue) { qu.messages = x.w.insertMessage(q, qu.messages, moved) })
	return moved.id
}

// publishWord is what a schedule calls a publish: one whose confirm is awaited
// later is only sent.
func publishWord(c *Call) string {
	if c.Post.Later {
		return "send"
	}
	return "publish"
}

// awaitedConnections lists the connections that can be lost with confirms on
// their way to a publisher.
func (w *World) awaitedConnections(x *step, p int) {
	done := uint64(0)
	for _, k := range x.proc(p).awaited {
		q := int(k.queue)
		consumes := w.sc.Processes[p].Kind == Consumer && w.sc.Processes[p].Queue == q
		if done&(1<<q) != 0 || consumes || !x.canStrike(ConnectionLost, p, &Call{Verb: VerbAck, Party: int16(q)}) || w.sc.Queues[q].Boundary != Connection {
			continue
		}
		done |= 1 << q
		x.strike(ConnectionLost, p, w.procName(p)+" connection-lost to "+w.sc.Queues[q].Name, func() {
			x.cut(p, partyQueue, q)
		})
	}
}
