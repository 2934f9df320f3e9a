package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Do carries out actions.
func (t *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(t.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Ask evaluates an expression on the page; a promise is waited for.
func Ask[T any](t *Tab, expression string) T {
	t.Helper()
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Go loads a page afresh, also where only the part after # differs.
func (t *Tab) Go(url string) {
	t.Helper()
	t.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(url))
}

// Reload loads the page again.
func (t *Tab) Reload() {
	t.Helper()
	t.Do(chromedp.Reload())
}

// Until waits for a condition on the page, looking again after each change.
func (t *Tab) Until(condition string) {
	t.Helper()
	held := Ask[bool](t, `new Promise((done) => {
		const holds = () => Boolean(`+condition+`);
		const end = (value) => { watch.disconnect(); clearInterval(again); clearTimeout(limit); done(value); };
		const look = () => { if (holds()) end(true); };
		const watch = new MutationObserver(look);
		watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		const again = setInterval(look, 50); // the address and the focus are no mutations
		const limit = setTimeout(() => end(false), 45000);
		look();
	})`)
	if !held {
		t.Fatalf("never became true: %s; the page says:\n%s", condition, Ask[string](t, `document.body.innerText`))
	}
}

// Position waits until the simulation that a selector names stands there:
// "3 / 7".
func (t *Tab) Position(within, want string) {
	t.Helper()
	t.Until(fmt.Sprintf(`document.querySelector(%q)?.textContent === %q`, within+" ack-transport output", want))
}

// Click clicks on a button, wherever it is.
func (t *Tab) Click(selector string) {
	t.Helper()
	Ask[any](t, fmt.Sprintf(`void document.querySelector(%q).click()`, selector))
}

// Follow clicks on a link and waits for its page.
func (t *Tab) Follow(selector string) {
	t.Helper()
	if _, err := chromedp.RunResponse(t.ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatal(err)
	}
}

// Mouse moves the page so that an element is in view, waits until it stands
// still and nothing covers it, and clicks in its middle.
func (t *Tab) Mouse(selector string) {
	t.Helper()
	at := Ask[[]float64](t, fmt.Sprintf(`new Promise((done) => {
		let before = '', left = 300;
		const look = () => {
			const e = document.querySelector(%q);
			e?.scrollIntoView({block: 'center', behavior: 'instant'});
			const {x, y, width, height} = e?.getBoundingClientRect() ?? new DOMRect();
			const at = [x + width / 2, y + height / 2];
			const hit = e && document.elementFromPoint(...at);
			if (--left === 0 || (hit && e.contains(hit) && String(at) === before)) return done(at);
			before = String(at);
			requestAnimationFrame(look);
		};
		look();
	})`, selector))
	t.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// Text is what an element says, with single spaces.
func (t *Tab) Text(selector string) string {
	t.Helper()
	return Ask[string](t, fmt.Sprintf(`document.querySelector(%q)?.textContent.replace(/\s+/g, ' ').trim() ?? ''`, selector))
}

// Press sends keys to whatever has the focus.
func (t *Tab) Press(keys ...string) {
	t.Helper()
	for _, key := range keys {
		t.Do(chromedp.KeyEvent(key))
	}
}

// Resize gives the window another size.
func (t *Tab) Resize(width, height int64) {
	t.Helper()
	t.Do(chromedp.EmulateViewport(width, height))
	t.Until(fmt.Sprintf(`innerWidth === %d`, width))
}

// TooWide lists what reaches out of the window and doesn't scroll by itself.
func (t *Tab) TooWide() []string {
	t.Helper()
	return Ask[[]string](t, `[...document.querySelectorAll('body *')]
		.filter((e) => e.checkVisibility() && !e.closest('.code-scroll, .diagram-scroll, .steps-scroll, .away, .skip, .cm-scroller, pre') && e.getBoundingClientRect().right > innerWidth + 1)
		.map((e) => e.localName + '.' + (e.className.baseVal ?? e.className))`)
}

// Nameless lists what can be pressed and has no name for a screen reader.
func (t *Tab) Nameless() []string {
	t.Helper()
	return Ask[[]string](t, `[...document.querySelectorAll('button, input, select, a, [tabindex="0"]')]
		.filter((e) => !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
		.map((e) => e.outerHTML)`)
}

// Emulate pretends a medium ("print", or "" for the screen) and a colour
// scheme ("light", "dark").
func (t *Tab) Emulate(medium, scheme string) {
	t.Helper()
	t.Do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// Shoot writes a picture into the folder that ACKADEMY_SHOTS names, if it
// names one: to be looked at, and for the README. With whole it shows the page
// down to its end.
func (t *Tab) Shoot(name string, whole bool) {
	t.Helper()
	dir := os.Getenv("ACKADEMY_SHOTS")
	if dir == "" {
		return
	}
	Ask[bool](t, `document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`)
	take := chromedp.CaptureScreenshot()
	if whole {
		take = chromedp.FullScreenshot(100)
	}
	picture, err := chromedp.Run(t.ctx, take)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
