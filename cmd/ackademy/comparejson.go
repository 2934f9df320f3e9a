package main

import (
	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// The JSON form of a comparison. compareHelp is its documentation; the tests
// hold the two together.

type compareJSON struct {
	A       sideJSON         `json:"a"`
	B       sideJSON         `json:"b"`
	Follows string           `json:"follows"`
	Shows   string           `json:"shows,omitempty"`
	Steps   []pairJSON       `json:"steps"`
	Windows []differenceJSON `json:"windows"`
	Always  alwaysJSON       `json:"always"`
}

type sideJSON struct {
	File     string        `json:"file"`
	Scenario string        `json:"scenario"`
	Title    string        `json:"title"`
	Schedule string        `json:"schedule"`
	Faults   string        `json:"faults,omitempty"`
	AtRest   bool          `json:"at_rest"`
	Decided  bool          `json:"decided"`
	DoneOnce bool          `json:"done_once"`
	Verdicts []verdictJSON `json:"verdicts"`
}

type pairJSON struct {
	Match string        `json:"match"`
	A     *pairStepJSON `json:"a,omitempty"`
	B     *pairStepJSON `json:"b,omitempty"`
	Other int           `json:"other,omitempty"`
}

type pairStepJSON struct {
	Step  int    `json:"step"`
	Name  string `json:"name"`
	Fault string `json:"fault,omitempty"`
}

type differenceJSON struct {
	Processes []string       `json:"processes"`
	Call      string         `json:"call"`
	Number    int            `json:"number,omitempty"`
	Fault     string         `json:"fault"`
	A         windowSideJSON `json:"a"`
	B         windowSideJSON `json:"b"`
}

type windowSideJSON struct {
	Mark     string   `json:"mark,omitempty"`
	Verdicts []string `json:"verdicts"`
	AsEver   bool     `json:"as_without_fault,omitempty"`
}

type alwaysJSON struct {
	A []string `json:"a"`
	B []string `json:"b"`
}

func (r *comparison) json() compareJSON {
	out := compareJSON{
		A: r.sides[0].json(), B: r.sides[1].json(), Follows: [...]string{"a", "b"}[r.follows], Steps: []pairJSON{}, Windows: []differenceJSON{},
		Always: alwaysJSON{propertyNames(r.sides[0].chart.told().AlwaysNames()), propertyNames(r.sides[1].chart.told().AlwaysNames())},
	}
	if r.shows != nil {
		out.Shows = r.shows.String()
	}
	for _, p := range r.rows {
		j := pairJSON{Match: string(p.match), A: r.sides[0].step(p.steps[0]), B: r.sides[1].step(p.steps[1])}
		if p.match == schedule.Moved {
			j.Other = p.other + 1
		}
		out.Steps = append(out.Steps, j)
	}
	for _, d := range r.windows {
		out.Windows = append(out.Windows, differenceJSON{d.Processes, d.Call, d.Number, d.Fault.String(), newWindowSideJSON(&d.Sides[0]), newWindowSideJSON(&d.Sides[1])})
	}
	return out
}

func (s *side) json() sideJSON {
	out := sideJSON{
		File: s.end.path, Scenario: s.sc.Name, Title: s.sc.Title, Schedule: schedule.Inline(s.end.run.Steps()), Faults: s.faults(),
		AtRest: s.end.atRest, Decided: s.end.standing.Decided, DoneOnce: s.end.doneOnce, Verdicts: []verdictJSON{},
	}
	for _, v := range s.end.verdicts() {
		out.Verdicts = append(out.Verdicts, verdictJSON{v.property.String(), v.forbidden, s.sc.Intents[v.intent].Name, picture.Explain(s.end.run, v.property, v.intent)})
	}
	return out
}

func (s *side) step(n int) *pairStepJSON {
	if n < 0 {
		return nil
	}
	o := s.end.run.Outcome(n)
	j := &pairStepJSON{Step: n + 1, Name: o.Name}
	if o.Fault.Strikes() {
		j.Fault = o.Fault.String()
	}
	return j
}

func newWindowSideJSON(w *tell.WindowSide) windowSideJSON {
	return windowSideJSON{string(w.Mark), propertyNames(w.Verdicts), w.AsEver}
}

func propertyNames(list []sim.Property) []string {
	names := []string{}
	for _, p := range list {
		names = append(names, p.String())
	}
	return names
}
