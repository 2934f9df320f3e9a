package main

import (
	"slices"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// What two window maps differ in. Handlers correspond by the processes that
// run them, gaps by the call that they lie before, numbered where a text has
// several of that name. A gap counts only where some fault in it does harm on
// one of the sides: that harmless calls come and go is no difference of
// windows.

// difference is a gap and a fault that do different harm on the two sides.
type difference struct {
	processes []string
	call      string
	number    int // which call of this name, from 1; 0: there is only one
	fault     sim.FaultKind
	sides     [2]windowSide
}

// windowSide is what one side has there.
type windowSide struct {
	mark     explore.Mark // empty: there is no such call
	verdicts []sim.Property
	asEver   bool // harmless, because what it does to the other side needs no fault here
}

// gapName names a gap so that both sides can have it.
type gapName struct {
	call   string
	number int
}

func differences(a, b *chart) []difference {
	var list []difference
	seen := map[[2]*script.HandlerWindow]bool{}
	for _, process := range processNames(a, b) {
		ha, hb := a.handlerOf(process), b.handlerOf(process)
		if seen[[2]*script.HandlerWindow{ha, hb}] {
			continue
		}
		seen[[2]*script.HandlerWindow{ha, hb}] = true
		list = append(list, between(a, b, ha, hb)...)
	}
	return list
}

// processNames lists the processes of both sides, each name once.
func processNames(charts ...*chart) []string {
	var names []string
	for _, c := range charts {
		for i := range c.sc.Processes {
			if name := c.sc.Processes[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (c *chart) handlerOf(process string) *script.HandlerWindow {
	for i := range c.found.Handlers {
		if slices.Contains(c.found.Handlers[i].Processes, process) {
			return &c.found.Handlers[i]
		}
	}
	return nil
}

func between(a, b *chart, ha, hb *script.HandlerWindow) []difference {
	names, gapsA := gapsByName(ha)
	namesB, gapsB := gapsByName(hb)
	for _, n := range namesB {
		if gapsA[n] == nil {
			names = append(names, n)
		}
	}
	var processes []string
	for _, h := range []*script.HandlerWindow{ha, hb} {
		for _, p := range handlerProcesses(h) {
			if !slices.Contains(processes, p) {
				processes = append(processes, p)
			}
		}
	}
	several := map[string]bool{}
	for _, n := range names {
		several[n.call] = several[n.call] || n.number > 1
	}
	var list []difference
	for _, n := range names {
		for _, k := range explore.WindowKinds {
			d := difference{processes: processes, call: n.call, fault: k}
			d.sides = [2]windowSide{sideOf(gapsA[n], k), sideOf(gapsB[n], k)}
			if several[n.call] {
				d.number = n.number
			}
			if d.differs() {
				d.sides[0].asEver = a.always(&d.sides[0], &d.sides[1])
				d.sides[1].asEver = b.always(&d.sides[1], &d.sides[0])
				list = append(list, d)
			}
		}
	}
	return list
}

func handlerProcesses(h *script.HandlerWindow) []string {
	if h == nil {
		return nil
	}
	return h.Processes
}

// gapsByName names the gaps of a handler in the order of its text. Several
// occurrences of one call are one gap.
func gapsByName(h *script.HandlerWindow) ([]gapName, map[gapName][]*script.GapWindow) {
	gaps := map[gapName][]*script.GapWindow{}
	if h == nil {
		return nil, gaps
	}
	var names []gapName
	count := map[string]int{}
	for i := range h.Gaps {
		g := &h.Gaps[i]
		if i == 0 || !sameSite(&h.Gaps[i-1], g) {
			count[g.Call]++
		}
		n := gapName{g.Call, count[g.Call]}
		if gaps[n] == nil {
			names = append(names, n)
		}
		gaps[n] = append(gaps[n], g)
	}
	return names, gaps
}

func sameSite(a, b *script.GapWindow) bool {
	return a.Line == b.Line && a.Col == b.Col && a.Call == b.Call
}

// sideOf takes the marks of all occurrences of a gap together, the worst one
// standing for them.
func sideOf(gaps []*script.GapWindow, k sim.FaultKind) windowSide {
	var s windowSide
	rank := []explore.Mark{"", explore.MarkUnreached, explore.MarkNone, explore.MarkHarmless, explore.MarkUndecided, explore.MarkHarmful}
	for _, g := range gaps {
		for _, f := range g.Faults {
			if f.Kind != k {
				continue
			}
			if slices.Index(rank, f.Mark) > slices.Index(rank, s.mark) {
				s.mark = f.Mark
			}
			for _, v := range f.Verdicts {
				if !slices.Contains(s.verdicts, v.Property) {
					s.verdicts = append(s.verdicts, v.Property)
				}
			}
		}
	}
	slices.Sort(s.verdicts)
	return s
}

// differs tells whether one side has a window that the other has not.
func (d *difference) differs() bool {
	return !slices.Equal(d.sides[0].verdicts, d.sides[1].verdicts) ||
		(d.sides[0].mark == explore.MarkUndecided) != (d.sides[1].mark == explore.MarkUndecided)
}

// always tells whether a side looks harmless only because the other's verdicts
// need no fault here.
func (c *chart) always(own, other *windowSide) bool {
	if own.mark != explore.MarkHarmless || len(other.verdicts) == 0 {
		return false
	}
	for _, p := range other.verdicts {
		if !slices.Contains(c.alwaysNames(), p) {
			return false
		}
	}
	return true
}

func (c *chart) alwaysNames() []sim.Property {
	var list []sim.Property
	for i := range c.found.Always {
		list = append(list, c.found.Always[i].Property)
	}
	return list
}
