package sim

// What a statement says of a column: a value, or a term in place of one. Terms
// that match stand in conditions, terms that make a value in what is written.
//
//	not_(v)        differs from v: IS NOT v, which is true of a missing column
//	any_of(a, b)   is one of these: IN (a, b)
//	above(n)       is a number greater than n
//	below(n)       is a number less than n
//	older(s)       of a row that was last written at least s seconds ago
//	younger(s)     of a row that was last written less than s seconds ago
//	due()          is a stamp whose time has come
//	not_due()      is a stamp whose time has not come
//	after(s)       a stamp that is due in s seconds
//	plus(n)        the number that stood there, or 0, plus n
//	minus(n)       the same minus n
const (
	TermNot     = "not_"
	TermAnyOf   = "any_of"
	TermAbove   = "above"
	TermBelow   = "below"
	TermOlder   = "older"
	TermYounger = "younger"
	TermDue     = "due"
	TermNotDue  = "not_due"
	TermAfter   = "after"
	TermPlus    = "plus"
	TermMinus   = "minus"
)

// matches tells whether a row has the columns of a condition. None is a column
// that the row doesn't have as well as one that was set to None.
func (w *World) matches(r row, where ValueID) bool {
	for _, f := range w.sc.Values.Get(where).Fields {
		have, _ := w.sc.Values.Field(r.body, f.Name)
		if !w.fits(r, have, f.Value) {
			return false
		}
	}
	return true
}

// fits tells whether a column's value is what a condition wants.
func (w *World) fits(r row, have, want ValueID) bool {
	vals := w.sc.Values
	term := vals.Get(want)
	if term.Kind != KindTerm {
		return have == want
	}
	switch v := vals.Get(have); term.String {
	case TermNot:
		return !w.fits(r, have, term.Fields[0].Value)
	case TermAnyOf:
		for _, one := range term.Fields {
			if w.fits(r, have, one.Value) {
				return true
			}
		}
		return false
	case TermAbove:
		return v.Kind == KindInt && v.Int > vals.Get(term.Fields[0].Value).Int
	case TermBelow:
		return v.Kind == KindInt && v.Int < vals.Get(term.Fields[0].Value).Int
	}
	if term.String == TermDue || term.String == TermNotDue {
		left, is := w.stampOf(have)
		return is && (left == 0) == (term.String == TermDue)
	}
	if isAge(term.String) {
		return have != None && (r.age >= Seconds(vals.Get(term.Fields[0].Value).Int)) == (term.String == TermOlder)
	}
	panic("sim: the term " + term.String + " matches nothing")
}

// workOut puts values in the place of the terms that a change holds, given the
// row that stood before. The locks see to it that this row is the one that the
// change is made to.
func (w *World) workOut(wr *write, before ValueID) {
	vals := w.sc.Values
	for _, f := range vals.Get(wr.body).Fields {
		term := vals.Get(f.Value)
		if term.Kind != KindTerm || term.String == TermAfter {
			continue
		}
		n := vals.Get(term.Fields[0].Value).Int
		if term.String == TermMinus {
			n = -n
		}
		old, _ := vals.Field(before, f.Name)
		wr.body = vals.With(wr.body, f.Name, vals.Int(vals.Get(old).Int+n))
		if wr.verb == VerbUpdate {
			wr.verb = VerbChange // it does something else when it is made again
		}
	}
}
