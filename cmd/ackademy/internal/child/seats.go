package child

import (
	"context"
	"sync"
	"time"

	"github.com/ackademy/ackademy/web"
)

// seats bounds how many sessions have a process. One that needs a seat takes
// that of the session which was idle for longest; where none is idle it waits.
//
// Invariant: a session that is busy is touched by its own goroutine alone.
type seats struct {
	most int
	idle time.Duration

	mu      sync.Mutex
	list    []*seat       // those that have a process or are about to
	changed chan struct{} // closed and made anew whenever a seat may be had
}

// seat is a session's claim to a process. The zero value has none.
type seat struct {
	process *process
	busy    bool
	since   time.Time // idle since
	timer   *time.Timer
}

func newSeats(most int, idle time.Duration) *seats {
	return &seats{most: most, idle: idle, changed: make(chan struct{})}
}

// take makes the seat busy. It returns the process that serves it, or nil
// where one has to be made.
func (s *seats) take(ctx context.Context, mine *seat) (*process, error) {
	for {
		s.mu.Lock()
		if s.has(mine) || len(s.list) < s.most || s.evict() {
			if !s.has(mine) {
				s.list = append(s.list, mine)
			}
			mine.busy = true
			if mine.timer != nil {
				mine.timer.Stop()
			}
			if mine.process != nil && mine.process.over() {
				mine.process = nil
			}
			s.mu.Unlock()
			return mine.process, nil
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &web.Problem{Code: "crowded", Message: "More scenarios are at work than this machine runs at once.",
				Next: "Try it again in a moment, or close a page."}
		}
	}
}

func (s *seats) has(mine *seat) bool {
	for _, other := range s.list {
		if other == mine {
			return true
		}
	}
	return false
}

// evict ends the process that was idle for longest. The lock is held.
func (s *seats) evict() bool {
	var oldest *seat
	for _, other := range s.list {
		if !other.busy && (oldest == nil || other.since.Before(oldest.since)) {
			oldest = other
		}
	}
	if oldest != nil {
		s.drop(oldest)
	}
	return oldest != nil
}

// drop ends a seat's process and frees the seat. The lock is held.
func (s *seats) drop(old *seat) {
	if old.timer != nil {
		old.timer.Stop()
	}
	if old.process != nil {
		old.process.kill(causeClosed)
		old.process = nil
	}
	for i, other := range s.list {
		if other == old {
			s.list = append(s.list[:i], s.list[i+1:]...)
			break
		}
	}
	s.tell()
}

func (s *seats) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// put gives a busy seat its process.
func (s *seats) put(mine *seat, p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine.process = p
}

// leave ends being busy. A seat without a living process is free at once.
func (s *seats) leave(mine *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine.busy, mine.since = false, time.Now()
	if mine.process == nil || mine.process.over() {
		s.drop(mine)
		return
	}
	mine.timer = time.AfterFunc(s.idle, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !mine.busy && time.Since(mine.since) >= s.idle {
			s.drop(mine)
		}
	})
	s.tell()
}

// clear ends what the session holds.
func (s *seats) clear(mine *seat) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(mine)
}
