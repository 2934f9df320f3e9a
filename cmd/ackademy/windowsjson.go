package main

import (
	"slices"
	"time"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// The JSON form of a window map. windowsHelp is its documentation; the tests
// hold the two together.

type windowsJSON struct {
	File     string              `json:"file"`
	Scenario string              `json:"scenario"`
	Title    string              `json:"title"`
	Complete bool                `json:"complete"`
	Bound    *boundJSON          `json:"bound"`
	States   int                 `json:"states"`
	Always   []windowVerdictJSON `json:"always"`
	Handlers []handlerJSON       `json:"handlers"`
}

type handlerJSON struct {
	Name      string      `json:"name"`
	Processes []string    `json:"processes"`
	Lines     []linesJSON `json:"lines"`
	Gaps      []gapJSON   `json:"gaps"`
}

type linesJSON struct {
	From int `json:"from"`
	To   int `json:"to"`
}

type gapJSON struct {
	Line        int        `json:"line"`
	Column      int        `json:"column,omitempty"`
	Call        string     `json:"call"`
	Text        string     `json:"text,omitempty"`
	Occurrences []int      `json:"occurrences,omitempty"`
	Marks       []markJSON `json:"marks"`
}

type markJSON struct {
	Fault    string              `json:"fault"`
	Mark     string              `json:"mark"`
	Verdicts []windowVerdictJSON `json:"verdicts,omitempty"`
}

type windowVerdictJSON struct {
	Name        string   `json:"name"`
	Forbidden   bool     `json:"forbidden"`
	Intents     []string `json:"intents"`
	Steps       int      `json:"steps"`
	Schedule    string   `json:"schedule"`
	Explanation string   `json:"explanation"`
	Faults      string   `json:"faults,omitempty"`
}

func (c *chart) json(only []sim.FaultKind) windowsJSON {
	out := windowsJSON{
		File: c.path, Scenario: c.sc.Name, Title: c.sc.Title, Complete: c.found.Bound == explore.NoBound, States: c.found.States,
		Bound: newBoundJSON(c.found.Bound, c.found.Limit), Always: c.verdictsJSON(c.found.Always, sim.NoFault), Handlers: []handlerJSON{},
	}
	for i := range c.found.Handlers {
		h := &c.found.Handlers[i]
		j := handlerJSON{Name: h.Name, Processes: h.Processes, Gaps: []gapJSON{}}
		for _, l := range h.Lines {
			j.Lines = append(j.Lines, linesJSON{l.From, l.To})
		}
		for k := range h.Gaps {
			j.Gaps = append(j.Gaps, c.gapJSON(&h.Gaps[k], only))
		}
		out.Handlers = append(out.Handlers, j)
	}
	return out
}

func newBoundJSON(bound explore.Bound, limit int64) *boundJSON {
	switch bound {
	case explore.NoBound:
		return nil
	case explore.Time:
		return &boundJSON{string(bound), time.Duration(limit).Seconds()}
	}
	return &boundJSON{string(bound), float64(limit)}
}

func (c *chart) gapJSON(g *script.GapWindow, only []sim.FaultKind) gapJSON {
	j := gapJSON{Line: g.Line, Column: g.Col, Call: g.Call, Text: g.Text, Occurrences: g.Occurrences}
	for _, f := range g.Faults {
		if !slices.Contains(only, f.Kind) {
			continue
		}
		m := markJSON{Fault: f.Kind.String(), Mark: string(f.Mark)}
		if len(f.Verdicts) > 0 {
			m.Verdicts = c.verdictsJSON(f.Verdicts, f.Kind)
		}
		j.Marks = append(j.Marks, m)
	}
	return j
}

func (c *chart) verdictsJSON(list []explore.WindowVerdict, k sim.FaultKind) []windowVerdictJSON {
	out := []windowVerdictJSON{}
	for i := range list {
		v := &list[i]
		j := windowVerdictJSON{
			Name: v.Property.String(), Forbidden: c.sc.Forbidden[v.Property], Steps: len(v.Schedule),
			Schedule: schedule.Inline(v.Schedule), Explanation: c.explain(v), Faults: c.faultsFor(k),
		}
		for _, n := range v.Intents {
			j.Intents = append(j.Intents, c.sc.Intents[n].Name)
		}
		out = append(out, j)
	}
	return out
}
