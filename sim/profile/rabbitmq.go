package profile

import "github.com/ackademy/ackademy/sim"

// RabbitMQ, by kind of queue and version.

func rabbitClassic() Queue {
	timesOut := func(q *sim.Queue) { q.Lease, q.Check = 1800, 60 }
	return Queue{
		Name:  "rabbitmq-classic",
		Title: "RabbitMQ classic queue, 4.3",
		Versions: []Version{
			{"3.13", "A consumer is timed out after 30 minutes and its channel closed.", timesOut},
			{"4.0", "A consumer is timed out after 30 minutes and its channel closed.", timesOut},
			{"4.3", "No consumer is timed out.", nil},
		},
		Knobs: sim.Queue{
			Profile:            "rabbitmq-classic",
			TagsEnd:            true,
			Extend:             sim.ExtendsNever,
			Boundary:           sim.Connection,
			Ordered:            true,
			StaleAck:           sim.StaleError,
			DisconnectRequeues: true,
			Heartbeat:          60,
			OnError:            sim.RuleRequeue,
			QueueRules: sim.QueueRules{
				LateAck:      sim.StaleError,
				StaleNack:    sim.StaleError,
				ExpiryCloses: true,
				Requeue:      sim.RequeuePlace,
				NoNackDelay:  true,
				BuriesAged:   true,
				Mandatory:    true,
				LosesLight:   true,
				MarksAll:     true,
			},
		},
		Facts: []Fact{
			{"boundary", "Publishing and settling go over one connection; losing it is how a lost frame is noticed.", "rabbitmq-website docs/reliability.md"},
			{"ordered", "Messages are delivered in the order in which they were published, and a returned one goes back to its old place when possible.", "rabbitmq-website docs/semantics.md; R-RMQ-13"},
			{"ack", "basic.ack is sent and never answered. With automatic acknowledgement a message is settled as it is written to the socket, and a consumer that dies loses what it has.", "rabbitmq-website docs/confirms.md; R-RMQ-6"},
			{"stale_ack", "A delivery tag dies with its channel; using an unknown one closes the channel with 406, everything it held becomes ready, and the message it spoke of is left alone.", "rabbitmq-website docs/confirms.md; R-RMQ-11"},
			{"lease", "From 4.3 a classic queue never times a consumer out; up to 4.2 it did after 30 minutes, and closed the channel.", "rabbitmq-website docs/consumers.md; R-RMQ-10"},
			{"disconnect_requeues", "When the channel or connection closes, everything it held becomes ready again at once.", "rabbitmq-website docs/confirms.md; R-RMQ-9"},
			{"heartbeat", "A connection from which nothing comes for 60 seconds is closed, unless set otherwise. A client that blocks while it works is told with lease = 60.", "rabbitmq-website docs/heartbeats.md; R-RMQ-9"},
			{"prefetch", "Unlimited unless basic.qos says otherwise.", "rabbitmq-website docs/consumers.md"},
			{"on_error", "The broker knows no failed handler; giving the message back is what client frameworks usually do.", "our reading"},
			{"counter", "AMQP 0-9-1 has only the flag redelivered, no counter.", "rabbit_variable_queue.erl; rabbitmq-website docs/confirms.md; R-RMQ-7"},
			{"extend", "No frame makes a delivery belong to its consumer for longer.", "rabbitmq-website docs/confirms.md"},
			{"dead_letter", "A rejected message, one whose time is over and one that overflows go to the dead-letter exchange.", "rabbitmq-website docs/dlx.md; R-RMQ-15"},
			{"ttl", "Of a queue's and a message's own time to live the smaller counts; it is not reset by a requeue, and an expired message is never delivered.", "rabbitmq-website docs/ttl.md"},
			{"delay", "A delayed publish needs the plugin rabbitmq_delayed_message_exchange; basic.nack knows no delay.", "rabbitmq-delayed-message-exchange README; rabbitmq-website docs/nack.md"},
			{"dedupe", "A queue removes no duplicates; message-id is not interpreted.", "R-RMQ-4"},
			{"max_length", "With overflow reject-publish a full queue answers basic.nack; the default, drop-head, dead-letters the oldest message.", "rabbitmq-website docs/confirms.md; R-RMQ-3"},
			{"bound", "An unroutable message is confirmed positively and gone; with mandatory a basic.return comes first.", "rabbitmq-website docs/confirms.md; R-RMQ-2"},
			{"durable", "After a kill of the broker, durable queues keep their persistent messages, all of them marked redelivered; transient messages are gone although they were confirmed, and so may be what was not confirmed yet.", "rabbit_variable_queue.erl; R-RMQ-7"},
		},
	}
}

