//go:build linux || darwin

package child

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/ackademy/ackademy/web"
)

// These tests attack the whole server over its socket, while another page goes
// on stepping. How long its answers take is told and not judged: a busy machine
// is no fault of the server.

// page is a browser's page without a browser.
type page struct {
	*testing.T
	origin string
	cookie string
}

func visit(t *testing.T, b *Book) *page {
	t.Helper()
	start, origin := serve(t, b)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Jar: jar}).Get(start)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	at, _ := url.Parse(origin)
	var cookies []string
	for _, c := range jar.Cookies(at) {
		cookies = append(cookies, c.String())
	}
	return &page{t, origin, strings.Join(cookies, "; ")}
}

// dial opens a socket, which ends with the test.
func (p *page) dial() *websocket.Conn {
	header := http.Header{"Origin": {p.origin}, "Cookie": {p.cookie}}
	socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.origin, "http")+"/socket", header)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { socket.Close() })
	return socket
}

// say sends a request and returns its reply; what searches tell is passed over.
func say(socket *websocket.Conn, r web.Request) (web.Reply, error) {
	if err := socket.WriteJSON(r); err != nil {
		return web.Reply{}, err
	}
	_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
	for {
		var reply web.Reply
		if err := socket.ReadJSON(&reply); err != nil {
			return reply, err
		}
		if reply.Type != "work" && reply.Seq == r.Seq && reply.Sim == r.Sim {
			return reply, nil
		}
	}
}

func hello(sim, text string) web.Request {
	return web.Request{Type: "hello", Sim: sim, Seq: 1, Start: &web.Start{Scenario: "mine.star", Text: text}}
}

// stepping takes a run to and fro until done is closed. It returns how many answers
// came and the longest time that one took.
func stepping(p *page, done <-chan struct{}) (answers int, slowest time.Duration) {
	socket := p.dial()
	if r, err := say(socket, hello("quiet", story)); err != nil || r.Problem != nil {
		p.Errorf("the quiet page: %v %v", r.Problem, err)
		return 0, 0
	}
	for {
		began := time.Now()
		r, err := say(socket, web.Request{Type: "do", Sim: "quiet", Seq: answers + 2, Command: &web.Command{Do: web.DoFinish}})
		if err != nil || r.Problem != nil {
			p.Errorf("the quiet page: %v %v", r.Problem, err)
			return answers, slowest
		}
		answers++
		slowest = max(slowest, time.Since(began))
		select {
		case <-done:
			return answers, slowest
		case <-time.After(30 * time.Millisecond): // under the bound of requests
		}
	}
}

// undisturbed runs an attack beside a quiet page.
func undisturbed(p *page, attack func()) {
	p.Helper()
	done := make(chan struct{})
	var quiet sync.WaitGroup
	quiet.Go(func() {
		answers, slowest := stepping(p, done)
		p.Logf("the quiet page got %d answers and waited %v at most", answers, slowest)
	})
	attack()
	close(done)
	quiet.Wait()
}

// Every bomb in a session of its own, on four pages at once.
func TestBombsOverTheSocket(t *testing.T) {
	p := visit(t, newBook(t, quick()))
	undisturbed(p, func() {
		var pages sync.WaitGroup
		for first := range 4 {
			socket := p.dial()
			pages.Go(func() {
				for i := first; i < len(bombs); i += 4 {
					r, err := say(socket, hello("bomb", bombs[i].text))
					if err == nil && r.Problem == nil {
						r, err = say(socket, web.Request{Type: "do", Sim: "bomb", Seq: 2, Command: &web.Command{Do: web.DoFinish}})
					}
					if err != nil || r.Problem == nil || r.Problem.Code == "our_fault" {
						t.Errorf("%s: %+v %v", bombs[i].name, r.Problem, err)
					}
				}
			})
		}
		pages.Wait()
	})
}

