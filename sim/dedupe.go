package sim

// Duplicates that a broker recognises. The window begins with the copy that is
// accepted and is not refreshed by those that are not; what was accepted stays
// known after it was consumed. Forgetting moves the clock only together with
// something else, like a provider's keys.

// identity is what a publish's duplicates are recognised by at its queue, or
// None.
func (x *step) identity(c *Call) ValueID {
	decl := &x.w.sc.Queues[c.Party]
	switch {
	case decl.Dedupe == 0:
		return None
	case c.Post.ID != None:
		return c.Post.ID
	case decl.DedupesBody:
		return x.w.sc.Values.Record([]Field{{"body", c.Body}, {"op", c.Op}})
	}
	return None
}

// knownName names what a queue remembers: the id, or the operation of a message
// that is known by its contents, with a number where several are.
func (w *World) knownName(qu *queue, i int) string {
	op, byContents := w.sc.Values.Field(qu.known[i].id, "op")
	if !byContents {
		return "id " + w.sc.Values.Plain(qu.known[i].id)
	}
	n := 1
	for _, k := range qu.known[:i] {
		if other, ok := w.sc.Values.Field(k.id, "op"); ok && other == op {
			n++
		}
	}
	return w.messageName(messageID{op, uint8(n)})
}

func (qu *queue) knows(id ValueID) bool {
	for _, k := range qu.known {
		if k.id == id {
			return true
		}
	}
	return false
}

// remember begins the window of an accepted message.
func (w *World) remember(q int, qu *queue, id ValueID) {
	k := knownID{id, w.sc.Queues[q].Dedupe}
	qu.known = insertKnown(w.sc.Values, qu.known, k)
}

// insertKnown keeps what is known in an order that carries no history.
func insertKnown(values *Values, list []knownID, k knownID) []knownID {
	out := make([]knownID, 0, len(list)+1)
	i := 0
	for ; i < len(list) && values.Less(list[i].id, k.id); i++ {
		out = append(out, list[i])
	}
	return append(append(out, k), list[i:]...)
}

func (x *step) forgetID(q, i int) {
	name := x.w.knownName(x.queue(q), i)
	x.changeQueue(q, func(qu *queue) {
		qu.known = append(append([]knownID(nil), qu.known[:i]...), qu.known[i+1:]...)
	})
	x.emit(Event{Kind: EventForgotten, Proc: -1, Queue: int16(q), Text: name})
}
