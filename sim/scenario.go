package sim

// Scenario is the static part of a world: its parties, its processes, what
// the business wants, which faults may strike. It is built by a front end
// (package script) and never changes while the world runs.
type Scenario struct {
	Name          string // the file's name without its folder and extension
	Title         string // first line of the file's doc string
	Doc           string // the rest of it
	Values        *Values
	Queues        []Queue
	Logs          []Log // their partitions stand among the queues
	Databases     []Database
	Providers     []Provider
	Processes     []Process
	Hosts         []Host  // processes in which several of them live
	Fronts        []Front // what starts jobs, operators and services
	Intents       []Intent
	Given         []GivenRow
	Faults        Faults
	Outages       []OutageOf       // what an outage is, for each party that can have one
	Forbidden     [properties]bool // verdicts that make a check fail; DoneOnce: an unreached goal does
	Program       Program
	Handlers      []string // names, by HandlerID
	Fresh         bool     // some handler calls fresh_id
	Attempts      int      // the largest attempt number that handlers tell apart; 0: they read none
	EffectCap     int      // effects of an intent in one place are counted up to here; 0: all of them
	Sources       bool     // some call says whose work it is: of = ...
	Timed         bool     // some handler calls work or sleep
	Again         bool     // some handler asks whether its delivery is a repeated one
	Cancels       bool     // some handler takes a publication back
	Sends         bool     // some handler may send now and wait for the confirm later
	Restores      bool     // some handler may copy a database or put a copy back
	Batches       bool     // some handler sends several emails in one request
	Redrives      bool     // some handler may move messages from queue to queue
	NamesMessages bool     // some publish names its message by an id
	Extends       bool     // something in the text extends leases
	SessionLocks  bool     // some handler takes a lock of its session
	Remembers     bool     // some handler keeps or reads what its process remembers

	// Plodding leaves out what only keeps states few: no job sleeps, every timer
	// moves the clock, nothing is forgotten before its time. Verdicts are the
	// same; tests compare them.
	Plodding bool
}

// Boundary is what lies between a caller and the party it calls; it decides
// which outcomes a call can have.
type Boundary uint8

// The three kinds.
const (
	InProcess  Boundary = iota // works, refused, crash
	Connection                 // losing a request or a reply is losing the connection
	Request                    // a lost request or reply concerns this call only
)

// StaleRule is what a broker does with a settle from an attempt that no longer
// holds the message.
type StaleRule uint8

// The rules; package profile says which broker has which, with sources.
const (
	StaleIgnored StaleRule = iota // nothing happens and nobody is told
	StaleError                    // the caller is told; the message stays
	StaleSettles                  // the message is settled for everybody
	StaleChoice                   // undefined. An ack settles or keeps, and success is reported; a nack has no effect or is an error
)

// EndRule is what the runtime does for a handler that ended without settling.
type EndRule uint8

// The rules; RuleProfile stands for the queue profile's own.
const (
	RuleProfile EndRule = iota
	RuleNothing
	RuleAck
	RuleRequeue
	RuleReject
	RuleClose  // close the connection: what it held goes back by the profile's rule
	RuleExit   // end the process, which starts again
	RuleCommit // of a log: commit the offset behind what the handler was given
)

var endRuleNames = [...]string{"profile", "nothing", "ack", "requeue", "reject", "close", "exit", "commit"}

func (r EndRule) String() string { return endRuleNames[r] }

// CountRule is what a broker's delivery counter counts.
type CountRule uint8

// The rules.
const (
	CountsNothing    CountRule = iota
	CountsDeliveries           // every delivery; the first is number 1
	CountsLosses               // deliveries that ended with the connection of their consumer
)

// ExtendRule is what an extension of a lease can ask for.
type ExtendRule uint8

// The rules.
const (
	ExtendsAny   ExtendRule = iota // a length, counted from the call
	ExtendsAnew                    // the lease begins anew, whatever length is asked for
	ExtendsNever                   // the protocol has no such call
	ExtendsIdle                    // there is no lease: the time without news of a delivery begins anew, and the caller has it
)

// Queue is a queue with a settle per message.
type Queue struct {
	Name               string
	Profile            string
	Boundary           Boundary
	Ordered            bool // the oldest ready message is delivered first; a returned one keeps its place
	AckAnswers         bool // the broker answers a settle; otherwise it is only sent
	StaleAck           StaleRule
	DisconnectRequeues bool    // losing the connection gives back what it held
	Heartbeat          Seconds // a connection is closed from which nothing came for so long; 0: never
	Lease              Seconds // 0: a delivery belongs to its consumer until it settles or disconnects
	HoldLimit          int     // most messages a consumer may hold unsettled (prefetch); 0: no limit
	DeadLetter         int     // queue that gets rejected and overcounted messages; -1: they are dropped
	Counter            CountRule
	MaxDeliveries      int  // a message that came so often is delivered no more; 0: no limit
	KeepsOvercounted   bool // what may be delivered no more stays where it is instead of being dropped
	IsDeadLetter       bool // some queue rejects into this one
	TagsEnd            bool // a delivery's tag is unknown once it is settled: a second settle is an error
	Extend             ExtendRule
	MaxLease           Seconds // a lease lasts no longer than this from its delivery on, however often it is extended; 0: no limit
	NoAutoAck          bool    // a delivery can't be settled by leaving the broker
	OnError            EndRule
	Timeout            Seconds // how long a caller waits for a lost answer
	LongestIdle        Seconds // the longest idle time after which some consumer claims an entry; 0: nobody claims
	Log                int     // the log that it is a partition of, plus one; 0: it is a queue
	QueueRules
}

