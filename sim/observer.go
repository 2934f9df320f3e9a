package sim

// What the observer is told by the text itself: who has something open, who has
// changed their mind, who has taken over, and why there should be an effect.

// Pattern names rows: those whose column has one of the values.
type Pattern struct {
	Column string
	Values []ValueID
}

// note carries out what a handler tells the observer.
func (x *step) note(p int, c *Call) {
	label := x.labelOf(p, c)
	x.changeIntent(label, func(g *intentGhost) {
		if c.Verb == VerbWithdraw {
			g.withdrawn = true
		} else {
			g.handed = true
		}
	})
	x.emit(Event{Kind: EventTold, Proc: int16(p), Call: c, Label: label})
}

// isOpen tells whether a row says that somebody has it open.
func (w *World) isOpen(tab *Table, r row) bool {
	for _, pat := range tab.Open {
		have, ok := w.sc.Values.Field(r.body, pat.Column)
		for _, v := range pat.Values {
			if ok && have == v {
				return true
			}
		}
	}
	return false
}

// claimed tells whether an open row of a table names an intent.
func (x *step) claimed(d, t, i int) bool {
	for _, r := range x.table(d, t).rows {
		if int(r.label) == i+1 && x.w.isOpen(&x.w.sc.Databases[d].Tables[t], r) {
			return true
		}
	}
	return false
}

// HasClaims tells whether some table's rows can say that somebody has an
// intent open.
func (w *World) HasClaims() bool {
	for _, db := range w.sc.Databases {
		for _, t := range db.Tables {
			if len(t.Open) > 0 {
				return true
			}
		}
	}
	return false
}

// hasCauses tells whether effects need a committed row to stand on.
func hasCauses(sc *Scenario) bool {
	for _, db := range sc.Databases {
		for _, t := range db.Tables {
			if t.Role == RoleCause {
				return true
			}
		}
	}
	return false
}

// wants is how many effects an intent wants in a place.
func (w *World) wants(i, channel int) uint8 {
	if list := w.sc.Intents[i].Wants; list != nil {
		return list[channel]
	}
	return 1
}

// Causeless returns the intents that have an effect though the row that would
// be its cause was never committed. A commit that is still to come heals it.
func (w *World) Causeless(s State) uint64 {
	if len(w.judges[judgeCauseless]) == 0 {
		return 0
	}
	return w.judge(judgeCauseless, s)
}
