package api

import (
	"bytes"
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

// add adds one document, whose file is kept where uploads are. A document that could not be read is returned with the reason.
func (s *Service) add(ctx context.Context, name string, data []byte) (*docsearch.Document, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if len(data) > docsearch.MaxFile {
		return nil, fmt.Errorf("document %s: %w: %d bytes, over the limit of %d", name, findspot.ErrTooLarge, len(data), docsearch.MaxFile)
	}
	if s.uploads == nil {
		return s.ws.AddDocument(ctx, name, data)
	}
	lib, err := s.ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	return s.uploads.add(ctx, lib, name, bytes.NewReader(data))
}

// progress makes an event of progress.
func (s *Service) progress(p findspot.Progress) *v1.AddEvent {
	return &v1.AddEvent{Event: &v1.AddEvent_Progress{Progress: message.Fill[v1.Progress](p, s.mask())}}
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
		reason := t.s.tell("add "+bad.Name, bad.Err).Message()
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

func (h *handler) AddDocument(ctx context.Context, r *v1.AddDocumentRequest, to *connect.ServerStream[v1.AddEvent]) error {
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
		doc, err := h.add(ctx, r.Name, r.Data)
		if err != nil {
			return err
		}
		if err := t.document(doc, nil); err != nil {
			return err
		}
		return t.done()
	})
}

func (h *handler) AddFolder(ctx context.Context, r *v1.AddFolderRequest, to *connect.ServerStream[v1.AddEvent]) error {
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

func (h *handler) AddRepository(ctx context.Context, r *v1.AddRepositoryRequest, to *connect.ServerStream[v1.AddEvent]) error {
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
func (s *Service) allowed(p string) (string, error) {
	if strings.TrimSpace(p) == "" {
		return "", invalid(`"path" is empty`)
	}
	if len(s.opt.Roots) == 0 {
		return "", connect.NewError(connect.CodePermissionDenied, fmt.Errorf("%s: this server adds nothing from its own disk: send documents with AddDocument, or allow folders when it is started", p))
	}
	for _, root := range s.opt.Roots {
		base, err := rootfs.Real(root)
		if err != nil {
			s.log.Warn("allowed folder cannot be used", "path", root, "reason", err)
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
