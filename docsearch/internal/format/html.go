package format

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxHTML bounds an HTML file in bytes: the tree of one takes many times its size.
const maxHTML = 32 << 20

// HTML reads HTML as one page: what a reader sees, without navigation.
type HTML struct{}

func (HTML) Version() string { return "html/1" }

func (HTML) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size > maxHTML {
		return nil, fmt.Errorf("%w: %d bytes of HTML, the limit is %d", errs.TooLarge, size, maxHTML)
	}
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	if data, err = DecodeHTML(data); err != nil {
		return nil, err
	}
	d := &htmlDoc{page: &extract.Page{Number: 1, Tables: []extract.Table{}, Figures: []extract.Figure{}}, meta: extract.Meta{Pages: 1}}
	root, err := html.Parse(ContextReader(ctx, bytes.NewReader(data)))
	if cerr := ctx.Err(); cerr != nil {
		return nil, cerr
	}
	if err != nil { // elements nested beyond what a tree may have: the text is still text
		d.page.Text = tokenText(data)
		return d, nil
	}
	d.read(root)
	return d, nil
}

// DecodeHTML returns HTML in UTF-8, from the encoding that it says or shows. What is no text wraps errs.Format.
func DecodeHTML(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("%PDF-")) {
		return nil, fmt.Errorf("%w: not HTML: it begins like a PDF", errs.Format)
	}
	enc, name, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "")
	if name == "windows-1252" && utf8.Valid(data) { // its guess for what says nothing
		name = "utf-8"
	}
	if name != "utf-8" {
		var err error
		if data, err = enc.NewDecoder().Bytes(data); err != nil {
			return nil, fmt.Errorf("%w: %s: %v", errs.Format, name, err)
		}
	}
	data = bytes.ToValidUTF8(data, []byte("\uFFFD")) // here, so that headings, tables and text show the same
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%w: not text: it contains zero bytes", errs.Format)
	}
	return data, nil
}

type htmlDoc struct {
	meta extract.Meta
	page *extract.Page
}

func (d *htmlDoc) Meta() extract.Meta { return d.meta }

func (d *htmlDoc) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if first <= 1 && last >= 0 && ctx.Err() == nil {
			p := *d.page
			yield(&p, nil)
		}
	}
}

func (d *htmlDoc) Close() error { return nil }

// tokenText returns the text of HTML that has no tree.
func tokenText(data []byte) string {
	var b strings.Builder
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(maxHTML)
	var skip atom.Atom
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			if a := atom.Lookup(name); skip == 0 && (a == atom.Script || a == atom.Style) {
				skip = a
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if skip != 0 && atom.Lookup(name) == skip {
				skip = 0
			}
		case html.TextToken:
			if s := strings.Join(strings.Fields(string(z.Text())), " "); s != "" && skip == 0 {
				b.WriteString(s)
				b.WriteByte('\n')
			}
		}
	}
}

// read takes what is to be had from a tree.
func (d *htmlDoc) read(root *html.Node) {
	d.head(root)
	body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	if body == nil {
		body = root
	}
	w := &htmlWriter{Page: compose.New(1)}
	w.children(body)
	whole := w.End()
	// The part that says that it is the main one is taken where it holds most of the text.
	main := find(body, func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" })
	if main != nil {
		part := &htmlWriter{Page: compose.New(1)}
		part.children(main)
		if p := part.End(); 2*len(p.Text) >= len(whole.Text) {
			whole = p
		}
	}
	d.page = whole
	if d.meta.Title == "" && len(whole.Headings) > 0 {
		d.meta.Title = clip(whole.Headings[0].Text, maxTitle)
	}
}

// headDate is the beginning of a date that is written as ISO 8601 has it, or with slashes.
var headDate = lazyregexp.New(`^([0-9]{4})(?:[-/]([0-9]{2})(?:[-/]([0-9]{2}))?)?`)

// head reads what the head says of the document.
func (d *htmlDoc) head(root *html.Node) {
	og := ""
	var nodes func(n *html.Node)
	nodes = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Title:
				if d.meta.Title == "" && c.Namespace == "" {
					d.meta.Title = clip(strings.Join(strings.Fields(inner(c)), " "), maxTitle)
				}
			case atom.Link:
				if d.meta.URL == "" && strings.EqualFold(attr(c, "rel"), "canonical") {
					d.meta.URL = clip(attr(c, "href"), 2000)
				}
			case atom.Meta:
				name := strings.ToLower(attr(c, "name") + attr(c, "property"))
				value := clip(strings.Join(strings.Fields(attr(c, "content")), " "), 2000)
				if value == "" {
					continue
				}
				switch name {
				case "author", "citation_author", "dc.creator", "article:author":
					if len(d.meta.Authors) < 1000 && !strings.HasPrefix(value, "http") {
						d.meta.Authors = append(d.meta.Authors, value)
					}
				case "citation_publication_date", "citation_date", "article:published_time", "dc.date", "date":
					if m := headDate.FindStringSubmatch(value); m != nil && d.meta.Date == "" {
						d.meta.Date = strings.TrimRight(strings.Join(m[1:], "-"), "-")
					}
				case "keywords", "citation_keywords":
					d.meta.Keywords = value
				case "og:title", "citation_title":
					og = value
				case "og:url":
					if d.meta.URL == "" {
						d.meta.URL = value
					}
				}
			case atom.Svg, atom.Math:
			default:
				nodes(c)
			}
		}
	}
	nodes(root)
	if d.meta.Title == "" {
		d.meta.Title = clip(og, maxTitle)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// find returns the first node in the order of the document that fits.
func find(n *html.Node, fits func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && fits(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if m := find(c, fits); m != nil {
			return m
		}
	}
	return nil
}

// inner returns the text within a node, as it stands.
func inner(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && hidden(n):
			return
		case n.DataAtom == atom.Br || n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Li || n.DataAtom == atom.Td:
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

// hidden reports whether a reader does not see an element, or sees it on every page of a site.
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Head, atom.Nav, atom.Select, atom.Button, atom.Textarea,
		atom.Audio, atom.Video, atom.Canvas, atom.Datalist, atom.Dialog:
		return true
	case atom.Svg:
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found"
		case "aria-hidden":
			return a.Val == "true" && n.DataAtom != atom.Math
		case "role":
			if a.Val == "navigation" {
				return true
			}
		}
	}
	return false
}

