package script

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
)

// TestWindowsBesideTheText prints what a handler's text holds and the marks
// beside it. Commands:
//
//	sites               the calls in the text of each handler
//	windows states=n    the window map, after at most n states
func TestWindowsBesideTheText(t *testing.T) {
	datadriven.Walk(t, "testdata/windows", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s, err := Load("windows.star", []byte(d.Input+"\n"))
			if err != nil {
				return err.Error() + "\n"
			}
			if d.Cmd == "sites" {
				return printSites(s)
			}
			var o explore.Options
			if d.HasArg("states") {
				d.ScanArgs(t, "states", &o.MaxStates)
			}
			m, err := s.Windows(context.Background(), o)
			if err != nil {
				return err.Error() + "\n"
			}
			return printWindows(m)
		})
	})
}

func printSites(s *Scenario) string {
	var b strings.Builder
	for h, name := range s.Handlers {
		fmt.Fprintln(&b, name)
		for _, c := range s.CallSites(sim.HandlerID(h)) {
			fmt.Fprintf(&b, "  %d:%d %s: %s\n", c.Line, c.Col, c.Call, c.Text)
		}
	}
	return b.String()
}

func printWindows(m *WindowMap) string {
	var b strings.Builder
	for _, v := range m.Always {
		fmt.Fprintf(&b, "without a fault: %s\n", v.Property)
	}
	for _, h := range m.Handlers {
		fmt.Fprintf(&b, "%s, run by %s, lines %v\n", h.Name, strings.Join(h.Processes, " "), h.Lines)
		for _, g := range h.Gaps {
			fmt.Fprintf(&b, "  %d:%d before %s", g.Line, g.Col, g.Call)
			if g.Occurrences != nil {
				fmt.Fprintf(&b, " %v", g.Occurrences)
			}
			b.WriteByte(':')
			for _, f := range g.Faults {
				fmt.Fprintf(&b, " %s %s", f.Kind, f.Mark)
				for _, v := range f.Verdicts {
					fmt.Fprintf(&b, "/%s", v.Property)
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func lessonFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lessons: %v", err)
	}
	return files
}

// TestWindowSchedules: each schedule of the maps of all lessons replays in the
// scenario as it is, given a budget of that one fault, and ends in its
// verdict, with no other fault in it and none of another kind.
func TestWindowSchedules(t *testing.T) {
	for _, file := range lessonFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mustLoad(t, string(text)).Windows(context.Background(), explore.Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		ends := func(v explore.WindowVerdict, k sim.FaultKind, faults int) {
			s := mustLoad(t, string(text))
			s.Faults = sim.Faults{Total: faults}
			s.Faults.Limit[k] = faults
			run, err := schedule.Replay(sim.New(s.Scenario), v.Schedule)
			if err != nil {
				t.Fatalf("%s: %s by %s: %v", file, v.Property, k, err)
			}
			end, err := explore.Judge(run.World, run.State(), 50_000)
			if err != nil || end.Verdicts.Of[v.Property] == 0 || run.World.FaultsUsed(run.State()) != faults {
				t.Errorf("%s: the schedule of %s by %s doesn't end in it: %v (%v)", file, v.Property, k, v.Schedule, err)
			}
		}
		for _, v := range m.Always {
			ends(v, sim.NoFault, 0)
		}
		for _, h := range m.Handlers {
			for _, g := range h.Gaps {
				for _, f := range g.Faults {
					for _, v := range f.Verdicts {
						ends(v, f.Kind, 1)
					}
				}
			}
		}
	}
}

// TestCallSitesAreCalls: wherever a run of a lesson comes, the text's list of
// calls knows the place under the same name. So a call that the list has and
// no run comes to is unreached, not merely called something else.
func TestCallSitesAreCalls(t *testing.T) {
	for _, file := range lessonFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := mustLoad(t, string(text))
		m, err := s.Windows(context.Background(), explore.Options{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, h := range m.Handlers {
			known := map[CallSite]bool{}
			for _, c := range s.CallSites(h.ID) {
				known[c] = true
			}
			for _, g := range h.Gaps {
				if !g.End && !known[g.CallSite] {
					t.Errorf("%s: %s comes to %+v, which its text doesn't list", file, h.Name, g.CallSite)
				}
			}
		}
	}
}
