package findspot

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
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill/evidence"
)

// Text returns the text at a place, so that a quote can be checked against it: lines of a document or file, a page, or bytes
// of a document. A page without lines is followed by its figures and tables as searches show them. What a place says beside must be true: the name, the title and the page of its document. It makes a Workspace an
// [evidence.Source].
func (w *Workspace) Text(ctx context.Context, at evidence.Place) (string, error) {
	if at.Doc == "" {
		p := at.Path
		if at.Repo != "" {
			p = at.Repo + "//" + p
		}
		if err := stated(at); err != nil {
			return "", err
		}
		first, last := codeLines(at)
		it, err := w.ReadLines(ctx, p, first, last)
		return it.Text, err
	}
	lib, err := w.Docs(ctx)
	if err != nil {
		return "", err
	}
	text, err := documentText(ctx, lib, at)
	if !w.opt.ShowSecrets {
		text = agenttools.Masked(text) // as the answer has it
	}
	return text, err
}

// stated checks what a place in code says of itself.
func stated(at evidence.Place) error {
	switch {
	case at.Path == "":
		return fmt.Errorf("the place names no file: %w", ErrNotFound)
	case !fs.ValidPath(at.Path):
		return fmt.Errorf("path %q leads out of the repository, or is not clean: %w", at.Path, ErrNotFound)
	case at.Line < 0 || at.EndLine < 0:
		return fmt.Errorf("lines %d to %d: %w", at.Line, at.EndLine, ErrNotFound)
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
		return "", fmt.Errorf("place %s: %w", at, ErrNotFound)
	}
	d, err := lib.Resolve(ctx, at.Doc)
	switch {
	case err != nil:
		return "", err
	case d.ID != at.Doc: // Resolve takes names too
		return "", fmt.Errorf("document %q: %w", at.Doc, ErrNotFound)
	case at.Name != "" && at.Name != d.Name:
		return "", fmt.Errorf("document %s: is named %q, not %q: %w", at.Doc, d.Name, at.Name, ErrNotFound)
	case at.Title != "" && at.Title != d.Title && at.Title != agenttools.Masked(d.Title):
		return "", fmt.Errorf("document %s: its title is %q, not %q: %w", at.Doc, d.Title, at.Title, ErrNotFound)
	}
	if at.Line == 0 && at.Page > 0 {
		return pageText(ctx, lib, at)
	}
	x, err := lib.View(ctx, at.Doc, docsearch.Lines{First: max(at.Line, 1), Last: max(at.EndLine, at.Line)}) // 0: to the end
	switch {
	case err != nil:
		return "", err
	case at.Page > 0 && x.Page != at.Page:
		return "", fmt.Errorf("document %s: line %d is on page %d, not %d: %w", d.Name, at.Line, x.Page, at.Page, ErrNotFound)
	case at.End > 0 && at.Line > 0 && (at.End < x.Start || at.Start > x.End):
		return "", fmt.Errorf("document %s: bytes %d to %d are not in lines %d to %d: %w", d.Name, at.Start, at.End, at.Line, at.EndLine, ErrNotFound)
	}
	return x.Text, nil
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
		add("figure", figureText(f))
	}
	for _, t := range tables {
		add("table", tableText(t))
	}
	return b.String(), nil
}

// Describe returns the hash of the file that a place is in, as it is on disk, and what reads it. Of a document that was given as
// bytes it is the hash of those. An index that is older than its file is an error wrapping [ErrStale]. It makes a Workspace an
// [evidence.Describer].
func (w *Workspace) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	if at.Doc == "" {
		if err := stated(at); err != nil {
			return "", "", err
		}
		repos, err := w.knownRepos()
		if err != nil {
			return "", "", err
		}
		p := at.Path
		if at.Repo != "" {
			p = at.Repo + "//" + p
		}
		err = fmt.Errorf("read %s: %w", p, errNoRepo)
		for _, r := range repos {
			local, ok := r.LocalID(p)
			if !ok {
				continue
			}
			rerr := r.Policy().Allowed(r.FS, local)
			var data []byte
			if rerr == nil {
				data, rerr = r.Raw(local)
			}
			if rerr == nil {
				return sum(data), "", nil
			}
			err = fmt.Errorf("read %s: %w", p, rerr)
		}
		return "", "", err
	}
	lib, err := w.Docs(ctx)
	if err != nil {
		return "", "", err
	}
	d, err := lib.Resolve(ctx, at.Doc)
	if err != nil {
		return "", "", err
	}
	reader = w.reader(d.Name)
	if !filepath.IsAbs(d.Origin) {
		return d.Hash, reader, nil
	}
	now, err := contentNow(d)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("document %s: its file %s is gone: %w", d.Name, d.Origin, ErrNotFound)
	case err != nil:
		return "", "", fmt.Errorf("document %s: %w", d.Name, err)
	case now != d.Hash:
		return "", "", fmt.Errorf("document %s: %s has changed since it was read: %w", d.Name, d.Origin, ErrStale)
	}
	return now, reader, nil
}

// reader names what makes text of a document.
func (w *Workspace) reader(name string) string {
	if strings.EqualFold(path.Ext(name), ".pdf") {
		return pdf.New(&pdf.Options{OCR: w.opt.OCR}).Version()
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
	return "", fmt.Errorf("%s has no line for %s: %w", d.Origin, d.ID, ErrNotFound)
}

func sumReader(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(r, docsearch.MaxFile+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
