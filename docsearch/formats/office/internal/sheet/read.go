package sheet

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds of a workbook.
const (
	maxCells  = 2_000_000
	maxText   = 256 << 20 // bytes
	maxMerged = 100_000   // of a sheet
	maxSheets = 10_000
)

type workbook struct {
	pkg     *opc.Package
	strings []string
	formats *formats
	persons map[string]string // who comments, by id
	cells   int
	size    int
}

// Read reads the workbook whose main part has a name: a page for each sheet that is not hidden.
func Read(p *opc.Package, part string, _ *extract.Meta) ([]*extract.Page, error) {
	root, err := p.Tree(part)
	if err != nil {
		return nil, err
	}
	if root.Name != "x:workbook" {
		return nil, fmt.Errorf("%s: %w: not a workbook", part, errs.Format)
	}
	rels, err := p.Relationships(part)
	if err != nil {
		return nil, err
	}
	w := &workbook{pkg: p, formats: newFormats(nil, false), persons: map[string]string{}}
	if name := rels.Type("sharedStrings"); name != "" {
		if err := p.Stream(name, w.shared); err != nil {
			return nil, err
		}
	}
	if name := rels.Type("styles"); name != "" {
		n, err := p.Tree(name)
		if err != nil {
			return nil, err
		}
		w.formats = newFormats(n, xmlnode.True(root.Child("x:workbookPr").Attr("date1904"), false))
	}
	for _, r := range rels.All {
		if r.Type != "person" || r.Target == "" {
			continue
		}
		n, err := p.Tree(r.Target)
		if err != nil {
			return nil, err
		}
		for c := range n.Children("tc:person") {
			w.persons[c.Attr("id")] = line(c.Attr("displayName"))
		}
	}
	var pages []*extract.Page
	for s := range root.Child("x:sheets").Children("x:sheet") {
		if state := s.Attr("state"); state == "hidden" || state == "veryHidden" {
			continue
		}
		if len(pages) == maxSheets {
			return nil, fmt.Errorf("%s: %w: more than %d sheets", part, errs.TooLarge, maxSheets)
		}
		page := compose.New(len(pages) + 1)
		page.Heading(s.Attr("name"), 1)
		if name := rels.ID(s.Attr("r:id")); name != "" {
			if err := w.sheet(name, page); err != nil {
				return nil, err
			}
		}
		pages = append(pages, page.End())
	}
	return pages, nil
}

func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// rich returns the text of a string that may have runs of different looks; readings of characters are left out.
func rich(n *xmlnode.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for _, c := range n.Nodes {
		switch c.Name {
		case "x:t":
			b.WriteString(c.Text)
		case "x:r":
			if t := c.Child("x:t"); t != nil {
				b.WriteString(t.Text)
			}
		}
	}
	return escaped(b.String())
}

// escaped replaces _x000D_ and the like, by which a workbook writes characters that XML cannot have (ECMA-376 part 1, section 22.9.2.19).
func escaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		var code rune
		if i+7 <= len(s) && s[i] == '_' && s[i+1] == 'x' && s[i+6] == '_' {
			if n, err := fmt.Sscanf(s[i+2:i+6], "%04x", &code); n == 1 && err == nil {
				if code < ' ' {
					code = ' '
				}
				b.WriteRune(code)
				i += 7
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// shared reads the table of strings.
func (w *workbook) shared(r *xmlnode.Reader) error {
	root, err := r.Next()
	if err != nil || root == nil {
		return err
	}
	for {
		n, err := r.Next()
		if err != nil || n == nil {
			return err
		}
		if err := r.Tree(n); err != nil {
			return err
		}
		if n.Name == "x:si" {
			if len(w.strings) >= maxCells {
				return fmt.Errorf("%w: more than %d strings", errs.TooLarge, maxCells)
			}
			w.strings = append(w.strings, line(rich(n)))
		}
	}
}

// sheet reads one sheet.
func (w *workbook) sheet(part string, page *compose.Page) error {
	var cells []item
	var merged []span
	drawn := ""
	err := w.pkg.Stream(part, func(r *xmlnode.Reader) error {
		root, err := r.Next()
		if err != nil || root == nil {
			return err
		}
		for {
			n, err := r.Next()
			if err != nil || n == nil {
				return err
			}
			switch n.Name {
			case "x:sheetData":
				if cells, err = w.data(r, part); err != nil {
					return err
				}
				continue
			case "x:mergeCells":
				if err := r.Tree(n); err != nil {
					return err
				}
				for m := range n.Children("x:mergeCell") {
					if s, ok := parseSpan(m.Attr("ref")); ok && len(merged) < maxMerged {
						merged = append(merged, s)
					}
				}
				continue
			case "x:drawing":
				drawn = n.Attr("r:id")
			}
			if err := r.Skip(); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return err
	}
	write(page, merge(cells, merged))
	return w.beside(part, drawn, page)
}

// data reads the cells that show something, row by row.
func (w *workbook) data(r *xmlnode.Reader, part string) ([]item, error) {
	var out []item
	row := -1
	for {
		n, err := r.Next()
		if err != nil || n == nil {
			return out, err
		}
		if err := r.Tree(n); err != nil {
			return out, err
		}
		if n.Name != "x:row" {
			continue
		}
		row = n.Int("r", row+2) - 1
		if row < 0 || row >= maxRow {
			return out, fmt.Errorf("%s: %w: there is no row %q", part, errs.Format, n.Attr("r"))
		}
		col := -1
		for c := range n.Children("x:c") {
			col++
			if _, at, ok := parseCell(c.Attr("r")); ok {
				col = at
			}
			text := line(w.value(c))
			if text == "" {
				continue
			}
			w.cells++
			if w.size += len(text); w.cells > maxCells || w.size > maxText {
				return out, fmt.Errorf("%s row %d: %w: the workbook has more than %d cells or %d bytes of text: save its sheets as CSV", part, row+1, errs.TooLarge, maxCells, maxText)
			}
			out = append(out, item{row, col, row, col, text})
		}
	}
}

// value is what a cell shows.
func (w *workbook) value(c *xmlnode.Node) string {
	v := ""
	if n := c.Child("x:v"); n != nil {
		v = n.Text
	}
	style := c.Int("s", 0)
	switch c.Attr("t") {
	case "s":
		var i int
		if _, err := fmt.Sscan(v, &i); err != nil || i < 0 || i >= len(w.strings) {
			return ""
		}
		return w.formats.text(w.strings[i], style)
	case "inlineStr":
		return rich(c.Child("x:is"))
	case "str":
		return w.formats.text(escaped(v), style)
	case "b":
		if xmlnode.True(v, false) {
			return "TRUE"
		}
		return "FALSE"
	case "e":
		return v
	case "d":
		return strings.TrimSuffix(strings.Replace(v, "T", " ", 1), " 00:00:00")
	}
	if f := c.Child("x:f"); v == "" && f != nil && f.Text != "" { // never calculated
		return "=" + f.Text
	}
	return w.formats.number(v, style)
}
