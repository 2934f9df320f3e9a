package script

import (
	"slices"

	"go.starlark.net/starlark"
)

// Binding is one call of the scenario language: what a language reference
// says about it, and the Go function behind it. The bindings are the single
// place where the language is listed; adding a call is adding an entry.
type Binding struct {
	Of     string  `json:"of,omitempty"` // what it is a method of: "queue", "delivery", ...; "" for a plain function
	Name   string  `json:"name"`
	Where  string  `json:"where"` // "top" or "handler"
	Params []Param `json:"params,omitempty"`
	Fields string  `json:"fields,omitempty"` // what further named values mean; "" where none are taken
	Result string  `json:"result,omitempty"`
	Doc    string  `json:"doc"`
	Stands string  `json:"stands,omitempty"` // the SQL or protocol frame that it stands for
	Faults string  `json:"faults,omitempty"` // what can befall it

	do func(*invocation) (starlark.Value, error)
}

// Param is one parameter. A parameter with a default can be left out.
type Param struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	Default    string `json:"default,omitempty"`
	Positional bool   `json:"positional,omitempty"` // given by place only, so that a field may have its name
	Doc        string `json:"doc,omitempty"`
}

func (p *Param) required() bool { return p.Default == "" }

// Where a binding may be called.
const (
	whereTop     = "top"
	whereHandler = "handler"
	whereBoth    = "both" // what makes a value, and neither declares nor asks
)

// Kinds of values that have methods, as Binding.Of and Starlark's type() name
// them.
const (
	kindQueue       = "queue"
	kindDelivery    = "delivery"
	kindPublication = "publication"
	kindRequest     = "request"
	kindDatabase    = "database"
	kindTransaction = "transaction"
	kindSavepoint   = "savepoint"
	kindProvider    = "provider"
	kindMemory      = "memory"
)

// Reference returns every call of the language in the order of a reference.
func Reference() []Binding {
	list := bindings()
	for i := range list {
		list[i].do = nil
		if list[i].Where == whereHandler {
			list[i].Faults = faultsOf(&list[i])
		}
	}
	return list
}

// noStep are the calls that are answered within the step before them: nothing
// lies between.
var noStep = map[string]bool{"fresh_id": true, "fail": true, "attempt": true, "withdraw": true, "hand_over": true, "message": true, "stopping": true}

// faultsOf says what can befall a call, by what lies between it and its party.
func faultsOf(b *Binding) string {
	switch {
	case noStep[b.Name] || b.Of == kindMemory:
		return "none: it is no step"
	case b.Name == "accept" || b.Name == "refuse":
		return "crash, stall, lost_request: the caller hears nothing, and nobody is told"
	case b.Of == kindQueue || b.Of == kindDelivery || b.Of == kindLog || b.Of == kindLogTx:
		return "crash, stall; refused, lost_request and lost_reply where the broker answers (both losses are \"timeout\"), lost_request without notice where it doesn't; on a connection a loss takes the connection along"
	case b.Of == kindDatabase || b.Of == kindTransaction:
		return "crash, stall, refused; where a connection lies between (postgres, or remote = True) lost_request and lost_reply (\"timeout\", then \"gone\") and connection_lost"
	case b.Of == kindProvider:
		return "crash, stall, refused, lost_request and lost_reply (both \"timeout\"), late"
	}
	return "crash, stall"
}

func bindings() []Binding {
	var list []Binding
	for _, part := range [][]Binding{
		partyBindings(), processBindings(), jobBindings(), outageBindings(), expectationBindings(),
		queueBindings(), publicationBindings(), leaseBindings(), logBindings(), callerBindings(), observerBindings(), memoryBindings(), lifeBindings(), hostBindings(), databaseBindings(), copyBindings(), rowsBindings(), termBindings(), providerBindings(), batchBindings(), runtimeBindings(),
	} {
		list = append(list, part...)
	}
	for i := range list {
		if b := &list[i]; attributed[b.Name] && b.Of != "" {
			b.Params = append(slices.Clone(b.Params), Param{Name: "of", Type: "row, delivery, request or None", Default: "by handler",
				Doc: "Whose work it is, for the observer; by itself the one intent that the handler has been told of. Needed where the handler has been told of several intents, or of none."})
		}
	}
	return list
}

// attributed are the methods that make something which belongs to an intent.
var attributed = map[string]bool{
	"publish": true, "send": true, "insert": true, "put": true, "put_newer": true, "update": true, "add": true, "delete": true,
	"change": true, "claim": true, "remove": true,
}

// language is the bindings as Starlark values, made once per scenario.
type language struct {
	functions starlark.StringDict
	methods   map[string]map[string]*starlark.Builtin
	names     map[string][]string // methods by kind, in the order of the reference
}

func newLanguage(src *source) *language {
	l := &language{
		functions: starlark.StringDict{},
		methods:   map[string]map[string]*starlark.Builtin{},
		names:     map[string][]string{},
	}
	list := bindings()
	for i := range list {
		b := &list[i]
		builtin := starlark.NewBuiltin(b.Name, func(t *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return invoke(b, src, t, fn.Receiver(), args, kwargs)
		})
		if b.Of == "" {
			l.functions[b.Name] = builtin
			continue
		}
		if l.methods[b.Of] == nil {
			l.methods[b.Of] = map[string]*starlark.Builtin{}
		}
		l.methods[b.Of][b.Name] = builtin
		l.names[b.Of] = append(l.names[b.Of], b.Name)
	}
	l.functions[kindMemory] = &memory{plain: plain{kindMemory}, lang: l}
	for name, guard := range guards() {
		l.functions[name] = guard
	}
	return l
}

// method returns a value's method, or an error that says what there is.
func (l *language) method(kind string, receiver starlark.Value, name string) (starlark.Value, error) {
	if b, ok := l.methods[kind][name]; ok {
		return b.BindReceiver(receiver), nil
	}
	if next, known := notYetMethods[name]; known {
		return nil, mistake("not-yet", "a "+kind+" can't "+name+" yet", next)
	}
	next := "There is " + oneOf(l.names[kind]) + "."
	if near := nearest(name, l.names[kind]); near != "" {
		next = "Did you mean " + near + "? " + next
	}
	return nil, mistake("no-such-name", "a "+kind+" has nothing called "+name, next)
}
