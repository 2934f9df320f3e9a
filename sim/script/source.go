package script

import (
	"cmp"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// source is a scenario's text with what errors and pictures need to know of
// it. It is filled in while loading and never changes after.
type source struct {
	file    string
	lines   []string
	calls   map[place]*callText // by the position of their opening parenthesis
	defs    map[place]*defText  // by the position of their def
	reads   map[string]bool     // tables whose rows some handler asks for; "*": any
	begun   map[string]bool     // names that a transaction is assigned to
	saved   map[string]bool     // names that a savepoint is assigned to
	modes   bool                // a text in it names a way to begin that locks or reads otherwise than the default
	dots    map[string]bool     // names that stand behind a dot
	ages    *ageTexts           // what it asks about the ages of rows
	begunOf map[string]string   // whose transaction a name in begun is assigned

	said map[string]bool // every name of a method, field or argument, and every text: a feature that isn't said isn't used

	namesMessages bool // some publish may name its message by an id

	sources  bool // some call says whose work it is
	extends  bool // it extends leases
	attempts int  // the largest attempt number that the text can tell apart; 0: it reads none
}

// callText is where a call stands. The interpreter knows a call by its opening
// parenthesis; a reader wants to see the whole of it.
type callText struct {
	start, end place
	arguments  map[string]place // of the named ones
}

// defText is a function of the text.
type defText struct {
	name  string
	start place
	end   place
	uses  map[string]bool // every name that its body mentions
	sites []siteText      // the calls in its body, but for those in functions inside it
}

func newSource(file string, src []byte) *source {
	return &source{file: file, lines: strings.Split(string(src), "\n"), calls: map[place]*callText{}, defs: map[place]*defText{}, reads: map[string]bool{}, said: map[string]bool{}, begun: map[string]bool{}, saved: map[string]bool{}, dots: map[string]bool{}, begunOf: map[string]string{}, ages: newAgeTexts()}
}

// index notes the calls and functions of a parsed file.
func (s *source) index(f *syntax.File) {
	named := map[*syntax.DotExpr]bool{} // reads whose table is known
	readsAttempt, keepsAttempt, largest := false, false, 0
	compared := map[*syntax.DotExpr]bool{} // attempts that are compared with a number of the text
	syntax.Walk(f, func(n syntax.Node) bool {
		s.ages.visit(n)
		switch n := n.(type) {
		case *syntax.CallExpr:
			text := s.callText(n)
			s.calls[placeOf(n.Lparen)] = text
			s.namesMessages = s.namesMessages || namesMessage(n)
			if name, ok := n.Fn.(*syntax.Ident); ok && (name.Name == "withdraw" || name.Name == "hand_over") {
				s.sources = true
			}
			if _, says := text.arguments["of"]; says {
				s.sources = s.sources || !declares(n.Fn)
			}
			if read, table := tableRead(n); read != nil {
				named[read] = true
				s.reads[table] = true
			}
		case *syntax.Ident:
			s.extends = s.extends || n.Name == "keep" || n.Name == "extend"
			s.said[n.Name] = true
		case *syntax.Literal:
			if text, ok := n.Value.(string); ok {
				s.said[text] = true
			}
			if n, ok := n.Value.(int64); ok && n >= 0 && n < maxAttempts {
				largest = max(largest, int(n))
			}
			if text, ok := n.Value.(string); ok {
				s.modes = s.modes || beginsOtherwise[text]
			}
		case *syntax.BinaryExpr:
			noteCompared(n, compared)
		case *syntax.DotExpr:
			s.dots[n.Name.Name] = true
			if n.Name.Name == "attempt" {
				readsAttempt, keepsAttempt = true, keepsAttempt || !compared[n]
			}
			s.said[n.Name.Name] = true
			if isRead(n) && !named[n] {
				s.reads["*"] = true
			}
		case *syntax.DefStmt:
			_, end := n.Span()
			s.defs[placeOf(n.Def)] = &defText{name: n.Name.Name, start: placeOf(n.Def), end: s.lastTextBefore(placeOf(end)), uses: namesIn(n)}
		}
		return true
	})
	s.indexSites(f)
	if readsAttempt {
		// A counter stops one above the largest number it can be compared with.
		// One that is kept or compared with another never stops before its end.
		s.attempts = largest + 1
		if keepsAttempt {
			s.attempts = maxAttempts
		}
	}
}

// noteCompared notes x.attempt where it is compared with a number that stands in
// the text.
func noteCompared(n *syntax.BinaryExpr, compared map[*syntax.DotExpr]bool) {
	switch n.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE:
	default:
		return
	}
	for _, side := range [][2]syntax.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		dot, isDot := side[0].(*syntax.DotExpr)
		if _, isNumber := side[1].(*syntax.Literal); isDot && isNumber {
			compared[dot] = true
		}
	}
}

