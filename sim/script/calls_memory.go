package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// What a process remembers, and what a text leaves open.

func memoryBindings() []Binding {
	name := Param{Name: "name", Type: "text", Doc: "What it is remembered under."}
	return []Binding{
		{
			Of: kindMemory, Name: "get", Where: whereHandler, do: recall, Result: "what was put there last, or default",
			Doc:    "Reads what this process remembers from earlier runs of its handlers. Each replica has a memory of its own, the handlers of a host share one, and a crash empties it. It is no step. A run that was told of no intent works for the one of whoever put it there.",
			Stands: "a variable of the program, a map, a cache in the process",
			Params: []Param{name, {Name: "default", Type: "value", Default: "None", Doc: "What it is where nothing was put."}},
		},
		{
			Of: kindMemory, Name: "put", Where: whereHandler, do: remember,
			Doc:    "Keeps a value until this process crashes or puts another one there. It is no step and cannot fail. A job that changes its memory runs again at the next tick.",
			Stands: "a variable of the program, a map, a cache in the process",
			Params: []Param{name, {Name: "value", Type: "value"}},
		},
		{
			Name: "one_of", Where: whereHandler, do: oneOfThese, Result: "one of the values",
			Doc: "Leaves open which of some values it is, as in work(one_of(10, 65)): each is a step of its own, worker1 one_of 10, and a check tries them all. It is no fault. A job that chooses runs again at the next tick.",
			Params: []Param{
				{Name: "first", Type: "value", Positional: true},
				{Name: "second", Type: "value", Positional: true},
				{Name: "third", Type: "value", Default: "left out", Positional: true},
				{Name: "fourth", Type: "value", Default: "left out", Positional: true},
			},
		},
	}
}

// memory is the value that handlers find a process's memory under.
type memory struct {
	plain
	lang *language
}

func (m *memory) Attr(name string) (starlark.Value, error) { return m.lang.method(m.kind, m, name) }
func (m *memory) AttrNames() []string                      { return m.lang.names[m.kind] }

func recall(c *invocation) (starlark.Value, error) {
	call := sim.Call{Verb: sim.VerbRecall, Party: -1, Table: -1, Key: c.idValue("name")}
	if v, given := c.values["default"]; given {
		call.Body = c.scalar("default", v)
	}
	if c.err != nil {
		return nil, c.err
	}
	a, err := c.ask(call)
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}

func remember(c *invocation) (starlark.Value, error) {
	call := sim.Call{Verb: sim.VerbRemember, Party: -1, Table: -1, Key: c.idValue("name"), Body: c.scalar("value", c.values["value"])}
	if c.err != nil {
		return nil, c.err
	}
	_, err := c.ask(call)
	return starlark.None, err
}

func oneOfThese(c *invocation) (starlark.Value, error) {
	vals := c.table()
	var options []sim.ValueID
	named := map[string]bool{}
	for _, p := range c.binding.Params {
		v, given := c.values[p.Name]
		if !given {
			break
		}
		id := c.scalar(p.Name, v)
		if c.err != nil {
			return nil, c.err
		}
		name := vals.Plain(id)
		if text, isText := v.(starlark.String); isText {
			if problem := idProblem(string(text)); problem != "" {
				return nil, mistake("bad-id", fmt.Sprintf("one_of can't choose %s, because %s, and the choice is a step that bears its name", describe(v), problem),
					"Choose a short name without spaces, and say in the handler what it stands for.")
			}
		}
		if named[name] {
			return nil, mistake("chosen-twice", "one_of has "+name+" among its values twice", "Give values that a schedule can tell apart.")
		}
		named[name] = true
		options = append(options, id)
	}
	a, err := c.ask(sim.Call{Verb: sim.VerbOneOf, Party: -1, Table: -1, Body: vals.List(options)})
	if err != nil {
		return nil, err
	}
	return c.run.starlarkValue(a.Value), nil
}
