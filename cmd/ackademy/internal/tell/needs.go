// Package tell puts into words what a search found, for the command line and the
// page alike: how little a verdict takes (Needs), and what a reader would
// otherwise trip over (Remarks). It returns plain text and decides nothing.
package tell

import (
	"fmt"
	"strings"

	"github.com/ackademy/ackademy/sim"
)

// Needs puts a smallest budget into words: "no fault at all", "one crash
// or one lost reply", "two crashes".
func Needs(n int, budgets [][]sim.FaultKind) string {
	if n == 0 {
		return "no fault at all"
	}
	var ways []string
	for _, kinds := range budgets {
		var parts []string
		for i := 0; i < len(kinds); {
			same := i
			for i < len(kinds) && kinds[i] == kinds[same] {
				i++
			}
			parts = append(parts, faultCount(i-same, kinds[same]))
		}
		ways = append(ways, strings.Join(parts, " and "))
	}
	switch len(ways) {
	case 0:
		return plural(n, "fault")
	case 1:
		return ways[0]
	}
	return strings.Join(ways[:len(ways)-1], ", ") + " or " + ways[len(ways)-1]
}

// faultNouns are the kinds as something that happens once, and several times.
var faultNouns = map[sim.FaultKind][2]string{
	sim.Crash: {"crash", "crashes"}, sim.LostRequest: {"lost request", "lost requests"}, sim.LostReply: {"lost reply", "lost replies"},
	sim.RefusedCall: {"refused call", "refused calls"}, sim.ConnectionLost: {"lost connection", "lost connections"},
	sim.Late: {"late request", "late requests"}, sim.Outage: {"outage", "outages"},
	sim.Stall: {"stall", "stalls"}, sim.EarlyExpiry: {"early expiry", "early expiries"},
	sim.BrokerRestart: {"broker restart", "broker restarts"}, sim.Surprise: {"surprise", "surprises"},
	sim.DatabaseRestart: {"database restart", "database restarts"}, sim.Stop: {"orderly stop", "orderly stops"},
}

func faultCount(n int, k sim.FaultKind) string {
	words := [...]string{1: "one", 2: "two", 3: "three", 4: "four"}
	switch {
	case n == 1:
		return words[n] + " " + faultNouns[k][0]
	case n < len(words):
		return words[n] + " " + faultNouns[k][1]
	}
	return fmt.Sprintf("%d %s", n, faultNouns[k][1])
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
