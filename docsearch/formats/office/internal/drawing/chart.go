package drawing

import (
	"fmt"
	"strconv"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// Bounds of a chart: what is beyond is left out.
const (
	maxPoints = 5000 // of a series
	maxSeries = 200
	maxName   = 1000 // bytes of the levels of a category
)

// Chart reads a part with a chart. The table has the title of the chart as its caption, a row for each category and a column for each series, with the
// values that the file keeps of the last time it was drawn. It has no rows where the file keeps none.
func Chart(p *opc.Package, part string) (extract.Table, error) {
	n, err := p.Tree(part)
	if err != nil {
		return extract.Table{Rows: [][]string{}}, err
	}
	return chart(n), nil
}

func chart(n *xmlnode.Node) extract.Table {
	t := extract.Table{Rows: [][]string{}}
	t.Caption = Line(n.First("c:chart").Child("c:title"))
	if cx := n.First("cx:chart"); cx != nil { // the newer charts, such as waterfalls: their title alone
		t.Caption = Line(cx.Child("cx:title"))
		return t
	}
	type series struct {
		name   string
		cats   []string
		values []string
	}
	var all []series
	rows := 0
	plot := n.First("c:plotArea")
	for s := range plot.All("c:ser") {
		if len(all) == maxSeries {
			break
		}
		x := series{name: name(s.Child("c:tx"))}
		x.cats = points(s.Child("c:cat"))
		if x.cats == nil {
			x.cats = points(s.Child("c:xVal"))
		}
		x.values = points(s.Child("c:val"))
		if x.values == nil {
			x.values = points(s.Child("c:yVal"))
		}
		rows = max(rows, len(x.values), len(x.cats))
		all = append(all, x)
	}
	rows = min(rows, compose.MaxCells/max(2*len(all), 1))
	if len(all) == 0 || rows == 0 {
		return t
	}
	if t.Caption == "" && len(all) == 1 && n.First("c:chart").Child("c:title") != nil { // a title without words shows the name of the only series
		t.Caption = all[0].name
	}
	// Series may have categories of their own, as those of scattered points do; then each has two columns.
	own := false
	for _, s := range all {
		own = own || fmt.Sprint(s.cats) != fmt.Sprint(all[0].cats)
	}
	var axis []string
	for _, kind := range []string{"c:catAx", "c:dateAx", "c:valAx"} {
		for a := range plot.Children(kind) {
			axis = append(axis, Line(a.Child("c:title")))
		}
	}
	first := ""
	if len(axis) > 0 {
		first = axis[0]
	}
	at := func(s []string, i int) string {
		if i < len(s) {
			return s[i]
		}
		return ""
	}
	for i := -1; i < rows; i++ {
		var row []string
		for k, s := range all {
			if k == 0 || own {
				if i < 0 {
					row = append(row, first)
				} else {
					row = append(row, at(s.cats, i))
				}
			}
			if i < 0 {
				row = append(row, s.name)
			} else {
				row = append(row, at(s.values, i))
			}
		}
		for c, text := range row {
			t.Cells = append(t.Cells, extract.Cell{Row: i + 1, Col: c, RowSpan: 1, ColSpan: 1, Text: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// name is that of a series.
func name(tx *xmlnode.Node) string {
	if v := tx.Child("c:v"); v != nil {
		return clean(v.Text)
	}
	if p := points(tx); len(p) > 0 {
		return p[0]
	}
	return ""
}

// points are the stored values of a reference to cells, or those that are written out.
func points(n *xmlnode.Node) []string {
	if n == nil {
		return nil
	}
	var cache *xmlnode.Node
	for _, name := range []string{"c:strCache", "c:numCache", "c:strLit", "c:numLit", "c:multiLvlStrCache"} {
		if cache = n.First(name); cache != nil {
			break
		}
	}
	if cache == nil {
		return nil
	}
	var out []string
	put := func(i int, s string) {
		if i < 0 || i >= maxPoints {
			return
		}
		for len(out) <= i {
			out = append(out, "")
		}
		if len(out[i]) > maxName {
			return
		}
		if out[i] != "" {
			s += " " + out[i] // the outer level of categories comes later in the file, and is said first
		}
		out[i] = s
	}
	level := func(n *xmlnode.Node) {
		for pt := range n.Children("c:pt") {
			if v := pt.Child("c:v"); v != nil {
				put(pt.Int("idx", -1), number(clean(v.Text)))
			}
		}
	}
	level(cache)
	for l := range cache.Children("c:lvl") {
		level(l)
	}
	return out
}

// number shortens what floating-point arithmetic left at the end of a number.
func number(s string) string {
	if len(s) < 16 {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return strconv.FormatFloat(f, 'g', 12, 64)
}
