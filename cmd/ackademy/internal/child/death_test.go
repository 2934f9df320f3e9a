//go:build linux || darwin

package child

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ackademy/ackademy/web"
)

// played is a process whose answers are the test's.
func played(t *testing.T, lines ...string) *process {
	t.Helper()
	_, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{command: exec.Command("sleep", "3600"), limits: standard, input: input, says: &excerpt{},
		lines: make(chan []byte, len(lines)), ended: make(chan struct{}), dead: make(chan struct{})}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		p.lines <- []byte(line)
	}
	close(p.lines)
	go func() {
		_ = p.command.Wait()
		closeAll(input)
		close(p.ended)
	}()
	t.Cleanup(func() { p.kill(causeClosed) })
	return p
}

func ask(ctx context.Context, p *process) error {
	return p.ask(ctx, time.Minute, request{}, func(*answer) bool { return false })
}

// A line that is no answer is a fault of ours, unless a bound has ended the
// child: then it is what was left of one.
func TestBoundBehindGarbage(t *testing.T) {
	for why, code := range map[cause]string{causeTime: "scenario_time", causeOutput: "scenario_output"} {
		p := played(t, `{"snap`)
		p.kill(why)
		var problem *web.Problem
		if err := ask(t.Context(), p); !errors.As(err, &problem) || problem.Code != code {
			t.Errorf("got %v, want %s", err, code)
		}
	}
	if err := ask(t.Context(), played(t, `{"snap`)); err == nil || !strings.Contains(err.Error(), "can't be read") {
		t.Errorf("got %v", err)
	}
}

// What a child has begun to write when it is ended is no answer.
func TestHalfALine(t *testing.T) {
	output, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{limits: standard, lines: make(chan []byte, 4), dead: make(chan struct{})}
	_, _ = theirs.WriteString("{}\n{\"last\":true}\n{\"snap")
	closeAll(theirs)
	p.read(output)
	var got []string
	for line := range p.lines {
		got = append(got, string(line))
	}
	if strings.Join(got, " ") != `{} {"last":true}` {
		t.Errorf("got %q", got)
	}
}

// A bound that is reached while the answer comes ends the child at once, and no
// later request.
func TestBoundAtTheLastMoment(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := played(t, `{"last":true}`)
	if err := p.ask(ctx, time.Minute, request{}, func(*answer) bool { cancel(); return true }); err != nil {
		t.Errorf("got %v", err)
	}
	if !p.over() {
		t.Error("it is still at hand")
	}
}
