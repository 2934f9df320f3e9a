package sim

// What the observer says of a state. Everything here reads ghosts and
// contents; nothing counts acks.

// Verdicts is a set of intents per property: bit i of Of[p] speaks of intent i.
type Verdicts struct{ Of [properties]uint64 }

// MaxIntents bounds a scenario's intents, so that a set of them is one word.
const MaxIntents = 63

// A judge is a question about a state whose answer is a set of intents. Each
// is put together from groups that look at one slot, so that judging costs an
// array look-up per slot.
type judge int

const (
	judgeDuplicated judge = iota // more effects than wanted
	judgeMissing                 // promised and an effect is missing
	judgePromised
	judgeOverwritten // it was applied, and an older version stands
	judgeUncaused    // an effect stands although its caller was told that it was refused
	judgeUntold      // its caller waits for an answer
	judgeAcked       // conflicting, and acked or told accepted
	judgePending     // its request has not been taken yet
	judgeUnsettled   // a message of it is unsettled
	judgeWorkedOn    // a handler works for it
	judgeInHand      // a consumer has a message of it
	judgeParked      // a message of it lies in a dead-letter queue
	judgeStanding    // a row or a mail of it stands
	judgeCauseless   // it has an effect and its cause was not committed
	judges
)

func (w *World) buildJudges() {
	w.judges = make([][]*group, judges)
	add := func(j judge, f func(x *step, i int) bool) {
		w.judges[j] = append(w.judges[j], newGroup(func(x *step) {
			for i := range w.sc.Intents {
				if f(x, i) {
					x.mask |= 1 << i
				}
			}
		}))
	}
	add(judgeDuplicated, func(x *step, i int) bool {
		for n, count := range x.ghost().intents[i].effects {
			if !w.channels[n].sum && count > w.wants(i, n) {
				return true
			}
		}
		return false
	})
	add(judgeMissing, func(x *step, i int) bool {
		g := x.ghost().intents[i]
		return g.expected() && w.lacksEffect(i, g)
	})
	for n, ch := range w.channels {
		if ch.sum {
			add(judgeMissing, func(x *step, i int) bool {
				return x.ghost().intents[i].expected() && x.standingShares(ch, i) < w.wants(i, n)
			})
			add(judgeDuplicated, func(x *step, i int) bool { return x.standingShares(ch, i) > w.wants(i, n) })
		}
		if !ch.state {
			continue
		}
		add(judgeMissing, func(x *step, i int) bool {
			return ch.wants[i].any && x.ghost().intents[i].expected() && x.standingVersion(ch, i) < ch.wants[i].version
		})
		add(judgeOverwritten, func(x *step, i int) bool {
			v := x.standingVersion(ch, i)
			return ch.wants[i].any && x.ghost().intents[i].effects[n] > 0 && v > nothingStands && v < ch.wants[i].version
		})
	}
	add(judgePromised, func(x *step, i int) bool { return x.ghost().intents[i].expected() })
	add(judgeUncaused, func(x *step, i int) bool {
		g := x.ghost().intents[i]
		return g.told == toldRefused && most(g.effects) > 0 || g.astray
	})
	add(judgeUntold, func(x *step, i int) bool {
		g := x.ghost().intents[i]
		return w.awaitsAnswer(i) && g.told == toldNothing && !g.withdrawn && !g.handed
	})
	w.buildClaimJudges(add)
	add(judgeAcked, func(x *step, i int) bool {
		g := x.ghost().intents[i]
		return w.conflicts[i] && (g.acked || g.told == toldAccepted)
	})
	for p := range w.sc.Processes {
		if w.sc.Processes[p].Kind == Service {
			add(judgePending, func(x *step, i int) bool { return x.requestPending(p, i) })
		}
		add(judgeWorkedOn, func(x *step, i int) bool {
			return x.proc(p).worksFor(i)
		})
	}
	for p := range w.sc.Processes {
		if d := &w.sc.Processes[p]; d.Prefetch > 1 || d.Batch > 0 {
			add(judgeWorkedOn, func(x *step, i int) bool { return x.proc(p).has(i) })
		}
	}
	for q := range w.sc.Queues {
		j := judgeUnsettled
		if w.sc.Queues[q].IsDeadLetter {
			j = judgeParked
		}
		if w.logOf(q) >= 0 {
			add(j, func(x *step, i int) bool { return x.recordOf(q, i) })
			continue
		}
		add(j, func(x *step, i int) bool { return x.messageOf(q, i) })
		add(judgeInHand, func(x *step, i int) bool { return x.heldOf(q, i) })
	}
	for l := range w.sc.Logs {
		for _, g := range w.sc.Logs[l].Groups {
			for _, p := range g.Members {
				add(judgeInHand, func(x *step, i int) bool { return x.proc(p).worksFor(i) || x.proc(p).has(i) })
			}
		}
	}
	for _, ch := range w.channels {
		add(judgeStanding, func(x *step, i int) bool { return x.standsIn(ch, i) })
	}
}

