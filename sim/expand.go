package sim

import (
	"errors"
	"fmt"
)

// buildSteps lists the groups of rules in the order in which steps are always
// enumerated: processes, deliveries, ticks and
// callers, ends of leases, wakes, the clock, requests that come at any time,
// operators, faults.
func (w *World) buildSteps() {
	sc := w.sc
	for p := range sc.Processes {
		w.steps = append(w.steps, newGroup(w.processSteps(p)))
	}
	for p := range sc.Processes {
		if w.readsLog(p) {
			w.steps = append(w.steps, newGroup(w.pollSteps(p)), newGroup(w.memberSteps(p)))
		} else if sc.Processes[p].Kind == Consumer {
			if sc.Processes[p].ClaimIdle > 0 {
				w.steps = append(w.steps, newGroup(w.claimSteps(p)))
			}
			w.steps = append(w.steps, newGroup(w.deliverSteps(p)))
		}
	}
	for p := range sc.Processes {
		if w.lives(p) {
			w.steps = append(w.steps, newGroup(w.lifeSteps(p)))
		}
	}
	for q := range sc.Queues {
		if sc.Queues[q].MaxDeliveries > 0 && int(w.counted[q]) >= sc.Queues[q].MaxDeliveries {
			w.steps = append(w.steps, newGroup(w.parkSteps(q)))
		}
	}
	for f := range sc.Fronts {
		switch sc.Fronts[f].Kind {
		case Job:
			w.steps = append(w.steps, newGroup(w.tickSteps(f)))
		case Service:
			if c := &sc.Fronts[f].Callers; c.After > 0 || c.Patience > 0 {
				w.steps = append(w.steps, newGroup(w.callerSteps(f)))
			}
			if sc.Fronts[f].Callers.AnyTime {
				w.comes = append(w.comes, newGroup(w.requestSteps(f)))
			}
		case Operator:
			w.acts = append(w.acts, newGroup(w.operatorSteps(f)))
		}
	}
	for l := range sc.Logs {
		w.steps = append(w.steps, newGroup(w.txTimeouts(l)))
		if sc.Logs[l].Retention > 0 {
			w.steps = append(w.steps, newGroup(w.retentionSteps(l)))
		}
		for g := range sc.Logs[l].Groups {
			w.steps = append(w.steps, newGroup(w.rebalanceSteps(l, g)))
		}
	}
	if w.timers {
		for q := range sc.Queues {
			w.steps = append(w.steps, newGroup(w.expireSteps(q)))
			if sc.Queues[q].Check > 0 {
				w.wakes = append(w.wakes, newGroup(w.checkSteps(q)))
			}
			if sc.Queues[q].timed() {
				w.steps = append(w.steps, newGroup(w.dueSteps(q)))
			}
		}
		for i := range sc.Providers {
			w.steps = append(w.steps, newGroup(w.providerSteps(i)))
		}
	}
	if w.timers || w.lockTimed {
		w.clock = []*group{newGroup(w.clockSteps)}
	}
	w.buildLate()
	if w.downSlot > 0 {
		w.steps = append(w.steps, newGroup(w.outageSteps))
	}
	for p := range sc.Processes {
		if w.beats(p) {
			w.steps = append(w.steps, newGroup(w.silentSteps(p)))
		}
	}
	if sc.Faults.Limit[Stall] > 0 && sc.Faults.Longest > 0 {
		for p := range sc.Processes {
			w.steps = append(w.steps, newGroup(w.dueWakes(p)))
		}
	}
	if sc.Faults.Limit[Stall] > 0 {
		for p := range sc.Processes {
			w.wakes = append(w.wakes, newGroup(w.wakeSteps(p)))
		}
		w.forced = []*group{newGroup(func(x *step) {
			for p := range sc.Processes {
				if x.proc(p).stalled && w.first(p) {
					w.wake(x, p)
				}
			}
		})}
	}
	if sc.Faults.Total == 0 {
		return
	}
	for p := range sc.Processes {
		w.faults = append(w.faults, newGroup(w.processFaults(p)))
	}
	for p := range sc.Processes {
		if w.readsLog(p) {
			w.faults = append(w.faults, newGroup(w.readerFaults(p)))
		} else if sc.Processes[p].Kind == Consumer && sc.Faults.Limit[LostReply] > 0 {
			w.faults = append(w.faults, newGroup(w.missedDeliveries(p)))
		}
	}
	if w.downSlot > 0 {
		for i := range sc.Outages {
			w.faults = append(w.faults, newGroup(w.outageFaults(i)))
		}
	}
	if sc.Faults.Limit[EarlyExpiry] > 0 {
		for q := range sc.Queues {
			w.faults = append(w.faults, newGroup(w.earlyExpiry(q)))
		}
	}
	if sc.Faults.Limit[BrokerRestart] > 0 {
		w.faults = append(w.faults, newGroup(w.restartSteps))
	}
	if sc.Faults.Limit[DatabaseRestart] > 0 {
		w.faults = append(w.faults, newGroup(w.databaseRestarts))
	}
	if sc.Faults.Limit[Stop] > 0 {
		for p := range sc.Processes {
			if sc.Processes[p].Kind != Operator {
				w.faults = append(w.faults, newGroup(w.stopFaults(p)))
			}
		}
	}
	if sc.Faults.Limit[Surprise] > 0 {
		for q := range sc.Queues {
			w.faults = append(w.faults, newGroup(w.surprises(q)))
		}
	}
}

// lookup is how a group's outcomes are come by: remembered or worked out
// afresh.
type lookup func(g *group, w *World, s State) *leaf

