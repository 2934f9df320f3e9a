//go:build linux || darwin

package child

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/ackademy/ackademy/web"
	"github.com/ackademy/ackademy/web/browsertest"
)

// These tests drive the editor in a browser, with the real engine behind it.

// serve serves the story until the test ends.
func serve(t *testing.T, b *Book) (start, origin string) {
	t.Helper()
	server, err := web.New(web.Options{Workbook: b, DataDir: t.TempDir(), Port: web.AnyPort})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(t.Context()) }() // the context ends before the clean-ups run
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	start = server.StartURL()
	return start, start[:strings.Index(start[8:], "/")+8]
}

// openPlay opens a run of the story, or of whatever else a link says.
func openPlay(t *testing.T, run string) *browsertest.Tab {
	t.Helper()
	start, origin := serve(t, newBook(t, patient()))
	tab := browsertest.Open(t, start)
	tab.Go(origin + "/play")
	tab.Until(`document.querySelector('.paste input') !== null`)
	browsertest.Ask[any](tab, `import('/page/link.js').then(async ({pack}) => { location.hash = '#' + await pack(`+run+`); return 0; })`)
	return tab
}

// write replaces the editor's text, as typing would.
func write(tab *browsertest.Tab, text string) {
	tab.Helper()
	tab.Until(`document.querySelector('ack-editor')?.view`)
	quoted, _ := json.Marshal(text)
	browsertest.Ask[any](tab, `(() => { const {view} = document.querySelector('ack-editor');
		view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: `+string(quoted)+`}}); return 0; })()`)
}

const shippedRun = `{scenario: '01-story/story.star', steps: ['publisher publish work-1', 'publisher accept', 'deliver work-1 to worker1', 'worker1 ack'], position: 4}`

// safe is the story with marker, effect and ack in the order that is right.
var safe = strings.NewReplacer(
	`tables = {`, `tables = {"inbox": table(key = "id", role = "marker"), `,
	"    delivery.ack()\n", "",
	`    tx.add(`, "    if tx.insert(\"inbox\", id = delivery.op):\n        tx.add(",
	"    tx.commit()\n", "    tx.commit()\n    delivery.ack()\n",
).Replace(story)

// A mistake is shown at its place while the run stays; its repair is taken up,
// steps that don't fit are dropped and named, and the check's verdict follows.
func TestEdit(t *testing.T) {
	tab := openPlay(t, shippedRun)
	tab.Position("", "4 / 4")
	tab.Click(`.edit`)
	tab.Until(`document.activeElement.closest('ack-editor .cm-content') !== null`)
	tab.Until(`getComputedStyle(document.querySelector('.cm-scroller')).display === 'flex'`) // its style sheet was let in
	tab.Shoot("editor", false)

	write(tab, strings.Replace(story, "tx.commit()", "tx.comit()", 1)+"\nx = frobnicate()\n")
	tab.Until(`document.querySelector('.editor-problem')?.textContent.includes('nothing is called frobnicate here')`)
	tab.Until(`document.querySelector('.editor-problem button').textContent.startsWith('Line 21, column 5')`)
	tab.Until(`document.querySelector('.cm-lint-marker-error') !== null && document.querySelector('.cm-lintRange-error')?.textContent === 'frobnicate'`)
	tab.Position("", "4 / 4")
	tab.Shoot("editor-problem", false)
	tab.Click(`.editor-problem button`)
	tab.Until(`document.activeElement.closest('.cm-content') !== null`)

	write(tab, story+"# the same\n")
	tab.Until(`document.querySelector('.editor-problem') === null && document.querySelector('.editor-says').textContent.includes('The run is of this text')`)
	tab.Until(`document.querySelector('.findings [role=status]').textContent.includes('violated: lost')`)
	tab.Position("", "4 / 4") // the steps still fit

	tab.Until(`document.querySelector('.cm-windows .window-mark.bad') !== null`)
	write(tab, safe)
	tab.Until(`document.querySelector('.findings [role=status]').textContent.includes('holds')`)
	tab.Until(`document.querySelector('.cm-windows .window-mark') !== null && document.querySelector('.cm-windows .window-mark.bad') === null`)
	tab.Position("", "3 / 3")
	tab.Until(`document.querySelector('.problem').textContent.includes('3 of 4 steps fit the new text')`)
	tab.Shoot("editor-holds", false)
	if wide := tab.TooWide(); len(wide) > 0 {
		t.Errorf("out of the window: %v", wide)
	}
	if nameless := tab.Nameless(); len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}

	// The text is in the address, and in the link that is shared.
	link := browsertest.Ask[string](tab, `(async () => {
		let link = '';
		navigator.clipboard.writeText = async (text) => { link = text; };
		await document.querySelector('ack-simulation').share();
		return link; })()`)
	if !strings.Contains(link, "/play#v1.") || len(link) > 1000 {
		t.Errorf("the link is %q", link)
	}
	tab.Reload()
	tab.Position("", "3 / 3")
	tab.Until(`document.querySelector('ack-code').textContent.includes('inbox')`)
	tab.Click(`.reset-text`)
	tab.Until(`document.querySelector('.reset-text') === null`)
	tab.Position("", "3 / 3")
	tab.Go(link)
	tab.Position("", "3 / 3")
	tab.Until(`document.querySelector('.reset-text') !== null`)
	tab.Until(`document.querySelector('.window-mark') !== null`) // the map is of the learner's text
}

