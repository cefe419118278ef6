package grid

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

func hor(pos, lo, hi float64) content.Rule { return content.Rule{Pos: pos, Lo: lo, Hi: hi} }
func ver(pos, lo, hi float64) content.Rule {
	return content.Rule{Vertical: true, Pos: pos, Lo: lo, Hi: hi}
}

func word(text string, x, base float64) tabular.Word {
	return tabular.Word{Text: text, Box: geometry.NewRect(x, base-8, x+20, base+2), Base: base, Size: 10}
}

// Two columns and two rows, of which the first has no wall in it, and a rule that meets none of the others.
func TestGrid(t *testing.T) {
	h := []content.Rule{hor(100, 0, 200), hor(150, 0, 200), hor(200, 0, 200), hor(500, 0, 200)}
	v := []content.Rule{ver(0, 100, 200), ver(100, 150, 200), ver(200, 100, 200)}
	ls := Lattices(h, v)
	if len(ls) != 1 || ls[0].Box() != geometry.NewRect(0, 100, 200, 200) {
		t.Fatalf("lattices %+v", ls)
	}
	g := ls[0].Grid(10)
	if rows, cols := g.Size(); rows != 2 || cols != 2 {
		t.Fatalf("%d rows, %d columns", rows, cols)
	}
	n := g.Fill(tabular.Rows([]tabular.Word{word("head", 80, 130), word("left", 10, 180), word("right", 110, 180), word("out", 10, 300)}))
	got := map[string][4]int{}
	for _, c := range g.Cells {
		for _, w := range c.Words {
			got[w.Text] = [4]int{c.Row, c.Col, c.Rows, c.Cols}
		}
	}
	if d := cmp.Diff(map[string][4]int{"head": {0, 0, 1, 2}, "left": {1, 0, 1, 1}, "right": {1, 1, 1, 1}}, got); d != "" || n != 3 {
		t.Errorf("%d words; cells (-want +got):\n%s", n, d)
	}
}

// A cell over two columns is cut where its text stands in both.
func TestSplit(t *testing.T) {
	g := &Grid{xs: []float64{0, 100, 200}, ys: []float64{0, 50}, Cells: []Cell{{0, 0, 1, 2, []tabular.Word{word("a", 10, 30), word("b", 110, 30)}}}}
	g.Split(10)
	if len(g.Cells) != 2 || g.Cells[0].Words[0].Text != "a" || g.Cells[1].Col != 1 {
		t.Errorf("cells %+v", g.Cells)
	}
}

func TestDashes(t *testing.T) {
	long := word("_____________", 0, 50)
	long.Box.X1 = 120
	kept, rules := Dashes([]tabular.Word{long, word("--", 0, 70), word("....", 0, 90), word("Total.....", 0, 110)})
	if len(rules) != 1 || rules[0] != hor(50, 0, 120) {
		t.Errorf("rules %+v", rules)
	}
	if len(kept) != 2 || kept[0].Text != "--" || kept[1].Text != "Total" {
		t.Errorf("kept %+v", kept)
	}
}

func TestJoinRules(t *testing.T) {
	got := joinRules([]content.Rule{hor(100, 0, 50), hor(101, 51, 100), hor(300, 0, 2)})
	if d := cmp.Diff([]content.Rule{hor(got[0].Pos, 0, 100)}, got); d != "" || got[0].Pos < 100 || got[0].Pos > 101 {
		t.Errorf("(-want +got):\n%s", d)
	}
}
