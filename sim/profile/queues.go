package profile

import "github.com/ackademy/ackademy/sim"

// Queues returns the queue profiles in the order in which they are shown.
func Queues() []Queue {
	return []Queue{plainQueue(), rabbitClassic(), rabbitQuorum(), sqsStandard(), pubsub(), jetstream(), redisStreams()}
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
		},
		Facts: []Fact{
			{"ordered", "Any ready message may be delivered next.", sourceOurs},
			{"ack", "A settle is sent and not answered.", sourceOurs},
			{"stale_ack", "A settle from an attempt that no longer holds the message does nothing.", sourceOurs},
			{"lease", "A delivery belongs to its consumer until it settles or its connection ends.", sourceOurs},
			{"disconnect_requeues", "The end of a connection gives back what it held.", sourceOurs},
			{"on_error", "A handler that fails gives its message back at once.", sourceOurs},
		},
	}
}

func rabbitClassic() Queue {
	return Queue{
		Name:  "rabbitmq-classic",
		Title: "RabbitMQ classic queue, 4.3",
		Knobs: sim.Queue{
			Profile:            "rabbitmq-classic",
			TagsEnd:            true,
			Extend:             sim.ExtendsNever,
			Boundary:           sim.Connection,
			Ordered:            true,
			StaleAck:           sim.StaleError,
			DisconnectRequeues: true,
			OnError:            sim.RuleRequeue,
		},
		Facts: []Fact{
			{"boundary", "Publishing and settling go over one connection; losing it is how a lost frame is noticed.", "rabbitmq-website docs/reliability.md"},
			{"ordered", "Messages are delivered in the order in which they were published, and a returned one goes back to its old place when possible.", "rabbitmq-website docs/semantics.md; R-RMQ-13"},
			{"ack", "basic.ack is sent and never answered. With automatic acknowledgement a message is settled as it is written to the socket, and a consumer that dies loses what it has.", "rabbitmq-website docs/confirms.md; R-RMQ-6"},
			{"stale_ack", "A delivery tag dies with its channel; using an unknown one closes the channel with 406 and leaves the message alone.", "rabbitmq-website docs/confirms.md; R-RMQ-11"},
			{"lease", "From 4.3 a classic queue never times a consumer out; up to 4.2 it did after 30 minutes.", "rabbitmq-website docs/consumers.md; R-RMQ-10"},
			{"disconnect_requeues", "When the channel or connection closes, everything it held becomes ready again at once.", "rabbitmq-website docs/confirms.md; R-RMQ-9"},
			{"prefetch", "Unlimited unless basic.qos says otherwise.", "rabbitmq-website docs/consumers.md"},
			{"on_error", "The broker knows no failed handler; giving the message back is what client frameworks usually do.", "our reading"},
			{"counter", "AMQP 0-9-1 has only the flag redelivered, no counter.", "rabbit_variable_queue.erl; R-RMQ-7"},
			{"extend", "No frame makes a delivery belong to its consumer for longer.", "rabbitmq-website docs/confirms.md"},
		},
	}
}

func rabbitQuorum() Queue {
	return Queue{
		Name:  "rabbitmq-quorum",
		Title: "RabbitMQ quorum queue, 4.3",
		Knobs: sim.Queue{
			Profile:            "rabbitmq-quorum",
			TagsEnd:            true,
			Extend:             sim.ExtendsNever,
			Boundary:           sim.Connection,
			Ordered:            true,
			StaleAck:           sim.StaleIgnored,
			DisconnectRequeues: true,
			Lease:              1800,
			Counter:            sim.CountsLosses,
			MaxDeliveries:      21,
			OnError:            sim.RuleRequeue,
		},
		Facts: []Fact{
			{"boundary", "Publishing and settling go over one connection; losing it is how a lost frame is noticed.", "rabbitmq-website docs/reliability.md"},
			{"ordered", "Returned messages are served before the others. The world gives each its old place, which is the same for one message and simpler for several.", "rabbitmq-website docs/quorum-queues/index.md; R-RMQ-13"},
			{"ack", "basic.ack is sent and never answered. With automatic acknowledgement a message is settled as it is written to the socket, and a consumer that dies loses what it has.", "rabbitmq-website docs/confirms.md; R-RMQ-6"},
			{"stale_ack", "After a delivery timeout of 4.3 the channel lives on and a later ack for the returned message has no effect.", "rabbitmq-server deps/rabbit/src/rabbit_fifo_v7.erl"},
			{"lease", "The delivery timeout is 30 minutes, checked once a minute.", "rabbitmq-website docs/consumers.md; R-RMQ-10"},
			{"disconnect_requeues", "When the channel or connection closes, everything it held becomes ready again at once.", "rabbitmq-website docs/confirms.md; R-RMQ-9"},
			{"prefetch", "Per consumer, unlimited unless basic.qos says otherwise, at most 2,000.", "rabbitmq-website docs/quorum-queues/index.md"},
			{"on_error", "The broker knows no failed handler; giving the message back is what client frameworks usually do.", "our reading"},
			{"counter", "From 4.3 the delivery count rises when a channel or connection is lost while it holds the message, and not with basic.nack or a consumer timeout.", "rabbitmq-website docs/quorum-queues/index.md; rabbit_fifo_v7.erl"},
			{"max_deliveries", "The default limit is 20 and a message is given up above it, so it is delivered 21 times; without a dead-letter exchange it is dropped.", "rabbit_fifo.erl; release-notes/4.0.1.md; R-RMQ-12"},
			{"extend", "No frame makes a delivery belong to its consumer for longer.", "rabbitmq-website docs/confirms.md"},
		},
	}
}

