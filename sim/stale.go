package sim

// What a broker makes of a settle that comes too late: after the lease, after
// somebody else has received the message, after the message is gone. Package
// profile says which broker has which rules, with sources.

// settleRule is what a queue does with a settle that stands so to its message.
func (w *World) settleRule(q int, verb Verb, st standing) StaleRule {
	decl := &w.sc.Queues[q]
	switch {
	case st == current:
		return StaleSettles
	case verb == VerbNack:
		return decl.StaleNack
	case st == late:
		return decl.LateAck
	}
	return decl.StaleAck
}

// ruleVariants lists the free choices of a settle: two where the broker's rule
// is undefined.
func ruleVariants(r StaleRule, verb Verb, st standing) []variant {
	switch {
	case r != StaleChoice:
		return []variant{plain}
	case verb == VerbNack:
		return []variant{keeps, errs}
	case st == settled:
		return []variant{plain} // the message is gone already, and success is reported
	}
	return []variant{keeps, takes}
}

// counts tells whether a settle has its effect.
func counts(r StaleRule, st standing, v variant) bool {
	return st != settled && (r == StaleSettles || v == takes)
}

// isError tells whether a settle that doesn't count is an error.
func isError(r StaleRule, v variant) bool { return r == StaleError || v == errs }

// lateCounts tells whether a settle after the lease, with nobody else holding
// the message, can differ from a stale one at this queue.
func (w *World) lateCounts(q int) bool {
	r := w.sc.Queues[q].LateAck
	return r == StaleSettles || r == StaleChoice
}

// answersStale tells whether the caller of a settle can be told that it does
// not count.
func answersStale(q *Queue, verb Verb) bool {
	if !q.AckAnswers {
		return false
	}
	if q.TagsEnd {
		return true // a delivery that was settled already
	}
	if verb == VerbNack {
		return q.StaleNack == StaleError || q.StaleNack == StaleChoice
	}
	return q.StaleAck == StaleError || q.LateAck == StaleError
}
