package real

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// child is a process of ours, seen from the referee.
type child struct {
	name     string
	patience time.Duration
	command  *exec.Cmd
	in       *os.File
	out      *os.File
	lines    chan []byte // closed at the end of the child's output
	says     *tail       // what it wrote to standard error
	dead     bool        // killed and reaped
	failed   string      // why it could not go on, if it said so
}

// roleVariable makes this program a child: see WorkerMain.
const roleVariable = "ACKADEMY_REAL_ROLE"

// startChild starts this program again in a role. Its working directory is the
// run's folder, so sockets and files have short names.
func startChild(executable, role, name, folder string, patience time.Duration) (*child, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	c := &child{name: name, patience: patience, in: in, out: out, lines: make(chan []byte), says: &tail{}}
	c.command = exec.Command(executable)
	c.command.Dir = folder
	// One thread at a time runs Go code in a child: nothing in it is parallel.
	c.command.Env = []string{roleVariable + "=" + role, "GOMAXPROCS=1"}
	c.command.Stdin, c.command.Stdout, c.command.Stderr = theirIn, theirOut, c.says
	c.command.WaitDelay = moment
	ownGroup(c.command)
	err = c.command.Start()
	err = errors.Join(err, theirIn.Close(), theirOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go c.read()
	return c, nil
}

// read feeds c.lines. It ends with the child, or at the deadline that kill sets.
func (c *child) read() {
	defer close(c.lines)
	s := bufio.NewScanner(c.out)
	s.Buffer(make([]byte, 0, 4096), maxLine)
	for s.Scan() {
		c.lines <- append([]byte(nil), s.Bytes()...)
	}
}

// tell sends a request.
func (c *child) tell(ctx context.Context, r *request) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	// Without the deadline a child that does not read would hold the referee.
	if err := c.in.SetWriteDeadline(time.Now().Add(c.patience)); err != nil {
		return err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return c.lost(ctx, "talking to "+c.name, err)
	}
	return nil
}

// hear waits for the next reply, and insists on its kind.
func (c *child) hear(ctx context.Context, kind string) (*reply, error) {
	limit := time.NewTimer(c.patience)
	defer limit.Stop()
	select {
	case <-ctx.Done():
		return nil, interrupted(ctx)
	case <-limit.C:
		return nil, c.lost(ctx, "waiting for "+c.name, fmt.Errorf("it said nothing for %v", c.patience))
	case line, ok := <-c.lines:
		if !ok {
			return nil, c.lost(ctx, "waiting for "+c.name, errors.New("it ended by itself"))
		}
		r := &reply{}
		if err := json.Unmarshal(line, r); err != nil || r.Is == "" {
			return nil, ourFault("listening to "+c.name, fmt.Errorf("%.80q is no reply; does this program call real.WorkerMain first?", line))
		}
		if r.Is == isFailed {
			return nil, ourFault("waiting for "+c.name, errors.New(r.Text))
		}
		if r.Is != kind {
			return nil, ourFault("listening to "+c.name, fmt.Errorf("it is %s and should be %s", r.Is, kind))
		}
		return r, nil
	}
}

// ask sends a request and waits for the reply.
func (c *child) ask(ctx context.Context, r *request, kind string) (*reply, error) {
	if err := c.tell(ctx, r); err != nil {
		return nil, err
	}
	return c.hear(ctx, kind)
}

// lost says why a child can't be spoken with any more. That its pipe is broken is
// seen first, and the reason may still be on its way, so the child is reaped and
// what it has written is taken in before.
func (c *child) lost(ctx context.Context, doing string, what error) error {
	c.kill()
	switch {
	case ctx.Err() != nil: // whoever ended us may have ended it too
		return interrupted(ctx)
	case c.failed != "":
		return ourFault("waiting for "+c.name, errors.New(c.failed))
	}
	return ourFault(doing, fmt.Errorf("%w%s", what, c.lastWords()))
}

// moment bounds the waiting for pipes of a dead child that somebody else holds.
const moment = time.Second

// kill sends SIGKILL and reaps the child: its locks and connections are gone
// when kill returns. Of what it has still said, only a failure matters.
func (c *child) kill() {
	if c.dead {
		return
	}
	c.dead = true
	_ = c.command.Process.Kill()                      // it may have ended by itself
	_ = c.command.Wait()                              // "signal: killed" is what we want
	_ = c.out.SetReadDeadline(time.Now().Add(moment)) // without it the pipe ends with the child
	for line := range c.lines {
		r := &reply{}
		if json.Unmarshal(line, r) == nil && r.Is == isFailed {
			c.failed = r.Text
		}
	}
	_ = c.in.Close()
	_ = c.out.Close()
}

func (c *child) lastWords() string {
	if said := c.says.String(); said != "" {
		return "; its last words: " + said
	}
	return ""
}

// tail keeps the end of what a child writes to standard error.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

// maxTail is enough for the first lines of a panic and its goroutine.
const maxTail = 4096

func (t *tail) Write(block []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, block...)
	if len(t.text) > maxTail {
		t.text = append([]byte(nil), t.text[len(t.text)-maxTail:]...)
	}
	return len(block), nil
}

// String is safe to show in a terminal: control characters are dropped.
func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.Map(func(r rune) rune {
		if r == '\n' || r >= ' ' && r != 0x7f && (r < 0x80 || r > 0x9f) {
			return r
		}
		return -1
	}, strings.TrimSpace(string(t.text)))
}

// The child's own end of the pipes.

// line is the referee, seen from a child.
type line struct {
	in  *bufio.Scanner
	out io.Writer
}

func newLine(in io.Reader, out io.Writer) *line {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 0, 4096), maxLine)
	return &line{in: s, out: out}
}

// next returns the next request. At the end of the input nobody is left to ask
// for anything, so the child ends there and then, whatever it was doing.
func (l *line) next() *request {
	r := &request{}
	if !l.in.Scan() {
		os.Exit(0)
	}
	if err := json.Unmarshal(l.in.Bytes(), r); err != nil {
		l.fail(err)
	}
	return r
}

func (l *line) say(r *reply) {
	text, err := json.Marshal(r)
	if err != nil {
		l.fail(err)
	}
	if _, err := l.out.Write(append(text, '\n')); err != nil {
		os.Exit(0) // the referee is gone
	}
}

// fail tells the referee why the child can't go on, and ends it.
func (l *line) fail(err error) {
	text, _ := json.Marshal(&reply{Is: isFailed, Text: err.Error()}) // two strings
	_, _ = l.out.Write(append(text, '\n'))
	os.Exit(1)
}
