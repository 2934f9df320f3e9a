package tell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// Remarks says of a search, each in a sentence or two: how far effects are
// counted, what goes round for ever, which faults of the budget could strike
// nowhere, what nobody is told to do, and what only grew where a bound was
// reached.
func Remarks(sc *script.Scenario, r *explore.Report) []string {
	var list []string
	if r.Capped {
		list = append(list, fmt.Sprintf("Effects of one intent are counted up to %d in one place; more are not told apart.", sc.EffectCap))
	}
	if s := r.Spin; s != nil {
		list = append(list, fmt.Sprintf("Spins in zero time: after %s these repeat without the clock moving: %s.",
			plural(len(s.Schedule), "step"), strings.Join(s.Cycle, "; ")))
	}
	if s := r.Restless; s != nil {
		list = append(list, fmt.Sprintf("Never comes to rest: after %s all is done, and these repeat for ever: %s.",
			plural(len(s.Schedule), "step"), strings.Join(s.Cycle, "; ")))
	}
	list = append(list, idleFaults(sc, r)...)
	list = append(list, neverStopped(sc)...)
	for _, name := range r.Alone {
		list = append(list, fmt.Sprintf("No two runs of %s ever overlap: it is one clock, and each run ends before the next tick. Two that run side by side are two job(...), each with its name.", name))
	}
	if len(r.Growing) > 0 {
		var parts []string
		for _, g := range r.Growing {
			parts = append(parts, fmt.Sprintf("%s, from %d to %d", g.Name, g.From, g.To))
		}
		list = append(list, fmt.Sprintf("Along a run of %s these only grew: %s. What grows without end keeps a search from its end: let something stop it (job(times = ...), a limit in the handler, a cleaner).",
			plural(r.Depth, "step"), strings.Join(parts, "; ")))
	}
	return list
}

// idleFaults says which faults of the budget could strike nowhere: whoever
// allowed them expects that something was tried.
func idleFaults(sc *script.Scenario, r *explore.Report) []string {
	var list []string
	scope := ""
	if sc.Faults.Scoped {
		scope = " within of = [...]"
	}
	for _, d := range script.FaultDocs() {
		if slices.Contains(r.Idle, d.Kind) {
			list = append(list, fmt.Sprintf("No %s could strike anywhere%s: it strikes %s.", d.Kind, scope, d.Needs))
		}
	}
	return list
}

// neverStopped says that what a process does at an orderly stop was not looked
// at, because no budget has one.
func neverStopped(sc *script.Scenario) []string {
	if sc.Stops || sc.Faults.Limit[sim.Stop] > 0 {
		return nil
	}
	var names []string
	for i := range sc.Processes {
		if p := &sc.Processes[i]; p.HasOnStop || p.Grace > 0 {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Nobody is told to stop, so on_stop and grace of %s change nothing: allow it with faults(stop = 1).", strings.Join(names, ", "))}
}
