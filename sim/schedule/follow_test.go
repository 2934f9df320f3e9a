package schedule_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

const followParties = `
exports = queue("exports", like = "rabbitmq-quorum")
store = database("store", like = "sqlite", tables = {
    "inbox": table(key = "id", role = "marker"), "totals": table(key = "id", role = "effect", counts = "each"), "log": table()})
`

const followRequest = `
def request(op):
    exports.publish(op.id)
    accept(op)
`

const followProcesses = `
service(request, intents = [intent("work-1"), intent("work-2")])
consumer(handle, queue = exports, replicas = 2)
faults(total = 2, crash = 2, lost_request = 2, lost_reply = 2, stall = 2)
`

// handlers are the texts that follow one another: the parties stand above, the
// processes below.
var handlers = map[string]string{
	"ack-first": `
def handle(d):
    d.ack()
    tx = store.begin()
    tx.add("totals", "all", n = 1)
    tx.commit()
`,
	"commit-first": `
def handle(d):
    tx = store.begin()
    tx.add("totals", "all", n = 1)
    tx.commit()
    d.ack()
`,
	"with-marker": `
def handle(d):
    tx = store.begin()
    if tx.insert("inbox", id = d.op):
        tx.add("totals", "all", n = 1)
    tx.commit()
    d.ack()
`,
	"twice": `
def handle(d):
    store.insert("log", id = d.op)
    tx = store.begin()
    tx.add("totals", "all", n = 1)
    tx.commit()
    store.insert("log", id = d.op)
    d.ack()
`,
	"logs-inside": `
def handle(d):
    tx = store.begin()
    tx.insert("log", id = d.op)
    tx.add("totals", "all", n = 1)
    tx.commit()
    store.insert("log", id = d.op)
    d.ack()
`,
	"unconfirmed": `
def request(op):
    exports.publish(op.id, confirm = False)
    accept(op)
def handle(d):
    store.add("totals", "all", n = 1)
    d.ack()
`,
	"publishes-twice": `
def request(op):
    exports.publish(op.id)
    exports.publish(op.id)
    accept(op)
def handle(d):
    store.add("totals", "all", n = 1)
    d.ack()
`,
}

// stopsInBatches has steps whose names are those of no call, and jobs that begin
// with several messages.
const stopsInBatches = `
exports = queue("exports", like = "sqs-standard", lease = 30)
store = database("store", like = "postgres", tables = {"totals": table(key = "id", role = "effect")})
def request(op):
    exports.publish(op.id)
    accept(op)
def handle(batch):
    for d in batch:
        store.add("totals", "all", n = 1, of = d)
        d.ack()
def leave():
    store.insert("totals", id = "left", of = None)
service(request, intents = [intent("work-1"), intent("work-2")])
consumer(handle, queue = exports, batch = 2, on_stop = leave, kill_after = 20, restart = 5)
faults(stop = 1, crash = 1)
`

func followed(t *testing.T, name string) *sim.World {
	t.Helper()
	text, known := handlers[name]
	if !known {
		t.Fatalf("there is no handler %s", name)
	}
	if !strings.Contains(text, "def request") {
		text = followRequest + text
	}
	sc, err := script.Load(name, []byte(followParties+text+followProcesses))
	if err != nil {
		t.Fatal(err)
	}
	return sim.New(sc.Scenario)
}

// TestFollow: the input is a schedule of one handler, which another follows.
func TestFollow(t *testing.T) {
	datadriven.Walk(t, "testdata/follow", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var leader, follower string
			d.ScanArgs(t, "of", &leader)
			d.ScanArgs(t, "by", &follower)
			steps, err := schedule.Parse(d.Input)
			if err != nil {
				t.Fatal(err)
			}
			a, err := schedule.Replay(followed(t, leader), steps)
			if err != nil {
				return err.Error() + "\n"
			}
			b, rows, err := schedule.Follow(followed(t, follower), schedule.Pins(a))
			if err != nil {
				return err.Error() + "\n"
			}
			if _, err := schedule.Replay(followed(t, follower), b.Steps()); err != nil {
				t.Errorf("the steps of the run that follows are no strict schedule: %v", err)
			}
			return side(a, b, rows)
		})
	})
}

