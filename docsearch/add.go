package docsearch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/folder"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// featureVersion is part of what makes a document "unchanged": raise it when the text or the records that this package
// makes of a page change.   1: first.  2: what could be read of a damaged page is kept.  3: sections.  4: all text is in
// chunk records, headings with it.
const featureVersion = 4

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

	restored bool // doc is as the store has it, but for vectors
}

// Add takes one document in, or finds that it is unchanged; the Change of the answer says which. The document is searchable,
// and safe on disk where the store has one, when Add returns. What Add cannot read it remembers as failed, and returns that
// document along with an [*ingestError]. Such a document is read again when its content, its extractor or the options change.
func (l *Library) Add(ctx context.Context, src Source) (*Document, error) {
	p := l.prepare(ctx, src)
	defer l.ended([]*prepared{p})
	if err := l.commit(ctx, []*prepared{p}); err != nil {
		return nil, err
	}
	l.progress(Progress{Doc: src.Name, Done: 1, Total: 1, Stage: StageDone})
	return p.document(), public(p.err)
}

// document is the answer of Add.
func (p *prepared) document() *Document {
	if p.result == nil {
		return nil
	}
	d := storedDocument(p.result)
	d.Change = p.change
	return d
}

// begin notes that a document is being read, until ended is called.
func (l *Library) begin(s *catalog.Stored) {
	l.cacheMu.Lock()
	defer l.cacheMu.Unlock()
	if l.pending == nil {
		l.pending = map[string]*catalog.Stored{}
	}
	d := *s
	d.Status = StatusPending
	l.pending[d.ID] = &d
}

// ended notes that sources are in the library or never will be.
func (l *Library) ended(ps []*prepared) {
	l.cacheMu.Lock()
	defer l.cacheMu.Unlock()
	for _, p := range ps {
		if p.began {
			delete(l.pending, p.id)
		}
	}
}

func (l *Library) progress(p Progress) {
	if l.opt.Progress == nil {
		return
	}
	l.progressing.Lock()
	defer l.progressing.Unlock()
	l.opt.Progress(p)
}

