package script

// Bounding the cost of one step.
//
// The interpreter counts steps, but a step can be as expensive as its operands
// are large, and operands can double with every step: thirty lines of s = s + s
// fill the memory. So before a text is compiled, every place where a value can
// grow is put through a check of its operands: operators that join, repeat,
// format or compare; elements of lists, tuples and dicts; methods that build
// texts or extend lists. The check counts what a value holds, all the way
// down, and refuses more than maxSize. What a checked operation yields is at
// most a small multiple of that, and can't be used for the next one if it is
// larger. What was counted is charged as steps, so that the limit of steps is
// a limit of time.
//
// The rewriting keeps meaning and positions: size(x) is x, and the parenthesis
// of an inserted call stands where the operand begins. The inserted names
// can't be written in a scenario, because they hold a parenthesis.
//
// What stays unbounded is told in the package comment.

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	guardSize   = "(size)"
	guardRepeat = "(repeat)"
	guardGrow   = "(grow)"
	guardMethod = "(method)"
	guardNamed  = "(named)"
)

// guardedMethods build or extend values in one step.
var guardedMethods = map[string]bool{"join": true, "replace": true, "format": true, "extend": true, "append": true,
	"insert": true, "update": true, "setdefault": true}

// guardedFunctions take a whole value in one step.
var guardedFunctions = []string{"list", "tuple", "dict", "sorted", "reversed", "enumerate", "zip", "any", "all", "min", "max",
	"str", "repr", "hash", "bytes"}

// guardFile puts the checks into a parsed file.
func guardFile(f *syntax.File) *placeError {
	g := &guardWalk{targets: map[syntax.Expr]bool{}, called: map[syntax.Expr]bool{}}
	syntax.Walk(f, g.visit)
	return g.err
}

// placeError is something that is refused before anything runs.
type placeError struct {
	at            place
	message, next string
}

type guardWalk struct {
	targets map[syntax.Expr]bool // expressions that are assigned to
	called  map[syntax.Expr]bool // methods that are called where they stand
	err     *placeError
}

func (g *guardWalk) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		g.assignment(n)
	case *syntax.ForStmt:
		g.target(n.Vars)
	case *syntax.ForClause:
		g.target(n.Vars)
	case *syntax.BinaryExpr:
		g.operator(n)
	case *syntax.ListExpr:
		if !g.targets[n] {
			sized(n.List)
		}
	case *syntax.TupleExpr:
		if !g.targets[n] {
			sized(n.List)
		}
	case *syntax.DictEntry:
		n.Key, n.Value = size(n.Key), size(n.Value)
	case *syntax.Comprehension:
		if _, isEntry := n.Body.(*syntax.DictEntry); !isEntry {
			n.Body = size(n.Body)
		}
	case *syntax.CallExpr:
		g.call(n)
	case *syntax.DotExpr:
		if guardedMethods[n.Name.Name] && !g.called[n] {
			n.X = check(guardNamed, n.NamePos, n.X)
		}
	}
	return true
}

// target marks what is assigned to; a tuple there is no value.
func (g *guardWalk) target(x syntax.Expr) {
	g.targets[x] = true
	switch x := x.(type) {
	case *syntax.ParenExpr:
		g.target(x.X)
	case *syntax.ListExpr:
		for _, e := range x.List {
			g.target(e)
		}
	case *syntax.TupleExpr:
		for _, e := range x.List {
			g.target(e)
		}
	}
}

func (g *guardWalk) assignment(n *syntax.AssignStmt) {
	if n.Op == syntax.EQ {
		g.target(n.LHS)
		if _, ok := n.LHS.(*syntax.IndexExpr); ok {
			n.RHS = size(n.RHS)
		}
		return
	}
	left, ok := n.LHS.(*syntax.Ident)
	if !ok {
		// Evaluating the left side twice could call something twice.
		if g.err == nil {
			g.err = &placeError{placeOf(n.OpPos), n.Op.String() + " changes a plain name only", "Write x[i] = x[i] + y."}
		}
		return
	}
	op := guardSize
	switch n.Op {
	case syntax.PLUS_EQ, syntax.PIPE_EQ, syntax.PERCENT_EQ:
		op = guardGrow
	case syntax.STAR_EQ:
		op = guardRepeat
	}
	if op == guardSize {
		return
	}
	n.RHS = check(op, n.OpPos, &syntax.Ident{NamePos: left.NamePos, Name: left.Name}, n.RHS, number(n.OpPos, 1))
}

