package proof

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

const (
	maxLines = 2000 // of an excerpt
	maxLine  = 2000 // characters of a line of an excerpt
)

// A writer makes the files of a bundle.
type writer struct {
	a      *evidence.Answer
	src    Sources
	opt    Options
	docs   []Document
	proofs []proven // of the items, in their order
	byName map[string][]byte
	size   int64
}

// proven is an item with what proves it.
type proven struct {
	evidence.Item
	doc     *Document // nil: no PDF in the bundle
	pages   []int     // on which it is marked
	missing []string  // what of it is not marked, and why
	excerpt string    // file in the bundle; empty: none
}

// link is where the proof of an item is, and what that is.
func (p *proven) link() (href, what string) {
	switch {
	case p.doc != nil && len(p.pages) > 0:
		return p.doc.File + "#page=" + strconv.Itoa(p.pages[0]), "marked on page " + strconv.Itoa(p.pages[0])
	case p.doc != nil && p.At.Page > 0:
		return p.doc.File + "#page=" + strconv.Itoa(p.At.Page), "page " + strconv.Itoa(p.At.Page) + ", not marked"
	case p.excerpt != "":
		return p.excerpt, "lines with their numbers"
	}
	return "", ""
}

func (w *writer) add(name string, data []byte) error {
	if w.size += int64(len(data)); w.size > w.opt.MaxBytes {
		return fmt.Errorf("bundle: %w: over %d bytes", errs.TooLarge, w.opt.MaxBytes)
	}
	w.byName[name] = data
	return nil
}

// fill makes all files.
func (w *writer) fill(ctx context.Context) error {
	for i := range w.docs {
		if err := w.add(w.docs[i].File, w.docs[i].data); err != nil {
			return err
		}
	}
	names := newNames()
	for _, it := range w.a.Items {
		p, err := w.prove(ctx, it, names)
		if err != nil {
			return err
		}
		w.proofs = append(w.proofs, p)
	}
	var sealed bytes.Buffer
	if err := w.a.Write(&sealed); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"answer.json", sealed.Bytes()}, {"answer.html", w.html()}, {"answer.md", w.markdown()}, {"README.txt", w.readme()},
	} {
		if err := w.add(f.name, f.data); err != nil {
			return err
		}
	}
	var sums strings.Builder
	for _, f := range w.list() {
		fmt.Fprintf(&sums, "%s  %s\n", f.SHA256, f.Name)
	}
	return w.add("SHA256SUMS", []byte(sums.String()))
}

// list is the files, by name.
func (w *writer) list() []File {
	var out []File
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		out = append(out, File{Name: name, Size: int64(len(w.byName[name])), SHA256: sum(w.byName[name])})
	}
	return out
}

// prove finds what proves an item: marks in a PDF, else its lines.
func (w *writer) prove(ctx context.Context, it evidence.Item, names *names) (proven, error) {
	p := proven{Item: it}
	for i := range w.docs {
		if !slices.Contains(w.docs[i].Keys, it.Key) {
			continue
		}
		p.doc = &w.docs[i]
		for _, m := range p.doc.Marks {
			if m.Key != it.Key {
				continue
			}
			if m.Missing != "" {
				p.missing = append(p.missing, missed(m))
			}
			for _, at := range m.Places {
				if !slices.Contains(p.pages, at.Page) {
					p.pages = append(p.pages, at.Page)
				}
			}
		}
		slices.Sort(p.pages)
		if len(p.pages) > 0 && len(p.missing) == 0 {
			return p, nil
		}
	}
	if it.Derived() {
		return p, nil
	}
	text, err := w.src.Text(ctx, it.At)
	if err != nil {
		return p, fmt.Errorf("source of %s, %s: %w", it.Key, it.At, err)
	}
	p.excerpt = names.file("excerpts", it.Key, ".txt")
	return p, w.add(p.excerpt, excerpt(it, text))
}

func missed(m mark.Found) string {
	words := strings.Join(strings.Fields(m.Text), " ")
	if r := []rune(words); len(r) > 120 {
		words = string(r[:120]) + "..."
	}
	return words + ": " + m.Missing
}

// excerpt shows the text at the place of an item with the numbers of its lines, and the item's own text where it is another.
func excerpt(it evidence.Item, text string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nSHA-256 of these lines: %s\n\n", oneLine(it.At.String()), evidence.Hash(text))
	n := 0
	for line := range strings.Lines(text) {
		if n == maxLines {
			b.WriteString("... more lines follow in the source\n")
			break
		}
		if it.At.Line > 0 {
			fmt.Fprintf(&b, "%6d  ", it.At.Line+n)
		}
		n++
		line = visible.Text(strings.TrimRight(line, "\r\n"))
		if r := []rune(line); len(r) > maxLine {
			line = string(r[:maxLine]) + "..."
		}
		b.WriteString(line + "\n")
	}
	if fold(it.Text) != fold(text) {
		b.WriteString("\nAs the answer has it:\n\n")
		for line := range strings.Lines(it.Text) {
			b.WriteString("        " + visible.Text(strings.TrimRight(line, "\r\n")) + "\n")
		}
	}
	return []byte(b.String())
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// oneLine is a text that is not trusted, on one line.
func oneLine(s string) string { return visible.Text(strings.Join(strings.Fields(s), " ")) }

// readme says how to check the bundle.
func (w *writer) readme() []byte {
	var b strings.Builder
	b.WriteString(`Proof of an answer, made by findspot.

Open answer.html in a browser, or answer.md in any viewer of text. Each key leads to what proves it: a highlighted
place in a PDF of the folder documents, whose note says what it proves, or lines in the folder excerpts.

Check that no file has changed:

    sha256sum -c SHA256SUMS

Check the answer against your own copy of the sources, without any network:

    findspot verify answer.json --docs FOLDER --repo FOLDER
`)
	if len(w.docs) > 0 {
		b.WriteString(`
Check that the PDFs are the originals with nothing but marks added: each begins with the original, byte for byte, and
answer.json was sealed with the hash of it. Cut off what was added, and compare:

`)
		for _, d := range w.docs {
			fmt.Fprintf(&b, "    head -c %d %s | sha256sum\n    %s\n", d.Size, d.File, d.SHA256)
		}
	}
	for _, d := range w.docs {
		if d.sealed != d.SHA256 {
			fmt.Fprintf(&b, "\n%s has changed elsewhere since the answer was sealed, with a file of SHA-256\n    %s\n", d.File, oneLine(d.sealed))
		}
		if d.Reason != "" {
			fmt.Fprintf(&b, "\n%s is not marked: %s\n", d.File, oneLine(d.Reason))
		}
	}
	return []byte(b.String())
}
