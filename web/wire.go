package web

import "encoding/json"

// This file is the whole language between page and server. The page's half
// is page/wire.js; a test holds the two to the same names, and golden files
// under testdata/wire hold the spelling.

// A Request is what the page sends: hello opens or re-opens a simulation and
// says where its learner was, do moves it, bye closes it.
type Request struct {
	Type    string   `json:"type"` // hello, do, bye
	Sim     string   `json:"sim"`  // the simulation's name on the page
	Seq     int      `json:"seq"`  // echoed in the reply
	Start   *Start   `json:"start,omitempty"`
	Command *Command `json:"command,omitempty"`
}

// Start is all that a session is made of.
type Start struct {
	Scenario string   `json:"scenario"`         // a shipped one, or the name of the text
	Text     string   `json:"text,omitempty"`   // the learner's own text; empty: the shipped one
	Budget   string   `json:"budget,omitempty"` // of faults: OneFault, or empty: as in the text
	Steps    []string `json:"steps"`
	Position int      `json:"position"`
}

// OneFault is the budget of a window map: one fault of any kind that such a
// map strikes with, wherever it may strike.
const OneFault = "one_fault"

// A Command moves a session. Which fields count depends on Do.
type Command struct {
	Do     string   `json:"do"`               // one of the Do constants
	Action string   `json:"action,omitempty"` // step: the name of an enabled action
	To     int      `json:"to,omitempty"`     // jump, load: a position
	Steps  []string `json:"steps,omitempty"`  // load: a whole schedule
	Seed   int64    `json:"seed,omitempty"`   // random
	Text   string   `json:"text,omitempty"`   // edit: the new text; empty: the shipped one
	Budget string   `json:"budget,omitempty"` // budget: as in Start
}

// The commands.
const (
	DoStep    = "step"    // take Action; steps beyond the position are forgotten unless it is the next of them
	DoBack    = "back"    // one step back; the steps stay
	DoForward = "forward" // one recorded step on
	DoJump    = "jump"    // to the position To
	DoReset   = "reset"   // forget all steps
	DoFinish  = "finish"  // on without a fault until the world is at rest
	DoRandom  = "random"  // on by Seed, faults included, until the world is at rest
	DoLoad    = "load"    // replace the steps by Steps as far as they fit, then jump to To
	DoEdit    = "edit"    // replace the text and keep the steps as far as they fit; a newer edit stops an older one
	DoBudget  = "budget"  // replace the budget of faults and keep the steps as far as they fit
	DoCheck   = "check"   // search every schedule; answered by work messages, beside everything else
	DoMap     = "map"     // draw the window map; likewise
	DoCompare = "compare" // lay the run beside that of the shipped text; likewise
	DoStop    = "stop"    // end the searches that run
)

// A Reply answers one request. Snapshot and Problem can come together: the
// command failed, and this is where the session stands now. A search answers
// with several of type work, the last of which is not running any more.
type Reply struct {
	Type     string    `json:"type"` // state, bye, problem, work
	Sim      string    `json:"sim"`
	Seq      int       `json:"seq"`
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	Problem  *Problem  `json:"problem,omitempty"`
	Work     *Work     `json:"work,omitempty"`
}

// Work is how far a search has come, or what it found.
type Work struct {
	Of       string       `json:"of"`    // check, map, compare
	State    string       `json:"state"` // running, done, failed, stopped
	States   int          `json:"states"`
	Depth    int          `json:"depth"`
	Progress *Progress    `json:"progress,omitempty"` // while it runs
	Bound    string       `json:"bound"`              // the bound that ended it, in words; empty: it saw everything
	Findings List[Found]  `json:"findings"`
	Remarks  List[string] `json:"remarks"` // what a reader would otherwise trip over
	Map      *WindowMap   `json:"map,omitempty"`
	Compared *Comparison  `json:"compared,omitempty"`
	Problem  *Problem     `json:"problem,omitempty"` // why it failed
}

// Progress is what there is to tell of a search that runs, beside the states and
// the depth that it has come to.
type Progress struct {
	Frontier int    `json:"frontier"` // states that wait to be looked at
	Rate     int    `json:"rate"`     // states a second, lately
	Part     int    `json:"part"`     // which of the scenario's budgets, from 1
	Parts    int    `json:"parts"`    // of how many
	Percent  int    `json:"percent"`  // of the way to the nearest bound; how far the end is, nobody knows
	Bounds   string `json:"bounds"`   // where it ends at the latest, in words
}