// Twenty sessions step and search at once, more than there are processes for.
func TestTwentyOverTheSocket(t *testing.T) {
	p := visit(t, newBook(t, patient()))
	undisturbed(p, func() {
		var pages sync.WaitGroup
		for n := range 4 {
			socket := p.dial()
			pages.Go(func() {
				for i := range 5 {
					sim := fmt.Sprintf("sim-%d-%d", n, i)
					text := story
					if i == 0 {
						text = large
					}
					r, err := say(socket, hello(sim, text))
					if err != nil || r.Problem != nil {
						t.Errorf("%s: %v %v", sim, r.Problem, err)
						return
					}
					for seq, do := range []string{web.DoCheck, web.DoMap, web.DoFinish, web.DoBack} {
						if r, err = say(socket, web.Request{Type: "do", Sim: sim, Seq: seq + 2, Command: &web.Command{Do: do}}); err != nil || r.Problem != nil {
							t.Errorf("%s %s: %v %v", sim, do, r.Problem, err)
						}
					}
					if r.Snapshot == nil || len(r.Snapshot.Steps) == 0 {
						t.Errorf("%s took no steps", sim)
					}
				}
			})
		}
		pages.Wait()
	})
}

// A slow text holds up neither the page's other simulations nor anybody else,
// and a newer text doesn't wait for an older one.
func TestNewestText(t *testing.T) {
	p := visit(t, newBook(t, patient()))
	undisturbed(p, func() {
		socket := p.dial()
		for _, sim := range []string{"slow", "other"} {
			if r, err := say(socket, hello(sim, story)); err != nil || r.Problem != nil {
				t.Fatal(r.Problem, err)
			}
		}
		began := time.Now()
		for seq, text := range []string{manyWorlds, story + "# newer\n"} {
			if err := socket.WriteJSON(web.Request{Type: "do", Sim: "slow", Seq: 10 + seq, Command: &web.Command{Do: web.DoEdit, Text: text}}); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := say(socket, web.Request{Type: "do", Sim: "other", Seq: 20, Command: &web.Command{Do: web.DoFinish}}); err != nil || r.Problem != nil {
			t.Errorf("the other simulation: %v %v", r.Problem, err)
		}
		if r, err := say(socket, web.Request{Type: "do", Sim: "slow", Seq: 21, Command: &web.Command{Do: web.DoBack}}); err != nil || r.Problem != nil || !strings.HasSuffix(r.Snapshot.Scenario.Source, "# newer\n") {
			t.Errorf("the edited one: %v %v", r.Problem, err)
		}
		t.Logf("answered after %v", time.Since(began))
	})
}

// Broken frames end their own socket only.
func TestBrokenFrames(t *testing.T) {
	p := visit(t, newBook(t, patient()))
	undisturbed(p, func() {
		for _, frame := range []string{"", "{", "[]", `{"type":"hello","start":7}`, strings.Repeat("{", 100_000), strings.Repeat("x", 1<<20),
			`{"type":"do","sim":"a","command":{"do":"edit","text":` + strings.Repeat("[", 200_000)} {
			socket := p.dial()
			_ = socket.WriteMessage(websocket.TextMessage, []byte(frame)) // it may hang up in the middle
			_ = socket.SetReadDeadline(time.Now().Add(time.Minute))
			if _, _, err := socket.ReadMessage(); err == nil {
				t.Errorf("%.20q was answered", frame)
			}
		}
		socket := p.dial()
		if r, err := say(socket, hello("long", strings.Repeat("x", 64<<10+1))); err != nil || r.Problem == nil || r.Problem.Code != "text_too_long" {
			t.Errorf("a text that is too long: %+v %v", r.Problem, err)
		}
	})
}

// Killing every child again and again costs others an answer at most.
func TestKillEverything(t *testing.T) {
	b := newBook(t, patient())
	p := visit(t, b)
	socket := p.dial()
	if r, err := say(socket, hello("a", story)); err != nil || r.Problem != nil {
		t.Fatal(r.Problem, err)
	}
	told := 0
	for seq := 2; seq < 30; seq++ {
		b.seats.mu.Lock()
		for _, seat := range b.seats.list {
			if seat.process != nil {
				_ = syscall.Kill(seat.process.command.Process.Pid, syscall.SIGKILL)
			}
		}
		b.seats.mu.Unlock()
		r, err := say(socket, web.Request{Type: "do", Sim: "a", Seq: seq, Command: &web.Command{Do: web.DoRandom, Seed: int64(seq)}})
		if err != nil || r.Snapshot == nil {
			t.Fatalf("%+v %v", r.Problem, err)
		}
		if r.Problem != nil {
			if told++; r.Problem.Code != "scenario_killed" {
				t.Errorf("got %+v", r.Problem)
			}
		}
	}
	t.Logf("told of it %d times", told)
}
