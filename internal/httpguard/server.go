package httpguard

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/rootfs"
)

// Options of [Listen] and [Serve]. The zero value of each field is its default.
type Options struct {
	Hosts     []string      // names beside the machine's own and the address that requests may be for, without a port
	Origins   []string      // origins of web pages that may ask, such as "https://example.org"; this server's own over http need not be listed
	Token     string        // what every request must bring as a bearer token; empty: none
	Uploads   []string      // content types of bodies beside application/json; none may be one that a form can send
	MaxUpload int64         // bytes of a body of these types
	Calls     int           // requests that are handled at once; others wait. 0 means 16
	Waiting   int           // requests that wait; more are answered 503. 0 means 64
	Adding    int           // uploads that are handled at once, beside the calls; as many requests wait as for those. 0 means 2
	Timeout   time.Duration // of handling one request; 0 means 5 minutes
	Grace     time.Duration // that requests have when the server ends, and once more after they were told; 0 means 10 seconds
	Logger    *slog.Logger  // nil discards
}

func (o *Options) withDefaults() Options {
	v := Options{}
	if o != nil {
		v = *o
	}
	if v.Calls <= 0 {
		v.Calls = 16
	}
	if v.Waiting <= 0 {
		v.Waiting = 64
	}
	if v.Adding <= 0 {
		v.Adding = 2
	}
	if v.Timeout <= 0 {
		v.Timeout = 5 * time.Minute
	}
	if v.Grace <= 0 {
		v.Grace = 10 * time.Second
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

// minToken is the least length of a token, in bytes.
const minToken = 16

// Listen listens on an address, which needs a token when other machines reach it.
func Listen(addr string, o *Options) (net.Listener, error) {
	v := o.withDefaults()
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	all, err := checkAddress(ln.Addr(), v.Token)
	if err != nil {
		ln.Close() // nothing was accepted
		return nil, err
	}
	if all {
		v.Logger.Warn("other machines reach this address, and the connection is not encrypted: put a proxy with TLS before it", "addr", ln.Addr().String())
	}
	return ln, nil
}

type server struct {
	next    http.Handler
	opt     Options
	bound   netip.Addr // that is listened on
	calls   *lane
	uploads *lane // have places of their own, so that no number of them keeps questions waiting
	pace    pace
	clients *clients
}

func newServer(h http.Handler, addr net.Addr, o *Options) *server {
	v := o.withDefaults()
	return &server{
		next: h, opt: v, bound: hostOf(addr), calls: newLane(v.Calls, v.Waiting), uploads: newLane(v.Adding, v.Waiting),
		pace:    pace{grace: 5 * time.Second, rate: 64 << 10},
		clients: &clients{conns: 256, disk: 1 << 30, all: map[net.Conn]*client{}},
	}
}

type clientKey struct{}

// Serve serves h until ctx ends, and then for what is under way. No handler runs when it returns, unless one does not end with its context: then it
// returns an error after the grace.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, o *Options) error {
	return newServer(h, ln.Addr(), o).serve(ctx, ln)
}

func (s *server) serve(ctx context.Context, ln net.Listener) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	srv := &http.Server{
		Handler: s, MaxHeaderBytes: 32 << 10, ReadHeaderTimeout: s.pace.grace, IdleTimeout: time.Minute,
		// What pace does not move on: a body that is not read, answers of net/http itself.
		ReadTimeout: s.pace.grace, WriteTimeout: s.pace.grace,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is checked like all else
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, clientKey{}, s.clients.add(c))
		},
		ConnState: s.clients.state, ErrorLog: slog.NewLogLogger(s.opt.Logger.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	var failed error
	select {
	case failed = <-served:
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(base, s.opt.Grace)
	defer stop()
	if srv.Shutdown(end) != nil { // somebody holds on
		cancel()
		_ = srv.Close() // its error is of the listener, which Shutdown closed
	}
	if failed == nil {
		<-served
	}
	end, stop = context.WithTimeout(context.WithoutCancel(ctx), s.opt.Grace)
	defer stop()
	for _, l := range []*lane{s.calls, s.uploads} {
		if err := l.drain(end); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
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
