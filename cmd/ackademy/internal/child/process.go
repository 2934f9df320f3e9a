package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// process is a child as its parent sees it: requests in, answers out.
type process struct {
	command *exec.Cmd
	limits  limits
	input   *os.File
	lines   chan []byte   // closed at the end of its output
	ended   chan struct{} // closed once it is reaped
	says    *excerpt      // what it wrote to standard error

	mu      sync.Mutex
	cause   cause
	request time.Duration // the limit that cause speaks of, where it is time
	dead    chan struct{} // closed by kill
}

// cause is why this side ended a process.
type cause int

const (
	causeNone    cause = iota
	causeClosed        // nobody needs it any more
	causeStopped       // the one who asked doesn't wait any more
	causeTime
	causeOutput
	causeGarbage
)

// start makes a child. It has loaded nothing yet.
func start(l limits) (*process, error) {
	theirInput, input, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("child: pipe: %w", err)
	}
	output, theirOutput, err := os.Pipe()
	if err != nil {
		closeAll(theirInput, input)
		return nil, fmt.Errorf("child: pipe: %w", err)
	}
	p := &process{command: exec.Command(self()), limits: l, input: input, lines: make(chan []byte), ended: make(chan struct{}),
		says: &excerpt{}, dead: make(chan struct{})}
	p.command.Stdin, p.command.Stdout, p.command.Stderr = theirInput, theirOutput, p.says
	p.command.Env = environment(l)
	p.command.WaitDelay = time.Second
	ownGroup(p.command)
	err = p.command.Start()
	closeAll(theirInput, theirOutput)
	if err != nil {
		closeAll(input, output)
		return nil, fmt.Errorf("child: start: %w", err)
	}
	go p.read(output)
	go func() {
		_ = p.command.Wait() // how it ended is in ProcessState
		closeAll(input)
		close(p.ended)
	}()
	return p, nil
}

// self is this very program, even where its file was replaced meanwhile.
func self() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}

// environment is small on purpose: nothing of the learner's shell reaches a
// text, and one processor is enough for one text.
func environment(l limits) []string {
	list := []string{variable + "=" + fmt.Sprint(l.Memory), "GOMAXPROCS=1", "GOTRACEBACK=single"}
	for _, name := range []string{"SystemRoot", "TMPDIR", "TZ"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

func closeAll(files ...*os.File) {
	for _, file := range files {
		_ = file.Close() // a pipe that is closed twice, or whose other end is gone
	}
}

// read hands on the lines of the output. One that is too long ends the child;
// one that was begun and not ended is what a dying child leaves behind, and no
// answer.
func (p *process) read(output *os.File) {
	defer closeAll(output)
	defer close(p.lines)
	scanner := bufio.NewScanner(output)
	scanner.Buffer(make([]byte, 0, 64<<10), p.limits.Line)
	scanner.Split(wholeLines)
	for scanner.Scan() {
		select {
		case p.lines <- append([]byte(nil), scanner.Bytes()...):
		case <-p.dead: // nobody listens any more
			return
		}
	}
	if scanner.Err() == bufio.ErrTooLong {
		p.kill(causeOutput)
	}
}

// wholeLines is bufio.ScanLines without the rest after the last line.
func wholeLines(data []byte, end bool) (int, []byte, error) {
	if end && bytes.IndexByte(data, '\n') < 0 {
		return len(data), nil, nil
	}
	return bufio.ScanLines(data, end)
}

// kill ends the child at once; only the first cause counts.
func (p *process) kill(why cause) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause == causeNone {
		p.cause = why
		close(p.dead)
		_ = p.command.Process.Kill() // it may have ended by itself
	}
}

// over tells whether the child serves nobody any more.
func (p *process) over() bool {
	select {
	case <-p.dead:
		return true
	case <-p.ended:
		return true
	default:
		return false
	}
}

// ask sends a request and hands each answer to take until that says that it
// was the last. When the time is over, or ctx ends, the child is killed: there
// is no other way to stop an interpreter in the middle of a step.
func (p *process) ask(ctx context.Context, limit time.Duration, r request, take func(*answer) bool) error {
	p.request = limit
	defer p.killUnless(time.AfterFunc(limit, func() { p.kill(causeTime) }).Stop, causeTime)
	defer p.killUnless(context.AfterFunc(ctx, func() { p.kill(causeStopped) }), causeStopped)
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("child: write a request: %w", err)
	}
	_, _ = p.input.Write(append(line, '\n')) // a dead reader shows as the end of its output
	for line := range p.lines {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			p.kill(causeGarbage) // unless something else has ended it, which is the reason then
			break
		}
		if take(&a) {
			return nil
		}
	}
	<-p.ended
	return p.death(ctx)
}

// killUnless ends the use of a bound. Where it is reached at this very moment the
// child is dead when killUnless returns: a kill that came later would hit the
// next request, to which the bound says nothing.
func (p *process) killUnless(stop func() bool, why cause) {
	if !stop() {
		p.kill(why)
	}
}

// excerpt keeps the beginning of a stream and lets the rest go.
type excerpt struct {
	mu   sync.Mutex
	text strings.Builder
}

const maxExcerpt = 8 << 10

var _ io.Writer = (*excerpt)(nil)

// Write implements io.Writer.
func (e *excerpt) Write(block []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text.Write(block[:min(len(block), maxExcerpt-e.text.Len())])
	return len(block), nil
}

func (e *excerpt) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.text.String()
}
