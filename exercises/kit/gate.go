package kit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// ErrBusy is what a call returns when another connection holds the lock and
// waiting is over, or would be of no use. The statement did nothing.
var ErrBusy = errors.New("the database is locked by another connection (SQLITE_BUSY)")

// errWaits tells the gate that the call met a lock and may be tried again.
var errWaits = errors.New("waits for a lock")

// gate announces calls and lets them through one at a time. Without a grader
// (watched is false) every call goes through at once.
type gate struct {
	mutex   sync.Mutex
	out     *json.Encoder
	in      *bufio.Reader
	number  int
	watched bool
}

// openGate connects to the grader named in the environment, if there is one.
func openGate() (*gate, error) {
	pipes := os.Getenv(wire.EnvPipes)
	if pipes == "" {
		return &gate{}, nil
	}
	first, second, _ := strings.Cut(pipes, ",")
	write, err1 := strconv.Atoi(first)
	read, err2 := strconv.Atoi(second)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("%s=%q does not name two descriptors: %w", wire.EnvPipes, pipes, err)
	}
	g := &gate{
		out:     json.NewEncoder(os.NewFile(uintptr(write), "announcements")),
		in:      bufio.NewReader(os.NewFile(uintptr(read), "grants")),
		watched: true,
	}
	return g, g.say(wire.Message{Say: wire.SayHello, Protocol: wire.Version, Kit: "go"})
}

func (g *gate) say(message wire.Message) error {
	if err := g.out.Encode(message); err != nil {
		return fmt.Errorf("the grader is gone: %w", err)
	}
	return nil
}

// cross announces a call, waits for the grant and makes the call. While the
// call returns errWaits it stays at the same boundary and asks again.
func (g *gate) cross(kind, text string, call func() error) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if !g.watched {
		return unwatched(call)
	}
	g.number++
	err := g.say(wire.Message{Say: wire.SayCall, Number: g.number, Kind: kind, Text: text})
	if err != nil {
		return err
	}
	for {
		reply, err := g.hear()
		if err != nil {
			return err
		}
		result := wire.Message{Say: wire.SayResult, Number: g.number, Outcome: wire.OutcomeDone}
		failure := ErrBusy
		if reply.Busy != g.number {
			failure = call()
		}
		if failure != nil {
			result.Outcome, result.Detail = wire.OutcomeFailed, failure.Error()
		}
		if errors.Is(failure, errWaits) {
			result.Outcome = wire.OutcomeWaits
		}
		if err := g.say(result); err != nil {
			return err
		}
		if result.Outcome != wire.OutcomeWaits {
			return failure
		}
	}
}

// hear reads the grader's reply to the call that was announced last. A grader
// that is gone ends the program: nobody is left to grant anything.
func (g *gate) hear() (wire.Reply, error) {
	line, err := g.in.ReadBytes('\n')
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit: the grader is gone")
		os.Exit(1)
	}
	var reply wire.Reply
	if err := json.Unmarshal(line, &reply); err != nil {
		return reply, fmt.Errorf("the grader's reply %q is not understood: %w", line, err)
	}
	if reply.Go != g.number && reply.Busy != g.number {
		return reply, fmt.Errorf("the grader's reply %q is not about call %d", line, g.number)
	}
	return reply, nil
}

// unwatched makes a call without a grader. There is nobody to tell when a lock
// is free, so a wait ends at once.
func unwatched(call func() error) error {
	if err := call(); !errors.Is(err, errWaits) {
		return err
	}
	return ErrBusy
}
