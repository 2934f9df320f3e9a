package exercises

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// connect makes the five pipes of a worker and gives the other ends to the
// command. They are returned to be closed once the process has them.
func (w *worker) connect() (theirs []*os.File, err error) {
	pipe := func(ours **os.File, weWrite bool) *os.File {
		read, write, failure := os.Pipe()
		if failure != nil {
			err = failure
			return nil
		}
		if weWrite {
			read, write = write, read
		}
		*ours = read
		theirs = append(theirs, write)
		return write
	}
	input := pipe(&w.pipes.input, true)
	output := pipe(&w.pipes.output, false)
	complaint := pipe(&w.pipes.complaint, false)
	announcements := pipe(&w.pipes.announcements, false)
	grants := pipe(&w.pipes.grants, true)
	if err != nil {
		return theirs, err
	}
	w.command.Stdin, w.command.Stdout, w.command.Stderr = input, output, complaint
	w.command.ExtraFiles = []*os.File{announcements, grants}
	return theirs, nil
}

func (p pipes) close() { closeAll(p.input, p.output, p.complaint, p.announcements, p.grants) }

// hurry lets reading from the pipes fail after a moment.
func (p pipes) hurry(deadline time.Time) {
	for _, file := range []*os.File{p.output, p.complaint, p.announcements} {
		_ = file.SetReadDeadline(deadline) // without deadlines the readers end with the group
	}
}

func closeAll(files ...*os.File) {
	for _, file := range files {
		if file != nil {
			_ = file.Close() // nothing is buffered
		}
	}
}

// heard is a line that was read from a pipe, or why the reading stopped there.
// Both come over one channel, so that they keep their order.
type heard[T any] struct {
	line T
	err  error
	cut  bool // err speaks of the last line, which was begun and not ended
}

// readAnnouncements feeds w.said from the announcement pipe.
func (w *worker) readAnnouncements() {
	listen(w.said, w.pipes.announcements, 0, func(line []byte) (message wire.Message, err error) {
		if json.Unmarshal(line, &message) != nil {
			err = garbage(w.name, "announcement pipe", line)
		}
		return message, err
	})
}

// readAnswers feeds w.answers from standard output.
func (w *worker) readAnswers() {
	listen(w.answers, w.pipes.output, w.limits.Output, func(line []byte) (answer wire.Answer, err error) {
		if json.Unmarshal(line, &answer) != nil || answer.Token == "" {
			err = garbage(w.name, "standard output", line)
		}
		return answer, err
	})
}

func garbage(name, where string, line []byte) error {
	if len(line) > 80 {
		line = line[:80]
	}
	return &halt{verdict: VerdictProtocol, message: fmt.Sprintf("%s wrote %q to its %s, which is not a line of the protocol. Print to standard error instead.", name, line, where)}
}

// listen feeds a channel with the lines of a file and closes it at the end. A
// line that is too long, or more than limit bytes in all (0: no limit), is a
// halt; the rest is not read, so that a flood stops at a full pipe.
func listen[T any](to chan<- heard[T], file *os.File, limit int64, read func([]byte) (T, error)) {
	defer close(to)
	stop := func(message string, size int64) {
		to <- heard[T]{err: &halt{bound: "output", message: fmt.Sprintf(message, size)}}
	}
	var total int64
	whole := true
	scanner := bufio.NewScanner(file)
	scanner.Buffer(make([]byte, 0, 4096), maxLine)
	scanner.Split(func(data []byte, end bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, end)
		whole = n == 0 || data[n-1] == '\n'
		return n, line, err
	})
	for scanner.Scan() {
		total += int64(len(scanner.Bytes())) + 1
		if limit > 0 && total > limit {
			stop("More than %d bytes were written to standard output.", limit)
			return
		}
		line, err := read(scanner.Bytes())
		to <- heard[T]{line: line, err: err, cut: err != nil && !whole}
		if err != nil {
			return
		}
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		stop("A line of more than %d bytes was written.", maxLine)
	} // otherwise an end, or a pipe that was closed under us: the process is over
}

// excerpt keeps the beginning and the end of a stream, and never stops reading
// it. (Some languages put the reason first, some last.)
type excerpt struct {
	mutex       sync.Mutex
	first, last []byte
}

func (e *excerpt) fill(file io.Reader) {
	block := make([]byte, 1024)
	for {
		n, err := file.Read(block)
		e.add(block[:n])
		if err != nil {
			return
		}
	}
}

func (e *excerpt) add(block []byte) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	room := min(len(block), maxExcerpt-len(e.first))
	e.first = append(e.first, block[:room]...)
	e.last = append(e.last, block[room:]...)
	if len(e.last) > maxExcerpt {
		e.last = append([]byte("...\n"), e.last[len(e.last)-maxExcerpt+4:]...)
	}
}

// String is safe to show in a terminal: control characters are dropped.
func (e *excerpt) String() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return plain(string(e.first) + string(e.last))
}

// plain drops control characters but for line ends and tabs.
func plain(text string) string {
	var kept []rune
	for _, char := range text {
		if char == '\n' || char == '\t' || char >= ' ' && char != 0x7f && (char < 0x80 || char > 0x9f) {
			kept = append(kept, char)
		}
	}
	return string(kept)
}
