package main

import "testing"

func TestIsCall(t *testing.T) {
	for text, want := range map[string]bool{
		"f|(x)": true, "f| (x)": true, "f|": false, "f|)": false, "f|\n(x)": false, "f|.g()": false, "f| + (x)": false,
		"f|[int](x)": true, "f|[a, b.C[d]](x)": true, "f|[i]": false, "f|<T>(x)": true, "f|<A<B>, () => void>(x)": true,
		"f|::<Vec<u8>>(x)": true, "f| < b && c > (d)": true, // told from generics by a parser only
		"f| < b; (x)": false, "f|?.(x)": true, "f|!(x)": true, "f|![0]": false, "new A|<T>(x)": true, "f|<": false,
	} {
		at := 0
		for text[at] != '|' {
			at++
		}
		if got := isCall([]byte(text[:at]+text[at+1:]), at); got != want {
			t.Errorf("isCall(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestColumns(t *testing.T) {
	m := &texts{data: map[string][]byte{"a": []byte("x\n\"é😀\" f()")}, lines: map[string][]int{"a": {0, 2}}}
	for _, c := range []struct{ col, units int }{{1, 0}, {2, 1}, {4, 2}, {8, 4}, {9, 5}, {10, 6}} {
		if got := m.units("a", 2, c.col, true); got != c.units {
			t.Errorf("units(%d) = %d, want %d", c.col, got, c.units)
		}
		if got := m.column("a", 2, c.units, true); got != c.col {
			t.Errorf("column(%d) = %d, want %d", c.units, got, c.col)
		}
	}
}
