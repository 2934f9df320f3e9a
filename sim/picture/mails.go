package picture

import (
	"fmt"

	"github.com/ackademy/ackademy/sim"
)

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

// mailed is the email of the intent that an effect is, or nil: the effect is
// another one's.
func (x *explainer) mailed(e effect) *sim.Event {
	if e.step == 0 {
		return nil
	}
	events := x.h.run.Events(e.step - 1)
	for i := range events {
		if m := &events[i]; m.Kind == sim.EventMail && m.Intent() == x.intent {
			return m
		}
	}
	return nil
}

// notHindered tells why a provider that keeps keys or can be asked did not keep
// the second email from being sent: it had forgotten the key, or did not show
// the first one yet.
func (x *explainer) notHindered(first, second effect) string {
	a, b := x.mailed(first), x.mailed(second)
	if a == nil || b == nil || a.Provider != b.Provider {
		return ""
	}
	return clause([]string{x.forgotten(first, second, a, b), x.notShown(first, second, a)})
}

// forgotten: both emails had one key, which the provider did not know any more.
func (x *explainer) forgotten(first, second effect, a, b *sim.Event) string {
	if a.Call.Key == sim.None || a.Call.Key != b.Call.Key {
		return ""
	}
	for step := first.step + 1; step < second.step; step++ {
		for _, e := range x.h.run.Events(step - 1) {
			if e.Kind == sim.EventForget && e.Provider == a.Provider && e.Key == a.Call.Key {
				decl := &x.h.sc.Providers[a.Provider]
				return fmt.Sprintf("%s forgot the key %s at step %d (%s after step %d)", decl.Name, x.h.plain(e.Key), step, span(decl.KeptFor), first.step)
			}
		}
	}
	return ""
}

// notShown: the second sender had asked for the first email, and was told that
// there is none.
func (x *explainer) notShown(first, second effect, a *sim.Event) string {
	var asked *made
	for i := range second.by.calls {
		c := &second.by.calls[i]
		if c.call.Verb == sim.VerbLookup && c.call.Party == a.Call.Party && c.call.Key == a.Call.Ref && c.answer.Code == sim.OK && c.step < second.step {
			asked = c
		}
	}
	if asked == nil || asked.answer.Value != sim.False {
		return ""
	}
	who := x.h.name(second.by)
	if asked.step < first.step {
		return fmt.Sprintf("%s had looked it up at step %d, before the first effect", who, asked.step)
	}
	return fmt.Sprintf("the lookup of %s at step %d did not show yet what had been sent at step %d", who, asked.step, first.step)
}
