package picture

import "github.com/ackademy/ackademy/sim"

// Sentences about providers.

// running tells that an accepted request is not answered yet.
func (t *teller) running(e *sim.Event) string {
	if e.Kind != sim.EventCall || t.h.view(t.step).Processes[e.Proc].Doing != "awaiting" {
		return ""
	}
	return "; the answer takes " + span(t.h.sc.Providers[e.Call.Party].Takes)
}

// remembered tells that a refusal will be repeated under its key.
func (t *teller) remembered() string {
	before, after := t.h.view(t.step-1).Providers, t.h.view(t.step).Providers
	for i := range after {
		if len(after[i].Keys) > len(before[i].Keys) {
			return ", and " + after[i].Name + " will say so again for this key"
		}
	}
	return ""
}

// lookedUp tells what a lookup found, and whether it came too early.
func (t *teller) lookedUp(e *sim.Event) string {
	if e.Answer.Code != sim.OK {
		return ""
	}
	if e.Answer.Value == sim.True {
		return ": found"
	}
	for _, r := range t.h.view(t.step).Providers[e.Call.Party].Refs {
		if r.Ref == e.Call.Key && !r.Listed {
			return ": nothing, although it has been accepted: it is not listed yet"
		}
	}
	return ": nothing"
}
