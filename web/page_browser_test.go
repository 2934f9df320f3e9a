package web

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/ackademy/ackademy/web/browsertest"
)

// What a page does whatever engine is behind it, on the toy. The real engine
// is driven through the page in cmd/ackademy/internal/workbook.

func TestMain(m *testing.M) { browsertest.Main(m) }

// openToy opens a page of the toy and waits until its simulation is drawn.
func openToy(t *testing.T, path string) *browsertest.Tab {
	t.Helper()
	server := startServer(t, &toyBook{lessons: toyLessons()})
	tab := browsertest.Open(t, server.StartURL())
	tab.Go(server.origin + path)
	tab.Until(`document.querySelector('ack-transport output') !== null && document.querySelector('.diagram-head') !== null`)
	return tab
}

// Single keys run ahead of the server, explain themselves, and can be turned
// off for those whom they get in the way.
func TestPageKeys(t *testing.T) {
	tab := openToy(t, "/lessons/01-toy")
	tab.Press(kb.ArrowRight, "n", "n", "n", "n")
	tab.Position("", "5 / 5")
	tab.Press("b", kb.ArrowLeft)
	tab.Position("", "3 / 5")
	tab.Press("j")
	tab.Until(`document.activeElement.dataset.action === 'publisher accept work-1' || document.activeElement.matches('.choice')`)

	tab.Press("?")
	tab.Until(`document.querySelector('dialog').open`)
	tab.Press("b") // means nothing here
	browsertest.Ask[any](tab, `document.querySelector('dialog input').click()`)
	tab.Press(kb.Escape)
	tab.Until(`!document.querySelector('dialog').open`)
	tab.Press("b", "b")
	tab.Position("", "3 / 5") // single keys are off now
	browsertest.Ask[any](tab, `document.querySelector('dialog input').click()`)
	tab.Press("b")
	tab.Position("", "2 / 5")
}

func TestPageTheme(t *testing.T) {
	tab := openToy(t, "/lessons/01-toy")
	for _, want := range []string{"light", "dark"} {
		tab.Click(`ack-theme button`)
		tab.Until(`document.documentElement.dataset.theme === '` + want + `'`)
		tab.Until(`getComputedStyle(document.documentElement).colorScheme === '` + want + `'`)
	}
	tab.Reload()
	tab.Until(`document.querySelector('ack-theme button')?.title === 'Colours: dark'`)
	tab.Click(`ack-theme button`)
	tab.Until(`document.documentElement.dataset.theme === undefined`)
}

// Nothing that a scenario or a schedule says can become markup, and nothing
// inline runs: the policy is at work, not only sent.
func TestPagePolicy(t *testing.T) {
	tab := openToy(t, "/lessons/01-toy")
	tab.Expect("TrustedScript")
	blocked := browsertest.Ask[bool](tab, `new Promise((done) => {
		addEventListener('securitypolicyviolation', () => done(true), {once: true});
		const script = document.createElement('script');
		try { script.textContent = 'window.ran = true'; document.body.append(script); } catch { done(window.ran !== true); }
	})`)
	if !blocked || browsertest.Ask[bool](tab, `window.ran === true`) {
		t.Error("an inline script ran")
	}
}

// A long check says how far it is and where it ends; stopped, it keeps what it
// said last and decides nothing.
func TestPageLongCheck(t *testing.T) {
	server := startServer(t, &toyBook{lessons: toyLessons()})
	tab := browsertest.Open(t, server.StartURL())
	link := browsertest.Ask[string](tab, `import('/page/link.js').then(({encode}) => encode({scenario: 'mine.star', steps: [], position: 0, text: 'def endless'}))`)
	tab.Go(server.origin + "/play#" + link)
	tab.Until(`document.querySelector('ack-findings button') !== null`)
	tab.Click(`ack-findings button`)
	tab.Until(`document.querySelector('.coming')?.textContent.replace(/\s+/g, ' ').includes('budget 2 of 3: 41,000 states, 1,200 waiting, 5,000 a second, depth 9 ends at 500,000 states or 8 seconds')`)
	tab.Until(`document.querySelector('.coming progress').value === 40 && document.querySelector('.findings-head [role=status]').textContent.includes('checking')`)
	if nameless := tab.Nameless(); len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
	if browsertest.Ask[bool](tab, `document.querySelector('.reset-text') !== null`) {
		t.Error("a text of no lesson can't be reset to a shipped one")
	}
	tab.Click(`ack-findings button`)
	tab.Until(`document.querySelector('.findings-head').textContent.includes('stopped after 41,000 states: nothing is decided') && document.querySelector('.coming') === null`)
}
