package epub

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Bounds of what is read.
const (
	maxItem    = 32 << 20  // bytes of one file in the book
	maxTotal   = 512 << 20 // bytes of all that is read
	maxEntries = 100_000   // files in the book
	maxSpine   = 20_000
)

// New returns an extractor of EPUB. It is safe for concurrent use.
func New() extract.Extractor { return extractor{} }

type extractor struct{}

func (extractor) Version() string { return "epub/1" }

func (extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w: not an EPUB: %v", errs.Format, err)
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("%w: %d files in the book, the limit is %d", errs.TooLarge, len(z.File), maxEntries)
	}
	b := &book{files: make(map[string]*zip.File, len(z.File)), titles: map[string]string{}}
	for _, f := range z.File {
		if b.files[f.Name] == nil {
			b.files[f.Name] = f
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	return b, nil
}

// A book is an open EPUB.
type book struct {
	files  map[string]*zip.File
	read   int64 // bytes unfolded so far
	meta   extract.Meta
	spine  []string          // paths
	titles map[string]string // of the table of contents, by path
	closed bool
}

// file returns a file of the book.
func (b *book) file(name string) ([]byte, error) {
	f := b.files[name]
	if f == nil {
		return nil, fmt.Errorf("%w: the book has no %s", errs.NotFound, name)
	}
	if f.UncompressedSize64 > maxItem {
		return nil, fmt.Errorf("%w: %s: %d bytes, the limit is %d", errs.TooLarge, name, f.UncompressedSize64, maxItem)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", errs.Format, name, err)
	}
	data, err := io.ReadAll(io.LimitReader(r, min(maxItem, maxTotal-b.read)+1))
	b.read += int64(len(data))
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	switch {
	case len(data) > maxItem || b.read > maxTotal:
		return nil, fmt.Errorf("%w: %s: the book unfolds beyond %d bytes", errs.TooLarge, name, maxTotal)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %v", errs.Format, name, err)
	}
	return data, nil
}

// parse reads XML. Entities are those of HTML; nothing outside is read.
func parse(data []byte, into any) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("not UTF-8") }
	return d.Decode(into)
}

type container struct {
	Roots []struct {
		Path string `xml:"full-path,attr"`
	} `xml:"rootfiles>rootfile"`
}

type encryption struct {
	Data []struct {
		Method struct {
			Algorithm string `xml:"Algorithm,attr"`
		} `xml:"EncryptionMethod"`
		Reference struct {
			URI string `xml:"URI,attr"`
		} `xml:"CipherData>CipherReference"`
	} `xml:"EncryptedData"`
}

type packageDocument struct {
	Metadata struct {
		Titles       []string `xml:"title"`
		Creators     []string `xml:"creator"`
		Dates        []string `xml:"date"`
		Publishers   []string `xml:"publisher"`
		Subjects     []string `xml:"subject"`
		Descriptions []string `xml:"description"`
		Identifiers  []string `xml:"identifier"`
	} `xml:"metadata"`
	Items []struct {
		ID         string `xml:"id,attr"`
		Href       string `xml:"href,attr"`
		Type       string `xml:"media-type,attr"`
		Properties string `xml:"properties,attr"`
	} `xml:"manifest>item"`
	Spine struct {
		TOC   string `xml:"toc,attr"`
		Items []struct {
			ID string `xml:"idref,attr"`
		} `xml:"itemref"`
	} `xml:"spine"`
}

// date is a date as ISO 8601 has it, as far as it is given.
var date = lazyregexp.New(`^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?`)

// open reads the container, the package document and the table of contents.
func (b *book) open() error {
	if err := b.encrypted(); err != nil {
		return err
	}
	data, err := b.file("META-INF/container.xml")
	if err != nil {
		return fmt.Errorf("%w: not an EPUB: %v", errs.Format, err)
	}
	var c container
	if err := parse(data, &c); err != nil || len(c.Roots) == 0 {
		return fmt.Errorf("%w: META-INF/container.xml names no package document", errs.Format)
	}
	root := inside("", c.Roots[0].Path)
	if data, err = b.file(root); err != nil {
		return err
	}
	var p packageDocument
	if err := parse(data, &p); err != nil {
		return fmt.Errorf("%w: %s: %v", errs.Format, root, err)
	}
	b.describe(&p)
	items := map[string]int{}
	toc, nav := "", ""
	for i, it := range p.Items {
		items[it.ID] = i
		if strings.Contains(" "+it.Properties+" ", " nav ") {
			nav = inside(root, it.Href)
		}
		if it.ID == p.Spine.TOC && p.Spine.TOC != "" || toc == "" && it.Type == "application/x-dtbncx+xml" {
			toc = inside(root, it.Href)
		}
	}
	for _, ref := range p.Spine.Items {
		i, ok := items[ref.ID]
		if !ok {
			continue
		}
		if len(b.spine) == maxSpine {
			return fmt.Errorf("%w: over %d documents in the spine", errs.TooLarge, maxSpine)
		}
		b.spine = append(b.spine, inside(root, p.Items[i].Href))
	}
	if len(b.spine) == 0 {
		return fmt.Errorf("%w: %s: the spine is empty", errs.Format, root)
	}
	b.meta.Pages = len(b.spine)
	b.contents(nav, toc)
	return nil
}

