package docsearch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
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
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// featureVersion is part of what makes a document "unchanged": raise it when the text or the records that this package
// makes of a page change.   1: first.  2: what could be read of a damaged page is kept.  3: sections.  4: all text is in
// chunk records, headings with it.
const featureVersion = 4

// docID is the id rule: hex MD5 of the name.
func docID(name string) string {
	sum := md5.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// prepared is a source that was compared with the library and read.
type prepared struct {
	src    Source
	old    []byte           // Data of the document it was compared with; nil: there was none
	doc    *driver.Document // to write; nil: nothing to write
	result *Document
	err    error // what Add returns with result
}

// Add takes one document in, or finds that it is unchanged; the Change of the answer says which. The document is searchable,
// and safe on disk where the store has one, when Add returns. What Add cannot read it remembers as failed, and returns that
// document along with an [*IngestError]. Such a document is read again when its content, its extractor or the options change.
func (l *Library) Add(ctx context.Context, src Source) (*Document, error) {
	p := l.prepare(ctx, src)
	if err := l.commit(ctx, []*prepared{p}); err != nil {
		return nil, err
	}
	l.progress(Progress{Doc: src.Name, Done: 1, Total: 1, Stage: StageDone})
	return p.result, p.err
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
	l.writing.Lock()
	defer l.writing.Unlock()
	if l.closed.Load() {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	var docs []*driver.Document
	for _, p := range ps {
		if p.doc == nil {
			continue
		}
		old, err := l.store.Get(ctx, p.doc.ID)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if (old == nil) != (p.old == nil) || old != nil && !bytes.Equal(old.Data, p.old) {
			*p = *l.prepare(ctx, p.src)
		}
		if p.doc != nil {
			docs = append(docs, p.doc)
		}
	}
	if len(docs) > 0 {
		if err := l.store.Replace(ctx, docs); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// prepare reads a source. It writes nothing.
func (l *Library) prepare(ctx context.Context, src Source) *prepared {
	p := &prepared{src: src}
	fail := func(err error) *prepared {
		if _, ok := errors.AsType[*IngestError](err); !ok && ctx.Err() == nil {
			err = &IngestError{Name: src.Name, Err: plainPathError(err)}
		}
		p.err = err
		return p
	}
	if err := cmp.Or(checkName(src.Name), checkID(src.ID)); err != nil {
		return fail(err)
	}
	now := time.Now().UTC()
	fresh := &entry{Document: Document{
		ID: src.id(), Name: src.Name, Origin: src.Origin, Size: src.Size, Authors: []string{}, Added: now, Change: Added,
	}, ModTime: src.ModTime.UTC()}
	x := src.extractor
	if x == nil {
		x = l.opt.Extractors[strings.ToLower(path.Ext(src.Name))]
	}
	if x != nil {
		fresh.Recipe = fmt.Sprintf("%d|%s|%s", featureVersion, x.Version(), l.opt.Splitter.Name())
	}

	old, d, err := l.get(ctx, fresh.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		old = nil
	case err != nil:
		p.err = err
		return p
	default:
		p.old = d.Data
		if old.Origin != src.Origin && !gone(old.Origin) {
			return fail(&ConflictError{ID: old.ID, Name: src.Name, Have: old.Origin, Got: src.Origin})
		}
		fresh.Change = Replaced
	}
	l.checked.Store(now.UnixNano())
	same := func() *prepared {
		p.result = old.document()
		p.result.Change = Unchanged
		if old.Status == StatusFailed {
			p.err = old.failure()
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
		fresh.setFailure(p.err)
		if fresh.Hash == "" && old != nil && old.Status == StatusReady {
			// It is not known that the content changed: keep what we have and say what is wrong.
			p.result = old.document()
			p.result.Change = Unchanged
			return p
		}
		p.finish(fresh, &layout{Pages: []int{0}}, nil)
		return p
	}

	if src.Size > l.opt.MaxFile {
		if old != nil && old.Status == StatusFailed && old.Size == src.Size && old.Cause == "too large" {
			return same()
		}
		return remember(l.tooLarge(src.Size))
	}
	if x == nil {
		if old != nil && old.Status == StatusFailed && old.Size == src.Size && old.Cause == "unsupported" {
			return same()
		}
		return remember(fmt.Errorf("%w: no extractor for %q files", ErrUnsupported, path.Ext(src.Name)))
	}
	// A file written in the moments around its last reading may have changed without a new size or time: then its bytes
	// are compared.
	if old != nil && old.Hash != "" && old.Recipe == fresh.Recipe && old.Size == src.Size && old.Origin == src.Origin &&
		!src.ModTime.IsZero() && old.ModTime.Equal(src.ModTime) && old.Added.Sub(src.ModTime) > 2*time.Second {
		return same()
	}
	r, size, closer, err := l.open(src)
	if err != nil {
		return remember(err)
	}
	defer closer.Close()
	fresh.Size = size
	h := sha256.New()
	buf := make([]byte, min(size+1, 1<<16)) // documents of a few lines need no more
	if n, err := io.CopyBuffer(h, ctxReader{ctx, io.NewSectionReader(r, 0, size)}, buf); err != nil {
		return remember(err)
	} else if n != size {
		return remember(fmt.Errorf("%w: the file became shorter while it was read: add it again", ErrStale))
	}
	fresh.Hash = hex.EncodeToString(h.Sum(nil))
	if old != nil && old.Hash == fresh.Hash && old.Recipe == fresh.Recipe && old.Origin == src.Origin {
		return same()
	}
	if old != nil {
		l.changed.Add(1)
	}
	text, err := l.extract(ctx, x, r, size, src.Name)
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

func (l *Library) tooLarge(size int64) error {
	return fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, l.opt.MaxFile)
}

func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: a document needs a name", ErrUnsupported)
	case len(name) > 1024:
		return fmt.Errorf("%w: the name is longer than 1024 bytes", ErrUnsupported)
	case !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\n\r"):
		return fmt.Errorf("%w: the name is not one line of UTF-8", ErrUnsupported)
	}
	return nil
}

// gone reports whether an origin is a file that is no longer there: then a document of its name was moved.
func gone(origin string) bool {
	if !filepath.IsAbs(origin) {
		return false
	}
	_, err := os.Lstat(origin)
	return errors.Is(err, fs.ErrNotExist)
}

// finish encodes what is to be written and the answer.
func (p *prepared) finish(e *entry, lay *layout, recs []driver.Record) error {
	p.result = e.document()
	stored := *e
	stored.Change = ""
	data, err := json.Marshal(&stored)
	if err != nil {
		return err
	}
	layout, err := json.Marshal(lay)
	if err != nil {
		return err
	}
	p.doc = &driver.Document{ID: e.ID, Data: data, Layout: layout, Records: recs}
	return nil
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

type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (r ctxReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// causes are the sentinels a failure keeps across a restart.
var causes = []struct {
	name string
	err  error
}{
	{"encrypted", errs.Encrypted}, {"no text", errs.NoText}, {"too large", errs.TooLarge},
	{"unsupported", errs.Unsupported}, {"format", errs.Format},
}

func (e *entry) setFailure(err error) {
	e.Reason = err.Error()
	if ie, ok := errors.AsType[*IngestError](err); ok {
		e.Reason, e.BadPage = ie.Err.Error(), ie.Page
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			e.Cause = c.name
			break
		}
	}
}

// failure returns the error that the document failed with when it was read.
func (e *entry) failure() error {
	err := &remembered{reason: e.Reason}
	for _, c := range causes {
		if c.name == e.Cause {
			err.cause = c.err
		}
	}
	return &IngestError{Name: e.Name, Page: e.BadPage, Err: err}
}

type remembered struct {
	reason string
	cause  error
}

func (e *remembered) Error() string { return e.reason }
func (e *remembered) Unwrap() error { return e.cause }
