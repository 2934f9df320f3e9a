package sim

// The provider accepts emails and never takes one back. With idempotency keys
// it answers a known key with the first answer and sends nothing; what it does
// with a known key and another body is its own rule.

// send asks the provider to send an email.
func (x *step) send(p int, c *Call) outcome {
	i := int(c.Party)
	decl := &x.w.sc.Providers[i]
	old := x.mailbox(i)
	if decl.Keys && c.Key != None {
		for _, k := range old.keys {
			if k.key != c.Key {
				continue
			}
			same := k.to == c.Op && k.body == c.Body
			x.emit(Event{Kind: EventKnownKey, Proc: int16(p), Provider: int16(i), Call: c, Done: same})
			if !same && decl.MismatchFails {
				return outcome{answer: Answer{Code: Conflict}}
			}
			return outcome{}
		}
	}
	label := x.labelOf(p, c)
	next := &mailbox{keys: old.keys, mails: old.mails}
	if !x.manyMails(i, label) {
		next.mails = insertMail(old.mails, mail{to: c.Op, body: c.Body, label: label})
	}
	if decl.Keys && c.Key != None {
		next.keys = insertKey(old.keys, knownKey{key: c.Key, to: c.Op, body: c.Body, left: decl.KeptFor})
	}
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventMail, Proc: int16(p), Provider: int16(i), Call: c, Label: label})
	x.effect(label, channel{db: -1, table: -1, provider: i}, p)
	return outcome{}
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

// forgetSteps lists the keys whose retention has ended.
func (w *World) forgetSteps(i int) func(*step) {
	return func(x *step) {
		if w.sc.Providers[i].KeptFor == 0 {
			return
		}
		for n, k := range x.mailbox(i).keys {
			if k.left == 0 {
				x.open()
				x.forget(i, n)
				x.close(Outcome{Name: w.forgetName(i, k), Kind: StepTimer, Proc: -1})
			}
		}
	}
}

func (w *World) forgetName(i int, k knownKey) string {
	return w.sc.Providers[i].Name + " forgets " + w.sc.Values.Plain(k.key)
}

func (x *step) forget(i, n int) {
	old := x.mailbox(i)
	next := &mailbox{mails: old.mails}
	next.keys = append(append([]knownKey(nil), old.keys[:n]...), old.keys[n+1:]...)
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventForget, Proc: -1, Provider: int16(i), Key: old.keys[n].key})
}
