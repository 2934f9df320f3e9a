package sim

import (
	"fmt"
	"sort"
)

// Callers of a service that do more than ask once and wait: they ask again
// when they were told nothing, lose patience, come at any time, or are served
// several at once. Such a service has a front that knows them. A caller that
// was told something, be it a refusal, has its answer and does not ask again.

// caller is somebody whose request has been made and not answered.
type caller struct {
	request uint8 // its place in the service's list
	try     uint8 // how often it has asked, from 1
	mood    mood
	timer   Seconds // waiting: patience left, 0: endless; pausing: time until it asks again
}

// mood is what a caller does.
type mood uint8

const (
	waiting mood = iota // for its answer
	pausing             // until it asks again
	asking              // and nobody is free to serve it
)

// Callers is how the callers of a service behave.
type Callers struct {
	AnyTime  bool    // each request comes at a moment of the schedule's choosing
	Retries  int     // how often a caller asks again that was told nothing
	After    Seconds // how long it waits before that
	Patience Seconds // how long it waits for an answer; 0: as long as it takes
	NewID    bool    // a repeated request has an operation id of its own
}

// fronted tells whether a service's callers have a front.
func (w *World) fronted(p int) bool {
	return w.sc.Processes[p].Kind == Service && w.sc.Processes[p].Front >= 0
}

// setCaller puts a caller in, in place of what was known of it.
func (f *front) setCaller(c caller) {
	f.dropCaller(c.request)
	f.callers = append(f.callers, c)
	sort.Slice(f.callers, func(i, j int) bool { return f.callers[i].request < f.callers[j].request })
}

func (f *front) dropCaller(request uint8) {
	kept := make([]caller, 0, len(f.callers)+1)
	for _, c := range f.callers {
		if c.request != request {
			kept = append(kept, c)
		}
	}
	f.callers = kept
}

// serve gives idle processes of a service what there is to do: first those who
// ask again, then the next request. Taking one is no step.
func (x *step) serve(f int) {
	for {
		p := x.freeMember(f)
		if p < 0 {
			return
		}
		c, ok := x.nextCaller(f)
		if !ok {
			return
		}
		x.startRequest(f, p, c)
	}
}

// nextCaller takes the caller whose turn it is.
func (x *step) nextCaller(f int) (caller, bool) {
	fr := x.front(f)
	for _, c := range fr.callers {
		if c.mood == asking {
			return c, true
		}
	}
	decl := &x.w.sc.Fronts[f]
	if decl.Callers.AnyTime || int(fr.next) >= len(x.requests(f)) {
		return caller{}, false
	}
	c := caller{request: fr.next, try: 1}
	x.changeFront(f, func(fr *front) { fr.next++ })
	return c, true
}

func (x *step) requests(f int) []int {
	return x.w.sc.Processes[x.w.sc.Fronts[f].Members[0]].Requests
}

// startRequest starts a service's handler for a caller.
func (x *step) startRequest(f, p int, c caller) {
	decl := &x.w.sc.Fronts[f]
	_, i := x.w.member(p)
	c.mood, c.timer = waiting, decl.Callers.Patience
	x.changeFront(f, func(fr *front) {
		fr.setCaller(c)
		fr.serving[i] = c.request + 1
	})
	intent := x.requests(f)[c.request]
	in := Input{Op: x.w.sc.Intents[intent].Op, Body: x.w.sc.Intents[intent].Body}
	if decl.Callers.NewID && c.try > 1 {
		in.Op = x.w.sc.Values.Str(fmt.Sprintf("%s~%d", x.w.sc.Values.Plain(in.Op), c.try))
	}
	label := labelID(intent + 1)
	x.startsFor(p, label, func(*process) {})
	x.emit(Event{Kind: EventStart, Proc: int16(p), Input: in, Label: label})
	x.arrive(p, x.w.prog.Start(x.w.sc.Processes[p].Handler, in))
}

// endRequest is the end of a service's handler. Its caller, if it still waits
// and was told nothing, knows now that no answer will come.
func (x *step) endRequest(p int) {
	f, i := x.w.member(p)
	if served := x.front(f).serving[i]; served > 0 {
		request := served - 1
		x.changeFront(f, func(fr *front) { fr.serving[i] = 0 })
		if x.ghost().intents[x.requests(f)[request]].told != toldNothing {
			x.changeFront(f, func(fr *front) { fr.dropCaller(request) })
		} else {
			x.unanswered(f, request)
		}
	}
	x.serve(f)
}

