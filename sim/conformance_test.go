package sim_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim/profile"
)

// turns are the turns of a delivery that every queue profile has a case for,
// in testdata/conformance. Without a lease nothing can be late.
var turns = []string{"deliver", "ack", "crash", "lease_end", "late_ack", "stale_ack"}

func TestEveryCellHasACase(t *testing.T) {
	for _, q := range profile.Queues() {
		if q.Name == "plain" || q.Name == "redis-streams" {
			continue // no system in particular; a claim instead of leases
		}
		text, err := os.ReadFile("testdata/conformance/" + q.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, turn := range turns {
			timed := turn != "late_ack" && turn != "stale_ack" || q.Knobs.Lease > 0
			if timed && !strings.Contains(string(text), "\ncell "+turn+"\n") {
				t.Errorf("%s has no case of %s", q.Name, turn)
			}
		}
	}
}
