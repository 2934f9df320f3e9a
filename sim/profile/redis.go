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
			Extend:     sim.ExtendsIdle,
			QueueRules: sim.QueueRules{
				LateAck:     sim.StaleSettles,
				NoNack:      true,
				NoReject:    true,
				NoNackDelay: true,
				NoPostDelay: true,
				NoPostTTL:   true,
				Volatile:    true,
			},
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
			{"counter", "The delivery count is 1 at the first reading and rises with each XCLAIM or XAUTOCLAIM, but for those with JUSTID.", "redis-doc commands/xpending.md and xclaim.md; R-RED-2"},
			{"extend", "XCLAIM to oneself makes the entry one's own and its idle time begin anew, also if somebody else has claimed it meanwhile. It takes no length.", "redis-doc commands/xclaim.md; our reading"},
			{"max_deliveries", "None: the application moves entries whose count is high.", "redis-doc docs/data-types/streams.md"},
			{"dead_letter", "There is neither a call that gives an entry back before 8.8 nor one that gives up on it: the application adds it to another stream and acks it.", "redis-doc docs/data-types/streams.md; redis.io XNACK"},
			{"durable", "The append-only file is off by default, and then a killed server comes back without the stream, or with that of the last snapshot; with the file the stream and its pending list come back: durable = True.", "redis-doc docs/management/persistence.md; R-RED-6"},
		},
	}
}
