package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/rootfs"
)

// shelf is the documents of a workspace, with the files of those that were uploaded.
type shelf struct {
	ws       *findspot.Workspace
	uploads  *uploads // nil: none are kept
	followed []string // Options.Followed
	known    originals
	mask     bool
	log      *slog.Logger
}

func (s *shelf) list(ctx context.Context, o *docsearch.ListOptions) (*docsearch.Listing, error) {
	lib, err := s.ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if o.Limit == 0 {
		o.Limit = listed
	}
	return lib.List(ctx, o)
}

// document is the library, and a document in it.
func (s *shelf) document(ctx context.Context, ref string) (*docsearch.Library, *docsearch.Document, error) {
	if strings.TrimSpace(ref) == "" {
		return nil, nil, invalid(`"doc" is empty`)
	}
	lib, err := s.ws.Docs(ctx)
	if err != nil {
		return nil, nil, err
	}
	doc, err := lib.Resolve(ctx, ref)
	return lib, doc, err
}

// exactly is the document of an id or name: what changes something takes no part of a title.
func (s *shelf) exactly(ctx context.Context, ref string) (*docsearch.Library, *docsearch.Document, error) {
	lib, doc, err := s.document(ctx, ref)
	if err == nil && doc.ID != ref && doc.Name != ref {
		err = fmt.Errorf("document %q: %w: give its id %s or its name %s", ref, findspot.ErrNotFound, doc.ID, doc.Name)
	}
	return lib, doc, err
}

// remove takes a document out of the library. A file that was uploaded goes first: a crash between the two leaves a document without one, which is removed
// when the folder is mended.
func (s *shelf) remove(ctx context.Context, ref string) (*docsearch.Document, error) {
	lib, doc, err := s.exactly(ctx, ref)
	if err != nil {
		return nil, err
	}
	for _, root := range s.followed {
		if base, err := rootfs.Real(root); err == nil && rootfs.Below(base, doc.Origin) {
			return nil, connect.NewError(connect.CodeFailedPrecondition, fmt.Errorf("document %s: the server follows %s, where its file is, and would add it again: delete the file, or start the server without %[2]s", doc.Name, filepath.Base(base)))
		}
	}
	if s.uploads != nil {
		unlock, err := s.uploads.lock(ctx, doc.Origin)
		if err != nil {
			return nil, err
		}
		defer unlock()
		if err := s.uploads.remove(doc.Origin); err != nil {
			return nil, err
		}
	}
	if err := lib.Remove(ctx, doc.ID); err != nil && !errors.Is(err, findspot.ErrNotFound) {
		return nil, err
	}
	return doc, nil
}

// noFile is the error of a document that has no original to show.
func noFile(doc *docsearch.Document, why string) error {
	return connect.NewError(connect.CodeFailedPrecondition, fmt.Errorf("document %s: %s", doc.Name, why))
}

// add adds one document, whose file is kept where uploads are. One that cannot be read is refused: who sends it is told why, and what had its name stays.
func (s *shelf) add(ctx context.Context, name string, data []byte) (*docsearch.Document, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if len(data) > docsearch.MaxFile {
		return nil, fmt.Errorf("document %s: %w: %d bytes, over the limit of %d", name, findspot.ErrTooLarge, len(data), docsearch.MaxFile)
	}
	lib, err := s.ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if s.uploads == nil {
		src := docsearch.Bytes(name, data)
		src.Refuse = true
		return lib.Add(ctx, src)
	}
	return s.uploads.add(ctx, lib, name, bytes.NewReader(data))
}
