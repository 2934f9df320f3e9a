package sim

// What holds up a message that nobody holds: the one that has to go before it.

// Hold is why a message waits behind another one.
type Hold struct {
	Message string // the one that goes before it; empty: none does
	Group   string // of a log: the consumer group that reads in order
	Key     string // of a queue with groups: the group of both
}

// Behind returns what holds up message i of a queue in a state, as the queue's
// order has it. Whether it will go by itself is another question.
func (w *World) Behind(s State, q, i int) Hold {
	x := &step{w: w, base: s}
	list := x.queue(q).messages
	m := &list[i]
	if l := w.logOf(q); l >= 0 {
		part := q - w.sc.Logs[l].First
		for g := range w.sc.Logs[l].Groups {
			if first := int(x.passed(l, g, part)); first < i {
				return Hold{Message: w.messageName(list[first].id), Group: w.sc.Logs[l].Groups[g].Name}
			}
		}
		return Hold{}
	}
	if m.holder != 0 {
		return Hold{}
	}
	switch w.orderOf(q) {
	case byGroup:
		for j := range list {
			o := &list[j]
			if j != i && m.group != None && o.group == m.group && o.pending != kept && (j < i || o.holder != 0) {
				return Hold{Message: w.messageName(o.id), Key: w.sc.Values.Plain(m.group)}
			}
		}
	case byAge:
		for j := range list[:i] {
			if o := &list[j]; o.holder != 0 || w.isDue(q, o) {
				return Hold{Message: w.messageName(list[j].id)}
			}
		}
	}
	return Hold{}
}
