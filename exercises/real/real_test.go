//go:build linux || darwin

package real

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// TestMain lets this test's own program be the children of its runs. Folders of
// runs stand in memory where that is possible: a kill loses no page cache, so
// the verdict is the same, and no run waits for a disk.
func TestMain(m *testing.M) {
	WorkerMain()
	outliveMain()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		_ = os.Setenv("TMPDIR", "/dev/shm") // without it the tests are slower
	}
	os.Exit(m.Run())
}

// load reads a scenario afresh: a run uses it up.
func load(t testing.TB, file string) *script.Scenario {
	t.Helper()
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

func scenarios(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios match %s (%v)", pattern, err)
	}
	return files
}

func title(file string) string { return strings.TrimSuffix(filepath.Base(file), ".star") }

// agree plays a schedule and fails unless both worlds come to the same.
func agree(t *testing.T, file string, steps []string, o Options) *Report {
	t.Helper()
	o.Scenario, o.Steps = load(t, file), steps
	report, err := Run(context.Background(), o)
	if err != nil {
		t.Fatalf("%s: %v\nAgain: ackademy run %s --schedule %q --real", file, err, file, schedule.Inline(steps))
	}
	if !report.Agrees() {
		t.Fatal(report.Text()) // ends in the command that replays it
	}
	return report
}

// Stories are runs that read like one: what was killed, what was found, what
// was predicted.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "run" {
				d.Fatalf(t, "there is no command %s", d.Cmd)
			}
			var name string
			d.ScanArgs(t, "scenario", &name)
			steps, err := schedule.Parse(d.Input)
			if err != nil {
				return err.Error()
			}
			report, err := Run(context.Background(), Options{
				Scenario: load(t, "testdata/"+name+".star"), Steps: steps, Stop: d.HasArg("stop"),
			})
			if err != nil {
				return fmt.Sprintf("exit status %d: %v", ExitCode(err), err)
			}
			report.Milliseconds = 0 // not the same twice
			return report.Text()
		})
	})
}

// TestRandomSchedulesAgree plays random schedules, faults included, of the
// scenarios here and of every lesson. Where the schedule ends in mid-handler
// everybody is killed there at every other seed.
func TestRandomSchedulesAgree(t *testing.T) {
	const seeds = 20
	files := append(scenarios(t, "testdata/*.star"), scenarios(t, "../../lessons/[0-9]*/*.star")...)
	for _, file := range append(scenarios(t, "../../lessons/idioms/*.star"), scenarios(t, "../../lessons/casebook/*/*.star")...) {
		if runnable(load(t, file)) == nil { // the others use what has no third world
			files = append(files, file)
		}
	}
	for _, file := range files {
		t.Run(title(file), func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{} // a small scenario has few runs
			for seed := uint64(1); seed <= seeds; seed++ {
				if testing.Short() && seed > 3 {
					break
				}
				random(t, file, seed, seen)
			}
			t.Logf("%d different schedules", len(seen))
		})
	}
}

func random(t *testing.T, file string, seed uint64, seen map[string]bool) {
	t.Helper()
	run := schedule.New(sim.New(load(t, file).Scenario))
	length := 400
	if seed%4 == 0 {
		length = 5 + int(seed) // ends in mid-handler, most likely
	}
	if _, err := run.Random(seed, length); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	stop := seed%8 == 0
	key := fmt.Sprint(stop, run.Steps())
	if seen[key] {
		return
	}
	seen[key] = true
	t.Logf("seed %d: %d steps", seed, run.Len())
	agree(t, file, run.Steps(), Options{Stop: stop})
}

// TestCrashInEveryGap kills each process before each of the calls that it makes
// in the run without faults, and lets the rest happen.
func TestCrashInEveryGap(t *testing.T) {
	for _, file := range scenarios(t, "testdata/*.star") {
		t.Run(title(file), func(t *testing.T) {
			t.Parallel()
			calm := schedule.New(sim.New(load(t, file).Scenario))
			if _, err := calm.Finish(100); err != nil {
				t.Fatal(err)
			}
			kills := 0
			for n := range calm.Len() {
				next := calm.Outcome(n).Proc
				steps, err := calm.World.Steps(calm.At(n))
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range steps {
					if s.Fault != sim.Crash || s.Proc != next || testing.Short() && n%3 != 0 {
						continue
					}
					report := agree(t, file, append(calm.Steps()[:n:n], s.Name), Options{})
					kills += report.Kills
				}
			}
			if kills == 0 {
				t.Error("nobody was killed")
			}
		})
	}
}
