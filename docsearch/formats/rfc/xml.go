package rfc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Bounds of XML.
const (
	maxNested   = 200 // elements in elements
	maxEntities = 1000
	maxEntity   = 200 // bytes of the value of one
)

// NewXML returns an extractor of the sources of RFCs and Internet-Drafts in XML. It is safe for concurrent use. XML that is none wraps
// docsearch.ErrFormat.
func NewXML() extract.Extractor { return source{} }

type source struct{}

func (source) Version() string { return "rfcxml/2" }

func (source) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, maxFile)
	}
	data, err := io.ReadAll(format.ContextReader(ctx, io.NewSectionReader(r, 0, size)))
	if err != nil {
		return nil, err
	}
	root, err := tree(data)
	if err != nil {
		return nil, err
	}
	if root.name != "rfc" {
		return nil, fmt.Errorf("%w: no RFC: its root is <%s> and not <rfc>", errs.Format, root.name)
	}
	w := newXMLWriter(root)
	w.document()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return compose.Document(w.meta, w.End()), nil
}

// Recognizes is [IsXML].
func (source) Recognizes(head []byte) bool { return IsXML(head) }

// IsXML reports whether XML begins as the source of an RFC does. The first 16 KB of it are enough.
func IsXML(head []byte) bool { return rootElement.Match(head) }

var rootElement = lazyregexp.New(`<rfc[\s>]`)

// An element is an element, or text where it has no name.
type element struct {
	name   string
	attrs  map[string]string
	text   string
	kids   []*element
	number string // that it shows
}

var entityLine = lazyregexp.New(`(?s)<!ENTITY\s+([\w.:-]+)\s+(?:(SYSTEM|PUBLIC)\s+)?(?:"([^"]*)"|'([^']*)')`)

// tree reads XML. Entities from outside are named and not read.
func tree(data []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = charset.NewReaderLabel
	d.Entity = map[string]string{}
	for k, v := range xml.HTMLEntity {
		d.Entity[k] = v
	}
	top := &element{name: ""}
	stack := []*element{top}
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %v", errs.Format, err)
		}
		in := stack[len(stack)-1]
		switch t := t.(type) {
		case xml.Directive:
			for i, m := range entityLine.FindAllStringSubmatch("<!"+string(t)+">", maxEntities) {
				value := m[3] + m[4]
				if m[2] != "" {
					value = "(includes " + value + ")"
				}
				if len(value) > maxEntity {
					value = strings.ToValidUTF8(value[:maxEntity], "")
				}
				if _, ok := d.Entity[m[1]]; !ok && i < maxEntities {
					d.Entity[m[1]] = value
				}
			}
		case xml.StartElement:
			if len(stack) > maxNested {
				return nil, fmt.Errorf("%w: elements nest over %d deep", errs.TooLarge, maxNested)
			}
			e := &element{name: t.Name.Local}
			if t.Name.Space == "xi" && t.Name.Local == "include" {
				e.name = "xinclude"
			}
			if len(t.Attr) > 0 {
				e.attrs = make(map[string]string, len(t.Attr))
				for _, a := range t.Attr {
					if a.Name.Space == "" || a.Name.Local == "lang" {
						e.attrs[a.Name.Local] = a.Value
					}
				}
			}
			in.kids = append(in.kids, e)
			stack = append(stack, e)
		case xml.EndElement:
			// What closes no open element is left out; what it closes with it ends too.
			for k := len(stack) - 1; k > 0; k-- {
				if stack[k].name == t.Name.Local || stack[k].name == "xinclude" && t.Name.Local == "include" {
					stack = stack[:k]
					break
				}
			}
		case xml.CharData:
			in.kids = append(in.kids, &element{text: string(t)})
		case xml.ProcInst:
			if string(t.Target) == "rfc" {
				if k := bytes.Index(t.Inst, []byte("include=")); k >= 0 {
					in.kids = append(in.kids, &element{name: "xinclude", attrs: map[string]string{"href": strings.Trim(string(t.Inst[k+8:]), `"' `)}})
				}
			}
		}
	}
	for _, k := range top.kids {
		if k.name != "" {
			return k, nil
		}
	}
	return nil, fmt.Errorf("%w: no element", errs.Format)
}

// child returns the first child of a name, or an empty element.
func (e *element) child(name string) *element {
	for _, k := range e.kids {
		if k.name == name {
			return k
		}
	}
	return &element{}
}

func (e *element) all(names ...string) (out []*element) {
	for _, k := range e.kids {
		for _, n := range names {
			if k.name == n {
				out = append(out, k)
			}
		}
	}
	return out
}

