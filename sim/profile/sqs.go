package profile

import "github.com/ackademy/ackademy/sim"

// Amazon SQS.

func sqsStandard() Queue {
	return Queue{
		Name:  "sqs-standard",
		Title: "Amazon SQS standard queue",
		Knobs: sim.Queue{
			Profile:    "sqs-standard",
			Boundary:   sim.Request,
			AckAnswers: true,
			StaleAck:   sim.StaleChoice,
			Lease:      30,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
			MaxLease:   43200,
			NoAutoAck:  true,
			QueueRules: sim.QueueRules{
				LateAck:   sim.StaleSettles,
				StaleNack: sim.StaleChoice,
				NoReject:  true,
				NoPostTTL: true,
				KeepsAge:  true,
				OwnKind:   true,
				DropsHeld: true,
				Managed:   true,
				Reappears: true,
				Doubles:   true,
			},
		},
		Facts: []Fact{
			{"boundary", "Every call is a request of its own; a lost connection does nothing by itself.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"ordered", "Order is best effort only.", "Developer Guide, standard-queues.md"},
			{"ack", "DeleteMessage is answered.", "API, api_op_DeleteMessage.go"},
			{"stale_ack", "While nobody else has received the message, the newest receipt handle deletes it even after the visibility timeout. Deleting with an older handle succeeds, yet the message might not be deleted: both are possible.", "API, api_op_DeleteMessage.go"},
			{"lease", "The visibility timeout is 30 seconds unless set.", "Developer Guide, sqs-visibility-timeout.md"},
			{"disconnect_requeues", "Only the end of the visibility timeout makes a message receivable again.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"on_error", "Nothing happens until the visibility timeout ends.", "Developer Guide, sqs-visibility-timeout.md"},
			{"counter", "ApproximateReceiveCount counts every receive, one whose answer got lost included; it is 1 at the first.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"max_deliveries", "None without a redrive policy; with maxReceiveCount N a message is received N times, then moved.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"extend", "ChangeMessageVisibility counts from the call.", "API, api_op_ChangeMessageVisibility.go"},
			{"max_lease", "However often it is extended, a message stays hidden for at most 12 hours from its receive.", "API, api_op_ChangeMessageVisibility.go"},
			{"dead_letter", "There is no call that gives up on a message: only its receive count moves it, into a queue of the same kind, where it is as old as it was: what is kept there is kept from the send on. A redrive makes new messages with new ids and a new age.", "API, api_op_DeleteMessage.go; Developer Guide, sqs-dead-letter-queues.md"},
			{"delay", "DelaySeconds of a queue or a message; a nack is ChangeMessageVisibility, with 0 or a delay. What it does for a message that is visible or with somebody else is not stated: an error or no effect.", "API, api_op_SendMessage.go and api_op_ChangeMessageVisibility.go; our reading"},
			{"ttl", "Messages are kept for 4 days unless set and then deleted silently, handled or not. The world counts that only where ttl is given.", "Developer Guide, sqs-dead-letter-queues.md; API, api_op_SetQueueAttributes.go"},
			{"dedupe", "None: a repeated send is a second message.", "Developer Guide, standard-queues.md"},
			{"durable", "Nobody restarts it. A deleted message can reappear and one can be delivered twice inside the timeout, when a server with a copy was unreachable: faults(surprise = ...).", "Developer Guide, standard-queues.md"},
		},
	}
}

func sqsFIFO() Queue {
	return Queue{
		Name:  "sqs-fifo",
		Title: "Amazon SQS FIFO queue",
		Knobs: sim.Queue{
			Profile:    "sqs-fifo",
			Boundary:   sim.Request,
			Ordered:    true,
			AckAnswers: true,
			StaleAck:   sim.StaleError,
			Lease:      30,
			Counter:    sim.CountsDeliveries,
			OnError:    sim.RuleNothing,
			MaxLease:   43200,
			NoAutoAck:  true,
			QueueRules: sim.QueueRules{
				LateAck:     sim.StaleError,
				StaleNack:   sim.StaleError,
				NoReject:    true,
				OwnKind:     true,
				DropsHeld:   true,
				Dedupe:      300,
				DedupesBody: true,
				Silent:      true,
				Groups:      true,
				NeedsGroup:  true,
				NoPostDelay: true,
				NoPostTTL:   true,
				Managed:     true,
			},
		},
		Facts: []Fact{
			{"boundary", "Every call is a request of its own; a lost connection does nothing by itself.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"ordered", "Messages of one group are delivered in their order; a returned one keeps its place.", "Developer Guide, FIFO-queues-understanding-logic.md"},
			{"groups", "Every message has a MessageGroupId. One receive returns as many messages of a group as it can, in their order; while any of them is in flight no further one of that group is received. Each is deleted by itself, a later one also while an earlier one has failed.", "Developer Guide, FIFO-queues-understanding-logic.md"},
			{"ack", "DeleteMessage is answered.", "API, api_op_DeleteMessage.go"},
			{"stale_ack", "After the visibility timeout the receipt handle has expired: the delete fails and the message stays.", "Developer Guide, FIFO-queues-exactly-once-processing.md"},
			{"lease", "The visibility timeout is 30 seconds unless set.", "Developer Guide, sqs-visibility-timeout.md"},
			{"disconnect_requeues", "Only the end of the visibility timeout makes a message receivable again.", "our reading of the Developer Guide, sqs-visibility-timeout.md"},
			{"on_error", "Nothing happens until the visibility timeout ends.", "Developer Guide, sqs-visibility-timeout.md"},
			{"counter", "ApproximateReceiveCount counts every receive, one whose answer got lost included; it is 1 at the first.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"max_deliveries", "None without a redrive policy; with maxReceiveCount N a message is received N times, then moved, which breaks the order of its group.", "Developer Guide, sqs-dead-letter-queues.md"},
			{"extend", "ChangeMessageVisibility counts from the call.", "API, api_op_ChangeMessageVisibility.go"},
			{"max_lease", "However often it is extended, a message stays hidden for at most 12 hours from its receive.", "API, api_op_ChangeMessageVisibility.go"},
			{"dead_letter", "There is no call that gives up on a message: only its receive count moves it, into a queue of the same kind, where its age begins anew. A redrive makes new messages with new ids, so no window recognises them.", "API, api_op_DeleteMessage.go; Developer Guide, sqs-dead-letter-queues.md; docs.aws.amazon.com, Setting-up dead-letter queue retention"},
			{"dedupe", "A send with a MessageDeduplicationId of the last five minutes (or, with content-based deduplication, the same body) reports success and is not delivered. The id stays known after the message was deleted; the sender is not told. The world takes the operation id for a part of the body.", "Developer Guide, using-messagededuplicationid-property.md"},
			{"delay", "Only the queue can have a delay, not a message.", "API, api_op_SendMessage.go"},
			{"ttl", "Messages are kept for 4 days unless set and then deleted silently, handled or not. The world counts that only where ttl is given.", "API, api_op_SetQueueAttributes.go"},
			{"durable", "Nobody restarts it.", "our reading"},
		},
	}
}
