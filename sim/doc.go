// Package sim is the world: a publisher, a broker, consumers, a database and
// an email provider as one pure, deterministic machine. From a state it lists
// the enabled steps, and from a state and a step it gives the next state and,
// on request, the events for a picture. There is no clock, no randomness, no
// I/O and no goroutine in it; everything else drives this one machine.
//
// Read in this order:
//
//   - scenario.go: the static part, built by a front end (package script)
//   - program.go: handlers as trees of calls; the questions and the answers
//   - state.go: what is state, slot by slot, and nothing else
//   - process.go, broker.go, delivery.go, settle.go, lease.go, database.go,
//     provider.go, clock.go: the rules that most scenarios use
//   - around them: front.go with job.go, operator.go and caller.go (what starts a
//     handler); buffer.go and batch.go (the client's side of a delivery);
//     queuerules.go with leasecheck.go, delay.go, dedupe.go, groups.go,
//     confirm.go, unsaved.go and restart.go; log.go with group.go, poll.go, rebalance.go and logtx.go;
//     transaction.go with snapshot.go, serial.go, filelock.go, rowlock.go and
//     lockwait.go; rows.go with matching.go and age.go; providertime.go
//   - fault.go: what can go wrong, and where; late.go, outage.go, surprise.go
//   - life.go, host.go, heartbeat.go, memory.go: how processes end and start
//     again, several handlers in one process, a stall that is noticed, what they
//     remember
//   - label.go, observer.go: to whom an effect belongs, and what the text tells
//     the observer
//   - step.go, memo.go, expand.go: how rules see a state, why that is fast,
//     and the order in which steps are listed; symmetry.go, canonical.go: which
//     states differ only in who is who
//   - verdict.go: what the observer says; event.go, view.go: what a reader sees
//
// The heart is the boundary (answers.go, fault.go): every call crosses one
// twice, and the boundary decides whether it can work, be refused, lose its
// request, lose its reply or be struck by a crash. Lost confirms, lost acks,
// commits with unknown outcome and emails that were sent although the caller
// saw an error all follow from that; none is modelled by itself.
//
// Contract. A World is not safe for concurrent use. States belong to the World
// that made them. The same scenario and schedule always give the same run.
// Names of steps are unique among the enabled steps of a state. Whatever a
// learner can cause is an error; a broken invariant of ours panics.
//
// Where the written rules are silent, this package decides:
//
//   - A stalled process also wakes where nothing else at all can happen;
//     otherwise a stall in a world without timers would never end.
//
//   - A provider's forgotten key moves the clock only together with another
//     timer, or while a process is stalled: nobody is woken by a provider that
//     forgets, but a stall can outlast what it remembers.
//
//   - A message's name numbers the publications of its operation that are in
//     the queue, not those that ever were: a number that only history knows
//     would be state that no rule reads.
//
//   - A crash is offered where a handler runs, and to an idle process that holds
//     what goes back with it: deliveries that its handler never settled, locks of
//     its sessions. Any other crash of an idle process would change nothing.
//
//   - What counts a handler's time and kills it, and what waits for a process
//     that was told to stop, are others: their clocks run while it is stalled.
//     The first begins with each handler, the second with the stop.
//
//   - What a process that was told to stop does not settle it leaves, like one
//     whose connection ends: what runs is finished, what waits in its buffer
//     goes back.
//
//   - Where two intents under one id wish different things, the one whose
//     payload stands nowhere is conflict_accepted, and not lost besides.
//
//   - What is hopeless and still open, but will be settled, is not called stuck:
//     it is judged where it has been settled, because only there a reader can
//     see the loss.
//
//   - An id that a queue forgets moves the clock like a provider's key.
//
//   - A queue's held messages that leave its order stand by name: nothing can
//     tell in which order they were handed out. What comes back goes behind
//     what came back before.
//
//   - Queues with one profile stand on one broker and restart together. A restart
//     may lose what was published without a confirm that somebody has waited for
//     (unsaved.go).
//
//   - Where nothing counts as an effect, nothing is ever done, and the goal
//     cannot be reached.
//
//   - A client that keeps a lease extends it at once and then every so often. Its
//     lease stands at the least that can be left, and runs from there once the
//     process stalls or ends, or an extension is lost.
//
//   - A late or stale extension is told what a stale settle would be told; where
//     that is no error it has no effect, but for a broker whose stale settles
//     count: there it extends the lease of whoever holds the message.
//
//   - A lease that a broker checks only now and then ends in the moment in which
//     it is over, or in any later one within the check in which something else
//     happens.
//
//   - An acked message of a Pub/Sub key stays in its queue while an earlier one
//     of the key can come again, because it would come along.
//
//   - A broker that pushes delivers into the buffer of a stalled process too:
//     what it sends waits in the connection.
//
//   - Where a person or a request may still come, or somebody is stalled, and
//     nothing else is to happen, time passes until the next row is old enough, or
//     due: they may come then.
//
//   - A share of a sum that a handler overwrites is lost, not overwritten: no version
//     tells which of two values is the older one.
//
// Left out so far: messages that a handler takes by hand (receive, claim). The
// shapes have room: a slot per party, a group per rule.
package sim
