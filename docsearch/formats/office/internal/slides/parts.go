package slides

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/drawing"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// frame writes a table, a chart or a diagram.
func (s *slide) frame(n *xmlnode.Node) error {
	data := n.First("a:graphicData")
	said := drawing.Description(n.Child("p:nvGraphicFramePr", "p:cNvPr"))
	if tbl := data.Child("a:tbl"); tbl != nil {
		s.table(tbl)
		return nil
	}
	for _, name := range []string{"c:chart", "cx:chart"} {
		part := s.rels.ID(data.Child(name).Attr("r:id"))
		if part == "" {
			continue
		}
		t, err := drawing.Chart(s.pkg, part)
		if err != nil {
			return err
		}
		switch {
		case t.Caption != "":
			s.page.Figure(t.Caption)
		case said != "":
			s.page.Figure(said)
		}
		switch {
		case len(t.Rows) > 0:
			s.page.Table(t)
		case t.Caption != "":
			s.paragraph(t.Caption)
		}
		return nil
	}
	if part := s.rels.ID(data.Child("dgm:relIds").Attr("r:dm")); part != "" {
		items, err := drawing.Diagram(s.pkg, part)
		if err != nil {
			return err
		}
		s.page.Paragraph(true)
		for _, it := range items {
			s.page.Mark(strings.Repeat("  ", min(it.Depth, 8)) + "- ")
			s.page.Words(it.Text)
			s.page.Paragraph(false)
			s.page.Mark("")
		}
		s.page.Paragraph(true)
	}
	if said != "" {
		s.page.Figure(said)
		s.paragraph("[" + said + "]")
	}
	return nil
}

func (s *slide) table(tbl *xmlnode.Node) {
	t := extract.Table{Rows: [][]string{}, Cells: []extract.Cell{}}
	cells := 0
	for tr := range tbl.Children("a:tr") {
		var row []string
		for tc := range tr.Children("a:tc") {
			if cells++; cells > compose.MaxCells {
				break
			}
			if xmlnode.True(tc.Attr("hMerge"), false) || xmlnode.True(tc.Attr("vMerge"), false) {
				row = append(row, "")
				continue
			}
			text := drawing.Line(tc.Child("a:txBody"))
			t.Cells = append(t.Cells, extract.Cell{
				Row: len(t.Rows), Col: len(row), RowSpan: max(tc.Int("rowSpan", 1), 1), ColSpan: max(tc.Int("gridSpan", 1), 1), Text: text,
			})
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	if cols*len(t.Rows) > compose.MaxCells { // rows of very different lengths
		for _, r := range t.Rows {
			s.paragraph(strings.Join(r, " | "))
		}
		return
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		c.RowSpan, c.ColSpan = min(c.RowSpan, len(t.Rows)-c.Row), min(c.ColSpan, cols-c.Col)
	}
	s.page.Table(t)
}

// notes writes what the speaker shall say.
func (s *slide) notes() error {
	part := s.rels.Type("notesSlide")
	if part == "" {
		return nil
	}
	root, err := s.pkg.Tree(part)
	if err != nil {
		return err
	}
	labelled := false
	for sp := range root.Child("p:cSld", "p:spTree").All("p:sp") {
		if kind, _ := placeholder(sp); kind == "body" && drawing.Line(sp) != "" {
			if !labelled {
				labelled = true
				s.paragraph("Notes:")
			}
			s.text(sp.Child("p:txBody"), false)
		}
	}
	return nil
}

// readAuthors returns the names of those who comment, by id; both the older and the newer comments have a list of them.
func readAuthors(p *opc.Package, rels opc.Relationships) (map[string]string, error) {
	out := map[string]string{}
	for _, kind := range []struct{ rel, element string }{{"commentAuthors", "p:cmAuthor"}, {"authors", "p188:author"}} {
		part := rels.Type(kind.rel)
		if part == "" {
			continue
		}
		n, err := p.Tree(part)
		if err != nil {
			return nil, err
		}
		for a := range n.Children(kind.element) {
			out[a.Attr("id")] = strings.Join(strings.Fields(a.Attr("name")), " ")
		}
	}
	return out, nil
}

// comments writes what was remarked on the slide, and by whom.
func (s *slide) comments() error {
	labelled := false
	put := func(mark, author, words string) {
		if words = strings.Join(strings.Fields(words), " "); words == "" {
			return
		}
		if !labelled {
			labelled = true
			s.paragraph("Comments:")
		}
		if author == "" {
			author = "a reader"
		}
		s.page.Mark(mark)
		s.page.Words(author + ": " + words)
		s.page.Paragraph(false)
		s.page.Mark("")
	}
	for _, r := range s.rels.All {
		if r.Type != "comments" || r.Target == "" {
			continue
		}
		root, err := s.pkg.Tree(r.Target)
		if err != nil {
			return err
		}
		for c := range root.Children("p:cm") {
			if t := c.Child("p:text"); t != nil {
				put("- ", s.authors[c.Attr("authorId")], t.Text)
			}
		}
		for c := range root.Children("p188:cm") {
			put("- ", s.authors[c.Attr("authorId")], drawing.Line(c.Child("p188:txBody")))
			for a := range c.Child("p188:replyLst").Children("p188:reply") {
				put("  - ", s.authors[a.Attr("authorId")]+" in reply", drawing.Line(a.Child("p188:txBody")))
			}
		}
	}
	s.page.Paragraph(true)
	return nil
}
