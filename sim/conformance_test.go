package sim_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim/profile"
)

// cells are what every profile has a case for, in testdata/conformance: the
// turns of a delivery, and what systems are compared by. Where a system has
// none of it, the case shows that the language refuses it, or that nothing
// happens.
var cells = []string{
	"deliver", "ack", "nack", "give_up", "extend", "lease_expires", "crash", "disconnect",
	"late_ack", "stale_ack", "stale_nack", "count_over", "broker_kill",
	"lease", "stale_ack_removes", "counter", "dead_letter", "deliveries_before_dead_letter",
}

// logCells are what a consumer group of a log is asked besides.
var logCells = []string{
	"session_timeout", "poll_timeout", "stale_commit_refused", "never_removes", "cumulative_commit", "read_committed", "batch",
}

func TestEveryCellHasACase(t *testing.T) {
	profiles := map[string][]string{}
	for _, q := range profile.Queues() {
		if q.Name != "plain" { // no system in particular
			profiles[q.Name] = cells
		}
	}
	for _, l := range profile.Logs() {
		profiles[l.Name] = append(append([]string(nil), cells...), logCells...)
	}
	for name, want := range profiles {
		cases := casesOf(t, name)
		for _, cell := range want {
			text, there := cases[cell]
			switch {
			case !there:
				t.Errorf("%s has no case of %s", name, cell)
			case !strings.Contains(text, "\nlook"):
				t.Errorf("%s doesn't show what becomes of the message in the case of %s", name, cell)
			case !strings.Contains(text, "\ntold\n") && !strings.Contains(text, "\nsteps") && !strings.Contains(text, "\nerror: "):
				t.Errorf("%s doesn't show who is told what in the case of %s", name, cell)
			}
		}
	}
}

// casesOf cuts the script of a profile into its cases, by cell. A case may be
// that of several cells: "cell crash disconnect".
func casesOf(t *testing.T, name string) map[string]string {
	text, err := os.ReadFile("testdata/conformance/" + name)
	if err != nil {
		t.Error(err)
		return nil
	}
	cases := map[string]string{}
	for _, part := range strings.Split(string(text), "\ncell ")[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		for _, cell := range strings.Fields(title) {
			cases[cell] = rest
		}
	}
	return cases
}
