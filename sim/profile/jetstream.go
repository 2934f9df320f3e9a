package profile

import "github.com/ackademy/ackademy/sim"

func jetstream() Queue {
	return Queue{
		Name:  "jetstream",
		Title: "NATS JetStream, pull consumer on a work queue, explicit acks",
		Knobs: sim.Queue{
			Profile:          "jetstream",
			Boundary:         sim.Request,
			Ordered:          true,
			StaleAck:         sim.StaleSettles,
			Lease:            30,
			Counter:          sim.CountsDeliveries,
			KeepsOvercounted: true,
			OnError:          sim.RuleNothing,
			Extend:           sim.ExtendsAnew,
			QueueRules: sim.QueueRules{
				LateAck:      sim.StaleSettles,
				StaleNack:    sim.StaleSettles,
				Requeue:      sim.RequeueFront,
				BackoffLease: true,
				DropsHeld:    true,
				Dedupe:       120,
				Cancellable:  true,
				UnboundFails: true,
			},
		},
		Facts: []Fact{
			{"boundary", "Losing the connection doesn't shorten AckWait, so a lost message concerns only its own call.", "R-NATS-5"},
			{"ordered", "Stream order; messages that are due again go out before new ones.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-7"},
			{"ack", "A plain ack is sent without an answer; ack = \"answer\" is the double ack.", "nats.docs using-nats/jetstream/model_deep_dive.md; R-NATS-4"},
			{"stale_ack", "An ack is matched by stream sequence alone: an old attempt's ack settles the message for everybody, an old attempt's nak makes one more delivery at once.", "nats-server server/consumer.go; R-NATS-3"},
			{"lease", "AckWait is 30 seconds unless set.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-2"},
			{"backoff", "BackOff replaces AckWait, one length per delivery, and applies to timeouts only: a nak makes the message ready at once.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-4 and R-NATS-6"},
			{"disconnect_requeues", "A closed connection leaves the message with the dead consumer until AckWait ends.", "R-NATS-5"},
			{"prefetch", "MaxAckPending (1,000) counts over all clients of a consumer, so no client has a limit of its own.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-7"},
			{"on_error", "Nothing happens until AckWait ends.", "R-NATS-4"},
			{"counter", "num_delivered counts every delivery, from 1.", "R-NATS-4"},
			{"max_deliveries", "MaxDeliver is unlimited unless set; after it the message stays in the stream and is delivered no more. A late ack still removes it.", "R-NATS-6"},
			{"extend", "+WPI begins AckWait anew; one from an attempt that lost the message extends it for whoever has it.", "nats-server server/consumer.go; R-NATS-3, R-NATS-4"},
			{"dead_letter", "None: after MaxDeliver an advisory names the message. dead_letter is what a program that listens to it would do.", "R-NATS-6"},
			{"delay", "-NAK may name a delay; a delayed publish needs a stream that allows message schedules.", "nats.docs using-nats/jetstream/model_deep_dive.md; nats-architecture-and-design, ADR-51"},
			{"ttl", "MaxAge removes a message whatever became of it, and nobody is told.", "nats.docs nats-concepts/jetstream/streams.md; R-NATS-2"},
			{"dedupe", "A message whose Nats-Msg-Id was stored in the last two minutes is not stored again; the reply says duplicate. It is still recognised after the message was consumed, and after a restart.", "R-NATS-1 and R-NATS-9"},
			{"bound", "A publish to a subject that no stream has gets the error no responders.", "R-NATS-10"},
			{"durable", "File storage survives the kill of a server, for what was confirmed; what is outstanding stays so until AckWait ends.", "R-NATS-9"},
		},
	}
}
