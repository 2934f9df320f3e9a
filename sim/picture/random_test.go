package picture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/picture"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

// TestRandomRuns draws runs that chance chose and holds them to what every
// picture must be: it fits, it says something of each step, and its tracks
// lead to the very nodes at which the processes stand.
func TestRandomRuns(t *testing.T) {
	shipped, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil || len(shipped) == 0 {
		t.Fatal("no scenarios", err)
	}
	texts := map[string]string{"everything": everything, "logs": logs}
	for _, file := range shipped {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	for name, text := range texts {
		sc, err := script.Load("test.star", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		w := sim.New(sc.Scenario)
		for seed := range uint64(60) {
			run := schedule.New(w)
			if _, err := run.Random(seed, 80); err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
			look(t, name, sc, run)
			if t.Failed() {
				t.Fatalf("%s, seed %d: %s", name, seed, schedule.Inline(run.Steps()))
			}
		}
	}
}

// everything is a scenario in which every kind of step and fault can happen.
const everything = `
dead = queue("dead", like = "sqs-standard")
jobs = queue("jobs", like = "sqs-standard", dead_letter = dead, timeout = 3)
events = queue("events", like = "rabbitmq-quorum")
store = database("store", like = "postgres", timeout = 5, tables = {"done": table(key = "id", role = "effect"), "log": table()})
files = database("files", tables = {"seen": table(key = "id", role = "marker")})
mail = provider("mail", like = "resend", timeout = 7, kept = 50)

def request(op):
    if attempt(jobs.publish, op.id, amount = op.amount).ok:
        accept(op)
    else:
        refuse(op)
        withdraw(op)
        memory.put("refused", op.id)
        sleep(one_of(1, 2))

def handle(delivery):
    memory.put("at", delivery.op)
    work(10)
    tx = store.begin()
    tx.insert("log", of_op = fresh_id())
    if not tx.get("done", delivery.op):
        tx.put("done", id = delivery.op, amount = delivery.amount)
    tx.commit()
    mail.send(delivery.op, key = delivery.op)
    events.publish(delivery.op, confirm = False)
    if memory.get("at") == delivery.op:
        sleep(1)
    delivery.ack()

def note(delivery):
    if not files.insert("seen", id = delivery.op):
        fail("seen before")
    delivery.ack()

service(request, intents = [intent("work-1", amount = 1), intent("work-2", amount = 2)])
consumer(handle, queue = jobs, replicas = 2, on_error = "requeue")
consumer(note, queue = events, name = "noter", on_error = "requeue")
faults(total = 3, crash = 2, lost_request = 2, lost_reply = 2, refused = 2, connection_lost = 2, stall = 2, early_expiry = 2)
`

// logs is the same for logs.
const logs = `
orders = log("orders", partitions = 2, retention = 400)
done = log("done", tx_timeout = 20, timeout = 3)
store = database("store", tables = {"totals": table(role = "effect")})

def request(op):
    if attempt(orders.publish, op.id, key = op.id, amount = op.amount).ok:
        accept(op)

def copy(d):
    tx = done.begin()
    tx.publish(d.op, amount = d.offset)
    work(30)
    tx.send_offsets(d)
    if not attempt(tx.commit).ok:
        tx.commit()

def note(d):
    work(10)
    store.insert("totals", id = d.op, part = d.partition)
    attempt(d.commit)

def see(d):
    work(7)
    if d.key == None:
        fail("no key")

service(request, intents = [intent("work-1", amount = 1), intent("work-2", amount = 2)])
consumer(copy, queue = orders, replicas = 2, commit = "manual", isolation = "read_committed", max_poll = 35)
consumer(note, queue = done, name = "noter", commit = "manual", isolation = "read_committed", session = 5)
consumer(see, queue = done, name = "seer", commit = "auto", hand_off = True, on_error = "skip", reset = "latest")
faults(total = 3, crash = 2, lost_request = 2, lost_reply = 2, refused = 1, stall = 2)
`

func look(t *testing.T, name string, sc *script.Scenario, run *schedule.Run) {
	t.Helper()
	d := picture.Draw(run)
	if len(d.Rows) != run.Len() {
		t.Errorf("%d rows for %d steps", len(d.Rows), run.Len())
	}
	for _, row := range d.Rows {
		if row.Sentence == "." || strings.Contains(row.Sentence, "%!") || strings.Contains(row.Sentence, row.Name+".") && strings.Contains(row.Name, "crash") {
			t.Errorf("step %d, %s: %q", row.Step, row.Name, row.Sentence)
		}
		if len(row.Arrows)+len(row.Marks) == 0 {
			t.Errorf("step %d, %s, draws nothing", row.Step, row.Name)
		}
	}
	for _, b := range d.Bands {
		if b.First > run.Len() || b.End != "" && b.Last < b.First || b.End == "" && b.Last != 0 {
			t.Errorf("band %+v", b)
		}
	}
	for p, track := range d.Tracks {
		for n, place := range track.Places {
			node := sim.Node(0)
			if place.Running {
				node = sc.Program.Start(place.Handler, place.Input)
				for _, a := range place.Answers {
					node = sc.Program.Next(node, a)
				}
			}
			if want := run.World.Look(run.At(n)).Processes[p].Node; node != want {
				t.Fatalf("after %d steps the track of %s leads to node %d, and it stands at %d", n, track.Process, node, want)
			}
		}
	}
	widest := 100
	if name == "everything" {
		widest = 140 // ten parties are more than fit
	}
	for _, line := range strings.Split(picture.Text(d, picture.TextOptions{Legend: true}), "\n") {
		if len([]rune(line)) > widest {
			t.Errorf("%d columns: %s", len([]rune(line)), line)
		}
	}
	for _, property := range sim.Properties() {
		for i := range sc.Intents {
			if text := picture.Explain(run, property, i); len(text) < 10 || strings.Contains(text, "%!") {
				t.Errorf("%s: %q", property, text)
			}
		}
	}
}