func side(a, b *schedule.Run, rows []schedule.Row) string {
	var out strings.Builder
	cell := func(r *schedule.Run, n, other int, match schedule.Match) string {
		switch {
		case n >= 0:
			return r.Outcome(n).Name
		case match == schedule.Moved:
			return fmt.Sprintf("(step %d there)", other+1)
		}
		return ""
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-7s  %-37s  %s", row.Match, cell(a, row.Left, row.Other, row.Match), cell(b, row.Right, row.Other, row.Match))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// TestFollowLosesNothing: whoever follows whom along whatever run, each step
// of both has its place, in order; each moved step has its counterpart; and a
// run follows itself step by step.
func TestFollowLosesNothing(t *testing.T) {
	var worlds []*sim.World
	var names []string
	for _, name := range []string{"ack-first", "commit-first", "with-marker", "twice", "logs-inside", "unconfirmed", "publishes-twice"} {
		worlds, names = append(worlds, followed(t, name)), append(names, name)
	}
	files, err := filepath.Glob("../../lessons/*/*.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sc, err := script.Load(f, text)
		if err != nil {
			t.Fatal(err)
		}
		worlds, names = append(worlds, sim.New(sc.Scenario)), append(names, f)
	}
	sc, err := script.Load("stops", []byte(stopsInBatches))
	if err != nil {
		t.Fatal(err)
	}
	worlds, names = append(worlds, sim.New(sc.Scenario)), append(names, "stops")
	seen := map[schedule.Match]int{}
	for i, leader := range worlds {
		for seed := range uint64(6) {
			a := schedule.New(leader)
			if _, err := a.Random(seed, 60); err != nil {
				t.Fatal(err)
			}
			for j, follower := range worlds {
				b, rows, err := schedule.Follow(follower, schedule.Pins(a))
				if err != nil {
					t.Fatal(err)
				}
				if problem := misplaced(a, b, rows, seen); problem != "" {
					t.Fatalf("%s follows %s, seed %d: %s\n%s", names[j], names[i], seed, problem, side(a, b, rows))
				}
				if _, err := schedule.Replay(follower, b.Steps()); err != nil {
					t.Fatalf("%s follows %s, seed %d: %v", names[j], names[i], seed, err)
				}
				if i == j && strings.Join(a.Steps(), ";") != strings.Join(b.Steps(), ";") {
					t.Fatalf("%s doesn't follow itself, seed %d\n%s", names[i], seed, side(a, b, rows))
				}
			}
		}
	}
	for _, m := range []schedule.Match{schedule.Same, schedule.Moved, schedule.Plain, schedule.Extra, schedule.Missing} {
		if seen[m] == 0 {
			t.Errorf("no step was %s: the test shows little", m)
		}
	}
}

func misplaced(a, b *schedule.Run, rows []schedule.Row, seen map[schedule.Match]int) string {
	left, right := 0, 0
	moved := map[int]int{}
	for _, r := range rows {
		seen[r.Match]++
		if r.Left >= 0 {
			if r.Left != left {
				return fmt.Sprintf("step %d stands where step %d is due on the left", r.Left+1, left+1)
			}
			left++
		}
		if r.Right >= 0 {
			if r.Right != right {
				return fmt.Sprintf("step %d stands where step %d is due on the right", r.Right+1, right+1)
			}
			right++
		}
		switch r.Match {
		case schedule.Same, schedule.Plain:
			if r.Left < 0 || r.Right < 0 {
				return "a step of both has one side"
			}
		case schedule.Extra:
			if r.Left >= 0 || r.Right < 0 {
				return "an extra step is not on the right alone"
			}
		case schedule.Missing:
			if r.Left < 0 || r.Right >= 0 {
				return "a missing step is not on the left alone"
			}
		case schedule.Moved:
			if r.Right >= 0 {
				moved[r.Right] = r.Other
			} else if other, known := moved[r.Other]; !known || other != r.Left {
				return "a moved step has no counterpart"
			}
		}
	}
	if left != a.Len() || right != b.Len() {
		return fmt.Sprintf("%d of %d steps on the left, %d of %d on the right", left, a.Len(), right, b.Len())
	}
	return ""
}
