package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/ackademy/ackademy/sim"
)

// run is one interpretation of a handler from the top. Whoever starts it says
// how its questions are answered.
type run struct {
	sc    *Scenario
	in    sim.Input
	queue int16 // a consumer's; -1: a service
	ask   func(c *sim.Call, t *starlark.Thread) (sim.Answer, error)
	calls int
	told  bool  // its caller has been told accepted or refused
	heard int16 // how many things with a label it has been told: its request or deliveries, and each row
	gone  bool  // the connection of its deliveries is lost, as far as this handler was told
	posts int   // publications that a later call may speak of
	open  map[int16]*transaction
	logTx map[int16]*logTransaction
}

// ending is how an interpretation stopped: at a question without an answer, at
// the handler's end, or because whoever answers gave up.
type ending struct {
	call  *sim.Call
	err   error // what ask returned
	stack starlark.CallStack
	steps uint64
}

// interpret runs a handler from the top until it ends or ask stops it. The
// returned call is nil where ask stopped it.
func (s *Scenario) interpret(h sim.HandlerID, in sim.Input, ask func(*sim.Call, *starlark.Thread) (sim.Answer, error)) ending {
	decl := &s.handlers[h]
	r := &run{sc: s, in: in, queue: decl.queue, ask: ask, open: map[int16]*transaction{}, heard: 1}
	args := starlark.Tuple{&request{plain: plain{kindRequest}, run: r}}
	switch {
	case decl.queue == givenNothing:
		args, r.heard = nil, 0
	case decl.queue >= 0:
		args[0] = r.deliveries(decl)
	}
	t := &starlark.Thread{Name: decl.name}
	t.SetLocal(threadKey, r)
	t.SetMaxExecutionSteps(maxRunSteps)
	_, err := starlark.Call(t, decl.fn, args, nil)
	e := ending{steps: t.ExecutionSteps() + uint64(r.calls)*callSteps}
	if err == nil {
		e.call = &sim.Call{Verb: sim.VerbEnd, Party: -1, Table: -1}
		return e
	}
	var stop *stopError
	if errors.As(err, &stop) {
		e.err = stop.err
		return e
	}
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		e.stack = eval.CallStack
	}
	var outcome *outcomeError
	if errors.As(err, &outcome) {
		e.call = &sim.Call{Verb: sim.VerbFail, Party: -1, Table: -1, Code: outcome.code, Text: outcome.text}
		return e
	}
	e.call = s.mistakeCall(s.src.locate(err))
	return e
}

// mistakeCall is the end of a handler whose text is wrong. Its text holds the
// position, so it identifies the mistake.
func (s *Scenario) mistakeCall(e *Error) *sim.Call {
	text := e.Error()
	s.mistakes[text] = e
	return &sim.Call{Verb: sim.VerbMistake, Party: -1, Table: -1, Text: text}
}

// stopError carries what ask returned through the interpreter.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }

// ask puts a question and turns an answer that isn't OK into an outcome; the
// answer itself is returned in both cases.
func (c *invocation) ask(call sim.Call) (sim.Answer, error) {
	r := c.run
	if call.Of == sim.OfHandler {
		call.Of = c.of()
	}
	if c.err != nil {
		return sim.Answer{}, c.err
	}
	r.calls++
	if r.calls > maxCalls {
		return sim.Answer{}, mistake("limit-calls", fmt.Sprintf("this handler has made %d calls and goes on", maxCalls), "End the loop earlier.")
	}
	a, err := r.ask(&call, c.thread)
	if err != nil {
		return a, &stopError{err}
	}
	if a.Code != sim.OK {
		return a, &outcomeError{code: a.Code}
	}
	return a, nil
}

// replay returns the question that a handler asks after these answers, and how
// many steps it took to find out.
func (s *Scenario) replay(h sim.HandlerID, in sim.Input, answers []sim.Answer) (*sim.Call, uint64) {
	next := 0
	var question *sim.Call
	e := s.interpret(h, in, func(c *sim.Call, _ *starlark.Thread) (sim.Answer, error) {
		if next < len(answers) {
			next++
			return answers[next-1], nil
		}
		question = c
		return sim.Answer{}, errYield
	})
	if question != nil {
		return question, e.steps
	}
	return e.call, e.steps
}

// Site is a place in the text.
type Site struct {
	Line, Col  int // from 1, in characters
	EndLine    int
	Text       string // the call as it is written, on one line
	Call       *sim.Call
	Occurrence int // which call of this verb at this party it is in this run, from 1
}

// callKey tells calls apart as a schedule does.
type callKey struct {
	verb         sim.Verb
	party, table int16
}

func keyOf(c *sim.Call) callKey { return callKey{c.Verb, c.Party, c.Table} }

// Site tells where a handler stands after these answers.
func (s *Scenario) Site(h sim.HandlerID, in sim.Input, answers []sim.Answer) Site {
	next := 0
	seen := map[callKey]int{}
	var site Site
	e := s.interpret(h, in, func(c *sim.Call, t *starlark.Thread) (sim.Answer, error) {
		seen[keyOf(c)]++
		if next < len(answers) {
			next++
			return answers[next-1], nil
		}
		site = s.siteOf(t.CallStack(), c, seen[keyOf(c)])
		return sim.Answer{}, errYield
	})
	if e.call == nil {
		return site
	}
	if e.call.Verb == sim.VerbEnd {
		end := s.handlers[h].end
		return Site{Line: end.line, Col: end.col, EndLine: end.line, Call: e.call, Occurrence: 1}
	}
	return s.siteOf(e.stack, e.call, 1)
}

func (s *Scenario) siteOf(stack starlark.CallStack, c *sim.Call, occurrence int) Site {
	at := s.src.frame(stack)
	site := Site{Line: at.line, Col: at.col, EndLine: at.line, Call: c, Occurrence: occurrence}
	if text := s.src.calls[at]; text != nil {
		site.Line, site.Col, site.EndLine = text.start.line, text.start.col, text.end.line
		site.Text = s.src.span(text.start, text.end)
	}
	return site
}

// Live interprets one handler for a real process: ask is called once per
// question and blocks until it is answered. The result is the handler's end,
// or the error that ask returned.
func (s *Scenario) Live(h sim.HandlerID, in sim.Input, ask func(c *sim.Call, site Site) (sim.Answer, error)) (*sim.Call, error) {
	seen := map[callKey]int{}
	e := s.interpret(h, in, func(c *sim.Call, t *starlark.Thread) (sim.Answer, error) {
		seen[keyOf(c)]++
		return ask(c, s.siteOf(t.CallStack(), c, seen[keyOf(c)]))
	})
	return e.call, e.err
}
