package lessons_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// The casebook tells incidents that happened: a folder each, with the text
// case.md and the scenarios broken.star and fixed.star. casebook/verdicts.txt
// says what each form must show, no more and no less; broken.schedule
// (one for each broken form) is the mechanism of the incident, step by step, and
// must lead to the verdict.

// row is a line of casebook/verdicts.txt.
type row struct {
	form     string   // i03-ack-deadline/broken; with #2 behind it, the second block
	verdicts []string // property=faults needed; done_once=unreached
}

func rows(t *testing.T) []row {
	text, err := os.ReadFile("casebook/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []row
	for _, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, row{fields[0], fields[1:]})
	}
	return list
}

func TestContentCasebook(t *testing.T) {
	known := map[string]bool{}
	for _, r := range rows(t) {
		name, block, _ := strings.Cut(r.form, "#")
		known[name] = true
		t.Run(r.form, func(t *testing.T) {
			t.Parallel()
			sc := loadForm(t, name)
			blocks := sc.Blocks()
			n := 1
			if block != "" {
				if _, err := fmt.Sscan(block, &n); err != nil {
					t.Fatal(err)
				}
			}
			if n > len(blocks) || block == "" && len(blocks) > 1 {
				t.Fatalf("%s has %d blocks: each needs a line of its own, %s#1", name, len(blocks), name)
			}
			r.check(t, sc.Under(blocks[n-1]))
		})
	}
	forms, err := filepath.Glob("casebook/i*/*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range forms {
		if name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(form), "casebook/"), ".star"); !known[name] {
			t.Errorf("verdicts.txt has no line for %s", name)
		}
	}
}

func loadForm(t *testing.T, name string) *script.Scenario {
	file := filepath.Join("casebook", filepath.FromSlash(name)+".star")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := script.Load(file, src)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// check compares all that a search finds with the line.
func (r row) check(t *testing.T, sc *script.Scenario) {
	report, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Complete() || report.States > most {
		t.Errorf("%d states, complete: %v; a case that needs more than %d tells too much", report.States, report.Complete(), most)
	}
	var found []string
	for _, f := range report.Findings {
		switch {
		case f.Status == explore.Violated:
			found = append(found, fmt.Sprintf("%s=%d", f.Property, f.Needs))
		case f.Status == explore.Unreached:
			found = append(found, "done_once=unreached")
		}
	}
	slices.Sort(found)
	want := slices.Clone(r.verdicts)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("found %v, claimed %v", found, want)
		for _, f := range report.Findings {
			if f.Status == explore.Violated {
				t.Logf("%s: %s", f.Property, schedule.Inline(f.Schedule))
			}
		}
	}
}

// The mechanism is a schedule of its own: that some schedule shows the verdict
// would be luck.
func TestContentCasebookMechanisms(t *testing.T) {
	for _, r := range rows(t) {
		if !strings.HasPrefix(r.form[strings.Index(r.form, "/"):], "/broken") {
			continue
		}
		t.Run(r.form, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("casebook", filepath.FromSlash(r.form)+".schedule"))
			if err != nil {
				t.Fatal(err)
			}
			steps, err := schedule.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			sc := loadForm(t, r.form)
			run, err := schedule.Replay(sim.New(sc.Scenario), steps)
			if err != nil {
				t.Fatal(err)
			}
			end, err := explore.Judge(run.World, run.State(), most)
			if err != nil {
				t.Fatal(err)
			}
			shown := false
			for _, p := range sim.Properties()[:sim.DoneOnce] {
				claimed := slices.ContainsFunc(r.verdicts, func(v string) bool { return strings.HasPrefix(v, p.String()+"=") })
				shown = shown || claimed && sc.Forbidden[p] && end.Verdicts.Of[p] != 0
			}
			if !shown {
				t.Errorf("the mechanism shows none of %v", r.verdicts)
			}
		})
	}
}

var caseParts = []string{"## What happened", "## Mechanism", "## Verdict", "## Fix", "## What stays", "## Source"}

var thread = regexp.MustCompile(`[\w.-]+/[\w.-]+(#| PR #)[0-9]+`)

// Every case is told in full and names a public thread.
func TestContentCasebookTexts(t *testing.T) {
	folders, err := filepath.Glob("casebook/i*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		text, err := os.ReadFile(filepath.Join(folder, "case.md"))
		if err != nil {
			t.Error(err)
			continue
		}
		rest := string(text)
		if !strings.HasPrefix(rest, "# ") {
			t.Errorf("%s/case.md: a case opens with its title", folder)
		}
		for _, part := range caseParts {
			_, after, ok := strings.Cut(rest, part+"\n")
			if !ok || strings.TrimSpace(strings.SplitN(after, "\n## ", 2)[0]) == "" {
				t.Errorf("%s/case.md: %q is missing, empty or out of order", folder, part)
				break
			}
			rest = after
		}
		if !thread.MatchString(rest) {
			t.Errorf("%s/case.md: no thread is named as owner/name#12", folder)
		}
	}
}