// Found is the answer to one property.
type Found struct {
	Property  string       `json:"property"`
	Status    string       `json:"status"`    // holds, violated, undecided; of done_once reached, unreached, undecided
	Forbidden bool         `json:"forbidden"` // the scenario expects that it never happens
	Sentence  string       `json:"sentence"`  // how it comes about; may be empty
	Steps     List[string] `json:"steps"`     // a shortest schedule that shows it
	Faults    int          `json:"faults"`    // in that schedule
	Needs     int          `json:"needs"`     // the fewest with which any schedule shows it
	Enough    string       `json:"enough"`    // which faults those are, in words
	Fewest    List[string] `json:"fewest"`    // where Steps has more: a shortest schedule with no more
	Intents   List[string] `json:"intents"`
}

// A WindowMap is the window map: what one fault in each gap of each handler leads
// to. Always lists what needs no fault at all; it is left out of the gaps.
type WindowMap struct {
	Always   List[Way]        `json:"always"`
	Handlers List[MapHandler] `json:"handlers"`
}

// A MapHandler is one handler's part of a map, in the order of the text.
type MapHandler struct {
	Name      string       `json:"name"`
	Processes List[string] `json:"processes"`
	Gaps      List[Gap]    `json:"gaps"`
}

// A Gap is the place before a call, or before the handler's end.
type Gap struct {
	Line        int            `json:"line"`
	Column      int            `json:"column"`
	Last        int            `json:"last"` // the last line of the call
	Call        string         `json:"call"`
	Text        string         `json:"text"` // the call as it is written
	End         bool           `json:"end"`
	Occurrences List[int]      `json:"occurrences"` // empty: every one
	Faults      List[GapFault] `json:"faults"`
}

// A GapFault is what one kind of fault in a gap leads to.
type GapFault struct {
	Kind string    `json:"kind"` // crash, lost_request, lost_reply, stall
	Mark string    `json:"mark"` // harmless, harmful, unreached, undecided, impossible
	Ways List[Way] `json:"ways"`
}

// A Way is a verdict with a shortest schedule to it.
type Way struct {
	Word    string       `json:"word"`
	Steps   List[string] `json:"steps"`
	Fits    bool         `json:"fits"` // the scenario's own budget of faults allows the schedule
	Intents List[string] `json:"intents"`
}

// A Comparison lays the run of the shipped text, A, beside that of the learner's, B:
// one of them follows the other's schedule, and both go on to their rest.
type Comparison struct {
	A       Snapshot          `json:"a"`
	B       Snapshot          `json:"b"`
	Follows string            `json:"follows"` // a or b
	Shows   string            `json:"shows"`   // the property whose shortest schedule was taken; empty: none was
	Rows    List[ComparedRow] `json:"rows"`
	Windows List[Difference]  `json:"windows"` // that one of them has and the other has not
	Bound   string            `json:"bound"`   // the bound that kept a window undecided, in words; may be empty
}

// A ComparedRow is a step of each side, from 1; 0: this side makes none.
type ComparedRow struct {
	Match string `json:"match"` // same, moved, plain, or: only_a, only_b
	A     int    `json:"a"`
	B     int    `json:"b"`
}

// A Difference is a gap and a fault that do different harm.
type Difference struct {
	Processes List[string] `json:"processes"`
	Call      string       `json:"call"`
	Number    int          `json:"number"` // which call of this name, from 1; 0: there is only one
	Fault     string       `json:"fault"`
	A         WindowSide   `json:"a"`
	B         WindowSide   `json:"b"`
}

// A WindowSide is what one side has there.
type WindowSide struct {
	Mark   string       `json:"mark"`    // as of a GapFault; empty: there is no such call
	Words  List[string] `json:"words"`   // the verdicts
	AsEver bool         `json:"as_ever"` // harmless because it needs no fault here
}

// A Problem is an error as a learner sees it.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// Error makes a Problem an error that a Session can return.
func (p *Problem) Error() string { return p.Code + ": " + p.Message }

