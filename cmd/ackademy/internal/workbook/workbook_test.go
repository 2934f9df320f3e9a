package workbook

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ackademy/ackademy/lessons"
	"github.com/ackademy/ackademy/web"
)

// story is a workbook of one scenario, so that the stories below don't change
// with the lessons.
var story = fstest.MapFS{"01-story/story.star": {Data: []byte(`"""Ack first, then commit."""

exports = queue("exports")
store = database("store", tables = {"totals": table(key = "id", role = "effect")})

def request(op):
    exports.publish(op.id, amount = op.amount)
    accept(op)

def handle(delivery):
    delivery.ack()
    tx = store.begin()
    tx.add("totals", "all", amount = delivery.amount)
    tx.commit()

service(request, intents = [intent("work-1", amount = 100)])
consumer(handle, queue = exports, replicas = 2)
faults(total = 1, crash = 1)
`)}}

func open(t *testing.T, root fs.FS, scenario string) web.Session {
	t.Helper()
	book, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	s, err := book.Open(context.Background(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t *testing.T, s web.Session, c web.Command) web.Snapshot {
	t.Helper()
	if err := s.Do(context.Background(), c); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return s.Snapshot()
}

// TestShipped steps every shipped scenario by the fixed rule and by chance,
// and looks at every position of each run.
func TestShipped(t *testing.T) {
	files, err := fs.Glob(lessons.Files(), "*/*.star")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		stepThrough(t, file, open(t, lessons.Files(), file))
	}
}

// TestPasted does the same with the texts that somebody may paste into the page:
// the casebook.
func TestPasted(t *testing.T) {
	var files []string
	for _, pattern := range []string{"casebook/*/*.star"} {
		found, err := filepath.Glob("../../../../lessons/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatal("no scenarios", err)
		}
		files = append(files, found...)
	}
	for i, file := range files {
		if testing.Short() && i%8 > 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := OpenText(file, text)
		if err != nil {
			t.Fatal(err)
		}
		stepThrough(t, file, s)
	}
}

func stepThrough(t *testing.T, file string, s web.Session) {
	t.Helper()
	lookOver(t, s.Snapshot())
	for seed := range int64(3) {
		do(t, s, web.Command{Do: web.DoReset})
		command := web.Command{Do: web.DoRandom, Seed: seed}
		if seed == 0 {
			command.Do = web.DoFinish
		}
		err := s.Do(context.Background(), command)
		end := s.Snapshot()
		var problem *web.Problem
		circles := errors.As(err, &problem) && problem.Code == "no_rest" && strings.Contains(file, "casebook") // some incidents go on for ever
		if !end.AtRest && !circles {
			t.Errorf("%s, seed %d: not at rest: %v", file, seed, err)
		}
		for position := range min(len(end.Steps), 60) + 1 {
			lookOver(t, do(t, s, web.Command{Do: web.DoJump, To: position}))
		}
	}
}

// lookOver holds a snapshot to what the page takes for granted.
func lookOver(t *testing.T, s web.Snapshot) {
	t.Helper()
	if len(s.Diagram.Rows) != len(s.Steps) || s.Position > len(s.Steps) {
		t.Fatalf("%s: %d rows, %d steps, position %d", s.Scenario.Name, len(s.Diagram.Rows), len(s.Steps), s.Position)
	}
	var lanes []string
	for _, lane := range s.Diagram.Lanes {
		if slices.Contains(lanes, lane.Name) {
			t.Errorf("two lanes %s", lane.Name)
		}
		lanes = append(lanes, lane.Name)
	}
	for _, row := range s.Diagram.Rows {
		for _, a := range row.Arrows {
			if !slices.Contains(lanes, a.From) || !slices.Contains(lanes, a.To) {
				t.Errorf("%s: an arrow without a lane: %+v", s.Scenario.Name, a)
			}
		}
	}
	lines := strings.Count(s.Scenario.Source, "\n") + 1
	for _, p := range s.Processes {
		if (p.State != "idle" && p.State != "down") != (p.First > 0) || p.First > p.Last || p.Last > lines {
			t.Errorf("%s at %d: %+v", s.Scenario.Name, s.Position, p)
		}
	}
	defaults, asks := 0, false
	for _, a := range s.Actions {
		if a.Default {
			defaults++
			asks = strings.HasPrefix(a.Explain, "A caller asks") // which may happen in a world at rest
		}
		if a.Group == "" || a.Label == "" || a.Explain == "" {
			t.Errorf("%s at %d: an action without words: %+v", s.Scenario.Name, s.Position, a)
		}
	}
	mistake := len(s.Actions) == 0 && !s.AtRest // ahead, in the text
	if (defaults == 1) == s.AtRest && !asks && !mistake {
		t.Errorf("%s at %d: %d default actions, at rest %v", s.Scenario.Name, s.Position, defaults, s.AtRest)
	}
}

func TestCommands(t *testing.T) {
	s := open(t, story, "01-story/story.star")
	if s := do(t, s, web.Command{Do: web.DoStep, Action: "publisher publish work-1"}); s.Position != 1 || len(s.Steps) != 1 {
		t.Fatalf("step: %+v", s)
	}
	do(t, s, web.Command{Do: web.DoStep, Action: "deliver work-1 to worker1"})
	if s := do(t, s, web.Command{Do: web.DoBack}); s.Position != 1 || len(s.Steps) != 2 {
		t.Fatal("back forgets the steps")
	}
	if s := do(t, s, web.Command{Do: web.DoStep, Action: "deliver work-1 to worker1"}); s.Position != 2 || len(s.Steps) != 2 {
		t.Fatal("the recorded step is not followed")
	}
	do(t, s, web.Command{Do: web.DoBack})
	if s := do(t, s, web.Command{Do: web.DoStep, Action: "deliver work-1 to worker2"}); s.Steps[1].Name != "deliver work-1 to worker2" {
		t.Fatal("another step doesn't replace the rest")
	}
	var problem *web.Problem
	err := s.Do(context.Background(), web.Command{Do: web.DoStep, Action: "worker1 ack"})
	if !errors.As(err, &problem) || problem.Code != "not_enabled" || s.Snapshot().Position != 2 {
		t.Fatalf("a step that isn't enabled: %v", err)
	}
	err = s.Do(context.Background(), web.Command{Do: web.DoLoad, Steps: []string{"publisher publish work-1", "worker1 ack"}, To: 0})
	if !errors.As(err, &problem) || s.Snapshot().Position != 1 {
		t.Fatalf("a load that doesn't fit: %v", err)
	}
}

// TestVerdict: the story of the lesson ends with its verdict, told in a
// sentence, and what the last step changed is marked.
func TestVerdict(t *testing.T) {
	s := open(t, story, "01-story/story.star")
	end := do(t, s, web.Command{Do: web.DoLoad, To: 99, Steps: []string{"publisher publish work-1", "publisher accept",
		"deliver work-1 to worker1", "worker1 ack", "worker1 crash before begin"}})
	verdicts := end.Intents[0].Verdicts
	if len(verdicts) != 1 || verdicts[0].Word != "lost" || !strings.Contains(verdicts[0].Sentence, "worker1 acked it at step 4") {
		t.Errorf("verdicts: %+v", verdicts)
	}
	good := do(t, s, web.Command{Do: web.DoLoad, To: 99, Steps: []string{"publisher publish work-1", "publisher accept",
		"deliver work-1 to worker1", "worker1 ack", "worker1 begin", "worker1 add totals", "worker1 commit"}})
	if v := good.Intents[0].Verdicts; len(v) != 1 || v[0].Word != "done_once" {
		t.Errorf("verdicts: %+v", v)
	}
	row := good.Tables[0].Rows[0]
	if row.State != "committed" || row.Change != "inserted" {
		t.Errorf("row: %+v", row)
	}
	before := do(t, s, web.Command{Do: web.DoBack})
	if row := before.Tables[0].Rows[0]; row.State != "pending" || row.By != "worker1" {
		t.Errorf("pending row: %+v", row)
	}
}

func TestNoScenario(t *testing.T) {
	book, err := Open(lessons.Files())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "nothing.star", "../doc.go", "/etc/passwd", "02-ack-first/lesson.md", "02-ack-first"} {
		var problem *web.Problem
		if _, err := book.Open(context.Background(), name); !errors.As(err, &problem) || problem.Code != "no_scenario" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestBudget: another budget of faults keeps the steps that fit it, offers the
// faults it has, and says which it is.
func TestBudget(t *testing.T) {
	s := open(t, story, "01-story/story.star")
	names := func(s web.Snapshot) (list []string) {
		for _, a := range s.Actions {
			list = append(list, a.Name)
		}
		return list
	}
	do(t, s, web.Command{Do: web.DoStep, Action: "publisher publish work-1"})
	const stall = "publisher stall before accept"
	if got := names(s.Snapshot()); slices.Contains(got, stall) {
		t.Fatalf("a stall without a budget: %q", got)
	}
	one := do(t, s, web.Command{Do: web.DoBudget, Budget: web.OneFault})
	if got := names(one); one.Scenario.Budget != web.OneFault || one.Position != 1 || !slices.Contains(got, stall) {
		t.Fatalf("budget %q, position %d, %q", one.Scenario.Budget, one.Position, got)
	}
	do(t, s, web.Command{Do: web.DoStep, Action: stall})
	var problem *web.Problem
	err := s.Do(context.Background(), web.Command{Do: web.DoBudget})
	back := s.Snapshot()
	if !errors.As(err, &problem) || problem.Code != "steps_dropped" || back.Scenario.Budget != "" || len(back.Steps) != 1 {
		t.Fatalf("%v; budget %q, %d steps", err, back.Scenario.Budget, len(back.Steps))
	}
	if err := s.Do(context.Background(), web.Command{Do: web.DoBudget, Budget: "ten"}); !errors.As(err, &problem) || problem.Code != "no_budget" {
		t.Fatal(err)
	}
}

// TestShelf: the second to ask gets what the first one found, unless a bound
// cut it short or the text is another.
func TestShelf(t *testing.T) {
	var s shelf
	searched := 0
	get := func(source, bound string) web.Work {
		work, err := s.get(context.Background(), "map a.star", source, func() (web.Work, error) {
			searched++
			return web.Work{States: searched, Bound: bound}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return work
	}
	get("one", "time")
	get("one", "")
	if got := get("one", ""); got.States != 2 || searched != 2 {
		t.Errorf("%d searches, %+v", searched, got)
	}
	if got := get("two", ""); got.States != 3 {
		t.Errorf("another text: %+v", got)
	}
}

// A search tells how fast it is and how near its bound, and ends when it is
// told to.
func TestSearchTellsProgress(t *testing.T) {
	const text = `
exports = queue("exports")
store = database("store", tables = {"totals": table(key = "id", role = "effect")})
def request(op):
    exports.publish(op.id)
    accept(op)
def handle(delivery):
    store.add("totals", delivery.op, n = 1)
    delivery.ack()
service(request, intents = [intent("w-%d" % i) for i in range(5)], concurrent = 4)
consumer(handle, queue = exports, replicas = 4)
faults(total = 3, crash = 3, lost_request = 3)
expect(lost = "possible")
expect(under = faults(crash = 1))
`
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var told *web.Progress
	_, err := SearchText(ctx, web.DoCheck, "big.star", []byte(text), func(work web.Work) {
		if work.Progress != nil && told == nil {
			told = work.Progress
			cancel()
		}
	})
	if err == nil || told == nil {
		t.Fatalf("told %+v, ended with %v", told, err)
	}
	if told.Rate <= 0 || told.Frontier <= 0 || told.Percent < 0 || told.Percent > 100 || told.Part != 1 || told.Parts != 2 ||
		told.Bounds != "500,000 states, 96 MiB of memory or 8 seconds" {
		t.Errorf("%+v", told)
	}
}

// Whatever the rules of the world are tested with can be shown: a call that the
// page doesn't know of must not bring it down.
func TestStoriesAreShown(t *testing.T) {
	files, err := filepath.Glob("../../../../sim/testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	shown := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		for i, block := range strings.Split("\n"+string(text), "\nscenario\n")[1:] {
			scenario, _, _ := strings.Cut(block, "\n----")
			s, err := OpenText(filepath.Base(file), []byte(scenario))
			if err != nil {
				continue // told to be refused, or of a form of its own
			}
			shown++
			_ = s.Do(context.Background(), web.Command{Do: web.DoRandom, Seed: int64(i) + 1}) // it may go in circles, or come upon a mistake
			end := s.Snapshot()
			lookOver(t, end)
			for position := 0; position < min(len(end.Steps), 40); position += 3 {
				lookOver(t, do(t, s, web.Command{Do: web.DoJump, To: position}))
			}
		}
	}
	if shown < 150 {
		t.Errorf("%d stories were shown", shown)
	}
}

// What a state means stands beside its word: until when a process is down, what
// it remembers and buffers, who reads a partition, and who is out.
func TestStatesInWords(t *testing.T) {
	const life = `
jobs = queue("jobs")
mail = provider("mail")
store = database("store", tables = {"totals": table(role = "effect")})
def request(op):
    jobs.publish(op.id)
    accept(op)
def handle(delivery):
    memory.put("seen", delivery.op)
    mail.send(delivery.op)
    store.insert("totals", op = delivery.op)
    delivery.ack()
service(request, intents = [intent("work-1"), intent("work-2")])
consumer(handle, queue = jobs, prefetch = 2, restart = 100)
faults(total = 3, crash = 1, stop = 1, outage = 1)
outage(mail, 30)
`
	s, err := OpenText("life.star", []byte(life))
	if err != nil {
		t.Fatal(err)
	}
	at := do(t, s, web.Command{Do: web.DoLoad, To: 7, Steps: []string{"publisher publish work-1", "publisher accept", "publisher publish work-2",
		"deliver work-1 to worker1", "deliver work-2 to worker1 (buffered)", "worker1 stop", "mail outage"}})
	worker := at.Processes[1]
	if worker.State != "stopping" || worker.Note != "finishes what runs and takes nothing new" || worker.Memory != "seen work-1" || len(at.Outages) != 1 || at.Outages[0] != (web.Outage{Party: "mail", Left: 30}) {
		t.Errorf("told to stop: %+v, outages %v", worker, at.Outages)
	}
	at = do(t, s, web.Command{Do: web.DoJump, To: 5})
	if worker := at.Processes[1]; !slices.Equal(worker.Buffer, []string{"work-2"}) || !slices.Equal(worker.Holds, []string{"work-1"}) || at.Queues[0].Messages[1].Place != "buffer" {
		t.Errorf("a buffer: %+v, %+v", worker, at.Queues[0].Messages)
	}
	at = do(t, s, web.Command{Do: web.DoStep, Action: "worker1 crash before send mail"})
	if worker := at.Processes[1]; worker.State != "down" || worker.Note != "back in 100 s" || worker.Memory != "" {
		t.Errorf("down: %+v", worker)
	}

	const log = `
events = log("events", like = "kafka")
store = database("store", tables = {"totals": table(role = "effect")})
def request(op):
    events.publish(op.id)
    accept(op)
def handle(delivery):
    store.insert("totals", op = delivery.op)
    delivery.commit()
service(request, intents = [intent("work-1")])
consumer(handle, queue = events, group = "g", commit = "manual")
`
	if s, err = OpenText("log.star", []byte(log)); err != nil {
		t.Fatal(err)
	}
	at = do(t, s, web.Command{Do: web.DoStep, Action: "publisher publish work-1"})
	if q := at.Queues[0]; len(q.Groups) != 1 || q.Groups[0] != (web.Group{Name: "g", Owner: "worker1", Says: "position before work-1, no offset committed"}) {
		t.Errorf("a partition: %+v", q)
	}
}
