package httpguard

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// An Observer is told of each request, by the name of its route. It returns the context in which the request goes on, the number of its trace where
// there is one, and what is called at its end.
type Observer func(r *http.Request, route string) (ctx context.Context, trace string, done func(status int, bytes int64))

// seen is a request's answer, as the access log and traces are told of it.
type seen struct {
	http.ResponseWriter
	code    int
	bytes   int64
	aborted bool
	done    []func()
}

// see begins to look at a request. Nothing that was asked is kept: neither query nor path, which may have names of documents, nor any header.
func (g *Guard) see(w http.ResponseWriter, r *http.Request, route string) (*seen, *http.Request) {
	s := &seen{ResponseWriter: w}
	trace := ""
	if g.opt.Observe != nil {
		ctx, id, done := g.opt.Observe(r, route)
		r, trace = r.WithContext(ctx), id
		s.done = append(s.done, func() { done(s.code, s.bytes) })
	}
	if g.opt.Access == nil {
		return s, r
	}
	if trace == "" {
		trace = traceOf(r)
	}
	began := time.Now()
	s.done = append(s.done, func() {
		attrs := []slog.Attr{
			slog.String("method", method(r)), slog.String("route", route), slog.Int("status", s.code), slog.Int64("bytes", s.bytes),
			slog.Duration("took", time.Since(began)), slog.String("client", r.RemoteAddr), slog.String("proto", r.Proto), slog.String("trace", trace),
		}
		if s.aborted {
			attrs = append(attrs, slog.Bool("aborted", true))
		}
		g.opt.Access.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request", attrs...)
	})
	return s, r
}

// method is one that HTTP knows; a client may send any word.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return r.Method
	}
	return "other"
}

// traceOf is the number that a request brings by W3C Trace Context, or a new one.
func traceOf(r *http.Request) string {
	if parts := strings.Split(r.Header.Get("Traceparent"), "-"); len(parts) >= 4 && len(parts[1]) == 32 {
		if id, err := hex.DecodeString(parts[1]); err == nil {
			return hex.EncodeToString(id)
		}
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // it never fails
	return hex.EncodeToString(id[:])
}

func (s *seen) WriteHeader(code int) {
	if s.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		s.code = code
	}
	s.ResponseWriter.WriteHeader(code)
}

func (s *seen) Write(p []byte) (int, error) {
	if s.code == 0 {
		s.code = http.StatusOK
	}
	n, err := s.ResponseWriter.Write(p)
	s.bytes += int64(n)
	return n, err
}

// Unwrap is for [http.ResponseController].
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *seen) end() {
	for _, f := range s.done {
		f()
	}
}

// abort ends the connection, or the stream of HTTP/2, so that nobody takes what came for the whole.
func (s *seen) abort() {
	s.aborted = true
	panic(http.ErrAbortHandler)
}
