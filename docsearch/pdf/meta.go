package pdf

import (
	"context"
	"encoding/xml"
	"math"
	"regexp"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch"
)

// readMeta fills in the metadata: document information, then XMP, then the first page.
func (d *document) readMeta(ctx context.Context) (err error) {
	defer guard("metadata", &err)
	m := docsearch.Meta{Authors: []string{}, Pages: len(d.nodes)}
	f := d.f.with(ctx)
	if info := f.dict(f.doc.Trailer()["Info"]); info != nil {
		get := func(k string) string { return clean(textString(f.str(info[k]))) }
		m.Title, m.Subject, m.Keywords, m.Producer = get("Title"), get("Subject"), get("Keywords"), get("Producer")
		m.Authors = splitAuthors(get("Author"))
		m.Date = isoDate(get("CreationDate"))
		if m.Date == "" {
			m.Date = isoDate(get("ModDate"))
		}
	}
	if x := f.xmp(); x != nil {
		if emptyTitle(m.Title) {
			m.Title = clean(x["title"])
		}
		if len(m.Authors) == 0 {
			m.Authors = splitAuthors(clean(x["creator"]))
		}
		if m.Subject == "" {
			m.Subject = clean(x["description"])
		}
		if m.Date == "" {
			m.Date = clean(x["CreateDate"])
		}
		if m.Producer == "" {
			m.Producer = clean(x["Producer"])
		}
	}
	if emptyTitle(m.Title) {
		m.Title = d.firstPageTitle(ctx)
	}
	d.meta = m
	return nil
}

func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

var noTitle = regexp.MustCompile(`(?i)^(untitled.*|title|document\d*|slide \d+|microsoft (word|powerpoint|excel) ?-.*|.*\.(docx?|pptx?|xlsx?|tex|dvi|ps|pdf|indd|qxd|rtf|odt|p65|wpd|fm|eps|ai|cdr|vsd|txt|html?)|[\d\W_]*|)$`)

// emptyTitle reports whether a title says nothing: none at all, or what a program put there.
func emptyTitle(s string) bool { return noTitle.MatchString(s) }

func splitAuthors(s string) []string {
	out := []string{}
	sep := func(r rune) bool { return r == ';' || r == '\n' }
	if !strings.ContainsFunc(s, sep) {
		sep = func(r rune) bool { return r == ',' }
		s = strings.ReplaceAll(s, " and ", ",")
	}
	for _, p := range strings.FieldsFunc(s, sep) {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

var pdfDate = regexp.MustCompile(`^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?(?:\d{2})?)?`)

// isoDate turns "D:20240131120000+01'00'" into ISO 8601, as far as it goes.
func isoDate(s string) string {
	m := pdfDate.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	out := m[1]
	if m[2] == "" {
		return out
	}
	out += "-" + m[2]
	if m[3] == "" {
		return out
	}
	out += "-" + m[3]
	if m[4] == "" || m[5] == "" {
		return out
	}
	out += "T" + m[4] + ":" + m[5]
	if m[6] != "" {
		out += ":" + m[6]
	}
	if z := strings.ReplaceAll(m[7], "'", ""); z == "Z" {
		out += "Z"
	} else if len(z) == 5 {
		out += z[:3] + ":" + z[3:]
	} else if len(z) == 3 {
		out += z + ":00"
	}
	return out
}

// xmp reads the few properties we use from the XMP packet: local name to text; several values are joined by "; ".
func (f *file) xmp() map[string]string {
	data, _ := f.stream(f.catalog()["Metadata"])
	if len(data) == 0 || len(data) > 4<<20 {
		return nil
	}
	dec := xml.NewDecoder(strings.NewReader(string(data)))
	dec.Strict = false
	out := map[string]string{}
	var stack []string
	for range 100_000 {
		t, err := dec.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			stack = append(stack, t.Name.Local)
			for _, a := range t.Attr {
				if t.Name.Local == "Description" && (a.Name.Local == "CreateDate" || a.Name.Local == "Producer") {
					out[a.Name.Local] = a.Value
				}
			}
		case xml.EndElement:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case xml.CharData:
			text := strings.TrimSpace(string(t))
			if text == "" {
				continue
			}
			for i := len(stack) - 1; i >= 0; i-- {
				switch k := stack[i]; k {
				case "title", "creator", "description", "CreateDate", "Producer":
					if out[k] != "" && k == "creator" {
						out[k] += "; " + text
					} else if out[k] == "" {
						out[k] = text
					}
					i = -1
				case "li", "Alt", "Seq", "Bag":
				default:
					i = -1
				}
			}
		}
	}
	return out
}

// firstPageTitle takes the lines in the largest type of the upper part of the first page.
func (d *document) firstPageTitle(ctx context.Context) string {
	mem := d.x.borrow()
	in := newInterp(ctx, d.f.with(ctx), &d.nodes[0], mem)
	defer func() {
		mem.stack, mem.path = in.stack, in.path
		d.x.giveBack(mem)
	}()
	if err := in.page(&d.nodes[0]); err != nil && len(in.out.glyphs) == 0 {
		return ""
	}
	lines := layoutLines(layoutSegments(in.out.glyphs, &mem.layout), &mem.layout)
	best := 0.0
	usable := func(l *line) bool {
		letters := 0
		for _, r := range l.text {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		return l.dx > .99 && letters >= 4 && l.base < in.out.h*.7
	}
	for i := range lines {
		if l := &lines[i]; usable(l) && l.size > best {
			best = l.size
		}
	}
	var parts []string
	lastBase := 0.0
	for i := range lines {
		l := &lines[i]
		if !usable(l) || math.Abs(l.size-best) > best*.05 {
			if len(parts) > 0 {
				break
			}
			continue
		}
		if len(parts) > 0 && math.Abs(l.base-lastBase) > 2.2*best || len(parts) == 4 {
			break
		}
		parts = append(parts, strings.TrimSpace(l.text))
		lastBase = l.base
	}
	t := clean(strings.Join(parts, " "))
	if r := []rune(t); len(r) > 300 {
		t = string(r[:300])
	}
	return t
}
