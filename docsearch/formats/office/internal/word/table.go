package word

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// maxSpan bounds the columns of a cell; Word has at most 63 in a table.
const maxSpan = 1000

// A grid is a table. Its cells know where they are.
type grid struct {
	caption string
	rows    [][]*cell // the cells that begin in each row
	pages   []int     // on which page each row is, from 0 for that of the first
	turns   int       // how many pages end within the table
	cols    int
}

type cell struct {
	row, col     int
	height, span int
	text         string
	blocks       []block
}

// table reads a table. One with one column, or with headings in it, only places things on the page: what is in its cells comes one after another.
func (r *reader) table(n *xmlnode.Node) error {
	g := &grid{caption: strings.Join(strings.Fields(n.Child("w:tblPr", "w:tblCaption").Attr("w:val")), " ")}
	above := map[int]*cell{} // by column: the cell that a merged one continues
	page, cells, layout := 0, 0, false
	if err := r.rows(n, func(tr *xmlnode.Node) error {
		var row []*cell
		col := min(max(tr.Child("w:trPr", "w:gridBefore").Int("w:val", 0), 0), maxSpan)
		within := 0 // pages that end in the row
		leads := false
		first := true
		if err := r.cells(tr, func(tc *xmlnode.Node) error {
			props := tc.Child("w:tcPr")
			span := min(max(props.Child("w:gridSpan").Int("w:val", 1), 1), maxSpan)
			blocks, err := r.within(tc.Nodes)
			if err != nil {
				return err
			}
			breaks := 0
			for i, b := range blocks {
				if b.kind == breakHere || b.kind == breakSoft {
					if i == 0 && first {
						leads = true
					} else {
						breaks++
					}
				}
				layout = layout || b.level > 0
			}
			within = max(within, breaks)
			first = false
			defer func() { col += span }()
			if m := props.Child("w:hMerge"); m != nil && m.Attr("w:val") != "restart" && len(row) > 0 {
				row[len(row)-1].span += span
				return nil
			}
			if m := props.Child("w:vMerge"); m != nil && m.Attr("w:val") != "restart" && above[col] != nil {
				c := above[col]
				if c.row+c.height == len(g.rows) {
					c.height++
				}
				return nil
			}
			c := &cell{row: len(g.rows), col: col, height: 1, span: span, blocks: blocks}
			above[col] = c
			row = append(row, c)
			return nil
		}); err != nil {
			return err
		}
		if row == nil && col == 0 {
			return nil
		}
		if leads && len(g.rows) > 0 {
			page++
		} else if leads {
			r.emit(block{kind: breakSoft})
		}
		g.cols = max(g.cols, col)
		cells += col
		g.rows = append(g.rows, row)
		g.pages = append(g.pages, page)
		page += within
		return nil
	}); err != nil {
		return err
	}
	g.turns = page
	if g.cols < 2 || layout || cells > compose.MaxCells || g.cols*len(g.rows) > compose.MaxCells {
		for _, row := range g.rows {
			for _, c := range row {
				for _, b := range c.blocks {
					r.emit(b)
				}
			}
		}
		return nil
	}
	var after []block // pictures and tables in cells
	t := block{kind: table, table: g}
	for _, row := range g.rows {
		for _, c := range row {
			r.captions(c.blocks)
			var own []block
			for _, b := range c.blocks {
				switch {
				case b.kind == table:
					after = append(after, b)
					continue
				case b.figure:
					after = append(after, block{figure: true, alts: b.alts, figcaption: b.figcaption})
				}
				t.notes = append(t.notes, b.notes...)
				b.notes = nil
				own = append(own, b)
			}
			c.text = line(own)
			r.size += len(c.text)
			c.blocks = nil
		}
	}
	r.emit(t)
	for _, b := range after {
		r.emit(b)
	}
	return nil
}

// rows calls f with the rows of a table that were not deleted.
func (r *reader) rows(n *xmlnode.Node, f func(*xmlnode.Node) error) error {
	for _, c := range n.Nodes {
		switch {
		case skipped[c.Name]:
		case c.Name == "w:tr":
			if c.Child("w:trPr", "w:del") != nil {
				continue
			}
			if err := f(c); err != nil {
				return err
			}
		default: // controls and tags around rows
			if err := r.rows(c, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) cells(n *xmlnode.Node, f func(*xmlnode.Node) error) error {
	for _, c := range n.Nodes {
		switch {
		case skipped[c.Name] || c.Name == "w:tblPrEx":
		case c.Name == "w:tc":
			if c.Child("w:tcPr", "w:cellDel") != nil {
				continue
			}
			if err := f(c); err != nil {
				return err
			}
		default:
			if err := r.cells(c, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// table returns rows from and up to to. A cell that reaches beyond them is cut.
func (g *grid) table(from, to int) extract.Table {
	t := extract.Table{Caption: g.caption, Rows: [][]string{}, Cells: []extract.Cell{}}
	for i := from; i < to; i++ {
		row := make([]string, g.cols)
		for _, c := range g.rows[i] {
			if c.col >= g.cols {
				continue
			}
			row[c.col] = c.text
			t.Cells = append(t.Cells, extract.Cell{
				Row: i - from, Col: c.col, RowSpan: min(c.height, to-i), ColSpan: min(c.span, g.cols-c.col), Text: c.text,
			})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fromTable makes a grid of a table that is whole.
func fromTable(t extract.Table) *grid {
	g := &grid{caption: t.Caption, pages: make([]int, len(t.Rows)), rows: make([][]*cell, len(t.Rows))}
	for _, c := range t.Cells {
		g.rows[c.Row] = append(g.rows[c.Row], &cell{row: c.Row, col: c.Col, height: c.RowSpan, span: c.ColSpan, text: c.Text})
		g.cols = max(g.cols, c.Col+c.ColSpan)
	}
	return g
}
