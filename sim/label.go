package sim

// Attribution: a label says to which intent a piece of data belongs. It
// travels from the request to the message, from the message to the delivery
// and from there to whatever the handler writes or calls; rows and messages
// keep it, and a row hands it to whoever reads it. No handler can read a label.
//
// A handler that has come by exactly one label works for that intent. With
// several, or with none, the text has to say whose work a call is, and where it
// doesn't, it is wrong at that line: a guess would make verdicts a matter of
// luck.

// handOn gives the handler of process p what it is told: a row, a record or one
// more delivery with this label. Where the text says of = ..., each is
// remembered by its place, so that a call can name it.
func (x *step) handOn(p int, l labelID) {
	pr := x.proc(p)
	if x.w.sc.Sources {
		x.change(p, func(pr *process) { pr.sources = append(append([]labelID(nil), pr.sources...), l) })
	}
	switch {
	case l == 0 || l == pr.label || pr.mixed:
	case pr.label == 0:
		x.change(p, func(pr *process) { pr.label = l })
	default:
		x.change(p, func(pr *process) { pr.mixed = true })
	}
}

// startsFor gives a handler that begins the label of its request or delivery,
// and what else f changes with it.
func (x *step) startsFor(p int, l labelID, f func(*process)) {
	x.change(p, func(pr *process) {
		f(pr)
		pr.label = l
		pr.kill = x.w.sc.Processes[p].KillAfter
		if x.w.sc.Sources {
			pr.sources = []labelID{l}
		}
	})
}

// labelOf is the intent that a call of process p works for. Where the text
// leaves open whose work it is, the run cannot go on.
func (x *step) labelOf(p int, c *Call) labelID {
	if x.late != nil {
		return *x.late
	}
	pr := x.proc(p)
	switch {
	case c.Of == OfNobody:
		return 0
	case c.Of > 0:
		return pr.sources[c.Of-1]
	case pr.mixed && x.w.asksWhose(c):
		x.whose(p, c, "the handler has been told of several intents, so nobody can say for which of them this is")
		return 0
	case pr.mixed:
		return 0
	case pr.label == 0 && x.w.needsIntent(c):
		x.whose(p, c, "the handler has been told of no intent, so nobody can say for which one this is")
	}
	return pr.label
}

// whose notes that the text is wrong at this call.
func (x *step) whose(p int, c *Call, text string) {
	if x.err == nil {
		x.err = &MistakeError{Process: x.w.procName(p), Node: x.proc(p).node, Handler: x.handler(p),
			Code: "whose", Text: text, Next: "Add of = the row, delivery or request that it belongs to; of = None if it is nobody's."}
	}
}

// asksWhose tells whether a call gives a label to anything. A change of a row
// leaves the row to whom it belonged.
func (w *World) asksWhose(c *Call) bool {
	switch c.Verb {
	case VerbUpdate, VerbAdd, VerbDelete, VerbChange, VerbRemove, VerbClaim:
		return w.isEffect(c)
	}
	return true
}

// needsIntent tells whether a call makes something that the observer asks
// about: a message, an email or a row of an effect table.
func (w *World) needsIntent(c *Call) bool {
	switch partyOf(c.Verb) {
	case partyQueue, partyProvider:
		return true
	case partyDatabase:
		return w.isEffect(c)
	}
	return false
}

func (w *World) isEffect(c *Call) bool {
	return c.Table >= 0 && w.sc.Databases[c.Party].Tables[c.Table].Role == RoleEffect
}

// worksFor tells whether a process's handler has been told of an intent.
func (pr *process) worksFor(i int) bool {
	if pr.node == 0 {
		return false
	}
	for _, l := range pr.sources {
		if int(l) == i+1 {
			return true
		}
	}
	return int(pr.label) == i+1
}
