package explore

import (
	"github.com/ackademy/ackademy/sim"
)

// Standing is what the observer says of each intent in one state of a run.
type Standing struct {
	Verdicts sim.Verdicts // for each property the intents it holds for
	Decided  bool         // false: the look ahead reached its bound, so what is missing may still come
}

// Judge says what the observer makes of one state, looking ahead along every
// continuation without a further fault, up to maxStates of them.
func Judge(w *sim.World, s sim.State, maxStates int) (Standing, error) {
	w = w.Searching()
	out := Standing{Verdicts: w.Certain(s), Decided: true}
	out.Verdicts.Of[sim.Overwritten] = w.Overwritten(s)
	missing, untold, causeless := w.Missing(s), w.Untold(s), w.Causeless(s)
	st := newStore(w.Slots())
	var list []number
	numbers := map[number]int32{}
	visit := func(s sim.State) int32 {
		h := hash(s)
		n, isNew := st.add(partitionOf(h), s, h, none)
		if isNew {
			numbers[n] = int32(len(list))
			list = append(list, n)
		}
		return numbers[n]
	}
	visit(s)
	var reach []reachable
	var edges []edge
	var ends []int
	next := make(sim.State, w.Slots())
	for i := 0; i < len(list); i++ {
		if missing|untold|causeless == 0 {
			return out, nil // all of it is there or can still come
		}
		if len(list) > maxStates {
			out.Decided = false
			return out, nil
		}
		at := st.state(list[i])
		missing &= w.Missing(at)
		untold &= w.Untold(at)
		causeless &= w.Causeless(at)
		reach = append(reach, here(w, at))
		err := w.Expand(at, func(o *sim.Outcome) {
			if o.Fault == sim.NoFault {
				o.Into(next, at)
				edges = append(edges, newEdge(w, o, at, next, visit(next), nil))
			}
		})
		if err != nil {
			return out, err
		}
		ends = append(ends, len(edges))
	}
	settle(reach, edges, ends, func() bool { return false })
	late := reach[0].hopeless(w, s)
	for _, p := range futureProperties {
		out.Verdicts.Of[p] |= late.Of[p]
	}
	return out, nil
}
