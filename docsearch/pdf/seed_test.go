package pdf

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// FuzzLayout puts words anywhere on a page, in all sizes and directions, between lines and boxes, and looks at what is made of
// them. Six bytes place a word, a line or a box.
func FuzzLayout(f *testing.F) {
	f.Add([]byte("\x10\x20\x30\x40\x50\x60\x11\x20\x40\x40\x50\x60\x92\x20\x60\x40\x50\x60"))
	f.Add([]byte("table \x80 1 2\x90 3 4\xa0 5 6\xb0\x01\x02\x03\x04\x05columnscolumn2column3"))
	grid := []byte{}
	for r := range byte(4) {
		for c := range byte(4) {
			grid = append(grid, 0, 40*c+20, 12*r+60, 60, r, c)
		}
		grid = append(grid, 2, 10, 12*r+55, 200, 0, 0)
	}
	f.Add(grid)
	words := []string{"Table 1: Depths", "5.3.5.3 Scope", "4.75", "shard", "Figure 2. A plan", "1", "\xe9t\xe9", "a", "-", "fi", "(2)", "[7] Notes"}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 6*500 {
			return
		}
		var b strings.Builder
		for ; len(data) >= 6; data = data[6:] {
			x, y, size := 2.3*float64(data[1]), 800-3.1*float64(data[2]), float64(data[3]%32)+.5
			switch data[0] % 4 {
			case 2:
				fmt.Fprintf(&b, "%.1f %.1f m %.1f %.1f l S\n", x, y, x+2*float64(data[3]), y+float64(data[4]%2)*float64(data[5]))
			case 3:
				fmt.Fprintf(&b, "%.1f %.1f %.1f %.1f re %s\n", x, y, float64(data[3]), float64(data[4]), []string{"f", "S"}[data[5]%2])
			default:
				sin, cos := math.Sincos([]float64{0, 0, 0, 0, math.Pi / 2, -math.Pi / 2, math.Pi, .2}[data[4]%8])
				w := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(words[int(data[5])%len(words)])
				fmt.Fprintf(&b, "BT /F %.1f Tf %.3f %.3f %.3f %.3f %.1f %.1f Tm (%s) Tj ET\n", size, cos, sin, -sin, cos, x, y, w)
			}
		}
		d := open(t, pdftest.OnePage(pdftest.Helvetica, b.String()), nil)
		for p, err := range d.Pages(t.Context(), 1, 1) {
			if err != nil {
				t.Fatal(err)
			}
			checkPage(t, p)
		}
	})
}

// checkPage checks what holds of every page.
func checkPage(t *testing.T, p *extract.Page) {
	t.Helper()
	if !utf8.ValidString(p.Text) || !utf8.ValidString(p.Markdown) {
		t.Fatalf("not UTF-8: %q, %q", p.Text, p.Markdown)
	}
	box := func(what string, b extract.Box) {
		if !(b.X0 <= b.X1 && b.Y0 <= b.Y1) || math.IsInf(b.X1-b.X0, 0) || math.IsInf(b.Y1-b.Y0, 0) {
			t.Fatalf("box of a %s: %v", what, b)
		}
	}
	for _, tb := range p.Tables {
		box("table", tb.BBox)
		for _, r := range tb.Rows {
			if len(r) != len(tb.Rows[0]) {
				t.Fatalf("rows of %d and %d columns", len(tb.Rows[0]), len(r))
			}
		}
		taken := map[[2]int]bool{}
		for _, c := range tb.Cells {
			if c.RowSpan < 1 || c.ColSpan < 1 || c.Row < 0 || c.Col < 0 || c.Row+c.RowSpan > len(tb.Rows) || c.Col+c.ColSpan > len(tb.Rows[0]) {
				t.Fatalf("cell %+v in a table of %d rows and %d columns", c, len(tb.Rows), len(tb.Rows[0]))
			}
			for r := c.Row; r < c.Row+c.RowSpan; r++ {
				for k := c.Col; k < c.Col+c.ColSpan; k++ {
					if taken[[2]int{r, k}] {
						t.Fatalf("two cells at row %d, column %d", r, k)
					}
					taken[[2]int{r, k}] = true
				}
			}
			if tb.Rows[c.Row][c.Col] != c.Text {
				t.Fatalf("cell %+v, but its row says %q", c, tb.Rows[c.Row][c.Col])
			}
		}
	}
	for _, fig := range p.Figures {
		box("figure", fig.BBox)
	}
	lines := strings.Count(p.Text, "\n")
	for _, h := range p.Headings {
		if h.Line < 1 || h.Line > lines || h.Level < 1 {
			t.Fatalf("heading %+v on a page of %d lines", h, lines)
		}
	}
}
