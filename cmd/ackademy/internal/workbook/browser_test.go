package workbook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
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

// drawn waits until a simulation is there and all others of its page are that
// can be seen, so that nothing moves any more.
func (r *reader) drawn(sim string) {
	r.Helper()
	r.Until(fmt.Sprintf(`document.querySelector('%s ack-transport output') && document.fonts.status === 'loaded'
		&& [...document.querySelectorAll('ack-simulation')].every((sim) => !sim.checkVisibility() || sim.querySelector('.diagram-head'))`, sim))
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

// agree waits until a simulation shows the verdicts of the engine, intent by
// intent, and no others. Neither done_once nor what is still in progress is a
// verdict of explore.Judge.
func (r *reader) agree(e *engine, sim string, steps []string) {
	r.Helper()
	want, err := json.Marshal(e.words(steps))
	if err != nil {
		r.Fatal(err)
	}
	r.Until(fmt.Sprintf(`JSON.stringify([...document.querySelector('%s').querySelectorAll('.verdict-row')].map((row) =>
		[row.querySelector('.verdict-intent b').textContent, ...[...row.querySelectorAll('.badge')].map((badge) => badge.textContent.trim())
			.filter((word) => word !== 'done once' && word !== 'in progress')])) === %s`, sim, quote(string(want))))
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

// words are what explore.Judge says after these steps, as the page spells it:
// for each intent its name and its verdicts.
func (e *engine) words(steps []string) [][]string {
	e.Helper()
	run, err := schedule.Replay(e.world, steps)
	if err != nil {
		e.Fatal(err)
	}
	standing, err := explore.Judge(e.world, run.State(), judgedStates)
	if err != nil {
		e.Fatal(err)
	}
	var all [][]string
	for i, intent := range e.sc.Intents {
		words := []string{intent.Name}
		for _, p := range sim.Properties() {
			if standing.Verdicts.Of[p]&(1<<i) != 0 {
				words = append(words, spelling(p))
			}
		}
		all = append(all, words)
	}
	return all
}

func spelling(p sim.Property) string {
	if p == sim.DeadLettered {
		return "dead-lettered"
	}
	return strings.ReplaceAll(p.String(), "_", " ")
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
