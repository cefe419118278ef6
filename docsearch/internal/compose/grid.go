package compose

import "github.com/findspot/findspot/docsearch/extract"

// A Grid places the cells of a table, row by row, as HTML does: a cell goes to the first column of its row that no cell above it covers. The zero
// value is ready.
type Grid struct {
	table extract.Table
	below []int // by column: how many rows below the one under way are covered
	col   int
	cells int
	full  bool
}

// Row begins a row.
func (g *Grid) Row() {
	if g.full {
		return
	}
	for i := range g.below {
		g.below[i] = max(g.below[i]-1, 0)
	}
	g.table.Rows = append(g.table.Rows, nil)
	g.col = 0
}

// Cell adds a cell to the row under way; spans below 1 count as 1. It reports false, and adds nothing, where the table would have more than
// [MaxCells] cells.
func (g *Grid) Cell(text string, rowSpan, colSpan int) bool {
	rowSpan, colSpan = min(max(rowSpan, 1), MaxCells), min(max(colSpan, 1), MaxCells)
	if len(g.table.Rows) == 0 {
		g.Row()
	}
	col := g.col
	for col < len(g.below) && g.below[col] > 0 {
		col++
	}
	row := len(g.table.Rows) - 1
	if g.full = g.full || g.cells+col-g.col+colSpan > MaxCells; g.full {
		return false
	}
	g.cells += col - g.col + colSpan
	for len(g.below) < col+colSpan {
		g.below = append(g.below, 0)
	}
	for c := col; c < col+colSpan; c++ {
		g.below[c] = rowSpan
	}
	for len(g.table.Rows[row]) < col+colSpan {
		g.table.Rows[row] = append(g.table.Rows[row], "")
	}
	g.table.Rows[row][col] = text
	g.table.Cells = append(g.table.Cells, extract.Cell{Row: row, Col: col, RowSpan: rowSpan, ColSpan: colSpan, Text: text})
	g.col = col + colSpan
	return true
}

// Columns returns how many columns the cells reach.
func (g *Grid) Columns() int { return len(g.below) }

// Rows returns how many rows were begun.
func (g *Grid) Rows() int { return len(g.table.Rows) }

// Table returns the table, in which no span reaches beyond the last row.
func (g *Grid) Table(caption string) extract.Table {
	t := g.table
	t.Caption = caption
	for i := range t.Cells {
		c := &t.Cells[i]
		c.RowSpan = min(c.RowSpan, len(t.Rows)-c.Row)
	}
	return t
}
