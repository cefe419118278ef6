package ingest

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/folder"
	"github.com/findspot/findspot/docsearch/internal/limited"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// prepared is a source that was compared with the library and read.
type prepared struct {
	src     Source
	old     *catalog.Entry   // what it was compared with; nil: there was none
	fresh   *catalog.Stored  // to write with doc; nil: nothing to write
	doc     *driver.Document // without Data
	touched bool             // the content is unchanged, and fresh replaces what is kept of it
	began   bool             // id is noted as pending
	id      string
	result  *catalog.Stored // what the library has of it now; nil: nothing
	change  Change
	err     error // what Add returns with result

	naming   *naming // nil: the source has an id that does not come from its name
	restored bool    // doc is as the store has it, but for vectors
}

// answer is what Add returns.
func (p *prepared) answer() *Result {
	if p.result == nil {
		return nil
	}
	return &Result{p.result, p.change}
}

// prepare reads a source. It writes nothing.
func (in *Ingester) prepare(ctx context.Context, src Source) *prepared {
	p := &prepared{src: src}
	fail := func(err error) *prepared {
		if _, ok := errors.AsType[*catalog.IngestError](err); !ok && ctx.Err() == nil {
			err = &catalog.IngestError{Name: src.Name, Err: folder.PlainPathError(err)}
		}
		p.err = err
		return p
	}
	if err := src.check(); err != nil {
		return fail(err)
	}
	now := time.Now().UTC()
	p.change = Added
	fresh := &catalog.Stored{
		ID: src.id(), Name: src.Name, Origin: src.Origin, Size: src.Size, Authors: []string{}, Added: now,
		Collections: catalog.Union(nil, src.Collections), ModTime: src.ModTime.UTC(),
	}
	c, err := in.docs.Current(ctx)
	if err != nil {
		p.err = err
		return p
	}
	if named(&src) {
		if p.naming, err = (namer{in.store, in.opt.MaxFile}).settle(ctx, c, &src); err != nil {
			return fail(err)
		}
		src.Name = p.naming.name
		if fresh.Name, fresh.ID = src.Name, catalog.NameID(src.Name); p.naming.old != nil {
			p.change, fresh.Collections = Replaced, catalog.Union(p.naming.old.Collections, src.Collections)
		}
	}
	x := src.Extractor
	if x == nil {
		x = in.opt.Extractors[strings.ToLower(path.Ext(src.Name))]
	}
	if u, ok := x.(extract.Unlocker); ok && src.Password != "" {
		x = u.WithPassword(src.Password)
	}
	var includes *includer
	if i, ok := x.(extract.Includer); ok && src.Files != nil {
		includes = &includer{FS: src.Files, dir: path.Dir(src.Path)}
		x = i.WithFiles(includes, src.Path)
	}
	var bytes *opened // set when they had to be read for the id
	if src.ByContent {
		fresh.ID = in.knownContent(c, src)
		if fresh.ID == "" {
			if x == nil {
				return fail(in.noExtractor(src))
			}
			if bytes, err = hash(ctx, src, in.opt.MaxFile); err != nil {
				return fail(err)
			}
			defer bytes.Close()
			fresh.ID = catalog.ContentID(bytes.sum)
		}
	}
	old := c.Get(fresh.ID)
	if old == nil {
		left, err := in.admit(ctx, src, fresh.ID)
		if errors.As(err, new(*catalog.ConflictError)) {
			return fail(err)
		}
		if err != nil {
			p.err = err
			return p
		}
		if left != nil {
			p.change, fresh.Collections = Replaced, catalog.Union(left.Collections, src.Collections)
		}
		old = c.Get(fresh.ID)
	}
	if fresh.Format = src.Format; fresh.Format == "" && old != nil && old.Markdown {
		fresh.Format = catalog.Markdown
	} else if fresh.Format == textFormat {
		fresh.Format = ""
	}
	if x != nil {
		fresh.Recipe = fmt.Sprintf("%d|%s|%s", featureVersion, x.Version(), in.opt.Splitter.Name())
		if fresh.Format != "" {
			fresh.Recipe += "|" + fresh.Format
		}
	}
	if p.old = old; old != nil {
		if !src.ByContent && sameOrigin(old.Origin, src.Origin) {
			src.Origin, fresh.Origin = old.Origin, old.Origin // as it was first written
		}
		if old.Origin != src.Origin && !src.ByContent && !gone(old) {
			return fail(&catalog.ConflictError{ID: old.ID, Name: src.Name, Have: old.Origin, Got: src.Origin})
		}
		p.change = Replaced
	}
	in.sources.Checked(now)
	// again says that what is known of a failure is not to be believed.
	again := old != nil && old.Status == catalog.Failed && (src.Retry || src.Password != "" && old.Cause() == "encrypted")
	// origin says that the text need not be read again where the source's bytes are what they were.
	origin := old != nil && (old.Origin == src.Origin || src.ByContent) && !old.IncludesChanged()
	same := func() *prepared {
		keep := old.Stored()
		// A new time of the file is remembered, so that it need not be read the next time either.
		if mod := src.ModTime.UTC(); !mod.IsZero() && fresh.Hash != "" && !keep.ModTime.Equal(mod) && !src.Later || !subset(src.Collections, old.Collections) {
			if p.fresh, p.touched = keep, true; fresh.Hash != "" {
				keep.ModTime = mod
			}
			keep.Collections = catalog.Union(keep.Collections, src.Collections)
		}
		p.result, p.change = old.Stored(), Unchanged
		if old.Status == catalog.Failed {
			p.err = old.Failure()
		}
		return p
	}
	// remember keeps a document that cannot be read as failed, unless it is to be refused.
	remember := func(err error) *prepared {
		if ctx.Err() != nil {
			p.err = ctx.Err()
			return p
		}
		fail(err)
		if src.Refuse {
			p.naming = nil // nobody makes room for it
			return p
		}
		fresh.Status = catalog.Failed
		fresh.SetFailure(p.err)
		if fresh.Hash == "" && old != nil && old.Status == catalog.Ready {
			// It is not known that the content changed: keep what we have and say what is wrong.
			p.result, p.change = old.Stored(), Unchanged
			return p
		}
		p.finish(fresh, &rawtext.Layout{Pages: []int{0}}, nil)
		return p
	}

	if src.Size > in.opt.MaxFile {
		if old != nil && !again && old.Status == catalog.Failed && old.Size == src.Size && old.Cause() == "too large" {
			return same()
		}
		return remember(tooLarge(src.Size, in.opt.MaxFile))
	}
	if x == nil {
		if old != nil && !again && old.Status == catalog.Failed && old.Size == src.Size && old.Cause() == "unsupported" {
			return same()
		}
		return remember(in.noExtractor(src))
	}
	if old != nil && !again && origin && old.Recipe == fresh.Recipe && unread(old, src) {
		return same()
	}
	if bytes == nil {
		if bytes, err = hash(ctx, src, in.opt.MaxFile); err != nil {
			return remember(err)
		}
		defer bytes.Close()
	}
	fresh.Size, fresh.Hash = bytes.size, hex.EncodeToString([]byte(bytes.sum))
	if old != nil && !again && origin && old.Hash == bytes.sum && old.Recipe == fresh.Recipe {
		return same()
	}
	in.begin(fresh)
	p.began, p.id = true, fresh.ID
	text, err := in.extract(ctx, x, bytes, bytes.size, src.Name, fresh.Format == catalog.Markdown)
	if err != nil {
		return remember(err)
	}
	fresh.Includes = includes.included()
	lay, recs, err := text.records(fresh, in.opt.Splitter)
	if err != nil {
		return fail(err)
	}
	fresh.Status = catalog.Ready
	if err := p.finish(fresh, lay, recs); err != nil {
		return fail(err)
	}
	return p
}

