package script

import "github.com/ackademy/ackademy/sim"

// FaultDoc says of a kind of fault what a reader needs to use it.
type FaultDoc struct {
	Kind  sim.FaultKind
	Doc   string // what happens, as a sentence
	Needs string // what there has to be so that it can strike, after "it strikes"
}

// FaultDocs describes every kind of fault, in the order of sim.FaultKinds.
func FaultDocs() []FaultDoc {
	return []FaultDoc{
		{sim.Crash, "The process dies and starts anew: memory, open transactions and connections are gone, nothing durable is.",
			"a process that works, waits or holds a delivery"},
		{sim.LostRequest, "A request gets lost: nothing happens, and the caller can't tell.",
			"a call that leaves its process; SQLite is in process unless database(..., remote = True) puts it behind a server"},
		{sim.LostReply, "It happens, but the answer gets lost, and the caller can't tell. Of a delivery: the broker has handed it out and nobody has it.",
			"a call with an answer that leaves its process; SQLite is in process unless database(..., remote = True) puts it behind a server"},
		{sim.RefusedCall, "A definite failure: nothing happens, and the caller is told so.",
			"a call whose caller waits for an answer"},
		{sim.ConnectionLost, "Everything on the connection ends: its transaction is rolled back, its deliveries go back by the broker's rule.",
			"a process with a connection: to RabbitMQ, PostgreSQL or Redis"},
		{sim.Stall, "The process stands still while the clock and everybody else go on. longest = seconds bounds it.",
			"a process at work"},
		{sim.EarlyExpiry, "The broker ends a lease before its time.",
			"a delivery that has a lease"},
		{sim.Late, "A request that its caller has given up arrives all the same, at any moment or never.",
			"a call with an effect that is a request of its own: to SQS, Pub/Sub or a provider"},
		{sim.Outage, "A party refuses every call for a while; outage(party, seconds) says which, and for how long.",
			"a party that outage(...) names"},
		{sim.BrokerRestart, "The broker restarts: connections and what it keeps in memory are lost, and what it has not confirmed may be.",
			"a broker that can restart: SQS and Pub/Sub have nobody who restarts them"},
		{sim.Surprise, "A broker does of itself what its guarantee leaves open: a deleted message comes again, a held one is delivered to somebody else.",
			"sqs-standard or pubsub"},
		{sim.DatabaseRestart, "The server of a database restarts: connections, transactions and locks are gone, commits are not.",
			"an open transaction or a lock on a database behind a server"},
		{sim.Stop, "An orderly stop: the process is told to stop and takes nothing new; on_stop and grace say how it ends.",
			"a process other than an operator"},
	}
}
