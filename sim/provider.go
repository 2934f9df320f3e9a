package sim

// The provider accepts emails and never takes one back. With idempotency keys
// it answers a known key with the first answer and sends nothing; what it does
// with a known key and another body is its own rule.
//
// A request that takes time is carried out when it arrives and answered later:
// between the two its key is in use, whether or not the caller lives to hear
// the answer.

// send asks the provider to send an email.
func (x *step) send(p int, c *Call) outcome {
	i := int(c.Party)
	decl := &x.w.sc.Providers[i]
	if out, known := x.knownKey(p, c); known {
		return out
	}
	label := x.labelOf(p, c)
	old := x.mailbox(i)
	next := &mailbox{keys: old.keys, mails: old.mails, refs: old.refs}
	if !x.manyMails(i, label) {
		next.mails = insertMail(old.mails, mail{to: c.Op, body: c.Body, label: label})
	}
	if c.Ref != None {
		next.refs = insertRef(old.refs, newRef(decl, c.Ref))
	}
	if decl.Keys && c.Key != None {
		next.keys = insertKey(old.keys, newKey(decl, c))
	}
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventMail, Proc: int16(p), Provider: int16(i), Call: c, Label: label})
	x.effect(label, channel{db: -1, table: -1, provider: i}, p)
	return outcome{runs: decl.Takes > 0}
}

func newKey(decl *Provider, c *Call) knownKey {
	return knownKey{key: c.Key, to: c.Op, body: c.Body, ref: c.Ref, left: decl.KeptFor, running: decl.Takes > 0, ends: decl.Takes}
}

// keyOf returns what the provider remembers of a call's key.
func (x *step) keyOf(c *Call) (knownKey, bool) {
	if !x.w.sc.Providers[c.Party].Keys || c.Key == None {
		return knownKey{}, false
	}
	for _, k := range x.mailbox(int(c.Party)).keys {
		if k.key == c.Key {
			return k, true
		}
	}
	return knownKey{}, false
}

// knownKey answers a request whose key the provider remembers. While the first
// one is still running nothing is compared: there is no answer yet to give.
func (x *step) knownKey(p int, c *Call) (outcome, bool) {
	decl := &x.w.sc.Providers[c.Party]
	k, known := x.keyOf(c)
	if !known {
		return outcome{}, false
	}
	if k.running && decl.InUseWaits {
		return outcome{waits: true}, true
	}
	same := k.to == c.Op && k.body == c.Body && k.ref == c.Ref
	x.emit(Event{Kind: EventKnownKey, Proc: int16(p), Provider: c.Party, Call: c, Done: same})
	switch {
	case k.running:
		return outcome{answer: Answer{Code: InUse}}, true
	case !same && decl.MismatchFails:
		return outcome{answer: Answer{Code: Conflict}}, true
	case k.refused:
		return outcome{answer: Answer{Code: Refused}}, true
	}
	return outcome{}, true
}

// waitsForKey tells whether a call waits for the first request with its key.
func (x *step) waitsForKey(c *Call) bool {
	k, known := x.keyOf(c)
	return known && k.running && x.w.sc.Providers[c.Party].InUseWaits
}

// sendAnswers lists what a send can be told that reached its provider.
func sendAnswers(sc *Scenario, c *Call) []Answer {
	decl := &sc.Providers[c.Party]
	list := []Answer{{}}
	if c.Key != None && decl.MismatchFails {
		list = append(list, Answer{Code: Conflict})
	}
	if c.Key != None && decl.Takes > 0 && !decl.InUseWaits {
		list = append(list, Answer{Code: InUse})
	}
	if decl.tooSlow() && sc.Faults.Limit[LostRequest]+sc.Faults.Limit[LostReply]+sc.Faults.Limit[Late] == 0 { // listed once
		list = append(list, Answer{Code: Timeout})
	}
	return list
}

// tooSlow tells whether callers never hear what a request came to, because
// they give up before the provider has worked on it.
func (decl *Provider) tooSlow() bool { return decl.Timeout > 0 && decl.Timeout <= decl.Takes }

