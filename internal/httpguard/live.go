package httpguard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// live handles a request whose answer passes as it is written.
func (g *Guard) live(w *seen, r *http.Request, c *client, rt Route) {
	ctx, end := context.WithCancelCause(r.Context())
	defer end(nil)
	ctx, stop := context.WithTimeout(ctx, rt.Timeout)
	defer stop()
	out := &flow{g: g, w: w, ctl: http.NewResponseController(w), end: end, credit: g.pace.grace, last: time.Now()}
	err := g.passOn(out, r.WithContext(ctx), c, rt)
	out.stream = nil // its place is left
	switch {
	case out.err != nil:
		g.opt.Logger.Debug("stream not taken", "route", rt.Name, "reason", out.err)
		w.abort()
	case err != nil && w.code != 0:
		if !errors.Is(err, http.ErrAbortHandler) {
			g.opt.Logger.Warn("stream cut off", "route", rt.Name, "reason", err)
		}
		w.abort()
	case errors.Is(err, http.ErrAbortHandler):
		w.abort()
	case err != nil:
		g.fail(out, rt, err)
	}
	_ = out.ctl.SetWriteDeadline(time.Now().Add(g.pace.grace)) // for what net/http still writes
}

// passOn reads the body, or passes it too, takes a place and calls the handler.
func (g *Guard) passOn(out *flow, r *http.Request, c *client, rt Route) error {
	body := &spool{clients: g.clients, client: c, max: rt.MaxBody}
	defer func() { g.closed(body.Close()) }()
	if !rt.Duplex {
		if err := g.receive(body, out.w, r, rt); err != nil {
			return err
		}
	} else if err := g.admit(r, rt); err != nil {
		g.refuse(out.w, r, err)
		return err
	}
	s, err := g.streams.enter(owner(r), out.end, func() { _ = out.ctl.SetWriteDeadline(time.Now()) })
	if err != nil {
		out.Header().Set("Retry-After", "1")
		return err
	}
	defer g.streams.leave(s)
	defer g.clients.work(c)()
	if rt.Upload {
		if err := g.uploads.enter(r.Context()); err != nil {
			out.Header().Set("Retry-After", "1")
			return err
		}
		defer g.uploads.leave()
	}
	out.stream = s
	if rt.Duplex {
		_ = out.ctl.EnableFullDuplex() // HTTP/2 is so anyway
		r.Body = &inflow{out: out, body: r.Body, left: rt.MaxBody}
	} else {
		r.Body = io.NopCloser(body.reader())
	}
	return g.handle(out, r)
}

// A flow is an answer that passes as it is written. Time counts while a write waits for the client, who has a credit of it: as much as the grace, less
// what was waited, more for each byte at the least rate, and all of it again after a while in which nothing waited.
type flow struct {
	g      *Guard
	w      *seen
	ctl    *http.ResponseController
	stream *stream // nil: there is none, an error is written
	end    context.CancelCauseFunc
	credit time.Duration
	last   time.Time // when the last write ended
	err    error     // the first of writing
}

func (f *flow) Header() http.Header  { return f.w.Header() }
func (f *flow) WriteHeader(code int) { f.w.WriteHeader(code) }

func (f *flow) Write(p []byte) (int, error) {
	done := 0
	for {
		piece := p[done:min(len(p), done+32<<10)]
		err := f.within(len(piece), func() error {
			n, err := f.w.Write(piece)
			done += n
			return err
		})
		if err != nil || done == len(p) {
			return done, err
		}
	}
}

// FlushError is for [http.ResponseController].
func (f *flow) FlushError() error { return f.within(0, f.ctl.Flush) }

// Flush makes it a [http.Flusher].
func (f *flow) Flush() { _ = f.FlushError() }

// within calls what writes so many bytes, within the credit.
func (f *flow) within(n int, do func() error) error {
	if f.err != nil {
		return f.err
	}
	p := f.g.pace
	began := time.Now()
	f.credit = min(f.credit+began.Sub(f.last), p.grace)
	due := began.Add(f.credit + time.Duration(n)*time.Second/time.Duration(p.rate))
	err := f.ctl.SetWriteDeadline(due)
	if f.stream != nil && err == nil && !f.g.streams.writes(f.stream, true) {
		err = errCrowded
	}
	if err == nil {
		err = do()
	}
	if f.stream != nil {
		f.g.streams.writes(f.stream, false)
	}
	f.last = time.Now()
	f.credit = min(due.Sub(f.last), p.grace)
	if err != nil {
		f.err = err
		f.end(err)
		return err
	}
	return f.ctl.SetWriteDeadline(time.Time{}) // silence costs the client nothing
}

// An inflow is a body that passes as it comes, of bounded length. A client that is waited for must send something within a time.
type inflow struct {
	out  *flow
	body io.ReadCloser
	left int64
}

func (i *inflow) Read(p []byte) (int, error) {
	if i.left <= 0 {
		return 0, &http.MaxBytesError{}
	}
	if err := i.out.ctl.SetReadDeadline(time.Now().Add(i.out.g.silence)); err != nil {
		return 0, err
	}
	n, err := i.body.Read(p[:min(int64(len(p)), i.left)])
	i.left -= int64(n)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		i.out.end(err)
	case n > 0:
		i.out.g.streams.passed(i.out.stream)
	}
	return n, err
}

func (i *inflow) Close() error { return i.body.Close() }
