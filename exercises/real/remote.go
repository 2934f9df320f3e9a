package real

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/ackademy/ackademy/sim"
)

// A database with remote = True is a SQLite file behind a server, so that a
// connection can be lost with a transaction on it, and the answer to a commit
// with it. The server opens the file once per connection and rolls back what is
// open when the connection ends.

// remote is a worker's client of such a server. Like a careful driver it looks
// whether its connection is still there before it uses it: a call of a
// transaction whose connection is lost fails with gone, any other call gets a
// new connection.
type remote struct {
	process  string
	socket   string
	patience time.Duration
	conn     *net.UnixConn
	in       *bufio.Scanner
	open     bool // a transaction is open on conn
}

// hello is the first line on a connection.
type hello struct {
	Process string `json:"process"`
}

func (r *remote) do(c *call) *result {
	lost := r.conn == nil || cutOff(r.conn)
	if lost {
		r.close()
	}
	if lost && c.InTx {
		return &result{Code: "gone"}
	}
	if lost {
		if err := r.connect(); err != nil {
			return &result{Failure: err.Error()}
		}
	}
	answer, err := r.ask(c)
	if err != nil {
		r.close()
		return &result{Code: "timeout"}
	}
	if answer.Code == "ok" {
		switch c.Verb {
		case "begin":
			r.open = true
		case "commit", "rollback":
			r.open = false
		}
	}
	return answer
}

func (r *remote) close() {
	if r.conn != nil {
		_ = r.conn.Close() // it is lost already
	}
	r.conn, r.open = nil, false
}

func (r *remote) connect() error {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: r.socket, Net: "unix"})
	if err != nil {
		return err
	}
	r.conn = conn
	r.in = bufio.NewScanner(conn)
	r.in.Buffer(make([]byte, 0, 4096), maxLine)
	return r.write(hello{r.process})
}

func (r *remote) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := r.conn.SetDeadline(time.Now().Add(r.patience)); err != nil {
		return err
	}
	_, err = r.conn.Write(append(line, '\n'))
	return err
}

func (r *remote) ask(c *call) (*result, error) {
	if err := r.write(c); err != nil {
		return nil, err
	}
	if !r.in.Scan() {
		return nil, errors.Join(errors.New("the connection is lost"), r.in.Err())
	}
	answer := &result{}
	return answer, json.Unmarshal(r.in.Bytes(), answer)
}

func (r *remote) rollBack() {
	if r.open {
		r.do(&call{Verb: "rollback", InTx: true}) // gone is fine: the server has rolled back
	}
}

// server is a database server.
type server struct {
	database dbSetup
	patience time.Duration

	mutex   sync.Mutex
	changed *sync.Cond          // connections were cleaned up
	conns   map[string]net.Conn // by process
	fault   string              // strikes the next call
	broken  error
}

func runServer(l *line, s *setup) {
	v := &server{database: s.Databases[0], patience: time.Duration(s.Patience), conns: map[string]net.Conn{}}
	v.changed = sync.NewCond(&v.mutex)
	listener, err := net.Listen("unix", s.Socket)
	if err != nil {
		l.fail(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				l.fail(err)
			}
			go v.serve(conn)
		}
	}()
	l.say(&reply{Is: isReady})
	for {
		if err := v.obey(l.next()); err != nil {
			l.fail(err)
		}
		l.say(&reply{Is: isDone})
	}
}

// obey does what the referee asks. A cut is done when the transaction that was
// open is rolled back, so that its lock is free at the next grant.
func (v *server) obey(r *request) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	switch r.Do {
	case doArm:
		v.fault = r.Fault
		return v.broken
	case doCut:
		if conn := v.conns[r.Process]; conn != nil {
			_ = conn.Close() // that is the point
		}
	case doGone:
	default:
		return fmt.Errorf("a database server can't %s", r.Do)
	}
	for v.conns[r.Process] != nil && v.broken == nil {
		v.changed.Wait() // the referee's patience bounds it
	}
	return v.broken
}

// serve is one connection, from hello to its end.
func (v *server) serve(conn net.Conn) {
	in := bufio.NewScanner(conn)
	in.Buffer(make([]byte, 0, 4096), maxLine)
	var who hello
	if !in.Scan() || json.Unmarshal(in.Bytes(), &who) != nil {
		_ = conn.Close() // somebody who knows no protocol
		return
	}
	v.mutex.Lock()
	v.conns[who.Process] = conn
	v.mutex.Unlock()
	f, err := openFile(v.database.File, v.database.Tables)
	if err == nil {
		err = v.calls(conn, in, f)
		err = errors.Join(err, f.close()) // rolls back what is open
	}
	_ = conn.Close()
	v.mutex.Lock()
	delete(v.conns, who.Process)
	v.broken = errors.Join(v.broken, err)
	v.mutex.Unlock()
	v.changed.Broadcast()
}

// calls answers calls until the connection is lost. Only what is no loss is an
// error.
func (v *server) calls(conn net.Conn, in *bufio.Scanner, f *file) error {
	for in.Scan() {
		c := &call{}
		if err := json.Unmarshal(in.Bytes(), c); err != nil {
			return err
		}
		v.mutex.Lock()
		fault := v.fault
		v.fault = ""
		v.mutex.Unlock()
		if fault == sim.LostRequest.String() {
			return nil
		}
		answer := f.do(c)
		if fault == sim.LostReply.String() {
			return nil
		}
		line, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		if _, err := conn.Write(append(line, '\n')); err != nil {
			return nil // the caller is gone
		}
	}
	return nil
}