// WriteHTML writes what a reader of an HTML document or fragment in UTF-8 sees into a page. levels are added to those of its headings. It fails, with
// nothing written, where elements nest beyond what a tree may have; the text of the elements is then had of [HTMLText].
func WriteHTML(p *compose.Page, data []byte, levels int) error {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %v", errs.Format, err)
	}
	body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	if body == nil {
		body = root
	}
	w := &htmlWriter{Page: p, levels: levels}
	w.children(body)
	w.Paragraph(true)
	return nil
}

// HTMLText returns the text of HTML in UTF-8 without its structure.
func HTMLText(data []byte) string { return tokenText(data) }

// htmlWriter writes the text of a tree, and its Markdown.
type htmlWriter struct {
	*compose.Page
	depth  int // lists around
	levels int // added to those of headings
}

// blocks begin and end a paragraph.
var blocks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Details: true, atom.Dd: true, atom.Div: true, atom.Dl: true,
	atom.Dt: true, atom.Fieldset: true, atom.Figcaption: true, atom.Figure: true, atom.Footer: true, atom.Form: true, atom.Header: true, atom.Hr: true,
	atom.Main: true, atom.P: true, atom.Section: true, atom.Summary: true, atom.Center: true, atom.Body: true, atom.Caption: true,
}

func (w *htmlWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *htmlWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.Words(n.Data)
		return
	case html.ElementNode:
	default:
		w.children(n)
		return
	}
	if hidden(n) {
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.Paragraph(true)
		if s := strings.Join(strings.Fields(inner(n)), " "); s != "" {
			w.Heading(s, w.levels+int(n.DataAtom.String()[1]-'0'))
		}
	case atom.Pre, atom.Listing, atom.Xmp:
		w.Paragraph(true)
		w.Pre(strings.TrimPrefix(inner(n), "\n"))
	case atom.Br:
		w.Break()
	case atom.Table:
		w.Paragraph(true)
		w.table(n)
	case atom.Ul, atom.Ol, atom.Menu:
		w.Paragraph(w.depth == 0)
		w.depth++
		w.children(n)
		w.depth--
		w.Paragraph(w.depth == 0)
	case atom.Li:
		w.Paragraph(false)
		w.Mark(strings.Repeat("  ", min(max(w.depth-1, 0), 8)) + "- ")
		w.children(n)
		w.Paragraph(false)
		w.Mark("")
	case atom.Img:
		w.Words(" " + attr(n, "alt") + " ")
	case atom.Figure:
		w.Paragraph(true)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom == atom.Figcaption {
				w.Figure(inner(c))
			}
		}
		w.children(n)
		w.Paragraph(true)
	default:
		if !blocks[n.DataAtom] {
			w.children(n)
			return
		}
		w.Paragraph(n.DataAtom != atom.Dd && w.depth == 0)
		w.children(n)
		w.Paragraph(n.DataAtom != atom.Dt && w.depth == 0)
	}
}

// table writes a table. One without two columns, or with headings or tables in it, only places things on the page.
func (w *htmlWriter) table(n *html.Node) {
	t := extract.Table{Rows: [][]string{}, Cells: []extract.Cell{}}
	layout, cells := false, 0
	var rows func(n *html.Node)
	rows = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Caption:
				t.Caption = strings.Join(strings.Fields(inner(c)), " ")
			case atom.Tr:
				var row []string
				for d := c.FirstChild; d != nil; d = d.NextSibling {
					if d.DataAtom != atom.Td && d.DataAtom != atom.Th || cells >= compose.MaxCells {
						continue
					}
					layout = layout || find(d, func(m *html.Node) bool {
						return m.DataAtom == atom.Table || m.DataAtom == atom.H1 || m.DataAtom == atom.H2 || m.DataAtom == atom.H3 || m.DataAtom == atom.Pre
					}) != nil
					if layout { // its text is taken piece by piece
						return
					}
					span := 1
					if _, err := fmt.Sscanf(attr(d, "colspan"), "%d", &span); err != nil || span < 1 || span > 1000 {
						span = 1
					}
					t.Cells = append(t.Cells, extract.Cell{Row: len(t.Rows), Col: len(row), RowSpan: 1, ColSpan: span, Text: strings.Join(strings.Fields(inner(d)), " ")})
					row = append(row, t.Cells[len(t.Cells)-1].Text)
					for range span - 1 {
						row = append(row, "")
					}
					cells += span
				}
				if row != nil {
					t.Rows = append(t.Rows, row)
				}
			case atom.Thead, atom.Tbody, atom.Tfoot:
				rows(c)
			}
		}
	}
	rows(n)
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	if cols < 2 || layout || cols*len(t.Rows) > compose.MaxCells {
		w.loose(n)
		return
	}
	w.Table(t)
}

// loose writes the cells of a table as paragraphs.
func (w *htmlWriter) loose(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr:
			w.loose(c)
		case atom.Td, atom.Th, atom.Caption:
			w.Paragraph(false)
			w.children(c)
			w.Paragraph(false)
		}
	}
	w.Paragraph(true)
}
