package exercises

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ackademy/ackademy/exercises/kit"
	"github.com/ackademy/ackademy/exercises/kit/wire"
)

func init() { maps.Copy(attacks, boundAttacks) }

// boundAttacks reach a bound and look like another mistake, or the other way
// round.
var boundAttacks = map[string]func(){
	"floods-and-says-garbage": func() {
		flood()
		_, _ = os.NewFile(3, "announcements").WriteString("go away\n")
		select {}
	},
	"floods-and-hangs": func() {
		flood()
		select {}
	},
	"floods-and-ends": flood,
	"floods-and-fails": consume(func(*kit.Store, kit.Delivery) error {
		flood()
		return errors.New("not today")
	}),
	"floods-and-closes": consume(func(store *kit.Store, work kit.Delivery) error {
		flood()
		_ = os.NewFile(1, "answers").Close()
		return solve(store, work)
	}),
	"closes-stdout": func() {
		answers := os.Stdout
		os.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		_ = answers.Close()
		kit.Consume(solve)
	},
	"breaks-off": consume(func(*kit.Store, kit.Delivery) error {
		breakOff()
		return errors.New("not today")
	}),
	"breaks-off-and-takes-memory": consume(func(*kit.Store, kit.Delivery) error {
		breakOff()
		takeMemory()
		return nil
	}),
	"takes-memory-first": takeMemory,
	"takes-memory-when-told-to-leave": func() {
		kit.Consume(solve)
		takeMemory()
	},
	"asks-for-memory": consume(func(*kit.Store, kit.Delivery) error {
		_ = fmt.Sprint(len(make([]byte, askFor)))
		return nil
	}),
}

// askFor is no constant, so that the compiler can't refuse it.
var askFor = 64 << 30

// flood writes more to standard output than TestBoundComesFirst allows.
func flood() {
	_, _ = os.NewFile(1, "answers").WriteString(strings.Repeat(`{"token":"d1","answer":"applied"}`+"\n", 3))
}

func breakOff() { _, _ = os.NewFile(1, "answers").WriteString(`{"tok`) }

func takeMemory() {
	for kept := [][]byte{}; len(kept) < 4096; {
		kept = append(kept, bytes.Repeat([]byte{1}, 1<<20))
	}
	select {}
}

// TestBoundComesFirst: what a program shows because a bound holds it or ends it
// is not taken for a mistake, whoever is quicker; and a mistake is not taken for
// a bound.
func TestBoundComesFirst(t *testing.T) {
	for _, test := range []struct{ mode, status, reason string }{
		{"floods-and-says-garbage", StatusUndecided, "output"},
		{"floods-and-hangs", StatusUndecided, "output"},
		{"floods-and-ends", StatusUndecided, "output"},
		{"floods-and-fails", StatusUndecided, "output"},
		{"floods-and-closes", StatusUndecided, "output"},
		{"closes-stdout", StatusFailed, VerdictProtocol},
		{"breaks-off", StatusFailed, VerdictProtocol},
		{"breaks-off-and-takes-memory", StatusUndecided, "memory"},
		{"takes-memory-first", StatusUndecided, "memory"},
		{"takes-memory-when-told-to-leave", StatusUndecided, "memory"},
		{"asks-for-memory", StatusUndecided, "memory"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			t.Parallel()
			limits := roomy
			switch test.reason {
			case "output":
				limits.Output = 20
			case "memory":
				limits.Memory, limits.Answer = 300<<20, 3*time.Minute // a busy machine is slow to give so much
				if !limitsMemory || raceEnabled {
					t.Skip("memory is not limited on this system, or taken by the race detector")
				}
			}
			report, _ := attack(t, test.mode, limits)
			if report.Status != test.status || report.Verdict+report.Bound != test.reason {
				show(t, report)
				t.Errorf("want %s: %s", test.status, test.reason)
			}
		})
	}
}

// TestAnnouncedAnswer: the reader of standard output has stopped at a bound, and
// its end is there to be seen as well. It has to be the bound each time.
func TestAnnouncedAnswer(t *testing.T) {
	bound := &halt{bound: "output"}
	for range 200 {
		w := &worker{ctx: t.Context(), name: "worker1", limits: roomy, delivery: &delivery{token: "d1"}, answers: make(chan heard[wire.Answer], 1)}
		w.at = wire.Message{Number: 1, Kind: wire.KindAnswer}
		w.answers <- heard[wire.Answer]{err: bound}
		close(w.answers)
		if err := w.conclude(wire.Message{Say: wire.SayResult, Number: 1, Outcome: wire.OutcomeDone}); err != bound || w.reached != bound {
			t.Fatalf("got %v", err)
		}
	}
}

// TestSweepKeepsBounds: a bound that is found when a process is killed as planned
// is not lost with it.
func TestSweepKeepsBounds(t *testing.T) {
	w := deadWorker(t)
	w.answers <- heard[wire.Answer]{err: &halt{bound: "output"}}
	close(w.answers)
	r := &run{bench: &bench{limits: roomy}, ctx: t.Context(), workers: []*worker{w}, strike: 1, watched: -1}
	err := r.step(w)
	var halted *halt
	if errors.Is(err, errStruck) || !errors.As(err, &halted) || halted.bound != "output" {
		t.Errorf("got %v", err)
	}
}

// deadWorker has ended, and its standard output is still to be read.
func deadWorker(t *testing.T) *worker {
	t.Helper()
	w, err := startWorker(t.Context(), "worker1", []string{"true"}, t.TempDir(), "", Limits{Answer: time.Minute, Memory: roomy.Memory})
	if err != nil {
		t.Fatal(err)
	}
	w.state, w.answers = parked, make(chan heard[wire.Answer], 1)
	return w
}
