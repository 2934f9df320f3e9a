package web

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// The bounds of a socket. A person reaches none of them; a page that does is
// broken or isn't ours.
const (
	linesAtOnce  = 16        // sockets, so browser tabs
	messageSize  = 256 << 10 // of a request: a schedule of maxSteps fits
	ratePerTick  = 1         // requests regained in each rateTick
	rateTick     = 20 * time.Millisecond
	rateBurst    = 100
	outboxSize   = 16 // replies a slow reader may lag behind
	writeTimeout = 10 * time.Second
	pingEvery    = 25 * time.Second
	pongTimeout  = 60 * time.Second
)

// A line is one socket: a goroutine reads requests and hands them to its desk,
// another writes the replies.
type line struct {
	server *Server
	socket *websocket.Conn
	outbox chan Reply
	ended  chan struct{} // closed by end

	// Why it ended; set under the server's lock before ended is closed.
	code   int
	reason string
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") == "" { // guard has compared it, if it is there
		s.refuse(w, http.StatusForbidden, "The socket is for our own page.", "Open the page in a browser.")
		return
	}
	line := &line{server: s, outbox: make(chan Reply, outboxSize), ended: make(chan struct{})}
	if !s.admit(line) {
		s.refuse(w, http.StatusServiceUnavailable, "Too many tabs are open.", "Close one and load this page again.")
		return
	}
	upgrader := websocket.Upgrader{
		HandshakeTimeout: 5 * time.Second,
		CheckOrigin:      func(r *http.Request) bool { return r.Header.Get("Origin") == s.origin },
		Error: func(w http.ResponseWriter, _ *http.Request, status int, _ error) {
			s.refuse(w, status, "This address is for the page's socket.", "Go back to the contents.")
		},
	}
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil { // the upgrader has answered
		s.dismiss(line)
		return
	}
	line.socket = socket
	go line.write()
	line.read(r)
}

// admit counts the line in, unless there are too many.
func (s *Server) admit(line *line) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done || len(s.lines) >= linesAtOnce {
		return false
	}
	s.lines[line] = struct{}{}
	s.wait.Add(1)
	return true
}

func (s *Server) dismiss(line *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, line)
	s.wait.Done()
}

// end lets the writer say goodbye and close the socket; only the first call
// counts. The server's lock is held.
func (l *line) end(code int, reason string) {
	select {
	case <-l.ended:
	default:
		l.code, l.reason = code, reason
		close(l.ended)
	}
}

// read answers requests until the socket ends. Whatever ends it, the page
// comes back with what it knows and gets a full snapshot.
func (l *line) read(r *http.Request) {
	code, reason := websocket.CloseInternalServerErr, "" // unless answer returns
	defer func() {
		l.server.mu.Lock()
		l.end(code, reason)
		l.server.mu.Unlock()
		l.server.dismiss(l)
	}()
	code, reason = l.answer(r)
}

// answer returns why it stopped, in the words of RFC 6455.
func (l *line) answer(r *http.Request) (code int, reason string) {
	desk := newDesk(r.Context(), l.server, l.send)
	defer desk.close()
	rate := bucket{now: l.server.now}
	l.socket.SetReadLimit(messageSize)
	l.socket.SetPongHandler(func(string) error { return l.extend() })
	if l.extend() != nil {
		return websocket.CloseNormalClosure, ""
	}
	for {
		kind, data, err := l.socket.ReadMessage()
		switch {
		case errors.Is(err, websocket.ErrReadLimit): // the library has said so already
			return websocket.CloseMessageTooBig, ""
		case err != nil: // the other side is gone, or was silent for too long
			return websocket.CloseNormalClosure, ""
		case kind != websocket.TextMessage:
			return websocket.CloseUnsupportedData, "only text is understood"
		case !rate.take():
			return websocket.ClosePolicyViolation, "too many requests in a short time"
		}
		var request Request
		if err := json.Unmarshal(data, &request); err != nil {
			return websocket.CloseInvalidFramePayloadData, "this is not a request"
		}
		if desk.take(request) != nil {
			return websocket.CloseTryAgainLater, "too many requests wait for an answer"
		}
		if l.extend() != nil {
			return websocket.CloseNormalClosure, ""
		}
	}
}

// send hands a reply to the writer, or ends the socket of a slow reader. It
// never waits, because whoever answers has other simulations to serve.
func (l *line) send(reply Reply) {
	select {
	case l.outbox <- reply:
	default:
		l.server.mu.Lock()
		defer l.server.mu.Unlock()
		l.end(websocket.CloseTryAgainLater, "replies are not being read")
	}
}

// extend gives the other side pongTimeout more to say something.
func (l *line) extend() error {
	return l.socket.SetReadDeadline(time.Now().Add(pongTimeout))
}

// goodbye tells the other side why, if it still listens.
func (l *line) goodbye() {
	message := websocket.FormatCloseMessage(l.code, l.reason)
	_ = l.socket.WriteControl(websocket.CloseMessage, message, time.Now().Add(time.Second))
}

// write owns the socket's end: when it returns, reading fails too.
func (l *line) write() {
	defer l.socket.Close()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select { // before any reply that still waits
		case <-l.ended:
			l.goodbye()
			return
		default:
		}
		var err error
		select {
		case reply := <-l.outbox:
			if err = l.socket.SetWriteDeadline(time.Now().Add(writeTimeout)); err == nil {
				err = l.socket.WriteJSON(reply)
			}
		case <-ping.C:
			err = l.socket.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout))
		case <-l.ended:
			continue
		}
		var late net.Error
		if errors.As(err, &late) && late.Timeout() {
			l.server.log.Debug("a slow reader was dropped")
		}
		if err != nil {
			return
		}
	}
}

// A bucket holds the requests that may still come at once.
type bucket struct {
	now   func() time.Time
	spent int
	since time.Time // up to when the regained ones were counted
}

func (b *bucket) take() bool {
	now := b.now()
	if ticks := int(now.Sub(b.since) / rateTick); ticks > 0 {
		b.spent = max(0, b.spent-ticks*ratePerTick)
		b.since = now
	}
	if b.spent >= rateBurst {
		return false
	}
	b.spent++
	return true
}