// Isolation is how transactions of a database keep out of each other's way.
type Isolation uint8

// The kinds. Those of PostgreSQL are in the order of their strictness.
const (
	// SingleWriter is SQLite: one writer at a time for the whole file, readers
	// see what is committed.
	SingleWriter Isolation = iota
	// ReadCommitted is PostgreSQL's default: locks on keys, each statement
	// sees what is committed when it runs.
	ReadCommitted
	// RepeatableRead sees what was committed at its first statement, and fails
	// where it would change a row that somebody has changed since.
	RepeatableRead
	// Serializable is RepeatableRead that also fails at the commit where no
	// order, one after the other, explains what the transactions were told.
	Serializable
)

var isolationNames = [...]string{"single_writer", "read_committed", "repeatable_read", "serializable"}

func (i Isolation) String() string { return isolationNames[i] }

// Journal is how SQLite keeps what it may have to undo.
type Journal uint8

// The two journals that matter here (SQLite pragma journal_mode).
const (
	DeleteJournal Journal = iota // a commit needs the file for itself
	WAL                          // a commit leaves readers their snapshot
)

// Database is a set of tables with transactions.
type Database struct {
	Name      string
	Profile   string
	Boundary  Boundary
	Isolation Isolation
	Tables    []Table
	Timeout   Seconds

	Journal Journal // SingleWriter
	// A wait for a lock ends after Wait with Busy (SQLite busy_timeout) or
	// LockTimeout (PostgreSQL lock_timeout), where it is Limited; otherwise it
	// ends with the lock.
	Wait    Seconds
	Limited bool
	// Deadlock is how long transactions wait for each other in a circle until
	// the server fails one of them (PostgreSQL deadlock_timeout).
	Deadlock Seconds
	// Modes tells that a handler can begin transactions that read first:
	// deferred ones, or such as keep a snapshot. Without, nobody ever holds more
	// than the locks of writers.
	Modes bool
}

// GivenRow is a row that stands from the start. It is no effect: nobody wrote
// it while anybody watched.
type GivenRow struct {
	Database, Table int
	Key             ValueID // None in a table without a key
	Body            ValueID
	Intent          int // whose it is; -1: nobody's
}

// Role says what a table's rows mean to the observer.
type Role uint8

// The roles.
const (
	RoleNone Role = iota
	RoleMarker
	RoleEffect
	RoleCause // an effect of an intent needs a committed row of it here
)

// Table is one table. Without a key, rows are only appended.
type Table struct {
	Name string
	Key  string // column with a unique key; "" without one
	Role Role
	// Version makes what stands in an effect table count instead of each
	// committed change: the column that says which of two rows for one key is
	// newer. "" where each change counts.
	Version string
	Open    []Pattern // rows that say that somebody has their intent open
	Read    bool      // some handler reads rows of it

	// Sequence: an insert gives its row the next number as its key, and no other
	// statement says what the key of a new row is.
	Sequence bool

	// Ages are the ages that older and younger ask its rows for, the least
	// first. Without any, a row has no age.
	Ages []Seconds

	// Sum: an effect table whose rows add up shares of several intents.
	Sum bool

	Stamps bool // some column of it may be a stamp that falls due
}

// DefaultEffectCap is where effects of one intent are no longer counted apart:
// more than three says nothing new.
const DefaultEffectCap = 3

// Provider accepts emails and never takes one back.
type Provider struct {
	Name          string
	Boundary      Boundary
	Keys          bool    // understands idempotency keys
	KeptFor       Seconds // how long a key is remembered; 0: always
	MismatchFails bool    // same key, other body: an error; otherwise the first answer
	// StoresRefusals: a refusal of a request that it had begun to work on is the
	// answer that it remembers under the key.
	StoresRefusals bool
	Takes          Seconds // from a request's arrival to its answer
	InUseWaits     bool    // a repeat of a key whose first request is still running waits for it; otherwise it is told so
	Lookup         bool    // can be asked whether it accepted an email with a reference
	Lag            Seconds // how long after its answer an accepted email is found
	Timeout        Seconds
}

