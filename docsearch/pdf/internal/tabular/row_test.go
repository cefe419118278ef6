package tabular

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

func word(text string, x, base, size float64) Word {
	return Word{Text: text, Box: geometry.NewRect(x, base-.75*size, x+size*float64(len(text))/2, base+.22*size), Base: base, Size: size}
}

func TestRows(t *testing.T) {
	rows := Rows([]Word{
		word("b", 200, 100.5, 10), word("a", 100, 100, 10), word("2", 105, 96, 6), // raised, right behind a
		word("c", 100, 114, 10), word("c", 100.2, 114, 10), // printed twice
		word("Name", 100, 130, 10), word(".", 130, 130, 10), word(".", 138, 130, 10), word(".", 146, 130, 10), word("7", 200, 130, 10),
	})
	var got []string
	for i := range rows {
		got = append(got, rows[i].Text())
	}
	if d := cmp.Diff([]string{"a2 b", "c", "Name . . . 7"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if ps := rows[0].Pieces(1); len(ps) != 2 || ps[0].Text() != "a2" || !rows[0].Split(1) || rows[1].Split(1) {
		t.Errorf("pieces %v", ps)
	}
	if l, r := rows[0].Cut(150, .7); len(l) != 2 || len(r) != 1 {
		t.Errorf("cut into %d and %d words", len(l), len(r))
	}
	if in := Between(rows, geometry.NewRect(150, 90, 300, 120)); len(in) != 1 || in[0].Text() != "b" {
		t.Errorf("in the area: %v", in)
	}
}
