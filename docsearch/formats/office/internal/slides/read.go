package slides

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/drawing"
	"github.com/findspot/findspot/docsearch/formats/office/internal/numeral"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/errs"
)

// maxSlides bounds a presentation.
const maxSlides = 20_000

// Read reads the presentation whose main part has a name: a page for each slide.
func Read(p *opc.Package, part string, meta *extract.Meta) ([]*extract.Page, error) {
	root, err := p.Tree(part)
	if err != nil {
		return nil, err
	}
	if root.Name != "p:presentation" {
		return nil, fmt.Errorf("%s: %w: not a presentation", part, errs.Format)
	}
	rels, err := p.Relationships(part)
	if err != nil {
		return nil, err
	}
	authors, err := readAuthors(p, rels)
	if err != nil {
		return nil, err
	}
	var pages []*extract.Page
	for id := range root.Child("p:sldIdLst").Children("p:sldId") {
		if len(pages) == maxSlides {
			return nil, fmt.Errorf("%s: %w: more than %d slides", part, errs.TooLarge, maxSlides)
		}
		name := rels.ID(id.Attr("r:id"))
		s := &slide{pkg: p, page: compose.New(len(pages) + 1), authors: authors, part: name}
		if name == "" {
			pages = append(pages, s.page.End()) // it is named and not in the file; those after it keep their numbers
			continue
		}
		if err := s.read(); err != nil {
			return nil, err
		}
		if s.title != "" && meta.Title == "" && len(pages) == 0 {
			meta.Title = s.title
		}
		pages = append(pages, s.page.End())
	}
	return pages, nil
}

type slide struct {
	pkg     *opc.Package
	part    string
	rels    opc.Relationships
	page    *compose.Page
	authors map[string]string
	title   string
}

func (s *slide) read() error {
	root, err := s.pkg.Tree(s.part)
	if err != nil {
		return err
	}
	if s.rels, err = s.pkg.Relationships(s.part); err != nil {
		return err
	}
	if !xmlnode.True(root.Attr("show"), true) {
		s.paragraph("[Hidden slide]")
	}
	shapes := root.Child("p:cSld", "p:spTree")
	titled := s.heading(shapes)
	if err := s.shapes(shapes, titled); err != nil {
		return err
	}
	if err := s.notes(); err != nil {
		return err
	}
	return s.comments()
}

func (s *slide) paragraph(text string) {
	s.page.Paragraph(true)
	s.page.Words(text)
	s.page.Paragraph(true)
}

// placeholder is the kind of a shape's placeholder, and whether it is one.
func placeholder(sp *xmlnode.Node) (string, bool) {
	ph := sp.First("p:nvPr").Child("p:ph")
	if ph == nil {
		return "", false
	}
	if t := ph.Attr("type"); t != "" {
		return t, true
	}
	return "obj", true
}

// heading writes the title, wherever in the order of the shapes it is, and returns its shape.
func (s *slide) heading(shapes *xmlnode.Node) *xmlnode.Node {
	for sp := range shapes.All("p:sp") {
		if t, ok := placeholder(sp); ok && (t == "title" || t == "ctrTitle") {
			if s.title = drawing.Line(sp.Child("p:txBody")); s.title != "" {
				s.page.Heading(s.title, 1)
				return sp
			}
		}
	}
	return nil
}

// shapes writes the shapes of a slide or of a group, but for its title.
func (s *slide) shapes(n, titled *xmlnode.Node) error {
	if n == nil {
		return nil
	}
	for _, sp := range n.Nodes {
		switch sp.Name {
		case "p:sp", "p:cxnSp":
			if sp == titled {
				continue
			}
			kind, ok := placeholder(sp)
			switch kind {
			case "dt", "ftr", "sldNum", "hdr":
				continue
			}
			s.text(sp.Child("p:txBody"), ok && (kind == "body" || kind == "obj"))
		case "p:grpSp":
			if err := s.shapes(sp, titled); err != nil {
				return err
			}
		case "p:pic":
			if d := drawing.Description(sp.Child("p:nvPicPr", "p:cNvPr")); d != "" {
				s.page.Figure(d)
				s.paragraph("[" + d + "]")
			}
		case "p:graphicFrame":
			if err := s.frame(sp); err != nil {
				return err
			}
		}
	}
	return nil
}

// text writes the paragraphs of a shape. Those of a body are items of a list unless they say otherwise.
func (s *slide) text(body *xmlnode.Node, list bool) {
	if body == nil {
		return
	}
	s.page.Paragraph(true)
	type count struct {
		n    int
		form string // of the number, and where it starts
	}
	counts := map[int]count{} // by depth
	for p := range body.Children("a:p") {
		words := drawing.Text(p)
		if strings.TrimSpace(words) == "" {
			continue
		}
		props := p.Child("a:pPr")
		depth := min(max(props.Int("lvl", 0), 0), 8)
		mark := ""
		auto, char, none := bullet(props)
		if auto == nil && !char && !none {
			auto, char, none = bullet(body.Child("a:lstStyle", fmt.Sprintf("a:lvl%dpPr", depth+1)))
		}
		for d := range counts {
			if d > depth || d == depth && auto == nil {
				delete(counts, d)
			}
		}
		switch {
		case auto != nil:
			c := counts[depth]
			if form := auto.Attr("type") + " " + auto.Attr("startAt"); form != c.form {
				c = count{form: form}
			}
			c.n++
			counts[depth] = c
			mark = autoNumber(c.n-1+auto.Int("startAt", 1), auto.Attr("type")) + " "
		case char || list && !none:
			mark = "- "
		}
		if mark != "" {
			s.page.Mark(strings.Repeat("  ", depth) + mark)
		}
		for i, part := range strings.Split(words, "\n") {
			if i > 0 {
				s.page.Break()
			}
			s.page.Words(part)
		}
		s.page.Paragraph(false)
		s.page.Mark("")
	}
	s.page.Paragraph(true)
}

// bullet reads what stands before a paragraph by its properties.
func bullet(props *xmlnode.Node) (auto *xmlnode.Node, char, none bool) {
	auto = props.Child("a:buAutoNum")
	return auto, props.Child("a:buChar") != nil || props.Child("a:buBlip") != nil, props.Child("a:buNone") != nil
}

// autoNumber writes a number as ECMA-376 part 1, section 20.1.10.61 names its forms.
func autoNumber(n int, form string) string {
	s := fmt.Sprint(n)
	switch {
	case n < 1:
	case strings.HasPrefix(form, "alphaLc"):
		s = numeral.Letters(n)
	case strings.HasPrefix(form, "alphaUc"):
		s = strings.ToUpper(numeral.Letters(n))
	case strings.HasPrefix(form, "romanLc"):
		s = compose.Ordinal(n, 'i')
	case strings.HasPrefix(form, "romanUc"):
		s = compose.Ordinal(n, 'I')
	}
	switch {
	case strings.HasSuffix(form, "ParenBoth"):
		return "(" + s + ")"
	case strings.HasSuffix(form, "ParenR"):
		return s + ")"
	case strings.HasSuffix(form, "Plain"):
		return s
	}
	return s + "."
}
