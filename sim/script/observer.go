package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// What a text tells the observer: whose work a call is, who has changed their
// mind, what is open, how many effects a wish wants.

func observerBindings() []Binding {
	params := []Param{{Name: "whose", Type: "row, delivery or request", Positional: true, Doc: "What belongs to the intent."}}
	return []Binding{
		{
			Name: "withdraw", Where: whereHandler, do: note(sim.VerbWithdraw), Params: params,
			Doc:    "Notes for the observer that the intent is cancelled: its effect is no longer owed, and one that comes after this is uncaused. It is no step.",
			Stands: "the user cancels, and is told so",
		},
		{
			Name: "hand_over", Where: whereHandler, do: note(sim.VerbHandOver), Params: params,
			Doc:    "Notes for the observer that a person has the intent now: it is open and said so, neither lost nor stuck. It is no step.",
			Stands: "an alert that somebody answers for",
		},
	}
}

func note(verb sim.Verb) func(*invocation) (starlark.Value, error) {
	return func(c *invocation) (starlark.Value, error) {
		of := c.whose("whose")
		if c.err == nil && of == sim.OfNobody {
			c.wrong("whose", "bad-type", c.title()+" needs an intent, and None is nobody's", "Give it the row, delivery or request.")
		}
		if c.err != nil {
			return nil, c.err
		}
		_, err := c.ask(sim.Call{Verb: verb, Party: -1, Table: -1, Of: of})
		return starlark.None, err
	}
}

// of reads whose work a call is.
func (c *invocation) of() int16 {
	if _, given := c.values["of"]; !given || !attributed[c.binding.Name] {
		return sim.OfHandler
	}
	return c.whose("of")
}

// whose reads the thing that says to which intent a call belongs.
func (c *invocation) whose(name string) int16 {
	switch v := c.values[name].(type) {
	case starlark.NoneType:
		return sim.OfNobody
	case *row:
		return v.source
	case *delivery:
		return v.source
	case *request:
		return 1
	}
	c.wrong(name, "bad-type", fmt.Sprintf("%s of %s is a row, a delivery, a request or None, not %s", name, c.title(), describe(c.values[name])),
		"Name what the handler was given or read, not a part of it: of = row.")
	return sim.OfHandler
}

// openStates reads which states of a table's rows say that somebody has their
// intent open.
func (c *invocation) openStates() []sim.Pattern {
	v := c.value("open")
	if v == nil {
		return nil
	}
	const next = "Write open = {\"status\": [\"claimed\", \"sending\"]}."
	dict, ok := v.(*starlark.Dict)
	if !ok || dict.Len() == 0 {
		c.wrong("open", "bad-type", "open of table is a dict of lists, not "+describe(v), next)
		return nil
	}
	var list []sim.Pattern
	for _, item := range dict.Items() {
		column, isText := item[0].(starlark.String)
		values, isList := item[1].(*starlark.List)
		if !isText || !isList || values.Len() == 0 {
			c.wrong("open", "bad-type", "open of table gives "+describe(item[0])+" no list of values", next)
			return nil
		}
		pat := sim.Pattern{Column: string(column)}
		for i := range values.Len() {
			pat.Values = append(pat.Values, c.scalar("open", values.Index(i)))
		}
		list = append(list, pat)
	}
	return list
}

// wantsDecl is what intent(wants = ...) says, until all places are known.
type wantsDecl struct {
	at     place
	intent int
	counts map[string]int
	order  []string
}

// wants reads how many effects an intent wants, and where.
func (c *invocation) wants(intent int) {
	v := c.value("wants")
	if v == nil {
		return
	}
	const next = "Write wants = [\"mail\"] for one effect there and none elsewhere, or wants = {\"mail\": 2}."
	w := &wantsDecl{at: c.src.argument(c.src.frame(c.thread.CallStack()), "wants"), intent: intent, counts: map[string]int{}}
	add := func(name, count starlark.Value) {
		place, isText := name.(starlark.String)
		n, err := starlark.AsInt32(count)
		if !isText || err != nil || n < 0 || n > maxWanted {
			c.wrong("wants", "bad-type", fmt.Sprintf("wants of intent names places of effects with numbers up to %d, not %s with %s", maxWanted, describe(name), describe(count)), next)
			return
		}
		w.counts[string(place)] = n
		w.order = append(w.order, string(place))
	}
	switch v := v.(type) {
	case *starlark.Dict:
		for _, item := range v.Items() {
			add(item[0], item[1])
		}
	case *starlark.List:
		for i := range v.Len() {
			add(v.Index(i), starlark.MakeInt(1))
		}
	default:
		c.wrong("wants", "bad-type", "wants of intent is a list or a dict, not "+describe(v), next)
	}
	c.load.wants = append(c.load.wants, w)
}

// maxWanted is how many effects an intent can want in one place: one more must
// still be counted.
const maxWanted = sim.DefaultEffectCap - 1

// settleWants puts what intents want to the places of effects.
func (l *loader) settleWants() *Error {
	names := l.sc.Channels()
	for _, w := range l.wants {
		counts := make([]uint8, len(names))
		for _, want := range w.order {
			found := false
			for i, name := range names {
				if name == want {
					counts[i], found = uint8(w.counts[want]), true
				}
			}
			if !found {
				return l.sc.src.found("no-place", w.at, fmt.Sprintf("nothing called %q has effects", want), "There is "+oneOf(quoted(names))+".")
			}
		}
		l.sc.Intents[w.intent].Wants = counts
	}
	return nil
}
