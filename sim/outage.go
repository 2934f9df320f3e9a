package sim

import "encoding/binary"

// Outages: a party refuses every call for a while. A refusal is a definite
// answer: nothing happened, and the caller knows. What had been accepted before
// stands, and open transactions stay open.

// downs is who is out, by the scenario's outages.
type downs struct {
	list []outageLeft
}

type outageLeft struct {
	out  bool
	left Seconds
}

func (c *downs) encode(b []byte) []byte {
	for _, o := range c.list {
		b = append(b, flag(o.out))
		b = binary.AppendUvarint(b, uint64(o.left))
	}
	return b
}

func (x *step) downs() *downs { return x.w.downs.items[x.read(x.w.downSlot)] }
func (x *step) setOutage(i int, o outageLeft) {
	c := &downs{list: append([]outageLeft(nil), x.downs().list...)}
	c.list[i] = o
	x.setDowns(c)
}
func (x *step) setDowns(c *downs) {
	x.write(x.w.downSlot, x.w.downs.intern(c, x.w.scratch))
}

// outageOf finds the outage that the party of a call can have, or -1.
func (sc *Scenario) outageOf(c *Call) int {
	for i, o := range sc.Outages {
		switch partyOf(c.Verb) {
		case partyDatabase:
			if o.Database == int(c.Party) {
				return i
			}
		case partyProvider:
			if o.Provider == int(c.Party) {
				return i
			}
		}
	}
	return -1
}

// canBeDown tells whether a call can meet a party that is out.
func canBeDown(sc *Scenario, c *Call) bool {
	return sc.Faults.Limit[Outage] > 0 && sc.outageOf(c) >= 0
}

// isDown tells whether a call meets a party that is out now.
func (x *step) isDown(c *Call) bool {
	i := x.w.sc.outageOf(c)
	return i >= 0 && canBeRefused(c.Verb) && x.downs().list[i].out
}

func (w *World) outageName(i int) string {
	if o := w.sc.Outages[i]; o.Database >= 0 {
		return w.sc.Databases[o.Database].Name
	}
	return w.sc.Providers[w.sc.Outages[i].Provider].Name
}

// outageFaults lists the outages that can begin.
func (w *World) outageFaults(i int) func(*step) {
	o := w.sc.Outages[i]
	ask := &Call{Verb: VerbSend, Party: int16(o.Provider)} // stands for any call to the party
	if o.Database >= 0 {
		ask = &Call{Verb: VerbGet, Party: int16(o.Database)}
	}
	return func(x *step) {
		if x.budget().total == 0 || !x.canStrike(Outage, -1, ask) || x.downs().list[i].out {
			return
		}
		x.strike(Outage, -1, w.outageName(i)+" outage", func() {
			x.setOutage(i, outageLeft{true, o.Lasts})
			x.emit(Event{Kind: EventOutage, Proc: -1, Queue: -1, Database: int16(o.Database), Provider: int16(o.Provider), Seconds: o.Lasts})
		})
	}
}

// outageSteps lists the outages that are over.
func (w *World) outageSteps(x *step) { w.fireOutages(x, 0) }

// fireOutages lists the outages that end in d.
func (w *World) fireOutages(x *step, d Seconds) {
	if w.downSlot == 0 {
		return
	}
	for i, left := range x.downs().list {
		if !left.out || left.left != d {
			continue
		}
		o := w.sc.Outages[i]
		x.open()
		if d > 0 {
			x.advance(d)
		}
		x.setOutage(i, outageLeft{})
		x.emit(Event{Kind: EventOutageEnd, Proc: -1, Queue: -1, Database: int16(o.Database), Provider: int16(o.Provider)})
		x.close(Outcome{Name: w.outageName(i) + " outage ends", Kind: StepTimer, Proc: -1})
	}
}

func (x *step) advanceOutages(d Seconds) {
	if x.w.downSlot == 0 {
		return
	}
	for i, left := range x.downs().list {
		if left.out {
			x.setOutage(i, outageLeft{true, left.left - d})
		}
	}
}

// soonestMore hands the ends of outages to the clock.
func (w *World) soonestMore(x *step, soonest func(Seconds, bool)) {
	if w.downSlot > 0 {
		for _, left := range x.downs().list {
			soonest(left.left, true)
		}
	}
}

// The longest stall: where the scenario names one, the clock does not pass the
// moment at which a stalled process wakes at the latest.

// mustWake tells whether a stalled process has reached that moment.
func (w *World) mustWake(pr *process) bool {
	return pr.stalled && w.sc.Faults.Longest > 0 && pr.longest == 0
}

func (w *World) wakeAtLast(x *step, p int, d Seconds) {
	x.open()
	if d > 0 {
		x.advance(d)
	}
	x.allWake(p)
	x.close(Outcome{Name: w.hostName(p) + " wake at last", Kind: StepWake, Proc: int16(p)})
}

// dueWakes lists the stalled processes that have to wake now.
func (w *World) dueWakes(p int) func(*step) {
	return func(x *step) {
		if w.first(p) && w.mustWake(x.proc(p)) {
			w.wakeAtLast(x, p, 0)
		}
	}
}
