package script

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
)

// WindowMap is the window map of a scenario beside its text: what one fault in
// each gap of each handler leads to.
type WindowMap struct {
	*explore.WindowMap                 // as the search found it
	Scenario           *sim.Scenario   // with the budget of one fault: the schedules replay in it
	Handlers           []HandlerWindow // in the order of the text
}

// HandlerWindow is the part of a map that belongs to one handler.
type HandlerWindow struct {
	ID        sim.HandlerID
	Name      string
	Processes []string // who runs it
	Lines     []Lines  // its text and that of the functions it uses, as far as they hold gaps
	Gaps      []GapWindow
}

// Lines is a range of lines, both ends included.
type Lines struct{ From, To int }

// GapWindow is one gap of a handler: the place before a call of the text, or
// before the handler's end. Where the same call is made several times in one
// run of the handler and the marks differ, there is a GapWindow for each set
// of occurrences with the same marks.
type GapWindow struct {
	CallSite
	End         bool  // it lies before the end, or before what the runtime settles then
	Occurrences []int // from 1; nil: every one
	Faults      []explore.WindowFault
}

// Windows draws the window map. Calls of the text that no run without a fault
// comes to are in it too, marked as unreached; where a bound ended the search,
// nobody knows, and they are undecided. A mistake in the text is returned as
// an *Error.
func (s *Scenario) Windows(ctx context.Context, o explore.Options) (*WindowMap, error) {
	one, site := s.WithSites(explore.OneFault())
	sites := map[place]Site{}
	locate := func(h sim.HandlerID, n sim.Node, settling bool) explore.Gap {
		at := site(n)
		g := explore.Gap{Handler: one.Handlers[h], Line: at.Line, Call: one.Label(at.Call), Occurrence: at.Occurrence}
		switch {
		case settling:
			g.Call = settleByRule
		case !at.Call.Ends():
			g.Col = at.Col
			sites[place{at.Line, at.Col}] = at
		}
		return g
	}
	found, err := explore.Windows(ctx, one, locate, o)
	if err != nil {
		return nil, s.sitedMistake(one, err)
	}
	m := &WindowMap{WindowMap: found, Scenario: one}
	for h := range s.handlers {
		w := s.handlerWindow(sim.HandlerID(h), found, sites)
		m.Handlers = append(m.Handlers, w)
	}
	slices.SortStableFunc(m.Handlers, func(a, b HandlerWindow) int { return cmp.Compare(a.Lines[0].From, b.Lines[0].From) })
	return m, nil
}

// settleByRule is the gap in which the runtime settles for a handler that
// ended.
const settleByRule = "settle by rule"

// sitedMistake finds the place in the text behind a mistake that the search
// came upon. Its node belongs to the tree with sites.
func (s *Scenario) sitedMistake(one *sim.Scenario, err error) error {
	var node *sim.MistakeError
	var search *explore.MistakeError
	if !errors.As(err, &node) || !errors.As(err, &search) {
		return err
	}
	text := s.mistakeAt(node, one.Program.Call(node.Node))
	if text == nil {
		return err
	}
	return &explore.MistakeError{Schedule: search.Schedule, Cause: text}
}

func (s *Scenario) handlerWindow(h sim.HandlerID, found *explore.WindowMap, sites map[place]Site) HandlerWindow {
	w := HandlerWindow{ID: h, Name: s.Handlers[h]}
	for i := range s.Processes {
		if p := &s.Processes[i]; p.Handler == h || p.HasOnStop && p.OnStop == h {
			w.Processes = append(w.Processes, s.Processes[i].Name)
		}
	}
	reached := map[place]bool{}
	for _, alike := range byPlace(found.Windows, w.Name) {
		at := alike[0].Gap
		c := CallSite{Line: at.Line, Col: at.Col, EndLine: at.Line, Call: at.Call}
		if site, ok := sites[place{at.Line, at.Col}]; ok && at.Col > 0 {
			c.EndLine, c.Text = site.EndLine, site.Text
		}
		reached[place{at.Line, at.Col}] = true
		for _, same := range merge(alike) {
			same.CallSite, same.End = c, at.Col == 0
			w.Gaps = append(w.Gaps, same)
		}
	}
	mark := explore.MarkUnreached
	if found.Bound != explore.NoBound {
		mark = explore.MarkUndecided
	}
	for _, c := range s.CallSites(h) {
		if !reached[place{c.Line, c.Col}] {
			w.Gaps = append(w.Gaps, GapWindow{CallSite: c, Faults: allMarked(mark)})
		}
	}
	slices.SortStableFunc(w.Gaps, compareGaps)
	w.Lines = s.gapLines(h, w.Gaps)
	return w
}

