package explore_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/ackademy/ackademy/sim/explore"
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
