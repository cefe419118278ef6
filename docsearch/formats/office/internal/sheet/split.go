package sheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// Bounds of a sheet of Excel.
const (
	maxRow = 1 << 20
	maxCol = 1 << 14
)

// An item is a cell that shows something, or several that are merged: rows and columns from 0, the last included.
type item struct {
	row, col, lastRow, lastCol int
	text                       string
}

type span struct{ row, col, lastRow, lastCol int }

// parseCell reads a name such as "B3".
func parseCell(s string) (row, col int, ok bool) {
	s = strings.ReplaceAll(s, "$", "")
	i := 0
	for i < len(s) && i < 4 && s[i] >= 'A' && s[i] <= 'Z' {
		col = col*26 + int(s[i]-'A') + 1
		i++
	}
	n, err := strconv.Atoi(s[i:])
	if i == 0 || err != nil || n < 1 || n > maxRow || col > maxCol {
		return 0, 0, false
	}
	return n - 1, col - 1, true
}

// parseSpan reads a range such as "B3:D4".
func parseSpan(s string) (span, bool) {
	a, b, ok := strings.Cut(s, ":")
	if !ok {
		b = a
	}
	r0, c0, ok0 := parseCell(a)
	r1, c1, ok1 := parseCell(b)
	return span{min(r0, r1), min(c0, c1), max(r0, r1), max(c0, c1)}, ok0 && ok1
}

// merge widens the cells that others are merged with.
func merge(cells []item, merged []span) []item {
	type at struct{ row, col int }
	by := map[at]span{}
	for _, m := range merged {
		by[at{m.row, m.col}] = m
	}
	for i := range cells {
		c := &cells[i]
		if m, ok := by[at{c.row, c.col}]; ok {
			c.lastRow, c.lastCol = m.lastRow, m.lastCol
		}
	}
	// By row and column, each cell once, whatever the file says.
	slices.SortStableFunc(cells, func(a, b item) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	return slices.CompactFunc(cells, func(a, b item) bool { return a.row == b.row && a.col == b.col })
}

// write puts what a sheet shows on a page: it is parted at empty rows, then at empty columns, then at empty rows again.
func write(page *compose.Page, cells []item) {
	for _, band := range cut(cells, byRow) {
		columns := cut(band, byCol)
		if slices.ContainsFunc(columns, thin) { // a gap between a label and its value, or before a remark
			columns = [][]item{band}
		}
		for _, part := range columns {
			for _, region := range cut(part, byRow) {
				writeRegion(page, region)
			}
		}
	}
}

func byRow(x item) (first, last int) { return x.row, x.lastRow }
func byCol(x item) (first, last int) { return x.col, x.lastCol }

// thin reports whether cells are in one row or one column.
func thin(cells []item) bool {
	row, col := true, true
	for _, c := range cells {
		row = row && c.row == cells[0].row
		col = col && c.col == cells[0].col
	}
	return row || col
}

// cut parts cells where a row or a column is empty. The cells of a part are by row, then column.
func cut(cells []item, along func(item) (int, int)) [][]item {
	cells = slices.Clone(cells)
	slices.SortStableFunc(cells, func(a, b item) int {
		x, _ := along(a)
		y, _ := along(b)
		return cmp.Compare(x, y)
	})
	var out [][]item
	end := -1
	for i, c := range cells {
		first, last := along(c)
		if i == 0 || first > end+1 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], c)
		end = max(end, last)
	}
	for _, part := range out {
		slices.SortStableFunc(part, func(a, b item) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	}
	return out
}

// writeRegion writes cells that belong together: as a table where there are two columns, else as text.
func writeRegion(page *compose.Page, cells []item) {
	rows, cols := axis(cells, byRow), axis(cells, byCol)
	if len(cols) < 2 {
		page.Paragraph(true)
		for _, c := range cells {
			page.Words(c.text)
			page.Paragraph(false)
		}
		page.Paragraph(true)
		return
	}
	caption := ""
	if len(cells) > 2 && cells[1].row > cells[0].row && len(rows) > 2 && cells[0].lastRow < cells[1].row { // a title above the head
		if next := cells[1].row; slices.IndexFunc(cells[2:], func(c item) bool { return c.row == next }) >= 0 {
			caption = cells[0].text
			cells = cells[1:]
			rows, cols = axis(cells, byRow), axis(cells, byCol)
		}
	}
	step := max(compose.MaxCells/len(cols), 1)
	for from := 0; from < len(rows); from += step {
		to := min(from+step, len(rows))
		t := extract.Table{Caption: caption, Rows: make([][]string, to-from), Cells: []extract.Cell{}, Continued: from > 0}
		for i := range t.Rows {
			t.Rows[i] = make([]string, len(cols))
		}
		for len(cells) > 0 && cells[0].row <= rows[to-1] {
			c := cells[0]
			cells = cells[1:]
			r, k := place(rows, c.row)-from, place(cols, c.col)
			t.Rows[r][k] = c.text
			t.Cells = append(t.Cells, extract.Cell{
				Row: r, Col: k, RowSpan: max(min(place(rows, c.lastRow+1)-from, len(t.Rows))-r, 1), ColSpan: max(place(cols, c.lastCol+1)-k, 1), Text: c.text,
			})
		}
		page.Table(t)
	}
}

// axis returns the rows or columns in which cells begin, in order.
func axis(cells []item, along func(item) (int, int)) []int {
	var out []int
	for _, c := range cells {
		first, _ := along(c)
		out = append(out, first)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// place returns how many of the sorted numbers are below n.
func place(sorted []int, n int) int {
	i, _ := slices.BinarySearch(sorted, n)
	return i
}
