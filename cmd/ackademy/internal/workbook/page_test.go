package workbook

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/web"
	"github.com/ackademy/ackademy/web/browsertest"
)

// stories are the two lessons that a learner is led to the end of, each by a
// shortest schedule to its verdict.
var stories = []struct {
	lesson, scenario, word string
	property               sim.Property
}{
	{"02-ack-first", "02-ack-first/ack-first.star", "lost", sim.Lost},
	{"03-commit-first", "03-commit-first/commit-first.star", "duplicated", sim.Duplicated},
}

// With the mouse from the contents to the verdict of both lessons, each step
// by its button, then back, by a row of the diagram, by the table and by the
// slider, and on to another end.
func TestPageByMouse(t *testing.T) {
	r := newReader(t)
	for i, story := range stories {
		r.Go(r.origin)
		if i == 0 {
			r.Shoot("contents", false)
		}
		r.Follow(fmt.Sprintf(`.lessons a[href="/lessons/%s"]`, story.lesson))
		sim, e := within(story.scenario), newEngine(t, story.scenario)
		r.drawn(sim)
		r.Mouse(sim + ` .transport button`)
		r.Position(sim, "0 / 0")
		r.Shoot("start-"+story.word, false)
		steps := e.shortest(story.property)
		for n, step := range steps {
			r.Mouse(choose(sim, step))
			r.Position(sim, fmt.Sprintf("%d / %d", n+1, n+1))
			r.agree(e, sim, steps[:n+1])
		}
		r.Until(fmt.Sprintf(`[...document.querySelectorAll('%s .verdict .badge.bad')].some((badge) => badge.textContent.trim() === '%s')`, sim, story.word))
		r.Shoot(story.word, false)

		all := len(steps)
		r.Mouse(sim + ` .row[data-step="2"] .step-number`)
		r.Position(sim, fmt.Sprintf("2 / %d", all))
		r.agree(e, sim, steps[:2])
		r.Mouse(sim + ` [aria-label="Show the run as"] button:last-child`)
		r.Until(fmt.Sprintf(`document.querySelector('%s .steps').checkVisibility()`, sim))
		r.Mouse(sim + ` .steps tbody tr:nth-child(3) button`)
		r.Position(sim, fmt.Sprintf("3 / %d", all))
		browsertest.Ask[any](r.Tab, fmt.Sprintf(`(() => { const slide = document.querySelector('%s .slide input'); slide.value = '1'; slide.dispatchEvent(new Event('input')); })()`, sim))
		r.Position(sim, fmt.Sprintf("1 / %d", all))
		r.Mouse(sim + ` [title^="On without a fault"]`)
		r.Until(fmt.Sprintf(`document.querySelector('%s .note').textContent.includes('at rest')`, sim))
		r.agree(e, sim, browsertest.Ask[[]string](r.Tab, fmt.Sprintf(`document.querySelector('%s').place.steps`, sim)))
	}
}

// The same by keys alone: Tab comes to the simulation, and each step is taken
// by its digit, or by j and Enter where it has none.
func TestPageByKeyboard(t *testing.T) {
	r := newReader(t)
	for _, story := range stories {
		r.Go(r.origin + "/lessons/" + story.lesson)
		sim, e := within(story.scenario), newEngine(t, story.scenario)
		r.drawn(sim)
		inside := fmt.Sprintf(`document.activeElement.closest('%s') !== null && !document.activeElement.matches('select, input')`, sim)
		for n := 0; !browsertest.Ask[bool](r.Tab, inside); n++ {
			if n > 40 {
				t.Fatal("Tab doesn't come to the simulation")
			}
			r.Press(kb.Tab)
		}
		at := browsertest.Ask[int](r.Tab, fmt.Sprintf(`document.querySelector('%s').place.position`, sim))
		for range at {
			r.Press("b")
		}
		r.Until(fmt.Sprintf(`document.querySelector('%s').place.position === 0`, sim))
		steps := e.shortest(story.property)
		for n, step := range steps {
			digit := r.Text(choose(sim, step) + " kbd")
			if digit != "" && n%2 == 0 {
				r.Press(digit)
			} else {
				focused := fmt.Sprintf(`document.activeElement.dataset.action === %s`, quote(step))
				for k := 0; !browsertest.Ask[bool](r.Tab, focused); k++ {
					if k > 60 {
						t.Fatalf("j doesn't come to %q", step)
					}
					r.Press("j")
				}
				r.Press(kb.Enter)
			}
			r.Until(fmt.Sprintf(`document.querySelector('%s').place.position === %d`, sim, n+1))
			r.agree(e, sim, steps[:n+1])
		}
		r.Until(fmt.Sprintf(`document.querySelector('%s [aria-live=polite]').textContent.includes(': %s. ')`, sim, story.word))
		if nameless := r.Nameless(); len(nameless) > 0 {
			t.Errorf("without a name: %v", nameless)
		}
	}
}

