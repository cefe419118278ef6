package word

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/internal/errs"
)

// A kind says what a block is.
type kind int

const (
	text       kind = iota
	table           // with rows
	breakHere       // a page ends
	breakSoft       // a page ends, unless one ended just before
	breakMaybe      // the section that begins here says whether a page ends
)

// A block is a paragraph, a table or the end of a page.
type block struct {
	kind     kind
	text     string // "\n" in it is a wanted line end
	level    int    // of a heading, from 1; 0 for none
	mark     string // of a list, such as "  a) "
	caption  string // what a caption is of: "figure", "table", "any"; "" for none
	code     bool
	contents bool
	title    bool
	figure   bool     // holds a picture or drawing
	alts     []string // what is said of the pictures
	notes    []string // the footnotes that it refers to, each with its mark
	table    *grid

	figcaption string // the caption of a figure
	captioned  bool   // a table has the caption beside it
	used       bool   // a caption that the table writes
}

type reader struct {
	pkg      *opc.Package
	rels     opc.Relationships
	styles   *styles
	numbers  *numbering
	notes    map[string]*notes // by "w:footnote" and "w:endnote"
	comments *comments
	settings *xmlnode.Node

	out      *[]block // where blocks go
	open     *para    // a paragraph whose end was deleted: the next goes on with it
	fields   []field  // around what is read
	nested   int      // tables, boxes and notes around
	read     map[string]bool
	size     int // bytes of text
	blocks   int
	turns    int // ends of pages
	sections []int
	endnotes []string
}

// Bounds of a document: its text in bytes, how deep tables, boxes and notes may stand in one another, its paragraphs and tables, and its pages.
const (
	maxText   = 256 << 20
	maxNested = 20
	maxBlocks = 1_000_000
	maxPages  = 100_000
)