// buildClaimJudges adds what tables say of what is open, and of causes.
func (w *World) buildClaimJudges(add func(judge, func(*step, int) bool)) {
	for d, db := range w.sc.Databases {
		for t, tab := range db.Tables {
			if len(tab.Open) > 0 {
				add(judgeUnsettled, func(x *step, i int) bool { return x.claimed(d, t, i) })
				add(judgeUntold, func(x *step, i int) bool { return x.claimed(d, t, i) && !x.ghost().intents[i].handed })
			}
		}
	}
	if hasCauses(w.sc) {
		add(judgeCauseless, func(x *step, i int) bool {
			g := x.ghost().intents[i]
			return most(g.effects) > 0 && !g.caused
		})
	}
}

// expected tells whether the effect of an intent is still owed: it was
// promised, nobody has taken it back, and no person has taken it over.
func (g *intentGhost) expected() bool { return g.promised && !g.withdrawn && !g.handed }

func most(counts []uint8) uint8 {
	m := uint8(0)
	for _, n := range counts {
		m = max(m, n)
	}
	return m
}

// lacksEffect tells whether an intent has fewer effects than it wants in some
// place where each one counts.
func (w *World) lacksEffect(i int, g intentGhost) bool {
	for n, ch := range w.channels {
		if !ch.state && !ch.sum && g.effects[n] < w.wants(i, n) {
			return true
		}
	}
	return false
}

const nothingStands = -1 << 63

// standingVersion is the version of the row that stands for what an intent
// wants in a table whose state counts, or nothingStands.
func (x *step) standingVersion(ch channel, i int) int64 {
	for _, r := range x.table(ch.db, ch.table).rows {
		if r.key == ch.wants[i].key {
			return x.w.version(&x.w.sc.Databases[ch.db].Tables[ch.table], r.body)
		}
	}
	return nothingStands
}

func (w *World) judge(j judge, s State) uint64 {
	mask := uint64(0)
	for _, g := range w.judges[j] {
		mask |= g.look(w, s).mask
	}
	return mask
}

// awaitsAnswer tells whether an intent's caller expects to be told anything.
func (w *World) awaitsAnswer(i int) bool {
	for _, p := range w.sc.Processes {
		if p.Kind != Service || !p.Answers {
			continue
		}
		for _, r := range p.Requests {
			if r == i {
				return true
			}
		}
	}
	return false
}

// requestPending tells whether a service has not taken an intent's request.
func (x *step) requestPending(p, i int) bool {
	if x.w.fronted(p) {
		return x.stillAsks(p, i)
	}
	requests := x.w.sc.Processes[p].Requests
	for n := int(x.proc(p).next); n < len(requests); n++ {
		if requests[n] == i {
			return true
		}
	}
	return false
}

// messageOf tells whether a message of an intent is in a queue.
func (x *step) messageOf(q, i int) bool {
	for _, m := range x.queue(q).messages {
		if int(m.label) == i+1 && m.pending != kept {
			return true
		}
	}
	return false
}

// heldOf tells whether a consumer has a message of an intent.
func (x *step) heldOf(q, i int) bool {
	for _, m := range x.queue(q).messages {
		if int(m.label) == i+1 && m.holder != 0 {
			return true
		}
	}
	return false
}

// standsIn tells whether a row or a mail of a channel carries an intent's
// label.
func (x *step) standsIn(ch channel, i int) bool {
	if ch.db < 0 {
		for _, m := range x.mailbox(ch.provider).mails {
			if int(m.label) == i+1 {
				return true
			}
		}
		return false
	}
	for _, r := range x.table(ch.db, ch.table).rows {
		if int(r.label) == i+1 || ch.sum && x.w.sharesOf(r.shares, i) > 0 {
			return true
		}
	}
	return false
}

// Prepare works out what the judges say of every content seen so far, and which
// budgets are spent, so that judging changes nothing until a new content is made. With it, Certain and
// DoneAll may be called by several goroutines at once.
func (w *World) Prepare() {
	for ; w.prepared < len(w.ghosts.items); w.prepared++ {
		s := make(State, w.slots)
		s[slotGhost] = uint32(w.prepared)
		w.Certain(s)
		w.DoneAll(s)
	}
	for ; w.summed < len(w.tables.items); w.summed++ {
		for _, ch := range w.channels {
			if ch.sum {
				s := make(State, w.slots)
				s[w.tableSlot[ch.db][ch.table]] = uint32(w.summed)
				w.Certain(s)
			}
		}
	}
	for n := len(w.spent); n < len(w.budgets.items); n++ {
		w.spent = append(w.spent, w.budgets.items[n].total == 0)
	}
}