// A List is a slice that is [] on the wire where it is nil: the page walks
// over every list without asking.
type List[T any] []T

// MarshalJSON writes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// A Snapshot is everything the page draws of one simulation. It is never
// changed after it was made: lists may be shared between snapshots.
type Snapshot struct {
	Scenario  Scenario      `json:"scenario"`
	Processes List[Process] `json:"processes"`
	Actions   List[Action]  `json:"actions"`
	Steps     List[Step]    `json:"steps"`    // the whole schedule, the part beyond Position included
	Position  int           `json:"position"` // how many of Steps have been taken
	Clock     int64         `json:"clock"`    // seconds of virtual time
	AtRest    bool          `json:"at_rest"`  // nothing moves any more without a fault
	Budget    List[Budget]  `json:"budget"`
	Note      string        `json:"note"` // what the last step did, one sentence
	Diagram   Diagram       `json:"diagram"`
	Queues    List[Queue]   `json:"queues"`
	Tables    List[Table]   `json:"tables"`
	Mailboxes List[Mailbox] `json:"mailboxes"`
	Intents   List[Intent]  `json:"intents"`
	Late      List[string]  `json:"late"` // requests that nobody waits for any more and that may still arrive
	Outages   List[Outage]  `json:"outages"`
}

// An Outage says that a party answers nobody for so many seconds more.
type Outage struct {
	Party string `json:"party"`
	Left  int64  `json:"left"`
}

// A Scenario is the text that is stepped.
type Scenario struct {
	Name   string `json:"name"` // as in Start
	File   string `json:"file"` // as an error would name it
	Title  string `json:"title"`
	Doc    string `json:"doc"`
	Source string `json:"source"`
	Budget string `json:"budget"` // as in Start
}

// A Process is who runs a handler, and where in its text it stands.
type Process struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"`    // service, consumer, job, operator
	Host    string       `json:"host"`    // the process that it lives in with others; empty: its own
	Handler string       `json:"handler"` // the function's name
	State   string       `json:"state"`   // idle, running, stopping, waiting, stalled, down
	Call    string       `json:"call"`    // the next call, as in the text; empty when idle
	First   int          `json:"first"`   // lines of that call; 0 when it stands nowhere
	Last    int          `json:"last"`
	Holds   List[string] `json:"holds"`  // deliveries it has not settled
	Buffer  List[string] `json:"buffer"` // deliveries that wait in its client, the next one first
	Open    string       `json:"open"`   // its open transaction, in words; empty when none
	Memory  string       `json:"memory"` // what it remembers, in words; empty when nothing
	Note    string       `json:"note"`   // what its state means, in words: when it is back; may be empty
}

// An Action is one choice that is open now.
type Action struct {
	Name    string `json:"name"`    // as a schedule spells it
	Label   string `json:"label"`   // short, beside its group's name
	Group   string `json:"group"`   // the process or party that acts
	Kind    string `json:"kind"`    // step, fault, timer, wake, operator
	Fault   string `json:"fault"`   // crash, lost_request, ...; empty unless Kind is fault
	Frame   string `json:"frame"`   // the SQL or protocol frame it stands for; may be empty
	Explain string `json:"explain"` // one sentence: what it does, by which rule
	Default bool   `json:"default"` // the one that "next" takes; at most one
}

// A Step is one taken action.
type Step struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // as in Action
	Text string `json:"text"` // what it did, one sentence
	At   int64  `json:"at"`   // the clock after it
}

// A Budget is how many faults of a kind may still strike; the kind "total"
// bounds all of them together.
type Budget struct {
	Kind string `json:"kind"`
	Left int    `json:"left"`
	Of   int    `json:"of"`
}

// A Diagram is the space-time picture of the whole schedule; the page fades
// what lies beyond the position. Row i shows step i, counted from 1.
type Diagram struct {
	Lanes List[Lane] `json:"lanes"`
	Rows  List[Row]  `json:"rows"`
	Bands List[Band] `json:"bands"`
}

// A Lane is one party, a vertical line.
type Lane struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // caller, service, broker, consumer, database, provider, job, operator
	Host string `json:"host"` // the process that it lives in with others; empty: its own
}

