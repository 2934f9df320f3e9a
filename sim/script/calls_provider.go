package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/profile"
)

// The provider: its declaration and its calls.

func providerBinding() Binding {
	return Binding{
		Name: "provider", Where: whereTop, do: declareProvider, Result: "the provider",
		Doc: "An email provider: it accepts emails and never takes one back.",
		Params: []Param{
			{Name: "name", Type: "name"},
			{Name: "like", Type: "text", Default: "\"plain\"", Doc: "A profile: plain, resend, stripe, stripe-old, brevo, ses, sendgrid, postmark or mailgun."},
			{Name: "keys", Type: "yes/no", Default: "by profile", Doc: "Whether it understands idempotency keys."},
			{Name: "kept", Type: "seconds", Default: "by profile", Doc: "How long a key is remembered; 0: always."},
			{Name: "mismatch", Type: "text", Default: "by profile", Doc: "The same key with another body: error, or first_answer."},
			{Name: "concurrent", Type: "text", Default: "by profile", Doc: "The same key while its first request is still running: error (\"in_use\"), or wait."},
			{Name: "rejects", Type: "text", Default: "by profile", Doc: "A refusal after the work on a request had begun is stored under its key and repeated, or not_stored."},
			{Name: "takes", Type: "seconds", Default: "0", Doc: "How long a request takes: it is carried out when it arrives, and answered so much later."},
			{Name: "lookup", Type: "yes/no", Default: "by profile", Doc: "Whether it can be asked for an email by its reference."},
			{Name: "lag", Type: "seconds", Default: "by profile", Doc: "How long after its answer an accepted email is found."},
			{Name: "timeout", Type: "seconds", Default: "0", Doc: "How long a caller waits for an answer that was lost."},
		},
	}
}

func providerBindings() []Binding {
	return []Binding{
		{
			Of: kindProvider, Name: "send", Where: whereHandler, do: send, Result: "True",
			Doc:    "Sends an email. An accepted email is never taken back.",
			Fields: "the body of the email",
			Stands: "POST /emails, with Idempotency-Key where key is given",
			Params: []Param{
				{Name: "to", Type: "id", Positional: true, Doc: "Whom it is for."},
				{Name: "key", Type: "scalar", Default: "None", Doc: "The idempotency key."},
				{Name: "ref", Type: "scalar", Default: "None", Doc: "A reference of your own, by which it can be looked up."},
			},
		},
		{
			Of: kindProvider, Name: "lookup", Where: whereHandler, do: lookup, Result: "whether it is found",
			Doc:    "Asks whether an email with this reference has been accepted. One that was accepted a moment ago may not be found yet (lag), and one that is still on its way isn't.",
			Stands: "GET /messages?metadata_ref=...",
			Params: []Param{{Name: "ref", Type: "scalar"}},
		},
	}
}

func declareProvider(c *invocation) (starlark.Value, error) {
	l := c.load
	name := c.partyName(len(l.sc.Providers), maxProviders)
	like := c.text("like", "plain")
	profiled, ok := profile.FindProvider(like)
	if !ok {
		c.noProfile(like, profileNames(profile.Providers(), func(p profile.Provider) string { return p.Name }))
		return nil, c.err
	}
	p := profiled.Knobs
	p.Name = name
	p.Keys = c.flag("keys", p.Keys)
	p.KeptFor = c.seconds("kept", p.KeptFor)
	// A provider with keys of its own making errs on the strict side.
	p.MismatchFails = c.choice("mismatch", pick(p.MismatchFails || !profiled.Knobs.Keys, 0, 1), "error", "first_answer") == 0
	p.MismatchFails = p.MismatchFails && p.Keys
	p.InUseWaits = c.choice("concurrent", pick(p.InUseWaits, 1, 0), "error", "wait") == 1
	p.StoresRefusals = c.choice("rejects", pick(p.StoresRefusals, 0, 1), "stored", "not_stored") == 0 && p.Keys
	p.Takes = c.seconds("takes", 0)
	p.Lookup = c.flag("lookup", p.Lookup)
	p.Lag = c.seconds("lag", p.Lag)
	p.Timeout = c.seconds("timeout", 0)
	for _, knob := range []string{"kept", "mismatch", "concurrent", "rejects"} {
		if !p.Keys && c.value(knob) != nil {
			c.wrong(knob, "no-keys", knob+" says what happens to idempotency keys, and this provider has none", "Add keys = True.")
		}
	}
	if !p.Lookup && c.value("lag") != nil {
		c.wrong("lag", "no-lookup", "lag says how soon a lookup finds an email, and this provider can't be asked", "Add lookup = True.")
	}
	if c.err != nil {
		return nil, c.err
	}
	l.sc.Providers = append(l.sc.Providers, p)
	return c.newParty(kindProvider, name, len(l.sc.Providers)-1), nil
}

func pick(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

func send(c *invocation) (starlark.Value, error) {
	p := c.receiver.(*party)
	call := sim.Call{Verb: sim.VerbSend, Party: p.index, Table: -1, Op: c.idValue("to")}
	call.Key = c.providerKey(p)
	call.Ref = c.reference(p)
	call.Body = c.record()
	if c.err != nil {
		return nil, c.err
	}
	_, err := c.ask(call)
	return starlark.True, err
}

// providerKey reads the idempotency key.
func (c *invocation) providerKey(p *party) sim.ValueID {
	key := c.value("key")
	if key == nil {
		return sim.None
	}
	if !c.run.sc.Providers[p.index].Keys {
		c.wrong("key", "no-keys", p.name+" doesn't understand idempotency keys", "Declare it with provider(..., keys = True), or leave the key out.")
	}
	return c.scalar("key", key)
}

// reference reads the reference of an email.
func (c *invocation) reference(p *party) sim.ValueID {
	ref := c.value("ref")
	if ref == nil {
		return sim.None
	}
	if !c.run.sc.Providers[p.index].Lookup {
		c.wrong("ref", "no-lookup", fmt.Sprintf("nobody can look up an email of %s by a reference", p.name), "Declare it with provider(..., lookup = True), or leave the reference out.")
	}
	return c.scalar("ref", ref)
}

func lookup(c *invocation) (starlark.Value, error) {
	p := c.receiver.(*party)
	call := sim.Call{Verb: sim.VerbLookup, Party: p.index, Table: -1}
	if call.Key = c.reference(p); call.Key == sim.None {
		c.wrong("ref", "bad-value", "the reference of a lookup can't be None", "Give it what send was given: mail.lookup(op.id).")
	}
	if c.err != nil {
		return nil, c.err
	}
	a, err := c.ask(call)
	return starlark.Bool(a.Value == sim.True), err
}
