package sim

import "fmt"

// Node is a place in a handler's tree of calls: everything a process
// remembers of its program. 0 means that no handler is running.
//
// Two answer lists after which the same program remains are one node. The
// numbers are the Program's to hand out; the world only stores and compares
// them.
type Node uint32

// HandlerID numbers the handlers of a scenario.
type HandlerID uint16

// Input is what starts a handler: a request (service) or a delivery
// (consumer), with the data that the handler may read.
type Input struct {
	Op      ValueID // operation id
	Body    ValueID // record of the named parts
	Batch   ValueID // several deliveries at once: a record of them (Scenario.Elements); else None
	Attempt uint8   // which delivery of the message it is, from 1, where a handler reads that; else 0
	// Of a record of a log, where handlers read them.
	Key       ValueID
	Offset    int64
	Partition uint8
	Group     ValueID // the message's key, where its queue has groups
	Again     bool    // the broker says that the message was delivered before, where a handler reads that
}

// Program is the scenario's handlers as trees of calls. It must be a pure
// function: the same node and answer always lead to the same node.
type Program interface {
	// Start returns the first call of a handler that is given this input.
	Start(h HandlerID, in Input) Node
	// Call returns the question that the handler asks at this node. The end
	// of a handler is a call too: VerbEnd, VerbFail or VerbMistake.
	Call(n Node) *Call
	// Next returns the node after this answer.
	Next(n Node, a Answer) Node
}

// Verb is what a call asks for.
type Verb uint8

// The verbs. What each stands for in SQL or in a protocol is told by Verb.Doc.
const (
	VerbNone Verb = iota
	// The three ways a handler ends.
	VerbEnd     // returned
	VerbFail    // an outcome (timeout, refused, fail(...)) was not caught
	VerbMistake // the text is wrong at this point; the run can't go on
	// Calls to a queue.
	VerbPublish
	VerbAck
	VerbNack
	VerbReject
	VerbExtend
	// Calls to a log.
	VerbCommitOffset // commit the offset behind the record in hand
	VerbCommitAfter  // the client's own: behind all that it was handed
	VerbBeginLog
	VerbSendOffsets
	VerbCommitLog
	VerbAbortLog
	VerbWait    // for the confirm of a publish that was sent before
	VerbCancel  // takes back a message that is not due yet
	VerbRedrive // moves what lies in a dead-letter queue into another queue
	// Calls to a database.
	VerbBegin
	VerbInsert
	VerbPut
	VerbPutNewer // put, unless a newer version stands
	VerbUpdate
	VerbAdd
	VerbDelete
	VerbGet
	VerbExists
	VerbSelect
	VerbCount
	VerbChange // update by any columns
	VerbRemove // delete by any columns
	VerbClaim  // find one row and change it, skipping those that somebody has locked
	VerbCommit
	VerbRollback
	VerbSavepoint
	VerbRollbackTo // undo what came after a savepoint
	VerbSnapshot   // a copy of the database
	VerbRestore
	VerbLock // a lock of the session
	VerbTryLock
	VerbUnlock
	// Calls to a provider.
	VerbSend
	VerbSendBatch // several emails in one request
	VerbLookup
	// Calls to the caller of a service.
	VerbAccept
	VerbRefuse
	// Time.
	VerbWork
	VerbSleep
	VerbOneOf // a choice that the text leaves open
	// Questions to the runtime: no step.
	VerbFreshID
	VerbKeep // hold the lease of a delivery as long as the process is alive
	VerbRecall
	VerbStopping
	VerbRemember
	// Notes to the observer: no step.
	VerbWithdraw
	VerbHandOver
)

var verbNames = [...]string{"none", "end", "fail", "mistake", "publish", "ack", "nack", "reject", "extend", "commit", "commit", "begin", "send_offsets", "commit", "abort", "wait", "cancel", "redrive", "begin", "insert",
	"put", "put_newer", "update", "add", "delete", "get", "exists", "select", "count", "change", "remove", "claim", "commit", "rollback", "savepoint", "rollback_to", "snapshot", "restore", "lock", "try_lock", "unlock", "send", "send_batch", "lookup", "accept", "refuse", "work", "sleep", "one_of",
	"fresh_id", "keep", "memory.get", "stopping", "memory.put", "withdraw", "hand_over"}

func (v Verb) String() string { return verbNames[v] }

