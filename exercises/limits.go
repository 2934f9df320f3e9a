package exercises

import "time"

// Limits bound what a learner's program may use. Reaching one is an outcome of
// its own: undecided, with the limit's name as the bound.
type Limits struct {
	Answer time.Duration // for one granted call, and for starting and leaving ("time")
	Total  time.Duration // for all runs together ("total_time")
	Calls  int           // announced calls for one delivery ("calls")
	Output int64         // bytes on standard output of one process ("output")
	Memory uint64        // bytes of data of one process, on Linux ("memory")
}

// compileTime bounds compiling, which is long the first time: SQLite is compiled
// too.
const compileTime = 10 * time.Minute

// Fixed numbers of the grading, not for the learner to choose.
const (
	maxAttempts = 5        // deliveries of one operation to processes that end without an answer
	maxSpins    = 20       // equal failures of an equal call, one after the other
	maxLine     = 64 << 10 // bytes in one line of the protocol
	maxExcerpt  = 1 << 10  // bytes kept of the beginning, and of the end, of standard error
	maxQueue    = 64       // lines read ahead from one process
)

func (l Limits) orDefault() Limits {
	if l.Answer <= 0 {
		l.Answer = 10 * time.Second
	}
	if l.Total <= 0 {
		l.Total = 3 * time.Minute
	}
	if l.Calls <= 0 {
		l.Calls = 200
	}
	if l.Output <= 0 {
		l.Output = 1 << 20
	}
	if l.Memory == 0 {
		l.Memory = 512 << 20
	}
	return l
}

// halt ends a run before its end: either with a verdict, which means failed, or
// with a bound, which means undecided.
type halt struct {
	verdict, bound, message string
}

func (h *halt) Error() string { return h.message }
