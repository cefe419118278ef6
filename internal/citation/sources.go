package citation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/documents"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill/evidence"
)

// Sources are the documents and repositories of a workspace.
type Sources struct {
	Documents   *documents.Library
	Repos       *repository.Store
	OCR         extract.OCR
	ShowSecrets bool
}

// Text returns the text at a place: lines of a document or file, a page, or bytes of a document. A page without lines is followed by its figures and tables as
// searches show them. What a place says beside must be true: the name, the title and the page of its document.
func (s *Sources) Text(ctx context.Context, at evidence.Place) (string, error) {
	if at.Doc == "" {
		if err := stated(at); err != nil {
			return "", err
		}
		first, last := codeLines(at)
		it, err := s.Repos.Lines(ctx, items.File(at), first, last)
		return it.Text, err
	}
	lib, err := s.Documents.Open(ctx)
	if err != nil {
		return "", err
	}
	text, err := documentText(ctx, lib, at)
	if !s.ShowSecrets {
		text = masked(text) // as the answer has it
	}
	return text, err
}

// Named returns the place of the document that a name means, see [docsearch.Library.Resolve].
func (s *Sources) Named(ctx context.Context, name string) (evidence.Place, error) {
	lib, err := s.Documents.Open(ctx)
	if err != nil {
		return evidence.Place{}, err
	}
	d, err := lib.Resolve(ctx, name)
	if err != nil {
		return evidence.Place{}, err
	}
	title := d.Title
	if !s.ShowSecrets {
		title = masked(title)
	}
	return evidence.Place{Doc: d.ID, Name: d.Name, Title: title}, nil
}

func masked(s string) string {
	s, _ = secrets.MaskString(s)
	return s
}

// stated checks what a place in code says of itself.
func stated(at evidence.Place) error {
	switch {
	case at.Path == "":
		return fmt.Errorf("the place names no file: %w", errs.NotFound)
	case !fs.ValidPath(at.Path):
		return fmt.Errorf("path %q is outside the repository, or is not clean: %w", at.Path, errs.NotFound)
	case at.Line < 0 || at.EndLine < 0:
		return fmt.Errorf("lines %d to %d: %w", at.Line, at.EndLine, errs.NotFound)
	}
	return nil
}

// codeLines are the first and last line of a place in code; without lines, of the whole file.
func codeLines(at evidence.Place) (first, last int) {
	if at.Line == 0 {
		return 1, math.MaxInt32
	}
	return at.Line, max(at.EndLine, at.Line)
}

// documentText returns the text at a place in a document.
func documentText(ctx context.Context, lib *docsearch.Library, at evidence.Place) (string, error) {
	if at.Line < 0 || at.EndLine < 0 || at.Page < 0 || at.Start < 0 || at.End < at.Start {
		return "", fmt.Errorf("place %s: %w", at, errs.NotFound)
	}
	d, err := lib.Resolve(ctx, at.Doc)
	switch {
	case err != nil:
		return "", err
	case d.ID != at.Doc: // Resolve takes names too
		return "", fmt.Errorf("document %q: %w", at.Doc, errs.NotFound)
	case at.Name != "" && at.Name != d.Name:
		return "", fmt.Errorf("document %s: is named %q, not %q: %w", at.Doc, d.Name, at.Name, errs.NotFound)
	case at.Title != "" && at.Title != d.Title && at.Title != masked(d.Title):
		return "", fmt.Errorf("document %s: its title is %q, not %q: %w", at.Doc, d.Title, at.Title, errs.NotFound)
	}
	if at.Line == 0 && at.Page > 0 {
		return pageText(ctx, lib, at)
	}
	x, err := lib.View(ctx, at.Doc, docsearch.Lines{First: max(at.Line, 1), Last: max(at.EndLine, at.Line)}) // 0: to the end
	switch {
	case err != nil:
		return "", err
	case at.Page > 0 && x.Page != at.Page:
		return "", fmt.Errorf("document %s: line %d is on page %d, not %d%s: %w", d.Name, at.Line, x.Page, at.Page, linesOfPage(ctx, lib, at), errs.NotFound)
	case at.End > 0 && at.Line > 0 && (at.End < x.Start || at.Start > x.End):
		return "", fmt.Errorf("document %s: bytes %d to %d are not in lines %d to %d: %w", d.Name, at.Start, at.End, at.Line, at.EndLine, errs.NotFound)
	}
	if at.Running {
		return running(x), nil
	}
	return x.Text, nil
}

// running is a text without what stands between the running texts of its pages.
func running(x *docsearch.Text) string {
	var b strings.Builder
	from := 0
	for _, j := range x.Joints {
		b.WriteString(x.Text[from:j[0]])
		from = j[1]
	}
	return b.String() + x.Text[from:]
}

// linesOfPage tells which lines a page has, for whoever counts them from 1 on each page.
func linesOfPage(ctx context.Context, lib *docsearch.Library, at evidence.Place) string {
	x, err := lib.Page(ctx, at.Doc, at.Page)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (lines count through the whole document: page %d has %d to %d)", at.Page, x.LineStart, x.LineEnd)
}

// maxPage is how many bytes of a page are returned: no more than a quote is looked for in.
const maxPage = 4 << 20

