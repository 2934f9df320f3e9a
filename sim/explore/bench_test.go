package explore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/explore"
	"github.com/ackademy/ackademy/sim/script"
)

// BenchmarkReference explores the reference model at the size that speed is
// measured on, from its scenario file. Reported beside the time: states and
// bytes per state.
func BenchmarkReference(b *testing.B) {
	for _, row := range referenceRows(b) {
		if row.states != 3_789_268 && row.states != 556_766 {
			continue
		}
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", row, workers), func(b *testing.B) {
				for range b.N {
					r, err := explore.Run(context.Background(), referenceWorld(b, row), explore.Options{
						MaxStates: 20_000_000, MaxBytes: 16 << 30, Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					if r.States != row.states || r.Transitions != row.transitions {
						b.Fatalf("%d states and %d transitions, want %d and %d", r.States, r.Transitions, row.states, row.transitions)
					}
					b.ReportMetric(float64(r.States), "states")
					b.ReportMetric(float64(r.Bytes)/float64(r.States), "B/state")
				}
			})
		}
	}
}

// BenchmarkLessons is the time from a shipped scenario's text to the full
// answer: every verdict at the shipped budget, and the window map.
func BenchmarkLessons(b *testing.B) {
	files, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil || len(files) == 0 {
		b.Fatal("no scenarios")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(f), func(b *testing.B) {
			for range b.N {
				sc, err := script.Load(f, text)
				if err != nil {
					b.Fatal(err)
				}
				r, err := explore.Run(context.Background(), sim.New(sc.Scenario), explore.Options{})
				if err != nil {
					b.Fatal(err)
				}
				c, locate := located(sc)
				m, err := explore.Windows(context.Background(), c, locate, explore.Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.States), "states")
				b.ReportMetric(float64(m.States), "map-states")
			}
		})
	}
}
