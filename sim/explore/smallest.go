package explore

import (
	"context"

	"github.com/ackademy/ackademy/sim"
)

// How little it takes. A search says with how few faults a verdict can be had
// (Finding.Needs), but not with which: a state remembers what is left of the
// budget, and one fault of any kind may leave the same. So for each budget of
// exactly so many faults that the scenario's own allows, one search tells
// which verdicts it is enough for.

// The bounds within which budgets are tried: beyond them the number alone is
// known.
const (
	maxSmallestFaults  = 3
	maxSmallestBudgets = 60
	maxSmallestStates  = 1_000_000
)

// Needs lists for each violated property the budgets with the fewest faults
// that show it: each a list of kinds in their order, a kind as often as it may
// strike. A list is empty where no fault is needed or the budgets were not
// found within the bounds; the goal has none.
type Needs struct {
	Of [sim.DoneOnce + 1][][]sim.FaultKind
	// Fewest is, where a shortest schedule has more faults than are needed, a
	// shortest one with no more; nil otherwise, or beyond the bounds.
	Fewest [sim.DoneOnce + 1]*Finding
}

// Smallest finds the smallest budgets for the violations of a report. The
// scenario is the one that was searched; it keeps its budget.
func Smallest(ctx context.Context, sc *sim.Scenario, r *Report, o Options) (*Needs, error) {
	needs := &Needs{}
	if !r.Complete() {
		return needs, nil // what was not looked at may need less
	}
	if o.MaxStates = o.withDefaults().MaxStates; o.MaxStates > maxSmallestStates {
		o.MaxStates = maxSmallestStates
	}
	for n := 0; n <= maxSmallestFaults; n++ {
		var wanted []sim.Property
		for p := sim.Property(0); p <= sim.DoneOnce; p++ {
			f := r.Finding(p)
			if f.Needs == n && (f.Status == Violated && n > 0 || f.shows() && f.Faults > n) {
				wanted = append(wanted, p)
			}
		}
		if len(wanted) == 0 {
			continue
		}
		if err := needs.try(ctx, sc, n, wanted, o); err != nil {
			return nil, err
		}
	}
	for p := range needs.Fewest {
		if f := r.Finding(sim.Property(p)); f.Faults <= f.Needs {
			needs.Fewest[p] = nil
		}
	}
	return needs, nil
}

// shows tells whether a finding has a schedule.
func (f *Finding) shows() bool { return f.Status == Violated || f.Status == Reached }

// try searches with each budget of n faults.
func (needs *Needs) try(ctx context.Context, sc *sim.Scenario, n int, wanted []sim.Property, o Options) error {
	budgets := budgetsOf(&sc.Faults, n)
	if len(budgets) > maxSmallestBudgets {
		return nil
	}
	found := Needs{}
	for _, kinds := range budgets {
		smaller := *sc // the program knows what to do with fewer faults than it was made for
		smaller.Faults.Total, smaller.Faults.Limit = n, sim.Faults{}.Limit
		for _, k := range kinds {
			smaller.Faults.Limit[k]++
		}
		r, err := Run(ctx, sim.New(&smaller), o)
		if err != nil {
			return err
		}
		for _, p := range wanted {
			f := r.Finding(p)
			switch f.Status {
			case Violated, Reached:
				if n > 0 && p < sim.DoneOnce {
					found.Of[p] = append(found.Of[p], kinds)
				}
				if best := found.Fewest[p]; best == nil || len(f.Schedule) < len(best.Schedule) {
					found.Fewest[p] = f
				}
			case Undecided:
				return nil // a list that may lack a budget is none
			}
		}
	}
	for _, p := range wanted {
		needs.Of[p], needs.Fewest[p] = found.Of[p], found.Fewest[p]
	}
	return nil
}

// budgetsOf lists the ways to choose n faults within the limits of a budget.
func budgetsOf(f *sim.Faults, n int) [][]sim.FaultKind {
	var list [][]sim.FaultKind
	kinds := sim.FaultKinds()
	var choose func(from int, chosen []sim.FaultKind)
	choose = func(from int, chosen []sim.FaultKind) {
		if len(chosen) == n {
			list = append(list, append([]sim.FaultKind(nil), chosen...))
			return
		}
		for i := from; i < len(kinds) && len(list) <= maxSmallestBudgets; i++ {
			taken := 0
			for _, k := range chosen {
				if k == kinds[i] {
					taken++
				}
			}
			if taken < f.Limit[kinds[i]] {
				choose(i, append(chosen, kinds[i]))
			}
		}
	}
	choose(0, nil)
	return list
}