func remembered(g *group, w *World, s State) *leaf { return g.look(w, s) }

func afresh(g *group, w *World, s State) *leaf {
	x := &step{w: w, base: s}
	g.run(x)
	return &leaf{outcomes: x.outcomes, mask: x.mask, err: x.err}
}

// enabled calls visit for each group with steps in this state, in the fixed
// order. A stalled process wakes even where the clock cannot move if nothing
// else at all can happen: otherwise a stall in a world without timers would
// never end, which no stall does.
func (w *World) enabled(s State, look lookup, visit func(g *group, l *leaf) error) error {
	holds, any := false, false
	run := func(list []*group, holding bool) error {
		for _, g := range list {
			l := look(g, w, s)
			if l.err != nil {
				return l.err
			}
			if len(l.outcomes) > 0 {
				any = true
				holds = holds || holding
				if err := visit(g, l); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := run(w.steps, true); err != nil {
		return err
	}
	if err := run(w.wakes, false); err != nil {
		return err
	}
	if !holds {
		if err := run(w.clock, true); err != nil {
			return err
		}
	}
	if !any {
		if err := run(w.forced, false); err != nil {
			return err
		}
	}
	if err := run(w.lates, false); err != nil {
		return err
	}
	if err := run(w.comes, false); err != nil {
		return err
	}
	if err := run(w.acts, false); err != nil {
		return err
	}
	return run(w.faults, false)
}

// Expand calls visit for each step that is enabled in s, in a fixed order.
// What visit is given must not be changed. It allocates nothing once the
// contents in s have been seen together before.
func (w *World) Expand(s State, visit func(o *Outcome)) error {
	return w.enabled(s, remembered, func(_ *group, l *leaf) error {
		for i := range l.outcomes {
			visit(&l.outcomes[i])
		}
		return nil
	})
}

// knownAhead is how many groups ExpandKnown looks up at once.
const knownAhead = 8

// ExpandKnown is Expand for searching: it calls visit with the outcomes of each
// group in the packed form (Outcome.pack), and tells whether all that was
// needed had been worked out before. It changes nothing in the world, so
// several goroutines may call it at once, as long as none calls anything that
// works something out. Where it returns false, visit may have been called for
// some of the steps. The order of steps is that of Expand.
func (w *World) ExpandKnown(s State, visit func(packed []uint32)) bool {
	holds, any := false, false
	run := func(list []*group, holding bool) bool {
		var nodes [knownAhead]memoNode
		for i, g := range list {
			// Several groups are looked up before the first is visited: no walk waits
			// for another, so the memory can bring what they need at once.
			at := i % knownAhead
			if at == 0 {
				for k, g := range list[i:min(i+knownAhead, len(list))] {
					nodes[k] = g.walk(s)
				}
			}
			node := nodes[at]
			if kind := node.kind(); kind == isNew || kind == isMistake {
				return false
			}
			if size := node.size(); size > 0 {
				any = true
				holds = holds || holding
				visit(g.packed[node.base() : node.base()+size])
			}
		}
		return true
	}
	if !run(w.steps, true) || !run(w.wakes, false) {
		return false
	}
	if !holds && len(w.clock) > 0 && !run(w.clock, true) {
		return false
	}
	if !any && len(w.forced) > 0 && !run(w.forced, false) {
		return false
	}
	if len(w.lates) > 0 && !run(w.lates, false) {
		return false
	}
	if len(w.comes) > 0 && !run(w.comes, false) || len(w.acts) > 0 && !run(w.acts, false) {
		return false
	}
	if id := s[slotBudget]; int(id) < len(w.spent) && w.spent[id] {
		return true
	}
	return run(w.faults, false)
}

// Offered tells of each kind of fault whether any state that was looked at so
// far offers one.
func (w *World) Offered() [faultKinds]bool {
	var offered [faultKinds]bool
	for _, g := range w.faults {
		for _, l := range g.leafs {
			for i := range l.outcomes {
				offered[l.outcomes[i].Fault] = true
			}
		}
	}
	return offered
}

// Into writes the state after a step from s to next.
func (o *Outcome) Into(next, s State) {
	copy(next, s)
	for _, wr := range o.Writes {
		next[wr.Slot] = wr.ID
	}
}

// Steps lists the enabled steps of a state.
func (w *World) Steps(s State) ([]Outcome, error) {
	var all []Outcome
	err := w.Expand(s, func(o *Outcome) { all = append(all, *o) })
	return all, err
}

// StepsAfresh lists the enabled steps without the memory that makes Expand
// fast. Both give the same, always: tests compare them.
func (w *World) StepsAfresh(s State) ([]Outcome, error) {
	var all []Outcome
	err := w.enabled(s, afresh, func(_ *group, l *leaf) error {
		all = append(all, l.outcomes...)
		return nil
	})
	return all, err
}

// ErrNotEnabled says that a state has no step of the wanted name.
var ErrNotEnabled = errors.New("no such step here")

// Apply takes the step of that name and returns the next state and what
// happened in it.
func (w *World) Apply(s State, name string) (State, []Event, error) {
	var next State
	var events []Event
	err := w.enabled(s, remembered, func(g *group, l *leaf) error {
		if next != nil {
			return nil
		}
		for i := range l.outcomes {
			if l.outcomes[i].Name == name {
				x := &step{w: w, base: s, record: true, only: name}
				g.run(x)
				next, events = x.final, x.kept
				return nil
			}
		}
		return nil
	})
	if err == nil && next == nil {
		err = fmt.Errorf("%w: %s", ErrNotEnabled, name)
	}
	return next, events, err
}
