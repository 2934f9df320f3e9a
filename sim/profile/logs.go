package profile

import "github.com/ackademy/ackademy/sim"

// Log imitates a log with consumer groups.
type Log struct {
	Name      string // as in log(..., like = "...")
	Title     string
	Knobs     sim.Log   // Name, First, Partitions and Groups are the scenario's
	Partition sim.Queue // what its partitions are beside
	Facts     []Fact
}

// Logs returns the log profiles in the order in which they are shown.
func Logs() []Log { return []Log{kafka()} }

// FindLog returns the log profile of that name.
func FindLog(name string) (Log, bool) {
	return find(Logs(), name, func(l Log) string { return l.Name })
}

func kafka() Log {
	return Log{
		Name:  "kafka",
		Title: "Apache Kafka 4.0, classic consumer groups, idempotent producer",
		Knobs: sim.Log{Profile: "kafka", TxTimeout: 60},
		Partition: sim.Queue{
			Profile:    "kafka",
			Boundary:   sim.Request,
			Ordered:    true,
			AckAnswers: true,
			OnError:    sim.RuleNothing,
		},
		Facts: []Fact{
			{"partitions", "Order holds within a partition only, and one member of a group reads a partition at a time.", "kafka docs/design.html 4.6; KafkaConsumer.java"},
			{"key", "Records with one key go to one partition. Which one is the world's own rule: it has no hash.", "KafkaProducer.java; the rule: our own"},
			{"confirm", "The idempotent producer removes repeats of its own retries; a record that the application sends again, or a restarted producer, is a new one. What nobody waits for can be lost with the leader (acks=0).", "KafkaProducer.java; ProducerStateEntry.java; ProducerConfig.java"},
			{"retention", "Records are dropped by time (168 hours unless set) or size, whether or not anybody has read them. The world drops none unless told to.", "LogConfig.java"},
			{"tx_timeout", "A transaction that is open for 60 seconds is aborted; a restarted producer with the same transactional.id aborts it at once.", "ProducerConfig.java; KafkaProducer.java, initTransactions"},
			{"commit", "A committed offset is the next one to read and cumulative. enable.auto.commit commits what poll has returned, processed or not, in a later poll and when the client closes.", "KafkaConsumer.java; ConsumerConfig.java"},
			{"group", "A commit of a member that was removed, or of an old generation, is refused (CommitFailedException).", "ClassicGroup.java; KafkaConsumer.java"},
			{"session", "A member whose heartbeats stop is removed after 45 seconds; a crashed one is waited for just as long.", "GroupCoordinatorConfig.java; ConsumerConfig.java"},
			{"max_poll", "A member that doesn't poll for 5 minutes leaves the group.", "ConsumerConfig.java"},
			{"reset", "Without a committed offset auto.offset.reset decides; latest, the default of the client, silently skips. The world's default is earliest.", "ConsumerConfig.java"},
			{"isolation", "read_uncommitted is the default: aborted records are seen. read_committed stops at the last stable offset, before the first open transaction.", "ConsumerConfig.java; kafka docs/design.html 4.7"},
			{"on_error", "The broker knows no failed handler and no attempt counter: a record that can't be processed holds up its partition, unless the application skips it or parks it elsewhere.", "our reading of KafkaConsumer.java"},
		},
	}
}
