package web

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// dial opens a socket as the page would; edit can spoil the request.
func dial(t *testing.T, server *Server, cookie string, edit func(http.Header)) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	header := http.Header{"Origin": {server.origin}, "Cookie": {server.door.cookie + "=" + cookie}}
	if edit != nil {
		edit(header)
	}
	socket, response, err := websocket.DefaultDialer.Dial("ws://"+server.host+"/socket", header)
	if err == nil {
		t.Cleanup(func() { socket.Close() })
	}
	return socket, response, err
}

func mustDial(t *testing.T, server *Server) *websocket.Conn {
	t.Helper()
	socket, _, err := dial(t, server, cookieOf(t, known(t, server), server), nil)
	if err != nil {
		t.Fatal(err)
	}
	return socket
}

// say sends a request and returns its reply.
func say(t *testing.T, socket *websocket.Conn, request Request) Reply {
	t.Helper()
	if err := socket.WriteJSON(request); err != nil {
		t.Fatal(err)
	}
	return hear(t, socket)
}

func hear(t *testing.T, socket *websocket.Conn) Reply {
	t.Helper()
	_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
	_, data, err := socket.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Reply
		Snapshot json.RawMessage `json:"snapshot"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Snapshot != nil {
		if err := json.Unmarshal(reply.Snapshot, &reply.Reply.Snapshot); err != nil {
			t.Fatal(err)
		}
	}
	return reply.Reply
}

func hello(sim string, steps []string, position int) Request {
	return Request{Type: "hello", Sim: sim, Seq: 1, Start: &Start{Scenario: "01-toy/toy.star", Steps: steps, Position: position}}
}

func do(sim string, command Command) Request {
	return Request{Type: "do", Sim: sim, Seq: 2, Command: &command}
}

// One simulation from its hello to its end, as the page would step it.
func TestSocketSteps(t *testing.T) {
	socket := mustDial(t, startServer(t, &toyBook{}))
	reply := say(t, socket, hello("toy", nil, 0))
	if reply.Type != "state" || reply.Seq != 1 || reply.Snapshot.Position != 0 || len(reply.Snapshot.Actions) == 0 {
		t.Fatalf("got %+v", reply)
	}
	for _, test := range []struct {
		command  Command
		position int
		steps    int
	}{
		{Command{Do: DoStep, Action: "publisher publish work-1"}, 1, 1},
		{Command{Do: DoStep, Action: "publisher accept work-1"}, 2, 2},
		{Command{Do: DoBack}, 1, 2},
		{Command{Do: DoForward}, 2, 2},
		{Command{Do: DoJump, To: 0}, 0, 2},
		{Command{Do: DoStep, Action: "publisher publish work-1 lost-request"}, 1, 1},
		{Command{Do: DoFinish}, 2, 2},
		{Command{Do: DoReset}, 0, 0},
		{Command{Do: DoLoad, Steps: []string{"publisher publish work-1", "deliver work-1 to worker2"}, To: 1}, 1, 2},
	} {
		reply := say(t, socket, do("toy", test.command))
		if reply.Problem != nil || reply.Snapshot.Position != test.position || len(reply.Snapshot.Steps) != test.steps {
			t.Errorf("%+v: position %d of %d, problem %v", test.command, reply.Snapshot.Position, len(reply.Snapshot.Steps), reply.Problem)
		}
	}
	if reply := say(t, socket, Request{Type: "bye", Sim: "toy", Seq: 3}); reply.Type != "bye" || reply.Seq != 3 {
		t.Errorf("got %+v", reply)
	}
	if reply := say(t, socket, do("toy", Command{Do: DoBack})); reply.Problem == nil || reply.Problem.Code != "not_open" {
		t.Errorf("after bye: %+v", reply)
	}
}

// What a learner can get wrong is answered, says what to do, and leaves the
// socket and the other simulations alone.
func TestSocketProblems(t *testing.T) {
	socket := mustDial(t, startServer(t, &toyBook{}))
	say(t, socket, hello("toy", nil, 0))
	long := strings.Repeat("x", maxName+1)
	for _, test := range []struct {
		name    string
		request Request
		code    string
		stands  bool // a snapshot comes along
	}{
		{"unknown request", Request{Type: "sing", Sim: "toy"}, "unknown_request", false},
		{"unknown command", do("toy", Command{Do: "undo"}), "unknown_command", false},
		{"no command", Request{Type: "do", Sim: "toy"}, "bad_request", false},
		{"no start", Request{Type: "hello", Sim: "toy"}, "bad_request", false},
		{"no name", Request{Type: "bye"}, "bad_request", false},
		{"long name", Request{Type: "bye", Sim: long}, "bad_request", false},
		{"long action", do("toy", Command{Do: DoStep, Action: long}), "name_too_long", false},
		{"long schedule", hello("toy", make([]string, maxSteps+1), 0), "schedule_too_long", false},
		{"not open", do("other", Command{Do: DoBack}), "not_open", false},
		{"step that isn't enabled", do("toy", Command{Do: DoStep, Action: "worker1 commit"}), "not_enabled", true},
		{"unknown scenario", Request{Type: "hello", Sim: "new", Start: &Start{Scenario: "../../etc/passwd"}}, "no_scenario", false},
		{"schedule that doesn't fit", hello("old", []string{"publisher publish work-1", "no such step"}, 2), "not_enabled", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply := say(t, socket, test.request)
			if reply.Problem == nil || reply.Problem.Code != test.code || reply.Problem.Next == "" {
				t.Errorf("got %+v, want %s", reply.Problem, test.code)
			}
			if (reply.Snapshot != nil) != test.stands {
				t.Errorf("snapshot: %v", reply.Snapshot)
			}
		})
	}
	if reply := say(t, socket, do("old", Command{Do: DoBack})); reply.Snapshot == nil || len(reply.Snapshot.Steps) != 1 {
		t.Errorf("the schedule that didn't fit left %+v", reply)
	}
}

func TestSocketSimulationsAreBounded(t *testing.T) {
	socket := mustDial(t, startServer(t, &toyBook{}))
	for i := range simsAtOnce {
		if reply := say(t, socket, hello(strings.Repeat("s", i+1), nil, 0)); reply.Problem != nil {
			t.Fatalf("simulation %d: %v", i, reply.Problem)
		}
	}
	if reply := say(t, socket, hello("more", nil, 0)); reply.Problem == nil || reply.Problem.Code != "too_many_simulations" {
		t.Errorf("got %+v", reply)
	}
	if reply := say(t, socket, hello("s", nil, 0)); reply.Problem != nil {
		t.Errorf("an open one can't be opened again: %v", reply.Problem)
	}
}

// A second life of the server knows nothing, and the page tells it all.
func TestSocketComesBackAfterRestart(t *testing.T) {
	steps := []string{"publisher publish work-1", "deliver work-1 to worker1", "worker1 ack"}
	var want string
	for range 2 {
		socket := mustDial(t, startServer(t, &toyBook{}))
		reply := say(t, socket, hello("toy", steps, 2))
		data, _ := json.Marshal(reply)
		if want == "" {
			want = string(data)
		}
		if string(data) != want || reply.Snapshot.Position != 2 || len(reply.Snapshot.Steps) != 3 {
			t.Errorf("got %s", data)
		}
	}
}

func TestSocketPanicIsOurFault(t *testing.T) {
	book := &toyBook{}
	socket := mustDial(t, startServer(t, book))
	say(t, socket, hello("toy", nil, 0))
	book.panic = true
	reply := say(t, socket, do("toy", Command{Do: DoBack}))
	if reply.Problem == nil || reply.Problem.Code != "our_fault" || reply.Snapshot != nil || strings.Contains(reply.Problem.Message, "toy") {
		t.Errorf("got %+v", reply)
	}
	book.panic = false
	if reply := say(t, socket, do("toy", Command{Do: DoBack})); reply.Problem == nil || reply.Problem.Code != "not_open" {
		t.Errorf("the broken session is still used: %+v", reply)
	}
	if reply := say(t, socket, hello("toy", nil, 0)); reply.Problem != nil {
		t.Errorf("it can't be opened again: %v", reply.Problem)
	}
}

// What no page of ours sends ends the socket.
func TestSocketHangsUp(t *testing.T) {
	server := startServer(t, &toyBook{})
	for _, test := range []struct {
		name string
		send func(*websocket.Conn) error
		code int
	}{
		{"binary frame", func(c *websocket.Conn) error {
			return c.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"bye","sim":"toy"}`))
		}, websocket.CloseUnsupportedData},
		{"malformed JSON", func(c *websocket.Conn) error { return c.WriteMessage(websocket.TextMessage, []byte(`{"type":`)) }, websocket.CloseInvalidFramePayloadData},
		{"another type", func(c *websocket.Conn) error { return c.WriteMessage(websocket.TextMessage, []byte(`{"type":7}`)) }, websocket.CloseInvalidFramePayloadData},
		{"oversized frame", func(c *websocket.Conn) error {
			return c.WriteMessage(websocket.TextMessage, []byte(`{"sim":"`+strings.Repeat("x", messageSize)+`"}`))
		}, websocket.CloseMessageTooBig},
	} {
		t.Run(test.name, func(t *testing.T) {
			socket := mustDial(t, server)
			_ = test.send(socket) // the other side may hang up in the middle of it
			ended(t, socket, test.code)
		})
	}
}

