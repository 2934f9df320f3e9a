package sim

// What a provider does of itself, by its timers: it finishes a request, lists an
// accepted email, forgets a key.

// providerTimer is one of a provider's timers: the time left, and what happens
// then.
type providerTimer struct {
	left  Seconds
	wakes bool // the clock moves for it alone; see clockSteps
	name  string
	fire  func(x *step)
}

// timersOf lists the timers of a provider that run, or are due.
func (w *World) timersOf(x *step, i int) []providerTimer {
	decl, box := &w.sc.Providers[i], x.mailbox(i)
	var list []providerTimer
	for n, k := range box.keys {
		if k.running {
			list = append(list, providerTimer{k.ends, true, decl.Name + " finishes " + w.sc.Values.Plain(k.key), func(x *step) { x.finish(i, n) }})
		}
	}
	for n, r := range box.refs {
		if !r.listed {
			list = append(list, providerTimer{r.left, false, decl.Name + " lists " + w.sc.Values.Plain(r.ref), func(x *step) { x.list(i, n) }})
		}
	}
	for n, k := range box.keys {
		if decl.KeptFor > 0 {
			list = append(list, providerTimer{k.left, false, decl.Name + " forgets " + w.sc.Values.Plain(k.key), func(x *step) { x.forget(i, n) }})
		}
	}
	return list
}

// timed tells whether a provider has timers at all.
func (decl *Provider) timed() bool { return decl.KeptFor > 0 || decl.Takes > 0 || decl.Lag > 0 }

// providerSteps lists what is due now.
func (w *World) providerSteps(i int) func(*step) {
	return func(x *step) {
		if w.sc.Providers[i].timed() {
			w.fireProvider(x, i, 0, func() {})
		}
	}
}

// fireProvider lists a step for every timer of a provider that ends in d.
func (w *World) fireProvider(x *step, i int, d Seconds, advance func()) {
	if !w.sc.Providers[i].timed() {
		return
	}
	for _, t := range w.timersOf(x, i) {
		if t.left == d {
			x.open()
			advance()
			t.fire(x)
			x.close(Outcome{Name: t.name, Kind: StepTimer, Proc: -1})
		}
	}
}

// soonestOf hands a provider's timers to the clock. outlasts: somebody may come
// when what it remembers is forgotten.
func (w *World) soonestOf(x *step, i int, outlasts bool, soonest func(Seconds, bool)) {
	if !w.sc.Providers[i].timed() {
		return
	}
	for _, t := range w.timersOf(x, i) {
		soonest(t.left, outlasts || t.wakes || x.watched(x.w.firstMail+i))
	}
}

// advanceProvider moves a provider's timers.
func (x *step) advanceProvider(i int, d Seconds) {
	old := x.mailbox(i)
	if !x.w.sc.Providers[i].timed() || len(old.keys)+len(old.refs) == 0 {
		return
	}
	next := &mailbox{mails: old.mails, keys: append([]knownKey(nil), old.keys...), refs: append([]knownRef(nil), old.refs...)}
	for n := range next.keys {
		k := &next.keys[n]
		k.left, k.ends = max(0, k.left-d), max(0, k.ends-d)
	}
	for n := range next.refs {
		next.refs[n].left = max(0, next.refs[n].left-d)
	}
	x.setMailbox(i, next)
}

// finishKey ends the request of a call that is being answered, if its timer has
// not done so in this same moment.
func (x *step) finishKey(c *Call) {
	i := int(c.Party)
	for n, k := range x.mailbox(i).keys {
		if k.running && c.Key != None && k.key == c.Key && k.ends == 0 {
			x.finish(i, n)
		}
	}
}

func (x *step) finish(i, n int) {
	old := x.mailbox(i)
	next := &mailbox{mails: old.mails, keys: append([]knownKey(nil), old.keys...), refs: old.refs}
	next.keys[n].running, next.keys[n].ends = false, 0
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventFinished, Proc: -1, Provider: int16(i), Key: old.keys[n].key})
}

func (x *step) list(i, n int) {
	old := x.mailbox(i)
	next := &mailbox{mails: old.mails, keys: old.keys, refs: append([]knownRef(nil), old.refs...)}
	next.refs[n].listed, next.refs[n].left = true, 0
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventListed, Proc: -1, Provider: int16(i), Key: old.refs[n].ref})
}

func (x *step) forget(i, n int) {
	old := x.mailbox(i)
	next := &mailbox{mails: old.mails, refs: old.refs}
	next.keys = append(append([]knownKey(nil), old.keys[:n]...), old.keys[n+1:]...)
	x.setMailbox(i, next)
	x.emit(Event{Kind: EventForget, Proc: -1, Provider: int16(i), Key: old.keys[n].key})
}
