package lessons_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// What a lesson says of a run is what the engine says of it. Each simulation's
// schedule is replayed to its end, step by step and by full names, and the
// observer is asked. A claim that does not hold is a mistake, and so is a
// verdict that the text keeps silent about: a reader who sees more than the
// lesson explains would be right to distrust it. Only unresolved may be left
// out, since a run that stops half-way often leaves some caller waiting.
//
// The claim done_once is no verdict of explore.Judge. Said of an intent, it
// means that each of its effects stands exactly once and nothing is left that
// could repeat it; said alone, that the world is at rest and all promised
// intents are done once.

func TestContentLessonsShowWhatTheyClaim(t *testing.T) {
	all, err := lessons.Load(lessons.Files())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there is no lesson")
	}
	for _, lesson := range all {
		t.Run(lesson.Slug, func(t *testing.T) {
			for _, mistake := range untrue(lessons.Files(), lesson) {
				t.Error(mistake)
			}
		})
	}
}

// pageHolds is how many simulations a page opens at once (web/desk.go).
const pageHolds = 8

// untrue lists what a lesson says and the engine does not show.
func untrue(root fs.FS, lesson lessons.Lesson) []string {
	var mistakes []string
	made := 0
	for _, simulation := range lesson.Simulations {
		made += len(simulation.Claims)
		at := fmt.Sprintf("%s/lesson.md:%d: %s: ", lesson.Slug, simulation.Line, simulation.Name)
		if len(simulation.Steps) > 0 && len(simulation.Claims) == 0 {
			mistakes = append(mistakes, at+"there is a schedule, but no claim about its end; add expect: VERDICT")
		}
		end, err := play(root, simulation)
		if err != nil {
			mistakes = append(mistakes, at+err.Error())
			continue
		}
		for _, mistake := range end.judge(simulation.Claims) {
			mistakes = append(mistakes, at+mistake)
		}
	}
	if n := len(lesson.Simulations); n > pageHolds {
		mistakes = append(mistakes, fmt.Sprintf("%s/lesson.md: %d simulations, but a page opens at most %d", lesson.Slug, n, pageHolds))
	}
	if made == 0 {
		mistakes = append(mistakes, lesson.Slug+"/lesson.md: no simulation claims anything, so nothing in this lesson is checked")
	}
	return mistakes
}

// ending is the last state of a simulation.
type ending struct {
	world    *sim.World
	state    sim.State
	verdicts sim.Verdicts
	rest     bool
}

func play(root fs.FS, simulation lessons.Simulation) (*ending, error) {
	src, err := fs.ReadFile(root, simulation.Scenario)
	if err != nil {
		return nil, err
	}
	sc, err := script.Load(simulation.Scenario, src)
	if err != nil {
		return nil, err
	}
	w := sim.New(sc.Scenario)
	run, err := schedule.Replay(w, simulation.Steps)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(run.Steps(), simulation.Steps) {
		return nil, fmt.Errorf("some step is not written in full; write %q", run.Steps())
	}
	standing, err := explore.Judge(w, run.State(), most)
	if err != nil {
		return nil, err
	}
	if !standing.Decided {
		return nil, fmt.Errorf("the verdicts are undecided after %d states", most)
	}
	enabled, err := run.Enabled()
	if err != nil {
		return nil, err
	}
	calm := func(o sim.Outcome) bool { return o.Fault == sim.NoFault }
	return &ending{w, run.State(), standing.Verdicts, !slices.ContainsFunc(enabled, calm)}, nil
}

// judge compares claims and verdicts, in both directions.
func (e *ending) judge(claims []lessons.Claim) []string {
	var mistakes []string
	claimed := map[sim.Property]uint64{}
	for _, c := range claims {
		property, known := propertyOf(c.Verdict)
		mask, found := e.intents(c.Intent)
		switch {
		case !known:
			mistakes = append(mistakes, fmt.Sprintf("line %d: there is no verdict named %q", c.Line, c.Verdict))
			continue
		case !found:
			mistakes = append(mistakes, fmt.Sprintf("line %d: there is no intent named %q", c.Line, c.Intent))
			continue
		case !e.holds(property, c.Intent, mask):
			mistakes = append(mistakes, fmt.Sprintf("line %d: it ends without %s %s", c.Line, c.Verdict, c.Intent))
		}
		claimed[property] |= mask
	}
	for _, property := range sim.Properties() {
		if property == sim.Unresolved || property == sim.DoneOnce {
			continue
		}
		for i, intent := range e.world.Scenario().Intents {
			if e.verdicts.Of[property]&^claimed[property]&(1<<i) != 0 {
				mistakes = append(mistakes, fmt.Sprintf("it ends with %s %s, which no claim says", property, intent.Name))
			}
		}
	}
	return mistakes
}

func (e *ending) holds(property sim.Property, intent string, mask uint64) bool {
	if property != sim.DoneOnce {
		return e.verdicts.Of[property]&mask != 0
	}
	if intent == "" {
		return e.rest && e.world.DoneAll(e.state)
	}
	if e.world.Abandoned(e.state, mask) != mask { // the intent still moves
		return false
	}
	for i, seen := range e.world.Look(e.state).Intents {
		if mask&(1<<i) == 0 {
			continue
		}
		if !seen.Promised || len(seen.Effects) == 0 {
			return false
		}
		for _, effect := range seen.Effects {
			if effect.Count != 1 {
				return false
			}
		}
	}
	return true
}

