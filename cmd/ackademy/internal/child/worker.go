package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/workbook"
	"github.com/ackademy/ackademy/web"
)

// What parent and child say to each other, a line of JSON each. A request is
// one of its three fields.
type request struct {
	Open    *opening     `json:"open,omitempty"`
	Command *web.Command `json:"command,omitempty"`
	Search  *web.Search  `json:"search,omitempty"`
}

// opening is a session that is to be made, or made again.
type opening struct {
	Name     string   `json:"name"`
	Text     string   `json:"text"`
	Budget   string   `json:"budget"`
	Steps    []string `json:"steps"`
	Position int      `json:"position"`
}

// answer is what a request led to; a search has several, Last being true in
// the last of them.
type answer struct {
	Snapshot *web.Snapshot `json:"snapshot,omitempty"`
	Problem  *web.Problem  `json:"problem,omitempty"`
	Fault    string        `json:"fault,omitempty"`
	Work     *web.Work     `json:"work,omitempty"`
	Last     bool          `json:"last,omitempty"`
}

// failure is the error that an answer stands for: a *web.Problem, or our
// fault.
func (a *answer) failure() error {
	switch {
	case a.Fault != "":
		return fmt.Errorf("child: fault in a learner's text: %s", a.Fault)
	case a.Problem != nil:
		return a.Problem
	}
	return nil
}

// variable makes a program a child; its value is the limit of memory in bytes.
const variable = "ACKADEMY_CHILD"

// WorkerMain makes this program a child that evaluates a learner's text, if
// its parent says so, and does not return then. A program that opens texts
// calls it first thing in main.
func WorkerMain() {
	value := os.Getenv(variable)
	if value == "" {
		return
	}
	memory, err := strconv.ParseInt(value, 10, 64)
	if err != nil || memory <= 0 {
		fmt.Fprintf(os.Stderr, "%s is for the program's own use\n", variable)
		os.Exit(3)
	}
	bound(memory)
	w := &worker{out: json.NewEncoder(os.Stdout)}
	for r := range requests() {
		w.serve(&r)
	}
	os.Exit(0)
}

// bound keeps the child small. The collector works harder from three quarters
// of the limit on, so that only what is in use counts in the end.
func bound(memory int64) {
	debug.SetMemoryLimit(memory / 4 * 3)
	debug.SetMaxStack(64 << 20)
	limitProcess(memory)
	go watch(memory)
}

// watchEvery is short enough that little is allocated between two looks.
const watchEvery = 5 * time.Millisecond

// watch ends the child when it has grown too big. It is what bounds memory on
// systems whose kernel doesn't, and what gives the reason on all.
func watch(memory int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(watchEvery) {
		metrics.Read(sample)
		if used := sample[0].Value.Uint64() - sample[1].Value.Uint64(); used > uint64(memory) {
			os.Exit(statusMemory)
		}
	}
}

// requests reads until the parent closes the pipe, which it does by dying too;
// then the child ends, whatever it is doing.
func requests() <-chan request {
	list := make(chan request)
	go func() {
		in := json.NewDecoder(bufio.NewReader(os.Stdin))
		for {
			var r request
			if err := in.Decode(&r); err != nil {
				os.Exit(0)
			}
			list <- r
		}
	}()
	return list
}

// worker is the child's one session.
type worker struct {
	out     *json.Encoder
	session web.Session
}

// serve answers a request. A panic is ours, and the parent's log has it.
func (w *worker) serve(r *request) {
	defer func() {
		if fault := recover(); fault != nil {
			w.say(&answer{Fault: fmt.Sprintf("panic: %v\n%s", fault, debug.Stack()), Last: true})
		}
	}()
	ctx := context.Background() // the parent ends us when it doesn't wait any more
	switch {
	case r.Open != nil:
		w.conclude(w.open(ctx, r.Open))
	case r.Command != nil && w.session != nil:
		w.conclude(w.session.Do(ctx, *r.Command))
	case r.Search != nil:
		tell := func(work web.Work) { w.say(&answer{Work: &work}) }
		var work web.Work
		var err error
		if r.Search.Of == web.DoCompare {
			work, err = workbook.Compare(ctx, *r.Search)
		} else {
			work, err = workbook.SearchText(ctx, r.Search.Of, r.Search.Scenario, []byte(r.Search.Text), tell)
		}
		a := failed(err)
		a.Work, a.Last = &work, true
		w.say(a)
	default:
		w.say(&answer{Fault: "a request that asks for nothing", Last: true})
	}
}

func (w *worker) open(ctx context.Context, o *opening) error {
	session, err := workbook.OpenText(o.Name, []byte(o.Text))
	if err != nil {
		return err
	}
	w.session = session
	if o.Budget != "" {
		if err := session.Do(ctx, web.Command{Do: web.DoBudget, Budget: o.Budget}); err != nil {
			return err
		}
	}
	if len(o.Steps) == 0 {
		return nil
	}
	return session.Do(ctx, web.Command{Do: web.DoLoad, Steps: o.Steps, To: o.Position})
}

// conclude says where the session stands after a command.
func (w *worker) conclude(err error) {
	a := failed(err)
	if w.session != nil {
		snapshot := w.session.Snapshot()
		a.Snapshot = &snapshot
	}
	w.say(a)
}

func failed(err error) *answer {
	a := &answer{}
	if err != nil && !errors.As(err, &a.Problem) {
		a.Fault = err.Error()
	}
	return a
}

func (w *worker) say(a *answer) {
	if err := w.out.Encode(a); err != nil {
		os.Exit(0) // nobody reads any more
	}
}
