package workbook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/tell"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
)

// The bounds of a search that a page asks for. The command line has higher
// ones; here somebody waits, and the scenarios of the lessons need a tenth.
const (
	searchStates = 500_000
	searchBytes  = 96 << 20
	searchTime   = 8 * time.Second

	// mapStates is lower: a map keeps every step between the states as well,
	// and walks them once more for each mark.
	mapStates = 100_000

	// progressEvery keeps the page's socket free for answers.
	progressEvery = 250 * time.Millisecond
)

// Search implements web.Workbook for shipped scenarios. A learner's own text
// is searched by SearchText, in a process that may die.
func (b *Book) Search(ctx context.Context, search web.Search, tell func(web.Work)) (web.Work, error) {
	if search.Of == web.DoCompare {
		return web.Work{}, nothingToCompare()
	}
	source, err := b.read(search.Scenario)
	if err != nil {
		return web.Work{}, err
	}
	return b.shelf.get(ctx, search.Of+" "+search.Scenario, string(source), func() (web.Work, error) {
		return SearchText(ctx, search.Of, search.Scenario, source, tell)
	})
}

// SearchText checks a scenario's text or draws its window map. It loads the
// text anew, because a loaded scenario serves one goroutine.
func SearchText(ctx context.Context, of, name string, source []byte, tell func(web.Work)) (web.Work, error) {
	sc, err := script.Load(name, source)
	if err != nil {
		return web.Work{}, problemOf(err, nil)
	}
	tell(web.Work{})
	options := explore.Options{MaxStates: searchStates, MaxBytes: searchBytes, MaxTime: searchTime, Workers: 1}
	if of == web.DoMap {
		options.MaxStates = mapStates
	}
	r := &reporter{tell: tell, told: time.Now(), options: &options, parts: 1}
	options.Progress = r.report
	if of == web.DoMap {
		return drawMap(ctx, sc, options)
	}
	return check(ctx, sc, options, r)
}

// reporter tells how far a search has come, now and then.
type reporter struct {
	tell    func(web.Work)
	options *explore.Options
	told    time.Time
	last    explore.Progress
	part    int // of the budgets that are searched one after the other, from 0
	parts   int
}

func (r *reporter) report(p explore.Progress) {
	if time.Since(r.told) < progressEvery {
		return
	}
	r.told = time.Now()
	since := p.Elapsed - r.last.Elapsed
	if since <= 0 { // another budget's search has begun
		r.last, since = explore.Progress{}, p.Elapsed
	}
	rate := float64(p.States-r.last.States) / max(since.Seconds(), 1e-3)
	r.last = p
	share := max(float64(p.States)/float64(r.options.MaxStates), p.Elapsed.Seconds()/r.options.MaxTime.Seconds())
	r.tell(web.Work{States: p.States, Depth: p.Depth, Progress: &web.Progress{
		Frontier: p.Frontier, Rate: int(max(rate, 0)), Part: r.part + 1, Parts: r.parts, Percent: int(100 * min(share, 1)),
		Bounds: fmt.Sprintf("%s, %s or %s", boundText(explore.States, int64(r.options.MaxStates)), boundText(explore.Memory, r.options.MaxBytes), boundText(explore.Time, int64(r.options.MaxTime)))}})
}

// check searches every schedule within the budget of each block; of each
// property the worst answer stands.
func check(ctx context.Context, sc *script.Scenario, options explore.Options, r *reporter) (web.Work, error) {
	var all web.Work
	blocks := sc.Blocks()
	r.parts = len(blocks)
	for i, b := range blocks {
		r.part = i
		work, err := checkBlock(ctx, sc.Under(b), options)
		if err != nil {
			return web.Work{}, err
		}
		if i == 0 {
			all = work
			continue
		}
		for _, text := range work.Remarks {
			if !slices.Contains(all.Remarks, text) {
				all.Remarks = append(all.Remarks, text)
			}
		}
		all.States, all.Depth = all.States+work.States, max(all.Depth, work.Depth)
		if all.Bound == "" {
			all.Bound = work.Bound
		}
		for n := range work.Findings {
			if weight(&work.Findings[n]) > weight(&all.Findings[n]) {
				all.Findings[n] = work.Findings[n]
			}
		}
	}
	return all, nil
}

// weight orders answers from the best to the worst.
func weight(f *web.Found) int {
	weight := map[explore.Status]int{explore.Violated: 3, explore.Unreached: 3, explore.Undecided: 2, explore.Reached: 1}[explore.Status(f.Status)]
	if f.Forbidden && weight > 1 {
		weight += 2
	}
	return weight
}

