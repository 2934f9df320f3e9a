package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Ports. AnyPort lets the system choose, which tests use.
const (
	DefaultPort = 7979
	AnyPort     = -1
)

// portsTried is how many ports from the wanted one on are tried.
const portsTried = 20

// Options says what to serve and where.
type Options struct {
	Workbook Workbook
	// DataDir is the folder that keeps the key of the cookies; it is made
	// with mode 0700 where it is missing.
	DataDir string
	// Port is where to listen; 0 means DefaultPort. If it is taken, the next
	// free one is used.
	Port int
	// PageDir serves the page's files from this folder (web/page of a
	// checkout) instead of the embedded ones: for work on the page.
	PageDir string
	// Logger is told of our own faults; nil means slog.Default().
	Logger *slog.Logger
}

// A Server serves one workbook to browsers of this machine.
type Server struct {
	workbook Workbook
	log      *slog.Logger
	listener net.Listener
	host     string // exactly what a request's Host must be
	origin   string // exactly what its Origin must be, where it has one
	door     *door
	page     fs.FS
	pages    *pages
	now      func() time.Time // replaced by tests

	mu    sync.Mutex
	lines map[*line]struct{} // open sockets
	done  bool               // Serve is ending; no new sockets
	wait  sync.WaitGroup     // their goroutines
}

// New opens the port, so that StartURL can be shown at once; requests are
// answered by Serve.
func New(options Options) (*Server, error) {
	if options.Workbook == nil {
		return nil, errors.New("web: Options.Workbook is missing")
	}
	key, err := loadKey(options.DataDir)
	if err != nil {
		return nil, err
	}
	page, err := pageFiles(options.PageDir)
	if err != nil {
		return nil, err
	}
	pages, err := newPages(page, options.PageDir != "")
	if err != nil {
		return nil, err
	}
	listener, err := listen(options.Port)
	if err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	host := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	server := &Server{
		workbook: options.Workbook,
		log:      options.Logger,
		listener: listener,
		host:     host,
		origin:   "http://" + host,
		page:     page,
		pages:    pages,
		now:      time.Now,
		lines:    map[*line]struct{}{},
	}
	if server.log == nil {
		server.log = slog.Default()
	}
	server.door = newDoor(key, port, func() time.Time { return server.now() })
	return server, nil
}

// listen takes the wanted port or one of the next. Only IPv4 loopback: one
// exact address is easier to guard than two.
func listen(port int) (net.Listener, error) {
	switch {
	case port == AnyPort:
		return net.Listen("tcp4", "127.0.0.1:0")
	case port == 0:
		port = DefaultPort
	}
	var first error
	for candidate := port; candidate < port+portsTried && candidate < 1<<16; candidate++ {
		listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(candidate)))
		if err == nil {
			return listener, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, &Problem{Code: "no_port",
		Message: fmt.Sprintf("None of the ports %d to %d can be opened: %v.", port, port+portsTried-1, first),
		Next:    "Stop the program that uses them, or choose another port."}
}

// PlayURL is StartURL for a link: it opens the run that the part behind # of
// a shared address holds.
func (s *Server) PlayURL(fragment string) string { return s.StartURL() + "?to=play#" + fragment }

// StartURL returns an address that lets one browser in, once. Each call
// makes a new one.
func (s *Server) StartURL() string {
	return s.origin + startPath + s.door.newToken()
}

// Close gives the port back without serving; after Serve it is not needed.
func (s *Server) Close() error { return s.listener.Close() }

// Serve answers requests until ctx is done, then closes the sockets and
// returns nil. It can be called once.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler:           s.guard(s.routes()),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      20 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.hangUp()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	err := server.Shutdown(grace)
	<-ended
	s.wait.Wait()
	return err
}

// hangUp ends every socket; Shutdown doesn't know hijacked connections.
func (s *Server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	for line := range s.lines {
		line.end(websocket.CloseGoingAway, "the server ends")
	}
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.serveContents)
	mux.HandleFunc("GET /lessons/{slug}", s.serveLesson)
	mux.HandleFunc("GET /casebook/{slug}", s.serveCase)
	mux.HandleFunc("GET /idioms/{name}", s.serveIdiom)
	for _, part := range []string{"lessons", "casebook", "idioms"} { // what is left of an address that is cut
		mux.Handle("GET /"+part+"/{$}", http.RedirectHandler("/#"+part, http.StatusSeeOther))
		mux.Handle("GET /"+part, http.RedirectHandler("/#"+part, http.StatusSeeOther))
	}
	mux.HandleFunc("GET /play", s.servePlay)
	mux.HandleFunc("GET /page/{path...}", s.serveFile)
	mux.HandleFunc("GET /socket", s.serveSocket)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		s.missing(w, "There is no such page.")
	})
	return mux
}
