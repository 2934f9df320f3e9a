package script

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// invocation is one call of a binding with its arguments taken apart. The
// getters keep the first thing that is wrong in err, so that a binding reads
// all its arguments and asks once.
type invocation struct {
	binding  *Binding
	src      *source
	thread   *starlark.Thread
	receiver starlark.Value
	rest     starlark.Tuple // attempt: what to hand on
	restKw   []starlark.Tuple
	values   map[string]starlark.Value
	fields   []starlark.Tuple
	load     *loader    // at the top level
	run      *run       // inside a handler
	terms    termUse    // which terms may stand for a column's value
	asked    *sim.Table // of a statement
	err      *Error
}

// invoke is what Starlark calls for every binding.
func invoke(b *Binding, src *source, t *starlark.Thread, receiver starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	c := &invocation{binding: b, src: src, thread: t, receiver: receiver}
	switch whole := t.Local(threadKey).(type) {
	case *loader:
		c.load = whole
	case *run:
		c.run = whole
	}
	if b.Where == whereHandler && c.run == nil {
		return nil, mistake("only-in-handler", b.Name+" is a step of a handler, and no handler runs at the top level",
			"Call it inside the function that service(...) or consumer(...) is given.")
	}
	if b.Where == whereTop && c.load == nil {
		return nil, mistake("only-at-top", b.Name+" declares a part of the world, which stands before any handler runs",
			"Move it to the top level of the file.")
	}
	if t.CallStackDepth() > maxCallDepth {
		return nil, mistake("limit-depth", fmt.Sprintf("more than %d calls inside one another", maxCallDepth), "Call fewer functions inside one another.")
	}
	if b.Name == "attempt" {
		c.rest, c.restKw = args, kwargs
	} else if err := c.bind(args, kwargs); err != nil {
		return nil, err
	}
	v, err := b.do(c)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// threadKey is where a Starlark thread keeps its *loader or *run.
const threadKey = "ackademy"

// title names the call in messages: queue.publish, insert, faults.
func (c *invocation) title() string {
	if c.binding.Of != "" {
		return c.binding.Of + "." + c.binding.Name
	}
	return c.binding.Name
}

// bind puts the arguments to the parameters.
func (c *invocation) bind(args starlark.Tuple, kwargs []starlark.Tuple) error {
	b := c.binding
	if len(args) > len(b.Params) {
		return mistake("too-many-arguments", fmt.Sprintf("%s takes at most %d values by place, not %d", c.title(), len(b.Params), len(args)), c.usage())
	}
	c.values = make(map[string]starlark.Value, len(b.Params))
	for i, arg := range args {
		c.values[b.Params[i].Name] = arg
	}
	for _, kw := range kwargs {
		name := string(kw[0].(starlark.String))
		p := b.param(name)
		switch {
		case p != nil && c.values[name] != nil:
			return mistake("given-twice", c.title()+" is given "+name+" twice", c.usage()).at(name)
		case p != nil:
			c.values[name] = kw[1]
		case b.Fields != "":
			c.fields = append(c.fields, kw)
		default:
			return c.unknown(name)
		}
	}
	for i := range b.Params {
		if p := &b.Params[i]; p.required() && c.values[p.Name] == nil {
			return mistake("missing-argument", c.title()+" needs "+p.Name, c.usage())
		}
	}
	return nil
}

func (b *Binding) param(name string) *Param {
	for i := range b.Params {
		if b.Params[i].Name == name && !b.Params[i].Positional {
			return &b.Params[i]
		}
	}
	return nil
}

func (c *invocation) unknown(name string) *Error {
	var names []string
	for _, p := range c.binding.Params {
		if !p.Positional {
			names = append(names, p.Name)
		}
	}
	next := c.usage()
	if near := nearest(name, names); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	if later, ok := notYetArguments[c.title()+" "+name]; ok {
		return mistake("not-yet", c.title()+" has no "+name+" yet", later).at(name)
	}
	return mistake("unknown-argument", c.title()+" has no "+name, next).at(name)
}

// usage prints the call with its parameters; long lists of options by name
// only.
func (c *invocation) usage() string {
	var parts, options []string
	for _, p := range c.binding.Params {
		switch {
		case p.required():
			parts = append(parts, p.Name)
		case len(c.binding.Params) > 5:
			options = append(options, p.Name)
		default:
			parts = append(parts, p.Name+" = "+p.Default)
		}
	}
	if c.binding.Fields != "" {
		parts = append(parts, "name = value, ...")
	}
	text := "Write " + c.title() + "(" + strings.Join(parts, ", ") + ")"
	if len(options) > 0 {
		text += " with any of " + strings.Join(options, ", ")
	}
	return text + "."
}

func (c *invocation) wrong(name, code, message, next string) {
	if c.err == nil {
		c.err = mistake(code, message, next).at(name)
	}
}

// value returns an argument, or nil where it was left out or is None.
func (c *invocation) value(name string) starlark.Value {
	v := c.values[name]
	if v == starlark.None {
		return nil
	}
	return v
}

func (c *invocation) text(name, def string) string {
	v := c.value(name)
	if v == nil {
		return def
	}
	s, ok := v.(starlark.String)
	if !ok {
		c.wrong(name, "bad-type", fmt.Sprintf("%s of %s is a text, not %s", name, c.title(), describe(v)), "Write it in quotes.")
	}
	return string(s)
}

func (c *invocation) flag(name string, def bool) bool {
	v := c.value(name)
	if v == nil {
		return def
	}
	b, ok := v.(starlark.Bool)
	if !ok {
		c.wrong(name, "bad-type", fmt.Sprintf("%s of %s is True or False, not %s", name, c.title(), describe(v)), "Write True or False.")
	}
	return bool(b)
}

func (c *invocation) whole(name, code, unit string, def, least, most int64) int64 {
	v := c.value(name)
	if v == nil {
		return def
	}
	i, ok := v.(starlark.Int)
	if !ok {
		c.wrong(name, code, fmt.Sprintf("%s of %s is a whole number of %s, not %s", name, c.title(), unit, describe(v)), "Write a number like 30.")
		return def
	}
	n, fits := i.Int64()
	if !fits || n < least || n > most {
		c.wrong(name, code, fmt.Sprintf("%s of %s is %s, and must be from %d to %d %s", name, c.title(), shorten(i.String()), least, most, unit),
			"Choose a number in that range.")
		return def
	}
	return n
}

func (c *invocation) seconds(name string, def sim.Seconds) sim.Seconds {
	return sim.Seconds(c.whole(name, "bad-seconds", "seconds", int64(def), 0, maxSeconds))
}

func (c *invocation) count(name, unit string, def, least, most int) int {
	return int(c.whole(name, "bad-count", unit, int64(def), int64(least), int64(most)))
}

// choice returns which of the options a text is.
func (c *invocation) choice(name string, def int, options ...string) int {
	v := c.value(name)
	if v == nil {
		return def
	}
	s := c.text(name, "")
	for i, o := range options {
		if o == s {
			return i
		}
	}
	c.wrong(name, "bad-choice", fmt.Sprintf("%s of %s can't be %s", name, c.title(), describe(v)), "Choose "+oneOf(quoted(options))+".")
	return def
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// name returns a name of a party or process.
func (c *invocation) name(name, def string) string {
	s := c.text(name, def)
	if c.err == nil && !nameForm.MatchString(s) {
		c.wrong(name, "bad-name", fmt.Sprintf("%s can't be a name", describe(starlark.String(s))),
			"A name is a small letter and then small letters, digits and _, at most 32 in all.")
	}
	return s
}

// id returns an operation id or an address: it stands in schedules and links.
func (c *invocation) id(name string) string {
	v := c.values[name]
	s, ok := v.(starlark.String)
	if !ok {
		c.wrong(name, "bad-id", fmt.Sprintf("%s of %s is a text, not %s", name, c.title(), describe(v)), "Write a text like \"work-1\", or op.id.")
		return ""
	}
	if problem := idProblem(string(s)); problem != "" {
		c.wrong(name, "bad-id", fmt.Sprintf("%s can't be an id: %s", describe(s), problem),
			"An id has 1 to 100 printable characters and no space, ; ' or #.")
	}
	return string(s)
}

func idProblem(s string) string {
	switch {
	case s == "":
		return "it is empty"
	case !utf8.ValidString(s):
		return "it isn't UTF-8"
	case utf8.RuneCountInString(s) > 100:
		return "it is too long"
	}
	for _, r := range s {
		if strings.ContainsRune(";'#", r) || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return fmt.Sprintf("%q is in it", r)
		}
	}
	return ""
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = "\"" + s + "\""
	}
	return out
}

// describe names a value in a message, shortened.
func describe(v starlark.Value) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.String, starlark.Float:
		return shorten(v.String())
	case *starlark.Function:
		return "the function " + v.Name()
	}
	return "a " + v.Type()
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:37]) + "..."
	}
	return s
}
