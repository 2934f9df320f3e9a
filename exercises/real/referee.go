package real

import (
	"context"
	"fmt"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// referee lets real processes do what a simulated run did, one event at a time.
// It waits for each process it let go until that process is parked again, so
// between two events nobody but the referee runs.
type referee struct {
	options  Options
	ctx      context.Context
	scenario *script.Scenario
	world    *sim.World
	run      *schedule.Run
	report   *Report

	folder    string
	databases []dbSetup
	workers   []*process
	providers []party
	servers   []party // by database; without a child where it has no server
	clock     int64   // seconds since the start
	noise     string  // what a child complained of

	at    int       // steps taken before the one at work; the beginning is step 0
	after *sim.View // the state that the step at work leads to
}

// process is a simulated process and the real one that stands for it.
type process struct {
	name    string
	child   *child   // nil: not started since the last crash
	parked  *call    // what it stands before; nil: idle
	tried   bool     // it was let try this call and met a lock
	pending *request // lets it go on when its timer ends
}

// party is a provider or a database server.
type party struct {
	name     string
	socket   string
	mailbox  string
	child    *child
	requests Requests
}

// step plays step n (from 1); step 0 is what happens by itself at the start.
func (r *referee) step(n int) error {
	events := []sim.Event(nil)
	if n == 0 {
		events = r.world.Beginning()
	} else {
		events = r.run.Events(n - 1)
	}
	if r.options.before != nil {
		r.options.before(r, n)
	}
	r.at, r.after = n, r.world.Look(r.run.At(n))
	for i := range events {
		if err := r.event(&events[i]); err != nil {
			return err
		}
	}
	for p := range r.workers {
		if err := r.check(p); err != nil {
			return err
		}
	}
	return nil
}

func (r *referee) event(e *sim.Event) error {
	switch e.Kind {
	case sim.EventStart, sim.EventDeliver:
		return r.start(int(e.Proc), e.Input)
	case sim.EventCall:
		return r.call(e)
	case sim.EventDue:
		return r.due(e)
	case sim.EventEnd:
		return r.end(e)
	case sim.EventCrash:
		return r.crash(int(e.Proc))
	case sim.EventStall:
		r.report.Stalls++
		return ourFaultIf("stopping a process", stop(r.workers[e.Proc].child.command))
	case sim.EventWake:
		return ourFaultIf("waking a process", wake(r.workers[e.Proc].child.command))
	case sim.EventDisconnect:
		if e.Database >= 0 && e.Fault == sim.ConnectionLost {
			return r.tellServer(int(e.Database), doCut, int(e.Proc))
		}
	case sim.EventForget:
		_, err := r.providers[e.Provider].child.ask(r.ctx, &request{Do: doForget, Now: r.clock, Key: outside(r.scenario.Values, e.Key)}, isDone)
		return err
	case sim.EventClock:
		r.clock += int64(e.Seconds)
	}
	return nil // what happens in broker and databases follows from the calls
}

// start gives a worker a request or a delivery.
func (r *referee) start(p int, in sim.Input) error {
	w := r.workers[p]
	if w.child == nil {
		if err := r.startWorker(p); err != nil {
			return err
		}
		if _, err := w.child.hear(r.ctx, isReady); err != nil {
			return err
		}
	}
	vals := r.scenario.Values
	return r.letGo(w, &request{Do: doStart, Handler: int(r.scenario.Processes[p].Handler), Op: outside(vals, in.Op), Body: outside(vals, in.Body), Attempt: in.Attempt})
}

// letGo sends a worker on and waits until it is parked again.
func (r *referee) letGo(w *process, how *request) error {
	said, err := w.child.ask(r.ctx, how, isParked)
	if err != nil {
		return err
	}
	w.parked, w.tried, w.pending = said.Call, false, nil
	return nil
}

// stands insists that a process is parked at this call.
func (r *referee) stands(w *process, c *sim.Call) error {
	predicted := text(outsideCall(r.scenario.Values, c))
	if w.parked == nil {
		return r.difference(w.name+" stands before", predicted, "idle")
	}
	if found := text(w.parked); found != predicted {
		return r.difference(w.name+" stands before", predicted, found)
	}
	return nil
}

// call lets a process make the call that the simulator saw it make, or tells it
// the answer of a party that the referee plays.
func (r *referee) call(e *sim.Event) error {
	atOnce := e.Call.NoStep() // the referee is the runtime and the observer
	if e.Runtime && !atOnce {
		return nil // a settle by rule: broker and runtime are the referee's
	}
	w := r.workers[e.Proc]
	if err := r.stands(w, e.Call); err != nil {
		return err
	}
	next := &request{Do: doAnswer, Answer: outsideAnswer(r.scenario.Values, e.Answer)}
	switch {
	case e.Call.Verb == sim.VerbWork || e.Call.Verb == sim.VerbSleep:
		w.pending = next
		return nil // until it is due
	case atOnce:
	case e.Call.Verb == sim.VerbSend:
		next = &request{Do: doResume}
		if err := r.send(w, e); err != nil {
			return err
		}
	case databaseVerbs[e.Call.Verb.String()] && e.Answer.Code == sim.Busy:
		// The real call finds the lock, whatever it is told to do about it.
		if err := r.try(w, &result{Busy: true}); err != nil {
			return err
		}
	case databaseVerbs[e.Call.Verb.String()] && e.Fault != sim.RefusedCall:
		next = &request{Do: doResume}
		if err := r.statement(w, e); err != nil {
			return err
		}
	}
	if !atOnce && r.after.Processes[e.Proc].Doing == "awaiting" {
		w.pending = next
		return nil
	}
	return r.letGo(w, next)
}

// due ends the time that a process's work, sleep or patience took.
func (r *referee) due(e *sim.Event) error {
	w := r.workers[e.Proc]
	if err := r.stands(w, e.Call); err != nil {
		return err
	}
	if w.pending == nil {
		return ourFault("ending a wait", fmt.Errorf("%s waits for nothing", w.name))
	}
	return r.letGo(w, w.pending)
}

// try lets a process make its call for real and compares what it was told.
func (r *referee) try(w *process, predicted *result) error {
	said, err := w.child.ask(r.ctx, &request{Do: doTry}, isTried)
	if err != nil {
		return err
	}
	switch {
	case said.Result == nil:
		return ourFault("listening to "+w.name, fmt.Errorf("it tried and has no result"))
	case said.Result.Disk:
		return diskError("letting "+w.name+" "+w.parked.Verb, fmt.Errorf("%s", said.Result.Failure))
	case text(said.Result) != text(predicted):
		return r.difference(w.name+" is told by "+w.parked.Verb, describe(predicted), describe(said.Result))
	}
	return nil
}

// describe says how a call came out.
func describe(r *result) string {
	switch {
	case r.Failure != "":
		return "failure: " + r.Failure
	case r.Busy:
		return "busy, it waits for a lock"
	case r.Code == "ok":
		return text(r.Value)
	}
	return r.Code
}

// send lets a process send an email. Every fault but a crash is a real one: the
// provider refuses, or the connection is cut.
func (r *referee) send(w *process, e *sim.Event) error {
	p := &r.providers[e.Call.Party]
	arm := &request{Do: doArm, Now: r.clock}
	if e.Fault != sim.NoFault {
		arm.Fault = e.Fault.String()
	}
	if _, err := p.child.ask(r.ctx, arm, isDone); err != nil {
		return err
	}
	p.requests.Predicted++
	if e.Fault != sim.LostRequest {
		p.requests.PredictedRead++
	}
	return r.try(w, outsideAnswer(r.scenario.Values, e.Answer))
}

// statement lets a process make a database call.
func (r *referee) statement(w *process, e *sim.Event) error {
	predicted := outsideAnswer(r.scenario.Values, e.Answer)
	if e.Fault != sim.LostRequest && e.Fault != sim.LostReply {
		return r.try(w, predicted)
	}
	server := r.servers[e.Call.Party].child
	if _, err := server.ask(r.ctx, &request{Do: doArm, Fault: e.Fault.String()}, isDone); err != nil {
		return err
	}
	if err := r.try(w, predicted); err != nil {
		return err
	}
	return r.tellServer(int(e.Call.Party), doGone, int(e.Proc))
}

// tellServer tells a database's server something about a process's connection.
func (r *referee) tellServer(d int, do string, p int) error {
	_, err := r.servers[d].child.ask(r.ctx, &request{Do: do, Process: r.workers[p].name}, isDone)
	return err
}

// end lets a handler end: its process rolls back what it left open.
func (r *referee) end(e *sim.Event) error {
	w := r.workers[e.Proc]
	if err := r.stands(w, e.Call); err != nil {
		return err
	}
	if err := r.try(w, &result{Code: "ok"}); err != nil {
		return err
	}
	w.parked, w.tried = nil, false
	return nil
}

// crash kills a process. Its next one is started when it is given something to
// do, since nobody can tell the difference.
func (r *referee) crash(p int) error {
	w := r.workers[p]
	r.kill(w.child)
	r.report.Kills++
	w.child, w.parked, w.pending, w.tried = nil, nil, nil, false
	for d := range r.servers {
		if r.servers[d].child != nil {
			if err := r.tellServer(d, doGone, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// check compares where a process stands after the step, and lets it try a call
// for which the simulator says that it waits: it must meet the lock.
func (r *referee) check(p int) error {
	w, view := r.workers[p], &r.after.Processes[p]
	var c *sim.Call
	if view.Node != 0 {
		c = r.scenario.Program.Call(view.Node)
	}
	// Between its handler's end and the settle that the runtime owes, only the
	// simulator's process is busy.
	if c == nil || c.Ends() && view.Next != "end" {
		if w.parked != nil {
			return r.difference(w.name+" stands before", "idle", text(w.parked))
		}
		return nil
	}
	if err := r.stands(w, c); err != nil {
		return err
	}
	if view.Doing != "waiting" || w.tried {
		return nil
	}
	w.tried = true
	r.report.Probes++
	return r.try(w, &result{Busy: true})
}

func (r *referee) difference(what, predicted, found string) error {
	d := &Difference{Step: r.at, What: what, Predicted: predicted, Real: found}
	if r.at > 0 {
		d.Name = r.run.Outcome(r.at - 1).Name
	}
	return d
}

func ourFaultIf(doing string, err error) error {
	if err == nil {
		return nil
	}
	return ourFault(doing, err)
}
