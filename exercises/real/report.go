package real

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// Report tells how a real run compares with its prediction. Its JSON is the
// answer of `ackademy run --real --json`.
type Report struct {
	Scenario    string       `json:"scenario"`
	File        string       `json:"file"`
	Schedule    []string     `json:"schedule"` // complete, as it was run
	Given       int          `json:"given"`    // how many of the steps were asked for; the others complete the run
	AtRest      bool         `json:"at_rest"`  // nothing could happen any more
	Stopped     bool         `json:"stopped"`  // everybody was killed where the schedule ends
	Started     int          `json:"started"`  // operating-system processes
	Kills       int          `json:"kills"`    // crashes of the schedule
	Stalls      int          `json:"stalls"`
	Probes      int          `json:"probes"` // locks that a waiting process was made to meet
	Tables      []Table      `json:"tables"`
	Requests    []Requests   `json:"requests"`
	Differences []Difference `json:"differences"` // empty: the worlds agree
	Folder      string       `json:"folder,omitempty"`

	Milliseconds int64         `json:"milliseconds"`
	Run          *schedule.Run `json:"-"` // the simulated run, for verdicts and pictures
}

// Table is the rows of a table, a mailbox or a provider's keys in both worlds,
// each sorted.
type Table struct {
	Place     string   `json:"place"` // store.totals, mail, mail keys
	Role      string   `json:"role"`  // marker, effect, mailbox or empty
	File      string   `json:"file"`
	Real      []string `json:"real"`
	Predicted []string `json:"predicted"`
}

// Requests counts what a provider was asked: connections that came, and
// requests that it read.
type Requests struct {
	Provider      string `json:"provider"`
	Real          int    `json:"real"`
	Predicted     int    `json:"predicted"`
	RealRead      int    `json:"real_read"`
	PredictedRead int    `json:"predicted_read"`
}

// Difference is where the worlds disagree: at a step (0: before the first), or
// at the end (-1).
type Difference struct {
	Step      int    `json:"step"`
	Name      string `json:"name,omitempty"` // of the step
	What      string `json:"what"`
	Predicted string `json:"predicted"`
	Real      string `json:"real"`
}

// Error makes a difference stop the run it is found in.
func (d *Difference) Error() string {
	where := "at the end"
	switch {
	case d.Step == 0:
		where = "before the first step"
	case d.Step > 0:
		where = fmt.Sprintf("at step %d, %q", d.Step, d.Name)
	}
	return fmt.Sprintf("%s, %s:\n    predicted  %s\n    real       %s", where, d.What, d.Predicted, d.Real)
}

func (r *Report) describe(sc *script.Scenario, run *schedule.Run) {
	r.Scenario, r.File, r.Schedule, r.Run = sc.Name, sc.Filename, run.Steps(), run
	r.Tables, r.Requests, r.Differences = []Table{}, []Requests{}, []Difference{} // [] in JSON, not null
}

// Agrees tells whether both worlds came to the same.
func (r *Report) Agrees() bool { return len(r.Differences) == 0 }

// Exit returns the exit status.
func (r *Report) Exit() int {
	if r.Agrees() {
		return ExitAgrees
	}
	return ExitOurFault
}

// Text prints the report for a person.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for real: %s, %s started, %d killed by the schedule", r.Scenario, count(len(r.Schedule), "step"), count(r.Started, "process"), r.Kills)
	if r.Stalls > 0 {
		fmt.Fprintf(&b, ", %d stalled", r.Stalls)
	}
	if r.Probes > 0 {
		fmt.Fprintf(&b, ", a lock met %s", count(r.Probes, "time"))
	}
	if r.Milliseconds > 0 {
		fmt.Fprintf(&b, ", %d ms", r.Milliseconds)
	}
	b.WriteString("\n\n")
	for i, step := range r.Schedule {
		if i == r.Given {
			b.WriteString("  completed by the first possible step, without faults:\n")
		}
		fmt.Fprintf(&b, "%4d  %s\n", i+1, step)
	}
	switch {
	case r.AtRest:
		b.WriteString("  Nothing can happen any more.\n")
	case len(r.Schedule) > r.Given:
		fmt.Fprintf(&b, "  The run goes on and on; everybody was killed here, after %d more steps.\n", maxFinish)
	default:
		b.WriteString("  Everybody was killed here.\n")
	}
	for i := range r.Tables {
		b.WriteByte('\n')
		r.Tables[i].print(&b)
	}
	for _, q := range r.Requests {
		fmt.Fprintf(&b, "\n%s: %s came, predicted %d; %d read, predicted %d\n", q.Provider, count(q.Real, "request"), q.Predicted, q.RealRead, q.PredictedRead)
	}
	if r.Folder != "" {
		fmt.Fprintf(&b, "\nThe files are in %s\n", r.Folder)
	}
	b.WriteByte('\n')
	r.verdict(&b)
	return b.String()
}

func (r *Report) verdict(b *strings.Builder) {
	if r.Agrees() {
		b.WriteString("Simulator and real processes agree.\n")
		return
	}
	b.WriteString("Simulator and real processes DIFFER. That is a bug of Ackademy, not of the scenario; please report it:\n")
	for i := range r.Differences {
		fmt.Fprintf(b, "  %v\n", r.Differences[i].Error())
	}
	fmt.Fprintf(b, "Again: %s\n", r.Command())
}

// Command is the one command that replays the run.
func (r *Report) Command() string {
	command := "ackademy run " + shell(r.File) + " --schedule " + shell(schedule.Inline(r.Schedule)) + " --real"
	if r.Stopped {
		command += " --stop"
	}
	return command
}

// shell quotes a word for a POSIX shell.
func shell(word string) string {
	if !strings.ContainsAny(word, "\"$`\\!") {
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// tableLine is a row in both worlds; "" where it is missing.
type tableLine struct{ found, predicted string }

// lines puts equal rows beside each other, as often as they stand in both.
func (t *Table) lines() []tableLine {
	var list []tableLine
	missing := slices.Clone(t.Predicted)
	for _, row := range t.Real {
		line := tableLine{found: row}
		if i := slices.Index(missing, row); i >= 0 {
			line.predicted = row
			missing = slices.Delete(missing, i, i+1)
		}
		list = append(list, line)
	}
	for _, row := range missing {
		list = append(list, tableLine{predicted: row})
	}
	return list
}

func (t *Table) print(b *strings.Builder) {
	b.WriteString(t.Place)
	if t.Role != "" {
		b.WriteString(" (" + t.Role + ")")
	}
	b.WriteByte('\n')
	lines := append([]tableLine{{"real (" + t.File + ")", "predicted"}}, t.lines()...)
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line.found))
	}
	for i, line := range lines {
		sign := "="
		switch {
		case i == 0:
			sign = " "
		case line.found != line.predicted:
			sign = "≠"
		}
		padding := strings.Repeat(" ", width-utf8.RuneCountInString(line.found))
		fmt.Fprintf(b, "  %s%s  %s  %s\n", line.found, padding, sign, line.predicted)
	}
	if len(lines) == 1 {
		b.WriteString("  no rows in both\n")
	}
}