// commit writes what was prepared, all in one change. Documents of equal id must not be in ps. A document that changed in
// the library since it was compared is prepared again.
func (l *Library) commit(ctx context.Context, ps []*prepared) error {
	if err := l.embed(ctx, ps); err != nil {
		return err
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	if l.closed.Load() {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	if !slices.ContainsFunc(ps, func(p *prepared) bool { return p.fresh != nil }) {
		return ctx.Err()
	}
	c, err := l.docs.Current(ctx)
	if err != nil {
		return err
	}
	var docs []*driver.Document
	var put, touched []*catalog.Stored
	data := map[string][]byte{}
	for _, p := range ps {
		if p.fresh == nil {
			continue
		}
		now := c.Get(p.fresh.ID)
		if !now.Same(p.old) {
			if p.src.Name == "" { // restored, and since then others did more
				p.fresh = nil
				continue
			}
			began, id := p.began, p.id
			*p = *l.prepare(ctx, p.src)
			if began {
				p.began, p.id = true, id
			}
			if err := l.embed(ctx, []*prepared{p}); err != nil {
				return err
			}
			if p.fresh == nil {
				continue
			}
		}
		if now != nil { // another call may have changed them
			p.fresh.Collections = catalog.Union(now.Collections, p.src.Collections)
		}
		p.result.Collections = slices.Clone(p.fresh.Collections)
		if p.touched && now != nil {
			p.fresh.Vectors, p.fresh.VectorSize, p.fresh.Pending = now.Vectors, int(now.VectorSize), now.Pending()
		}
		d, err := p.fresh.Data()
		if err != nil {
			return err
		}
		if p.touched {
			data[p.fresh.ID] = d
			touched = append(touched, p.fresh)
			continue
		}
		p.doc.Data = d
		docs, put = append(docs, p.doc), append(put, p.fresh)
	}
	if len(docs) > 0 {
		if err := l.docs.Change(ctx, func() error { return l.store.Replace(ctx, docs) }, put, ""); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		if err := l.docs.Change(ctx, func() error { return l.store.SetData(ctx, data) }, touched, ""); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// prepare reads a source. It writes nothing.
func (l *Library) prepare(ctx context.Context, src Source) *prepared {
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
	x := src.extractor
	if x == nil {
		x = l.opt.Extractors[strings.ToLower(path.Ext(src.Name))]
	}
	if u, ok := x.(extract.Unlocker); ok && src.Password != "" {
		x = u.WithPassword(src.Password)
	}
	c, err := l.docs.Current(ctx)
	if err != nil {
		p.err = err
		return p
	}
	var bytes *opened // set when they had to be read for the id
	if src.ByContent {
		fresh.ID = l.knownContent(c, src)
		if fresh.ID == "" {
			if x == nil {
				return fail(noExtractor(src))
			}
			if bytes, err = l.hash(ctx, src); err != nil {
				return fail(err)
			}
			defer bytes.Close()
			fresh.ID = catalog.ContentID(bytes.sum)
		}
	}
	old := c.Get(fresh.ID)
	if old == nil {
		left, err := l.admit(ctx, src, fresh.ID)
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
	if fresh.Format = string(src.Format); fresh.Format == "" && old != nil && old.Markdown {
		fresh.Format = string(FormatMarkdown)
	} else if fresh.Format == string(FormatText) {
		fresh.Format = ""
	}
	if x != nil {
		fresh.Recipe = fmt.Sprintf("%d|%s|%s", featureVersion, x.Version(), l.opt.Splitter.Name())
		if fresh.Format != "" {
			fresh.Recipe += "|" + fresh.Format
		}
	}
	if p.old = old; old != nil {
		if old.Origin != src.Origin && !src.ByContent && !gone(old.Origin) {
			return fail(&catalog.ConflictError{ID: old.ID, Name: src.Name, Have: old.Origin, Got: src.Origin})
		}
		p.change = Replaced
	}
	l.sources.Checked(now)
	// again says that what is known of a failure is not to be believed.
	again := old != nil && old.Status == StatusFailed && (src.Retry || src.Password != "" && old.Cause() == "encrypted")
	origin := old != nil && (old.Origin == src.Origin || src.ByContent)
	same := func() *prepared {
		keep := old.Stored()
		// A new time of the file is remembered, so that it need not be read the next time either.
		if mod := src.ModTime.UTC(); !mod.IsZero() && fresh.Hash != "" && !keep.ModTime.Equal(mod) && !src.later || !subset(src.Collections, old.Collections) {
			if p.fresh, p.touched = keep, true; fresh.Hash != "" {
				keep.ModTime = mod
			}
			keep.Collections = catalog.Union(keep.Collections, src.Collections)
		}
		p.result, p.change = old.Stored(), Unchanged
		if old.Status == StatusFailed {
			p.err = old.Failure()
		}
		return p
	}
	// remember keeps a document that cannot be read as failed.
	remember := func(err error) *prepared {
		if ctx.Err() != nil {
			p.err = ctx.Err()
			return p
		}
		fail(err)
		fresh.Status = StatusFailed
		fresh.SetFailure(p.err)
		if fresh.Hash == "" && old != nil && old.Status == StatusReady {
			// It is not known that the content changed: keep what we have and say what is wrong.
			p.result, p.change = old.Stored(), Unchanged
			return p
		}
		p.finish(fresh, &rawtext.Layout{Pages: []int{0}}, nil)
		return p
	}

	if src.Size > l.opt.MaxFile {
		if old != nil && !again && old.Status == StatusFailed && old.Size == src.Size && old.Cause() == "too large" {
			return same()
		}
		return remember(l.tooLarge(src.Size))
	}
	if x == nil {
		if old != nil && !again && old.Status == StatusFailed && old.Size == src.Size && old.Cause() == "unsupported" {
			return same()
		}
		return remember(noExtractor(src))
	}
	if old != nil && !again && origin && old.Recipe == fresh.Recipe && unread(old, src) {
		return same()
	}
	if bytes == nil {
		if bytes, err = l.hash(ctx, src); err != nil {
			return remember(err)
		}
		defer bytes.Close()
	}
	fresh.Size, fresh.Hash = bytes.size, hex.EncodeToString([]byte(bytes.sum))
	if old != nil && !again && origin && old.Hash == bytes.sum && old.Recipe == fresh.Recipe {
		return same()
	}
	l.begin(fresh)
	p.began, p.id = true, fresh.ID
	text, err := l.extract(ctx, x, bytes, bytes.size, src.Name, fresh.Format == string(FormatMarkdown))
	if err != nil {
		return remember(err)
	}
	lay, recs, err := text.records(fresh, l.opt.Splitter)
	if err != nil {
		return fail(err)
	}
	fresh.Status = StatusReady
	if err := p.finish(fresh, lay, recs); err != nil {
		return fail(err)
	}
	return p
}

func noExtractor(src Source) error {
	ext := strings.ToLower(path.Ext(src.Name))
	hint := "give one in Options.Extractors"
	if ext == ".pdf" {
		hint = "give pdf.New(nil) of the package docsearch/pdf in Options.Extractors"
	}
	return fmt.Errorf("%w: no extractor for %q files: %s", ErrUnsupported, ext, hint)
}

// unread reports whether a source need not be read to know that its content is that of e: by size and time. A file written in the moments around its last
// reading may have changed without a new size or time: then its bytes are compared. So are those that are in memory.
func unread(e *catalog.Entry, src Source) bool {
	return e.Hash != "" && e.Size == src.Size && src.extractor == nil && !src.ModTime.IsZero() && e.ModTime == src.ModTime.UnixNano() &&
		e.Added-e.ModTime > int64(2*time.Second)
}

// knownContent returns the id of the document that has the content of a source, where that is known without reading it.
func (l *Library) knownContent(c *catalog.Catalog, src Source) string {
	for _, e := range c.From(src.Origin) {
		if unread(e, src) {
			return e.ID
		}
	}
	return ""
}

// opened is the content of a source.
type opened struct {
	io.ReaderAt
	io.Closer
	size int64
	sum  string // bytes of its SHA-256
}

// hash opens a source and reads it once. The result must be closed.
func (l *Library) hash(ctx context.Context, src Source) (_ *opened, err error) {
	if src.Size > l.opt.MaxFile {
		return nil, l.tooLarge(src.Size)
	}
	r, size, closer, err := l.open(src)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	buf := make([]byte, min(size+1, 1<<16)) // documents of a few lines need no more
	n, err := io.CopyBuffer(h, format.ContextReader(ctx, io.NewSectionReader(r, 0, size)), buf)
	if err == nil && n != size {
		err = fmt.Errorf("%w: the file became shorter while it was read: add it again", ErrStale)
	}
	if err != nil {
		closer.Close()
		return nil, err
	}
	return &opened{r, closer, size, string(h.Sum(nil))}, nil
}

func (l *Library) tooLarge(size int64) error {
	return fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, l.opt.MaxFile)
}

// gone reports whether an origin is a file that is no longer there: then a document of its name was moved.
func gone(origin string) bool {
	if !filepath.IsAbs(origin) {
		return false
	}
	_, err := os.Lstat(origin)
	return errors.Is(err, fs.ErrNotExist)
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

// open returns the bytes of a source, in memory unless they can be read at any place.
func (l *Library) open(src Source) (io.ReaderAt, int64, io.Closer, error) {
	if src.Open == nil {
		return nil, 0, nil, errors.New("the source has no Open function")
	}
	rc, err := src.Open()
	if err != nil {
		return nil, 0, nil, err
	}
	if f, ok := rc.(*os.File); ok {
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%w: not a regular file", ErrUnsupported)
		}
		if err == nil && info.Size() > l.opt.MaxFile {
			err = l.tooLarge(info.Size())
		}
		if err != nil {
			f.Close()
			return nil, 0, nil, err
		}
		return f, info.Size(), f, nil
	}
	if m, ok := rc.(memory); ok {
		return m, m.Size(), m, nil
	}
	data, err := io.ReadAll(io.LimitReader(rc, l.opt.MaxFile+1))
	if cerr := rc.Close(); err == nil {
		err = cerr
	}
	if err == nil && int64(len(data)) > l.opt.MaxFile {
		err = l.tooLarge(int64(len(data)))
	}
	if err != nil {
		return nil, 0, nil, err
	}
	return bytes.NewReader(data), int64(len(data)), io.NopCloser(nil), nil
}
