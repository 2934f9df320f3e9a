package script

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ackademy/ackademy/sim"
)

// The calls that a handler's text holds, whether or not a run comes to them.
//
// What a call is depends on values, and a text is only a text. So a call
// counts where its receiver is known (a party at the top level, a name that
// begin() was assigned to), where its name belongs to no value but ours
// (commit, ack, publish), or where its first argument is a table's name. What
// is left out are calls through names that the text alone doesn't explain, as
// retry(exports.publish, op.id) with a function retry of its own: better no
// mark than a wrong one.

// CallSite is a call in the text of a handler or of a function that it uses.
type CallSite struct {
	Line, Col int // from 1, in characters
	EndLine   int
	Text      string // the call as it is written, on one line
	Call      string // "commit", "insert inbox", as sim.Scenario.Label has it
}

// siteText is what the text says about one call.
type siteText struct {
	text     *callText
	receiver string // the name before the dot; "" if it is none or no plain name
	name     string
	method   bool
	table    string // the first argument where it is a text
}

// foreign are the names that lists, dicts and sets have for methods of their
// own.
var foreign = map[string]bool{"insert": true, "update": true, "add": true, "get": true, "remove": true, "count": true}

// stepFunctions are the plain functions that are steps.
var stepFunctions = map[string]bool{"accept": true, "refuse": true, "work": true, "sleep": true, "one_of": true}

// indexSites notes the calls of each function. It must come before guard.go
// rewrites the tree.
func (s *source) indexSites(f *syntax.File) {
	var path []syntax.Node
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		switch n := n.(type) {
		case *syntax.CallExpr:
			if def := s.innermost(path); def != nil {
				def.sites = append(def.sites, s.siteText(n))
			}
		case *syntax.AssignStmt:
			if name, ok := n.LHS.(*syntax.Ident); ok && begins(n.RHS, "begin") {
				s.begun[name.Name] = true
				s.begunOf[name.Name] = beginner(n.RHS)
			} else if ok && begins(n.RHS, "savepoint") {
				s.saved[name.Name] = true
			}
		}
		return true
	})
}

func (s *source) innermost(path []syntax.Node) *defText {
	for _, n := range slices.Backward(path) {
		if def, ok := n.(*syntax.DefStmt); ok {
			return s.defs[placeOf(def.Def)]
		}
	}
	return nil
}

// begins tells whether an expression is x.name() or attempt(x.name).value.
func begins(x syntax.Expr, name string) bool {
	if dot, ok := x.(*syntax.DotExpr); ok && dot.Name.Name == "value" {
		x = dot.X
	}
	call, ok := x.(*syntax.CallExpr)
	if !ok {
		return false
	}
	dot, ok := callee(call).(*syntax.DotExpr)
	return ok && dot.Name.Name == name
}

// beginner is the name of the party in x.begin() or attempt(x.begin).value.
func beginner(x syntax.Expr) string {
	if dot, ok := x.(*syntax.DotExpr); ok && dot.Name.Name == "value" {
		x = dot.X
	}
	if call, ok := x.(*syntax.CallExpr); ok {
		if dot, ok := callee(call).(*syntax.DotExpr); ok {
			if name, ok := dot.X.(*syntax.Ident); ok {
				return name.Name
			}
		}
	}
	return ""
}

// callee is what a call calls, through attempt.
func callee(n *syntax.CallExpr) syntax.Expr {
	if isAttempt(n) && len(n.Args) > 0 {
		return n.Args[0]
	}
	return n.Fn
}

func isAttempt(n *syntax.CallExpr) bool {
	name, ok := n.Fn.(*syntax.Ident)
	return ok && name.Name == "attempt"
}

