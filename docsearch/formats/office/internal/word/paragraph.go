package word

import (
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/drawing"
	"github.com/findspot/findspot/docsearch/formats/office/internal/formula"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// Signs in the text of a paragraph under way. XML has no such characters.
const (
	pageEnd  = '\f'
	pageSoft = '\v' // where a program ended a page when it last showed the document
)

// A para is a paragraph being read.
type para struct {
	b        strings.Builder
	figure   bool
	alts     []string
	notes    []string
	after    []block // what stands in boxes, charts and diagrams
	sequence string  // what a caption counts, in lower case
}

// A field is one whose end is to come.
type field struct {
	shown  bool // its result is under way, not its instruction
	code   string
	result string // of a field of a form that has no other
}

func (r *reader) paragraph(n *xmlnode.Node) error {
	if err := r.over(); err != nil {
		return err
	}
	p := r.open
	if p == nil {
		p = &para{}
	}
	r.open = nil
	ppr := n.Child("w:pPr")
	for _, c := range n.Nodes {
		if err := r.inline(c, p); err != nil {
			return err
		}
	}
	// An instruction ends with its paragraph: one that has no end would hide all that follows.
	for len(r.fields) > 0 && !r.fields[len(r.fields)-1].shown {
		r.fields = r.fields[:len(r.fields)-1]
	}
	rpr := ppr.Child("w:rPr")
	if rpr.Child("w:del") != nil || rpr.Child("w:moveFrom") != nil {
		r.open = p
		return nil
	}
	r.finish(p, r.styles.form(ppr))
	if s := ppr.Child("w:sectPr"); s != nil && r.nested == 0 {
		r.section(s)
		if at := len(*r.out); r.over() == nil {
			r.sections = append(r.sections, at)
			r.emit(block{kind: breakMaybe})
		}
	}
	return nil
}

// inline reads what stands in a paragraph.
func (r *reader) inline(n *xmlnode.Node, p *para) error {
	switch n.Name {
	case "w:r":
		return r.run(n, p)
	case "m:oMath", "m:oMathPara":
		r.write(p, formula.Text(n))
		return nil
	case "w:commentRangeStart":
		r.comments.begin(n.Attr("w:id"))
		return nil
	case "w:commentRangeEnd":
		r.comments.end(n.Attr("w:id"))
		return nil
	case "w:fldSimple":
		r.instruction(n.Attr("w:instr"), p)
	}
	if skipped[n.Name] {
		return nil
	}
	for _, c := range n.Nodes { // links, tags, insertions
		if err := r.inline(c, p); err != nil {
			return err
		}
	}
	return nil
}

// shown reports whether text that is met now is seen: that of an instruction is not.
func (r *reader) shown() bool {
	return len(r.fields) == 0 || r.fields[len(r.fields)-1].shown
}

func (r *reader) write(p *para, s string) {
	if r.shown() {
		p.b.WriteString(s)
		r.comments.text(s)
	}
}

func (r *reader) run(n *xmlnode.Node, p *para) error {
	rpr := n.Child("w:rPr")
	if v := rpr.Child("w:vanish"); v.On("w:val") || v == nil && r.styles.hidden(rpr.Child("w:rStyle").Attr("w:val")) {
		return nil
	}
	fonts := rpr.Child("w:rFonts")
	font := fonts.Attr("w:ascii")
	for _, c := range n.Nodes {
		switch c.Name {
		case "w:t":
			r.write(p, symbols(font, c.Text))
		case "w:tab", "w:ptab":
			r.write(p, "\t")
		case "w:br", "w:cr":
			if c.Attr("w:type") == "page" && r.shown() {
				p.b.WriteByte(pageEnd)
			} else {
				r.write(p, "\n")
			}
		case "w:lastRenderedPageBreak":
			p.b.WriteByte(pageSoft)
		case "w:noBreakHyphen":
			r.write(p, "-")
		case "w:sym":
			r.write(p, symbol(c.Attr("w:font"), c.Attr("w:char")))
		case "w:fldChar":
			r.fieldChar(c, p)
		case "w:instrText":
			if k := len(r.fields) - 1; k >= 0 && !r.fields[k].shown && len(r.fields[k].code) < 1000 {
				r.fields[k].code += c.Text
			}
		case "w:footnoteReference", "w:endnoteReference":
			if err := r.note(c, p); err != nil {
				return err
			}
		case "w:commentReference":
			if err := r.comment(c.Attr("w:id")); err != nil {
				return err
			}
		case "w:ruby":
			if err := r.ruby(c, p); err != nil {
				return err
			}
		case "w:drawing", "w:pict", "w:object":
			if r.shown() {
				if err := r.drawing(c, p); err != nil {
					return err
				}
			}
		case "m:oMath", "m:oMathPara":
			r.write(p, formula.Text(c))
		}
	}
	return nil
}

// fieldChar is the beginning of a field, the end of its instruction, or its end.
func (r *reader) fieldChar(c *xmlnode.Node, p *para) {
	k := len(r.fields) - 1
	switch c.Attr("w:fldCharType") {
	case "begin":
		if len(r.fields) < 100 {
			r.fields = append(r.fields, field{result: formField(c.Child("w:ffData"))})
		}
	case "separate":
		if k >= 0 {
			code := r.fields[k].code
			r.fields[k].shown = k == 0 || r.fields[k-1].shown
			r.instruction(code, p)
		}
	case "end":
		if k >= 0 {
			f := r.fields[k]
			r.fields = r.fields[:k]
			if !f.shown {
				r.instruction(f.code, p)
				r.write(p, f.result)
			}
		}
	}
}

// formField is what a box to tick or a list to choose from shows.
func formField(n *xmlnode.Node) string {
	if c := n.Child("w:checkBox"); c != nil {
		v := c.Child("w:checked")
		if v == nil {
			v = c.Child("w:default")
		}
		if v.On("w:val") {
			return "☒"
		}
		return "☐"
	}
	if d := n.Child("w:ddList"); d != nil {
		i := d.Child("w:result").Int("w:val", d.Child("w:default").Int("w:val", 0))
		for e := range d.Children("w:listEntry") {
			if i == 0 {
				return e.Attr("w:val")
			}
			i--
		}
	}
	return ""
}

// instruction notes what a field is for: SEQ counts captions.
func (r *reader) instruction(code string, p *para) {
	words := strings.Fields(code)
	if len(words) > 1 && strings.EqualFold(words[0], "SEQ") && p.sequence == "" {
		p.sequence = strings.ToLower(words[1])
	}
}

// ruby is a base with its reading, which comes in parentheses.
func (r *reader) ruby(n *xmlnode.Node, p *para) error {
	for _, part := range []struct{ name, before, after string }{{"w:rubyBase", "", ""}, {"w:rt", "(", ")"}} {
		r.write(p, part.before)
		for _, c := range children(n.Child(part.name)) {
			if err := r.inline(c, p); err != nil {
				return err
			}
		}
		r.write(p, part.after)
	}
	return nil
}

// drawing is a picture, a chart, a diagram or a box with text, or a group of them. Text in boxes comes after the paragraph.
func (r *reader) drawing(n *xmlnode.Node, p *para) error {
	before := len(p.after)
	if err := r.graphics(n, p); err != nil {
		return err
	}
	said := ""
	for _, name := range []string{"wp:docPr", "pic:cNvPr"} {
		for d := range n.All(name) {
			if said == "" {
				said = drawing.Description(d)
			}
		}
	}
	picture := n.First("pic:pic") != nil || n.First("v:imagedata") != nil
	if v := n.First("v:shape"); said == "" && v != nil {
		said = drawing.Description(&xmlnode.Node{Attrs: []xmlnode.Attr{{Name: "descr", Value: v.Attr("alt")}}})
	}
	if n.Name == "w:object" && said == "" { // a formula or a sheet of another program: its picture says nothing
		picture = false
	}
	if picture || said != "" && len(p.after) == before {
		p.figure = true
	}
	if said != "" {
		p.alts = append(p.alts, said)
		p.figure = true
		if len(p.after) == before {
			r.write(p, " ["+said+"] ")
		}
	}
	return nil
}

func (r *reader) graphics(n *xmlnode.Node, p *para) error {
	for _, c := range n.Nodes {
		switch c.Name {
		case "w:txbxContent":
			blocks, err := r.within(c.Nodes)
			if err != nil {
				return err
			}
			p.after = append(p.after, blocks...)
		case "c:chart", "cx:chart":
			part := r.rels.ID(c.Attr("r:id"))
			if part == "" || r.read[part] {
				continue
			}
			r.read[part] = true
			t, err := drawing.Chart(r.pkg, part)
			if err != nil {
				return err
			}
			p.figure = true
			if t.Caption != "" {
				p.alts = append(p.alts, t.Caption)
			}
			if len(t.Rows) > 0 {
				p.after = append(p.after, block{kind: table, table: fromTable(t)})
			} else if t.Caption != "" {
				p.after = append(p.after, block{text: t.Caption})
			}
		case "dgm:relIds":
			part := r.rels.ID(c.Attr("r:dm"))
			if part == "" || r.read[part] {
				continue
			}
			r.read[part] = true
			items, err := drawing.Diagram(r.pkg, part)
			if err != nil {
				return err
			}
			p.figure = true
			for _, it := range items {
				p.after = append(p.after, block{text: it.Text, mark: strings.Repeat("  ", min(it.Depth, levels)) + "- "})
			}
		default:
			if err := r.graphics(c, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish makes blocks of a paragraph: its parts on each page, and what stands in boxes.
func (r *reader) finish(p *para, f form) {
	if f.hidden {
		return
	}
	b := block{level: f.level, code: f.code, contents: f.contents, title: f.title, figure: p.figure, alts: p.alts, notes: p.notes}
	s := p.b.String()
	if f.pageBreak {
		s = string(pageSoft) + s
	}
	if n, ok := r.numbers.next(f); ok && !b.code && strings.Trim(s, " \t\n\u00a0\f\v") != "" {
		switch {
		case b.level > 0:
			if n.text != "" {
				at := strings.IndexFunc(s, func(c rune) bool { return c != pageEnd && c != pageSoft })
				if at < 0 {
					at = len(s)
				}
				s = s[:at] + n.text + " " + s[at:]
			}
		case n.bullet:
			b.mark = strings.Repeat("  ", n.depth) + "- "
		case n.text == "":
		case n.parts > 1: // a clause: its number says how deep it is
			b.mark = n.text + " "
		default:
			b.mark = strings.Repeat("  ", n.depth) + n.text + " "
		}
	}
	if p.sequence != "" && !strings.HasPrefix(p.sequence, "eq") && !strings.HasPrefix(p.sequence, "mteq") && len(s) < 2000 || f.caption {
		b.caption = captionOf(p.sequence, s)
	}
	last := 0
	cut := func(i int) {
		if part := s[last:i]; strings.TrimSpace(part) != "" || i == len(s) && (b.figure || len(b.notes) > 0) {
			b.text = part
			r.emit(b)
			b = block{code: f.code, contents: f.contents}
		}
		last = i + 1
	}
	for i, c := range s {
		if c == pageEnd || c == pageSoft {
			cut(i)
			if c == pageEnd {
				r.emit(block{kind: breakHere})
			} else {
				r.emit(block{kind: breakSoft})
			}
		}
	}
	cut(len(s))
	for _, a := range p.after {
		if a.kind == text || a.kind == table {
			r.emit(a)
		}
	}
}

func children(n *xmlnode.Node) []*xmlnode.Node {
	if n == nil {
		return nil
	}
	return n.Nodes
}
