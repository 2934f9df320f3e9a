package sim

// Stamps: a column that falls due. after(60) writes one; due() and not_due()
// ask for it. What a row holds is the time that is left, so that states stay
// few: a stamp that is due says no longer since when. Like an age, it counts
// from the commit.

// stampOf returns the time that is left of a stamp.
func (w *World) stampOf(v ValueID) (left Seconds, is bool) {
	term := w.sc.Values.Get(v)
	if term.Kind != KindTerm || term.String != TermAfter {
		return 0, false
	}
	return Seconds(w.sc.Values.Get(term.Fields[0].Value).Int), true
}

// firstStamp is the stamp of a row that falls due next.
func (w *World) firstStamp(body ValueID) (left Seconds, ahead bool) {
	for _, f := range w.sc.Values.Get(body).Fields {
		if l, is := w.stampOf(f.Value); is && l > 0 && (!ahead || l < left) {
			left, ahead = l, true
		}
	}
	return left, ahead
}

// runDown moves the stamps of a row by some time, and tells whether one of them
// falls due by that.
func (w *World) runDown(body ValueID, by Seconds) (ValueID, bool) {
	vals, due := w.sc.Values, false
	for _, f := range vals.Get(body).Fields {
		if left, is := w.stampOf(f.Value); is && left > 0 {
			due = due || left <= by
			body = vals.With(body, f.Name, vals.Term(TermAfter, vals.Int(int64(max(0, left-by)))))
		}
	}
	return body, due
}

// told is a row as a handler is told of it: a stamp says whether it was due when
// it was read, since a handler has no clock that it could be compared with.
func (w *World) told(d int, table int16, body ValueID) ValueID {
	if !w.sc.Databases[d].Tables[table].Stamps {
		return body
	}
	vals := w.sc.Values
	for _, f := range vals.Get(body).Fields {
		if left, is := w.stampOf(f.Value); is {
			body = vals.With(body, f.Name, vals.Bool(left == 0))
		}
	}
	return body
}

// timeAlone is how long it takes until time alone changes what somebody may be
// told who can still come: a person, a request that comes when it likes, a
// process that is stalled. Where nobody else waits for that moment, it passes by
// itself.
func (w *World) timeAlone(x *step) (left Seconds, ahead bool) {
	if !w.dated || !w.sc.Plodding && !x.anyStalled() && !x.outlasted() {
		return 0, false
	}
	return x.ageAhead(^uint64(0))
}

func (x *step) anyStalled() bool {
	for p := range x.w.sc.Processes {
		if x.proc(p).stalled {
			return true
		}
	}
	return false
}

// timePasses is the step of that moment.
func (w *World) timePasses(x *step, d Seconds) {
	if left, ahead := w.timeAlone(x); ahead && left == d {
		x.open()
		x.advance(d)
		x.close(Outcome{Name: "time passes", Kind: StepTimer, Proc: -1})
	}
}