// compareGaps orders gaps as a run of the text comes to them, as far as the
// text tells: the end lies behind the calls of its line.
func compareGaps(a, b GapWindow) int {
	col := func(g *GapWindow) int {
		if g.End {
			return 1 << 30
		}
		return g.Col
	}
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(col(&a), col(&b)))
}

// byPlace groups the windows of a handler by their call, each group in the
// order of occurrences.
func byPlace(windows []explore.Window, handler string) [][]explore.Window {
	var groups [][]explore.Window
	index := map[explore.Gap]int{}
	for _, w := range windows {
		if w.Handler != handler {
			continue
		}
		key := w.Gap
		key.Occurrence = 0
		i, known := index[key]
		if !known {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

// merge puts occurrences with the same marks together. Of their schedules the
// shortest stay.
func merge(alike []explore.Window) []GapWindow {
	var list []GapWindow
	for _, w := range alike {
		i := slices.IndexFunc(list, func(g GapWindow) bool { return sameMarks(g.Faults, w.Faults) })
		if i < 0 {
			i = len(list)
			list = append(list, GapWindow{Faults: slices.Clone(w.Faults)})
		}
		list[i].Occurrences = append(list[i].Occurrences, w.Occurrence)
		for k := range w.Faults {
			list[i].Faults[k].Verdicts = shorter(list[i].Faults[k].Verdicts, w.Faults[k].Verdicts)
		}
	}
	if len(list) == 1 {
		list[0].Occurrences = nil
	}
	return list
}

func sameMarks(a, b []explore.WindowFault) bool {
	return slices.EqualFunc(a, b, func(a, b explore.WindowFault) bool {
		return a.Kind == b.Kind && a.Mark == b.Mark && slices.EqualFunc(a.Verdicts, b.Verdicts, func(a, b explore.WindowVerdict) bool {
			return a.Property == b.Property
		})
	})
}

// shorter takes from two lists of the same verdicts the shorter schedules.
func shorter(a, b []explore.WindowVerdict) []explore.WindowVerdict {
	best := slices.Clone(a)
	for i := range best {
		if len(b[i].Schedule) < len(best[i].Schedule) {
			best[i] = b[i]
		}
	}
	return best
}

func allMarked(mark explore.Mark) []explore.WindowFault {
	var list []explore.WindowFault
	for _, k := range explore.WindowKinds {
		list = append(list, explore.WindowFault{Kind: k, Mark: mark})
	}
	return list
}

// gapLines lists the lines of the handler, and those of each other function
// that holds one of its gaps.
func (s *Scenario) gapLines(h sim.HandlerID, gaps []GapWindow) []Lines {
	own := s.src.defs[placeOf(s.handlers[h].fn.Position())]
	if own == nil {
		at := placeOf(s.handlers[h].fn.Position()).line
		return []Lines{{at, at}}
	}
	list := []Lines{{own.start.line, own.end.line}}
	for _, def := range s.src.reachable(s.handlers[h].fn) {
		here := Lines{def.start.line, def.end.line}
		inside := func(g GapWindow) bool { return here.From <= g.Line && g.Line <= here.To }
		covered := slices.ContainsFunc(list, func(l Lines) bool { return l.From <= here.From && here.To <= l.To })
		if !covered && slices.ContainsFunc(gaps, inside) {
			list = append(list, here)
		}
	}
	return list
}
