package picture

import (
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

// overwrittenShare tells how a share of a sum was lost: somebody wrote a value
// that was worked out without it.
func (x *explainer) overwrittenShare() string {
	for n := range x.channels() {
		had, since := 0, 0
		text := ""
		for step := 1; step <= x.h.run.Len(); step++ {
			count := x.h.view(step).Intents[x.intent].Effects[n].Count
			switch {
			case count > had:
				since, text = step, ""
			case count < had:
				text = fmt.Sprintf("its share of %s, which had come at step %d, was overwritten at step %d", x.place(n), since, step) + x.without(step)
			}
			had = count
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// without says who overwrote a share, and from what it had worked that out.
func (x *explainer) without(step int) string {
	j := x.h.stepJob[step]
	if j == nil {
		return ""
	}
	text := " by " + x.h.name(j)
	read := 0
	for _, c := range j.calls {
		switch c.call.Verb {
		case sim.VerbGet, sim.VerbSelect, sim.VerbClaim:
			if c.step < step {
				read = c.step
			}
		}
	}
	if read > 0 {
		text += fmt.Sprintf(", which wrote what it had worked out from its read at step %d", read)
	}
	return text
}
