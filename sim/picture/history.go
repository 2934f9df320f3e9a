package picture

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
)

// history is a run sorted by what it is about: each handler that ran, each
// message, each effect, with the steps (from 1) at which things happened to
// it. Sentences and explanations are written from it.
type history struct {
	run      *schedule.Run
	sc       *sim.Scenario
	jobs     []*job     // in the order in which they began
	messages []*message // in the order in which they were stored
	effects  []effect
	told     []telling
	asked    []asking
	stepJob  []*job // by step: the handler that the step belongs to; nil: none
	views    map[int]*sim.View

	became   sim.EventKind // of the latest publish that was not stored
	becameAt int

	now     int    // the step being read
	current []*job // by process: its latest handler
	live    map[key]*message
	buffers map[waiting][]*message
}

// waiting is a delivery in the buffer of a process.
type waiting struct {
	proc int
	name string
}

type key struct {
	queue int16
	name  string
}

// asking is a caller that waits no longer, or that asks again.
type asking struct {
	step   int
	intent int
	again  bool
}

// job is one run of a handler: from a request or delivery to its end.
type job struct {
	proc   int
	intent int        // -1: none
	began  int        // step; 0: before the first
	source *message   // its delivery; of a batch the first
	batch  []*message // all that it was given
	calls  []made
	ended  int // step; 0: it still runs
	how    ending
	last   *sim.Call // how its text ended
	before string    // crashed: the gap, as its step names it
	killed bool      // crashed: whoever watches over it killed it

	kept       int // it put something into its memory, plus one: before the first step is there, too
	expiredAt  int // the lease of its delivery ended
	returnedAt int // its delivery went back with the connection
	stalledAt  int // it stalled, last
	settledAt  int // a settle of its delivery counted
	settledBy  sim.Verb
	removedAt  int // its group removed its process while it ran
}

type ending uint8

const (
	running ending = iota
	returned
	failed
	crashed
)

// made is a call that was made.
type made struct {
	step   int
	call   *sim.Call
	answer sim.Answer
	lost   Loss
	byRule bool          // the runtime made it
	became sim.EventKind // a publish that was not stored: why
}

// message is one publication.
type message struct {
	missed bool // its last delivery never arrived
	key
	intent   int
	stored   int
	by       *job // nil: the broker itself, moving a dead letter
	jobs     []*job
	dropped  int // a log dropped it for its age
	settled  int
	verb     sim.Verb
	settler  *job   // nil: the broker gave it up by itself
	to       string // rejected into this queue
	returned []comeback
	ended    int           // it left without a settle
	how      sim.EventKind // and how
	unsaved  bool          // its broker had not written it down
	copyOf   *message      // the deleted message that it was before it reappeared
	repeated bool          // it did so with an earlier message of its key
}

// comeback is a message becoming ready again.
type comeback struct {
	step int
	kind sim.EventKind // EventReturned, EventExpire, EventSettled (nack)
	from *job
}

// effect is an effect that became real.
type effect struct {
	step    int
	intent  int
	channel int
	by      *job
}

// telling is an answer to a caller.
type telling struct {
	step, intent int
	accepted     bool
}

func newHistory(run *schedule.Run) *history {
	sc := run.World.Scenario()
	h := &history{
		run: run, sc: sc, buffers: map[waiting][]*message{}, views: map[int]*sim.View{}, live: map[key]*message{},
		current: make([]*job, len(sc.Processes)),
		stepJob: make([]*job, run.Len()+1),
	}
	h.read(run.World.Beginning())
	for i := range run.Len() {
		h.now = i + 1
		if p := run.Outcome(i).Proc; p >= 0 {
			h.stepJob[h.now] = h.current[p]
		}
		h.read(run.Events(i))
	}
	return h
}

// view opens up the state after n steps.
func (h *history) view(n int) *sim.View {
	if h.views[n] == nil {
		h.views[n] = h.run.World.Look(h.run.At(n))
	}
	return h.views[n]
}