func (g *guardWalk) operator(n *syntax.BinaryExpr) {
	switch n.Op {
	case syntax.STAR:
		// x * y becomes (repeat)(x, y, 0) * 1: the slot that holds this node is
		// out of reach, and multiplying by one changes nothing.
		n.X = check(guardRepeat, n.OpPos, n.X, n.Y, number(n.OpPos, 0))
		n.Y = number(n.OpPos, 1)
	case syntax.PLUS, syntax.PERCENT, syntax.PIPE, syntax.IN, syntax.NOT_IN,
		syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		n.X, n.Y = size(n.X), size(n.Y)
	}
}

func (g *guardWalk) call(n *syntax.CallExpr) {
	dot, ok := n.Fn.(*syntax.DotExpr)
	if !ok || !guardedMethods[dot.Name.Name] {
		return
	}
	g.called[dot] = true
	name := &syntax.Literal{Token: syntax.STRING, TokenPos: dot.NamePos, Raw: fmt.Sprintf("%q", dot.Name.Name), Value: dot.Name.Name}
	n.Fn = &syntax.Ident{NamePos: dot.NamePos, Name: guardMethod}
	n.Args = append([]syntax.Expr{dot.X, name}, n.Args...)
}

func sized(list []syntax.Expr) {
	for i := range list {
		list[i] = size(list[i])
	}
}

// size wraps an operand, unless it stands in the text as it is.
func size(x syntax.Expr) syntax.Expr {
	if literal, ok := x.(*syntax.Literal); ok {
		return literal
	}
	return check(guardSize, syntax.Start(x), x)
}

func check(name string, at syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

func number(at syntax.Position, n int64) *syntax.Literal {
	return &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: fmt.Sprint(n), Value: n}
}

// guards are the inserted checks, and Starlark's own functions that are
// replaced.
func guards() starlark.StringDict {
	type builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)
	all := starlark.StringDict{}
	add := func(name string, fn builtin) { all[name] = starlark.NewBuiltin(name, fn) }
	add(guardSize, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return args[0], tooLarge(t, args[0])
	})
	add(guardRepeat, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		inPlace, _ := args[2].(starlark.Int).Int64()
		return repeated(t, args[0], args[1], inPlace == 1)
	})
	add(guardGrow, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if err := tooLarge(t, args[0]); err != nil {
			return nil, err
		}
		return args[1], tooLarge(t, args[1])
	})
	add(guardMethod, callMethod)
	add(guardNamed, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if starlarksOwn(args[0]) {
			return nil, mistake("not-yet", "a method of a "+args[0].Type()+" has to be called where it is named", "Write its parentheses after it.")
		}
		return args[0], nil
	})
	add("range", guardedRange)
	add("print", refused("print", "Handlers are interpreted many times, so printing would mislead; step through the run to see values."))
	add("getattr", refused("getattr", "Write value.name."))
	for _, name := range guardedFunctions {
		add(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := allSmall(t, args, kwargs); err != nil {
				return nil, err
			}
			return starlark.Call(t, starlark.Universe[b.Name()], args, kwargs)
		})
	}
	return all
}

func refused(name, next string) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return nil, mistake("not-yet", name+" is not there", next)
	}
}

// guardedRange is range with an end: list(range(1000000000)) would be one step.
func guardedRange(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(t, starlark.Universe["range"], args, kwargs)
	if err != nil {
		return nil, err
	}
	if n := starlark.Len(v); n > maxRange {
		return nil, mistake("limit-range", fmt.Sprintf("this range has %d numbers, at most %d", n, maxRange), "Choose a smaller one.")
	}
	return v, nil
}

