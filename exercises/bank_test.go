package exercises

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// gradeFolder runs the grader on a folder of an exercise, one run at a time: the
// tests themselves go two at a time.
func gradeFolder(t *testing.T, exercise Exercise, folder string, first bool) Report {
	t.Helper()
	start := time.Now()
	report, err := Grade(context.Background(), Options{
		Exercise: exercise.ID,
		Program:  filepath.Join(exercise.Slug, folder),
		Parallel: 1,
		First:    first,
		Limits:   roomy,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s after %.1f s", report.Status, time.Since(start).Seconds())
	return report
}

func show(t *testing.T, report Report) {
	t.Helper()
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	t.Log(text.String())
}

// TestRightAnswersPass: the solution, and programs that solve it differently. A
// grader that knows only one right program is wrong.
func TestRightAnswersPass(t *testing.T) {
	for _, exercise := range List() {
		for _, folder := range append(exercise.Right, exercise.Solution) {
			t.Run(exercise.ID+"/"+folder, func(t *testing.T) {
				t.Parallel()
				report := gradeFolder(t, exercise, folder, false)
				if report.ExitCode() != ExitPassed {
					show(t, report)
					t.Fatal("want passed")
				}
				if exercise.ID == "01" && folder == exercise.Solution {
					checkRecord(t, report)
				}
			})
		}
	}
}

// TestWrongAnswersFail: every program of the bank fails in the stage, with the
// verdict and at the boundary that explain it, and not for some other reason.
func TestWrongAnswersFail(t *testing.T) {
	for _, exercise := range List() {
		for _, wrong := range exercise.Wrong {
			t.Run(exercise.ID+"/"+wrong.Folder, func(t *testing.T) {
				t.Parallel()
				report := gradeFolder(t, exercise, wrong.Folder, true)
				if report.ExitCode() != ExitFailed {
					show(t, report)
					t.Fatal("want failed")
				}
				first := report.Findings[0]
				if report.Verdict != wrong.Verdict || first.Stage != wrong.Stage || !strings.HasPrefix(first.Boundary, wrong.At) {
					show(t, report)
					t.Errorf("want %+v", wrong)
				}
				if first.Found == nil && wrong.Verdict != VerdictStuck {
					t.Error("the finding shows no rows")
				}
				if len(first.Schedule) == 0 || report.Hint == "" {
					t.Error("the finding lacks its schedule or the hint")
				}
			})
		}
	}
}