func propertyOf(word string) (sim.Property, bool) {
	for _, p := range sim.Properties() {
		if p.String() == word {
			return p, true
		}
	}
	return 0, false
}

// intents returns the set of intents of that name: all where there is none.
func (e *ending) intents(name string) (mask uint64, found bool) {
	for i, intent := range e.world.Scenario().Intents {
		if name == "" || intent.Name == name {
			mask |= 1 << i
		}
	}
	return mask, mask != 0
}

// Lessons point at each other by the address of their page.
func TestContentLinksBetweenLessonsResolve(t *testing.T) {
	all, err := lessons.Load(lessons.Files())
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, lesson := range all {
		known[lesson.Slug] = true
	}
	link := regexp.MustCompile(`href="([^"]*)"`)
	for _, lesson := range all {
		for _, match := range link.FindAllStringSubmatch(lesson.HTML, -1) {
			slug, internal := strings.CutPrefix(match[1], "/lessons/")
			if !internal || !known[slug] {
				t.Errorf("%s/lesson.md: the link to %s leads nowhere; write /lessons/NN-slug", lesson.Slug, match[1])
			}
		}
	}
}

// A check that can't fail is none: lessons that say what isn't so are caught,
// each for its reason.
func TestUntrueLessonsAreCaught(t *testing.T) {
	const (
		lost = "publisher publish work-1\npublisher accept\ndeliver work-1 to worker1\nworker1 ack\nworker1 crash before begin\n"
		half = "publisher publish work-1\npublisher accept\ndeliver work-1 to worker1\n"
	)
	for _, test := range []struct{ name, simulation, want string }{
		{"true", lost + "expect: lost work-1\n", ""},
		{"wrong verdict", lost + "expect: lost work-1\nexpect: duplicated work-1\n", "it ends without duplicated work-1"},
		{"wrong intent", lost + "expect: lost\nexpect: lost work-2\n", "it ends without lost work-2"},
		{"silent about a verdict", lost + "expect: unresolved work-2\n", "it ends with lost work-1, which no claim says"},
		{"lost is not done once", lost + "expect: lost\nexpect: done_once work-1\n", "it ends without done_once work-1"},
		{"unfinished is not done once", half + "expect: done_once work-1\n", "it ends without done_once work-1"},
		{"not at rest", half + "expect: done_once\n", "it ends without done_once"},
		{"unknown word", lost + "expect: lost\nexpect: vanished work-1\n", `there is no verdict named "vanished"`},
		{"unknown intent", lost + "expect: lost work-3\n", `there is no intent named "work-3"`},
		{"misfit", half + "worker1 commit\nexpect: done_once work-1\n", `step 4, "worker1 commit", does not fit here`},
		{"short name", half + "worker1\nexpect: unresolved work-2\n", "not written in full"},
		{"no claim", half, "no claim about its end"},
		{"nothing checked", half, "no simulation claims anything"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scenario, err := fs.ReadFile(lessons.Files(), "02-ack-first/ack-first.star")
			if err != nil {
				t.Fatal(err)
			}
			root := fstest.MapFS{
				"01-a/a.star": {Data: scenario},
				"01-a/lesson.md": {Data: []byte("---\ntitle: T\nsummary: S\n---\n\n:::simulation scenario=a.star\n" +
					test.simulation + ":::\n")},
			}
			all, err := lessons.Load(root)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(untrue(root, all[0]), "\n")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// Some sentences of the lessons speak of other budgets of faults than the
// scenario's own, as a reader can set with --faults.
func TestContentOtherBudgetsOfTheLessons(t *testing.T) {
	for _, test := range []struct {
		scenario string
		faults   []sim.FaultKind
		total    int
		violated []sim.Property // of those that a scenario forbids
	}{
		{"01-publish/retry-protected", []sim.FaultKind{sim.LostRequest}, 2, nil},
		{"02-ack-first/ack-first", []sim.FaultKind{sim.LostRequest, sim.LostReply}, 1, nil},
		{"03-commit-first/commit-first", []sim.FaultKind{sim.Stall}, 1, []sim.Property{sim.Duplicated}},
		{"03-commit-first/one-transaction", []sim.FaultKind{sim.Crash, sim.LostRequest, sim.LostReply}, 3, nil},
		{"03-commit-first/one-transaction", []sim.FaultKind{sim.Stall}, 1, nil},
		{"04-identity/check-then-insert", nil, 0, []sim.Property{sim.Duplicated}},
	} {
		t.Run(fmt.Sprint(test.scenario, test.faults, test.total), func(t *testing.T) {
			src, err := fs.ReadFile(lessons.Files(), test.scenario+".star")
			if err != nil {
				t.Fatal(err)
			}
			sc, err := script.Load(test.scenario+".star", src)
			if err != nil {
				t.Fatal(err)
			}
			budget := sim.Faults{Total: test.total}
			for _, kind := range test.faults {
				budget.Limit[kind] = test.total
			}
			sc.Scenario.Faults = budget
			r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
			if err != nil || !r.Complete() {
				t.Fatalf("complete: %v, %v", r.Complete(), err)
			}
			var violated []sim.Property
			for _, f := range r.Findings {
				if sc.Forbidden[f.Property] && f.Status == explore.Violated {
					violated = append(violated, f.Property)
				}
			}
			if !slices.Equal(violated, test.violated) {
				t.Errorf("violated are %v, said was %v", violated, test.violated)
			}
		})
	}
}