// noExtractor is for the users of programs too: but for PDF, which every program of ours reads, it says nothing of Go.
func (in *Ingester) noExtractor(src Source) error {
	ext := strings.ToLower(path.Ext(src.Name))
	switch ext {
	case ".pdf":
		return fmt.Errorf("%w: no extractor for %q files: give pdf.New(nil) of the package docsearch/pdf in Options.Extractors", errs.Unsupported, ext)
	case "":
		ext = "a name without an extension"
	}
	return fmt.Errorf("%w: %s is not a format that findspot reads; it reads %s", errs.Unsupported, ext, strings.Join(slices.Sorted(maps.Keys(in.opt.Extractors)), ", "))
}

// unread reports whether a source need not be read to know that its content is that of e: by size and time. A file written in the moments around its last
// reading may have changed without a new size or time: then its bytes are compared. So are those that are in memory.
func unread(e *catalog.Entry, src Source) bool {
	return e.Hash != "" && e.Size == src.Size && src.Extractor == nil && !src.ModTime.IsZero() && e.ModTime == src.ModTime.UnixNano() &&
		e.Added-e.ModTime > int64(2*time.Second)
}

// knownContent returns the id of the document that has the content of a source, where that is known without reading it.
func (in *Ingester) knownContent(c *catalog.Catalog, src Source) string {
	for _, e := range c.From(src.Origin) {
		if unread(e, src) {
			return e.ID
		}
	}
	return ""
}

// finish makes what is to be written and the answer.
func (p *prepared) finish(e *catalog.Stored, lay *rawtext.Layout, recs []driver.Record) error {
	layout, err := json.Marshal(lay)
	if err != nil {
		return err
	}
	d := *e
	d.Authors, d.Institutions = slices.Clone(d.Authors), slices.Clone(d.Institutions)
	p.result, p.fresh = &d, e
	p.doc = &driver.Document{ID: e.ID, Layout: layout, Records: recs}
	return nil
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// admit decides about a document of the id of a source that the library leaves out. Where the source shows that it is this very document the
// library tells of it from now on; where its file is gone, as when a folder was moved, it is returned to be replaced; else the error is a conflict.
func (in *Ingester) admit(ctx context.Context, src Source, id string) (*catalog.Entry, error) {
	part, ok := in.store.(*limited.Store)
	if !ok {
		return nil, nil
	}
	e, err := part.LeftOut(ctx, id)
	if e == nil || err != nil {
		return nil, err
	}
	if gone(e) {
		return e, nil
	}
	same := sameOrigin(e.Origin, src.Origin) && (filepath.IsAbs(src.Origin) || e.Name == src.Name)
	if same && !filepath.IsAbs(src.Origin) { // from memory
		bytes, err := hash(ctx, src, in.opt.MaxFile)
		if err != nil {
			return nil, err
		}
		same = e.Hash == bytes.sum
		if err := bytes.Close(); err != nil {
			return nil, err
		}
	}
	if !same {
		return nil, &catalog.ConflictError{ID: id, Name: src.Name, Got: src.Origin}
	}
	part.Admit(id)
	in.docs.Admit(e)
	return nil, nil
}
