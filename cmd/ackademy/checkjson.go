package main

import (
	"math"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
)

// The JSON form of a check. checkHelp is its documentation; the tests hold the
// two together.

type checkJSON struct {
	File        string         `json:"file,omitempty"`
	Scenario    string         `json:"scenario,omitempty"`
	Title       string         `json:"title,omitempty"`
	Under       string         `json:"under,omitempty"`
	Faults      map[string]int `json:"faults"`
	Status      string         `json:"status"`
	Complete    bool           `json:"complete"`
	Bound       *boundJSON     `json:"bound"`
	States      int            `json:"states"`
	Transitions int            `json:"transitions"`
	Symmetry    string         `json:"symmetry,omitempty"`
	CountedTo   int            `json:"counted_to,omitempty"`
	Idle        []string       `json:"idle,omitempty"`
	Alone       []string       `json:"alone,omitempty"`
	Spin        *spinJSON      `json:"spin,omitempty"`
	Restless    *spinJSON      `json:"restless,omitempty"`
	Growing     []growthJSON   `json:"growing,omitempty"`
	Stats       *statsJSON     `json:"stats,omitempty"`
	Properties  []propertyJSON `json:"properties"`
	Blocks      []checkJSON    `json:"blocks,omitempty"`
}

// blocksJSON is a file with all its blocks, and where it is asked for with what
// the searches cost.
func blocksJSON(results []*result, stats bool) checkJSON {
	if len(results) == 1 {
		return results[0].measured(stats)
	}
	first := results[0]
	out := checkJSON{File: first.path, Scenario: first.sc.Name, Title: first.sc.Title, Status: statusWord(exitOf(results)), Complete: true}
	for i, r := range results {
		b := r.measured(stats)
		out.Complete, out.States, out.Transitions = out.Complete && b.Complete, out.States+b.States, out.Transitions+b.Transitions
		if out.Bound == nil {
			out.Bound = b.Bound
		}
		if out.Spin == nil {
			out.Spin = b.Spin
		}
		if out.Restless == nil {
			out.Restless = b.Restless
		}
		if out.Growing == nil {
			out.Growing = b.Growing
		}
		if b.Stats != nil {
			out.Stats = out.Stats.and(b.Stats, out.States)
		}
		out.CountedTo = max(out.CountedTo, b.CountedTo)
		out.Faults = wider(out.Faults, b.Faults)
		for n, p := range b.Properties {
			switch {
			case i == 0:
				out.Properties = append(out.Properties, p)
			case p.weight() > out.Properties[n].weight():
				out.Properties[n] = p
			}
		}
		b.File, b.Scenario, b.Title, b.Under = "", "", "", r.under
		out.Blocks = append(out.Blocks, b)
	}
	return out
}

// weight orders answers from the best to the worst.
func (p *propertyJSON) weight() int {
	weight := map[string]int{"violated": 3, "unreached": 3, "undecided": 2, "reached": 1}[p.Status]
	if p.Forbidden && weight > 1 {
		weight += 2
	}
	return weight
}

func wider(a, b map[string]int) map[string]int {
	out := map[string]int{}
	for _, m := range []map[string]int{a, b} {
		for kind, n := range m {
			out[kind] = max(out[kind], n)
		}
	}
	return out
}

func statusWord(exit int) string {
	return [...]string{exitGood: "holds", exitBad: "violated", exitUndecided: "undecided"}[exit]
}

type spinJSON struct {
	Schedule string   `json:"schedule"`
	Cycle    []string `json:"cycle"`
}

