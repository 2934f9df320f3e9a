package web

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The way of a learner with a mouse: from the contents to a lesson, forward,
// into a crash, and back out of it.
func TestPageByMouse(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	tab.shoot("contents", 1440, 900, false, false)
	tab.until(`document.querySelectorAll('.lessons a').length === 2`)
	tab.follow(`.lessons a`)
	tab.until(`document.querySelector('ack-transport output') !== null`)
	tab.shoot("start", 1440, 900, false, false)

	for i := range 4 {
		tab.click(`.transport .primary`)
		tab.position(fmt.Sprintf("%d / %d", i+1, i+1))
	}
	if got := tab.text(`.card:has(.choice.default) b`); got != "worker1" {
		t.Errorf("the default choice is %q's", got)
	}
	if got := tab.text(`.pointer`); !strings.HasPrefix(got, "worker1") {
		t.Errorf("the pointer says %q", got)
	}
	tab.click(`[data-action="worker1 crash before begin"]`)
	tab.until(`document.querySelector('.verdict .badge.bad')?.textContent === 'lost'`)
	tab.until(`document.querySelector('.note').textContent.includes('at rest')`)
	tab.shoot("lost", 1440, 900, false, false)

	// Back from a row of the diagram, by the slider, and out by another step.
	tab.clickAt(`.row[data-step="2"] .row-ground`)
	tab.position("2 / 5")
	ask[bool](tab, `(() => { const slide = document.querySelector('.slide input'); slide.value = '4'; return slide.dispatchEvent(new Event('input')); })()`)
	tab.position("4 / 5")
	tab.click(`[data-action="worker1 begin"]`)
	tab.position("5 / 5")
	tab.until(`document.querySelector('.verdict .badge').textContent === 'in progress'`)

	// The table says the same, and goes anywhere too.
	tab.click(`.switch button:last-child`)
	tab.until(`document.querySelector('.steps').checkVisibility() && !document.querySelector('.diagram-body').checkVisibility()`)
	tab.click(`.steps tbody tr:nth-child(3) button`)
	tab.position("3 / 5")
	tab.click(`[title^="On without a fault"]`)
	tab.until(`document.querySelector('.verdict .badge.good')?.textContent === 'done once'`)
	tab.click(`.transport button`)
	tab.position("0 / 0")
}

// The same by keys alone, and what a screen reader is told on the way.
func TestPageByKeyboard(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	tab.open("/lessons/01-toy")
	said := func(want string) {
		t.Helper()
		tab.until(`document.querySelector('[aria-live=polite]').textContent.includes('` + want + `')`)
	}
	tab.press("n")
	tab.position("1 / 1")
	said("Step 1 of 1. The broker keeps work-1")
	tab.press(kb.ArrowRight, kb.ArrowRight, "n", "n") // keys may run ahead of the server
	tab.position("5 / 5")
	tab.press("b", kb.ArrowLeft)
	tab.position("3 / 5")
	tab.press("2") // the second choice, a crash while the message isn't acked
	tab.position("4 / 4")
	said("worker1 died")

	tab.press("j")
	tab.until(`document.activeElement.dataset.action === 'deliver work-1 to worker1'`)
	tab.press("j")
	tab.until(`document.activeElement.dataset.action === 'deliver work-1 to worker2'`)
	tab.press("k", kb.Enter)
	tab.position("5 / 5")
	tab.press("b")
	tab.position("4 / 5")

	tab.press("?")
	tab.until(`document.querySelector('dialog').open`)
	tab.shoot("keys", 1440, 900, true, false)
	tab.press("b") // means nothing here
	ask[any](tab, `document.querySelector('dialog input').click()`)
	tab.press(kb.Escape)
	tab.until(`!document.querySelector('dialog').open`)
	tab.press("b")
	tab.press("b")
	tab.position("4 / 5") // single keys are off now
	ask[any](tab, `document.querySelector('dialog input').click()`)
	tab.press("b")
	tab.position("3 / 5")

	// Everything that can be pressed is reached by Tab and can be named.
	nameless := ask[[]string](tab, `[...document.querySelectorAll('button, input, a, [tabindex="0"]')]
		.filter((e) => !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
		.map((e) => e.outerHTML)`)
	if len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
}

