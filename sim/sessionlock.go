package sim

// Session locks: names that a connection holds until it lets go of them or
// ends (PostgreSQL manual 9.28, advisory locks). No transaction and no end of
// a handler gives them back: a process keeps its connection. Its crash and the
// loss of its connection do. The same connection may take a lock again, and
// then has to let go of it as often.

// maxDepth is where it no longer counts how often a session has taken a lock.
const maxDepth = 16

// sessionLock takes a lock, tries to, or gives one back.
func (x *step) sessionLock(p, d int, c *Call) outcome {
	vals := x.w.sc.Values
	old := x.locks(d)
	mine := namedLock{name: c.Key, owner: uint8(p + 1)}
	l := *old
	l.named = nil
	for _, n := range old.named {
		if n.name == c.Key && n.owner == mine.owner {
			mine = n
		} else {
			l.named = append(l.named, n)
		}
	}
	switch {
	case c.Verb == VerbUnlock && mine.depth == 0:
		return outcome{answer: Answer{Value: vals.Bool(false)}}
	case c.Verb == VerbUnlock:
		mine.depth--
	case x.heldByOther(p, d, c.Key) < 0:
		mine.depth = min(mine.depth+1, maxDepth)
	case c.Verb == VerbLock:
		return x.inTheWay(p, d)
	default:
		return outcome{answer: Answer{Value: vals.Bool(false)}}
	}
	if mine.depth > 0 {
		l.named = insertNamed(l.named, mine)
	}
	x.setLocks(d, &l)
	if c.Verb == VerbLock {
		return outcome{}
	}
	return outcome{answer: Answer{Value: vals.Bool(true)}}
}

// heldByOther is the process beside p that holds a lock, or -1.
func (x *step) heldByOther(p, d int, name ValueID) int {
	for _, n := range x.locks(d).named {
		if n.name == name && int(n.owner) != p+1 {
			return int(n.owner) - 1
		}
	}
	return -1
}

func (x *step) holdsNamed(p, d int) bool {
	for _, n := range x.locks(d).named {
		if int(n.owner) == p+1 {
			return true
		}
	}
	return false
}

// dropNamed gives back what a connection held that has ended.
func (x *step) dropNamed(p, d int) {
	if !x.holdsNamed(p, d) {
		return
	}
	l := *x.locks(d)
	named := l.named
	l.named = nil
	for _, n := range named {
		if int(n.owner) != p+1 {
			l.named = append(l.named, n)
		}
	}
	x.setLocks(d, &l)
}

// insertNamed keeps locks in an order that carries no history.
func insertNamed(list []namedLock, add namedLock) []namedLock {
	at := 0
	for at < len(list) && list[at].name < add.name {
		at++
	}
	return append(list[:at:at], append([]namedLock{add}, list[at:]...)...)
}
