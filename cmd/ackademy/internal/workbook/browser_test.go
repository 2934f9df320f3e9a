package workbook

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
	"github.com/ackademy/ackademy/web"
	"github.com/ackademy/ackademy/web/browsertest"
)

// The real engine behind the real page in a real browser. What this file has
// is how the tests in page_test.go reach it.

func TestMain(m *testing.M) { browsertest.Main(m) }

// shippedOnly is a Book as a web.Workbook whose learners write nothing.
type shippedOnly struct{ *Book }

func (shippedOnly) OpenText(context.Context, string, string) (web.Session, error) {
	return nil, &web.Problem{Code: "read_only", Message: "This test opens no text of its own."}
}

// A site is a server with the shipped lessons, and a way to end it.
type site struct {
	start, origin string
	port          int
	stop          func()
}

func newSite(t *testing.T, dataDir string, port int) *site {
	t.Helper()
	book, err := Open(lessons.Files())
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Options{Workbook: shippedOnly{book}, DataDir: dataDir, Port: port,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(ctx); err != nil {
			t.Errorf("Serve: %v", err)
		}
	}()
	s := &site{start: server.StartURL(), stop: func() { cancel(); <-ended }}
	t.Cleanup(s.stop)
	at, err := url.Parse(s.start)
	if err != nil {
		t.Fatal(err)
	}
	s.origin = "http://" + at.Host
	if s.port, err = strconv.Atoi(at.Port()); err != nil {
		t.Fatal(err)
	}
	return s
}

// A reader is a tab before the shipped lessons.
type reader struct {
	*browsertest.Tab
	*site
}

func newReader(t *testing.T) *reader {
	t.Helper()
	s := newSite(t, t.TempDir(), web.AnyPort)
	return &reader{browsertest.Open(t, s.start), s}
}

// within selects the first simulation of a scenario.
func within(scenario string) string { return fmt.Sprintf(`ack-simulation[scenario="%s"]`, scenario) }

// drawn waits until a simulation is there.
func (r *reader) drawn(sim string) {
	r.Helper()
	r.Until(fmt.Sprintf(`document.querySelector('%[1]s ack-transport output') && document.querySelector('%[1]s .diagram-head')`, sim))
}

// play opens a link to a run.
func (r *reader) play(scenario string, steps []string, position int, budget string) {
	r.Helper()
	link := browsertest.Ask[string](r.Tab, fmt.Sprintf(`import('/page/link.js').then(({encode}) => '/play#' + encode({scenario: %s, steps: %s, position: %d, budget: %s}))`,
		quote(scenario), list(steps), position, quote(budget)))
	r.Go(r.origin + link)
	r.drawn(within(scenario))
}

func quote(text string) string { return strconv.QuoteToASCII(text) }

func list(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, quote(text))
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

// choose selects the button of an action.
func choose(sim, action string) string {
	return fmt.Sprintf(`%s [data-action="%s"]`, sim, action)
}

// words are the verdicts that a simulation shows, by intent, without done_once
// and what is still in progress: those are no verdicts of explore.Judge.
func (r *reader) words(sim string) map[string][]string {
	r.Helper()
	all := browsertest.Ask[map[string][]string](r.Tab, fmt.Sprintf(`Object.fromEntries([...document.querySelectorAll('%s .verdict-row')].map((row) =>
		[row.querySelector('.verdict-intent b').textContent, [...row.querySelectorAll('.badge')].map((badge) => badge.textContent.trim())]))`, sim))
	for intent, words := range all {
		all[intent] = slices.DeleteFunc(words, func(w string) bool { return w == "done once" || w == "in progress" })
	}
	return all
}

// engine is a scenario as the engine alone sees it.
type engine struct {
	*testing.T
	sc    *script.Scenario
	world *sim.World
}

func newEngine(t *testing.T, scenario string) *engine {
	t.Helper()
	src, err := fs.ReadFile(lessons.Files(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Load(scenario, src)
	if err != nil {
		t.Fatal(err)
	}
	return &engine{t, sc, sim.New(sc.Scenario)}
}

// shortest is a shortest schedule that shows a verdict.
func (e *engine) shortest(property sim.Property) []string {
	e.Helper()
	report, err := explore.Run(context.Background(), e.world, explore.Options{})
	if err != nil {
		e.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Property == property && f.Status == explore.Violated {
			return f.Schedule
		}
	}
	e.Fatalf("%s never ends %s", e.sc.Filename, property)
	return nil
}

// words are what explore.Judge says after these steps, as the page spells it.
func (e *engine) words(steps []string) map[string][]string {
	e.Helper()
	run, err := schedule.Replay(e.world, steps)
	if err != nil {
		e.Fatal(err)
	}
	standing, err := explore.Judge(e.world, run.State(), judgedStates)
	if err != nil {
		e.Fatal(err)
	}
	all := map[string][]string{}
	for i, intent := range e.sc.Intents {
		all[intent.Name] = []string{}
		for _, p := range sim.Properties() {
			if standing.Verdicts.Of[p]&(1<<i) != 0 {
				all[intent.Name] = append(all[intent.Name], strings.ReplaceAll(p.String(), "_", " "))
			}
		}
	}
	return all
}

// random is a run by chance.
func (e *engine) random(seed uint64) []string {
	e.Helper()
	run := schedule.New(e.world)
	if _, err := run.Random(seed, addedSteps); err != nil {
		e.Fatal(err)
	}
	return run.Steps()
}
