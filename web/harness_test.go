package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"testing"
)

// startServer serves the workbook on a port of its own until the test ends.
func startServer(t *testing.T, book Workbook) *Server {
	t.Helper()
	server := newServer(t, Options{Workbook: book, DataDir: t.TempDir(), Port: AnyPort})
	serve(t, server)
	return server
}

func newServer(t *testing.T, options Options) *Server {
	t.Helper()
	if options.Logger == nil {
		options.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// serve returns a function that ends the server and waits for it; the test's
// end does so too.
func serve(t *testing.T, server *Server) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(ctx); err != nil {
			t.Errorf("Serve: %v", err)
		}
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

// known returns a client that has come in by the start URL.
func known(t *testing.T, server *Server) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	response, err := client.Get(server.StartURL())
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the start URL answered %s", response.Status)
	}
	return client
}
