// Package wire is the conversation between a learner's program and the grader,
// the same for every language: JSON lines over inherited pipes.
//
// A program started by the grader finds two environment variables:
//
//	ACKADEMY_PIPES     "3,4": it writes Message lines to descriptor 3 and reads
//	                   Reply lines from descriptor 4
//	ACKADEMY_DATABASE  the path of the SQLite file
//
// It reads deliveries as JSON lines (Delivery) from standard input and writes
// answers as JSON lines (Answer) to standard output. Nothing else may stand on
// standard output; messages for people go to standard error.
//
// First it says hello. Then, before everything that can be interrupted, it
// announces the call and waits:
//
//	program  {"say":"hello","protocol":1,"kit":"go"}
//	program  {"say":"call","number":1,"kind":"open","text":"open"}
//	grader   {"go":1}
//	program  {"say":"result","number":1,"outcome":"done"}
//	program  {"say":"call","number":2,"kind":"receive","text":"receive"}
//	grader   {"go":2}                       and a Delivery on standard input
//	program  {"say":"result","number":2,"outcome":"done"}
//	program  {"say":"call","number":3,"kind":"statement","text":"BEGIN IMMEDIATE"}
//	grader   {"go":3}
//	program  {"say":"result","number":3,"outcome":"waits"}
//	grader   {"go":3}                       try the same call again
//	program  {"say":"result","number":3,"outcome":"done"}
//	...
//	program  {"say":"call","number":7,"kind":"answer","text":"answer applied"}
//	grader   {"go":7}
//	program  an Answer on standard output, then {"say":"result","number":7,"outcome":"done"}
//
// Numbers count from 1 without gaps, one call at a time. Instead of a reply
// the grader may kill the whole process group: the call then never happened.
//
// Waiting: busy_timeout is 0, so SQLite never waits by itself. Where SQLite
// with a busy timeout would have waited, the program reports the outcome
// "waits" and stays at the same call until it is told {"go":n} (try again) or
// {"busy":n} (the timeout is over: report "failed" and hand the error to the
// program's own code). Where SQLite would return SQLITE_BUSY at once (a
// transaction that has read and now wants to write; SQLITE_BUSY_SNAPSHOT), the
// outcome is "failed".
//
// The end of standard input, after a granted receive, means: no more work,
// leave. The package imports nothing, so that it can be copied anywhere.
package wire

// Version is the protocol that Hello messages must name.
const Version = 1

// Names of the environment variables a program is started with.
const (
	EnvPipes    = "ACKADEMY_PIPES"
	EnvDatabase = "ACKADEMY_DATABASE"
)

// Words of Message.Say.
const (
	SayHello  = "hello"
	SayCall   = "call"
	SayResult = "result"
)

// Kinds of calls.
const (
	KindOpen      = "open"
	KindReceive   = "receive"
	KindStatement = "statement"
	KindAnswer    = "answer"
)

// Outcomes of a granted call.
const (
	OutcomeDone   = "done"
	OutcomeFailed = "failed"
	OutcomeWaits  = "waits"
)

// Message is one line from the program to the grader.
type Message struct {
	Say      string `json:"say"`
	Protocol int    `json:"protocol,omitempty"` // hello
	Kit      string `json:"kit,omitempty"`      // hello
	Number   int    `json:"number,omitempty"`   // call, result
	Kind     string `json:"kind,omitempty"`     // call
	Text     string `json:"text,omitempty"`     // call: the SQL on one line, or what else happens
	Outcome  string `json:"outcome,omitempty"`  // result
	Detail   string `json:"detail,omitempty"`   // result: the error, if it failed
}

// Reply is one line from the grader to the program; exactly one field is set,
// to the number of the call it is about.
type Reply struct {
	Go   int `json:"go,omitempty"`
	Busy int `json:"busy,omitempty"`
}

// Delivery is one attempt to hand an operation to the program. Token names the
// attempt and is new every time; Operation names the wish and is the same for
// every copy of it.
type Delivery struct {
	Token     string `json:"delivery"`
	Operation string `json:"operation"`
	Amount    int64  `json:"amount"`
}

// Answer settles a delivery. The words are those of the exercise.
type Answer struct {
	Token  string `json:"delivery"`
	Answer string `json:"answer"`
}