// Call is one question of a handler. Everything here is part of the identity
// of a node; where in the text it stands is not (Program implementations keep
// that beside it), because two places with the same remaining program are one.
type Call struct {
	Verb    Verb
	Party   int16   // index of the queue, database or provider; -1 without one
	Table   int16   // index of the table in its database; -1 without one
	Mode    Mode    // begin, insert, get, ack, nack: how; of a statement in an aborted transaction: ModeAborted
	InTx    bool    // a statement of the open transaction, not one by itself
	Confirm bool    // publish: wait for the broker's confirm
	Of      int16   // whose work it is, for the observer: OfHandler, OfNobody or a place in the process's sources
	Op      ValueID // publish, send: the operation id or recipient
	Key     ValueID // get, put, ...: the row's key; memory: the name; send: the idempotency key; lookup: the reference; rollback_to: the savepoint's number
	Ref     ValueID // send: the reference by which the email can be looked up
	Body    ValueID // record: a row, a body, the columns to match; memory: the value, or what is told without one; one_of: the list of options
	Where   ValueID // select, count, change, remove, claim: record of what the columns must be
	Order   ValueID // select, claim: the column whose order counts; None: the key
	Limit   int32   // select: at most so many rows; 0: all
	Seconds Seconds // work, sleep; publish, nack: the delay; extend: the new lease; keep: how often it is extended
	Place   uint8   // settles, extend, keep: which of the handler's deliveries is meant, from 0
	Post    Post    // publish: what is said of the message; wait, cancel: which one is meant
	To      int16   // redrive: index of the queue that the messages move to
	Code    Code    // VerbFail: the outcome that was not caught
	Text    string  // VerbFail, VerbMistake: what to tell the reader
}

// Mode is the way in which a database is asked.
type Mode uint8

// The modes.
const (
	ModePlain    Mode = iota // BEGIN IMMEDIATE, or the database's own isolation; ON CONFLICT DO NOTHING
	ModeDeferred             // BEGIN DEFERRED: no lock before the first statement needs it
	ModeExclusive
	ModeReadCommitted
	ModeRepeatableRead
	ModeSerializable
	ModeStrict   // insert: a key that stands is an error
	ModeLock     // get: SELECT ... FOR UPDATE
	ModeBelow    // select: only rows whose number is below those of open transactions
	ModeMultiple // ack, nack: everything up to this delivery
	ModeAborted  // the handler has been told that this transaction is aborted
)

var modeNames = [...]string{"", "deferred", "exclusive", "read_committed", "repeatable_read", "serializable", "strict", "lock", "below_open", "multiple", "aborted"}

func (m Mode) String() string { return modeNames[m] }

// Post is what a publish says of its message beside the body.
type Post struct {
	Group     ValueID // group or ordering key; None: it is in no group
	ID        ValueID // what duplicates are recognised by; None: by nothing
	Lifetime  Seconds // how long it may wait in the queue; 0: as long as the queue says
	Mandatory bool    // tell the publisher where no queue would get it
	Transient bool    // the broker may forget it when it restarts
	Later     bool    // the confirm is not awaited now but by VerbWait
	Nth       uint8   // which publication of this run it is, from 1, where a later call speaks of it
}

// Whose work a call is, beside the places of what the handler was told: 1 is
// its request or first delivery, then come further deliveries and each row that
// it read, in order.
const (
	OfHandler int16 = 0  // of the one intent that the handler works for
	OfNobody  int16 = -1 // of = None: of no intent
)

// Ends tells whether this is the end of the handler rather than a question.
func (c *Call) Ends() bool { return c.Verb == VerbEnd || c.Verb == VerbFail || c.Verb == VerbMistake }

// NoStep tells whether this is a question to the runtime or a note to the
// observer, which is answered at once. It crosses no boundary, is no step and
// cannot fail. Its event is a call of the runtime's: whoever follows what a
// handler was told has to count its answer too.
func (c *Call) NoStep() bool {
	switch c.Verb {
	case VerbFreshID, VerbKeep, VerbRecall, VerbRemember, VerbStopping, VerbWithdraw, VerbHandOver:
		return true
	}
	return false
}

// Seconds is a span of virtual time.
type Seconds int64

// Code is how a call came out, as its caller sees it.
type Code uint8

// The outcomes. A lost request and a lost reply are both Timeout: nobody can
// tell them apart.
const (
	OK            Code = iota
	Timeout            // no answer came
	Refused            // a definite failure: nothing happened
	Conflict           // a unique key stands already, or a provider key with another body
	Gone               // the connection that the handle belonged to is lost
	Stale              // the settle came from an attempt that no longer holds the message
	Fenced             // the log has removed this member, or aborted this transaction
	Unroutable         // the broker has no queue for the message, and was asked to say so
	Failed             // fail("..."): the handler says so itself
	InUse              // the first request with this provider key is still running
	Busy               // SQLITE_BUSY: a lock is in the way
	Serialization      // SQLSTATE 40001: the transaction is aborted
	Deadlock           // SQLSTATE 40P01: the transaction is aborted
	LockTimeout        // SQLSTATE 55P03: the transaction is aborted
	Aborted            // SQLSTATE 25P02: the transaction failed before
)

var codeNames = [...]string{"ok", "timeout", "refused", "conflict", "gone", "stale", "fenced", "unroutable", "failed", "in_use",
	"busy", "serialization", "deadlock", "lock_timeout", "aborted"}

func (c Code) String() string { return codeNames[c] }

// Answer is what a call told its caller.
type Answer struct {
	Code  Code
	Value ValueID
}

func (a Answer) String() string { return fmt.Sprintf("%s %d", a.Code, a.Value) }
