package httpguard

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// clients are the open connections. When there is one too many, or too much lies on disk, the client that the server has waited for longest is dropped,
// whether it is silent, sends slowly or takes its answer slowly. An honest request is sent and answered in a moment, so a crowd of slow clients puts out
// its own. A share for each address would not do: behind a proxy, and on this machine, all have the same.
type clients struct {
	conns int
	disk  int64

	mu   sync.Mutex
	all  map[net.Conn]*client
	used int64 // bytes on disk
}

// A client is one connection, or one request of a server in which a guard is mounted; the mutex of clients guards it.
type client struct {
	conn  net.Conn  // nil: one that cannot be dropped
	gone  bool      // dropped
	works int       // requests that the server works on; HTTP/2 has several at a time
	wait  time.Time // since when the server waits for it; zero while the server works
	used  int64     // bytes on disk
}

func (cs *clients) add(conn net.Conn) *client {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := &client{conn: conn, wait: time.Now()}
	cs.all[conn] = c
	if len(cs.all) > cs.conns {
		cs.drop(cs.slowest(0))
	}
	return c
}

// slowest returns the client that was waited for longest among those with at least so much on disk, nil when there is none.
func (cs *clients) slowest(used int64) *client {
	var out *client
	for _, c := range cs.all {
		if !c.wait.IsZero() && c.used >= used && (out == nil || c.wait.Before(out.wait)) {
			out = c
		}
	}
	return out
}

// drop closes a connection and forgets it; who handles it sees that reading, writing or taking fails.
func (cs *clients) drop(c *client) {
	if c == nil || c.gone || cs.all[c.conn] != c {
		return
	}
	delete(cs.all, c.conn)
	c.gone = true
	cs.used -= c.used
	conn := c.conn
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn() // to say goodbye would wait for the client
	}
	conn.Close()
}

// state is told by the server.
func (cs *clients) state(conn net.Conn, s http.ConnState) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[conn]
	switch {
	case c == nil:
	case (s == http.StateIdle || s == http.StateActive) && c.works == 0: // active: the headers are there
		c.wait = time.Now()
	case s == http.StateClosed:
		cs.drop(c)
	}
}

// work says that the server works for a client; the function that it returns, that it waits for it again.
func (cs *clients) work(c *client) (done func()) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c.works++
	c.wait = time.Time{}
	return func() {
		cs.mu.Lock()
		defer cs.mu.Unlock()
		if c.works--; c.works == 0 {
			c.wait = time.Now()
		}
	}
}

// take takes bytes of the disk for a client, or gives them back. It reports whether there is room.
func (cs *clients) take(c *client, n int64) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c.gone {
		return false
	}
	c.used += n
	cs.used += n
	for cs.used > cs.disk {
		s := cs.slowest(1)
		if s == nil { // all of it is being worked on
			c.used -= n
			cs.used -= n
			return false
		}
		cs.drop(s)
	}
	return !c.gone
}
