package drawing

import (
	"path"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/formula"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// Text returns the words of a paragraph (a:p). A line end in it is one that is wanted.
func Text(p *xmlnode.Node) string {
	var b strings.Builder
	runs(&b, p)
	return b.String()
}

func runs(b *strings.Builder, p *xmlnode.Node) {
	if p == nil {
		return
	}
	for _, n := range p.Nodes {
		switch n.Name {
		case "a:r", "a:fld":
			if t := n.Child("a:t"); t != nil {
				b.WriteString(t.Text)
			}
		case "a:br":
			b.WriteByte('\n')
		case "a:tab":
			b.WriteByte('\t')
		case "m:oMath", "m:oMathPara":
			b.WriteString(formula.Text(n))
		case "a14:m":
			runs(b, n)
		}
	}
}

// Line returns the words of all paragraphs below n (a:p) in one line.
func Line(n *xmlnode.Node) string {
	var parts []string
	for p := range n.All("a:p") {
		if s := clean(Text(p)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

func clean(s string) string { return strings.Join(strings.Fields(s), " ") }

// Description returns what the properties of a picture or shape (wp:docPr, p:cNvPr, xdr:cNvPr) say of it to those who cannot see it; "" for what is no more than
// the name of a file.
func Description(props *xmlnode.Node) string {
	descr, title := clean(props.Attr("descr")), clean(props.Attr("title"))
	switch strings.ToLower(path.Ext(descr)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".bmp", ".tif", ".tiff", ".svg", ".webp":
		descr = ""
	}
	descr = strings.TrimSpace(strings.TrimSuffix(descr, "Description automatically generated"))
	switch {
	case descr == "":
		return title
	case title == "" || strings.Contains(descr, title):
		return descr
	}
	return title + ": " + descr
}