// The address says where the learner is: after a reload, in another tab, and
// where another place is pasted over it.
func TestPageAddress(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	tab.open("/lessons/02-toy")
	tab.position("3 / 7")
	if hash := ask[string](tab, `location.hash`); hash != "" {
		t.Errorf("the address of an untouched lesson ends in %q", hash)
	}
	tab.press("n", "n")
	tab.position("5 / 7")
	tab.until(`location.hash.startsWith('#v1.')`)
	hash := ask[string](tab, `location.hash`)
	tab.do(chromedp.Reload())
	tab.position("5 / 7")
	tab.press("b")
	tab.position("4 / 7")
	ask[any](tab, `location.hash = '`+hash+`'`)
	tab.position("5 / 7")

	// A link of one's own, with a step that doesn't fit (any more).
	tab.do(chromedp.Navigate(tab.server.origin + "/play"))
	link := ask[string](tab, `import('/page/link.js').then(({encode}) => '/play#' + encode({scenario: '01-toy/toy.star', steps: ['publisher publish work-1', 'worker1 fly', 'worker1 ack'], position: 3}))`)
	ask[any](tab, `void (document.querySelector('.paste input').value = '`+link+`')`)
	tab.click(`.paste button`)
	tab.position("1 / 1")
	tab.until(`document.querySelector('.problem').textContent.includes('worker1 fly')`)
	tab.shoot("problem", 1440, 900, false, false)
	tab.press("n")
	tab.position("2 / 2")
	tab.until(`document.querySelector('.problem') === null`)
	ask[any](tab, `location.hash = '#v1.broken'`)
	tab.until(`document.querySelector('ack-play [role=status]').textContent.includes('not a link')`)
}

// A lost connection and a server that is started again change nothing for
// the learner, but that he has to wait a moment.
func TestPageComesBack(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	dir := t.TempDir()
	first := newServer(t, Options{Workbook: &toyBook{lessons: toyLessons()}, DataDir: dir, Port: AnyPort})
	stop := serve(t, first)
	tab.server = first
	tab.do(chromedp.Navigate(first.StartURL()))
	tab.open("/lessons/01-toy")
	tab.press("n", "n", "n")
	tab.position("3 / 3")
	stop()
	tab.until(`document.querySelector('.sim-head').textContent.includes('no connection')`)
	port := first.listener.Addr().(*net.TCPAddr).Port
	second := newServer(t, Options{Workbook: &toyBook{lessons: toyLessons()}, DataDir: dir, Port: port})
	if second.host != first.host {
		second.Close()
		t.Skipf("somebody else took port %d meanwhile", port)
	}
	serve(t, second)
	tab.until(`!document.querySelector('.sim-head').textContent.includes('no connection')`)
	tab.press("n")
	tab.position("4 / 4")
	tab.until(`document.querySelector('.pointer').textContent.startsWith('worker1')`)
}

// No size makes the page scroll sideways, in either colour scheme, and on
// paper the table stands beside the diagram.
func TestPageSizes(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	tab.open("/lessons/02-toy")
	tab.press("n", "n", "n")
	tab.position("6 / 7")
	for _, size := range []struct{ width, height int64 }{{1440, 900}, {1024, 768}, {390, 844}} {
		t.Run(fmt.Sprint(size.width), func(t *testing.T) {
			tab.do(chromedp.EmulateViewport(size.width, size.height))
			tab.until(fmt.Sprintf(`innerWidth === %d`, size.width))
			wide := ask[[]string](tab, `[...document.querySelectorAll('body *')]
				.filter((e) => e.checkVisibility() && !e.closest('.code-scroll, .diagram-scroll, .steps-scroll, .away, .skip') && e.getBoundingClientRect().right > innerWidth + 1)
				.map((e) => e.localName + '.' + e.className)`)
			if len(wide) > 0 {
				t.Errorf("out of the window: %v", wide)
			}
			for _, scheme := range []string{"light", "dark"} {
				tab.shoot(fmt.Sprintf("fold-%d-%s", size.width, scheme), size.width, size.height, scheme == "dark", false)
				tab.shoot(fmt.Sprintf("run-%d-%s", size.width, scheme), size.width, size.height, scheme == "dark", true)
			}
		})
	}
	tab.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	tab.until(`document.querySelector('.steps').checkVisibility() && document.querySelector('.diagram-body').checkVisibility() && !document.querySelector('.transport').checkVisibility()`)
}

// The choice of colours is kept and wins over the system's.
func TestPageTheme(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	for _, want := range []string{"light", "dark"} {
		tab.click(`ack-theme button`)
		tab.until(`document.documentElement.dataset.theme === '` + want + `'`)
		tab.until(`getComputedStyle(document.documentElement).colorScheme === '` + want + `'`)
	}
	tab.do(chromedp.Reload())
	tab.until(`document.querySelector('ack-theme button')?.title === 'Colours: dark'`)
	tab.click(`ack-theme button`)
	tab.until(`document.documentElement.dataset.theme === undefined`)
}

// Nothing that a scenario or a schedule says can become markup, and nothing
// inline runs: the policy is at work, not only sent.
func TestPagePolicy(t *testing.T) {
	tab := openTab(t, &toyBook{lessons: toyLessons()})
	tab.open("/lessons/01-toy")
	tab.expects = "TrustedScript"
	blocked := ask[bool](tab, `new Promise((done) => {
		addEventListener('securitypolicyviolation', () => done(true), {once: true});
		const script = document.createElement('script');
		try { script.textContent = 'window.ran = true'; document.body.append(script); } catch { done(window.ran !== true); }
	})`)
	if !blocked || ask[bool](tab, `window.ran === true`) {
		t.Error("an inline script ran")
	}
}