// read takes up the events of one step.
func (h *history) read(events []sim.Event) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case sim.EventStart:
			p := int(e.Proc)
			h.start(&job{proc: p, intent: e.Intent()})
		case sim.EventDeliver:
			h.given(e, h.message(e))
			h.stepJob[h.now] = h.current[e.Proc]
		case sim.EventBuffered:
			k := waiting{int(e.Proc), e.Message}
			h.buffers[k] = append(h.buffers[k], h.message(e))
		case sim.EventTaken, sim.EventUnbuffered:
			k := waiting{int(e.Proc), e.Message}
			m := h.buffers[k][0]
			h.buffers[k] = h.buffers[k][1:]
			if e.Kind == sim.EventTaken {
				h.given(e, m)
			}
		case sim.EventRun, sim.EventOnStop:
			j := &job{proc: int(e.Proc), intent: -1}
			h.start(j)
			if h.stepJob[h.now] == nil { // otherwise it is the step of the one before
				h.stepJob[h.now] = j
			}
		case sim.EventHeld:
			h.held(e)
		case sim.EventImpatient, sim.EventAgain:
			h.asked = append(h.asked, asking{h.now, e.Intent(), e.Kind == sim.EventAgain})
		case sim.EventMissed:
			h.message(e).missed = true
		case sim.EventParked:
			m := h.message(e)
			m.settled, m.verb, m.to = h.now, sim.VerbReject, e.To
			delete(h.live, m.key)
		case sim.EventCall:
			h.call(e)
		case sim.EventDue:
			if calls := h.current[e.Proc].calls; len(calls) > 0 {
				calls[len(calls)-1].answer = e.Answer
			}
		case sim.EventEnd:
			h.end(e, returned)
		case sim.EventCrash:
			h.end(e, crashed)
		case sim.EventStall:
			h.current[e.Proc].stalledAt = h.now
		case sim.EventPassed:
			h.passed(e)
		case sim.EventRemoved:
			if j := h.current[e.Proc]; j != nil && j.ended == 0 {
				j.removedAt = h.now
			}
		case sim.EventDropped:
			m := h.message(e)
			m.dropped = h.now
			delete(h.live, m.key)
		case sim.EventStored:
			h.replace(e)
			m := h.message(e)
			m.stored, m.by = h.now, h.current[e.Proc]
		case sim.EventEffect:
			h.effects = append(h.effects, effect{h.now, e.Intent(), e.Channel, h.current[e.Proc]})
		case sim.EventTold:
			if e.Call.Verb == sim.VerbAccept || e.Call.Verb == sim.VerbRefuse {
				h.told = append(h.told, telling{h.now, e.Intent(), e.Call.Verb == sim.VerbAccept})
			}
		case sim.EventSettled, sim.EventReturned, sim.EventExpire:
			h.back(e)
		default:
			h.leaves(e)
		}
	}
}

// given takes up that a handler was given a message: it begins with it, or has
// begun in the same step with another one of the same batch.
func (h *history) given(e *sim.Event, m *message) {
	j := h.current[e.Proc]
	if j == nil || j.began != h.now || len(j.batch) == 0 || j.ended > 0 {
		j = &job{proc: int(e.Proc), intent: e.Intent(), source: m}
		h.start(j)
	}
	j.batch = append(j.batch, m)
	m.jobs = append(m.jobs, j)
}

// held takes up that a process has a message in hand for what it does at its end:
// out of its buffer, or one that its handlers never settled.
func (h *history) held(e *sim.Event) {
	m, j := h.message(e), h.current[e.Proc]
	k := waiting{int(e.Proc), e.Message}
	if list := h.buffers[k]; len(list) > 0 {
		m, h.buffers[k] = list[0], list[1:]
	}
	j.batch = append(j.batch, m)
	m.jobs = append(m.jobs, j)
}

