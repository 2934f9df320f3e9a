// Package picture turns a run into its space-time diagram as plain data: one
// lane per party, one row per step, arrows between the lanes, marks on them
// and bands along them. The page draws it as SVG, Text draws it for a
// terminal; both read the same Diagram.
//
// Draw makes a Diagram of a schedule.Run, Explain says in one sentence why a
// verdict holds in a run. Everything is derived from the run's events and
// states, so a picture can't show what the world did not do. Nothing in a
// Diagram is shared with the run, and the package keeps nothing.
//
// Two traps. Steps count from 1 in everything a reader sees (rows, bands,
// sentences), while schedule.Run counts from 0. And a call that is sent but
// never answered is an arrow with a lost request: who drew it as delivered
// would draw what the caller believes, not what happened.
//
// Left out: positions, colours and sizes, which are the drawer's, and the
// place in a handler's text, which is the front end's; Track has what it needs
// to find that place.
package picture

import (
	"strings"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
)

// Diagram is a whole run. Invariant: row i shows step i+1, and each track has
// one place more than there are rows.
type Diagram struct {
	Lanes  []Lane
	Rows   []Row
	Bands  []Band
	Tracks []Track // by process, in the scenario's order
}

// LaneKind is what a lane stands for.
type LaneKind string

// The kinds, in the order of lanes: neighbours talk most with each other.
const (
	LaneCaller   LaneKind = "caller" // whoever waits for a service's answer
	LaneService  LaneKind = "service"
	LaneBroker   LaneKind = "broker"
	LaneConsumer LaneKind = "consumer"
	LaneJob      LaneKind = "job"
	LaneOperator LaneKind = "operator"
	LaneDatabase LaneKind = "database"
	LaneProvider LaneKind = "provider"
)

// Lane is one party.
type Lane struct {
	Name  string
	Kind  LaneKind
	Index int    // the party's index in its list of the scenario; -1: the caller
	Log   bool   // a broker's lane that is a log, or a partition of one
	Host  string // the process that it lives in with others; empty: its own, or its name says it
}

// Row is what one step did.
type Row struct {
	Step     int           // from 1
	Name     string        // as a schedule names it
	Kind     sim.StepKind  // call, deliver, timer, wake, fault
	At       sim.Seconds   // virtual time at which it happens
	Moved    sim.Seconds   // how far the clock moved for it
	Fault    sim.FaultKind // the misfortune that it is
	Arrows   []Arrow
	Marks    []Mark
	Sentence string
}

// Loss says where an arrow gets lost.
type Loss string

// The losses. With a lost request nothing arrives; with a lost reply the
// request arrives and works, and the caller hears nothing of it.
const (
	Arrives     Loss = ""
	RequestLost Loss = "request"
	ReplyLost   Loss = "reply"
)

// Arrow is something that travels from one lane to another. Answer is what
// came back where that says more than "done": False, timeout, refused.
type Arrow struct {
	From, To int // lanes
	Label    string
	Lost     Loss
	Answer   string
}

// MarkKind is what happens at a lane.
type MarkKind string

// The kinds of marks.
const (
	MarkCrash      MarkKind = "crash"
	MarkStall      MarkKind = "stall"
	MarkWake       MarkKind = "wake"
	MarkStart      MarkKind = "start"      // a service took a request
	MarkWork       MarkKind = "work"       // work or sleep began
	MarkDone       MarkKind = "done"       // work or sleep ended
	MarkTimeout    MarkKind = "timeout"    // the answer that was waited for didn't come
	MarkEnd        MarkKind = "end"        // a handler returned
	MarkFail       MarkKind = "fail"       // a handler ended with an error
	MarkGone       MarkKind = "gone"       // a call on a handle whose connection is lost
	MarkDisconnect MarkKind = "disconnect" // a connection is lost
	MarkStored     MarkKind = "stored"
	MarkAck        MarkKind = "ack"
	MarkNack       MarkKind = "nack"
	MarkReject     MarkKind = "reject"
	MarkStale      MarkKind = "stale"  // a settle without effect
	MarkReturn     MarkKind = "return" // a message is ready again because a connection is lost
	MarkExpire     MarkKind = "expire" // a lease ended
	MarkBegin      MarkKind = "begin"
	MarkWrite      MarkKind = "write" // a statement; not visible before the commit
	MarkCommit     MarkKind = "commit"
	MarkRollback   MarkKind = "rollback"
	MarkMail       MarkKind = "mail" // the provider accepted an email
	MarkKnownKey   MarkKind = "known_key"
	MarkForget     MarkKind = "forget"
	MarkEffect     MarkKind = "effect" // an effect of an intent is real from here on
	MarkAccepted   MarkKind = "accepted"
	MarkRefused    MarkKind = "refused"
	MarkNote       MarkKind = "note" // the text tells the observer something, keeps something in memory or chooses
)

// Mark is something that happens at one lane.
type Mark struct {
	Lane int
	Kind MarkKind
	Text string
}

// BandKind is what lasts along a lane.
type BandKind string

// The kinds of bands, all on the lanes of processes.
const (
	BandHandler     BandKind = "handler"     // its handler runs
	BandUnacked     BandKind = "unacked"     // a delivery belongs to it and isn't settled
	BandTransaction BandKind = "transaction" // its transaction is open
	BandWindow      BandKind = "window"      // between effect and ack, whichever comes first
	BandStalled     BandKind = "stalled"
	BandDown        BandKind = "down"
)