func sqsStandard() Queue {
	return Queue{
		Name:  "sqs-standard",
		Title: "Amazon SQS standard queue",
		Knobs: sim.Queue{
			Profile:    "sqs-standard",
			MaxLease:   43200,
			NoAutoAck:  true,
			Boundary:   sim.Request,
			AckAnswers: true,
			StaleAck:   sim.StaleChoice,
			Lease:      30,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
		},
		Facts: []Fact{
			{"boundary", "Every call is a request of its own; a lost connection does nothing by itself.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"ordered", "Order is best effort only.", "Developer Guide, standard-queues.md"},
			{"ack", "DeleteMessage is answered.", "API, api_op_DeleteMessage.go"},
			{"stale_ack", "Deleting with an old receipt handle succeeds, yet the message might not be deleted: both are possible.", "API, api_op_DeleteMessage.go"},
			{"lease", "The visibility timeout is 30 seconds unless set.", "Developer Guide, sqs-visibility-timeout.md"},
			{"disconnect_requeues", "Only the end of the visibility timeout makes a message receivable again.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"on_error", "Nothing happens until the visibility timeout ends.", "Developer Guide, sqs-visibility-timeout.md"},
			{"counter", "ApproximateReceiveCount counts every receive, one whose answer got lost included; it is 1 at the first.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"max_deliveries", "None without a redrive policy; with maxReceiveCount N a message is received N times, then moved.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"extend", "ChangeMessageVisibility counts from the call.", "API, api_op_ChangeMessageVisibility.go"},
			{"max_lease", "However often it is extended, a message stays hidden for at most 12 hours from its receive.", "API, api_op_ChangeMessageVisibility.go"},
		},
	}
}

func pubsub() Queue {
	return Queue{
		Name:  "pubsub",
		Title: "Google Cloud Pub/Sub, pull subscription with its defaults",
		Knobs: sim.Queue{
			Profile:    "pubsub",
			NoAutoAck:  true,
			Boundary:   sim.Request,
			AckAnswers: true,
			StaleAck:   sim.StaleChoice,
			Lease:      10,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
		},
		Facts: []Fact{
			{"boundary", "Every call is a request of its own; the effect of a disconnect is not documented, the deadline governs.", "our reading of pubsub.proto"},
			{"ordered", "Unordered unless the subscription enables ordering.", "docs.cloud.google.com/pubsub, ordering"},
			{"ack", "Acknowledge is answered, but OK doesn't prove that it took effect.", "pubsub.proto, Acknowledge"},
			{"stale_ack", "An ack after the deadline returns OK; it may take effect, and the message may still come again.", "pubsub.proto, Acknowledge"},
			{"lease", "The ack deadline is 10 seconds unless set, and approximate.", "pubsub.proto, Subscription"},
			{"disconnect_requeues", "Only the deadline or a nack makes a message come again.", "our reading of pubsub.proto"},
			{"on_error", "Nothing happens until the deadline ends.", "pubsub.proto, Subscription"},
			{"counter", "delivery_attempt is 1 plus nacks and deadline ends, approximately, where a dead-letter policy is set.", "pubsub.proto, ReceivedMessage"},
			{"max_deliveries", "None without a dead-letter policy; with one, about max_delivery_attempts (5 to 100), then the dead-letter topic.", "pubsub.proto, DeadLetterPolicy"},
			{"extend", "ModifyAckDeadline counts from the call; client libraries call it by themselves.", "pubsub.proto, ModifyAckDeadline"},
		},
	}
}

func jetstream() Queue {
	return Queue{
		Name:  "jetstream",
		Title: "NATS JetStream, pull consumer on a work queue, explicit acks",
		Knobs: sim.Queue{
			Profile:          "jetstream",
			Extend:           sim.ExtendsAnew,
			Boundary:         sim.Request,
			Ordered:          true,
			StaleAck:         sim.StaleSettles,
			Lease:            30,
			Counter:          sim.CountsDeliveries,
			KeepsOvercounted: true,
			OnError:          sim.RuleNothing,
		},
		Facts: []Fact{
			{"boundary", "Losing the connection doesn't shorten AckWait, so a lost message concerns only its own call.", "R-NATS-5"},
			{"ordered", "Stream order; messages that are due again go out before new ones.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-7"},
			{"ack", "A plain ack is sent without an answer; ack = \"answer\" is the double ack.", "nats.docs using-nats/jetstream/model_deep_dive.md; R-NATS-4"},
			{"stale_ack", "An ack is matched by stream sequence alone: an old attempt's ack settles the message for everybody.", "nats-server server/consumer.go; R-NATS-3"},
			{"lease", "AckWait is 30 seconds unless set.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-2"},
			{"disconnect_requeues", "A closed connection leaves the message with the dead consumer until AckWait ends.", "R-NATS-5"},
			{"prefetch", "MaxAckPending (1,000) counts over all clients of a consumer, so no client has a limit of its own.", "nats.docs nats-concepts/jetstream/consumers.md; R-NATS-7"},
			{"on_error", "Nothing happens until AckWait ends.", "R-NATS-4"},
			{"counter", "num_delivered counts every delivery, from 1.", "R-NATS-4"},
			{"max_deliveries", "MaxDeliver is unlimited unless set; after it the message stays in the stream and is delivered no more.", "R-NATS-6"},
			{"extend", "+WPI begins AckWait anew; one from an attempt that lost the message extends it for whoever has it.", "nats-server server/consumer.go; R-NATS-3, R-NATS-4"},
		},
	}
}