type growthJSON struct {
	Name string `json:"name"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

type statsJSON struct {
	Seconds  float64 `json:"seconds"`
	Judging  float64 `json:"judging_seconds"`
	Rate     float64 `json:"states_per_second"`
	Bytes    int64   `json:"bytes"`
	PerState int64   `json:"bytes_per_state"`
	Depth    int     `json:"depth"`
}

// stats is what a search cost.
func (r *result) stats() *statsJSON {
	rep := r.report
	seconds := max(rep.Elapsed.Seconds(), 1e-6)
	return &statsJSON{Seconds: seconds, Judging: rep.Judging.Seconds(), Rate: math.Round(float64(rep.States) / seconds),
		Bytes: int64(rep.Bytes), PerState: int64(rep.Bytes) / int64(max(rep.States, 1)), Depth: rep.Depth}
}

// and adds up what two searches cost, one after the other.
func (s *statsJSON) and(other *statsJSON, states int) *statsJSON {
	if s == nil {
		return other
	}
	sum := statsJSON{Seconds: s.Seconds + other.Seconds, Judging: s.Judging + other.Judging,
		Bytes: max(s.Bytes, other.Bytes), PerState: max(s.PerState, other.PerState), Depth: max(s.Depth, other.Depth)}
	sum.Rate = math.Round(float64(states) / sum.Seconds)
	return &sum
}

type boundJSON struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

type propertyJSON struct {
	Name        string     `json:"name"`
	Status      string     `json:"status"`
	Forbidden   bool       `json:"forbidden"`
	Steps       *int       `json:"steps,omitempty"`
	Schedule    string     `json:"schedule,omitempty"`
	Faults      *int       `json:"faults,omitempty"`
	Needs       *int       `json:"needs,omitempty"`
	Smallest    [][]string `json:"smallest,omitempty"`
	Fewest      *fewJSON   `json:"fewest,omitempty"`
	Intents     []string   `json:"intents,omitempty"`
	Explanation string     `json:"explanation,omitempty"`
}

// fewJSON is a schedule with the fewest faults, where a shortest one has more.
type fewJSON struct {
	Steps    int    `json:"steps"`
	Schedule string `json:"schedule"`
	Faults   int    `json:"faults"`
}

func (r *result) measured(stats bool) checkJSON {
	out := r.json()
	if stats {
		out.Stats = r.stats()
	}
	return out
}

func (r *result) json() checkJSON {
	out := checkJSON{
		File: r.path, Scenario: r.sc.Name, Title: r.sc.Title, Faults: faultsJSON(&r.sc.Faults),
		Status:   statusWord(r.exit()),
		Complete: r.report.Complete(), States: r.report.States, Transitions: r.report.Transitions,
		Bound: newBoundJSON(r.report.Bound, r.report.Limit), Symmetry: r.report.Symmetry,
	}
	if r.report.Capped {
		out.CountedTo = r.sc.EffectCap
	}
	if s := r.report.Spin; s != nil {
		out.Spin = &spinJSON{schedule.Inline(s.Schedule), s.Cycle}
	}
	if s := r.report.Restless; s != nil {
		out.Restless = &spinJSON{schedule.Inline(s.Schedule), s.Cycle}
	}
	for _, k := range r.report.Idle {
		out.Idle = append(out.Idle, k.String())
	}
	out.Alone = r.report.Alone
	for _, g := range r.report.Growing {
		out.Growing = append(out.Growing, growthJSON(g))
	}
	for i := range r.report.Findings {
		out.Properties = append(out.Properties, r.property(&r.report.Findings[i]))
	}
	return out
}

func (r *result) property(f *explore.Finding) propertyJSON {
	p := propertyJSON{Name: f.Property.String(), Status: string(f.Status), Forbidden: r.sc.Forbidden[f.Property]}
	if f.Status != explore.Violated && f.Status != explore.Reached {
		return p
	}
	steps := len(f.Schedule)
	p.Steps, p.Faults, p.Needs = &steps, &f.Faults, &f.Needs
	for _, kinds := range r.smallest.Of[f.Property] {
		names := []string{}
		for _, k := range kinds {
			names = append(names, k.String())
		}
		p.Smallest = append(p.Smallest, names)
	}
	p.Schedule = schedule.Inline(f.Schedule)
	if few := r.smallest.Fewest[f.Property]; few != nil {
		p.Fewest = &fewJSON{len(few.Schedule), schedule.Inline(few.Schedule), few.Faults}
	}
	p.Intents = r.names(f.Intents)
	if f.Status == explore.Violated && len(f.Intents) > 0 {
		p.Explanation = picture.Explain(r.replay(f), f.Property, f.Intents[0])
	}
	return p
}

// names lists intents by name.
func (r *result) names(intents []int) []string {
	var list []string
	for _, i := range intents {
		list = append(list, r.sc.Intents[i].Name)
	}
	return list
}

// replay is the run that a finding shows. A schedule that the search found and
// that doesn't fit would be a mistake of ours.
func (r *result) replay(f *explore.Finding) *schedule.Run {
	run, err := schedule.Replay(r.world, f.Schedule)
	if err != nil {
		panic(err)
	}
	return run
}

func faultsJSON(f *sim.Faults) map[string]int {
	out := map[string]int{"total": f.Total}
	for _, k := range sim.FaultKinds() {
		if f.Limit[k] > 0 {
			out[k.String()] = f.Limit[k]
		}
	}
	return out
}