// repeated is x * y under a limit; with inPlace it only checks, and returns y.
func repeated(t *starlark.Thread, x, y starlark.Value, inPlace bool) (starlark.Value, error) {
	if err := allSmall(t, starlark.Tuple{x, y}, nil); err != nil {
		return nil, err
	}
	for _, pair := range [][2]starlark.Value{{x, y}, {y, x}} {
		n, isInt := pair[1].(starlark.Int)
		length := starlark.Len(pair[0])
		if !isInt || length <= 0 {
			continue
		}
		if times, ok := n.Int64(); !ok || times > int64(maxSize/length) {
			return nil, errTooLarge()
		}
	}
	if inPlace {
		return y, nil
	}
	return starlark.Binary(syntax.STAR, x, y)
}

// callMethod calls a method with small values only, and refuses a large
// result. The methods of our own values have the same names as some of
// Starlark's and check by themselves.
func callMethod(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	receiver, name := args[0], string(args[1].(starlark.String))
	if receiver == starlark.None {
		return nil, mistake("no-such-name", "NoneType has no ."+name+" method: there was no row, or the call before it gives nothing back",
			"Ask first: if row: ... A call that changes what it is called on, such as append, stands alone.")
	}
	var method starlark.Value
	var names []string
	if holder, ok := receiver.(starlark.HasAttrs); ok {
		var err error
		if method, err = holder.Attr(name); err != nil {
			return nil, err
		}
		names = holder.AttrNames()
	}
	if method == nil {
		next := "It has " + oneOf(names) + "."
		if near := nearest(name, names); near != "" {
			next = "Did you mean " + near + "? " + next
		}
		return nil, mistake("no-such-name", fmt.Sprintf("a %s has nothing called %s", receiver.Type(), name), next)
	}
	builtinType := starlarksOwn(receiver)
	if builtinType {
		if err := allSmall(t, append(starlark.Tuple{receiver}, args[2:]...), kwargs); err != nil {
			return nil, err
		}
	}
	v, err := starlark.Call(t, method, args[2:], kwargs)
	if err == nil && builtinType {
		err = tooLarge(t, v)
	}
	return v, err
}

func starlarksOwn(v starlark.Value) bool {
	switch v.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict:
		return true
	}
	return false
}

func allSmall(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	for _, v := range args {
		if err := tooLarge(t, v); err != nil {
			return err
		}
	}
	for _, kw := range kwargs {
		if err := tooLarge(t, kw[1]); err != nil {
			return err
		}
	}
	return nil
}

func errTooLarge() error {
	return mistake("limit-size", fmt.Sprintf("a text or list grows beyond %d characters or elements", maxSize), "A scenario needs short texts and small numbers: count with integers.")
}

// tooLarge refuses a value that holds more than maxSize bytes and elements,
// all the way down. What is done with a value costs time in proportion to it,
// so it is charged to the thread's steps. The result is a bare nil for a small
// value.
func tooLarge(t *starlark.Thread, v starlark.Value) error {
	switch v.(type) {
	case starlark.NoneType, starlark.Bool:
		return nil
	}
	left := measure(v, maxSize, 0)
	if left < 0 {
		return errTooLarge()
	}
	t.Steps += uint64(maxSize-left) / 8
	return nil
}

// measure returns what is left of a size, or a negative number.
func measure(v starlark.Value, left, depth int) int {
	left--
	if left < 0 || depth > maxCallDepth {
		return -1
	}
	switch v := v.(type) {
	case starlark.String:
		return left - len(v)
	case starlark.Bytes:
		return left - len(v)
	case starlark.Int:
		if _, small := v.Int64(); small {
			return left
		}
		return left - v.BigInt().BitLen()/8
	case starlark.Tuple:
		for i := 0; i < len(v) && left >= 0; i++ {
			left = measure(v[i], left, depth+1)
		}
	case *starlark.List:
		for i := 0; i < v.Len() && left >= 0; i++ {
			left = measure(v.Index(i), left, depth+1)
		}
	case *starlark.Dict:
		if v.Len() > left {
			return -1
		}
		for _, item := range v.Items() {
			if left = measure(item, left, depth+1); left < 0 {
				break
			}
		}
	}
	return left
}
