package exercises

import "strconv"

// Report is the outcome of grading one program. Its JSON form is stable:
// fields are added, never renamed.
type Report struct {
	Format   string    `json:"format"`             // "ackademy.grade.v1"
	Exercise string    `json:"exercise"`           // "01"
	Title    string    `json:"title"`              //
	Program  string    `json:"program"`            // the path that was graded
	Status   string    `json:"status"`             // passed, failed, undecided
	Verdict  string    `json:"verdict,omitempty"`  // of the first finding, when failed
	Bound    string    `json:"bound,omitempty"`    // what was reached, when undecided: time, total_time, calls, output, memory, boundary
	Stages   []Stage   `json:"stages"`             // in the order they ran
	Findings []Finding `json:"findings,omitempty"` // at most maxFindings, first things first
	Hint     string    `json:"hint,omitempty"`     // what to do next
	Kept     string    `json:"kept,omitempty"`     // folder with the files of the runs, when asked for
}

// Words for the status of a report, a stage and a check.
const (
	StatusPassed    = "passed"
	StatusFailed    = "failed"
	StatusUndecided = "undecided"
	StatusNotRun    = "not_run"
)

// Verdicts of findings. The first group are the words of the whole project;
// the second is about the program as a participant in the exercise.
const (
	VerdictLost             = "lost"
	VerdictDuplicated       = "duplicated"
	VerdictOverwritten      = "overwritten"
	VerdictConflictAccepted = "conflict_accepted"
	VerdictStuck            = "stuck"

	VerdictMismatch    = "mismatch"     // markers or other rows are not what was asked for
	VerdictWrongAnswer = "wrong_answer" // the rows are right, the answer is not
	VerdictNoCommit    = "no_commit"    // the record's interruption has no place: no COMMIT was announced
	VerdictUnannounced = "unannounced"  // the program bypassed the kit, or never spoke to it
	VerdictProtocol    = "protocol"     // what it wrote is not the protocol
	VerdictCorrupt     = "corrupt"      // PRAGMA integrity_check complains
)

const (
	maxFindings = 20
	formatName  = "ackademy.grade.v1"
)

// Stage is one part of the grading.
type Stage struct {
	Name   string  `json:"name"` // undisturbed, sweep, together, twice, record
	Title  string  `json:"title"`
	Status string  `json:"status"` // passed, failed, undecided, not_run
	Runs   int     `json:"runs"`   // fresh databases it used
	Kills  int     `json:"kills"`  // processes killed by SIGKILL
	Checks []Check `json:"checks"`
}

// Check is one line of a stage: a kill at one boundary, a line of the record.
type Check struct {
	Name     string `json:"name"` // "killed before COMMIT of work-1"
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Outcome  string `json:"outcome"` // "ok", "undecided: BOUND" or a verdict
}

// Finding is one thing that went wrong, with the evidence.
type Finding struct {
	Stage       string   `json:"stage"`
	Check       string   `json:"check"`
	Verdict     string   `json:"verdict"`
	Boundary    string   `json:"boundary,omitempty"`  // the call before which a process was killed
	Explanation string   `json:"explanation"`         // one or two plain sentences
	Expected    *Rows    `json:"expected,omitempty"`  // rows of the tables
	Found       *Rows    `json:"found,omitempty"`     //
	Changes     []string `json:"changes,omitempty"`   // every committed change, in order
	Schedule    []string `json:"schedule,omitempty"`  // who did what, in order
	Complaint   string   `json:"complaint,omitempty"` // what the program wrote to standard error, shortened
}

// Rows is what stands in the tables of the sink.
type Rows struct {
	Markers []Marker `json:"markers"`
	Total   int64    `json:"total"`
}

// Marker is a row of inbox.
type Marker struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

// String gives the rows on one line: "inbox (work-1 100) (work-2 50), total 150".
func (r Rows) String() string {
	text := "inbox"
	for _, marker := range r.Markers {
		text += " (" + marker.ID + " " + strconv.FormatInt(marker.Amount, 10) + ")"
	}
	if len(r.Markers) == 0 {
		text += " empty"
	}
	return text + ", total " + strconv.FormatInt(r.Total, 10)
}

// ExitCode is the exit status that tells the outcome.
func (r Report) ExitCode() int {
	switch r.Status {
	case StatusPassed:
		return ExitPassed
	case StatusFailed:
		return ExitFailed
	case StatusUndecided:
		return ExitUndecided
	}
	panic("a report with status " + quote(r.Status))
}

func quote(text string) string { return strconv.Quote(text) }
