package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/ackademy/ackademy/sim/picture"
)

// terminal is where a command reads and writes, and what it may write there.
type terminal struct {
	ctx     context.Context
	stdin   io.Reader
	stdout  *output
	stderr  io.Writer
	colour  bool   // stdout shows colours
	ascii   bool   // stdout shows ASCII only
	input   []byte // what was read from stdin
	inputIs string // and what it was taken for: "scenario", "schedule"; empty: it wasn't read
	live    bool   // stderr is a terminal: progress may be shown and wiped
	width   int
}

func newTerminal(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) *terminal {
	t := &terminal{ctx: ctx, stdin: stdin, stdout: &output{to: stdout}, stderr: stderr, width: 100}
	if isTerminal(stdout) {
		t.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		t.ascii = !speaksUnicode()
		if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 60 {
			t.width = min(n, 160)
		}
	}
	t.live = isTerminal(stderr) && os.Getenv("TERM") != "dumb"
	return t
}

// output is standard output. It remembers its first failure and drops what
// comes after, so that a command needs to look only once, at its end: see
// Main.
type output struct {
	to     io.Writer
	failed error
}

func (o *output) Write(text []byte) (int, error) {
	if o.failed == nil {
		_, o.failed = o.to.Write(text)
	}
	return len(text), nil
}

// undelivered turns a status into that of a report which nobody could read: a
// full disk must not pass for "holds".
func (t *terminal) undelivered(status int) int {
	if t.stdout.failed == nil {
		return status
	}
	p := wrongInput("unwritten", fmt.Sprintf("standard output can't be written: %v", t.stdout.failed), "Free some space, or send the output elsewhere; what stands there is not complete.")
	return worse(status, t.problem(p))
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// speaksUnicode reads the locale: only one that names another encoding says no.
func speaksUnicode() bool {
	if runtime.GOOS == "windows" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(os.Getenv(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

// print writes text. Colours are ours; what steers a terminal and comes from a
// scenario is not: it is taken out before colours are put in (see clean).
func (t *terminal) print(text string) { _, _ = io.WriteString(t.stdout, text) }

func (t *terminal) complain(text string) { _, _ = io.WriteString(t.stderr, clean(text)) }

// clean takes out what is not printable: texts of a scenario, a program or a
// file's name must not steer a terminal.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return -1
	}, text)
}

// escapes are the colours, by meaning.
var escapes = map[picture.Style]string{
	picture.Head: "1", picture.Faint: "2", picture.Danger: "1;31", picture.Good: "32", picture.Settle: "36", picture.Caution: "33",
}

// paint colours a piece of text where the terminal shows colours.
func (t *terminal) paint(style picture.Style, text string) string {
	if code := escapes[style]; t.colour && code != "" {
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	return text
}

// pictureOptions says how diagrams are drawn here.
func (t *terminal) pictureOptions() picture.TextOptions {
	return picture.TextOptions{Width: t.width, ASCII: t.ascii, Legend: true, MaxRows: 200, Paint: t.paint}
}

// drawingOptions are the options of commands that draw.
func (t *drawing) options() []option {
	return []option{
		onSwitch(&t.ascii, "ascii", "draw with ASCII characters only"),
		countOption(&t.width, "width", "columns of the diagram (default 100)", 40, 400),
	}
}

// drawing is what those options say.
type drawing struct {
	ascii bool
	width int
}

func (d *drawing) apply(t *terminal) {
	t.ascii = t.ascii || d.ascii
	if d.width > 0 {
		t.width = d.width
	}
}
