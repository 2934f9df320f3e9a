// Package browsertest drives the page in a real browser, for tests.
//
// A test package starts one browser for all its tests (Main), each test has a
// Tab of its own, and whatever the page complains of in its console fails the
// test. Without a browser such a test skips itself with a clear line, and
// fails where ACKADEMY_REQUIRE asks for a browser.
//
// Tests wait for conditions on the page (Until), never for a time.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Missing skips the test because of a tool that is not there, or fails it
// where ACKADEMY_REQUIRE names the tool: a test that skips itself in CI proves
// nothing.
func Missing(t *testing.T, tool, hint string) {
	t.Helper()
	for _, name := range strings.FieldsFunc(os.Getenv("ACKADEMY_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if name == tool {
			t.Fatalf("no %s found, and ACKADEMY_REQUIRE asks for it: %s", tool, hint)
		}
	}
	t.Skipf("no %s found: %s", tool, hint)
}

// find returns the program to run: the one that ACKADEMY_BROWSER names, or one
// of the usual ones.
func find() string {
	if named := os.Getenv("ACKADEMY_BROWSER"); named != "" {
		found, _ := exec.LookPath(named) // one that is named wrongly is none
		return found
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	return ""
}

// shared is the one browser of a test package: it takes seconds to start.
var shared struct {
	sync.Mutex
	ctx  context.Context
	end  func()
	fail error
}

// Main runs the tests of a package and ends their browser.
func Main(m *testing.M) {
	code := m.Run()
	if shared.end != nil {
		shared.end()
	}
	os.Exit(code)
}

// browser starts the browser, if it is not started yet.
func browser(t *testing.T) context.Context {
	t.Helper()
	program := find()
	if program == "" {
		Missing(t, "browser", "install Chromium or Chrome, or set ACKADEMY_BROWSER to its path")
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx == nil && shared.fail == nil {
		shared.fail = start(program)
	}
	if shared.fail != nil {
		t.Fatalf("start %s: %v", program, shared.fail)
	}
	return shared.ctx
}

func start(program string) error {
	dir, err := os.MkdirTemp("", "ackademy-browser-")
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(dir), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endTab := chromedp.NewContext(allocator)
	shared.end = func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, or its folder can't be removed
		endTab()
		endAllocator()
		_ = os.RemoveAll(dir)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		shared.end()
		shared.end = nil
		return err
	}
	shared.ctx = ctx
	return nil
}

// patience is how long one test may take in its tab.
const patience = 2 * time.Minute

// A Tab is a tab of the browser, closed with its test.
type Tab struct {
	*testing.T
	ctx context.Context

	mu      sync.Mutex
	expects string
}

// Open opens a tab, 1440 by 900, at an address.
func Open(t *testing.T, url string) *Tab {
	t.Helper()
	ctx, endTab := chromedp.NewContext(browser(t))
	ctx, endLimit := context.WithTimeout(ctx, patience)
	t.Cleanup(func() {
		endLimit()
		endTab()
	})
	tab := &Tab{T: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page threw: %+v", event.ExceptionDetails)
		case *log.EventEntryAdded:
			if event.Entry.Level == log.EntryLevelError && !tab.expected(event.Entry.Text) {
				t.Errorf("the page's console: %s %s", event.Entry.Text, event.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(url))
	return tab
}

// Expect names a complaint of the console that the test provokes.
func (t *Tab) Expect(complaint string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expects = complaint
}

func (t *Tab) expected(complaint string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.expects != "" && strings.Contains(complaint, t.expects)
}
