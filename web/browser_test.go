package web

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// required says whether a tool that is missing here is an error: in CI a test
// that skips itself proves nothing.
func required(tool string) bool {
	for _, name := range strings.FieldsFunc(os.Getenv("ACKADEMY_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if name == tool {
			return true
		}
	}
	return false
}

// missing skips the test, or fails it where the tool is required.
func missing(t *testing.T, tool, hint string) {
	t.Helper()
	if required(tool) {
		t.Fatalf("no %s found, and ACKADEMY_REQUIRE asks for it: %s", tool, hint)
	}
	t.Skipf("no %s found: %s", tool, hint)
}

// findBrowser returns the program to run, ACKADEMY_BROWSER first.
func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("ACKADEMY_BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if name == "" {
			continue
		}
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	missing(t, "browser", "install Chromium or Chrome, or set ACKADEMY_BROWSER to its path")
	return ""
}

// A tab is a browser's tab with an open server before it. Whatever the page
// complains of in its console fails the test.
type tab struct {
	*testing.T
	ctx    context.Context
	server *Server

	expects string // a complaint that the test provokes; set before it comes
}

func openTab(t *testing.T, book Workbook) *tab {
	t.Helper()
	program := findBrowser(t)
	server := startServer(t, book)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	limit, endLimit := context.WithTimeout(context.Background(), 2*time.Minute)
	allocator, endAllocator := chromedp.NewExecAllocator(limit, options...)
	ctx, endTab := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, or its folder can't be removed
		endTab()
		endAllocator()
		endLimit()
	})
	tab := &tab{T: t, ctx: ctx, server: server}
	err := chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page threw: %+v", event.ExceptionDetails)
		case *log.EventEntryAdded:
			// A refused connection is what some tests are about.
			if event.Entry.Level == log.EntryLevelError && !strings.Contains(event.Entry.Text, "WebSocket connection") &&
				(tab.expects == "" || !strings.Contains(event.Entry.Text, tab.expects)) {
				t.Errorf("the page's console: %s %s", event.Entry.Text, event.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	tab.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(server.StartURL()))
	return tab
}

func (t *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(t.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression on the page; a promise is waited for.
func ask[T any](t *tab, expression string) T {
	t.Helper()
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// open goes to a page and waits until its simulation is drawn.
func (t *tab) open(path string) {
	t.Helper()
	t.do(chromedp.Navigate("about:blank"), chromedp.Navigate(t.server.origin+path))
	t.until(`document.querySelector('ack-transport output') !== null && document.querySelector('.diagram-head') !== null`)
}

// until waits for a condition on the page, looking again after each change.
func (t *tab) until(condition string) {
	t.Helper()
	held := ask[bool](t, `new Promise((done) => {
		const holds = () => Boolean(`+condition+`);
		const end = (value) => { watch.disconnect(); clearInterval(again); clearTimeout(limit); done(value); };
		const look = () => { if (holds()) end(true); };
		const watch = new MutationObserver(look);
		watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		const again = setInterval(look, 50); // the address and the focus are no mutations
		const limit = setTimeout(() => end(false), 10000);
		look();
	})`)
	if !held {
		t.Fatalf("never became true: %s; the page says:\n%s", condition, ask[string](t, `document.body.innerText`))
	}
}

func (t *tab) position(want string) {
	t.Helper()
	t.until(`document.querySelector('ack-transport output')?.textContent === '` + want + `'`)
}

func (t *tab) click(selector string) {
	t.Helper()
	ask[any](t, `void document.querySelector('`+selector+`').click()`)
}

// follow clicks on a link and waits for its page.
func (t *tab) follow(selector string) {
	t.Helper()
	if _, err := chromedp.RunResponse(t.ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatal(err)
	}
}

// clickAt clicks with the mouse in the middle of what is not a button.
func (t *tab) clickAt(selector string) {
	t.Helper()
	at := ask[[]float64](t, `(() => { const {x, y, width, height} = document.querySelector('`+selector+`').getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()`)
	t.do(chromedp.MouseClickXY(at[0], at[1]))
}

func (t *tab) text(selector string) string {
	t.Helper()
	return ask[string](t, `document.querySelector('`+selector+`')?.textContent.replace(/\s+/g, ' ').trim() ?? ''`)
}

// press sends keys to whatever has the focus.
func (t *tab) press(keys ...string) {
	t.Helper()
	for _, key := range keys {
		t.do(chromedp.KeyEvent(key))
	}
}

// shoot writes a picture where ACKADEMY_SHOTS asks for it: to be looked at,
// and for the README.
func (t *tab) shoot(name string, width, height int64, dark, whole bool) {
	t.Helper()
	dir := os.Getenv("ACKADEMY_SHOTS")
	if dir == "" {
		return
	}
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	t.do(chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
	ask[bool](t, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
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
