package sim

import "slices"

// What a broker has taken and not written down. A confirm says that a message is
// safe from a restart; until somebody has been given that promise the broker
// may still have it in memory alone, persistent or not (rabbitmq-website
// docs/confirms.md: a broker that goes down before it has written a message
// loses it; Kafka's acks = 0 and 1). So what was published without waiting is
// unsaved until the clock moves, a confirm of it is awaited, a later publish to
// the same queue is confirmed, or, in a log, somebody has read it: a reader gets
// only what the replicas have (Kafka's high watermark).
//
// A broker that restarts meanwhile keeps all of it or loses all of it: two
// steps. That one half of it was written is left out.

// leavesUnsaved tells whether a publish is answered before the broker has
// written the message down.
func (x *step) leavesUnsaved(q int, c *Call) bool {
	decl := &x.w.sc.Queues[q]
	lost := decl.Volatile || decl.LosesLight && c.Post.Transient // a restart loses it in any case
	return x.w.restarts(q) && !lost && !c.InTx && (c.Post.Later || !c.Confirm)
}

// save is the moment at which the broker has written messages of a queue down.
func (x *step) save(q int, which func(i int, m *message) bool) {
	if !x.w.restarts(q) {
		return
	}
	messages := x.queue(q).messages
	for i := range messages {
		if !messages[i].unsaved || !which(i, &messages[i]) {
			continue
		}
		x.changeQueue(q, func(qu *queue) {
			for k := range qu.messages {
				if m := &qu.messages[k]; m.unsaved && which(k, m) {
					m.unsaved, m.knownAs = false, None
				}
			}
		})
		return
	}
}

func anyMessage(int, *message) bool { return true }

// saveAll lets every broker write everything down.
func (x *step) saveAll() {
	if x.w.sc.Faults.Limit[BrokerRestart] == 0 {
		return
	}
	for q := range x.w.sc.Queues {
		x.save(q, anyMessage)
	}
}

// anyUnsaved tells whether some message in some of the queues is unsaved.
func (x *step) anyUnsaved(queues []int) bool {
	for _, q := range queues {
		for _, m := range x.queue(q).messages {
			if m.unsaved {
				return true
			}
		}
	}
	return false
}

// loseUnsaved removes from a queue what its broker never wrote down, and that it
// knew it. In a log that is the end of a partition, which nobody has read.
func (x *step) loseUnsaved(q int) {
	for i := 0; i < len(x.queue(q).messages); {
		m := x.queue(q).messages[i]
		if !m.unsaved {
			i++
			continue
		}
		x.wiped(q, i, true)
		x.changeQueue(q, func(qu *queue) {
			qu.known = slices.DeleteFunc(slices.Clone(qu.known), func(k knownID) bool { return k.id == m.knownAs && m.knownAs != None })
		})
	}
	l := x.w.logOf(q)
	if l < 0 {
		return
	}
	part, end := q-x.w.sc.Logs[l].First, int32(len(x.queue(q).messages))
	x.changeJournal(l, func(j *journal) {
		for g := range j.groups {
			at := &j.groups[g].position[part]
			*at = min(*at, end) // one that begins at the end begins at the new one
		}
	})
}