// declares tells whether a call is one of the declarations that have an of of
// another meaning, or that stand outside every handler.
func declares(fn syntax.Expr) bool {
	name, ok := fn.(*syntax.Ident)
	return ok && (name.Name == "faults" || name.Name == "given" || name.Name == "outage")
}

// beginsOtherwise are the modes and isolations whose transactions hold more
// than writers' locks.
var beginsOtherwise = map[string]bool{"deferred": true, "exclusive": true, "repeatable_read": true, "serializable": true}

// isRead tells whether x.name asks for rows. A delete is one too: it says
// whether the row stood, and what is added afterwards starts anew; so is a
// change by columns, which depends on what stands.
func isRead(x syntax.Expr) bool {
	dot, ok := x.(*syntax.DotExpr)
	if !ok {
		return false
	}
	if of, ok := dot.X.(*syntax.Ident); ok && of.Name == kindMemory {
		return false
	}
	switch dot.Name.Name {
	case "get", "exists", "delete", "select", "count", "change", "remove", "claim":
		return true
	}
	return false
}

// tableRead finds x.get("table", ...) and attempt(x.get, "table", ...), and
// the name of the table.
func tableRead(n *syntax.CallExpr) (*syntax.DotExpr, string) {
	parts := append([]syntax.Expr{n.Fn}, n.Args...)
	if name, ok := n.Fn.(*syntax.Ident); ok && name.Name == "attempt" {
		parts = n.Args
	}
	if len(parts) < 2 || !isRead(parts[0]) {
		return nil, ""
	}
	table, ok := parts[1].(*syntax.Literal)
	if !ok || table.Token != syntax.STRING {
		return nil, ""
	}
	return parts[0].(*syntax.DotExpr), table.Value.(string)
}

func (s *source) callText(n *syntax.CallExpr) *callText {
	start, end := n.Span()
	c := &callText{start: placeOf(start), end: placeOf(end), arguments: map[string]place{}}
	for _, arg := range n.Args {
		if b, ok := arg.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			if name, ok := b.X.(*syntax.Ident); ok {
				c.arguments[name.Name] = placeOf(name.NamePos)
			}
		}
	}
	return c
}

// namesIn returns the names that a function mentions.
func namesIn(def *syntax.DefStmt) map[string]bool {
	names := map[string]bool{}
	syntax.Walk(def, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// reaches tells whether a function, or one that it mentions, mentions a name.
func (s *source) reaches(fn *starlark.Function, name string) bool {
	for _, d := range s.reachable(fn) {
		if d.uses[name] {
			return true
		}
	}
	return false
}

// reachable lists a function and those that it mentions, directly or not. It
// errs on the side of too many: a local variable may have a function's name.
func (s *source) reachable(fn *starlark.Function) []*defText {
	byName := map[string][]*defText{}
	for _, d := range s.defs {
		byName[d.name] = append(byName[d.name], d)
	}
	var list []*defText
	seen := map[*defText]bool{}
	var visit func(d *defText)
	visit = func(d *defText) {
		if d == nil || seen[d] {
			return
		}
		seen[d] = true
		list = append(list, d)
		for used := range d.uses {
			for _, next := range byName[used] {
				visit(next)
			}
		}
	}
	visit(s.defs[placeOf(fn.Position())])
	slices.SortFunc(list, func(a, b *defText) int { return cmp.Compare(a.start.line, b.start.line) })
	return list
}

// argument returns where a named argument of the call stands.
func (s *source) argument(at place, name string) place {
	if c := s.calls[at]; c != nil {
		if p, ok := c.arguments[name]; ok {
			return p
		}
	}
	return s.callStart(at)
}

// callStart returns where the call begins whose parenthesis stands there.
func (s *source) callStart(at place) place {
	if c := s.calls[at]; c != nil {
		return c.start
	}
	return at
}

// span returns the text from start to before end.
func (s *source) span(start, end place) string {
	if start.line < 1 || end.line > len(s.lines) || start.line > end.line {
		return ""
	}
	var out []string
	for line := start.line; line <= end.line; line++ {
		text := []rune(s.lines[line-1])
		from, to := 0, len(text)
		if line == start.line {
			from = min(start.col-1, len(text))
		}
		if line == end.line {
			to = min(end.col-1, len(text))
		}
		if from < to {
			out = append(out, strings.TrimSpace(string(text[from:to])))
		}
	}
	return strings.Join(out, " ")
}

// lastTextBefore skips back over empty lines and comments, which the parser
// may count to a function.
func (s *source) lastTextBefore(p place) place {
	for line := min(p.line, len(s.lines)); line >= 1; line-- {
		text := strings.TrimSpace(s.lines[line-1])
		if text != "" && !strings.HasPrefix(text, "#") {
			return place{line, 1}
		}
	}
	return p
}
