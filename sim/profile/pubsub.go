package profile

import "github.com/ackademy/ackademy/sim"

// Google Cloud Pub/Sub, pull subscriptions.

func pubsub() Queue {
	return Queue{
		Name:  "pubsub",
		Title: "Google Cloud Pub/Sub, pull subscription with its defaults",
		Knobs: sim.Queue{
			Profile:    "pubsub",
			Boundary:   sim.Request,
			AckAnswers: true,
			StaleAck:   sim.StaleChoice,
			Lease:      10,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
			NoAutoAck:  true,
			QueueRules: sim.QueueRules{
				LateAck:      sim.StaleChoice,
				StaleNack:    sim.StaleIgnored,
				NoReject:     true,
				NoPostDelay:  true,
				NoPostTTL:    true,
				DropsHeld:    true,
				Managed:      true,
				CountsPolicy: true,
				PolicyLimit:  5,
				Reappears:    true,
				Doubles:      true,
				RepeatsKey:   true,
			},
		},
		Facts: []Fact{
			{"boundary", "Every call is a request of its own; the effect of a disconnect is not documented, the deadline governs.", "our reading of pubsub.proto"},
			{"ordered", "Unordered unless the subscription enables ordering.", "docs.cloud.google.com/pubsub, ordering"},
			{"groups", "With ordering, messages of one key come in their order, and while some are outstanding further ones only to the client that has them. With one that comes again the later ones of its key come again too, those included that were acked.", "docs.cloud.google.com/pubsub, ordering; our reading"},
			{"ack", "Acknowledge is answered, but OK doesn't prove that it took effect.", "pubsub.proto, Acknowledge"},
			{"stale_ack", "An ack after the deadline returns OK; it may take effect, and the message may still come again. A nack after it has no effect.", "pubsub.proto, Acknowledge; our reading"},
			{"lease", "The ack deadline is 10 seconds unless set, and approximate.", "pubsub.proto, Subscription"},
			{"disconnect_requeues", "Only the deadline or a nack makes a message come again.", "our reading of pubsub.proto"},
			{"on_error", "Nothing happens until the deadline ends.", "pubsub.proto, Subscription"},
			{"counter", "delivery_attempt is 1 plus nacks and deadline ends, approximately, where a dead-letter policy is set; without one it is 0.", "pubsub.proto, ReceivedMessage"},
			{"max_deliveries", "None without a dead-letter policy; with one, about max_delivery_attempts (5 unless set, up to 100), then the dead-letter topic. The world takes the number to the letter.", "pubsub.proto, DeadLetterPolicy"},
			{"extend", "ModifyAckDeadline counts from the call; client libraries call it by themselves.", "pubsub.proto, ModifyAckDeadline"},
			{"dead_letter", "There is no call that gives up on a message: only its attempts move it.", "pubsub.proto, DeadLetterPolicy"},
			{"backoff", "A retry policy delays what is redelivered, from 10 to 600 seconds; without one it comes at once.", "pubsub.proto, RetryPolicy"},
			{"delay", "A publish knows no delay; a nack is ModifyAckDeadline, with 0 or a delay.", "pubsub.proto, PubsubMessage and ModifyAckDeadline"},
			{"ttl", "Messages are kept for 7 days unless set and may then be dropped, whatever became of them. The world counts that only where ttl is given.", "pubsub.proto, Subscription"},
			{"dedupe", "There is no key that removes duplicates: a repeated publish is a second message.", "pubsub.proto, PubsubMessage"},
			{"bound", "A topic without a subscription keeps its messages for nobody.", "docs.cloud.google.com/pubsub, publish overview"},
			{"durable", "Nobody restarts it. What was acked may be redelivered, and what is outstanding too: faults(surprise = ...).", "pubsub.proto, Acknowledge; docs.cloud.google.com/pubsub, exactly-once-delivery"},
		},
	}
}

func pubsubExactlyOnce() Queue {
	q := pubsub()
	q.Name = "pubsub-exactly-once"
	q.Title = "Google Cloud Pub/Sub, pull subscription with exactly-once delivery"
	q.Knobs.Profile = q.Name
	q.Knobs.Lease = 60
	q.Knobs.StaleAck = sim.StaleError
	q.Knobs.LateAck, q.Knobs.StaleNack = sim.StaleError, sim.StaleError
	q.Knobs.Reappears, q.Knobs.Doubles = false, false
	q.Knobs.OrderedAcks = true
	const source = "docs.cloud.google.com/pubsub/docs/exactly-once-delivery"
	for i, f := range q.Facts {
		switch f.Knob {
		case "ack":
			q.Facts[i] = Fact{"ack", "Acknowledge is answered, and the client learns whether it took effect.", source}
		case "stale_ack":
			q.Facts[i] = Fact{"stale_ack", "Only the newest ack id works: any other call for the message gets INVALID_ARGUMENT, and the message stays.", source}
		case "groups":
			q.Facts[i].Text += " Acks of one key have to come in its order: one that comes too early fails for the time being."
			q.Facts[i].Source += "; " + source
		case "lease":
			q.Facts[i] = Fact{"lease", "The ack deadline is 60 seconds unless set.", source}
		case "durable":
			q.Facts[i] = Fact{"durable", "Nobody restarts it, and nothing is redelivered while it is outstanding or after a successful ack.", source}
		}
	}
	return q
}
