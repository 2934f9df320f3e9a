package exercises

import (
	"encoding/json"
	"strings"
	"testing"
)

func sampleReport() Report {
	return Report{
		Format: formatName, Exercise: "01", Title: "A sink", Program: "/home/me/work.go",
		Status: StatusFailed, Verdict: VerdictLost, Hint: "Commit first.",
		Stages: []Stage{
			{Name: "sweep", Title: "killed", Status: StatusFailed, Runs: 2, Kills: 2, Checks: []Check{
				{Name: "killed before open", Outcome: outcomeOK},
				{Name: "killed before COMMIT of work-1", Expected: "inbox (work-1 100), total 100", Found: "inbox empty, total 0", Outcome: VerdictLost},
			}},
			{Name: "record", Status: StatusNotRun, Checks: []Check{}},
		},
		Findings: []Finding{{
			Stage: "sweep", Check: "killed before COMMIT of work-1", Verdict: VerdictLost, Boundary: "COMMIT of work-1",
			Explanation: "It is gone.", Expected: &Rows{Markers: []Marker{{"work-1", 100}}, Total: 100}, Found: &Rows{Markers: []Marker{}},
			Changes: []string{"inbox work-1: none -> 100"}, Schedule: []string{"worker1 starts"}, Complaint: "oh\x1b[31m",
		}},
	}
}

// TestReportJSON holds the names that scripts rely on.
func TestReportJSON(t *testing.T) {
	got, err := json.Marshal(sampleReport())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"format":"ackademy.grade.v1","exercise":"01","title":"A sink","program":"/home/me/work.go",` +
		`"status":"failed","verdict":"lost","stages":[` +
		`{"name":"sweep","title":"killed","status":"failed","runs":2,"kills":2,"checks":[` +
		`{"name":"killed before open","outcome":"ok"},` +
		`{"name":"killed before COMMIT of work-1","expected":"inbox (work-1 100), total 100","found":"inbox empty, total 0","outcome":"lost"}]},` +
		`{"name":"record","title":"","status":"not_run","runs":0,"kills":0,"checks":[]}],` +
		`"findings":[{"stage":"sweep","check":"killed before COMMIT of work-1","verdict":"lost","boundary":"COMMIT of work-1",` +
		`"explanation":"It is gone.","expected":{"markers":[{"id":"work-1","amount":100}],"total":100},"found":{"markers":[],"total":0},` +
		`"changes":["inbox work-1: none -\u003e 100"],"schedule":["worker1 starts"],"complaint":"oh\u001b[31m"}],` +
		`"hint":"Commit first."}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReportText holds the form that people read.
func TestReportText(t *testing.T) {
	var text strings.Builder
	if err := sampleReport().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `Exercise 01: A sink
/home/me/work.go

  failed     sweep: killed (2 fresh databases, 2 kills)

    + ok                 killed before open
    x lost               killed before COMMIT of work-1
                         found inbox empty, total 0

  not run    record

LOST, killed before COMMIT of work-1
The process was killed before COMMIT of work-1.
It is gone.

    expected                      found
  x inbox   work-1          100   
  x totals  exports         100   totals  exports           0

  Committed, in this order:
    inbox work-1: none -> 100

  What happened:
    worker1 starts

  The program wrote to standard error:
    oh[31m

FAILED: lost
Next: Commit first.
`
	if text.String() != want {
		t.Errorf("got\n%s", text.String())
	}
	for status, code := range map[string]int{StatusPassed: 0, StatusFailed: 1, StatusUndecided: 2} {
		if got := (Report{Status: status}).ExitCode(); got != code {
			t.Errorf("%s is exit status %d", status, got)
		}
	}
}
