package sheet

import (
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/drawing"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// beside writes what lies over the cells: text in shapes, titles of charts, what describes pictures, and comments.
func (w *workbook) beside(part, drawn string, page *compose.Page) error {
	rels, err := w.pkg.Relationships(part)
	if err != nil {
		return err
	}
	if name := rels.ID(drawn); name != "" {
		n, err := w.pkg.Tree(name)
		if err != nil {
			return err
		}
		inner, err := w.pkg.Relationships(name)
		if err != nil {
			return err
		}
		if err := w.shapes(n, inner, page); err != nil {
			return err
		}
	}
	return w.comments(rels, page)
}

func (w *workbook) shapes(n *xmlnode.Node, rels opc.Relationships, page *compose.Page) error {
	for _, c := range n.Nodes {
		switch c.Name {
		case "xdr:sp":
			for p := range c.Child("xdr:txBody").All("a:p") {
				page.Words(drawing.Text(p))
				page.Paragraph(true)
			}
		case "xdr:pic":
			if d := drawing.Description(c.First("xdr:cNvPr")); d != "" {
				page.Figure(d)
				page.Words("[" + d + "]")
				page.Paragraph(true)
			}
		case "c:chart", "cx:chart":
			name := rels.ID(c.Attr("r:id"))
			if name == "" {
				continue
			}
			t, err := drawing.Chart(w.pkg, name)
			if err != nil {
				return err
			}
			if t.Caption != "" {
				page.Figure(t.Caption)
				page.Words("Chart: " + t.Caption)
				page.Paragraph(true)
			}
		default:
			if err := w.shapes(c, rels, page); err != nil {
				return err
			}
		}
	}
	return nil
}

// comments writes the remarks on cells. Those of the newer kind, with answers, have a copy of the older kind, which is left out.
func (w *workbook) comments(rels opc.Relationships, page *compose.Page) error {
	labelled := false
	put := func(mark, cell, author, words string) {
		if words = line(words); words == "" {
			return
		}
		if !labelled {
			labelled = true
			page.Paragraph(true)
			page.Words("Comments:")
			page.Paragraph(true)
		}
		if author == "" {
			author = "a reader"
		}
		page.Mark(mark)
		page.Words(cell + author + ": " + words)
		page.Paragraph(false)
		page.Mark("")
	}
	threaded := map[string]bool{} // cells
	for _, r := range rels.All {
		if r.Type != "threadedComment" || r.Target == "" {
			continue
		}
		n, err := w.pkg.Tree(r.Target)
		if err != nil {
			return err
		}
		for c := range n.Children("tc:threadedComment") {
			cell := c.Attr("ref")
			threaded[cell] = true
			words := ""
			if t := c.Child("tc:text"); t != nil {
				words = t.Text
			}
			if c.Attr("parentId") != "" {
				put("  - ", "", w.persons[c.Attr("personId")]+" in reply", words)
			} else {
				put("- ", cell+", ", w.persons[c.Attr("personId")], words)
			}
		}
	}
	for _, r := range rels.All {
		if r.Type != "comments" || r.Target == "" {
			continue
		}
		n, err := w.pkg.Tree(r.Target)
		if err != nil {
			return err
		}
		var authors []string
		for a := range n.Child("x:authors").Children("x:author") {
			authors = append(authors, line(a.Text))
		}
		for c := range n.Child("x:commentList").Children("x:comment") {
			if threaded[c.Attr("ref")] {
				continue
			}
			author := ""
			if i := c.Int("authorId", -1); i >= 0 && i < len(authors) {
				author = authors[i]
			}
			// Excel puts the author before the text, too.
			words := strings.TrimPrefix(line(rich(c.Child("x:text"))), author+":")
			put("- ", c.Attr("ref")+", ", author, words)
		}
	}
	page.Paragraph(true)
	return nil
}