// Read reads the document whose main part has a name, as pages.
func Read(p *opc.Package, part string, meta *extract.Meta) ([]*extract.Page, error) {
	r := &reader{pkg: p, notes: map[string]*notes{}, read: map[string]bool{}}
	var blocks []block
	r.out = &blocks
	err := p.Stream(part, func(x *xmlnode.Reader) error {
		root, err := x.Next()
		if err != nil {
			return err
		}
		if root == nil || root.Name != "w:document" {
			return fmt.Errorf("%s: %w: not a Word document", part, errs.Format)
		}
		if err := r.parts(part); err != nil {
			return err
		}
		for {
			n, err := x.Next()
			if err != nil {
				return err
			}
			if n == nil {
				return nil
			}
			if n.Name != "w:body" {
				if err := x.Skip(); err != nil {
					return err
				}
				continue
			}
			for {
				n, err := x.Next()
				if err != nil {
					return err
				}
				if n == nil {
					break
				}
				if err := x.Tree(n); err != nil {
					return err
				}
				if err := r.block(n); err != nil {
					return err
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	r.close()
	if err := r.over(); err != nil {
		return nil, err
	}
	if meta.Title == "" {
		for _, b := range blocks {
			if b.title {
				meta.Title = strings.Join(strings.Fields(b.text), " ")
				break
			}
		}
	}
	r.captions(blocks)
	return r.pages(blocks), nil
}

// parts reads the other parts that the text needs.
func (r *reader) parts(part string) error {
	var err error
	if r.rels, err = r.pkg.Relationships(part); err != nil {
		return err
	}
	tree := func(kind string) *xmlnode.Node {
		name := r.rels.Type(kind)
		if name == "" || err != nil {
			return nil
		}
		var n *xmlnode.Node
		n, err = r.pkg.Tree(name)
		return n
	}
	r.styles = newStyles(tree("styles"))
	r.numbers = newNumbering(tree("numbering"), r.styles)
	r.settings = tree("settings")
	r.notes["w:footnote"] = newNotes(tree("footnotes"), "w:footnote", r.settings.Child("w:footnotePr"))
	r.notes["w:endnote"] = newNotes(tree("endnotes"), "w:endnote", r.settings.Child("w:endnotePr"))
	r.comments = newComments(tree("comments"), tree("commentsExtended"))
	return err
}

// block reads what stands in the body, in a cell, or in a box.
func (r *reader) block(n *xmlnode.Node) error {
	switch n.Name {
	case "w:p":
		return r.paragraph(n)
	case "w:tbl":
		return r.table(n)
	case "w:sectPr":
		r.section(n)
		return nil
	case "w:altChunk":
		name := r.rels.ID(n.Attr("r:id"))
		if name == "" {
			name = "outside of this file"
		}
		r.emit(block{text: "[Here stands another document, which was not read: " + name + "]"})
		return nil
	case "m:oMath", "m:oMathPara":
		return r.paragraph(&xmlnode.Node{Name: "w:p", Nodes: []*xmlnode.Node{n}})
	}
	if skipped[n.Name] {
		return nil
	}
	for _, c := range n.Nodes { // w:sdt, w:customXml, w:ins and the like
		if err := r.block(c); err != nil {
			return err
		}
	}
	return nil
}

// skipped are elements whose text is not the document's: what was deleted or moved away, and properties.
var skipped = map[string]bool{
	"w:del": true, "w:moveFrom": true, "w:pPr": true, "w:rPr": true, "w:sdtPr": true, "w:sdtEndPr": true, "w:tblPr": true, "w:tblGrid": true, "w:trPr": true, "w:tcPr": true,
	"w:instrText": true, "w:delText": true, "w:delInstrText": true, "w:customXmlPr": true, "w:smartTagPr": true, "w:proofErr": true, "w:permStart": true, "w:permEnd": true,
}

// over says which bound the document is beyond; nil for none.
func (r *reader) over() error {
	switch {
	case r.size > maxText:
		return fmt.Errorf("%w: more than %d bytes of text", errs.TooLarge, maxText)
	case r.blocks > maxBlocks:
		return fmt.Errorf("%w: more than %d paragraphs and tables", errs.TooLarge, maxBlocks)
	case r.turns > maxPages:
		return fmt.Errorf("%w: more than %d pages", errs.TooLarge, maxPages)
	}
	return nil
}

// emit adds a block. Those beyond the bounds are not kept, since the document is refused.
func (r *reader) emit(b block) {
	if r.over() != nil {
		return
	}
	r.size += len(b.text)
	r.blocks++
	if b.kind == breakHere || b.kind == breakSoft || b.kind == breakMaybe {
		r.turns++
	}
	*r.out = append(*r.out, b)
}

// section ends a section. How it begins says its own w:sectPr, which comes at its end: so the break before it is known only now.
func (r *reader) section(n *xmlnode.Node) {
	if r.nested > 0 {
		return
	}
	how := breakHere
	switch n.Child("w:type").Attr("w:val") {
	case "continuous", "nextColumn":
		how = text
	}
	for _, i := range r.sections {
		(*r.out)[i].kind = how
	}
	r.sections = r.sections[:0]
}

// within collects the blocks of elements that stand apart from the text around them.
func (r *reader) within(nodes []*xmlnode.Node) ([]block, error) {
	if r.nested++; r.nested > maxNested {
		r.nested--
		return nil, nil // a program shows no more of it either
	}
	out, open, fields := r.out, r.open, r.fields
	var blocks []block
	r.out, r.open, r.fields = &blocks, nil, nil
	var err error
	for _, n := range nodes {
		if err = r.block(n); err != nil {
			break
		}
	}
	r.close()
	r.out, r.open, r.fields = out, open, fields
	r.nested--
	return blocks, err
}

// close ends a paragraph that waits for the next.
func (r *reader) close() {
	if p := r.open; p != nil {
		r.open = nil
		r.finish(p, form{})
	}
}

// line joins blocks to one line.
func line(blocks []block) string {
	var parts []string
	for _, b := range blocks {
		switch b.kind {
		case text:
			if s := strings.Join(strings.Fields(b.text), " "); s != "" {
				parts = append(parts, strings.TrimSpace(b.mark)+blank(b.mark)+s)
			}
		case table:
			for _, row := range b.table.table(0, len(b.table.rows)).Rows {
				if s := strings.Trim(strings.Join(row, " | "), " |"); s != "" {
					parts = append(parts, s)
				}
			}
		}
		parts = append(parts, b.notes...)
	}
	return strings.Join(parts, " ")
}

func blank(mark string) string {
	if strings.TrimSpace(mark) == "" {
		return ""
	}
	return " "
}
