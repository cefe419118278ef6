package httpguard

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"fmt"

	"github.com/findspot/findspot/internal/rootfs"
)

// maxConns is how many connections are open at once.
const maxConns = 256

// Server returns a server with bounds for headers, time and connections. When one connection more comes than may be open, the one that has been idle or
// silent longest is closed.
func Server(h http.Handler, log *slog.Logger) *http.Server { return server(h, log, maxConns) }

func server(h http.Handler, log *slog.Logger, most int) *http.Server {
	c := &conns{most: most, quiet: map[net.Conn]time.Time{}, all: map[net.Conn]bool{}}
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, WriteTimeout: 10 * time.Minute, MaxHeaderBytes: 32 << 10,
		ConnState: c.state, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// conns counts connections.
type conns struct {
	most int

	mu    sync.Mutex
	all   map[net.Conn]bool
	quiet map[net.Conn]time.Time // that are idle, or have sent nothing yet, since when
}

func (c *conns) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch s {
	case http.StateNew:
		c.all[conn] = true
		c.quiet[conn] = time.Now()
		if len(c.all) > c.most {
			c.close(conn)
		}
	case http.StateIdle:
		c.quiet[conn] = time.Now()
	case http.StateActive:
		delete(c.quiet, conn)
	case http.StateClosed, http.StateHijacked:
		delete(c.all, conn)
		delete(c.quiet, conn)
	}
}

// close closes the connection that has been quiet longest, the new one when there is no other.
func (c *conns) close(fresh net.Conn) {
	oldest := fresh
	for conn, since := range c.quiet {
		if since.Before(c.quiet[oldest]) {
			oldest = conn
		}
	}
	delete(c.all, oldest)
	delete(c.quiet, oldest)
	oldest.Close() // the server sees it and forgets it
}

// Serve serves until ctx ends, then waits up to grace for what is under way.
func Serve(ctx context.Context, srv *http.Server, ln net.Listener, grace time.Duration) error {
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := srv.Shutdown(end)
	if err != nil {
		err = srv.Close() // somebody holds on
	}
	<-served
	return err
}

// ReadToken reads a token from a file that nobody else may read, or else from the variable FINDSPOT_TOKEN; none is "".
func ReadToken(file string) (string, error) {
	if file == "" {
		return os.Getenv("FINDSPOT_TOKEN"), nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > 4096 || os.PathSeparator == '/' && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("token file %s: a regular file of at most 4096 bytes that only its owner may read is needed: chmod 600 %s", file, file)
	}
	f, err := rootfs.Open(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer f.Close() // read only
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if token := strings.TrimSpace(string(data)); token != "" {
		return token, nil
	}
	return "", fmt.Errorf("token file %s is empty", file)
}
