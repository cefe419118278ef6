package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// FuzzTables sets words, rules and shades at odd places: tables stay rectangular, and their cells lie in them and not over
// one another.
func FuzzTables(f *testing.F) {
	f.Add([]byte("\x00\x10\x10\x05\x00\x40\x10\x05\x00\x10\x18\x05\x00\x40\x18\x05\x01\x08\x0e\x60\x01\x08\x16\x60\x01\x08\x1e\x60\x02\x08\x0e\x20\x02\x30\x0e\x20\x02\x68\x0e\x20"))
	f.Add([]byte("\x04\x10\x10\x05\x05\x40\x10\x05\x04\x10\x14\x05\x05\x40\x14\x05\x04\x10\x18\x05\x05\x40\x18\x05\x03\x10\x14\x60\x03\x10\x1c\x60"))
	f.Add([]byte(strings.Repeat("\x06\x20\x20\x05\x05\x40\x21\x03\x01\x10\x22\x70", 12)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c strings.Builder
		for i := 0; i+4 <= len(data) && i < 4000; i += 4 {
			k, x, y, n := data[i], int(data[i+1])*2, int(data[i+2])*3, int(data[i+3])
			switch k % 8 {
			case 1:
				fmt.Fprintf(&c, "%d %d m %d %d l S\n", x, y, x+n*2, y)
			case 2:
				fmt.Fprintf(&c, "%d %d m %d %d l S\n", x, y, x, y+n*2)
			case 3:
				fmt.Fprintf(&c, ".%d g %d %d %d %d re f 0 g\n", k%9, x, y, n*2, 12)
			case 4:
				c.WriteString(text(float64(x), float64(y), "Word "+strings.Repeat("a", n%20)))
			case 5:
				c.WriteString(text(float64(x), float64(y), fmt.Sprintf("%d.%d", n, k)))
			case 6:
				fmt.Fprintf(&c, "BT /F 8 Tf 0 1 -1 0 %d %d Tm (Turned %d) Tj ET\n", x, y, n)
			default:
				c.WriteString(text(float64(x), float64(y), []string{"Table 1", "Figure 2: x", "(3)", "=", "......", "____________", "• point", "-"}[n%8]))
			}
		}
		for _, p := range read(t, pdftest.OnePage(pdftest.Helvetica, c.String())) {
			for i := range p.Tables {
				checkTable(t, &p.Tables[i])
			}
		}
	})
}

func checkTable(t *testing.T, tb *extract.Table) {
	t.Helper()
	if len(tb.Rows) == 0 || len(tb.Rows[0]) < 2 {
		t.Fatalf("a table of %d rows: %q", len(tb.Rows), tb.Rows)
	}
	cols := len(tb.Rows[0])
	taken := make([]bool, len(tb.Rows)*cols)
	for _, r := range tb.Rows {
		if len(r) != cols {
			t.Fatalf("rows of %d and %d columns", len(r), cols)
		}
	}
	for _, c := range tb.Cells {
		if c.Row < 0 || c.Col < 0 || c.RowSpan < 1 || c.ColSpan < 1 || c.Row+c.RowSpan > len(tb.Rows) || c.Col+c.ColSpan > cols {
			t.Fatalf("cell %+v in a table of %d by %d", c, len(tb.Rows), cols)
		}
		if tb.Rows[c.Row][c.Col] != c.Text {
			t.Fatalf("cell %+v, but the row says %q", c, tb.Rows[c.Row][c.Col])
		}
		for r := c.Row; r < c.Row+c.RowSpan; r++ {
			for k := c.Col; k < c.Col+c.ColSpan; k++ {
				if taken[r*cols+k] {
					t.Fatalf("cell %+v lies over another", c)
				}
				taken[r*cols+k] = true
			}
		}
	}
}
