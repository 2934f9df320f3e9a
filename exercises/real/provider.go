package real

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// provider is an email provider: an HTTP server on a unix socket that keeps its
// mailbox in a SQLite file and never takes an email back. The rules for
// idempotency keys are those of the scenario; what the referee tells it beside
// them is the time, and which fault strikes the next request.
type provider struct {
	rules *sim.Provider
	db    *sql.DB

	mutex   sync.Mutex
	fault   string // strikes the next request
	now     int64  // the referee's clock, in seconds
	arrived int    // connections that came
	read    int    // requests that were read
}

// mailboxSchema: a body and a key are JSON texts whose equality is equality of
// their values.
const mailboxSchema = `
CREATE TABLE mails ("to" TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE keys (key TEXT PRIMARY KEY, "to" TEXT NOT NULL, body TEXT NOT NULL, since INTEGER NOT NULL) STRICT;`

func runProvider(l *line, s *setup) {
	p := &provider{rules: s.Provider}
	if err := p.open(s.Mailbox); err != nil {
		l.fail(err)
	}
	listener, err := net.Listen("unix", s.Socket)
	if err != nil {
		l.fail(err)
	}
	server := &http.Server{
		Handler:        http.HandlerFunc(p.accept),
		ReadTimeout:    time.Duration(s.Patience),
		MaxHeaderBytes: 1 << 16,
	}
	go func() { l.fail(server.Serve(&door{listener, p})) }()
	l.say(&reply{Is: isReady})
	for {
		r := l.next()
		if err := p.obey(r); err != nil {
			l.fail(err)
		}
		p.mutex.Lock()
		l.say(&reply{Is: isDone, Arrived: p.arrived, Read: p.read})
		p.mutex.Unlock()
	}
}

func (p *provider) open(path string) error {
	db, err := sql.Open("sqlite", dsn(path, "mode=rwc"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	p.db = db
	for _, text := range []string{"PRAGMA journal_mode = WAL", mailboxSchema} {
		if _, err := db.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

// obey does what the referee asks.
func (p *provider) obey(r *request) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.now = r.Now
	switch r.Do {
	case doArm:
		p.fault = r.Fault
		return nil
	case doCount:
		return nil
	case doForget:
		return p.forget(text(r.Key))
	}
	return fmt.Errorf("a provider can't %s", r.Do)
}

// forget drops a key, if its time has come on the provider's own book.
func (p *provider) forget(key string) error {
	var since int64
	if err := p.db.QueryRow("SELECT since FROM keys WHERE key = ?", key).Scan(&since); err != nil {
		return fmt.Errorf("the key %s is to be forgotten: %w", key, err)
	}
	if kept := p.now - since; kept != int64(p.rules.KeptFor) {
		return fmt.Errorf("the key %s is to be forgotten after %d seconds instead of %d", key, kept, p.rules.KeptFor)
	}
	_, err := p.db.Exec("DELETE FROM keys WHERE key = ?", key)
	return err
}

// takeFault returns the fault that strikes now, if it is this one.
func (p *provider) takeFault(name string) bool {
	if p.fault != name {
		return false
	}
	p.fault = ""
	return true
}

// door is the socket, where a request can get lost: the connection is closed
// before anything is read from it.
type door struct {
	net.Listener
	provider *provider
}

func (d *door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		d.provider.mutex.Lock()
		d.provider.arrived++
		lost := d.provider.takeFault(sim.LostRequest.String())
		d.provider.mutex.Unlock()
		if !lost {
			return conn, nil
		}
		_ = conn.Close() // that is the point
	}
}

// accept answers one request.
func (p *provider) accept(w http.ResponseWriter, r *http.Request) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.read++
	var e email
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxLine)).Decode(&e)
	key, unescaped := url.QueryUnescape(r.Header.Get(keyHeader))
	if err = errors.Join(err, unescaped); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if p.takeFault(sim.RefusedCall.String()) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	status, err := p.record(e, key)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if p.takeFault(sim.LostReply.String()) {
		panic(http.ErrAbortHandler) // the server closes the connection without a word
	}
	w.WriteHeader(status)
}

// record puts an email into the mailbox, unless its key is known.
func (p *provider) record(e email, key string) (status int, err error) {
	tx, err := p.db.BeginTx(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	to, body := text(e.To), text(e.Body)
	if key != "" && p.rules.Keys {
		var oldTo, oldBody string
		err := tx.QueryRow(`SELECT "to", body FROM keys WHERE key = ?`, key).Scan(&oldTo, &oldBody)
		switch {
		case err == nil && (oldTo != to || oldBody != body) && p.rules.MismatchFails:
			return http.StatusConflict, nil
		case err == nil:
			return http.StatusOK, nil
		case !errors.Is(err, sql.ErrNoRows):
			return 0, err
		}
		if _, err := tx.Exec("INSERT INTO keys VALUES (?, ?, ?, ?)", key, to, body, p.now); err != nil {
			return 0, err
		}
	}
	if _, err := tx.Exec("INSERT INTO mails VALUES (?, ?)", to, body); err != nil {
		return 0, err
	}
	return http.StatusOK, tx.Commit()
}
