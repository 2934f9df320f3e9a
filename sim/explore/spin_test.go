package explore_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ackademy/ackademy/sim/explore"
)

// BenchmarkAgainstSpin runs Spin's exhaustive search and ours on the reference
// model in turns, on the same machine at the same time, and reports ratios of
// wall time (ours divided by Spin's): minimum, median and maximum of the
// rounds.
//
//	go test ./sim/explore -run '^$' -bench AgainstSpin -benchtime 5x -timeout 30m
//
// It needs Debian's packages spin and gcc, and skips without them. Our handlers
// come from the scenario file, as everybody's do.
func BenchmarkAgainstSpin(b *testing.B) {
	row := referenceRow{variant: "dedupe", m: 4, c: 3, k: 2, t: 2, states: 3_789_268, transitions: 19_934_234}
	pan := buildPan(b, row)
	type mode struct {
		name    string
		options explore.Options
		states  int
	}
	modes := []mode{
		{"two workers", explore.Options{Workers: 2}, row.states},
		{"one worker", explore.Options{Workers: 1}, row.states},
		{"symmetry", explore.Options{Workers: 2, Symmetry: true}, 52_171},
	}
	ratios := make([][]float64, len(modes))
	bytes := 0.0
	for range b.N {
		spin := runPan(b, pan, row.states)
		round := fmt.Sprintf("spin %v", spin.Round(time.Millisecond))
		for i, m := range modes {
			m.options.MaxStates, m.options.MaxBytes = 20_000_000, 16<<30
			runtime.GC()
			began := time.Now()
			r, err := explore.Run(context.Background(), referenceWorld(b, row), m.options)
			took := time.Since(began)
			if err != nil || r.States != m.states {
				b.Fatalf("%s: %d states, want %d (%v)", m.name, r.States, m.states, err)
			}
			if m.name == "two workers" {
				bytes = float64(r.Bytes) / float64(r.States)
			}
			round += fmt.Sprintf("; %s %v, %.2f", m.name, took.Round(time.Millisecond), took.Seconds()/spin.Seconds())
			ratios[i] = append(ratios[i], took.Seconds()/spin.Seconds())
		}
		b.Log(round)
	}
	lines := "\n"
	for i, m := range modes {
		slices.Sort(ratios[i])
		n := len(ratios[i])
		lines += fmt.Sprintf("%s / Spin: min %.2f, median %.2f, max %.2f of %d rounds\n", m.name, ratios[i][0], ratios[i][n/2], ratios[i][n-1], n)
		b.ReportMetric(ratios[i][n/2], strings.ReplaceAll(m.name, " ", "-")+"/spin")
	}
	b.Log(lines)
	b.ReportMetric(bytes, "B/state")
	b.ReportMetric(0, "ns/op") // a time that mixes all modes would say nothing
}

// buildPan makes Spin's verifier for a row, with its default exhaustive
// depth-first search.
func buildPan(b *testing.B, row referenceRow) string {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			b.Skipf("%s is not installed (Debian: apt-get install spin gcc)", tool)
		}
	}
	dir := b.TempDir()
	model, err := os.ReadFile("testdata/reference/dedupe.pml")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dedupe.pml"), model, 0o600); err != nil {
		b.Fatal(err)
	}
	numbers := []string{"-DM=" + strconv.Itoa(row.m), "-DC=" + strconv.Itoa(row.c), "-DK=" + strconv.Itoa(row.k), "-DT=" + strconv.Itoa(row.t)}
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	run("spin", append(numbers, "-a", "dedupe.pml")...)
	run("gcc", "-O2", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c")
	return filepath.Join(dir, "pan")
}

var storedStates = regexp.MustCompile(`(\d+) states, stored`)

// runPan times one search and checks that it saw as many states as ours does.
func runPan(b *testing.B, pan string, states int) time.Duration {
	cmd := exec.Command(pan, "-m1000000")
	cmd.Dir = filepath.Dir(pan)
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	if err != nil {
		b.Fatalf("pan: %v\n%s", err, out)
	}
	m := storedStates.FindSubmatch(out)
	if m == nil || string(m[1]) != strconv.Itoa(states) {
		b.Fatalf("pan does not report %d stored states:\n%s", states, out)
	}
	return took
}
