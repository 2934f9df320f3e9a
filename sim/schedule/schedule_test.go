package schedule_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/sim/schedule"
	"github.com/ackademy/ackademy/sim/script"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
		err  string
	}{
		{"", []string{}, ""},
		{"v1", []string{}, ""},
		{"v1; worker1 ack", []string{"worker1 ack"}, ""},
		{"v1\n# a remark; with a semicolon\nworker1   ack ;\n\n deliver work-1 to worker1\n", []string{"worker1 ack", "deliver work-1 to worker1"}, ""},
		{"worker1 ack", []string{"worker1 ack"}, ""},
		{"worker1 ack\nv1", []string{"worker1 ack", "v1"}, ""}, // only the first word is a version
		{"v2; worker1 ack", nil, "version v2"},
		{"worker1\x00ack", nil, "cannot be part"},
		{"worker1 a\u202eck", nil, "cannot be part"}, // turns the direction of the text around
		{strings.Repeat("a", 401), nil, "longer than"},
		{strings.Repeat("a;", 10_001), nil, "more than"},
	} {
		got, err := schedule.Parse(test.text)
		switch {
		case test.err == "" && err != nil:
			t.Errorf("%.40q: %v", test.text, err)
		case test.err != "":
			var syntax *schedule.SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), test.err) || syntax.Line < 1 {
				t.Errorf("%.40q: error %v, want one that says %q", test.text, err, test.err)
			}
		case !slices.Equal(got, test.want):
			t.Errorf("%.40q: %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("v1\npublisher publish work-1\ndeliver work-1 to worker1\n")
	f.Add("# remark\nv1; worker1 ack (kept); expire work-1'2 at worker1 early")
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := schedule.Parse(text)
		if err != nil {
			return
		}
		for _, print := range []func([]string) string{schedule.Print, schedule.Inline} {
			again, err := schedule.Parse(print(steps))
			if err != nil || !slices.Equal(steps, again) {
				t.Fatalf("%q is read back as %q (%v)", steps, again, err)
			}
		}
	})
}

const scenario = `
"""Two workers."""
q = queue("q", like = "rabbitmq-quorum")
store = database("store", like = "sqlite", tables = {"done": table(role = "effect", counts = "each")})
def request(op):
    q.publish(op.id)
    accept(op)
def handle(d):
    store.insert("done", op = d.op)
    d.ack()
service(request, intents = [intent("a"), intent("b")])
consumer(handle, queue = q, replicas = 2)
faults(crash = 2)
`

func world(t *testing.T) *sim.World {
	t.Helper()
	sc, err := script.Load("test.star", []byte(scenario))
	if err != nil {
		t.Fatal(err)
	}
	return sim.New(sc.Scenario)
}

func TestBareNameIsPrintedInFull(t *testing.T) {
	run, err := schedule.Replay(world(t), []string{"publisher", "publisher", "deliver a to worker1", "worker1"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"publisher publish a", "publisher accept", "deliver a to worker1", "worker1 insert done"}
	if !slices.Equal(run.Steps(), want) {
		t.Errorf("steps are %q, want %q", run.Steps(), want)
	}
}

// Nothing is skipped: the run stands before the step that does not fit.
func TestReplayIsStrict(t *testing.T) {
	run, err := schedule.Replay(world(t), []string{"publisher publish a", "worker1 ack", "publisher accept"})
	var misfit *schedule.MisfitError
	if !errors.As(err, &misfit) {
		t.Fatalf("error %v", err)
	}
	if misfit.Index != 1 || misfit.Step != "worker1 ack" || !slices.Contains(misfit.Enabled, "publisher accept") {
		t.Errorf("the misfit is %+v", misfit)
	}
	if run.Len() != 1 {
		t.Errorf("%d steps were taken, want 1", run.Len())
	}
}

func TestRandomIsItsSeed(t *testing.T) {
	var first []string
	for range 2 {
		run := schedule.New(world(t))
		rests, err := run.Random(7, 1000)
		if err != nil || !rests {
			t.Fatalf("rests: %v (%v)", rests, err)
		}
		if first == nil {
			first = run.Steps()
		} else if !slices.Equal(first, run.Steps()) {
			t.Errorf("seed 7 gave %q and then %q", first, run.Steps())
		}
		again, err := schedule.Replay(world(t), run.Steps())
		if err != nil || !slices.Equal(again.Steps(), run.Steps()) {
			t.Errorf("a random run does not replay: %v", err)
		}
	}
}

func TestBackAndOn(t *testing.T) {
	run := schedule.New(world(t))
	if rests, err := run.Finish(1000); err != nil || !rests {
		t.Fatalf("rests: %v (%v)", rests, err)
	}
	steps, end := run.Steps(), run.State()
	run.Back(3)
	for _, s := range steps[3:] {
		if err := run.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(run.State(), end) {
		t.Error("going back and on again ends elsewhere")
	}
}