func (s *source) siteText(n *syntax.CallExpr) siteText {
	site := siteText{text: s.calls[placeOf(n.Lparen)]}
	args := n.Args
	if isAttempt(n) && len(args) > 0 {
		args = args[1:]
	}
	switch fn := callee(n).(type) {
	case *syntax.Ident:
		site.name = fn.Name
	case *syntax.DotExpr:
		site.name, site.method = fn.Name.Name, true
		if x, ok := fn.X.(*syntax.Ident); ok {
			site.receiver = x.Name
		}
	}
	if len(args) > 0 {
		if text, ok := args[0].(*syntax.Literal); ok && text.Token == syntax.STRING {
			site.table = text.Value.(string)
		}
	}
	return site
}

// CallSites lists the calls in the text of a handler and of the functions that
// it uses, in the order of the text.
func (s *Scenario) CallSites(h sim.HandlerID) []CallSite {
	var list []CallSite
	fn := s.handlers[h].fn
	for _, def := range s.src.reachable(fn) {
		for _, site := range def.sites {
			label := s.siteLabel(fn, &site)
			if label == "" || site.text == nil {
				continue
			}
			list = append(list, CallSite{
				Line: site.text.start.line, Col: site.text.start.col, EndLine: site.text.end.line,
				Text: s.src.span(site.text.start, site.text.end), Call: label,
			})
		}
	}
	slices.SortFunc(list, func(a, b CallSite) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return list
}

// siteLabel names a call as sim.Scenario.Label does, or returns "" where it is
// none that is a step, or can't be told to be one.
func (s *Scenario) siteLabel(fn *starlark.Function, site *siteText) string {
	globals := fn.Globals()
	if !site.method {
		if _, redefined := globals[site.name]; redefined || !stepFunctions[site.name] {
			return ""
		}
		return site.name
	}
	if _, redefined := globals[kindMemory]; site.receiver == kindMemory && !redefined {
		return "" // no step
	}
	receiver, isParty := globals[site.receiver].(*party)
	kinds := s.methodKinds(site.name)
	known := s.src.begun[site.receiver] || isParty && slices.Contains(kinds, receiver.kind)
	statement := slices.Contains(kinds, kindTransaction) && site.name != "commit" && site.name != "rollback" && site.name != "savepoint"
	switch {
	case site.name == "rollback" && s.src.saved[site.receiver]:
		return sim.VerbRollbackTo.String()
	case len(kinds) == 0, isParty && !known:
		return ""
	case foreign[site.name] && !known && !s.hasTable(site.table):
		return ""
	case site.method && len(s.Logs) > 0 && s.logLabel(site) != "":
		return s.logLabel(site)
	case statement && site.table != "":
		return site.name + " " + site.table
	case isParty && (receiver.kind == kindProvider && (site.name == "send" || site.name == "send_batch" || site.name == "lookup") || site.name == "redrive"):
		return site.name + " " + receiver.name
	case site.name == "begin" && isParty && len(s.Databases) > 1:
		return "begin " + receiver.name
	}
	return site.name
}

// logLabel names a call that concerns a log, or returns "" for another one. A
// name that a transaction was begun under is taken for that of its log where
// the text begins none of a database under it.
func (s *Scenario) logLabel(site *siteText) string {
	log, begun := s.src.begunOf[site.receiver]
	for _, l := range s.Logs {
		if begun && l.Name == log && (site.name == "commit" || site.name == "abort") || site.name == "begin" && l.Name == site.receiver {
			return site.name + " " + l.Name
		}
	}
	switch {
	case site.name == "send_offsets":
		return "send offsets"
	case site.name == "commit" && !begun:
		return "commit offset"
	}
	return ""
}

// methodKinds lists the kinds of values that have this call in a handler.
func (s *Scenario) methodKinds(name string) []string {
	var kinds []string
	for _, kind := range []string{kindQueue, kindLog, kindLogTx, kindDelivery, kindDatabase, kindTransaction, kindProvider} {
		if _, ok := s.lang.methods[kind][name]; ok {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (s *Scenario) hasTable(name string) bool {
	for _, db := range s.Databases {
		for _, t := range db.Tables {
			if t.Name == name {
				return true
			}
		}
	}
	return false
}
