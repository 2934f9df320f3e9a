package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// located prepares a scenario for a window map.
func located(sc *script.Scenario) (*sim.Scenario, explore.Locate) {
	c, site := sc.WithSites(explore.OneFault())
	return c, func(h sim.HandlerID, n sim.Node, settling bool) explore.Gap {
		at := site(n)
		g := explore.Gap{Handler: c.Handlers[h], Line: at.Line, Call: c.Label(at.Call), Occurrence: at.Occurrence}
		if settling {
			g.Call = "settle by rule"
		}
		return g
	}
}

// The window maps of the first lessons, as they are known.
func TestWindowMaps(t *testing.T) {
	datadriven.Walk(t, "testdata/windows", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := []byte(d.Input)
			if d.HasArg("file") {
				var file string
				d.ScanArgs(t, "file", &file)
				src, err := os.ReadFile("../../lessons/" + file)
				if err != nil {
					t.Fatal(err)
				}
				text = src
			}
			sc, err := script.Load("windows.star", text)
			if err != nil {
				return "error: " + err.Error()
			}
			c, locate := located(sc)
			m, err := explore.Windows(context.Background(), c, locate, explore.Options{})
			if err != nil {
				return "error: " + err.Error()
			}
			return printMap(m)
		})
	})
}

func printMap(m *explore.WindowMap) string {
	var b strings.Builder
	for _, v := range m.Always {
		fmt.Fprintf(&b, "without a fault: %s in %d steps\n", v.Property, len(v.Schedule))
	}
	for _, w := range m.Windows {
		fmt.Fprintf(&b, "%s:%d before %s", w.Handler, w.Line, w.Call)
		if w.Occurrence > 1 {
			fmt.Fprintf(&b, " (%d)", w.Occurrence)
		}
		b.WriteByte('\n')
		for _, f := range w.Faults {
			if f.Mark == explore.MarkNone {
				continue
			}
			fmt.Fprintf(&b, "  %s: %s", f.Kind, f.Mark)
			for _, v := range f.Verdicts {
				fmt.Fprintf(&b, " %s(%d)", v.Property, len(v.Schedule))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// directMap works the marks of a window map out by looking at every fault edge
// of the slow explorer and at all that lies behind it.
func directMap(t *testing.T, c *sim.Scenario, locate explore.Locate) (string, bool) {
	t.Helper()
	o, err := newOracle(sim.New(c), 500)
	if err != nil {
		t.Fatal(err)
	}
	if o == nil {
		return "", false
	}
	leads := o.leads(o.calm)
	helped := o.leads(o.calm, o.acts)
	plain := map[int]bool{}
	for _, n := range o.future(0) {
		plain[n] = true
	}
	marks := map[string]uint16{}
	for n, s := range o.list {
		steps, err := o.w.StepsAfresh(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if !step.Fault.Strikes() {
				continue
			}
			node, settling := o.w.NodeAt(s, int(step.Proc))
			if node == 0 {
				continue
			}
			next := make(sim.State, len(s))
			step.Into(next, s)
			key := fmt.Sprintf("%v %s", locate(o.w.HandlerAt(s, int(step.Proc)), node, settling), step.Fault)
			to := o.index[fmt.Sprint(next)]
			marks[key] |= helped(to) &^ helped(0)
			if plain[n] {
				marks[key] |= leads(to) &^ leads(0)
			}
		}
	}
	return sortedMarks(marks), true
}

// leads returns what tells the verdicts that a state or anything behind it along
// some edges shows.
func (o *oracle) leads(edges ...[][]int) func(n int) uint16 {
	led := map[int]uint16{}
	return func(n int) (set uint16) {
		if set, known := led[n]; known {
			return set
		}
		for _, f := range o.walk(n, edges...) {
			for p, intents := range o.verdicts(f).Of {
				if intents != 0 {
					set |= 1 << p
				}
			}
		}
		led[n] = set
		return set
	}
}

func sortedMarks(marks map[string]uint16) string {
	var lines []string
	for key, set := range marks {
		lines = append(lines, fmt.Sprintf("%s %09b", key, set))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

func marksOf(m *explore.WindowMap) string {
	marks := map[string]uint16{}
	for _, w := range m.Windows {
		for _, f := range w.Faults {
			if f.Mark == explore.MarkNone {
				continue
			}
			set := uint16(0)
			for _, v := range f.Verdicts {
				set |= 1 << v.Property
			}
			marks[fmt.Sprintf("%v %s", w.Gap, f.Kind)] = set
		}
	}
	return sortedMarks(marks)
}

// Nothing is worse than a wrong mark.
func TestWindowMarksAgreeWithDirectSearch(t *testing.T) {
	compared := 0
	for seed := uint64(0); compared < 60; seed++ {
		text := []byte(randomScenario(rand.New(rand.NewPCG(seed, 3))))
		sc, err := script.Load("random", text)
		if err != nil {
			t.Fatal(err)
		}
		c, locate := located(sc)
		m, err := explore.Windows(context.Background(), c, locate, explore.Options{MaxStates: 20_000})
		if err != nil {
			continue // a mistake in the random text
		}
		direct, small := directMap(t, c, locate)
		if !small {
			continue
		}
		compared++
		if got := marksOf(m); got != direct {
			t.Fatalf("seed %d: the map says\n%s\ndirect search says\n%s\n%s", seed, got, direct, text)
		}
		replayMarks(t, c, m)
		if testing.Short() && compared > 20 {
			return
		}
	}
}

// The same for what is shipped and for the stories, which use everything that
// the language has.
func TestWindowMarksOfExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	compared := 0
	for _, e := range corpus(t) {
		sc, err := script.Load(e.name, []byte(e.text))
		if err != nil {
			t.Fatal(err)
		}
		c, locate := located(sc)
		m, err := explore.Windows(context.Background(), c, locate, explore.Options{MaxStates: 20_000})
		if err != nil {
			continue // the story of a mistake
		}
		replayMarks(t, c, m)
		direct, small := directMap(t, c, locate)
		if !small {
			continue
		}
		compared++
		if got := marksOf(m); got != direct {
			t.Fatalf("%s: the map says\n%s\ndirect search says\n%s\n%s", e.name, got, direct, e.text)
		}
	}
	if compared < 100 {
		t.Errorf("only %d maps were small enough", compared)
	}
}

// replayMarks takes each mark's schedule and looks at where it ends.
func replayMarks(t *testing.T, one *sim.Scenario, m *explore.WindowMap) {
	t.Helper()
	for _, w := range m.Windows {
		for _, f := range w.Faults {
			for _, v := range f.Verdicts {
				run, err := schedule.Replay(sim.New(one), v.Schedule)
				if err != nil {
					t.Fatalf("%v %s: %v", w.Gap, f.Kind, err)
				}
				faults := 0
				for i := range run.Len() {
					if k := run.Outcome(i).Fault; k.Strikes() {
						faults++
						if k != f.Kind {
							t.Errorf("%v: a %s in the schedule of a %s", w.Gap, k, f.Kind)
						}
					}
				}
				end, err := explore.Judge(run.World, run.State(), 50_000)
				if err != nil || faults != 1 || end.Verdicts.Of[v.Property] == 0 {
					t.Errorf("%v %s: the schedule for %s has %d faults and does not end in it (%v)", w.Gap, f.Kind, v.Property, faults, err)
				}
			}
		}
	}
}