// unanswered is a caller that gets no answer: it asks again later or gives up.
func (x *step) unanswered(f int, request uint8) {
	decl := &x.w.sc.Fronts[f].Callers
	x.changeFront(f, func(fr *front) {
		for _, c := range fr.callers {
			if c.request != request {
				continue
			}
			if int(c.try) > decl.Retries {
				fr.dropCaller(request)
				return
			}
			c.try, c.mood, c.timer = c.try+1, pausing, decl.After
			if c.timer == 0 {
				c.mood = asking
			}
			fr.setCaller(c)
			return
		}
	})
}

// listens tells whether the caller of what process p serves still waits.
func (x *step) listens(p int) bool {
	if !x.w.fronted(p) {
		return true
	}
	f, i := x.w.member(p)
	return x.front(f).serving[i] > 0
}

// callerSteps lists the callers whose time has come.
func (w *World) callerSteps(f int) func(*step) {
	return func(x *step) {
		for _, c := range x.front(f).callers {
			if c.due(w.sc.Fronts[f].Callers.Patience) {
				w.callerDue(x, f, c, 0)
			}
		}
	}
}

// timed tells whether a caller waits for a moment, and due whether it is here.
func (c caller) timed(patience Seconds) bool {
	return c.mood == pausing || c.mood == waiting && patience > 0
}
func (c caller) due(patience Seconds) bool { return c.timed(patience) && c.timer == 0 }

// callerDue is the moment a caller waited for, in d from now: it asks again,
// or its patience ends.
func (w *World) callerDue(x *step, f int, c caller, d Seconds) {
	intent := x.requests(f)[c.request]
	name, label := w.sc.Intents[intent].Name, labelID(intent+1)
	first := int16(w.sc.Fronts[f].Members[0])
	x.open()
	if d > 0 {
		x.advance(d)
	}
	c.timer = 0
	if c.mood == pausing {
		c.mood = asking
		x.changeFront(f, func(fr *front) { fr.setCaller(c) })
		x.emit(Event{Kind: EventAgain, Proc: first, Label: label})
		x.serve(f)
		x.close(Outcome{Name: "retry " + name, Kind: StepTimer, Proc: -1})
		return
	}
	x.changeFront(f, func(fr *front) {
		for i, served := range fr.serving {
			if served == c.request+1 {
				fr.serving[i] = 0
			}
		}
		fr.setCaller(c)
	})
	x.emit(Event{Kind: EventImpatient, Proc: first, Label: label})
	x.unanswered(f, c.request)
	x.serve(f)
	x.close(Outcome{Name: "impatient " + name, Kind: StepTimer, Proc: -1})
}

// requestSteps lists the requests that may come now, where they come at a
// moment of the schedule's choosing. Nobody knows that they will.
func (w *World) requestSteps(f int) func(*step) {
	return func(x *step) {
		fr := x.front(f)
		p := x.freeMember(f)
		if p < 0 {
			return
		}
		for r, intent := range x.requests(f) {
			if fr.held&(1<<r) == 0 {
				continue
			}
			x.open()
			x.changeFront(f, func(fr *front) { fr.held &^= 1 << r })
			x.startRequest(f, p, caller{request: uint8(r), try: 1})
			x.close(Outcome{Name: "request " + w.sc.Intents[intent].Name, Kind: StepRequest, Proc: int16(p), Waits: true})
		}
	}
}

// stillAsks tells whether a caller of an intent has not been served, or will
// ask again.
func (x *step) stillAsks(p, i int) bool {
	f := x.w.sc.Processes[p].Front
	fr := x.front(f)
	for r, intent := range x.requests(f) {
		if intent != i {
			continue
		}
		if fr.held&(1<<r) != 0 || !x.w.sc.Fronts[f].Callers.AnyTime && r >= int(fr.next) {
			return true
		}
		for _, c := range fr.callers {
			if int(c.request) == r && c.mood != waiting {
				return true
			}
		}
	}
	return false
}
