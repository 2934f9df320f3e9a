package workbook

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/web"
	"github.com/ackademy/ackademy/web/browsertest"
)

func shippedBook(t *testing.T) *Book {
	t.Helper()
	book, err := Open(lessons.Files())
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// Each form of each case opens; the mechanism of a broken one plays to its end
// and shows a verdict that the contents promise.
func TestContentCases(t *testing.T) {
	for _, chapter := range shippedBook(t).Casebook() {
		for _, c := range chapter.Cases {
			for _, form := range c.Forms {
				s := open(t, lessons.Files(), form.Scenario)
				if form.Fixed() {
					continue
				}
				last := do(t, s, web.Command{Do: web.DoLoad, Steps: form.Steps, To: len(form.Steps)})
				if !slices.ContainsFunc(last.Intents, func(i web.Intent) bool { return shows(i, form.Shows) }) {
					t.Errorf("%s: the mechanism ends with %+v, the contents promise %v", form.Scenario, last.Intents, form.Shows)
				}
			}
		}
	}
}

func shows(intent web.Intent, promised []lessons.Shown) bool {
	return slices.ContainsFunc(intent.Verdicts, func(v web.Verdict) bool {
		return slices.ContainsFunc(promised, func(s lessons.Shown) bool { return s.Verdict == v.Word })
	})
}

// Each idiom opens and, undisturbed, gets everything done.
func TestContentIdiomsOpen(t *testing.T) {
	for _, idiom := range shippedBook(t).Idioms() {
		last := do(t, open(t, lessons.Files(), idiom.Scenario), web.Command{Do: web.DoFinish})
		for _, intent := range last.Intents {
			if len(intent.Verdicts) != 1 || intent.Verdicts[0].Word != "done_once" {
				t.Errorf("%s: undisturbed, %s ends with %+v", idiom.Scenario, intent.Name, intent.Verdicts)
			}
		}
	}
}

// Cases of every chapter are opened, brought to the end of their mechanism by a
// button, and shown in their other forms. Each chapter has a tab of its own,
// whose time is bounded.
func TestPageCases(t *testing.T) {
	n := 0
	for _, chapter := range shippedBook(t).Casebook() {
		t.Run(chapter.Title, func(t *testing.T) {
			r := newReader(t)
			for i, c := range chapter.Cases {
				if i%3 > 0 || testing.Short() && i > 0 {
					continue // a browser takes its time; what they say is tested for all without one
				}
				size := windows[n%len(windows)]
				n++
				r.Resize(size.width, size.height)
				r.Go(r.origin + "/casebook/" + c.Slug)
				for _, form := range c.Forms {
					r.lookAt(form)
					if wide := r.TooWide(); len(wide) > 0 {
						t.Errorf("%s at %d: out of the window: %v", form.Scenario, size.width, wide)
					}
				}
				if nameless := r.Nameless(); len(nameless) > 0 {
					t.Errorf("%s: without a name: %v", c.Slug, nameless)
				}
			}
		})
	}
}

// lookAt shows a form of the case that is open.
func (r *reader) lookAt(form lessons.Form) {
	r.Helper()
	sim := within(form.Scenario)
	r.Click("#tab-" + form.Name)
	r.Until(fmt.Sprintf(`document.querySelector('#form-%s').checkVisibility()`, form.Name))
	r.drawn(sim)
	r.Position(sim, fmt.Sprintf("0 / %d", len(form.Steps)))
	if !form.Fixed() {
		r.Click(sim + ` .mechanism button:last-child`)
		r.Position(sim, fmt.Sprintf("%d / %d", len(form.Steps), len(form.Steps)))
		r.agree(newEngine(r.T, form.Scenario), sim, form.Steps)
	}
	r.Until(fmt.Sprintf(`document.querySelector('%s .window-mark')`, sim))
}

// The tabs of a case by mouse and by keys, back and forward, a reload, and
// the mechanism again after another run.
func TestPageCaseTabs(t *testing.T) {
	r := newReader(t)
	r.Go(r.origin)
	r.Follow(`.cases a[href="/casebook/i15-enqueue-in-transaction"]`)
	broken, rollback := within("casebook/i15-enqueue-in-transaction/broken.star"), within("casebook/i15-enqueue-in-transaction/broken-rollback.star")
	shown := func(form string) {
		t.Helper()
		r.Until(fmt.Sprintf(`[...document.querySelectorAll('.form')].every((form) => form.checkVisibility() === (form.dataset.form === '%s'))`, form))
		r.Until(fmt.Sprintf(`document.querySelector('#tab-%s').ariaSelected === 'true'`, form))
	}
	r.drawn(broken)
	shown("broken")
	if count := browsertest.Ask[int](r.Tab, `document.querySelectorAll('ack-transport').length`); count != 1 {
		t.Errorf("%d simulations are open, of one form that is shown", count)
	}
	steps := shippedBook(t).Casebook()[2].Cases[0].Forms[0].Steps
	r.Mouse(broken + ` .mechanism button:last-child`)
	r.Position(broken, fmt.Sprintf("%d / %d", len(steps), len(steps)))
	r.Mouse(broken + ` .transport button`) // reset
	r.Position(broken, "0 / 0")
	r.Until(`document.querySelector('.mechanism').textContent.includes('a run of your own')`)
	r.Mouse(broken + ` .mechanism button:last-child`)
	r.Position(broken, fmt.Sprintf("%d / %d", len(steps), len(steps)))

	r.Mouse("#tab-broken")
	r.Press(kb.ArrowRight, kb.ArrowRight)
	shown("broken-rollback")
	r.drawn(rollback)
	browsertest.Ask[any](r.Tab, `history.back()`)
	shown("broken-after")
	browsertest.Ask[any](r.Tab, `history.back()`)
	shown("broken")
	r.Position(broken, fmt.Sprintf("%d / %d", len(steps), len(steps)))
	browsertest.Ask[any](r.Tab, `history.forward()`)
	shown("broken-after")
	r.Mouse("#tab-fixed")
	shown("fixed")
	r.Reload()
	shown("fixed")
	r.Mouse("#tab-broken")
	shown("broken")
	r.Position(broken, fmt.Sprintf("%d / %d", len(steps), len(steps)))
}

// The contents jump to their parts, what isn't there says so, and what is cut
// off an address leads back.
func TestPageContents(t *testing.T) {
	r := newReader(t)
	for _, size := range windows {
		r.Resize(size.width, size.height)
		r.Go(r.origin)
		r.Until(`document.querySelectorAll('.cases ack-word .badge').length > 40`)
		if wide := r.TooWide(); len(wide) > 0 {
			t.Errorf("at %d: out of the window: %v", size.width, wide)
		}
		for _, scheme := range []string{"light", "dark"} {
			r.Emulate("", scheme)
			r.Shoot(fmt.Sprintf("contents-%d-%s", size.width, scheme), true)
		}
	}
	r.Mouse(`.jumps a:nth-child(2)`)
	r.Until(`location.hash === '#casebook' && document.querySelector('#casebook').getBoundingClientRect().top < 200`)
	r.Go(r.origin + "/casebook")
	r.Until(`location.pathname === '/' && location.hash === '#casebook'`)
	r.Expect("404")
	for _, address := range []string{"/casebook/i99-nothing", "/idioms/nothing", "/lessons/99-nothing", "/nothing"} {
		r.Go(r.origin + address)
		if says := r.Text("h1"); !strings.HasPrefix(says, "There is no such ") {
			t.Errorf("%s says %q", address, says)
		}
		r.Follow("main a")
		r.Until(`document.querySelector('.jumps') !== null`)
	}
}

// Each idiom is a page with its scenario, which runs to its end.
func TestPageEveryIdiom(t *testing.T) {
	r := newReader(t)
	for i, idiom := range shippedBook(t).Idioms() {
		if testing.Short() && i%5 > 0 {
			continue
		}
		size := windows[i%len(windows)]
		r.Resize(size.width, size.height)
		r.Go(r.origin + "/idioms/" + idiom.Name)
		sim := within(idiom.Scenario)
		r.drawn(sim)
		r.Click(sim + ` [title^="On without a fault"]`)
		r.Until(fmt.Sprintf(`document.querySelector('%s .note')?.textContent.includes('at rest')`, sim))
		r.Until(fmt.Sprintf(`document.querySelector('%s .window-mark')`, sim))
		if wide := r.TooWide(); len(wide) > 0 {
			t.Errorf("%s at %d: out of the window: %v", idiom.Name, size.width, wide)
		}
	}
}
