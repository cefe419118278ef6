package rawlsp

import "testing"

func TestColumns(t *testing.T) {
	m := &Texts{data: map[string][]byte{"a": []byte("x\n\"é😀\" f()")}, lines: map[string][]int{"a": {0, 2}}}
	for _, c := range []struct{ col, units int }{{1, 0}, {2, 1}, {4, 2}, {8, 4}, {9, 5}, {10, 6}} {
		if got := m.Units("a", 2, c.col, true); got != c.units {
			t.Errorf("units(%d) = %d, want %d", c.col, got, c.units)
		}
		if got := m.Column("a", 2, c.units, true); got != c.col {
			t.Errorf("column(%d) = %d, want %d", c.units, got, c.col)
		}
	}
}