// Certain returns the verdicts that a state shows by itself, whatever comes
// after: more effects than wanted, effects of a refused wish.
func (w *World) Certain(s State) Verdicts {
	var v Verdicts
	v.Of[Duplicated] = w.judge(judgeDuplicated, s)
	v.Of[Uncaused] = w.judge(judgeUncaused, s)
	return v
}

// Overwritten returns the intents that were applied and over whose row an older
// version stands. A later write of the newest version heals that. Unlike
// Certain it may work something out, so only one goroutine may ask.
func (w *World) Overwritten(s State) uint64 { return w.judge(judgeOverwritten, s) }

// KeepsStates tells whether Overwritten can ever return anything.
func (w *World) KeepsStates() bool { return len(w.judges[judgeOverwritten]) > 0 }

// Missing returns the intents that are promised and lack an effect.
func (w *World) Missing(s State) uint64 { return w.judge(judgeMissing, s) }

// Untold returns the intents whose caller waits for an answer, or of which a row
// says that somebody has them open.
func (w *World) Untold(s State) uint64 { return w.judge(judgeUntold, s) }

// Abandoned returns, of the intents in missing, those for which nothing is
// left that could bring the effect: no request, no message outside a
// dead-letter queue, no handler. It is the local test for a loss.
func (w *World) Abandoned(s State, missing uint64) uint64 {
	for _, j := range []judge{judgeUnsettled, judgePending, judgeWorkedOn} {
		if missing == 0 {
			return 0
		}
		missing &^= w.judge(j, s)
	}
	return missing
}

// LocalTestHolds tells whether Abandoned finds every lost intent of this
// scenario by itself: nothing but a message or a handler can bring an effect.
func (w *World) LocalTestHolds() bool {
	if len(w.sc.Fronts) > 0 || w.wireSlot > 0 {
		return false
	}
	for i := range w.sc.Processes {
		if p := &w.sc.Processes[i]; p.HasOnStop || p.Never {
			return false
		}
	}
	if len(w.sc.Logs) > 0 {
		return false // a record can be open and yet come to nobody again
	}
	for i := range w.sc.Queues {
		if w.sc.Queues[i].IsDeadLetter {
			return false
		}
		if w.sc.Queues[i].RepeatsKey && w.sc.Queues[i].Groups {
			return false // an acked message may come again
		}
	}
	return !w.HasClaims()
}

// Open returns the intents for which a message is unsettled, a row says that
// somebody has it open, or a handler works.
func (w *World) Open(s State) uint64 {
	return w.judge(judgeUnsettled, s) | w.judge(judgeWorkedOn, s)
}

// InHand returns the intents of which a consumer has a message.
func (w *World) InHand(s State) uint64 { return w.judge(judgeInHand, s) }

// Aged returns the intents of which nothing is open any more only because a
// step between two states was the end of a message's lifetime. One that was
// dead-lettered then is not among them: it went where it belongs.
func (w *World) Aged(o *Outcome, from, to State) uint64 {
	if !o.Ages {
		return 0
	}
	return w.Open(from) &^ w.Open(to) &^ w.judge(judgeParked, to)
}

// Hopeless sorts intents whose effect nothing will bring any more into the
// verdicts that say why. stays are those that no continuation closes: what is
// hopeless and still open, but will be settled, is not stuck; it is judged
// where it has been settled, because only there a reader can see the loss.
// A request that stays away for as long as it likes closes nothing, and the end
// of a lifetime closes only what no consumer has or gets: a message that
// consumers get again and again for days is stuck today.
func (w *World) Hopeless(s State, hopeless, stays uint64) Verdicts {
	var v Verdicts
	hopeless &^= w.Overwritten(s) // that says why already
	if hopeless == 0 {
		return v
	}
	parked := w.judge(judgeParked, s)
	v.Of[DeadLettered] = hopeless & parked
	hopeless &^= parked
	open := w.Open(s)
	v.Of[Stuck] = hopeless & open & stays
	hopeless &^= open
	refused := w.judge(judgeAcked, s) &^ w.judge(judgeStanding, s)
	v.Of[ConflictAccepted] = hopeless & refused
	v.Of[Lost] = hopeless &^ refused
	return v
}

// DoneAll tells whether every promised intent has each wanted effect exactly
// once, and at least one has. Where nothing counts as an effect, nothing is
// ever done.
func (w *World) DoneAll(s State) bool {
	missing, twice, promised := w.judge(judgeMissing, s), w.judge(judgeDuplicated, s), w.judge(judgePromised, s)
	return missing|twice == 0 && promised != 0 && len(w.channels) > 0
}
