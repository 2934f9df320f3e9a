package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// loader is a scenario while its top level runs: what was declared so far, and
// what can only be settled once everything is.
type loader struct {
	sc          *Scenario
	partyNames  map[string]bool
	usedIntent  []bool
	hosts       []hostDecl
	givenIntent map[int]bool // rows that stand from the start belong to it
	tableCount  int
	budgets     []*faultsDecl
	expected    []*expectDecl
	queueAt     []place
	wants       []*wantsDecl
}

func newLoader(s *Scenario) *loader {
	return &loader{sc: s, partyNames: map[string]bool{}, givenIntent: map[int]bool{}}
}

// here is where the call at work begins.
func (c *invocation) here() place { return c.src.callStart(c.src.frame(c.thread.CallStack())) }

// finish checks what concerns the file as a whole.
func (l *loader) finish() *Error {
	sc, src := l.sc, l.sc.src
	if len(sc.Processes) == 0 {
		return src.found("no-process", place{}, "nothing happens in this scenario: it has no service and no consumer",
			"Add service(request, intents = [intent(\"work-1\")]) at the end.")
	}
	for i, used := range l.usedIntent {
		if !used && !l.givenIntent[i] && !sc.Intents[i].Promised {
			return src.found("unused-intent", place{}, "the intent "+sc.Intents[i].Name+" is in no service's list", "Put it into the intents of a service, or say promised = True if it was wished before the run.")
		}
	}
	consumed := make([]bool, len(sc.Queues))
	for _, p := range sc.Processes {
		if p.Kind == sim.Consumer {
			consumed[p.Queue] = true
			if p.Group > 0 {
				log := &sc.Logs[sc.Queues[p.Queue].Log-1]
				for q := log.First; q < log.First+log.Partitions; q++ {
					consumed[q] = true
				}
			}
		}
	}
	for i, q := range sc.Queues {
		if !consumed[i] && !q.IsDeadLetter {
			return src.found("unused-queue", l.queueAt[i], "nobody consumes from "+q.Name, "Add consumer(handler, queue = "+q.Name+"), or leave it out.")
		}
	}
	if e := l.hostsAreUsed(); e != nil {
		return e
	}
	if e := l.settleWants(); e != nil {
		return e
	}
	if e := l.statesAreWanted(); e != nil {
		return e
	}
	for _, h := range sc.handlers {
		h.fn.Freeze() // what a handler holds on to must not change between two runs of it
	}
	return l.settleBlocks()
}

// statesAreWanted insists that somebody wants something of a table whose state
// counts: otherwise nothing could ever be missing there, and a check would
// hold for no reason.
func (l *loader) statesAreWanted() *Error {
	for _, db := range l.sc.Databases {
		for _, t := range db.Tables {
			wanted := t.Version == ""
			for _, in := range l.sc.Intents {
				_, hasKey := l.sc.Values.Field(in.Body, t.Key)
				_, hasVersion := l.sc.Values.Field(in.Body, t.Version)
				wanted = wanted || hasKey && hasVersion
			}
			if !wanted {
				if t.Key == "id" {
					// An intent has an id of its own, which names the wish and not the row.
					return l.sc.src.found("unwanted-state", place{}, fmt.Sprintf("no intent says what should stand in %s.%s, and none can while its key is called id", db.Name, t.Name),
						fmt.Sprintf("Call the key by what it names and give the intents a field of that name: table(key = \"item\", ...), intent(id, item = ..., %s = 1).", t.Version))
				}
				return l.sc.src.found("unwanted-state", place{}, fmt.Sprintf("no intent says what should stand in %s.%s", db.Name, t.Name),
					fmt.Sprintf("Give the intents fields that are named like its key and version: intent(id, %s = ..., %s = 1).", t.Key, t.Version))
			}
		}
	}
	return nil
}

// addHandler numbers a function in the role that a process gives it.
func (c *invocation) addHandler(role handler) sim.HandlerID { return c.addHandlerOf("handler", role) }

// addHandlerOf does so for the function that a parameter gives.
func (c *invocation) addHandlerOf(param string, role handler) sim.HandlerID {
	s := c.load.sc
	v := c.value(param)
	fn, ok := v.(*starlark.Function)
	if !ok || fn.Name() == "lambda" {
		c.wrong(param, "bad-handler", fmt.Sprintf("%s of %s is a function, not %s", param, c.title(), describe(v)), "Define it with def and give its name, without parentheses.")
		return 0
	}
	if role.queue == givenNothing {
		if fn.NumParams() != 0 || fn.HasKwargs() || fn.HasVarargs() {
			c.wrong(param, "bad-handler", fmt.Sprintf("the handler %s of a %s takes %d parameters, and nothing is given to it", fn.Name(), c.binding.Name, fn.NumParams()),
				fmt.Sprintf("Write def %s(): ...", fn.Name()))
			return 0
		}
	} else if fn.NumParams() != 1 || fn.HasKwargs() || fn.HasVarargs() {
		parameter := "delivery"
		switch {
		case role.queue < 0:
			parameter = "op"
		case role.batch:
			parameter = "deliveries"
		}
		c.wrong(param, "bad-handler", fmt.Sprintf("the handler %s takes %d parameters instead of one", fn.Name(), fn.NumParams()),
			fmt.Sprintf("Write def %s(%s): ...", fn.Name(), parameter))
		return 0
	}
	for i, h := range s.handlers {
		if h.fn == fn && h.queue == role.queue && h.batch == role.batch && h.auto == role.auto {
			return sim.HandlerID(i)
		}
	}
	h := role
	h.name, h.fn, h.end = distinctName(s, fn.Name()), fn, placeOf(fn.Position())
	if def := s.src.defs[h.end]; def != nil {
		h.end = def.end
	}
	s.handlers = append(s.handlers, h)
	s.Handlers = append(s.Handlers, h.name)
	s.Fresh = s.Fresh || s.src.reaches(fn, "fresh_id")
	s.Timed = s.Timed || s.src.reaches(fn, "work") || s.src.reaches(fn, "sleep")
	return sim.HandlerID(len(s.handlers) - 1)
}

// distinctName keeps names of handlers apart: a function in two roles, or two
// functions that a factory made.
func distinctName(s *Scenario, name string) string {
	unique := name
	for n := 2; ; n++ {
		taken := false
		for _, h := range s.handlers {
			taken = taken || h.name == unique
		}
		if !taken {
			return unique
		}
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
}
