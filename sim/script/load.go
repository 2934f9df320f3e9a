package script

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ackademy/ackademy/sim"
)

// Scenario is a scenario with the text that it came from. Its Program field
// implements sim.Program. Like the Values it holds, it is not safe for
// concurrent use.
type Scenario struct {
	*sim.Scenario
	Source   string
	Filename string

	src      *source
	lang     *language
	handlers []handler
	tree     *tree
	mistakes map[string]*Error // by the text of the node
	blocks   []Block
	Stops    bool // some budget has an orderly stop
}

// What starts a handler that consumes from no queue.
const (
	givenRequest int16 = -1
	givenNothing int16 = -2
)

// handler is a function of the text in the role that a process gives it: the
// same function consuming from two queues is two handlers.
type handler struct {
	name  string
	fn    *starlark.Function
	queue int16 // consumers; else givenRequest or givenNothing
	batch bool  // it is given a list of deliveries
	auto  bool  // its deliveries are settled as they leave the broker
	end   place
}

// Load evaluates a scenario file under limits. The error, if any, is an *Error.
func Load(filename string, src []byte) (*Scenario, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // some editors put it before a text
	text := newSource(filename, src)
	switch {
	case len(src) > maxSource:
		return nil, text.found("limit-source", place{}, fmt.Sprintf("the scenario has %d bytes, at most %d", len(src), maxSource), "Split it into several scenarios.")
	case !utf8.Valid(src):
		return nil, text.found("not-utf8", place{}, "the scenario isn't UTF-8 text", "Save the file as UTF-8.")
	case bytes.IndexByte(src, 0) >= 0:
		return nil, text.found("not-text", place{}, "the scenario has a zero byte in it", "Save the file as plain text.")
	}
	s := &Scenario{
		Scenario: &sim.Scenario{Name: baseName(filename), Values: sim.NewValues(), EffectCap: sim.DefaultEffectCap},
		Source:   string(src),
		Filename: filename,
		src:      text,
		mistakes: map[string]*Error{},
	}
	if err := s.evaluate(src); err != nil {
		return nil, err
	}
	s.tree = newTree(s, false)
	s.Program = s.tree
	return s, nil
}

func baseName(filename string) string {
	base := filepath.Base(filename)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// dialect is Starlark with while and with if and for at the top level; nothing
// in it reaches outside the file.
var dialect = syntax.FileOptions{While: true, TopLevelControl: true}

func (s *Scenario) evaluate(src []byte) *Error {
	opts := dialect
	f, err := opts.Parse(s.Filename, src, 0)
	if err != nil {
		return s.src.locate(err)
	}
	if e := s.src.refuseNesting(f); e != nil {
		return e
	}
	s.src.index(f)
	if e := s.src.refuseLoads(f); e != nil {
		return e
	}
	s.Title, s.Doc = docString(f, s.Name)
	if e := guardFile(f); e != nil {
		return s.src.found("not-yet", e.at, e.message, e.next)
	}
	s.lang = newLanguage(s.src)
	program, err := starlark.FileProgram(f, s.lang.functions.Has)
	if err != nil {
		return s.src.locate(err)
	}
	l := newLoader(s)
	t := &starlark.Thread{Name: "scenario"}
	t.SetLocal(threadKey, l)
	t.SetMaxExecutionSteps(maxLoadSteps)
	globals, err := program.Init(t, s.lang.functions)
	if err != nil {
		return s.src.locate(err)
	}
	globals.Freeze()
	s.Attempts = s.src.attempts
	s.Sources = s.src.sources
	s.Extends = s.src.extends
	s.SessionLocks = s.src.said["lock"] || s.src.said["try_lock"]
	s.Remembers = s.src.said[kindMemory]
	s.settleQueues()
	return l.finish()
}

// refuseNesting finds an expression that holds others too deeply.
func (s *source) refuseNesting(f *syntax.File) *Error {
	var path []syntax.Node // from the file to the node that is being visited
	var found *Error
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if len(path) > maxNesting && found == nil {
			// Of a chain of operators this is its beginning: the last one holds the others.
			found = s.found("limit-nesting", placeOf(syntax.Start(n)), fmt.Sprintf("more than %d expressions or statements stand one in another here", maxNesting),
				"Split it into several lines, each with a name for its value.")
		}
		return true
	})
	return found
}

// refuseLoads finds load statements: a scenario is one file.
func (s *source) refuseLoads(f *syntax.File) *Error {
	var found *Error
	syntax.Walk(f, func(n syntax.Node) bool {
		if load, ok := n.(*syntax.LoadStmt); ok && found == nil {
			found = s.found("no-load", placeOf(load.Load), "a scenario can't load other files", "Write everything into this file: a scenario is one file.")
		}
		return true
	})
	return found
}

// docString returns the first line of the file's doc string and the rest.
func docString(f *syntax.File, name string) (title, doc string) {
	if len(f.Stmts) == 0 {
		return name, ""
	}
	stmt, ok := f.Stmts[0].(*syntax.ExprStmt)
	if !ok {
		return name, ""
	}
	lit, ok := stmt.X.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return name, ""
	}
	title, doc, _ = strings.Cut(strings.TrimSpace(lit.Value.(string)), "\n")
	return strings.TrimSpace(title), strings.TrimSpace(doc)
}

// Mistake returns the error behind a mistake in the text that a run came upon.
// The node must belong to this scenario's program.
func (s *Scenario) Mistake(m *sim.MistakeError) *Error {
	return s.mistakeAt(m, s.Program.Call(m.Node))
}

// mistakeAt finds the error behind a mistake at a call. What the world found
// has a code and no place of its own: it stands at the first such call of the handler that
// doesn't say whose work it is.
func (s *Scenario) mistakeAt(m *sim.MistakeError, c *sim.Call) *Error {
	if m.Code == "" {
		return s.mistakes[c.Text]
	}
	at := placeOf(s.handlers[m.Handler].fn.Position())
	label := s.Label(c)
	for _, site := range s.CallSites(m.Handler) {
		if site.Call == label && !s.src.saysWhose(place{site.Line, site.Col}) {
			at = place{site.Line, site.Col}
			break
		}
	}
	return s.src.found(m.Code, at, m.Process+" comes to "+label+" and "+m.Text, m.Next)
}

// saysWhose tells whether the call that begins there has an argument of.
func (s *source) saysWhose(at place) bool {
	for _, c := range s.calls {
		if _, says := c.arguments["of"]; says && c.start == at {
			return true
		}
	}
	return false
}
