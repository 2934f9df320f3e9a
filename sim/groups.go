package sim

// Groups: while a message of a group is with somebody, no further one of that
// group is delivered, so a group is worked on in its order and a message that
// can't be processed holds back its group and nothing else. SQS FIFO calls the
// group MessageGroupId, Pub/Sub an ordering key.

// firstOfGroup tells whether no older message of its group is in the queue.
func firstOfGroup(list []message, i int) bool {
	for j := range list[:i] {
		if list[j].group == list[i].group {
			return false
		}
	}
	return true
}
