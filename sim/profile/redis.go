package profile

import "github.com/ackademy/ackademy/sim"

func redisStreams() Queue {
	return Queue{
		Name:  "redis-streams",
		Title: "Redis Streams 7.0, consumer group with a pending entries list",
		Knobs: sim.Queue{
			Profile:    "redis-streams",
			Boundary:   sim.Request,
			Ordered:    true,
			AckAnswers: true,
			StaleAck:   sim.StaleSettles,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
			QueueRules: sim.QueueRules{LateAck: sim.StaleSettles, NoNackDelay: true, NoPostDelay: true, NoPostTTL: true},
		},
		Facts: []Fact{
			{"boundary", "XACK names group and entry and no connection, so a lost message concerns only its own call.", "redis src/t_stream.c, xackCommand; our reading"},
			{"ordered", "The stream's order to the group as a whole; consumers pass each other.", "redis-doc docs/data-types/streams.md; R-RED-5"},
			{"ack", "XACK is answered with the number of entries that it took out of the pending list. It doesn't delete the entry, which nobody of the group gets again.", "redis-doc commands/xack.md; R-RED-3"},
			{"stale_ack", "XACK doesn't look who has the entry: the ack of one who lost the claim settles it for everybody and is answered with 1.", "redis src/t_stream.c, xackCommand; R-RED-3"},
			{"lease", "There is none: an entry stays with its consumer until somebody acks or claims it.", "redis-doc docs/data-types/streams.md; R-RED-2"},
			{"disconnect_requeues", "A lost connection leaves the entry with the dead consumer's name.", "redis-doc docs/data-types/streams.md; R-RED-2"},
			{"prefetch", "Nothing limits how many entries a consumer holds.", "our reading of redis-doc commands/xreadgroup.md"},
			{"on_error", "Nothing happens; the entry stays pending. There is no nack before 8.8.", "redis-doc docs/data-types/streams.md"},
			{"counter", "The delivery count is 1 at the first reading and rises with each XCLAIM or XAUTOCLAIM.", "redis-doc commands/xpending.md; R-RED-2"},
			{"max_deliveries", "None: the application moves entries whose count is high.", "redis-doc docs/data-types/streams.md"},
		},
	}
}
