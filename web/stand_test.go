package web

import (
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// edit replaces the toy's text.
func edit(seq int, text string) Request {
	return Request{Type: "do", Sim: "toy", Seq: seq, Command: &Command{Do: DoEdit, Text: text}}
}

// A new text keeps what fits of the run; one that can't be opened changes
// nothing; an empty one is the shipped text again.
func TestEditKeepsTheRun(t *testing.T) {
	socket := mustDial(t, startServer(t, &toyBook{}))
	say(t, socket, hello("toy", []string{"publisher publish work-1", "deliver work-1 to worker1"}, 1))
	reply := say(t, socket, edit(2, "nothing"))
	if reply.Problem == nil || reply.Problem.Code != "syntax" || reply.Problem.Line != 1 || reply.Snapshot.Scenario.Source != toySource || reply.Snapshot.Position != 1 {
		t.Errorf("a mistake: %+v", reply.Problem)
	}
	reply = say(t, socket, edit(3, "def mine"))
	if reply.Problem != nil || reply.Snapshot.Scenario.Source != "def mine" || reply.Snapshot.Position != 1 || len(reply.Snapshot.Steps) != 2 {
		t.Errorf("an edit: %+v", reply.Problem)
	}
	reply = say(t, socket, edit(4, "def unlike"))
	if reply.Problem == nil || reply.Problem.Code != "steps_dropped" || !strings.Contains(reply.Problem.Message, "1 of 2 steps") || len(reply.Snapshot.Steps) != 1 {
		t.Errorf("steps that don't fit: %+v, %d steps", reply.Problem, len(reply.Snapshot.Steps))
	}
	if reply = say(t, socket, edit(5, "")); reply.Problem != nil || reply.Snapshot.Scenario.Source != toySource {
		t.Errorf("a reset: %+v", reply.Problem)
	}
	if reply = say(t, socket, edit(6, strings.Repeat("x", maxText+1))); reply.Problem == nil || reply.Problem.Code != "text_too_long" {
		t.Errorf("a long text: %+v", reply.Problem)
	}
}

// heard waits for the end of a search.
func heard(t *testing.T, socket *websocket.Conn, seq int) Work {
	t.Helper()
	for {
		if reply := hear(t, socket); reply.Work != nil && reply.Work.State != "running" && reply.Seq == seq {
			return *reply.Work
		}
	}
}

// Searches run beside the run, end at once, and a newer one stops an older.
func TestSearches(t *testing.T) {
	socket := mustDial(t, startServer(t, &toyBook{}))
	command := func(seq int, name string) {
		t.Helper()
		if err := socket.WriteJSON(Request{Type: "do", Sim: "toy", Seq: seq, Command: &Command{Do: name}}); err != nil {
			t.Fatal(err)
		}
	}
	say(t, socket, hello("toy", nil, 0))
	command(-1, DoCheck)
	if work := heard(t, socket, -1); work.State != "done" || work.Of != DoCheck || work.Findings[0].Status != "violated" {
		t.Errorf("a check: %+v", work)
	}
	say(t, socket, edit(2, "def endless"))
	command(-2, DoCheck)
	command(-3, DoCheck)
	if work := heard(t, socket, -2); work.State != "stopped" {
		t.Errorf("the older one: %+v", work)
	}
	command(4, DoBack) // answered while the search runs
	for reply := hear(t, socket); reply.Seq != 4; reply = hear(t, socket) {
		if reply.Work != nil && reply.Work.State != "running" {
			t.Errorf("the search ended: %+v", reply.Work)
		}
	}
	command(-5, DoStop)
	if work := heard(t, socket, -3); work.State != "stopped" {
		t.Errorf("the stopped one: %+v", work)
	}
	command(-6, DoMap)
	say(t, socket, Request{Type: "bye", Sim: "toy", Seq: 7}) // ends it
}