// Every shipped scenario is drawn, stands where its link says, and shows the
// verdicts of the engine; nothing reaches out of the window at any size.
func TestPageEveryScenario(t *testing.T) {
	r := newReader(t)
	files, err := fs.Glob(lessons.Files(), "*/*.star")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if testing.Short() && i%6 > 0 {
			continue
		}
		e, sim := newEngine(t, file), within(file)
		steps := e.random(uint64(i + 1))
		size := windows[i%len(windows)]
		r.Resize(size.width, size.height)
		r.play(file, steps, len(steps), "")
		r.Position(sim, fmt.Sprintf("%d / %d", len(steps), len(steps)))
		r.agree(e, sim, steps)
		r.Until(fmt.Sprintf(`document.querySelector('%s .window-mark')`, sim))
		if wide := r.TooWide(); len(wide) > 0 {
			t.Errorf("%s at %d: out of the window: %v", file, size.width, wide)
		}
		if problem := r.Text(".problem"); problem != "" {
			t.Errorf("%s: %s", file, problem)
		}
	}
}

var windows = []struct{ width, height int64 }{{1440, 900}, {1024, 768}, {390, 844}}

// The lessons fit every window in either colour scheme; on paper the table
// stands beside the diagram, and there is nothing to press.
func TestPageSizes(t *testing.T) {
	r := newReader(t)
	for _, story := range stories {
		r.Go(r.origin + "/lessons/" + story.lesson)
		r.drawn(within(story.scenario))
		r.Until(`document.querySelector('.window-mark')`)
		for _, size := range windows {
			r.Resize(size.width, size.height)
			if wide := r.TooWide(); len(wide) > 0 {
				t.Errorf("%s at %d: out of the window: %v", story.lesson, size.width, wide)
			}
			for _, scheme := range []string{"light", "dark"} {
				r.Emulate("", scheme)
				r.Shoot(fmt.Sprintf("%s-%d-%s", story.lesson, size.width, scheme), true)
			}
		}
	}
	r.Emulate("print", "light")
	r.Until(`document.querySelector('.steps').checkVisibility() && document.querySelector('.diagram-body').checkVisibility() && !document.querySelector('.transport').checkVisibility()`)
}

// A lost connection and a server that is started again change nothing for the
// learner but that they wait a moment; nor does loading the page again, and
// another link over this one leads there.
func TestPageComesBack(t *testing.T) {
	data := t.TempDir()
	first := newSite(t, data, web.AnyPort)
	r := &reader{browsertest.Open(t, first.start), first}
	r.Expect("WebSocket connection")
	story := stories[0]
	sim, e := within(story.scenario), newEngine(t, story.scenario)
	steps := e.shortest(story.property)
	r.play(story.scenario, steps, len(steps)-1, web.OneFault)
	r.Position(sim, fmt.Sprintf("%d / %d", len(steps)-1, len(steps)))
	first.stop()
	r.Until(`document.querySelector('.sim-head').textContent.includes('no connection')`)
	second := newSite(t, data, first.port)
	if second.port != first.port {
		t.Skipf("somebody else took port %d meanwhile", first.port)
	}
	r.Until(`!document.querySelector('.sim-head').textContent.includes('no connection')`)
	r.Press("n")
	r.Position(sim, fmt.Sprintf("%d / %d", len(steps), len(steps)))
	r.agree(e, sim, steps)
	r.Reload()
	r.Position(sim, fmt.Sprintf("%d / %d", len(steps), len(steps)))
	if budget := browsertest.Ask[string](r.Tab, `document.querySelector('.budget-choice select').value`); budget != web.OneFault {
		t.Errorf("the budget is %q", budget)
	}

	// A link with a step that doesn't fit stops there and says so.
	r.play(story.scenario, []string{steps[0], "worker1 fly", steps[1]}, 3, "")
	r.Position(sim, "1 / 1")
	r.Until(`document.querySelector('.problem')?.textContent.includes('worker1 fly')`)
	r.Press("n")
	r.Position(sim, "2 / 2")
	r.Until(`document.querySelector('.problem') === null`)
	browsertest.Ask[any](r.Tab, `location.hash = '#v1.broken'`)
	r.Until(`document.querySelector('ack-play > [role=status]').textContent.includes('not a link')`)
}