// answerIn gives a process the answer to its call, at once or when the party
// has worked on it.
func (x *step) answerIn(p int, c *Call, out outcome) {
	if !out.runs {
		x.answer(p, out.answer)
		return
	}
	decl := &x.w.sc.Providers[c.Party]
	x.change(p, func(pr *process) {
		pr.timing, pr.timer, pr.reply = answering, decl.Takes, out.answer
		if decl.tooSlow() {
			pr.timing, pr.timer, pr.reply = awaiting, decl.Timeout, Answer{}
		}
	})
}

// answerFaults lists what can befall an answer that is on its way.
func (w *World) answerFaults(x *step, p int, c *Call) {
	if x.canStrike(LostReply, p, c) {
		x.strike(LostReply, p, w.callName(x, p, c)+" done lost-reply", func() {
			x.emit(Event{Kind: EventDue, Proc: int16(p), Call: c, Answer: Answer{Code: Timeout}})
			x.change(p, func(pr *process) { pr.timing, pr.timer, pr.reply = notTiming, 0, Answer{} })
			x.answer(p, Answer{Code: Timeout})
		})
	}
}

// storedRefusal is a refusal that comes after the provider had begun to work
// on a request: it is remembered under the key like any other answer. A refusal
// before that leaves the key unused.
func (w *World) storedRefusal(x *step, p int, c *Call, name string) {
	if c.Verb != VerbSend || c.Key == None || !w.sc.Providers[c.Party].StoresRefusals {
		return
	}
	if _, known := x.keyOf(c); known {
		return
	}
	x.strike(RefusedCall, p, name+" (stored) refused", func() {
		old := x.mailbox(int(c.Party))
		k := newKey(&w.sc.Providers[c.Party], c)
		k.refused, k.running, k.ends = true, false, 0
		x.setMailbox(int(c.Party), &mailbox{mails: old.mails, keys: insertKey(old.keys, k), refs: old.refs})
		x.fails(p, c, Refused, RefusedCall)
	})
}

// newRef is the reference of an email that was just accepted.
func newRef(decl *Provider, ref ValueID) knownRef {
	wait := decl.Takes + decl.Lag
	return knownRef{ref: ref, listed: wait == 0, left: wait}
}

// lookup asks whether the provider has accepted an email with a reference, as
// far as it lists them.
func (x *step) lookup(c *Call) outcome {
	for _, r := range x.mailbox(int(c.Party)).refs {
		if r.ref == c.Key {
			return outcome{answer: Answer{Value: x.w.sc.Values.Bool(r.listed)}}
		}
	}
	return outcome{answer: Answer{Value: False}}
}

// manyMails tells whether one more email of an intent is left out, like
// saturated changes of a table.
func (x *step) manyMails(i int, label labelID) bool {
	if !x.w.saturate || label == 0 {
		return false
	}
	for n, c := range x.w.channels {
		if c.db < 0 && c.provider == i {
			return x.ghost().intents[label-1].effects[n] >= x.w.effectLimit()
		}
	}
	return false
}

// insertMail keeps mails in an order that carries no history: nothing can read
// the order in which a provider accepted them.
func insertMail(list []mail, m mail) []mail {
	out := make([]mail, 0, len(list)+1)
	i := 0
	for ; i < len(list) && !mailBefore(m, list[i]); i++ {
		out = append(out, list[i])
	}
	out = append(out, m)
	return append(out, list[i:]...)
}

func mailBefore(a, b mail) bool {
	if a.to != b.to {
		return a.to < b.to
	}
	if a.body != b.body {
		return a.body < b.body
	}
	return a.label < b.label
}

// insertKey keeps remembered keys in such an order too.
func insertKey(list []knownKey, k knownKey) []knownKey {
	out := make([]knownKey, 0, len(list)+1)
	i := 0
	for ; i < len(list) && list[i].key < k.key; i++ {
		out = append(out, list[i])
	}
	return append(append(out, k), list[i:]...)
}

// insertRef keeps references in such an order, each once: a second email with
// one of them is found no sooner than the first.
func insertRef(list []knownRef, r knownRef) []knownRef {
	out := make([]knownRef, 0, len(list)+1)
	i := 0
	for ; i < len(list) && list[i].ref < r.ref; i++ {
		out = append(out, list[i])
	}
	if i < len(list) && list[i].ref == r.ref {
		return list
	}
	return append(append(out, r), list[i:]...)
}
