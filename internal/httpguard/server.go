package httpguard

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/rootfs"
)

// Options of a [Guard]. The zero value of each field is its default.
type Options struct {
	Route         func(*http.Request) Route // how a request passes, decided from its method, path and types; nil: all are the zero Route
	Hosts         []string                  // names beside the machine's own and the address that requests may be for, without a port
	Origins       []string                  // origins of web pages that may ask, such as "https://example.org"; this server's own need not be listed
	Token         string                    // what every request must bring as a bearer token; empty: none
	TLS           *tls.Config               // with a certificate: HTTP over TLS is spoken; nil: HTTP without
	Calls         int                       // requests that are handled at once; others wait. 0 means 16
	Waiting       int                       // requests that wait; more are answered 503. 0 means 64
	Adding        int                       // uploads that are handled at once, beside the calls; as many requests wait as for those. 0 means 2
	Streams       int                       // answers that pass as they are written, at once; more are answered 503. 0 means 128
	ClientStreams int                       // those of one client, an address or on this machine a connection; more are answered 429. 0 means 32
	Timeout       time.Duration             // of handling one request; 0 means 5 minutes
	StreamTimeout time.Duration             // of handling one whose answer passes as it is written; 0 means an hour
	Grace         time.Duration             // that requests have when the server ends, and once more after they were told; 0 means 10 seconds
	StreamGrace   time.Duration             // that streams have when the server ends, before they are told; 0 means 2 seconds
	Logger        *slog.Logger              // nil discards
	Access        *slog.Logger              // gets a line for each request, without what was asked; nil: there is none
	Observe       Observer                  // nil: nobody looks
}

func (o *Options) withDefaults() Options {
	v := Options{}
	if o != nil {
		v = *o
	}
	for _, d := range []struct {
		n    *int
		zero int
	}{{&v.Calls, 16}, {&v.Waiting, 64}, {&v.Adding, 2}, {&v.Streams, 128}, {&v.ClientStreams, 32}} {
		if *d.n <= 0 {
			*d.n = d.zero
		}
	}
	for _, d := range []struct {
		t    *time.Duration
		zero time.Duration
	}{
		{&v.Timeout, 5 * time.Minute}, {&v.StreamTimeout, time.Hour}, {&v.Grace, 10 * time.Second}, {&v.StreamGrace, 2 * time.Second},
	} {
		if *d.t <= 0 {
			*d.t = d.zero
		}
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
	if all && v.TLS == nil {
		v.Logger.Warn("other machines reach this address, and the connection is not encrypted: give a certificate, or put a proxy with TLS before it", "addr", ln.Addr().String())
	}
	return ln, nil
}

type clientKey struct{}

// Serve guards h and serves it until ctx ends, and then for what is under way. See [Guard.Serve].
func Serve(ctx context.Context, ln net.Listener, h http.Handler, o *Options) error {
	return New(h, o).Serve(ctx, ln)
}

// Serve serves until ctx ends, and then for what is under way: calls have the grace of the options, streams their own. No handler runs when it returns,
// unless one does not end with its context: then it returns an error after the grace. It is called once.
func (g *Guard) Serve(ctx context.Context, ln net.Listener) error { return g.serve(ctx, ln, g) }

// ServeMux is [Guard.Serve] for a handler in which the guard is mounted beside others. These are bounded in connections and headers; they have the time of the
// options to answer, and check for themselves who asks.
func (g *Guard) ServeMux(ctx context.Context, ln net.Listener, mux http.Handler) error {
	return g.serve(ctx, ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctl, end := http.NewResponseController(w), time.Now().Add(g.opt.Timeout)
		_ = ctl.SetWriteDeadline(end) // the guard sets its own
		if r.ContentLength != 0 {     // else the server listens whether the client leaves, for as long as it takes
			_ = ctl.SetReadDeadline(end)
		}
		mux.ServeHTTP(w, r)
	}))
}

func (g *Guard) serve(ctx context.Context, ln net.Listener, h http.Handler) error {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(g.opt.TLS == nil)
	srv := &http.Server{
		Handler: h, MaxHeaderBytes: 32 << 10, ReadHeaderTimeout: g.pace.grace, IdleTimeout: time.Minute,
		// What pace does not move on: a body that is not read, answers of net/http itself.
		ReadTimeout: g.pace.grace, WriteTimeout: g.pace.grace,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is checked like all else
		Protocols:                    &protocols,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: g.opt.ClientStreams, MaxReadFrameSize: 64 << 10, MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10,
			// A client that takes no frame at all, or is gone without a word.
			WriteByteTimeout: g.pace.grace, SendPingTimeout: 30 * time.Second, PingTimeout: g.pace.grace,
		},
		BaseContext: func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, clientKey{}, g.clients.add(c))
		},
		ConnState: g.clients.state, ErrorLog: slog.NewLogLogger(g.opt.Logger.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() {
		if g.opt.TLS != nil {
			srv.TLSConfig = g.opt.TLS.Clone()
			served <- srv.ServeTLS(ln, "", "")
		} else {
			served <- srv.Serve(ln)
		}
	}()
	var failed error
	select {
	case failed = <-served:
	case <-ctx.Done():
	}
	streams := time.AfterFunc(g.opt.StreamGrace, g.streams.stop)
	defer streams.Stop()
	end, stop := context.WithTimeout(base, g.opt.Grace)
	defer stop()
	if srv.Shutdown(end) != nil { // somebody holds on
		cancel()
		_ = srv.Close() // its error is of the listener, which Shutdown closed
	}
	if failed == nil {
		<-served
	}
	return errors.Join(failed, g.Close())
}

// Close ends the streams and waits for the handlers, and returns an error when one does not end within the grace. It is for a guard that is mounted in a
// server of the caller's. Requests that come later are refused.
func (g *Guard) Close() error { return g.end() }

func (g *Guard) drain() error {
	g.streams.stop()
	end, stop := context.WithTimeout(context.Background(), g.opt.Grace)
	defer stop()
	for _, drain := range []func(context.Context) error{g.calls.drain, g.uploads.drain, g.streams.drain} {
		if err := drain(end); err != nil {
			return err
		}
	}
	return nil
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