// ended waits for the other side's goodbye. The connection may break before
// it arrives where we are still sending; then the end itself must do.
func ended(t *testing.T, socket *websocket.Conn, code int) {
	t.Helper()
	_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		_, _, err := socket.ReadMessage()
		var late net.Error
		switch {
		case err == nil:
		case errors.As(err, &late) && late.Timeout():
			t.Fatal("the socket is still open")
		case websocket.IsUnexpectedCloseError(err, code, websocket.CloseAbnormalClosure):
			t.Fatalf("got %v, want code %d", err, code)
		default:
			return
		}
	}
}

// The clock stands still, so no request is regained.
func TestSocketRateIsBounded(t *testing.T) {
	server := newServer(t, Options{Workbook: &toyBook{}, DataDir: t.TempDir(), Port: AnyPort})
	now := time.Now()
	server.now = func() time.Time { return now }
	serve(t, server)
	socket := mustDial(t, server)
	for range rateBurst {
		say(t, socket, Request{Type: "bye", Sim: "toy"})
	}
	if err := socket.WriteJSON(Request{Type: "bye", Sim: "toy"}); err != nil {
		t.Fatal(err)
	}
	ended(t, socket, websocket.ClosePolicyViolation)
}

func TestBucketRefills(t *testing.T) {
	now := time.Unix(0, 0)
	bucket := bucket{now: func() time.Time { return now }}
	for bucket.take() {
	}
	now = now.Add(3 * rateTick)
	for i := range 4 {
		if got, want := bucket.take(), i < 3; got != want {
			t.Errorf("request %d: %v", i, got)
		}
	}
}

