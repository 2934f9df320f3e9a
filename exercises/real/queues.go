package real

import (
	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/script"
)

// brokerRunnable refuses what the referee's broker does not play: it keeps
// messages, deliveries and leases, and nothing finer.
func brokerRunnable(sc *script.Scenario) error {
	for _, q := range sc.Queues {
		what := ""
		switch {
		case q.Delays:
			what = "delays messages"
		case q.Ages:
			what = "lets messages grow old"
		case q.Dedupe > 0 && (q.DedupesBody || sc.NamesMessages):
			what = "recognises duplicates"
		case q.Groups:
			what = "has groups"
		case q.Unbound || q.MaxLength > 0:
			what = "doesn't take every message"
		case len(q.Backoff) > 0:
			what = "has leases of different lengths"
		}
		if what != "" {
			return inputError("not_for_real", "Play it in the simulator, or leave that rule out.", nil, "%s: the queue %s %s, which real runs don't", sc.Filename, q.Name, what)
		}
	}
	switch {
	case sc.Sends:
		return inputError("not_for_real", "Publish with publish(...).", nil, "%s: a handler sends without waiting for the confirm and asks for it later, which real runs don't", sc.Filename)
	case sc.Cancels:
		return inputError("not_for_real", "Play it in the simulator.", nil, "%s: a handler takes a message back, which real runs don't", sc.Filename)
	case sc.Redrives:
		return inputError("not_for_real", "Play it in the simulator.", nil, "%s: a handler moves messages out of a dead-letter queue, which real runs don't", sc.Filename)
	case sc.Again:
		return inputError("not_for_real", "A marker in a table knows whether a message came before.", nil, "%s: a handler asks whether its delivery is a repeated one, which real runs don't tell", sc.Filename)
	}
	for _, p := range sc.Processes {
		if p.KillAfter > 0 || p.Restart > 0 || p.Never || p.HasOnStop {
			return inputError("not_for_real", "A crash of the schedule kills a real process; leave out kill_after, restart and on_stop.", nil, "%s: %s is watched over, or stays down, or is told to stop, which real processes here are not", sc.Filename, p.Name)
		}
	}
	for _, k := range []sim.FaultKind{sim.BrokerRestart, sim.Surprise, sim.DatabaseRestart, sim.Stop} {
		if sc.Faults.Limit[k] > 0 {
			return inputError("not_for_real", "Leave it out of faults(...).", nil, "%s: %s is no fault of real runs", sc.Filename, k)
		}
	}
	return nil
}