// pageText returns a page, and behind it its figures and tables as searches show them: a row of a table stands nowhere in the page as it
// stands in the table, and text read from a picture not at all. The words between them keep a quote from running from one into the other.
func pageText(ctx context.Context, lib *docsearch.Library, at evidence.Place) (string, error) {
	x, err := lib.Page(ctx, at.Doc, at.Page)
	if err != nil {
		return "", err
	}
	if at.Running {
		return running(x), nil
	}
	figures, tables, err := lib.Objects(ctx, at.Doc, at.Page)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(x.Text)
	add := func(what, text string) {
		if text != "" && b.Len()+len(text) < maxPage {
			fmt.Fprintf(&b, "\n[%s, as it is read]\n%s\n", what, text)
		}
	}
	for _, f := range figures {
		add("figure", items.FigureText(f))
	}
	for _, t := range tables {
		add("table", items.TableText(t))
	}
	return b.String(), nil
}

// Describe returns the hash of the file that a place is in, as it is on disk, and what reads it. Of a document that was given as
// bytes it is the hash of those. An index that is older than its file is an error wrapping [errs.Stale].
func (s *Sources) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	if at.Doc == "" {
		file, err = s.hash(at)
		return file, "", err
	}
	lib, err := s.Documents.Open(ctx)
	if err != nil {
		return "", "", err
	}
	d, err := lib.Resolve(ctx, at.Doc)
	if err != nil {
		return "", "", err
	}
	reader = readerOf(d.Name, s.OCR)
	if !filepath.IsAbs(d.Origin) {
		return d.Hash, reader, nil
	}
	now, err := contentNow(d)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("document %s: its file is gone: %w", d.Name, errs.NotFound)
	case err != nil:
		return "", "", fmt.Errorf("document %s: %w", d.Name, err)
	case now != d.Hash:
		return "", "", fmt.Errorf("document %s: its file has changed since it was read: %w", d.Name, errs.Stale) // not where it is, which clients are not told
	}
	return now, reader, nil
}

// Original returns the content of the file of a document, as it was read. One that has changed since is an error wrapping [errs.Stale].
func (s *Sources) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	if at.Doc == "" {
		return nil, noOriginal(at)
	}
	lib, err := s.Documents.Open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := lib.Resolve(ctx, at.Doc)
	switch {
	case err != nil:
		return nil, err
	case !filepath.IsAbs(d.Origin):
		return nil, fmt.Errorf("document %s: %w: it was added from memory, so that there is no file of it", d.Name, errs.NotFound)
	case docsearch.IsJSONLines(d.Origin):
		return nil, fmt.Errorf("document %s: %w: it is a line of a file", d.Name, errs.Unsupported)
	}
	f, err := rootfs.Open(d.Origin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("document %s: its file is gone: %w", d.Name, errs.NotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.Name, err)
	}
	defer f.Close() // read only
	data, err := original(f)
	if err == nil && sum(data) != d.Hash {
		err = fmt.Errorf("its file has changed since it was read: %w", errs.Stale)
	}
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.Name, err)
	}
	return data, nil
}

func noOriginal(at evidence.Place) error {
	return fmt.Errorf("%s: %w: only documents are given out whole", at, errs.Unsupported)
}

// original reads a document's file.
func original(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, docsearch.MaxFile+1))
	if err == nil && len(data) > docsearch.MaxFile {
		err = fmt.Errorf("%w: over %d bytes", errs.TooLarge, docsearch.MaxFile)
	}
	return data, err
}

// hash returns the hash of a file of a repository.
func (s *Sources) hash(at evidence.Place) (string, error) {
	if err := stated(at); err != nil {
		return "", err
	}
	repos, err := s.Repos.Known()
	if err != nil {
		return "", err
	}
	p := items.File(at)
	err = fmt.Errorf("read %s: %w", p, repository.ErrNone)
	for _, r := range repos {
		local, ok := r.LocalID(p)
		if !ok {
			continue
		}
		bad := r.Policy().Allowed(r.FS, local)
		var data []byte
		if bad == nil {
			data, bad = r.Raw(local)
		}
		if bad == nil {
			return sum(data), nil
		}
		err = fmt.Errorf("read %s: %w", p, bad)
	}
	return "", err
}

// readerOf names what makes text of a document.
func readerOf(name string, ocr extract.OCR) string {
	if strings.EqualFold(path.Ext(name), ".pdf") {
		return pdf.New(&pdf.Options{OCR: ocr}).Version()
	}
	return "text"
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// contentNow returns the hash of the content that a document has on disk now.
func contentNow(d *docsearch.Document) (string, error) {
	f, err := rootfs.Open(d.Origin)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	if !docsearch.IsJSONLines(d.Origin) {
		return sumReader(f)
	}
	for src, err := range docsearch.JSONLines(path.Base(filepath.ToSlash(d.Origin)), d.Origin, f) {
		if err != nil || src.ID != d.ID {
			continue
		}
		r, err := src.Open()
		if err != nil {
			return "", err
		}
		defer r.Close()
		return sumReader(r)
	}
	return "", fmt.Errorf("%s has no line for %s: %w", d.Origin, d.ID, errs.NotFound)
}

func sumReader(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(r, docsearch.MaxFile+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
