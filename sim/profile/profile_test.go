package profile

import (
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
)

// What the matrix of brokers says, in the knobs that there are.
func TestQueuesFollowTheMatrix(t *testing.T) {
	for _, want := range []struct {
		name     string
		requeues bool
		lease    sim.Seconds
		stale    sim.StaleRule
		answers  bool
		boundary sim.Boundary
	}{
		{"plain", true, 0, sim.StaleIgnored, false, sim.Connection},
		{"rabbitmq-classic", true, 0, sim.StaleError, false, sim.Connection},
		{"rabbitmq-quorum", true, 30 * 60, sim.StaleIgnored, false, sim.Connection},
		{"sqs-standard", false, 30, sim.StaleChoice, true, sim.Request},
		{"sqs-fifo", false, 30, sim.StaleError, true, sim.Request},
		{"pubsub-exactly-once", false, 60, sim.StaleError, true, sim.Request},
		{"pubsub", false, 10, sim.StaleChoice, true, sim.Request},
		{"redis-streams", false, 0, sim.StaleSettles, true, sim.Request},
		{"jetstream", false, 30, sim.StaleSettles, false, sim.Request},
	} {
		q, ok := FindQueue(want.name)
		k := q.Knobs
		if !ok || k.DisconnectRequeues != want.requeues || k.Lease != want.lease || k.StaleAck != want.stale || k.AckAnswers != want.answers || k.Boundary != want.boundary {
			t.Errorf("%s is %+v, want %+v", want.name, k, want)
		}
	}
}

// A profile without sources would be an opinion.
func TestEveryFactHasASource(t *testing.T) {
	check := func(kind, name, title string, facts []Fact) {
		if name == "" || title == "" || len(facts) == 0 {
			t.Errorf("%s %q is incomplete", kind, name)
		}
		for _, f := range facts {
			if f.Knob == "" || f.Source == "" || !strings.HasSuffix(f.Text, ".") {
				t.Errorf("%s %s: incomplete fact %+v", kind, name, f)
			}
		}
	}
	names := map[string]bool{}
	for _, q := range Queues() {
		check("queue", q.Name, q.Title, q.Facts)
		if q.Knobs.Profile != q.Name || names[q.Name] || q.Knobs.Boundary == sim.InProcess || q.Knobs.OnError == sim.RuleProfile {
			t.Errorf("queue %s is inconsistent", q.Name)
		}
		names[q.Name] = true
	}
	for _, l := range Logs() {
		check("log", l.Name, l.Title, l.Facts)
		if l.Knobs.Profile != l.Name || l.Partition.Profile != l.Name || l.Partition.Boundary != sim.Request || !l.Partition.AckAnswers {
			t.Errorf("log %s is inconsistent", l.Name)
		}
	}
	for _, d := range Databases() {
		check("database", d.Name, d.Title, d.Facts)
		if d.Knobs.Profile != d.Name {
			t.Errorf("database %s calls itself %s", d.Name, d.Knobs.Profile)
		}
	}
	for _, p := range Providers() {
		check("provider", p.Name, p.Title, p.Facts)
	}
	if _, ok := FindQueue("no such system"); ok {
		t.Error("a profile of no such system is found")
	}
}
