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
	missing, untold, stays, causeless := w.Missing(s), w.Untold(s), w.Open(s), w.Causeless(s)
	if missing|untold|causeless == 0 {
		return out, nil
	}
	st := newStore(w.Slots())
	var list []number
	visit := func(s sim.State) {
		h := hash(s)
		if n, isNew := st.add(partitionOf(h), s, h, none); isNew {
			list = append(list, n)
		}
	}
	visit(s)
	next := make(sim.State, w.Slots())
	for i := 0; i < len(list) && missing|untold|causeless != 0; i++ {
		if len(list) > maxStates {
			out.Decided = false
			return out, nil
		}
		at := st.state(list[i])
		missing &= w.Missing(at)
		untold &= w.Untold(at)
		stays &= w.Open(at)
		causeless &= w.Causeless(at)
		err := w.Expand(at, func(o *sim.Outcome) {
			if o.Fault == sim.NoFault {
				o.Into(next, at)
				visit(next)
			}
		})
		if err != nil {
			return out, err
		}
	}
	late := w.Hopeless(s, missing, stays)
	for _, p := range futureProperties {
		out.Verdicts.Of[p] |= late.Of[p]
	}
	out.Verdicts.Of[sim.Unresolved] = untold
	out.Verdicts.Of[sim.Uncaused] |= causeless
	return out, nil
}