// Somebody who asks and doesn't read is dropped once the replies that wait
// for him are too many, and the server keeps nothing of him.
func TestSocketSlowReader(t *testing.T) {
	server := startServer(t, &toyBook{big: true})
	socket := mustDial(t, server)
	for range outboxSize * 3 {
		if socket.WriteJSON(hello("toy", nil, 0)) != nil {
			break
		}
	}
	ended(t, socket, websocket.CloseTryAgainLater)
	if reply := say(t, mustDial(t, server), hello("toy", []string{"publisher publish work-1"}, 1)); reply.Snapshot.Position != 1 {
		t.Errorf("after coming back: %+v", reply.Snapshot.Position)
	}
}

// The socket has the same door as the pages, and wants the Origin besides.
func TestSocketDoor(t *testing.T) {
	server := startServer(t, &toyBook{})
	cookie := cookieOf(t, known(t, server), server)
	for _, test := range []struct {
		name string
		edit func(http.Header)
		want int
	}{
		{"foreign Origin", func(h http.Header) { h.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		{"Origin that begins like ours", func(h http.Header) { h.Set("Origin", server.origin+".evil.example") }, http.StatusForbidden},
		{"no Origin", func(h http.Header) { h.Del("Origin") }, http.StatusForbidden},
		{"no cookie", func(h http.Header) { h.Del("Cookie") }, http.StatusForbidden},
		{"forged cookie", func(h http.Header) { h.Set("Cookie", server.door.cookie+"=99999999999.x.x") }, http.StatusForbidden},
		{"foreign Host", func(h http.Header) { h.Set("Host", "evil.example") }, http.StatusMisdirectedRequest},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, response, err := dial(t, server, cookie, test.edit)
			if err == nil || response == nil || response.StatusCode != test.want {
				t.Errorf("got %v, %v; want %d", response, err, test.want)
			}
		})
	}
}

func TestSocketsAreBounded(t *testing.T) {
	server := startServer(t, &toyBook{})
	cookie := cookieOf(t, known(t, server), server)
	var last *websocket.Conn
	for range linesAtOnce {
		socket, _, err := dial(t, server, cookie, nil)
		if err != nil {
			t.Fatal(err)
		}
		last = socket
	}
	if _, response, err := dial(t, server, cookie, nil); err == nil || response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one too many got %v", response)
	}
	if reply := say(t, last, hello("toy", nil, 0)); reply.Problem != nil {
		t.Errorf("the others suffer: %v", reply.Problem)
	}
}

// The end of the server is told to the page, which then tries again.
func TestSocketEndsWithTheServer(t *testing.T) {
	server := newServer(t, Options{Workbook: &toyBook{}, DataDir: t.TempDir(), Port: AnyPort})
	stop := serve(t, server)
	socket := mustDial(t, server)
	say(t, socket, hello("toy", nil, 0))
	stop()
	ended(t, socket, websocket.CloseGoingAway)
}