// plain returns the text within, as it stands.
func (e *element) plain() string {
	if e.name == "" && e.kids == nil {
		return e.text
	}
	var b strings.Builder
	for _, k := range e.kids {
		b.WriteString(k.plain())
	}
	return b.String()
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// number gives sections, figures and tables their numbers.
func (w *xmlWriter) number() {
	figures, tables := 0, 0
	note := func(e *element, s string) {
		for _, a := range []string{"anchor", "pn"} {
			if id := e.attrs[a]; id != "" && w.anchors[id] == "" {
				w.anchors[id] = s
				w.titles[id] = e.title()
			}
		}
	}
	var objects func(e *element)
	objects = func(e *element) {
		for _, k := range e.kids {
			switch {
			case k.name == "figure" && (k.attrs["anchor"] != "" || k.title() != "") && k.attrs["suppress-title"] != "true" || k.name == "figure" && k.attrs["pn"] != "":
				figures++
				k.number = fmt.Sprint(figures)
				note(k, "Figure "+k.number)
			case k.name == "table" || k.name == "texttable" && (k.attrs["anchor"] != "" || k.title() != "") && k.attrs["suppress-title"] != "true":
				tables++
				k.number = fmt.Sprint(tables)
				note(k, "Table "+k.number)
			case k.name == "reference" || k.name == "referencegroup":
				if id := k.attrs["anchor"]; id != "" {
					w.anchors[id] = "[" + w.label(id) + "]"
					w.titles[id] = words(k.child("front").child("title").plain())
				}
			}
			objects(k)
		}
	}
	var sections func(e *element, prefix string, letters bool) int
	sections = func(e *element, prefix string, letters bool) int {
		n := 0
		for _, s := range e.all("section") {
			if s.attrs["numbered"] == "false" {
				note(s, s.title())
				continue
			}
			n++
			s.number = prefix + fmt.Sprint(n)
			kind := "Section "
			if letters {
				s.number = string(rune('A' + min(n, 26) - 1))
				kind = "Appendix "
			} else if prefix != "" && prefix[0] >= 'A' {
				kind = "Appendix "
			}
			note(s, kind+s.number)
			sections(s, s.number+".", false)
		}
		return n
	}
	n := sections(w.root.child("middle"), "", false)
	back := w.root.child("back")
	refs := back.all("references")
	if len(refs) > 1 { // under one heading
		group := &element{name: "references", attrs: map[string]string{"title": "References"}, kids: refs}
		var kids []*element
		for _, k := range back.kids {
			if k.name != "references" {
				kids = append(kids, k)
			} else if k == refs[0] {
				kids = append(kids, group)
			}
		}
		back.kids, refs = kids, []*element{group}
	}
	for _, r := range refs {
		n++
		r.number = fmt.Sprint(n)
		note(r, "Section "+r.number)
		for i, k := range r.all("references") {
			k.number = fmt.Sprintf("%d.%d", n, i+1)
			note(k, "Section "+k.number)
		}
	}
	sections(back, "", true)
	for _, k := range back.all("displayreference") {
		if len(w.labels) < maxEntities {
			w.labels[k.attrs["target"]] = k.attrs["to"]
		}
	}
	objects(w.root)
	w.places(w.root.child("front"), "", "")
	w.places(w.root.child("middle"), "", "")
	w.places(back, "", "")
	if w.root.attrs["sortRefs"] == "true" {
		for _, r := range refs {
			w.sort(r)
		}
	}
}

// label returns what a reference of an anchor is called, which displayreference may change.
func (w *xmlWriter) label(anchor string) string { return cmp.Or(w.labels[anchor], anchor) }

// sort orders the entries of a list of references by what they are called.
func (w *xmlWriter) sort(e *element) {
	for _, k := range e.all("references") {
		w.sort(k)
	}
	entry := func(k *element) bool { return k.name == "reference" || k.name == "referencegroup" }
	entries := slices.DeleteFunc(slices.Clone(e.kids), func(k *element) bool { return !entry(k) })
	slices.SortStableFunc(entries, func(a, b *element) int {
		return cmp.Compare(strings.ToLower(w.label(a.attrs["anchor"])), strings.ToLower(w.label(b.attrs["anchor"])))
	})
	e.kids = append(entries, slices.DeleteFunc(slices.Clone(e.kids), entry)...)
	if t := len(entries); t > 0 { // the title first
		for i, k := range e.kids[t:] {
			if k.name == "name" {
				e.kids[t+i], e.kids = &element{}, append([]*element{k}, e.kids...)
				break
			}
		}
	}
}

// places notes where anchors stand that have no number of their own: the paragraphs of sections, and the items of lists.
func (w *xmlWriter) places(e *element, section, place string) {
	n := 0
	number, group := 0, ""
	if e.name == "ol" || e.name == "list" {
		number, group = first(e, w.counted)
	}
	for _, k := range e.kids {
		switch k.name {
		case "", "name", "iref", "dt", "xref", "eref", "em", "strong", "tt", "author", "front":
			if k.name == "dt" && k.attrs["anchor"] != "" && w.anchors[k.attrs["anchor"]] == "" {
				w.anchors[k.attrs["anchor"]] = section
				w.titles[k.attrs["anchor"]] = words(k.plain())
			}
			continue
		case "section", "references":
			title := cmp.Or(w.anchors[k.attrs["anchor"]], k.title())
			if k.number != "" {
				title = "Section " + k.number
				if k.number[0] >= 'A' {
					title = "Appendix " + k.number
				}
			}
			w.places(k, title, "")
			continue
		}
		n++
		here := fmt.Sprint(n)
		if place != "" {
			here = place + "." + here
		}
		shown := section + ", Paragraph " + here
		if k.name == "li" || k.name == "dd" || e.name == "list" {
			shown = section + ", Paragraph " + cmp.Or(place, "1") + ", Item " + fmt.Sprint(n)
		}
		if k.name == "cref" {
			shown = "Comment " + k.attrs["anchor"]
		}
		if id := k.attrs["anchor"]; id != "" && w.anchors[id] == "" && section != "" {
			w.anchors[id] = shown
			if k.name == "li" || e.name == "list" {
				w.numbers[id] = strings.Trim(counter(e.name, cmp.Or(e.attrs["style"], e.attrs["type"]), number+n), ". -")
			}
		}
		w.places(k, section, here)
	}
	if group != "" && len(w.counted) < maxEntities {
		w.counted[group] = number + n
	}
}

// title returns the title of an element, of version 2 or 3.
func (e *element) title() string {
	if n := e.child("name"); n.name != "" {
		return words(n.plain())
	}
	return words(e.attrs["title"])
}
