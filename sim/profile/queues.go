package profile

import "github.com/ackademy/ackademy/sim"

// Queues returns the queue profiles in the order in which they are shown.
func Queues() []Queue {
	return []Queue{plainQueue(), rabbitClassic(), rabbitQuorum(), sqsStandard(), sqsFIFO(), pubsub(), pubsubExactlyOnce(), jetstream(), redisStreams()}
}

const sourceOurs = "the world's own neutral rules"

func plainQueue() Queue {
	return Queue{
		Name:  "plain",
		Title: "no system in particular: the fewest rules that a queue needs",
		Knobs: sim.Queue{
			Profile:            "plain",
			Boundary:           sim.Connection,
			StaleAck:           sim.StaleIgnored,
			DisconnectRequeues: true,
			OnError:            sim.RuleRequeue,
			QueueRules: sim.QueueRules{
				LateAck:     sim.StaleIgnored,
				StaleNack:   sim.StaleIgnored,
				BuriesAged:  true,
				Cancellable: true,
				Mandatory:   true,
				LosesLight:  true,
			},
		},
		Facts: []Fact{
			{"ordered", "Any ready message may be delivered next.", sourceOurs},
			{"ack", "A settle is sent and not answered.", sourceOurs},
			{"stale_ack", "A settle from an attempt that no longer holds the message does nothing.", sourceOurs},
			{"lease", "A delivery belongs to its consumer until it settles or its connection ends.", sourceOurs},
			{"disconnect_requeues", "The end of a connection gives back what it held.", sourceOurs},
			{"on_error", "A handler that fails gives its message back at once.", sourceOurs},
			{"delay", "A publish and a nack may name a delay, and what nobody holds can be taken back.", sourceOurs},
			{"durable", "A restart of the broker loses connections and transient messages, and may lose what was not confirmed yet.", sourceOurs},
		},
	}
}

// At returns the rules of a version of the system, and whether that version is
// known. "" is the newest one.
func (q Queue) At(version string) (sim.Queue, bool) {
	knobs := q.Knobs
	if version == "" {
		return knobs, true
	}
	for _, v := range q.Versions {
		if v.Name == version {
			if v.change != nil {
				v.change(&knobs)
			}
			return knobs, true
		}
	}
	return knobs, false
}