func (h *history) start(j *job) {
	j.began = h.now
	h.jobs = append(h.jobs, j)
	h.current[j.proc] = j
}

func (h *history) end(e *sim.Event, how ending) {
	j := h.current[e.Proc]
	if how == returned && e.Call.Verb == sim.VerbFail {
		how = failed
	}
	if how == crashed {
		_, j.before, _ = strings.Cut(h.run.Outcome(h.now-1).Name, " crash before ")
		if e.Done {
			j.before, j.killed = e.Text, true
		}
	}
	if j.how == running || how == crashed {
		j.ended, j.how, j.last = h.now, how, e.Call
	}
}

func (h *history) call(e *sim.Event) {
	j := h.current[e.Proc]
	if e.Call.NoStep() || e.Apart {
		if e.Call.Verb == sim.VerbRemember && j != nil && j.kept == 0 {
			j.kept = h.now + 1
		}
		return
	}
	c := made{step: h.now, call: e.Call, answer: e.Answer, lost: lossOf(e), byRule: e.Runtime}
	if e.Call.Verb == sim.VerbPublish && h.becameAt == h.now {
		c.became = h.became
	}
	j.calls = append(j.calls, c)
}

// lossOf tells how a call got lost, from the fault that its step is.
func lossOf(e *sim.Event) Loss {
	switch e.Fault {
	case sim.LostRequest, sim.Late:
		return RequestLost
	case sim.LostReply:
		return ReplyLost
	}
	return Arrives
}

// message returns the message of an event. One that nobody published is a dead
// letter, which the broker moved by itself.
func (h *history) message(e *sim.Event) *message {
	k := key{e.Queue, e.Message}
	m := h.live[k]
	if m == nil {
		m = &message{key: k, intent: e.Intent(), stored: h.now}
		h.live[k] = m
		h.messages = append(h.messages, m)
	}
	return m
}

// back takes up what ends a delivery: a settle, a lost connection, a lease.
func (h *history) back(e *sim.Event) {
	m := h.message(e)
	if m.missed {
		m.missed = false // nobody had it
		return
	}
	var from *job
	if n := len(m.jobs); n > 0 {
		from = m.jobs[n-1]
	}
	switch {
	case e.Kind == sim.EventSettled:
		j := h.current[e.Proc]
		if !e.Runtime || j.source == m { // else it was settled by leaving for the buffer
			j.settledAt, j.settledBy = h.now, e.Verb
		}
		if e.Verb != sim.VerbNack {
			m.settled, m.verb, m.settler, m.to = h.now, e.Verb, j, e.To
			delete(h.live, m.key)
			return
		}
		from = j
	case from == nil:
		return
	case e.Kind == sim.EventReturned:
		from.returnedAt = h.now
	case e.Kind == sim.EventExpire:
		from.expiredAt = h.now
	}
	m.returned = append(m.returned, comeback{h.now, e.Kind, from})
}

// name is the name of a process.
func (h *history) name(j *job) string { return h.sc.Processes[j.proc].Name }

// of returns the handlers that ran for an intent.
func (h *history) of(intent int) []*job {
	var list []*job
	for _, j := range h.jobs {
		if j.intent == intent || j.givenFor(intent) {
			list = append(list, j)
		}
	}
	return list
}

// givenFor tells whether one of the deliveries that a handler was given is of an
// intent.
func (j *job) givenFor(intent int) bool {
	for _, m := range j.batch {
		if m.intent == intent {
			return true
		}
	}
	return false
}

// messagesOf returns the messages of an intent.
func (h *history) messagesOf(intent int) []*message {
	var list []*message
	for _, m := range h.messages {
		if m.intent == intent {
			list = append(list, m)
		}
	}
	return list
}

// effectsOf returns the effects of an intent in one place, in their order.
func (h *history) effectsOf(intent, channel int) []effect {
	var list []effect
	for _, e := range h.effects {
		if e.intent == intent && e.channel == channel {
			list = append(list, e)
		}
	}
	return list
}
