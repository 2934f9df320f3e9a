package sim

// Event is one thing that happened within a step, for the picture. Events are
// made only on request; no rule depends on them.
type Event struct {
	Kind     EventKind
	Proc     int16 // the process concerned; -1: none
	Queue    int16 // of queue events
	Database int16 // of database events
	Table    int16
	Provider int16
	Call     *Call // the call made, or the end reached
	Answer   Answer
	Runtime  bool // the call is the runtime's, not the handler's
	Input    Input
	Message  string
	With     int16  // EventCrash: it lives in one process with this one, plus one, which ended
	Text     string // what a broker forgot
	Label    labelID
	Verb     Verb // settles
	To       string
	Key      ValueID
	Before   ValueID // the row that a statement found
	Apart    bool    // the call is the client's own, beside the handler
	Done     bool    // the statement changed something; the known key's body was the same
	Rows     int
	Channel  int
	Seconds  Seconds
	Fault    FaultKind // the fault that this step is
}

// Intent returns the index of the intent that the event concerns, or -1.
func (e Event) Intent() int { return int(e.Label) - 1 }

// EventKind says what happened.
type EventKind uint8

// The kinds.
const (
	EventStart     EventKind = iota // a service took a request: Input
	EventDeliver                    // Message from Queue to Proc: Input
	EventCall                       // Proc made Call and was told Answer
	EventDue                        // what Proc waited for came: Call, Answer
	EventEnd                        // Proc's handler ended: Call says how
	EventStored                     // Queue stored Message
	EventSettled                    // Message was settled: Verb
	EventStale                      // a settle had no effect: Verb
	EventReturned                   // Message went back because of a lost connection
	EventExpire                     // the lease of Message at Proc ended
	EventTold                       // the caller or the observer was told: Call
	EventBegin                      // a transaction was opened
	EventStatement                  // Call changed (Done) a row or found Before
	EventCommit                     // Rows changes became visible
	EventRollback                   // Rows changes were undone
	EventMail                       // the provider accepted an email
	EventKnownKey                   // the provider knew the key; Done: with the same body
	EventForget                     // the provider forgot Key
	EventListed                     // a lookup finds the reference Key from now on
	EventLate                       // Call of Proc arrives, which its caller has given up
	EventOutage                     // Database or Provider refuses everything for Seconds
	EventOutageEnd
	EventFinished // the provider is done with the first request of Key
	EventEffect   // an effect of the intent became real in Channel
	EventCrash    // Proc died before Call; Done: whoever watches over it killed it, with VerbStopping because it was told to stop
	EventStall
	EventSilent // Queue takes Proc for dead, from which no heartbeat has come for Seconds
	EventWake
	EventDisconnect // Proc lost its connection to Queue or Database
	EventClock      // the clock moved by Seconds
	EventParked     // the broker gave up on Message, into the queue To or, without one, for ever
	EventPassed     // the group To committed an offset behind the record Message
	EventFenced     // a call had no effect: the log has removed the member or ended its transaction
	EventLogTx      // a transaction of Queue's log was opened or ended: Verb, Rows records
	EventRemoved    // Proc is no member of the group To any more
	EventRebalanced // the partitions of Queue's log were dealt out to the group To: Message
	EventDropped    // Message was dropped for its age
	EventBuffered   // Message from Queue to the buffer of Proc
	EventTaken      // Proc's handler was given Message out of its buffer: Input
	EventUnbuffered // Message is gone from the buffer of Proc
	EventExtended   // the lease of Message at Proc is Seconds from now on
	EventKept       // Proc's client holds the lease of Message, every Seconds
	EventBeatLost   // an extension of Message's lease by Proc's client got lost
	EventExit       // by rule, Proc closed its connection to Queue or, with -1, ended
	EventMissed     // Message left Queue for Proc and never arrived; its lease runs
	EventRun        // Proc was started without being given anything: a job's tick, an operator's act
	EventAgain      // the caller of the intent asks Proc's service again
	EventImpatient  // the caller of the intent no longer waits for Proc's service
	EventSkipped    // a tick of the job that Proc belongs to started nobody: all of it runs
	EventReady      // the delay of Message in Queue is over
	EventAged       // Message left Queue, into To if that is given: its time was over, or there was no room
	EventForgotten  // Queue no longer recognises Text
	EventDuplicate  // Queue knew Message and stored nothing
	EventRefused    // Queue is full and refused Message
	EventUnroutable // nothing is bound to Queue: Message is nowhere
	EventCancelled  // Proc took Message back
	EventRedriven   // Proc moved Message from Queue into To
	EventRestart    // the broker of Queue restarted
	EventWiped      // Queue lost Message when its broker restarted
	EventReappeared // Queue brought Message back, which was deleted
	EventDoubled    // Queue takes Message for ready although Proc holds it
	EventRepeated   // Message, which Proc has or which was acked, comes again with an earlier one of its key
	EventReopened   // Database's server restarted
	EventStop       // Proc was told to stop; Seconds until it is killed, 0: it is waited for
	EventOnStop     // Proc begins with what it does at its end: Input
	EventHeld       // Message is one of the deliveries that it is given for that
	EventShut       // Proc ended in order
	EventDown       // Proc stays down for Seconds; 0: for ever
	EventBack       // Proc is back
	EventRestored   // the copy that Call names was put back into Database
)
