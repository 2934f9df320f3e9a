package explore_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// referenceRow is a row of the reference model: four independent tools agree
// on its counts.
type referenceRow struct {
	variant             string
	single              bool
	m, c, k, t          int
	states, transitions int
}

// referenceRows reads testdata/reference/counts.txt.
func referenceRows(t testing.TB) []referenceRow {
	f, err := os.Open("testdata/reference/counts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []referenceRow
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Fields(in.Text())
		if len(fields) != 8 || fields[0] == "#" {
			continue
		}
		n := make([]int, 8)
		for i := 2; i < 8; i++ {
			if n[i], err = strconv.Atoi(fields[i]); err != nil {
				t.Fatalf("%s: %v", in.Text(), err)
			}
		}
		rows = append(rows, referenceRow{fields[0], fields[1] == "single", n[2], n[3], n[4], n[5], n[6], n[7]})
	}
	return rows
}

// referenceWorld loads a variant's scenario file with other numbers at its
// top.
func referenceWorld(t testing.TB, r referenceRow) *sim.World {
	file := filepath.Join("testdata", "reference", r.variant+".star")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	set := func(name, value string) {
		line := regexp.MustCompile(`(?m)^` + name + ` = .*$`)
		if !line.MatchString(text) {
			t.Fatalf("%s sets no %s", file, name)
		}
		text = line.ReplaceAllString(text, name+" = "+value)
	}
	set("M", strconv.Itoa(r.m))
	set("C", strconv.Itoa(r.c))
	set("K", strconv.Itoa(r.k))
	set("T", strconv.Itoa(r.t))
	if r.single {
		set("DATABASE", `"sqlite"`)
	}
	sc, err := script.Load(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sim.New(sc.Scenario)
}

func (r referenceRow) String() string {
	writer := "keys"
	if r.single {
		writer = "single"
	}
	return fmt.Sprintf("%s/%s/M%dC%dK%dT%d", r.variant, writer, r.m, r.c, r.k, r.t)
}

// The counts are the conformance test of world and explorer: a step too many
// or too few anywhere changes them.
func TestReferenceModel(t *testing.T) {
	const short = 20_000
	for _, row := range referenceRows(t) {
		if row.states > 100_000 || testing.Short() && row.states > short {
			continue // the benchmark runs the large ones
		}
		t.Run(row.String(), func(t *testing.T) {
			r, err := explore.Run(context.Background(), referenceWorld(t, row), explore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.States != row.states || r.Transitions != row.transitions {
				t.Errorf("%d states and %d transitions, want %d and %d", r.States, r.Transitions, row.states, row.transitions)
			}
			checkReferencePaths(t, row, r)
		})
	}
}

// checkReferencePaths holds the lengths of the shortest violating paths.
func checkReferencePaths(t *testing.T, row referenceRow, r *explore.Report) {
	lost, twice := r.Finding(sim.Lost), r.Finding(sim.Duplicated)
	wantLost, wantTwice := 0, 0
	if row.k > 0 && row.variant == "naive" {
		wantTwice = 10
	}
	if row.k > 0 && row.variant == "ack-first" {
		wantLost = 4
	}
	if len(lost.Schedule) != wantLost {
		t.Errorf("lost after %d steps, want %d: %q", len(lost.Schedule), wantLost, lost.Schedule)
	}
	if len(twice.Schedule) != wantTwice {
		t.Errorf("duplicated after %d steps, want %d: %q", len(twice.Schedule), wantTwice, twice.Schedule)
	}
	if goal := r.Finding(sim.DoneOnce).Status; goal != explore.Reached {
		t.Errorf("the goal is %s", goal)
	}
}
