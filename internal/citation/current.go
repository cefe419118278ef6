package citation

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/evidence"
)

// Bounds of what [Current] reads of documents that are newer than the index.
const (
	maxNewer      = 100       // documents
	maxNewerBytes = 512 << 20 // of their files
)

// Current is [Sources] in which a document whose file has changed since the index was made is read from the file, as code is. The index stays as it is. Everything is looked at once
// and remembered. It is not safe for concurrent use, and is to be closed.
type Current struct {
	*Sources
	about map[evidence.Place]described
	newer map[string]*Folders // by document; nil: it is as it was, or its file cannot be had
	read  int64
}

type described struct {
	file, reader string
	err          error
}

// NewCurrent makes a Current of sources.
func NewCurrent(s *Sources) *Current {
	return &Current{Sources: s, about: map[evidence.Place]described{}, newer: map[string]*Folders{}}
}

// Close closes what was read from files.
func (c *Current) Close() error {
	var bad []error
	for _, f := range c.newer {
		if f != nil {
			bad = append(bad, f.Close())
		}
	}
	return errors.Join(bad...)
}

// Newer reports whether documents were read that are newer than the index.
func (c *Current) Newer() bool {
	for _, f := range c.newer {
		if f != nil {
			return true
		}
	}
	return false
}

// Describe is that of [Sources], and of a document that is newer than the index that of its file. One that cannot be read, or not any more within the bounds, is an error wrapping
// [errs.Stale] that says why.
func (c *Current) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	key := evidence.Place{Doc: at.Doc, Repo: at.Repo, Path: at.Path}
	if d, ok := c.about[key]; ok {
		return d.file, d.reader, d.err
	}
	file, reader, err = c.Sources.Describe(ctx, key)
	if at.Doc != "" && errors.Is(err, errs.Stale) {
		f, bad := c.open(ctx, at.Doc)
		if bad != nil {
			err = fmt.Errorf("%w: it cannot be read as it is now: %v", err, bad)
		} else {
			c.newer[at.Doc] = f
			file, reader, err = f.Describe(ctx, key)
		}
	}
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	c.about[key] = described{file, reader, err}
	return file, reader, err
}

// open reads the file of a document.
func (c *Current) open(ctx context.Context, id string) (*Folders, error) {
	lib, err := c.Documents.Open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := lib.Resolve(ctx, id)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(d.Origin)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is no file any more", errs.Unsupported, d.Origin)
	case len(c.newer) >= maxNewer:
		return nil, fmt.Errorf("%w: %d documents that have changed were read", errs.TooLarge, maxNewer)
	case c.read+info.Size() > maxNewerBytes:
		return nil, fmt.Errorf("%w: the documents that have changed hold over %d bytes", errs.TooLarge, maxNewerBytes)
	}
	c.read += info.Size()
	f, err := OpenFolders([]string{d.Origin}, nil, &FolderOptions{OCR: c.OCR})
	if err != nil {
		return nil, err
	}
	if err := f.read(ctx, evidence.Place{Doc: id, Name: d.Name}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Library returns the library that has a document as its file is now: that of the index, or one of this document alone.
func (c *Current) Library(ctx context.Context, doc string) (*docsearch.Library, error) {
	if _, _, err := c.Describe(ctx, evidence.Place{Doc: doc}); err != nil {
		return nil, err
	}
	if f := c.newer[doc]; f != nil {
		return f.lib, nil
	}
	return c.Documents.Open(ctx)
}

// Text is that of [Sources], and of a document that is newer than the index that of its file.
func (c *Current) Text(ctx context.Context, at evidence.Place) (string, error) {
	if at.Doc == "" {
		return c.Sources.Text(ctx, at)
	}
	lib, err := c.Library(ctx, at.Doc)
	if err != nil {
		return "", err
	}
	text, err := documentText(ctx, lib, at)
	if !c.ShowSecrets {
		text = masked(text) // as the answer has it
	}
	return text, err
}