// ProcessKind is what starts a process's handler.
type ProcessKind uint8

// The kinds.
const (
	Service  ProcessKind = iota // requests, in order
	Consumer                    // deliveries
	Job                         // a clock
	Operator                    // a person
)

var processKindNames = [...]string{"service", "consumer", "job", "operator"}

func (k ProcessKind) String() string { return processKindNames[k] }

// Process is one running program; replicas are processes of their own.
type Process struct {
	Name      string
	Kind      ProcessKind
	Handler   HandlerID
	Queue     int     // Consumer: where its deliveries come from; of a log, the first partition
	Front     int     // what starts it, of Fronts; -1: a queue, or callers who ask once
	ClaimIdle Seconds // Consumer: it claims entries that others have held for so long; 0: it claims none
	Group     int     // Consumer of a log: its group in the log's list, plus one
	Requests  []int   // Service: intents, in order
	OnReturn  EndRule
	OnError   EndRule
	Client
	Life
	Answers bool // Service: the handler's text tells its caller something
	Host    int  // the host that it lives in together with others, plus one; 0: none
}

// Host is a process of the operating system in which several handlers run.
type Host struct {
	Name    string
	Members []int // of Processes
}

// Life is what may end a process but a crash, and how it starts again.
type Life struct {
	KillAfter Seconds // whoever watches over it kills it when a handler has run for so long; 0: never
	Restart   Seconds // how long it stays down; 0: it is back at once
	Never     bool    // it does not come back
	Grace     Seconds // how long after it was told to stop it is killed; 0: it is waited for
	HasOnStop bool    // OnStop runs before it ends in order
	OnStop    HandlerID
	StopHeld  bool // OnStop is given what the process still holds
}

// Client is what a consumer's client library does by itself.
type Client struct {
	Prefetch    int     // most deliveries it may have: what runs and what waits in its buffer; up to 1: no buffer
	Batch       int     // most deliveries that its handler is given at once; 0: one, and not as a list
	AutoAck     bool    // a delivery is settled as it leaves the broker
	DropExpired bool    // buffered deliveries whose lease has ended by its own clock are dropped
	Keep        Seconds // it extends the lease of what its handler works on so often; 0: never
	KeepBuffer  bool    // and of what waits in its buffer
}

// Intent is one wish of the business. Only the observer knows intents;
// handlers see the operation id and the body.
type Intent struct {
	Name     string // unique; the operation id, with a number if two share one
	Op       ValueID
	Body     ValueID
	Promised bool    // from the start, not only when accept is sent
	Wants    []uint8 // effects by channel (World.ChannelName); nil: one in each
}

// FaultKind is a kind of misfortune.
type FaultKind uint8

// The kinds.
const (
	NoFault FaultKind = iota
	Crash
	LostRequest
	LostReply
	RefusedCall
	ConnectionLost
	Stall
	EarlyExpiry
	Late
	Outage
	BrokerRestart
	Surprise
	DatabaseRestart
	Stop
	faultKinds
)

var faultNames = [...]string{"none", "crash", "lost_request", "lost_reply", "refused", "connection_lost", "stall", "early_expiry",
	"late", "outage", "broker_restart", "surprise", "database_restart", "stop"}

func (k FaultKind) String() string {
	if k == OperatorAct {
		return "operator"
	}
	return faultNames[k]
}

// FaultKinds lists the kinds a budget can name.
func FaultKinds() []FaultKind {
	return []FaultKind{Crash, LostRequest, LostReply, RefusedCall, ConnectionLost, Stall, EarlyExpiry, Late, Outage, BrokerRestart, Surprise, DatabaseRestart, Stop}
}

// Faults is the budget. Invariant: Total is at most the sum of the limits.
type Faults struct {
	Total int
	Limit [faultKinds]int
	// Scope: a fault may strike only these processes or calls to these
	// parties; all false means everywhere.
	Scoped    bool
	Processes []bool
	Queues    []bool
	Databases []bool
	Providers []bool
	Longest   Seconds // a stall lasts no longer; 0: as long as it likes
}

// OutageOf says that a party can refuse every call for a while.
type OutageOf struct {
	Database, Provider int // -1: not this
	Lasts              Seconds
}

// Property names a verdict, or the goal.
type Property uint8

// The properties in the order in which they are always reported.
const (
	Lost Property = iota
	Duplicated
	Overwritten
	Stuck
	DeadLettered
	ConflictAccepted
	Uncaused
	Unresolved
	DoneOnce // the goal
	properties
)

var propertyNames = [...]string{"lost", "duplicated", "overwritten", "stuck", "dead_lettered", "conflict_accepted",
	"uncaused", "unresolved", "done_once"}

func (p Property) String() string { return propertyNames[p] }

// Properties lists them all, the goal last.
func Properties() []Property {
	all := make([]Property, properties)
	for i := range all {
		all[i] = Property(i)
	}
	return all
}
