package sim

// Ages: how long ago a row was last written. Only a text that asks for them
// makes them state. An age stops at the largest one that the text asks for,
// since nothing tells larger ones apart. It counts from the commit: a
// transaction of PostgreSQL that stamps its rows with now() stamps them with
// the moment at which it began, which is as good as the same as long as
// transactions are short.

func isAge(term string) bool { return term == TermOlder || term == TermYounger }

// advanceAges lets rows grow older, and tells the jobs when one of them has
// passed an age that the text asks for. They grow before anybody acts.
func (x *step) advanceAges(by Seconds) {
	for d, db := range x.w.sc.Databases {
		for t, tab := range db.Tables {
			if len(tab.Ages) == 0 && !tab.Stamps || len(x.table(d, t).rows) == 0 {
				continue
			}
			rows := append([]row(nil), x.table(d, t).rows...)
			passed := false
			for i := range rows {
				if len(tab.Ages) > 0 {
					next, ahead := nextAge(tab.Ages, rows[i].age)
					passed = passed || ahead && rows[i].age+by >= next
					rows[i].age = min(rows[i].age+by, tab.Ages[len(tab.Ages)-1])
				}
				if tab.Stamps {
					body, due := x.w.runDown(rows[i].body, by)
					rows[i].body, passed = body, passed || due
				}
			}
			x.setTable(d, t, &table{sortRows(rows), x.table(d, t).last})
			if passed {
				x.wakeJobs(d, t)
			}
		}
	}
}

// nextAge is the next of these ages that a row has before it.
func nextAge(ages []Seconds, age Seconds) (next Seconds, ahead bool) {
	for _, a := range ages {
		if a > age {
			return a, true
		}
	}
	return 0, false
}

// ageAhead tells how long it takes until an answer that came from these slots
// may become another one by the passing of time alone.
func (x *step) ageAhead(slots uint64) (left Seconds, ahead bool) {
	for d, db := range x.w.sc.Databases {
		for t, tab := range db.Tables {
			if len(tab.Ages) == 0 && !tab.Stamps || slots&(1<<x.w.tableSlot[d][t]) == 0 {
				continue
			}
			for _, r := range x.table(d, t).rows {
				if next, some := nextAge(tab.Ages, r.age); some && (!ahead || next-r.age < left) {
					left, ahead = next-r.age, true
				}
				if tab.Stamps {
					if stamp, some := x.w.firstStamp(r.body); some && (!ahead || stamp < left) {
						left, ahead = stamp, true
					}
				}
			}
		}
	}
	return left, ahead
}
