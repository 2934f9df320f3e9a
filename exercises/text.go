package exercises

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText writes a report for people: what failed, where, with which rows,
// and what to do next.
func (r Report) WriteText(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Exercise %s: %s\n%s\n\n", r.Exercise, r.Title, plain(r.Program))
	for _, stage := range r.Stages {
		writeStage(&text, stage)
	}
	if len(r.Findings) > 0 {
		writeFinding(&text, r.Findings[0])
		r.writeOthers(&text)
	}
	fmt.Fprintf(&text, "\n%s", strings.ToUpper(r.Status))
	if r.Verdict != "" {
		fmt.Fprintf(&text, ": %s", r.Verdict)
	}
	if r.Bound != "" {
		fmt.Fprintf(&text, ": the bound %q was reached", r.Bound)
	}
	fmt.Fprintf(&text, "\nNext: %s\n", r.Hint)
	if r.Kept != "" {
		fmt.Fprintf(&text, "The files of all runs are in %s\n", r.Kept)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeStage writes one line for a stage, and a table of its checks unless
// all is well.
func writeStage(text *strings.Builder, stage Stage) {
	if stage.Status == StatusNotRun {
		fmt.Fprintf(text, "  %-9s  %s\n", "not run", stage.Name)
		return
	}
	fmt.Fprintf(text, "  %-9s  %s: %s (%s, %s)\n", stage.Status, stage.Name, stage.Title,
		count(stage.Runs, "fresh database"), count(stage.Kills, "kill"))
	if stage.Name != "record" && stage.Status == StatusPassed {
		return
	}
	fmt.Fprintln(text)
	for _, check := range stage.Checks {
		mark := "+"
		if check.Outcome != outcomeOK {
			mark = "x"
		}
		fmt.Fprintf(text, "    %s %-18s %s\n", mark, check.Outcome, plain(check.Name))
		if check.Found != "" && (stage.Name == "record" || check.Outcome != outcomeOK) {
			fmt.Fprintf(text, "      %-18s found %s\n", "", plain(check.Found))
		}
	}
	fmt.Fprintln(text)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func writeFinding(text *strings.Builder, f Finding) {
	fmt.Fprintf(text, "\n%s, %s\n", strings.ToUpper(f.Verdict), plain(f.Check))
	if f.Boundary != "" {
		fmt.Fprintf(text, "The process was killed before %s.\n", plain(f.Boundary))
	}
	fmt.Fprintf(text, "%s\n", plain(f.Explanation))
	if f.Expected != nil && f.Found != nil {
		fmt.Fprintln(text)
		writeRows(text, *f.Expected, *f.Found)
	}
	if len(f.Changes) > 0 {
		fmt.Fprintf(text, "\n  Committed, in this order:\n")
		writeLines(text, f.Changes)
	}
	if len(f.Schedule) > 0 {
		fmt.Fprintf(text, "\n  What happened:\n")
		writeLines(text, f.Schedule)
	}
	if f.Complaint != "" {
		fmt.Fprintf(text, "\n  The program wrote to standard error:\n")
		writeLines(text, strings.Split(f.Complaint, "\n"))
	}
}

func writeLines(text *strings.Builder, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(text, "    %s\n", plain(line))
	}
}

// writeRows lays expected and found rows side by side.
func writeRows(text *strings.Builder, expected, found Rows) {
	left, right := table(expected), table(found)
	for len(left) < len(right) {
		left = append(left, left[len(left)-1])
		left[len(left)-2] = ""
	}
	for len(right) < len(left) {
		right = append(right, right[len(right)-1])
		right[len(right)-2] = ""
	}
	fmt.Fprintf(text, "    %-28s  %s\n", "expected", "found")
	for i := range left {
		mark := " "
		if left[i] != right[i] {
			mark = "x"
		}
		padding := strings.Repeat(" ", max(0, 28-utf8.RuneCountInString(left[i])))
		fmt.Fprintf(text, "  %s %s%s  %s\n", mark, left[i], padding, right[i])
	}
}

// table lists rows one below the other, the total last.
func table(rows Rows) (lines []string) {
	for _, marker := range rows.Markers {
		lines = append(lines, fmt.Sprintf("inbox   %-10s %8d", plain(marker.ID), marker.Amount))
	}
	return append(lines, fmt.Sprintf("totals  %-10s %8d", totalRow, rows.Total))
}

// writeOthers mentions the findings after the first.
func (r Report) writeOthers(text *strings.Builder) {
	if len(r.Findings) == 1 {
		return
	}
	fmt.Fprintf(text, "\n  And %s; the first is shown in full, all are in the JSON report.\n", count(len(r.Findings)-1, "more finding"))
}
