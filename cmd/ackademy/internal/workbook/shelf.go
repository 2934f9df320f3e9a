package workbook

import (
	"context"
	"sync"

	"github.com/ackademy/ackademy/web"
)

// A shelf keeps what searches of shipped scenarios found. A lesson shows one
// scenario several times, and every page asks for the same window maps. There
// is one place for each scenario and kind of search, so it stays small.
type shelf struct {
	mu     sync.Mutex
	places map[string]*place
}

// place holds the answer for one text; whoever has the turn may look at it.
type place struct {
	turn   chan struct{} // one at a time: the second finds what the first found
	source string
	work   web.Work
	filled bool
}

// get returns what was found of this text, or searches. An answer that a bound
// cut short is not kept: another time it may be whole.
func (s *shelf) get(ctx context.Context, key, source string, search func() (web.Work, error)) (web.Work, error) {
	s.mu.Lock()
	if s.places == nil {
		s.places = map[string]*place{}
	}
	p := s.places[key]
	if p == nil {
		p = &place{turn: make(chan struct{}, 1)}
		s.places[key] = p
	}
	s.mu.Unlock()
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return web.Work{}, ctx.Err()
	}
	if p.filled && p.source == source { // with --dev a text can change
		return p.work, nil
	}
	work, err := search()
	if err == nil && work.Bound == "" {
		p.source, p.work, p.filled = source, work, true
	}
	return work, err
}
