package api

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/internal/rootfs"
)

// adding has the methods that add.
type adding struct{ *Service }

// progress makes an event of progress.
func (h adding) progress(p findspot.Progress) *v1.AddEvent {
	return &v1.AddEvent{Event: &v1.AddEvent_Progress{Progress: message.Fill[v1.Progress](p, h.mask())}}
}

// A tally counts what an addition did, and tells of it.
type tally struct {
	s    *Service
	emit func(*v1.AddEvent) error
	sum  v1.AddSummary
}

// document counts a document, or the reason why it could not be read. Another error ends the addition.
func (t *tally) document(doc *docsearch.Document, err error) error {
	var bad *docsearch.IngestError
	if errors.As(err, &bad) {
		t.sum.Failed++
		reason := t.s.errors.tell("add "+bad.Name, bad.Err).Message()
		return t.emit(&v1.AddEvent{Event: &v1.AddEvent_Problem{Problem: &v1.AddProblem{Name: message.Text(bad.Name, t.s.mask()), Page: int32(bad.Page), Reason: reason}}})
	}
	if err != nil {
		return err
	}
	switch doc.Change {
	case docsearch.Added:
		t.sum.Added++
	case docsearch.Replaced:
		t.sum.Changed++
	case docsearch.Unchanged:
		t.sum.Unchanged++
	}
	return t.emit(&v1.AddEvent{Event: &v1.AddEvent_Document{Document: message.Fill[v1.Document](doc, t.s.mask())}})
}

func (t *tally) done() error {
	return t.emit(&v1.AddEvent{Event: &v1.AddEvent_Done{Done: &t.sum}})
}

func (h adding) AddDocument(ctx context.Context, r *v1.AddDocumentRequest, to *connect.ServerStream[v1.AddEvent]) error {
	if err := checkName(r.Name); err != nil {
		return err
	}
	progress, stop := h.opt.Feed.listen(func(p findspot.Progress) bool { return p.Room == "docs" && p.Name == r.Name })
	defer stop()
	return stream(ctx, to, progress, h.progress, func(ctx context.Context, emit func(*v1.AddEvent) error) error {
		t := &tally{s: h.Service, emit: emit}
		if err := emit(h.progress(findspot.Progress{Room: "docs", Name: r.Name, Total: 1})); err != nil {
			return err
		}
		doc, err := h.docs.add(ctx, r.Name, r.Data)
		if err != nil {
			return err
		}
		if err := t.document(doc, nil); err != nil {
			return err
		}
		return t.done()
	})
}

func (h adding) AddFolder(ctx context.Context, r *v1.AddFolderRequest, to *connect.ServerStream[v1.AddEvent]) error {
	dir, err := h.allowed(r.Path)
	if err != nil {
		return err
	}
	progress, stop := h.opt.Feed.listen(func(p findspot.Progress) bool { return p.Room == "docs" })
	defer stop()
	return stream(ctx, to, progress, h.progress, func(ctx context.Context, emit func(*v1.AddEvent) error) error {
		t := &tally{s: h.Service, emit: emit}
		for doc, err := range h.ws.AddDocsWith(ctx, dir, &docsearch.SourceOptions{Collections: r.Collections}) {
			if err := t.document(doc, err); err != nil {
				return err
			}
		}
		return t.done()
	})
}

func (h adding) AddRepository(ctx context.Context, r *v1.AddRepositoryRequest, to *connect.ServerStream[v1.AddEvent]) error {
	dir, err := h.allowed(r.Path)
	if err != nil {
		return err
	}
	progress, stop := h.opt.Feed.listen(func(p findspot.Progress) bool { return p.Room == "code" })
	defer stop()
	return stream(ctx, to, progress, h.progress, func(ctx context.Context, emit func(*v1.AddEvent) error) error {
		info, err := h.ws.AddRepo(ctx, dir, &findspot.RepoOptions{Name: r.Name})
		if err != nil {
			return asked(err)
		}
		if err := emit(&v1.AddEvent{Event: &v1.AddEvent_Repository{Repository: message.Fill[v1.Repository](info, h.mask())}}); err != nil {
			return err
		}
		t := &tally{s: h.Service, emit: emit}
		if ch := info.Changes; ch != nil {
			t.sum = v1.AddSummary{Added: int32(ch.Added), Changed: int32(ch.Changed), Unchanged: int32(ch.Unchanged), Removed: int32(ch.Removed), Failed: int32(len(ch.Skipped))}
		}
		return t.done()
	})
}

// allowed is the path of a folder that may be added, without links. What lies elsewhere and what is not there get one answer, so that nobody learns what
// there is on the host.
func (h adding) allowed(p string) (string, error) {
	if strings.TrimSpace(p) == "" {
		return "", invalid(`"path" is empty`)
	}
	if len(h.opt.Roots) == 0 {
		return "", connect.NewError(connect.CodePermissionDenied, fmt.Errorf("%s: this server adds nothing from its own disk: send documents with AddDocument, or allow folders when it is started", p))
	}
	for _, root := range h.opt.Roots {
		base, err := rootfs.Real(root)
		if err != nil {
			h.log.Warn("allowed folder cannot be used", "path", root, "reason", err)
			continue
		}
		full := filepath.FromSlash(p)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		if real, err := rootfs.Real(full); err == nil && rootfs.Below(base, real) {
			return real, nil
		}
	}
	return "", connect.NewError(connect.CodePermissionDenied, fmt.Errorf("%s: it is not there, or outside of the folders that the server allows", p))
}

// A sender is the server's end of a stream.
type sender[T any] interface{ Send(*T) error }

// stream runs work and sends what it emits, with the progress meanwhile. It returns when work has ended, which it does early when the client is gone: emit
// then returns the reason, and ctx ends.
func stream[T any](ctx context.Context, to sender[T], progress <-chan findspot.Progress, show func(findspot.Progress) *T, work func(ctx context.Context, emit func(*T) error) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	events, done := make(chan *T), make(chan error, 1)
	emit := func(e *T) error {
		select {
		case events <- e:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	go func() {
		// A panic here would end the process; as an error it ends the call.
		var err error
		defer func() { done <- err }()
		defer caught(&err)
		err = work(ctx, emit)
	}()
	for {
		var e *T
		select {
		case e = <-events:
		case p := <-progress:
			e = show(p)
		case err := <-done:
			return err
		}
		if err := to.Send(e); err != nil {
			cancel(err)
		}
	}
}