// encrypted fails where more is encrypted than fonts.
func (b *book) encrypted() error {
	if b.files["META-INF/license.lcpl"] != nil {
		return fmt.Errorf("%w: the book is protected by a licence (LCP): read it with the program that has the key", errs.Encrypted)
	}
	if b.files["META-INF/encryption.xml"] == nil {
		return nil
	}
	data, err := b.file("META-INF/encryption.xml")
	if err != nil {
		return err
	}
	var e encryption
	if err := parse(data, &e); err != nil {
		return fmt.Errorf("%w: META-INF/encryption.xml: %v", errs.Format, err)
	}
	for _, d := range e.Data {
		switch d.Method.Algorithm {
		case "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC": // fonts that are masked
		default:
			return fmt.Errorf("%w: %s in the book: read it with the program that has the key", errs.Encrypted, d.Reference.URI)
		}
	}
	return nil
}

// inside returns the path that a reference in a file of the book leads to; it stays in the book.
func inside(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if u, err := url.PathUnescape(href); err == nil {
		href = u
	}
	return strings.TrimPrefix(path.Clean("/"+path.Join(path.Dir(from), href)), "/")
}

func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

func (b *book) describe(p *packageDocument) {
	m := &p.Metadata
	first := func(all []string) string {
		for _, s := range all {
			if s = clean(s); s != "" {
				return s
			}
		}
		return ""
	}
	b.meta.Title = first(m.Titles)
	for _, a := range m.Creators {
		if a = clean(a); a != "" && len(b.meta.Authors) < 1000 {
			b.meta.Authors = append(b.meta.Authors, a)
		}
	}
	b.meta.Date = date.FindString(first(m.Dates))
	if s := first(m.Publishers); s != "" {
		b.meta.Institutions = []string{s}
	}
	var subjects []string
	for _, s := range m.Subjects {
		if s = clean(s); s != "" && len(subjects) < 1000 {
			subjects = append(subjects, s)
		}
	}
	b.meta.Keywords = strings.Join(subjects, ", ")
	b.meta.Abstract = clean(format.HTMLText([]byte(first(m.Descriptions))))
	for _, id := range m.Identifiers {
		if id = clean(id); strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "https://") {
			b.meta.URL = id
			break
		}
	}
}

// contents reads the titles of the table of contents. A book without one has none.
func (b *book) contents(nav, toc string) {
	note := func(from, href, title string) {
		if p := inside(from, href); href != "" && b.titles[p] == "" {
			b.titles[p] = clean(title)
		}
	}
	if data, err := b.file(nav); nav != "" && err == nil {
		if data, err = format.DecodeHTML(data); err == nil {
			for _, l := range format.Links(data, maxSpine) {
				note(nav, l.Href, l.Text)
			}
		}
	}
	if data, err := b.file(toc); toc != "" && err == nil {
		d := xml.NewDecoder(bytes.NewReader(data))
		d.Strict, d.Entity = false, xml.HTMLEntity
		text, in := "", false
		for n := 0; n < 50*maxSpine; n++ {
			t, err := d.Token()
			if err != nil {
				return // its end, or what is no XML: the titles so far count
			}
			switch t := t.(type) {
			case xml.StartElement:
				switch t.Name.Local {
				case "navLabel":
					text = ""
				case "text":
					in = true
				case "content":
					for _, a := range t.Attr {
						if a.Name.Local == "src" {
							note(toc, a.Value, text)
						}
					}
				}
			case xml.EndElement:
				if t.Name.Local == "text" {
					in = false
				}
			case xml.CharData:
				if in && len(text) < 1000 {
					text += string(t)
				}
			}
		}
	}
}

func (b *book) Meta() extract.Meta { return b.meta }

func (b *book) Close() error { b.closed = true; return nil }

func (b *book) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if last == 0 {
			last = len(b.spine)
		}
		for n := max(first, 1); n <= min(last, len(b.spine)); n++ {
			err := ctx.Err()
			if b.closed {
				err = errs.Closed
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(b.page(n)) {
				return
			}
		}
	}
}

func (b *book) page(n int) (*extract.Page, error) {
	name := b.spine[n-1]
	data, err := b.file(name)
	if err == nil {
		data, err = format.DecodeHTML(data)
	}
	if err != nil {
		return &extract.Page{Number: n, Tables: []extract.Table{}, Figures: []extract.Figure{}}, fmt.Errorf("page %d: %w", n, err)
	}
	data = open(data)
	p := compose.New(n)
	if title := b.titles[name]; title != "" && !heading.Match(data) {
		p.Heading(title, 1)
	}
	if format.WriteHTML(p, data, 0) != nil { // elements nested beyond what a tree may have: the text is still text
		p.Words(format.HTMLText(data))
	}
	return p.End(), nil
}

var (
	heading = lazyregexp.New(`(?i)<h[1-6][\s>]`)
	empty   = lazyregexp.New(`<([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/>`)
)

// open writes empty elements of XHTML with an end: HTML, as which it is read, knows "<title/>" as a beginning.
func open(data []byte) []byte {
	return empty.ReplaceAllFunc(data, func(tag []byte) []byte {
		m := empty.FindSubmatch(tag)
		switch atom.Lookup(bytes.ToLower(m[1])) {
		case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
			return tag
		}
		return []byte("<" + string(m[1]) + string(m[2]) + "></" + string(m[1]) + ">")
	})
}