func checkBlock(ctx context.Context, sc *script.Scenario, options explore.Options) (web.Work, error) {
	world := sim.New(sc.Scenario)
	report, err := explore.Run(ctx, world, options)
	if err != nil {
		return web.Work{}, searchProblem(err, sc)
	}
	if report.Bound == explore.Cancelled {
		return web.Work{}, ctx.Err()
	}
	needs, err := smallest(ctx, sc, report, options)
	if err != nil {
		return web.Work{}, searchProblem(err, sc)
	}
	work := web.Work{States: report.States, Depth: report.Depth, Bound: boundText(report.Bound, report.Limit), Remarks: tell.Remarks(sc, report)}
	for i := range report.Findings {
		f := &report.Findings[i]
		found := web.Found{Property: f.Property.String(), Status: string(f.Status), Forbidden: sc.Forbidden[f.Property],
			Steps: f.Schedule, Faults: f.Faults, Needs: f.Needs, Enough: tell.Needs(f.Needs, needs.Of[f.Property]), Intents: intentNames(sc, f.Intents)}
		if few := needs.Fewest[f.Property]; few != nil {
			found.Fewest = few.Schedule
		}
		if f.Status == explore.Violated && len(f.Intents) > 0 {
			run, err := schedule.Replay(world, f.Schedule)
			if err != nil {
				return web.Work{}, fmt.Errorf("replay what a search found: %w", err)
			}
			found.Sentence = picture.Explain(run, f.Property, f.Intents[0])
		}
		work.Findings = append(work.Findings, found)
	}
	return work, nil
}

// smallest finds how little the violations take, in half the time that a search
// has: beyond it the number of faults alone is known.
func smallest(ctx context.Context, sc *script.Scenario, report *explore.Report, options explore.Options) (*explore.Needs, error) {
	ctx, stop := context.WithTimeout(ctx, searchTime/2)
	defer stop()
	options.Progress = nil
	return explore.Smallest(ctx, sc.Scenario, report, options)
}

// drawMap draws the window map. Its schedules are of a world in which any one
// fault may strike; whether the scenario's own budget allows them is tried.
func drawMap(ctx context.Context, sc *script.Scenario, options explore.Options) (web.Work, error) {
	m, err := sc.Windows(ctx, options)
	if err != nil {
		return web.Work{}, searchProblem(err, sc)
	}
	if m.Bound == explore.Cancelled {
		return web.Work{}, ctx.Err()
	}
	d := &drawing{sc: sc, world: sim.New(sc.Scenario)}
	out := &web.WindowMap{Always: d.ways(m.Always)}
	for _, h := range m.Handlers {
		handler := web.MapHandler{Name: h.Name, Processes: h.Processes}
		for _, g := range h.Gaps {
			gap := web.Gap{Line: g.Line, Column: g.Col, Last: g.EndLine, Call: g.Call, Text: g.Text, End: g.End, Occurrences: g.Occurrences}
			for _, f := range g.Faults {
				gap.Faults = append(gap.Faults, web.GapFault{Kind: f.Kind.String(), Mark: string(f.Mark), Ways: d.ways(f.Verdicts)})
			}
			handler.Gaps = append(handler.Gaps, gap)
		}
		out.Handlers = append(out.Handlers, handler)
	}
	return web.Work{States: m.States, Bound: boundText(m.Bound, m.Limit), Map: out}, nil
}

// drawing turns the verdicts of a map into the page's words.
type drawing struct {
	sc    *script.Scenario
	world *sim.World
}

func (d *drawing) ways(verdicts []explore.WindowVerdict) []web.Way {
	var list []web.Way
	for _, v := range verdicts {
		_, err := schedule.Replay(d.world, v.Schedule)
		list = append(list, web.Way{Word: v.Property.String(), Steps: v.Schedule, Fits: err == nil, Intents: intentNames(d.sc, v.Intents)})
	}
	return list
}

func intentNames(sc *script.Scenario, intents []int) []string {
	var list []string
	for _, i := range intents {
		list = append(list, sc.Intents[i].Name)
	}
	return list
}

// boundText names what ended a search early, as a learner reads it.
func boundText(bound explore.Bound, limit int64) string {
	switch bound {
	case explore.NoBound:
		return ""
	case explore.Memory:
		return fmt.Sprintf("%d MiB of memory", limit>>20)
	case explore.Time:
		return fmt.Sprintf("%g seconds", time.Duration(limit).Seconds())
	}
	return fmt.Sprintf("%s %s", grouped(limit), bound)
}

// grouped writes a number with a comma before each three digits.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// searchProblem words a mistake that a search came upon, with how many steps
// lead there.
func searchProblem(err error, sc *script.Scenario) error {
	worded := problemOf(err, sc)
	var problem *web.Problem
	var mistake *explore.MistakeError
	if errors.As(worded, &problem) && errors.As(err, &mistake) && len(mistake.Schedule) > 0 {
		copied := *problem
		copied.Message += fmt.Sprintf(" (a run of %d steps comes here)", len(mistake.Schedule))
		return &copied
	}
	return worded
}