// A Row is what one step draws.
type Row struct {
	Arrows List[Arrow] `json:"arrows"`
	Marks  List[Mark]  `json:"marks"`
}

// An Arrow is something that travels between two lanes.
type Arrow struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Label string `json:"label"`
	Kind  string `json:"kind"` // request, reply, return (what the broker takes back)
	Fate  string `json:"fate"` // arrives, lost, refused, late
}

// A Mark is something that happens at one lane.
type Mark struct {
	Lane  string `json:"lane"`
	Kind  string `json:"kind"` // crash, restart, stall, wake, commit, rollback, ack, nack, expire, accept, mail, wait, end, violation
	Label string `json:"label"`
}

// A Band is a stretch of a lane: a handler that runs, a transaction that is
// open, a delivery that is not settled, the window between effect and ack
// (whichever comes first), a process that is down or stalled.
type Band struct {
	Lane  string `json:"lane"`
	Kind  string `json:"kind"`  // handler, transaction, unacked, window, stalled, down
	First int    `json:"first"` // 0: before the first step
	Last  int    `json:"last"`  // 0 while it lasts
	Label string `json:"label"`
	End   string `json:"end"` // how it ended: committed, rolled back, acked, expired, ...; empty while it lasts
}

// A Queue is what the broker keeps.
type Queue struct {
	Name     string        `json:"name"`
	Profile  string        `json:"profile"` // rabbitmq-quorum, ...
	Groups   List[Group]   `json:"groups"`  // of a partition of a log: who reads it
	Messages List[Message] `json:"messages"`
}

// A Group is how far a consumer group has come in a partition.
type Group struct {
	Name  string `json:"name"`
	Owner string `json:"owner"` // empty: nobody until it is rebalanced
	Says  string `json:"says"`  // where it reads and what it committed, in words
}

// A Message is one record of a queue.
type Message struct {
	Name      string `json:"name"` // as a schedule spells it
	Operation string `json:"operation"`
	Body      string `json:"body"`
	Place     string `json:"place"`  // ready, delayed, buffer, held, dead, acked; of a log's record: kept, held, open, aborted
	Holder    string `json:"holder"` // the process, when in a buffer or held
	Attempt   int    `json:"attempt"`
	Lease     *int64 `json:"lease"` // seconds left; null where no lease runs
	Due       *int64 `json:"due"`   // seconds until it can be delivered; null where it can
	Changed   bool   `json:"changed"`
}

// A Table is what a database keeps, and what open transactions would add.
type Table struct {
	Database string         `json:"database"`
	Name     string         `json:"name"`
	Role     string         `json:"role"` // marker, effect, claim, or empty
	Columns  List[string]   `json:"columns"`
	Rows     List[TableRow] `json:"rows"`
}

// A TableRow is committed, or pending in the open transaction of By.
type TableRow struct {
	Cells  List[string] `json:"cells"`
	State  string       `json:"state"`  // committed, pending
	Change string       `json:"change"` // since the last step, or what a pending row would do: inserted, updated, deleted; or empty
	By     string       `json:"by"`     // the process whose transaction it is; empty when committed
	Intent string       `json:"intent"` // known to the observer alone
}

// A Mailbox is what a provider has accepted.
type Mailbox struct {
	Provider string     `json:"provider"`
	Mails    List[Mail] `json:"mails"`
}

// A Mail is an accepted email.
type Mail struct {
	Text    string `json:"text"`
	Key     string `json:"key"` // idempotency key; may be empty
	Intent  string `json:"intent"`
	Changed bool   `json:"changed"`
}

// An Intent is one wish of the business, with what its caller was told and
// what the observer says of it.
type Intent struct {
	Name      string        `json:"name"`
	Operation string        `json:"operation"`
	Wish      string        `json:"wish"`     // in words: amount 100
	Promised  bool          `json:"promised"` // somebody may rely on it
	Told      string        `json:"told"`     // accepted, refused, busy, or empty: nothing yet
	Effects   string        `json:"effects"`  // in words: 1 of 1 in totals
	Verdicts  List[Verdict] `json:"verdicts"` // empty while nothing is decided
}

// A Verdict is the observer's word and the sentence that explains it.
type Verdict struct {
	Word     string `json:"word"` // done_once, lost, duplicated, ...
	Sentence string `json:"sentence"`
}
