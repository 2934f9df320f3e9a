package explore_test

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// oracle is the slow and obvious second explorer: maps, whole edge lists,
// steps worked out afresh each time, and every question about the future
// answered by walking all of it. It shares the rules with the fast one, not
// the memory, the store, the order of search or the backward pass. On its way
// it checks that what the world remembers of each state is what it works out
// afresh, and that no two enabled steps have one name.
type oracle struct {
	w      *sim.World
	index  map[string]int
	list   []sim.State
	calm   [][]int // successors without a fault
	own    [][]own // those of them that no request leads to which could stay away
	acts   [][]int // successors by an operator's hand
	busy   []bool  // something goes on by itself here
	dist   []int   // shortest number of steps from the start
	edges  int
	judged map[int]sim.Verdicts
}

// own is a step that comes by itself: where it leads, and what is closed by it
// only because a lifetime ends.
type own struct {
	to   int
	aged uint64
}

// newOracle explores everything, or returns nil past a bound.
func newOracle(w *sim.World, most int) (*oracle, error) {
	o := &oracle{w: w.Searching(), index: map[string]int{}, judged: map[int]sim.Verdicts{}}
	o.add(w.Start(), 0)
	for n := 0; n < len(o.list); n++ {
		if len(o.list) > most {
			return nil, nil
		}
		steps, err := o.w.StepsAfresh(o.list[n])
		if err != nil {
			return nil, err
		}
		remembered, err := o.w.Steps(o.list[n])
		if err != nil || !reflect.DeepEqual(remembered, steps) {
			return nil, fmt.Errorf("remembered %v (%v), afresh %v", remembered, err, steps)
		}
		names := map[string]bool{}
		for _, s := range steps {
			if names[s.Name] {
				return nil, fmt.Errorf("two enabled steps are named %q", s.Name)
			}
			names[s.Name] = true
			next := make(sim.State, len(o.list[n]))
			s.Into(next, o.list[n])
			to := o.add(next, o.dist[n]+1)
			o.edges++
			switch s.Fault {
			case sim.OperatorAct:
				o.acts[n] = append(o.acts[n], to)
			case sim.NoFault:
				o.calm[n] = append(o.calm[n], to)
				if s.Kind != sim.StepRequest {
					o.own[n] = append(o.own[n], own{to, o.w.Aged(&s, o.list[n], next)})
				}
				o.busy[n] = o.busy[n] || s.Kind != sim.StepLate && s.Kind != sim.StepRequest
			}
		}
	}
	return o, nil
}

func (o *oracle) add(s sim.State, dist int) int {
	key := fmt.Sprint(s)
	if n, ok := o.index[key]; ok {
		return n
	}
	n := len(o.list)
	o.index[key] = n
	o.list = append(o.list, slices.Clone(s))
	o.calm, o.acts, o.own = append(o.calm, nil), append(o.acts, nil), append(o.own, nil)
	o.busy = append(o.busy, false)
	o.dist = append(o.dist, dist)
	return n
}

// future returns every state that n can come to without a fault and without an
// operator, n included.
func (o *oracle) future(n int) []int { return o.walk(n, o.calm) }

func (o *oracle) walk(n int, edges ...[][]int) []int {
	seen := make([]bool, len(o.list))
	seen[n] = true
	list := []int{n}
	for i := 0; i < len(list); i++ {
		for _, next := range edges {
			for _, to := range next[list[i]] {
				if !seen[to] {
					seen[to] = true
					list = append(list, to)
				}
			}
		}
	}
	return list
}

// verdicts judges a state by looking at all of its future.
func (o *oracle) verdicts(n int) sim.Verdicts {
	v, known := o.judged[n]
	if !known {
		v = o.judge(n)
		o.judged[n] = v
	}
	return v
}

func (o *oracle) judge(n int) sim.Verdicts {
	s := o.list[n]
	v := o.w.Certain(s)
	v.Of[sim.Overwritten] = o.w.Overwritten(s)
	missing, untold, causeless := o.w.Missing(s), o.w.Untold(s), o.w.Causeless(s)
	if missing == 0 && untold == 0 && causeless == 0 {
		return v
	}
	held := uint64(0)
	for _, f := range o.future(n) {
		missing &= o.w.Missing(o.list[f])
		untold &= o.w.Untold(o.list[f])
		held |= o.w.InHand(o.list[f])
		causeless &= o.w.Causeless(o.list[f])
	}
	stays := uint64(0)
	for i := range o.w.Scenario().Intents {
		if bit := uint64(1) << i; !o.closes(n, bit, true) || held&bit != 0 && !o.closes(n, bit, false) {
			stays |= bit
		}
	}
	late := o.w.Hopeless(s, missing, stays)
	for p := range late.Of {
		v.Of[p] |= late.Of[p]
	}
	v.Of[sim.Unresolved] = untold
	v.Of[sim.Uncaused] |= causeless
	return v
}

// closes tells whether something that comes by itself leads to a state where
// nothing is open of an intent, with or without the end of a lifetime.
func (o *oracle) closes(n int, intent uint64, aging bool) bool {
	seen := map[int]bool{n: true}
	list := []int{n}
	for i := 0; i < len(list); i++ {
		if o.w.Open(o.list[list[i]])&intent == 0 {
			return true
		}
		for _, e := range o.own[list[i]] {
			if !seen[e.to] && (aging || e.aged&intent == 0) {
				seen[e.to] = true
				list = append(list, e.to)
			}
		}
	}
	return false
}

// found is how an explorer answers for one property: the length of a shortest
// schedule, the faults in it and the fewest faults that any takes.
type found struct{ steps, faults, needs int }

// answers returns, per property that some state shows, what there is to find.
func (o *oracle) answers() map[sim.Property]found {
	best := map[sim.Property]found{}
	better := func(p sim.Property, n int) {
		f := found{o.dist[n], o.w.FaultsUsed(o.list[n]), o.w.FaultsUsed(o.list[n])}
		b, known := best[p]
		if !known {
			best[p] = f
			return
		}
		f.needs = min(f.needs, b.needs)
		if b.steps < f.steps || b.steps == f.steps && b.faults <= f.faults {
			f.steps, f.faults = b.steps, b.faults
		}
		best[p] = f
	}
	for n, s := range o.list {
		v := o.verdicts(n)
		for p, set := range v.Of {
			if set != 0 {
				better(sim.Property(p), n)
			}
		}
		if !o.busy[n] && o.w.DoneAll(s) {
			better(sim.DoneOnce, n)
		}
	}
	return best
}

func describe(best map[sim.Property]found) string {
	var parts []string
	for p, f := range best {
		parts = append(parts, fmt.Sprintf("%s in %d steps with %d faults, needs %d", p, f.steps, f.faults, f.needs))
	}
	sort.Strings(parts)
	return strings.Join(parts, "; ")
}