// The run stands beside that of the shipped text, with the windows that
// differ; nothing of the run itself changes, and Escape leads back.
func TestCompareOnPage(t *testing.T) {
	tab := openPlay(t, shippedRun)
	tab.Position("", "4 / 4")
	tab.Click(`.edit`)
	write(tab, safe)
	tab.Until(`document.querySelector('.compare') !== null`)
	browsertest.Ask[any](tab, `document.querySelector('.compare').focus()`)
	tab.Press(kb.Enter)
	tab.Until(`document.querySelectorAll('.compared-rest svg').length === 2`)
	tab.Until(`document.querySelector('.comparison').matches(':modal') && document.activeElement.closest('.comparison') !== null`)
	heights := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('.compared-rest')].map((rest) => [...rest.querySelectorAll('.row-ground')].map((row) => row.getAttribute('y')).join())`)
	if heights[0] == "" || heights[0] != heights[1] {
		t.Errorf("rows lie at %q", heights)
	}
	tab.Until(`document.querySelector('.compared-rest[data-side=b] .row.only_b .step-number').textContent.startsWith('+')`)
	tab.Until(`[...document.querySelectorAll('.comparison tr')].some((row) => row.textContent.includes('crash before commit') && row.querySelector('.badge.bad')?.textContent === 'lost' && row.querySelector('.badge.good')?.textContent === 'harmless')`)
	tab.Until(`[...document.querySelectorAll('.comparison details tr')].some((row) => row.textContent.includes('your text only') && row.textContent.includes('no such step'))`)
	tab.Shoot("comparison", false)
	if nameless := tab.Nameless(); len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
	if wide := tab.TooWide(); len(wide) > 0 {
		t.Errorf("out of the window: %v", wide)
	}
	tab.Press(kb.Escape)
	tab.Until(`!document.querySelector('.comparison').open && document.activeElement.matches('.compare')`)
	tab.Position("", "3 / 3")
}

// One click shows a run that a check found.
func TestShowFinding(t *testing.T) {
	tab := openPlay(t, shippedRun)
	tab.Position("", "4 / 4")
	tab.Click(`.findings-head button`)
	tab.Until(`document.querySelector('[data-property=lost] button') !== null`)
	tab.Click(`[data-property=lost] button`)
	tab.Until(`document.querySelector('.verdict .badge.bad')?.textContent === 'lost'`)
}

// A text that is too much for its process is told of, and the page goes on.
func TestEditBomb(t *testing.T) {
	tab := openPlay(t, shippedRun)
	tab.Position("", "4 / 4")
	tab.Click(`.edit`)
	write(tab, "def f():\n    while True:\n        pass\nf()\n")
	tab.Until(`document.querySelector('.editor-problem')?.textContent.includes('takes too long')`)
	tab.Position("", "4 / 4")
	write(tab, story)
	tab.Until(`document.querySelector('.findings [role=status]').textContent.includes('violated: lost')`)
}

// The editor is no trap for the keyboard, and keys typed in it are text.
func TestEditByKeyboard(t *testing.T) {
	tab := openPlay(t, shippedRun)
	tab.Position("", "4 / 4")
	tab.Click(`.edit`)
	tab.Until(`document.activeElement.closest('.cm-content') !== null`)
	tab.Press("n", "b", kb.Tab)
	tab.Until(`document.querySelector('.cm-content').textContent.includes('nb')`)
	tab.Position("", "4 / 4")
	tab.Until(`document.activeElement.closest('.cm-content') !== null`)
	tab.Press(kb.Escape, kb.Tab)
	tab.Until(`document.activeElement.closest('.cm-content') === null`)
	tab.Until(`document.querySelector('#' + document.querySelector('.cm-content').getAttribute('aria-describedby')).textContent.includes('Escape')`)
	tab.Click(`.end-edit`)
	tab.Until(`document.querySelector('ack-editor') === null`)
}

// What is no link, or too much of one, is refused by the page; what is one
// with a text that can't be loaded says why.
func TestLinks(t *testing.T) {
	tab := openPlay(t, `[1, 2, 3]`)
	refused := `document.querySelector('ack-play').refused && document.querySelector('ack-simulation') === null`
	tab.Until(refused)
	for _, link := range []string{`'#v1.' + 'A'.repeat(99)`, `'#v1.' + 'e'.repeat(1 << 20)`, `'#v1.***'`,
		`await pack({scenario: 'x', steps: [], position: 0, text: 'x'.repeat(3e7)})`,
		`await pack({scenario: 'x', steps: 'all', position: 0, text: 'x = 1'})`} {
		if !browsertest.Ask[bool](tab, fmt.Sprintf(`(async () => {
			const {pack} = await import('/page/link.js');
			const play = document.querySelector('ack-play');
			play.refused = false;
			await play.take(%s);
			return %s; })()`, link, refused)) {
			t.Errorf("%s is taken for a link", link)
		}
	}
	for text, said := range map[string]string{`'x = '`: "mine.star:1:5", `'def '.repeat(20000)`: "at most 65536"} {
		browsertest.Ask[any](tab, `import('/page/link.js').then(async ({pack}) => {
			location.hash = '#' + await pack({scenario: 'mine.star', steps: [], position: 0, text: `+text+`}); return 0; })`)
		tab.Until(`document.querySelector('.problem')?.textContent.includes('` + said + `')`)
	}
}