func rabbitQuorum() Queue {
	return Queue{
		Name:  "rabbitmq-quorum",
		Title: "RabbitMQ quorum queue, 4.3",
		Versions: []Version{
			{"3.13", "No delivery limit unless set; every return counts; the timeout of a consumer closes its channel.", func(q *sim.Queue) {
				q.MaxDeliveries = 0
				quorumBefore43(q)
			}},
			{"4.0", "The limit of 20 is the default; every return counts, basic.nack included; the timeout of a consumer closes its channel.", quorumBefore43},
			{"4.3", "basic.nack and a consumer's timeout don't count.", nil},
		},
		Knobs: sim.Queue{
			Profile:            "rabbitmq-quorum",
			TagsEnd:            true,
			Extend:             sim.ExtendsNever,
			Boundary:           sim.Connection,
			Ordered:            true,
			StaleAck:           sim.StaleIgnored,
			DisconnectRequeues: true,
			Heartbeat:          60,
			Lease:              1800,
			Counter:            sim.CountsLosses,
			MaxDeliveries:      21,
			OnError:            sim.RuleRequeue,
			QueueRules: sim.QueueRules{
				LateAck:     sim.StaleIgnored,
				StaleNack:   sim.StaleIgnored,
				Check:       60,
				Requeue:     sim.RequeueTail, // RequeueFront with a delivery limit
				NoNackDelay: true,
				BuriesAged:  true,
				Mandatory:   true,
			},
		},
		Facts: []Fact{
			{"boundary", "Publishing and settling go over one connection; losing it is how a lost frame is noticed.", "rabbitmq-website docs/reliability.md"},
			{"ordered", "Returned messages are served before the others, in the order in which they came back. Without a delivery limit one that is given back on purpose goes to the tail.", "rabbitmq-website docs/quorum-queues/index.md; R-RMQ-13"},
			{"ack", "basic.ack is sent and never answered. With automatic acknowledgement a message is settled as it is written to the socket, and a consumer that dies loses what it has.", "rabbitmq-website docs/confirms.md; R-RMQ-6"},
			{"stale_ack", "After a delivery timeout of 4.3 the channel lives on and a later ack for the returned message has no effect; before, the timeout closed the channel.", "rabbitmq-server deps/rabbit/src/rabbit_fifo_v7.erl; rabbitmq-website docs/consumers.md"},
			{"lease", "The delivery timeout is 30 minutes.", "rabbitmq-website docs/consumers.md; R-RMQ-10"},
			{"lease_check", "It is checked once a minute, so a delivery ends up to a minute later; until then its ack counts.", "rabbitmq-website docs/consumers.md; R-RMQ-10"},
			{"disconnect_requeues", "When the channel or connection closes, everything it held becomes ready again at once.", "rabbitmq-website docs/confirms.md; R-RMQ-9"},
			{"heartbeat", "A connection from which nothing comes for 60 seconds is closed, unless set otherwise. A client that blocks while it works is told with lease = 60.", "rabbitmq-website docs/heartbeats.md; R-RMQ-9"},
			{"prefetch", "Per consumer, unlimited unless basic.qos says otherwise, at most 2,000.", "rabbitmq-website docs/quorum-queues/index.md"},
			{"on_error", "The broker knows no failed handler; giving the message back is what client frameworks usually do.", "our reading"},
			{"counter", "From 4.3 the delivery count rises when a channel or connection is lost while it holds the message, and not with basic.nack or a consumer timeout.", "rabbitmq-website docs/quorum-queues/index.md; rabbit_fifo_v7.erl"},
			{"nack_counts", "Up to 4.2 every return counts, basic.nack included. From 4.3 one by basic.reject(requeue = true) counts: nack_counts = True is a client that gives back so.", "rabbit_fifo_v3.erl; rabbit_fifo_v7.erl; R-RMQ-12"},
			{"max_deliveries", "The default limit is 20 and a message is given up above it, so it is delivered 21 times; without a dead-letter exchange it is dropped. 3.x has no limit unless one is set.", "rabbit_fifo.erl; release-notes/4.0.1.md; R-RMQ-12"},
			{"extend", "No frame makes a delivery belong to its consumer for longer.", "rabbitmq-website docs/confirms.md"},
			{"ttl", "Of a queue's and a message's own time to live the smaller counts; it is not reset by a requeue, and an expired message is never delivered.", "rabbitmq-website docs/ttl.md"},
			{"backoff", "4.3 can delay what comes back by min(minDelay x count, maxDelay): say that as a list.", "rabbitmq-website docs/quorum-queues/index.md, release-notes/4.3.0.md"},
			{"dedupe", "A queue removes no duplicates; message-id is not interpreted.", "R-RMQ-4"},
			{"max_length", "With overflow reject-publish a full queue answers basic.nack; it may overshoot its limit, which the world doesn't.", "rabbitmq-website docs/confirms.md; R-RMQ-3"},
			{"bound", "An unroutable message is confirmed positively and gone; with mandatory a basic.return comes first.", "rabbitmq-website docs/confirms.md; R-RMQ-2"},
			{"durable", "Quorum queues are always durable and their messages always persistent, whatever the publisher says. What was not confirmed yet may be lost with a restart.", "rabbitmq-website docs/confirms.md; rabbitmq-website docs/quorum-queues/index.md; R-RMQ-7"},
		},
	}
}

// quorumBefore43 are the rules that 4.3 changed.
func quorumBefore43(q *sim.Queue) {
	q.NackCounts = true
	q.ExpiryCloses = true
	q.StaleAck, q.LateAck, q.StaleNack = sim.StaleError, sim.StaleError, sim.StaleError
}
