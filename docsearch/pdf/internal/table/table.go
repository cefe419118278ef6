package table

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/grid"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/hyphen"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Table is a grid of cells in an area.
type Table struct {
	box     geometry.Rect
	cells   []tcell
	rows    int
	Cols    int
	head    int // rows of the head, where known
	caption *caption.Caption
	ruled   bool
}

type tcell struct {
	r, c, rs, cs int
	text         string
}

// A finder looks for the tables of one page, in the frame where most of its text runs to the right.
type finder struct {
	frame    layout.Frame
	words    *hyphen.Vocabulary
	w, h     float64
	rows     []tabular.Row
	em       float64
	hor, ver []content.Rule
	diag     []geometry.Rect
	images   []geometry.Rect
	captions []placed
	twoCols  bool
	mid      float64 // the gutter of a page of two columns
	found    []Table
	used     []geometry.Rect
	cover    []int // memory of stream
	work     int   // words looked at for columns, areas that overlap counted again
}

const maxTableWork = 300_000

// A placed caption is one in the finder's frame.
type placed struct {
	box geometry.Rect
	of  *caption.Caption
}

// List are the tables of a page, from top to bottom.
type List struct {
	Tables []Table
	Ends   Ends // those that may go on over the page's ends
}

// Find finds the tables of a page: grids of rules first, then columns between chains of horizontal rules, then
// aligned columns without rules.
func Find(v *caption.Page, m *tabular.Memory) *List {
	out := &List{}
	var used []geometry.Rect
	for i, fr := range layout.Frames(v.Canvas) {
		f := newFinder(v, fr, m)
		if f == nil {
			continue
		}
		f.lattices()
		f.chains()
		f.streams()
		assignCaptions(f)
		if i == 0 {
			out.Ends = tableEnds(f)
		}
		for _, t := range f.found {
			t.box = fr.Shown(t.box)
			if i > 0 && t.box.OverlapsAny(used) {
				continue
			}
			out.Tables = append(out.Tables, t)
		}
		used = out.Boxes()
	}
	slices.SortStableFunc(out.Tables, func(a, b Table) int { return cmp.Or(cmp.Compare(a.box.Y0, b.box.Y0), cmp.Compare(a.box.X0, b.box.X0)) })
	for i := range out.Tables {
		out.Ends.locate(i, out.Tables[i].box)
	}
	return out
}

// Boxes are the areas of the tables.
func (t *List) Boxes() []geometry.Rect {
	var out []geometry.Rect
	for i := range t.Tables {
		out = append(out, t.Tables[i].box)
	}
	return out
}

// Export returns the tables as users get them.
func (t *List) Export() []extract.Table {
	out := []extract.Table{}
	for i := range t.Tables {
		out = append(out, t.Tables[i].Export())
	}
	return out
}

// At returns the index of the table that the middle of a box is in, -1 for none.
func (t *List) At(b geometry.Rect) int {
	return slices.IndexFunc(t.Tables, func(t Table) bool { return t.box.HasMiddle(b) })
}

// newFinder prepares the search in a frame. Nil when the page has nothing that could be a table.
func newFinder(v *caption.Page, fr layout.Frame, m *tabular.Memory) *finder {
	f := &finder{frame: fr, words: v.Words}
	f.w, f.h = fr.Size()
	words, dashes := grid.Dashes(tabular.Words(v.Canvas, fr, m))
	if len(words) < 4 {
		return nil
	}
	f.rows = m.Rows(words)
	f.em = tabular.Em(f.rows)
	f.hor, f.ver = grid.Rules(v.Canvas, fr, dashes, f.em)
	for _, d := range v.Canvas.Diagonals {
		f.diag = append(f.diag, fr.Turned(d))
	}
	for i := range v.Canvas.Images {
		f.images = append(f.images, fr.Turned(v.Canvas.Images[i].Box))
	}
	for i := range v.Captions {
		f.captions = append(f.captions, placed{fr.Turned(v.Captions[i].Box), &v.Captions[i]})
	}
	f.mid, f.twoCols = findGutter(f)
	return f
}

// Export returns the table as users get it.
func (t *Table) Export() extract.Table {
	d := extract.Table{BBox: extract.Box(t.box.Round()), Rows: make([][]string, t.rows), Cells: []extract.Cell{}}
	if t.caption != nil {
		d.Caption = t.caption.Text
	}
	for r := range d.Rows {
		d.Rows[r] = make([]string, t.Cols)
	}
	for _, c := range t.cells {
		d.Rows[c.r][c.c] = c.text
		d.Cells = append(d.Cells, extract.Cell{Row: c.r, Col: c.c, RowSpan: max(c.rs, 1), ColSpan: max(c.cs, 1), Text: c.text})
	}
	return d
}

