package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/child"
	"github.com/ackademy/ackademy/cmd/ackademy/internal/workbook"
	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/web"
)

const serveHelp = `
Serves the workbook to a browser on this machine: it prints an address that
lets one browser in, once, and opens it. Nobody else can connect. Plain
` + "`ackademy`" + ` does the same. Ctrl-C ends it; a page that is open goes on where it
was when it is started again.

  ackademy
  ackademy serve --port 8080 --no-browser
  ackademy serve --dev .        lessons and page from a checkout, not from the binary
`

// serving is one call of the command.
type serving struct {
	port      int
	data      string
	dev       string
	noBrowser bool
	link      string // the part behind # of the link to open; "": the contents
}

func serveCommand() command {
	s := &serving{}
	return command{
		name: "serve", summary: "the workbook in a browser (what plain `ackademy` does)", help: serveHelp, run: s.run, options: s.options(),
	}
}

func (s *serving) options() []option {
	return []option{
		countOption(&s.port, "port", fmt.Sprintf("where to listen (default %d; if it is taken, the next free one)", web.DefaultPort), 1, 65535),
		textOption(&s.data, "data", "FOLDER", "where the key of the browser's cookies is kept (default: your configuration folder)"),
		textOption(&s.dev, "dev", "FOLDER", "serve lessons and page from this checkout"),
		onSwitch(&s.noBrowser, "no-browser", "print the address only"),
	}
}

const openHelp = `
Opens a link that somebody shared: the scenario and the run stand in the link
itself, so it needs nothing else. The scenario's text is only evaluated in a
process of its own with limits, and nothing is ever run for real because of a
link. Pasting the link into the page of the workbook does the same.

  ackademy open 'http://127.0.0.1:7979/play#v1....'
`

func openCommand() command {
	s := &serving{}
	return command{
		name: "open", args: "LINK", summary: "open a shared link in the workbook", help: openHelp, options: s.options(),
		run: func(t *terminal, args []string) int {
			if len(args) != 1 {
				return t.problem(wrongInput("no-link", "open takes one link", "Copy it whole and put it in quotes: `ackademy open 'http://.../play#v1...'`."))
			}
			_, link, found := strings.Cut(args[0], "#")
			if !found {
				link = args[0]
			}
			if len(link) > maxLink || !linkForm.MatchString(link) {
				return t.problem(wrongInput("bad-link", "this is no link of the workbook, or only a part of one", "A link ends in #v1. and then letters, digits, - and _. Copy it whole and put it in quotes."))
			}
			s.link = link
			return s.run(t, nil)
		},
	}
}

// maxLink bounds what is handed to a browser; the page takes no longer one.
const maxLink = 250_000

var linkForm = regexp.MustCompile(`^v1\.[A-Za-z0-9_-]+$`)

func (s *serving) run(t *terminal, args []string) int {
	if len(args) > 0 {
		return t.problem(wrongInput("too-many-arguments", "serve takes no arguments", "Write `ackademy check "+shellQuote(args[0])+"` to check a scenario."))
	}
	server, p := s.server()
	if p != nil {
		return t.problem(p)
	}
	url := server.StartURL()
	if s.link != "" {
		url = server.PlayURL(s.link)
	}
	t.print("The workbook is at\n\n  " + t.paint(picture.Head, url) + "\n\nThe address works once. Ctrl-C ends the workbook.\n")
	if !s.noBrowser && t.live {
		browse(url)
	}
	if err := server.Serve(t.ctx); err != nil {
		panic(err)
	}
	return exitGood
}

// server puts the workbook and the server together.
func (s *serving) server() (*web.Server, *problem) {
	root, page := lessons.Files(), ""
	if s.dev != "" {
		root, page = os.DirFS(filepath.Join(s.dev, "lessons")), filepath.Join(s.dev, "web", "page")
		if _, err := fs.Stat(root, "."); err != nil {
			return nil, fileProblem(filepath.Join(s.dev, "lessons"), err)
		}
	}
	book, err := workbook.Open(root)
	if err != nil && s.dev != "" {
		return nil, wrongInput("bad-lesson", err.Error(), "Correct the lessons.")
	} else if err != nil {
		panic(err) // the embedded lessons are ours, and the tests read them
	}
	if s.data == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil, wrongInput("no-data", "this system names no configuration folder", "Choose a folder with --data.")
		}
		s.data = filepath.Join(folder, "ackademy")
	}
	server, err := web.New(web.Options{Workbook: child.New(book), DataDir: s.data, Port: s.port, PageDir: page})
	var known *web.Problem
	if errors.As(err, &known) {
		return nil, wrongInput(known.Code, known.Message, known.Next)
	} else if err != nil {
		panic(err)
	}
	return server, nil
}

// browse opens an address. That it fails is no error: the address is printed.
func browse(url string) {
	command := exec.Command("xdg-open", url)
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", url)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	}
	if command.Start() == nil {
		go func() { _ = command.Wait() }()
	}
}
