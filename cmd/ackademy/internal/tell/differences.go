package tell

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

// Chart is the window map of a scenario.
type Chart struct {
	Scenario *script.Scenario
	Found    *script.WindowMap
}

// Difference is a gap and a fault that do different harm on the two sides.
type Difference struct {
	Processes []string
	Call      string
	Number    int // which call of this name, from 1; 0: there is only one
	Fault     sim.FaultKind
	Sides     [2]WindowSide
}

// WindowSide is what one side has there.
type WindowSide struct {
	Mark     explore.Mark // empty: there is no such call
	Verdicts []sim.Property
	AsEver   bool // harmless, because what it does to the other side needs no fault here
}

// gapName names a gap so that both sides can have it.
type gapName struct {
	call   string
	number int
}

// Differences lists the windows that one of two maps has and the other has not.
func Differences(a, b *Chart) []Difference {
	var list []Difference
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
func processNames(charts ...*Chart) []string {
	var names []string
	for _, c := range charts {
		for i := range c.Scenario.Processes {
			if name := c.Scenario.Processes[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (c *Chart) handlerOf(process string) *script.HandlerWindow {
	for i := range c.Found.Handlers {
		if slices.Contains(c.Found.Handlers[i].Processes, process) {
			return &c.Found.Handlers[i]
		}
	}
	return nil
}

func between(a, b *Chart, ha, hb *script.HandlerWindow) []Difference {
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
	var list []Difference
	for _, n := range names {
		for _, k := range explore.WindowKinds {
			d := Difference{Processes: processes, Call: n.call, Fault: k}
			d.Sides = [2]WindowSide{sideOf(gapsA[n], k), sideOf(gapsB[n], k)}
			if several[n.call] {
				d.Number = n.number
			}
			if d.differs() {
				d.Sides[0].AsEver = a.always(&d.Sides[0], &d.Sides[1])
				d.Sides[1].AsEver = b.always(&d.Sides[1], &d.Sides[0])
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
func sideOf(gaps []*script.GapWindow, k sim.FaultKind) WindowSide {
	var s WindowSide
	rank := []explore.Mark{"", explore.MarkUnreached, explore.MarkNone, explore.MarkHarmless, explore.MarkUndecided, explore.MarkHarmful}
	for _, g := range gaps {
		for _, f := range g.Faults {
			if f.Kind != k {
				continue
			}
			if slices.Index(rank, f.Mark) > slices.Index(rank, s.Mark) {
				s.Mark = f.Mark
			}
			for _, v := range f.Verdicts {
				if !slices.Contains(s.Verdicts, v.Property) {
					s.Verdicts = append(s.Verdicts, v.Property)
				}
			}
		}
	}
	slices.Sort(s.Verdicts)
	return s
}

// differs tells whether one side has a window that the other has not.
func (d *Difference) differs() bool {
	return !slices.Equal(d.Sides[0].Verdicts, d.Sides[1].Verdicts) ||
		(d.Sides[0].Mark == explore.MarkUndecided) != (d.Sides[1].Mark == explore.MarkUndecided)
}

// always tells whether a side looks harmless only because the other's verdicts
// need no fault here.
func (c *Chart) always(own, other *WindowSide) bool {
	if own.Mark != explore.MarkHarmless || len(other.Verdicts) == 0 {
		return false
	}
	for _, p := range other.Verdicts {
		if !slices.Contains(c.AlwaysNames(), p) {
			return false
		}
	}
	return true
}

// AlwaysNames lists the properties that need no fault at all.
func (c *Chart) AlwaysNames() []sim.Property {
	var list []sim.Property
	for i := range c.Found.Always {
		list = append(list, c.Found.Always[i].Property)
	}
	return list
}
