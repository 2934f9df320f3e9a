package real

import (
	"fmt"
	"os"
	"time"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/script"
)

// WorkerMain makes this program a child of a real run if its parent says so,
// and does not return then. Otherwise it does nothing. A program that calls Run
// calls it first thing in main.
func WorkerMain() {
	role := os.Getenv(roleVariable)
	if role == "" {
		return
	}
	l := newLine(os.Stdin, os.Stdout)
	first := l.next()
	if first.Do != doSetup || first.Setup == nil {
		l.fail(fmt.Errorf("the first request is %q instead of %q", first.Do, doSetup))
	}
	switch role {
	case roleWorker:
		runWorker(l, first.Setup)
	case roleProvider:
		runProvider(l, first.Setup)
	case roleServer:
		runServer(l, first.Setup)
	}
	l.fail(fmt.Errorf("there is no role %q", role))
}

// The roles of children.
const (
	roleWorker   = "worker"
	roleProvider = "provider"
	roleServer   = "server"
)

// worker is a simulated process as a real one: it interprets the handler's
// text, and nothing else of the simulator is in it.
type worker struct {
	line      *line
	scenario  *script.Scenario
	databases []store
	providers []*mailer
}

func runWorker(l *line, s *setup) {
	scenario, err := script.Load(s.File, []byte(s.Source))
	if err != nil {
		l.fail(err)
	}
	w := &worker{line: l, scenario: scenario}
	for _, d := range s.Databases {
		if d.Socket != "" {
			w.databases = append(w.databases, &remote{process: s.Process, socket: d.Socket, patience: time.Duration(s.Patience)})
			continue
		}
		w.databases = append(w.databases, &lazyFile{path: d.File, tables: d.Tables})
	}
	for _, socket := range s.Providers {
		w.providers = append(w.providers, newMailer(socket, time.Duration(s.Patience)))
	}
	l.say(&reply{Is: isReady})
	for {
		w.handle(l.next())
	}
}

// handle runs a handler from its start to its end.
func (w *worker) handle(start *request) {
	if start.Do != doStart {
		w.line.fail(fmt.Errorf("told to %s without a handler at work", start.Do))
	}
	vals := w.scenario.Values
	in := sim.Input{Op: inside(vals, start.Op), Body: inside(vals, start.Body), Attempt: start.Attempt}
	end, err := w.scenario.Live(sim.HandlerID(start.Handler), in, w.ask)
	if err != nil {
		w.line.fail(err)
	}
	w.line.say(&reply{Is: isParked, Call: outsideCall(vals, end)})
	if r := w.line.next(); r.Do != doTry {
		w.line.fail(fmt.Errorf("told to %s at the end of the handler", r.Do))
	}
	for _, d := range w.databases {
		d.rollBack()
	}
	w.line.say(&reply{Is: isTried, Result: &result{Code: "ok"}})
}

// ask parks before a call until the referee lets it out.
func (w *worker) ask(c *sim.Call, _ script.Site) (sim.Answer, error) {
	out := outsideCall(w.scenario.Values, c)
	w.line.say(&reply{Is: isParked, Call: out})
	var told *result
	for {
		switch r := w.line.next(); r.Do {
		case doTry:
			told = w.try(out)
			w.line.say(&reply{Is: isTried, Result: told})
		case doResume:
			if told == nil {
				return sim.Answer{}, fmt.Errorf("told to resume a %s that was not made", out.Verb)
			}
			return insideAnswer(w.scenario.Values, told)
		case doAnswer:
			return insideAnswer(w.scenario.Values, r.Answer)
		default:
			return sim.Answer{}, fmt.Errorf("told to %s while parked at %s", r.Do, out.Verb)
		}
	}
}

// try makes a call for real.
func (w *worker) try(c *call) *result {
	switch {
	case c.Verb == "send" && int(c.Party) < len(w.providers):
		return w.providers[c.Party].send(c)
	case databaseVerbs[c.Verb] && int(c.Party) < len(w.databases):
		return w.databases[c.Party].do(c)
	}
	return &result{Failure: "nothing real stands behind " + c.Verb}
}

// databaseVerbs are the calls that go to a database.
var databaseVerbs = map[string]bool{"begin": true, "insert": true, "put": true, "put_newer": true, "update": true, "add": true, "delete": true,
	"get": true, "exists": true, "select": true, "count": true, "change": true, "remove": true, "claim": true, "commit": true, "rollback": true, "savepoint": true, "rollback_to": true}