// The window map beside the code is the engine's, opens by a key, and replays
// what it stands for.
func TestPageWindowMap(t *testing.T) {
	r := newReader(t)
	for _, scenario := range []string{"02-ack-first/ack-first.star", "03-commit-first/one-transaction.star", "03-commit-first/commit-first.star"} {
		r.play(scenario, nil, 0, "")
		r.Until(`document.querySelector('.window-mark')`)
		shown := browsertest.Ask[map[string]string](r.Tab, `Object.fromEntries([...document.querySelectorAll('.window-mark')].map((mark) =>
			[mark.ariaLabel.match(/^Line (\d+)/)[1], mark.ariaLabel.split(': ').slice(1).join(': ')]))`)
		want := lineWords(t, newEngine(t, scenario))
		for _, line := range slices.Sorted(maps.Keys(want)) {
			for _, word := range want[line] {
				if !strings.Contains(shown[line], word) {
					t.Errorf("%s:%s shows %q, the engine %q", scenario, line, shown[line], want[line])
				}
			}
		}
		if len(shown) != len(want) {
			t.Errorf("%s: marks at %v, the engine has %v", scenario, shown, want)
		}
	}
	// Only a stall does harm here, which the file's own budget doesn't allow.
	sim := within("03-commit-first/commit-first.star")
	browsertest.Ask[any](r.Tab, `[...document.querySelectorAll('.window-mark')].find((mark) => mark.textContent.includes('stall: duplicated')).focus()`)
	r.Press(kb.Enter)
	r.Until(`document.querySelector('.window-detail')`)
	r.Press(kb.Tab, kb.Enter)
	r.Until(`document.querySelector('.verdict .badge.bad')?.textContent.trim() === 'duplicated'`)
	r.Until(`document.querySelector('.budget-choice select').value === 'one_fault' && document.querySelector('.window-detail') === null`)
	browsertest.Ask[any](r.Tab, `history.back()`)
	r.Position(sim, "0 / 0")
	r.Click(`.quiet-button[aria-pressed="true"]`)
	r.Until(`document.querySelector('.window-mark') === null`)
}

// The picture of the README: a lesson at its verdict. It is taken again by
//
//	ACKADEMY_SHOTS=.github go test ./cmd/ackademy/internal/workbook -run TestPagePicture
func TestPagePicture(t *testing.T) {
	r := newReader(t)
	r.Emulate("", "light")
	r.Go(r.origin + "/lessons/02-ack-first")
	const sim = `ack-simulation[name="before-commit"]`
	r.drawn(sim)
	browsertest.Ask[any](r.Tab, `document.querySelector('`+sim+` .row:last-child').dispatchEvent(new MouseEvent('click', {bubbles: true}))`)
	r.Until(`document.querySelector('` + sim + ` .verdict .badge.bad')?.textContent.trim() === 'lost'`)
	r.Until(`document.querySelector('` + sim + ` .window-mark.lost')`)
	browsertest.Ask[any](r.Tab, `scrollTo({top: document.querySelector('`+sim+`').getBoundingClientRect().top + scrollY - 62, behavior: 'instant'})`)
	r.Shoot("workbook", false)
}

// lineWords are the words of each line's marks, by the engine.
func lineWords(t *testing.T, e *engine) map[string][]string {
	t.Helper()
	m, err := e.sc.Windows(context.Background(), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	words := map[string][]string{}
	for _, h := range m.Handlers {
		for _, g := range h.Gaps {
			line := fmt.Sprint(g.Line)
			for _, f := range g.Faults {
				if f.Mark != explore.MarkNone {
					words[line] = append(words[line], string(f.Mark))
				}
				for _, v := range f.Verdicts {
					words[line] = append(words[line], spelling(v.Property))
				}
			}
		}
	}
	for line, list := range words {
		harmful := slices.Contains(list, string(explore.MarkHarmful))
		words[line] = slices.DeleteFunc(list, func(w string) bool {
			return w == string(explore.MarkHarmful) || harmful && w == string(explore.MarkHarmless)
		})
	}
	return words
}
