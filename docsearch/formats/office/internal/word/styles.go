package word

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxBased bounds how many styles one may be based on, one after another.
const maxBased = 50

// A style is what a style of paragraphs or characters says, without what it is based on.
type style struct {
	name, base string
	heading    int // the level that the name says, from 1; 0 for none
	ppr, rpr   *xmlnode.Node
}

type styles struct {
	byID     map[string]*style
	standard string // the style of paragraphs that name none
}

func newStyles(n *xmlnode.Node) *styles {
	s := &styles{byID: map[string]*style{}}
	for c := range n.Children("w:style") {
		id := c.Attr("w:styleId")
		name := strings.ToLower(c.Child("w:name").Attr("w:val"))
		s.byID[id] = &style{
			name: name, heading: headingLevel(name), base: c.Child("w:basedOn").Attr("w:val"),
			ppr: c.Child("w:pPr"), rpr: c.Child("w:rPr"),
		}
		if c.Attr("w:type") == "paragraph" && xmlnode.True(c.Attr("w:default"), false) {
			s.standard = id
		}
	}
	return s
}

// chain calls f with a style and those that it is based on, until f returns true.
func (s *styles) chain(id string, f func(id string, st *style) bool) {
	for range maxBased {
		st := s.byID[id]
		if st == nil || f(id, st) || st.base == "" {
			return
		}
		id = st.base
	}
}

// hidden reports whether a style of characters hides them.
func (s *styles) hidden(id string) bool {
	hidden := false
	s.chain(id, func(_ string, st *style) bool {
		v := st.rpr.Child("w:vanish")
		hidden = v.On("w:val")
		return v != nil
	})
	return hidden
}

// A form is what counts of a paragraph's properties, its styles included.
type form struct {
	level     int    // of a heading, from 1; 0 for none
	num       string // id of the list that it is numbered in; "" or "0" for none
	depth     int    // in that list, from 0; -1 where a style leaves it to the list
	style     string // id of the style that gave num
	caption   bool
	code      bool
	contents  bool // a line of a table of contents
	title     bool
	pageBreak bool // begins on a new page
	hidden    bool
}

// form reads the properties of a paragraph.
func (s *styles) form(ppr *xmlnode.Node) form {
	f := form{depth: -1}
	outline, numbered, depth, broke, hid := -1, false, false, false, false
	look := func(id string, p *xmlnode.Node) {
		if o := p.Child("w:outlineLvl"); o != nil && outline < 0 {
			outline = o.Int("w:val", 9)
		}
		if np := p.Child("w:numPr"); np != nil {
			if v, ok := np.Child("w:numId").Lookup("w:val"); ok && !numbered {
				numbered, f.num, f.style = true, v, id
			}
			if v, ok := np.Child("w:ilvl").Lookup("w:val"); ok && !depth {
				n, err := strconv.Atoi(v)
				depth = err == nil
				if depth {
					f.depth = n
				}
			}
		}
		if b := p.Child("w:pageBreakBefore"); b != nil && !broke {
			broke, f.pageBreak = true, b.On("w:val")
		}
	}
	look("", ppr)
	id := ppr.Child("w:pStyle").Attr("w:val")
	if id == "" || s.byID[id] == nil && !headingName.MatchString(strings.ToLower(id)) {
		id = s.standard
	}
	named := 0
	name := func(n string, heading int) {
		if named == 0 {
			named = heading
		}
		f.caption = f.caption || n == "caption" || strings.HasSuffix(n, " caption")
		f.code = f.code || codeStyles[n]
		f.contents = f.contents || strings.HasPrefix(n, "toc ") || n == "table of figures" || strings.HasPrefix(n, "contents ")
		f.title = f.title || n == "title"
	}
	if s.byID[id] == nil {
		name(strings.ToLower(id), headingLevel(strings.ToLower(id)))
	}
	s.chain(id, func(id string, st *style) bool {
		name(st.name, st.heading)
		look(id, st.ppr)
		if v := st.rpr.Child("w:vanish"); v != nil && !hid {
			hid, f.hidden = true, v.On("w:val")
		}
		return false
	})
	switch {
	case outline >= 0 && outline < 9:
		f.level = outline + 1
	case outline < 0:
		f.level = named
	}
	if f.contents || f.title {
		f.level = 0
	}
	return f
}

var codeStyles = map[string]bool{"source code": true, "html preformatted": true, "preformatted text": true, "macro text": true, "code": true, "code block": true}

// headingName is a name that programs give to the styles of headings where they do not use that of the format, "heading 1", or the style is not in the file.
var headingName = lazyregexp.New(`^(?:heading|überschrift|berschrift|titre|título|ttulo|titolo|titol|kop|rubrik|overskrift|otsikko|nagłówek|nagwek|nadpis|címsor|başlık|заголовок|επικεφαλίδα|見出し|标题|標題|제목) ?([1-9])$`)

func headingLevel(name string) int {
	if m := headingName.FindStringSubmatch(name); m != nil {
		return int(m[1][0] - '0')
	}
	return 0
}