// Band is a stretch of a lane.
type Band struct {
	Lane        int
	Kind        BandKind
	First, Last int    // steps, from 1; First 0: before the first step; Last 0: it lasts
	Label       string // what it is about
	End         string // how it ended: committed, acked, crash, ...; empty while it lasts
}

// Track is where one process stood after each number of steps.
type Track struct {
	Process string
	Lane    int
	Places  []Place // Places[n]: after n steps
}

// Place is what a handler was told so far: with it, a front end finds the call
// at which the handler stands. Idle processes have Running false.
type Place struct {
	Running bool
	Handler sim.HandlerID
	Input   sim.Input
	Answers []sim.Answer // shared between places; don't change it
}

// Draw makes the diagram of a run.
func Draw(run *schedule.Run) *Diagram {
	h := newHistory(run)
	d := &Diagram{Lanes: lanesOf(h.sc)}
	a := &artist{h: h, d: d, lanes: indexLanes(d.Lanes)}
	a.begin()
	for i := range run.Len() {
		a.step(i)
	}
	a.finish()
	return d
}

// lanesOf lists the lanes from left to right. Dead-letter queues stand before
// the others: deliveries, which are most of the traffic, then stay short.
func lanesOf(sc *sim.Scenario) []Lane {
	var lanes []Lane
	for _, p := range sc.Processes {
		if p.Kind == sim.Service && p.Answers {
			lanes = append(lanes, Lane{Name: "caller", Kind: LaneCaller, Index: -1})
			break
		}
	}
	for i, p := range sc.Processes {
		if p.Kind == sim.Service {
			lanes = append(lanes, Lane{Name: p.Name, Kind: LaneService, Index: i, Host: hostOf(sc, &p)})
		}
	}
	for _, dead := range []bool{true, false} {
		for i, q := range sc.Queues {
			if q.IsDeadLetter == dead {
				lanes = append(lanes, Lane{Name: q.Name, Kind: LaneBroker, Index: i, Log: q.Log > 0})
			}
		}
	}
	for i, p := range sc.Processes {
		if p.Kind == sim.Consumer {
			lanes = append(lanes, Lane{Name: p.Name, Kind: LaneConsumer, Index: i, Host: hostOf(sc, &p)})
		}
	}
	for _, kind := range []sim.ProcessKind{sim.Job, sim.Operator} {
		for i, p := range sc.Processes {
			if p.Kind == kind {
				lanes = append(lanes, Lane{Name: p.Name, Kind: LaneKind(kind.String()), Index: i, Host: hostOf(sc, &p)})
			}
		}
	}
	for i, db := range sc.Databases {
		lanes = append(lanes, Lane{Name: db.Name, Kind: LaneDatabase, Index: i})
	}
	for i, p := range sc.Providers {
		lanes = append(lanes, Lane{Name: p.Name, Kind: LaneProvider, Index: i})
	}
	return lanes
}

// hostOf is the name of the process that another one lives in, unless its own
// name says it: worker1#2.
func hostOf(sc *sim.Scenario, p *sim.Process) string {
	if p.Host == 0 || strings.HasPrefix(p.Name, sc.Hosts[p.Host-1].Name+"#") {
		return ""
	}
	return sc.Hosts[p.Host-1].Name
}

// runs tells whether a lane is a process's.
func (k LaneKind) runs() bool {
	switch k {
	case LaneService, LaneConsumer, LaneJob, LaneOperator:
		return true
	}
	return false
}

// laneIndex finds lanes by party.
type laneIndex struct {
	caller                                  int
	processes, queues, databases, providers map[int]int
}

func indexLanes(lanes []Lane) laneIndex {
	x := laneIndex{-1, map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}}
	for i, lane := range lanes {
		switch lane.Kind {
		case LaneCaller:
			x.caller = i
		case LaneService, LaneConsumer, LaneJob, LaneOperator:
			x.processes[lane.Index] = i
		case LaneBroker:
			x.queues[lane.Index] = i
		case LaneDatabase:
			x.databases[lane.Index] = i
		case LaneProvider:
			x.providers[lane.Index] = i
		}
	}
	return x
}

// party returns the lane that a call goes to, or -1.
func (x laneIndex) party(c *sim.Call) int {
	switch c.Verb {
	case sim.VerbPublish, sim.VerbAck, sim.VerbNack, sim.VerbReject, sim.VerbExtend,
		sim.VerbWait, sim.VerbCancel, sim.VerbRedrive, sim.VerbCommitOffset, sim.VerbCommitAfter, sim.VerbBeginLog, sim.VerbSendOffsets, sim.VerbCommitLog, sim.VerbAbortLog:
		return x.queues[int(c.Party)]
	case sim.VerbBegin, sim.VerbInsert, sim.VerbPut, sim.VerbPutNewer, sim.VerbUpdate, sim.VerbAdd, sim.VerbDelete, sim.VerbGet,
		sim.VerbExists, sim.VerbSelect, sim.VerbCount, sim.VerbChange, sim.VerbRemove, sim.VerbClaim, sim.VerbCommit, sim.VerbRollback, sim.VerbSavepoint, sim.VerbRollbackTo, sim.VerbLock, sim.VerbTryLock, sim.VerbUnlock, sim.VerbSnapshot, sim.VerbRestore:
		return x.databases[int(c.Party)]
	case sim.VerbSend, sim.VerbSendBatch, sim.VerbLookup:
		return x.providers[int(c.Party)]
	case sim.VerbAccept, sim.VerbRefuse:
		return x.caller
	}
	return -1
}
