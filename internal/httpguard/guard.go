package httpguard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// A Guard is a handler that guards another. It is safe for concurrent use.
type Guard struct {
	next    http.Handler
	opt     Options
	calls   *lane
	uploads *lane // have places of their own, so that no number of them keeps questions waiting
	streams *streams
	pace    pace
	silence time.Duration // after which a body that passes as it comes, and does not, ends
	clients *clients
	end     func() error // once
}

// New guards a handler. It is mounted in a server of the caller's, or served by [Guard.Serve].
func New(next http.Handler, o *Options) *Guard {
	v, closed := o.withDefaults(), make(chan struct{})
	g := &Guard{
		next: next, opt: v, calls: newLane(v.Calls, v.Waiting, closed), uploads: newLane(v.Adding, v.Waiting, closed),
		streams: &streams{all: v.Streams, each: v.ClientStreams, stuck: 100 * time.Millisecond, quiet: time.Minute, open: map[*stream]bool{}},
		pace:    pace{grace: 5 * time.Second, rate: 64 << 10}, silence: 5 * time.Minute,
		clients: &clients{conns: 256, disk: 1 << 30, all: map[net.Conn]*client{}},
	}
	g.end = sync.OnceValue(func() error {
		close(closed)
		return g.drain()
	})
	return g
}

// ServeHTTP is the way of a request: checked, its body read, a place taken, handled, the place left, its answer sent; or passed on as it flows.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, ok := r.Context().Value(clientKey{}).(*client)
	if !ok { // a server of somebody else's
		c = &client{}
	}
	rt := g.opt.route(r)
	seen, r := g.see(w, r, rt.Name)
	defer seen.end()
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	// What is written while the server works is given a time by who writes it.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	if rt.Live {
		g.live(seen, r, c, rt)
		return
	}
	a := g.newAnswer(seen, c)
	err := g.answer(a, r, c, rt)
	if err == nil {
		err = a.err
	}
	if err != nil {
		g.closed(a.spool.Close())
		if errors.Is(err, http.ErrAbortHandler) {
			seen.abort()
		}
		a = g.newAnswer(seen, c)
		for _, name := range []string{"Content-Encoding", "Content-Disposition", "Etag", "Last-Modified", "Trailer"} {
			h.Del(name) // of the answer that there is not
		}
		g.fail(a, rt, err)
	}
	defer func() { g.closed(a.spool.Close()) }()
	if a.code >= 200 && a.code != http.StatusNoContent && a.code != http.StatusNotModified {
		h.Set("Content-Length", fmt.Sprint(a.spool.size))
	}
	seen.WriteHeader(a.code)
	if err := g.pace.send(seen, a.spool.reader()); err != nil {
		g.opt.Logger.Debug("answer not taken", "route", rt.Name, "reason", err)
		seen.abort() // ends the connection
	}
}

func (g *Guard) closed(err error) {
	if err != nil {
		g.opt.Logger.Warn("temporary file left", "reason", err)
	}
}

// answer writes the handler's answer, or returns why there is none.
func (g *Guard) answer(a *answer, r *http.Request, c *client, rt Route) error {
	body := &spool{clients: g.clients, client: c, max: rt.MaxBody}
	defer func() { g.closed(body.Close()) }()
	if err := g.receive(body, a.w, r, rt); err != nil {
		return err
	}
	defer g.clients.work(c)()
	lane := g.lane(rt)
	if err := lane.enter(r.Context()); err != nil {
		a.header.Set("Retry-After", "1")
		return err
	}
	defer lane.leave()
	ctx, cancel := context.WithTimeout(r.Context(), rt.Timeout)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(body.reader())
	return g.handle(a, r)
}

func (g *Guard) lane(rt Route) *lane {
	if rt.Upload {
		return g.uploads
	}
	return g.calls
}

// handle calls the handler. A panic is an error.
func (g *Guard) handle(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			err = http.ErrAbortHandler
		} else if p != nil {
			err = fmt.Errorf("%s panicked: %v\n%s", r.URL.Path, p, debug.Stack())
		}
	}()
	g.next.ServeHTTP(w, r)
	return nil
}

// receive checks a request and reads its body.
func (g *Guard) receive(to *spool, w http.ResponseWriter, r *http.Request, rt Route) error {
	err := g.admit(r, rt)
	if err == nil && r.ContentLength != 0 {
		err = g.pace.receive(to, w, r.Body)
	}
	if err != nil {
		g.refuse(w, r, err)
	}
	return err
}

// refuse says in the header why a request goes no further.
func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if e := (*Error)(nil); errors.As(err, &e) && e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="findspot"`)
	}
	if r.ContentLength != 0 { // net/http reads some of what is left
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(g.pace.grace))
	}
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close") // what is left of the body is not read
	}
}

// admit checks all of a request but its body.
func (g *Guard) admit(r *http.Request, rt Route) error {
	if err := g.check(r, rt.Public); err != nil {
		return err
	}
	if r.ContentLength == 0 {
		return nil
	}
	if r.Method == http.MethodPost { // the others take no body, and forms cannot send it: their handlers say more
		if _, err := CheckType(r, rt.Types...); err != nil {
			return err
		}
	}
	if r.ContentLength > rt.MaxBody {
		return Errorf(http.StatusRequestEntityTooLarge, "%d bytes, over the limit of %d", r.ContentLength, rt.MaxBody)
	}
	return nil
}

// fail answers with an error as the clients of a route read it.
func (g *Guard) fail(w http.ResponseWriter, rt Route, err error) {
	if !rt.Connect {
		Fail(w, g.opt.Logger, err)
		return
	}
	status, text := shown(g.opt.Logger, err)
	code, ok := codes[status]
	if !ok {
		code = "internal"
	}
	Reply(w, status, map[string]string{"code": code, "message": text, "error": text})
}

// A lane is a number of places, and a line before them.
type lane struct{ line, places, closed chan struct{} }

func newLane(places, waiting int, closed chan struct{}) *lane {
	return &lane{make(chan struct{}, places+waiting), make(chan struct{}, places), closed}
}

// enter waits for a place.
func (l *lane) enter(ctx context.Context) error {
	select {
	case l.line <- struct{}{}:
	default:
		return Errorf(http.StatusServiceUnavailable, "too many requests at once: try again")
	}
	select {
	case l.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-l.line
		return ctx.Err()
	case <-l.closed:
		<-l.line
		return Errorf(http.StatusServiceUnavailable, "the server stops")
	}
}

func (l *lane) leave() {
	<-l.places
	<-l.line
}

// drain takes all places, so that nobody is there any more.
func (l *lane) drain(ctx context.Context) error {
	for range cap(l.places) {
		select {
		case l.places <- struct{}{}:
		case <-ctx.Done():
			return errors.New("requests that were ended still run")
		}
	}
	return nil
}

// An answer is what a handler writes, kept until the handler is done.
type answer struct {
	w      http.ResponseWriter
	header http.Header
	code   int
	spool  spool
	err    error // the first of writing
}

func (g *Guard) newAnswer(w http.ResponseWriter, c *client) *answer {
	return &answer{w: w, header: w.Header(), code: http.StatusOK, spool: spool{clients: g.clients, client: c, max: maxAnswer}}
}

func (a *answer) Header() http.Header  { return a.header }
func (a *answer) WriteHeader(code int) { a.code = code }

func (a *answer) Write(p []byte) (int, error) {
	n, err := a.spool.Write(p)
	if a.err == nil && err != nil {
		a.err = fmt.Errorf("answer: %w", err)
	}
	return n, err
}
