package lessons_test

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// claim is a line of verdicts.txt.
type claim struct {
	scenario string
	verdict  string
	faults   int
}

func claims(t *testing.T) []claim {
	f, err := os.Open("verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []claim
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Fields(in.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 3 {
			t.Fatalf("verdicts.txt: %q has no three columns", in.Text())
		}
		n, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatalf("verdicts.txt: %q: %v", in.Text(), err)
		}
		list = append(list, claim{fields[0], fields[1], n})
	}
	return list
}

// most is the largest state space a shipped scenario may have, so that the
// page can answer while the learner still looks at their edit.
const most = 20_000

func TestContentScenariosShowTheirVerdicts(t *testing.T) {
	for _, c := range claims(t) {
		t.Run(c.scenario, func(t *testing.T) {
			file := filepath.FromSlash(c.scenario + ".star")
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sc, err := script.Load(file, src)
			if err != nil {
				t.Fatal(err)
			}
			w := sim.New(sc.Scenario)
			r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Complete() || r.States > most {
				t.Errorf("%d states, complete: %v; at most %d belong into a lesson", r.States, r.Complete(), most)
			}
			for _, f := range r.Findings {
				c.check(t, w, f)
			}
		})
	}
}

// check holds one property against the claim: the claimed verdict is shown by
// a schedule that replays and has as few faults as claimed, and no other is.
func (c claim) check(t *testing.T, w *sim.World, f explore.Finding) {
	switch f.Property {
	case sim.Unresolved:
		return
	case sim.DoneOnce:
		if f.Status != explore.Reached {
			t.Errorf("no run finishes with every operation done once: %s", f.Status)
		}
		return
	}
	if f.Property.String() != c.verdict {
		if f.Status != explore.Holds {
			t.Errorf("%s is %s: %q", f.Property, f.Status, f.Schedule)
		}
		return
	}
	if f.Status != explore.Violated {
		t.Fatalf("%s is %s", f.Property, f.Status)
	}
	run, err := schedule.Replay(w, f.Schedule)
	if err != nil {
		t.Fatal(err)
	}
	end, err := explore.Judge(w, run.State(), most)
	if err != nil || end.Verdicts.Of[f.Property] == 0 {
		t.Errorf("the schedule ends without the verdict %s (%v): %q", f.Property, err, f.Schedule)
	}
	if f.Needs != c.faults {
		t.Errorf("it takes at least %d faults, claimed are %d", f.Needs, c.faults)
	}
}

func TestContentEveryScenarioHasAClaim(t *testing.T) {
	claimed := map[string]bool{}
	for _, c := range claims(t) {
		claimed[c.scenario] = true
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "casebook" || d.Name() == "idioms") {
			return filepath.SkipDir
		}
		if name, ok := strings.CutSuffix(filepath.ToSlash(path), ".star"); ok && !claimed[name] {
			t.Errorf("verdicts.txt has no line for %s", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
