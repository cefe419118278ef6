package httpguard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
)

// ServeHTTP is the way of a request: checked, its body read, a place taken, handled, the place left, its answer sent.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(clientKey{}).(*client) // set by ConnContext
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	a := s.newAnswer(w, c)
	err := s.answer(a, w, r, c)
	if err == nil {
		err = a.err
	}
	if err != nil {
		s.closed(a.spool.Close())
		a = s.newAnswer(w, c)
		Fail(a, s.opt.Logger, err)
	}
	defer func() { s.closed(a.spool.Close()) }()
	s.clients.turn(c, false)
	h.Set("Content-Length", fmt.Sprint(a.spool.size))
	w.WriteHeader(a.code)
	if err := s.pace.send(w, a.spool.reader()); err != nil {
		s.opt.Logger.Debug("answer not taken", "path", r.URL.Path, "reason", err)
		panic(http.ErrAbortHandler) // ends the connection
	}
}

func (s *server) closed(err error) {
	if err != nil {
		s.opt.Logger.Warn("temporary file left", "reason", err)
	}
}

// answer writes the handler's answer, or returns why there is none.
func (s *server) answer(a *answer, w http.ResponseWriter, r *http.Request, c *client) (err error) {
	body := &spool{clients: s.clients, client: c, max: maxJSON}
	defer func() { s.closed(body.Close()) }()
	lane, err := s.receive(body, w, r)
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) && e.Status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Bearer realm="findspot"`)
		}
		w.Header().Set("Connection", "close") // what is left of the body is not read
		return err
	}
	s.clients.turn(c, true)
	if err := lane.enter(r.Context()); err != nil {
		w.Header().Set("Retry-After", "1")
		return err
	}
	defer lane.leave()
	ctx, cancel := context.WithTimeout(r.Context(), s.opt.Timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s panicked: %v\n%s", r.URL.Path, p, debug.Stack())
		}
	}()
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(body.reader())
	s.next.ServeHTTP(a, r)
	return nil
}

// receive checks a request and reads its body. It returns where the request waits.
func (s *server) receive(to *spool, w http.ResponseWriter, r *http.Request) (*lane, error) {
	if err := s.check(r); err != nil {
		return nil, err
	}
	if r.ContentLength == 0 {
		return s.calls, nil
	}
	kind, err := CheckType(r, append([]string{"application/json"}, s.opt.Uploads...)...)
	if err != nil {
		return nil, err
	}
	lane := s.calls
	if slices.Contains(s.opt.Uploads, kind) {
		lane, to.max = s.uploads, s.opt.MaxUpload
	}
	if r.ContentLength > to.max {
		return nil, Errorf(http.StatusRequestEntityTooLarge, "%d bytes, over the limit of %d", r.ContentLength, to.max)
	}
	return lane, s.pace.receive(to, w, r.Body)
}

// A lane is a number of places, and a line before them.
type lane struct{ line, places chan struct{} }

func newLane(places, waiting int) *lane {
	return &lane{make(chan struct{}, places+waiting), make(chan struct{}, places)}
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
	header http.Header
	code   int
	spool  spool
	err    error // the first of writing
}

func (s *server) newAnswer(w http.ResponseWriter, c *client) *answer {
	return &answer{header: w.Header(), code: http.StatusOK, spool: spool{clients: s.clients, client: c, max: maxAnswer}}
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
