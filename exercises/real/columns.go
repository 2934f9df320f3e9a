package real

import (
	"slices"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
)

// A scenario declares a table's key and nothing else; its rows have the columns
// that handlers write. So the columns of the real table are those that any call
// of this very run speaks of: made, or only stood before.

// columnSet is the columns by database, table and name.
type columnSet map[[2]int16]map[string]bool

func columnsOf(sc *sim.Scenario, run *schedule.Run) [][][]string {
	set := columnSet{}
	for n := range run.Len() + 1 {
		for _, p := range run.World.Look(run.At(n)).Processes {
			if p.Node != 0 {
				set.add(sc, sc.Program.Call(p.Node))
			}
		}
	}
	for i := range run.Len() {
		for _, e := range run.Events(i) {
			if e.Kind == sim.EventCall {
				set.add(sc, e.Call)
			}
		}
	}
	for _, row := range sc.Given {
		set.add(sc, &sim.Call{Verb: sim.VerbInsert, Party: int16(row.Database), Table: int16(row.Table), Body: row.Body})
	}
	all := make([][][]string, len(sc.Databases))
	for d, db := range sc.Databases {
		for t, table := range db.Tables {
			names := set[[2]int16{int16(d), int16(t)}]
			var sorted []string
			for name := range names {
				if name != table.Key {
					sorted = append(sorted, name)
				}
			}
			slices.Sort(sorted)
			if table.Key != "" {
				sorted = append([]string{table.Key}, sorted...)
			}
			all[d] = append(all[d], sorted)
		}
	}
	return all
}

func (s columnSet) add(sc *sim.Scenario, c *sim.Call) {
	if !databaseVerbs[c.Verb.String()] || c.Table < 0 {
		return
	}
	key := [2]int16{c.Party, c.Table}
	if s[key] == nil {
		s[key] = map[string]bool{}
	}
	for _, record := range []sim.ValueID{c.Body, c.Where} {
		for _, f := range sc.Values.Get(record).Fields {
			s[key][f.Name] = true
		}
	}
	if c.Order != sim.None {
		s[key][sc.Values.Plain(c.Order)] = true
	}
}
