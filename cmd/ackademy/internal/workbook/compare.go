package workbook

import (
	"context"
	"errors"
	"fmt"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
)

// What a page compares: the run of a learner's text beside that of the text
// that was shipped, by the rules of `ackademy compare`. The learner's run
// leads. Where it has no step yet, the first violation of the shipped text
// does, or else of the learner's: that is what a repair is to be held against.

func nothingToCompare() *web.Problem {
	return &web.Problem{Code: "nothing_to_compare", Message: "This is the shipped text, and there is nothing to compare it with.", Next: "Edit it first."}
}

// Source returns the shipped text of a scenario. One of the learner's own has
// none.
func (b *Book) Source(name string) (string, error) {
	source, err := b.read(name)
	var problem *web.Problem
	if errors.As(err, &problem) {
		return "", &web.Problem{Code: "no_original", Message: fmt.Sprintf("%q is a text of your own: there is no shipped one to compare it with.", name),
			Next: "Begin with a lesson, a case or an idiom, and edit it."}
	}
	return string(source), err
}

// comparing is one comparison. Sides are the shipped text and the learner's.
type comparing struct {
	search  web.Search
	options explore.Options
	sides   [2]*session
	leads   int
	shows   string
}

// Compare makes a comparison. It loads both texts, so it belongs where a
// learner's text may be loaded.
func Compare(ctx context.Context, search web.Search) (web.Work, error) {
	c := &comparing{search: search, leads: 1,
		options: explore.Options{MaxStates: mapStates, MaxBytes: searchBytes, MaxTime: searchTime / 2, Workers: 1}}
	var maps [2]*tell.Chart
	bound := ""
	for i, text := range []string{search.Original, search.Text} {
		opened, err := OpenText(search.Scenario, []byte(text))
		if err != nil {
			return web.Work{}, err
		}
		s := opened.(*session)
		if err := s.changeBudget(ctx, search.Budget); err != nil {
			return web.Work{}, err
		}
		c.sides[i] = s
		m, err := s.sc.Windows(ctx, c.options)
		if err != nil {
			return web.Work{}, searchProblem(err, s.sc)
		}
		if m.Bound != explore.NoBound {
			bound = boundText(m.Bound, m.Limit)
		}
		maps[i] = &tell.Chart{Scenario: s.sc, Found: m}
	}
	steps, err := c.steps(ctx)
	if err != nil {
		return web.Work{}, err
	}
	rows, err := c.run(ctx, steps)
	if err != nil {
		return web.Work{}, err
	}
	return web.Work{Compared: &web.Comparison{A: c.sides[0].Snapshot(), B: c.sides[1].Snapshot(), Follows: [...]string{"b", "a"}[c.leads], Shows: c.shows,
		Rows: rows, Windows: differencesOf(tell.Differences(maps[0], maps[1])), Bound: bound}}, nil
}

// steps chooses the schedule and which side leads.
func (c *comparing) steps(ctx context.Context) ([]string, error) {
	if len(c.search.Steps) > 0 {
		return c.search.Steps, nil
	}
	for i, s := range c.sides {
		report, err := explore.Run(ctx, sim.New(s.sc.Scenario), c.options)
		if err != nil {
			return nil, searchProblem(err, s.sc)
		}
		for k := range report.Findings {
			if f := &report.Findings[k]; f.Status == explore.Violated && s.sc.Forbidden[f.Property] {
				c.leads, c.shows = i, f.Property.String()
				return f.Schedule, nil
			}
		}
	}
	return nil, nil
}

// run drives the leader and then the other, which gets the leader's budget:
// under the same schedule the same may go wrong.
func (c *comparing) run(ctx context.Context, steps []string) ([]web.ComparedRow, error) {
	leader, follower := c.sides[c.leads], c.sides[1-c.leads]
	if err := leader.load(ctx, web.Command{Steps: steps}); err != nil {
		return nil, err
	}
	if err := leader.rest(); err != nil {
		return nil, err
	}
	sc, err := script.Load(follower.sc.Filename, []byte(follower.sc.Source)) // its handlers' trees depend on the budget
	if err != nil {
		return nil, problemOf(err, nil)
	}
	sc.Faults.Total, sc.Faults.Limit, sc.Faults.Scoped = leader.sc.Faults.Total, leader.sc.Faults.Limit, false
	follower.sc, follower.world = sc, sim.New(sc.Scenario)
	run, pinned, err := schedule.Follow(follower.world, schedule.Pins(leader.run))
	if err != nil {
		return nil, problemOf(err, sc)
	}
	followed := run.Len()
	follower.run = run
	if err := follower.rest(); err != nil {
		return nil, err
	}
	var rows []web.ComparedRow
	for _, row := range pinned {
		rows = append(rows, c.row(row.Match, row.Left+1, row.Right+1))
	}
	for i := followed; i < run.Len(); i++ {
		rows = append(rows, c.row(schedule.Extra, 0, i+1))
	}
	return rows, nil
}

func (c *comparing) row(match schedule.Match, left, right int) web.ComparedRow {
	row := web.ComparedRow{Match: string(match), A: left, B: right}
	if c.leads == 1 {
		row.A, row.B = right, left
	}
	switch {
	case match == schedule.Moved:
	case row.B == 0:
		row.Match = "only_a"
	case row.A == 0:
		row.Match = "only_b"
	}
	return row
}

// rest lets a run go on by the fixed rule. One that doesn't come to rest is
// shown as far as it came.
func (s *session) rest() error {
	_, err := s.run.Finish(addedSteps)
	s.position = s.run.Len()
	return problemOf(err, s.sc)
}

func differencesOf(list []tell.Difference) []web.Difference {
	var out []web.Difference
	for i := range list {
		d := &list[i]
		out = append(out, web.Difference{Processes: d.Processes, Call: d.Call, Number: d.Number, Fault: d.Fault.String(),
			A: windowSideOf(&d.Sides[0]), B: windowSideOf(&d.Sides[1])})
	}
	return out
}

func windowSideOf(w *tell.WindowSide) web.WindowSide {
	side := web.WindowSide{Mark: string(w.Mark), AsEver: w.AsEver}
	for _, p := range w.Verdicts {
		side.Words = append(side.Words, p.String())
	}
	return side
}