// add keeps a tidied table and marks its area as spent.
func (f *finder) add(t Table) {
	f.found = append(f.found, t)
	f.used = append(f.used, t.box)
}

// isUsed reports whether an area touches a table found.
func (f *finder) isUsed(b geometry.Rect) bool {
	return slices.ContainsFunc(f.used, b.Touches)
}

func (f *finder) captionIn(a geometry.Rect) bool {
	return slices.ContainsFunc(f.captions, func(c placed) bool { return a.HasMiddle(c.box) || c.box.HasMiddle(a) })
}

// ruleBetween reports whether a rule over most of lo to hi lies between two heights.
func (f *finder) ruleBetween(y0, y1, lo, hi float64) bool {
	i := sort.Search(len(f.hor), func(i int) bool { return f.hor[i].Pos > y0 })
	for ; i < len(f.hor) && f.hor[i].Pos < y1; i++ {
		if math.Min(f.hor[i].Hi, hi)-math.Max(f.hor[i].Lo, lo) > .5*(hi-lo) {
			return true
		}
	}
	return false
}

var footRow = lazyregexp.New(`^(?i:notes?\b|sources?\b|key\b|\*|†)`)

// tidy takes a title and notes that stand in rows of their own out of the table, and drops empty rows and columns.
func (t *Table) tidy() {
	slices.SortStableFunc(t.cells, func(a, b tcell) int { return cmp.Or(a.r-b.r, a.c-b.c) })
	t.squeeze()
	alone := func(r int) (text string, ok bool) {
		n := 0
		for _, c := range t.cells {
			if c.r <= r && r < c.r+c.rs && c.text != "" {
				n++
				text, ok = c.text, c.cs == t.Cols && c.rs == 1
			}
		}
		return text, ok && n == 1
	}
	drop := func(r int) {
		for i := range t.cells {
			if t.cells[i].r == r {
				t.cells[i].text = ""
			}
		}
		t.squeeze()
	}
	if s, ok := alone(0); ok && t.rows > 2 && (len([]rune(s)) > 90 || caption.StartsTable(s) && caption.HasShape(s)) {
		drop(0)
	}
	if s, ok := alone(t.rows - 1); ok && t.rows > 2 && (len([]rune(s)) > 120 || footRow.MatchString(s)) {
		drop(t.rows - 1)
	}
}

// squeeze drops rows and columns that hold nothing of their own: empty ones, and those that all cells with text only pass
// over, which the edges of shades make.
func (t *Table) squeeze() {
	rowUsed, colUsed := make([]bool, t.rows), make([]bool, t.Cols)
	for _, c := range t.cells {
		if strings.TrimSpace(c.text) == "" {
			continue
		}
		if c.rs <= 1 {
			rowUsed[c.r] = true
		}
		if c.cs <= 1 {
			colUsed[c.c] = true
		}
	}
	// A cell over several keeps one that nothing else holds.
	for _, c := range t.cells {
		if strings.TrimSpace(c.text) == "" {
			continue
		}
		if used := rowUsed[c.r : c.r+max(c.rs, 1)]; !slices.Contains(used, true) {
			used[0] = true
		}
		if used := colUsed[c.c : c.c+max(c.cs, 1)]; !slices.Contains(used, true) {
			used[0] = true
		}
	}
	index := func(used []bool) (m []int, n int) {
		m = make([]int, len(used)+1)
		for i, u := range used {
			m[i] = n
			if u {
				n++
			}
		}
		m[len(used)] = n
		return m, n
	}
	rm, nr := index(rowUsed)
	cm, nc := index(colUsed)
	var out []tcell
	for _, c := range t.cells {
		r0, r1 := rm[c.r], rm[min(c.r+max(c.rs, 1), t.rows)]
		c0, c1 := cm[c.c], cm[min(c.c+max(c.cs, 1), t.Cols)]
		if r1 <= r0 || c1 <= c0 {
			continue
		}
		out = append(out, tcell{r0, c0, r1 - r0, c1 - c0, c.text})
	}
	t.cells, t.rows, t.Cols = out, nr, nc
}
