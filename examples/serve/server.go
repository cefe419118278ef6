package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/internal/telemetry"
	"github.com/findspot/findspot/internal/httpguard"
)

// A Server answers from a workspace over HTTP. It is safe for concurrent use.
type Server struct {
	ws        *findspot.Workspace
	opt       Options
	mux       *http.ServeMux // of what is guarded
	guard     *httpguard.Guard
	sources   *sources
	telemetry *telemetry.Telemetry
	doors     doors
	started   time.Time
	address   atomic.Pointer[string]

	busy atomic.Int64 // requests under way
	last atomic.Int64 // when the last began or ended, in Unix nanoseconds

	background sync.WaitGroup
	stop       context.CancelFunc // ends the background
	close      func() error       // once
}

// A Status is what a server knows of itself.
type Status struct {
	Version string    `json:"version"`
	Address string    `json:"address,omitempty"`
	Started time.Time `json:"started"`
	// Idle is how long no request was under way; 0 while one is.
	Idle     time.Duration `json:"idle"`
	Requests int           `json:"requests"`          // under way
	Sessions int           `json:"sessions"`          // of MCP over HTTP
	Ready    bool          `json:"ready"`             // the sources were read once
	Problem  string        `json:"problem,omitempty"` // what is wrong with sources now
	Sources  []Source      `json:"sources"`
}

// New returns a server over a workspace, which the caller closes after the server, and begins to read the sources. A workspace that shall answer from the sources
// alone was opened with [Options.Scope].
func New(ws *findspot.Workspace, o *Options) (*Server, error) {
	s := &Server{ws: ws, opt: o.withDefaults(), mux: http.NewServeMux(), started: time.Now()}
	s.last.Store(s.started.UnixNano())
	s.address.Store(&s.opt.Address)
	env := s.opt.Environ
	if env == nil {
		env = os.Getenv
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	var err error
	if s.telemetry, err = telemetry.Start(ctx, env, s.opt.Version, s.opt.Logger); err != nil {
		stop()
		return nil, err
	}
	s.sources = newSources(s)
	if err := s.open(); err != nil {
		stop()
		return nil, errors.Join(err, s.telemetry.Close(ctx))
	}
	s.mux.HandleFunc("/healthz", s.health)
	s.mux.HandleFunc("/", s.nothing)
	g := s.opt.guard()
	g.Route, g.Observe = s.route, s.observe
	s.guard = httpguard.New(s.mux, g)
	s.close = sync.OnceValue(s.end)
	s.sources.start(ctx, &s.background)
	return s, nil
}

// observe counts a request, and begins its span.
func (s *Server) observe(r *http.Request, route string) (context.Context, string, func(int, int64)) {
	s.busy.Add(1)
	s.last.Store(time.Now().UnixNano())
	ctx, trace, done := r.Context(), "", func(int, int64) {}
	if s.telemetry != nil {
		ctx, trace, done = s.telemetry.Request(r, route)
	}
	return ctx, trace, func(status int, bytes int64) {
		s.last.Store(time.Now().UnixNano())
		s.busy.Add(-1)
		done(status, bytes)
	}
}

// health answers who looks whether the process is there. It needs no token, and tells nothing else.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	ready := false
	select {
	case <-s.sources.first:
		ready = true
	default:
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"status": "ok", "ready": ready}) // the writer keeps its error
}

// nothing answers for a path that is none: browsers in a line of text, others as the API does.
func (s *Server) nothing(w http.ResponseWriter, r *http.Request) {
	text := fmt.Sprintf("there is nothing at %q: /openapi.json describes the API, and /mcp is for agents", r.URL.Path)
	if !s.opt.NoPage {
		text += "; the page is at /"
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Error(w, text, http.StatusNotFound)
		return
	}
	httpguard.Reply(w, http.StatusNotFound, map[string]string{"error": text})
}

// Register mounts every route, guarded, on a mux with routes of one's own beside. The page takes "/" itself and "/assets/".
func (s *Server) Register(mux *http.ServeMux) {
	for _, p := range s.patterns() {
		mux.Handle(p, s.guard)
	}
}

func (s *Server) patterns() []string {
	if s.opt.NoPage {
		return patterns
	}
	return append(append([]string(nil), patterns...), pagePatterns...)
}

// Handler returns all routes, guarded.
func (s *Server) Handler() http.Handler { return s.guard }

// Options returns the options with their defaults, for [Listen].
func (s *Server) Options() *Options {
	o := s.opt
	return &o
}

// Serve serves until ctx ends, and then for what is under way: calls have the grace of the options, streams two seconds. It is called once, and closes ln. The
// server is closed afterwards.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	s.at(ln)
	return errors.Join(s.guard.Serve(ctx, ln), s.Close())
}

// ServeMux is [Server.Serve] for a mux on which [Server.Register] mounted the routes, beside some of one's own. These are bounded in connections, headers and time,
// and check for themselves who asks.
func (s *Server) ServeMux(ctx context.Context, ln net.Listener, mux http.Handler) error {
	s.at(ln)
	return errors.Join(s.guard.ServeMux(ctx, ln, mux), s.Close())
}

// at keeps the address that is listened on for the status.
func (s *Server) at(ln net.Listener) {
	if s.opt.Address == "" {
		addr := s.URL(ln)
		s.address.Store(&addr)
	}
}

// URL is where a listener is found. One of all addresses of the machine has none that a browser could open: it is found by the first of [Options].Hosts, or on the
// machine itself.
func (s *Server) URL(ln net.Listener) string {
	u := url.URL{Scheme: "http", Host: ln.Addr().String()}
	if s.opt.TLS != nil {
		u.Scheme = "https"
	}
	if a, err := netip.ParseAddrPort(u.Host); err == nil && a.Addr().IsUnspecified() {
		host := "127.0.0.1"
		for _, h := range s.opt.Hosts {
			if ip, err := netip.ParseAddr(h); err != nil || !ip.IsUnspecified() {
				host = h
				break
			}
		}
		u.Host = net.JoinHostPort(host, strconv.Itoa(int(a.Port())))
	}
	return u.String()
}

// Ready waits until the sources were read once, and returns what was wrong with them.
func (s *Server) Ready(ctx context.Context) error {
	select {
	case <-s.sources.first:
		_, err := s.sources.snapshot()
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Status tells what the server knows of itself.
func (s *Server) Status() *Status {
	list, _ := s.sources.snapshot()
	st := &Status{Version: s.opt.Version, Address: *s.address.Load(), Started: s.started, Requests: int(s.busy.Load()), Sources: list, Sessions: s.doors.sessions()}
	if st.Requests == 0 {
		st.Idle = time.Since(time.Unix(0, s.last.Load()))
	}
	select {
	case <-s.sources.first:
		st.Ready = true
	default:
	}
	var problems []string
	for _, src := range list {
		if src.Problem != "" {
			problems = append(problems, src.Path+": "+src.Problem)
		}
	}
	st.Problem = strings.Join(problems, "; ")
	return st
}

// Close ends what is under way and the watching, and waits for it. The workspace is the caller's to close.
func (s *Server) Close() error { return s.close() }

func (s *Server) end() error {
	s.stop()
	err := errors.Join(s.doors.close(), s.guard.Close())
	s.background.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(err, s.telemetry.Close(ctx))
}
