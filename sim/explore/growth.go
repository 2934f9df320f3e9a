package explore

import "github.com/ackademy/ackademy/sim"

// What grows without end. A search that stops at a bound may have met with
// something that counts up for ever: a column that every run adds one to, a
// table that nobody prunes, a queue that nobody empties. States never meet
// again then, and no larger bound will help, so a reader is told what grew.

// Growth is something that only grew along the longest run that was seen.
type Growth struct {
	Name     string // as a reader finds it: "store.outbox.attempts", "rows of store.log", "messages of jobs", "mails of mail"
	From, To int64  // a quarter along that run, and at its end
}

// growthSteps is how long a run has to be before its growth says anything.
const growthSteps = 40

// growing looks along a longest run for what was larger at each quarter of it
// than at the one before. The first quarter is where a scenario gets going.
func (s *search) growing() []Growth {
	if s.bound == NoBound || s.bound == Cancelled {
		return nil
	}
	path := s.longest()
	steps := len(path) - 1
	if steps < growthSteps {
		return nil
	}
	var list []Growth
	var last map[string]int64
	for quarter := 1; quarter <= 4; quarter++ {
		names, sizes := sizesOf(s.w, s.st.state(path[steps*quarter/4]))
		if quarter == 1 {
			for _, name := range names {
				list = append(list, Growth{name, sizes[name], sizes[name]})
			}
		}
		kept := list[:0]
		for _, g := range list {
			size, there := sizes[g.Name]
			if quarter == 1 || there && size > last[g.Name] {
				kept = append(kept, Growth{g.Name, g.From, size})
			}
		}
		list, last = kept, sizes
	}
	return list
}

// longest is the way from the start to one of the deepest states.
func (s *search) longest() []number {
	depth, deepest := s.depths(), none
	for part := range s.st.parts {
		for place := range s.st.parts[part].count {
			n := number(place)<<partitionBits | number(part)
			if deepest == none || depth.of(n) > depth.of(deepest) {
				deepest = n
			}
		}
	}
	path := make([]number, depth.of(deepest)+1)
	for i, at := len(path)-1, deepest; at != none; i, at = i-1, s.st.parent(at) {
		path[i] = at
	}
	return path
}

// sizesOf measures what can grow in a state: numbers in rows, and how much
// there is of everything. Of a column the largest number counts.
func sizesOf(w *sim.World, s sim.State) (names []string, sizes map[string]int64) {
	sizes = map[string]int64{}
	note := func(name string, size int64) {
		if was, known := sizes[name]; !known {
			names = append(names, name)
		} else if was >= size {
			return
		}
		sizes[name] = size
	}
	view, values := w.Look(s), w.Scenario().Values
	for _, q := range view.Queues {
		note("messages of "+q.Name, int64(len(q.Messages)))
	}
	for _, d := range view.Databases {
		for _, t := range d.Tables {
			note("rows of "+d.Name+"."+t.Name, int64(len(t.Rows)))
			for _, r := range t.Rows {
				for _, f := range values.Get(r.Body).Fields {
					if v := values.Get(f.Value); v.Kind == sim.KindInt {
						note(d.Name+"."+t.Name+"."+f.Name, v.Int)
					}
				}
			}
		}
	}
	for _, p := range view.Providers {
		note("mails of "+p.Name, int64(len(p.Mails)))
	}
	return names, sizes
}
