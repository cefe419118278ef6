package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestColumns(t *testing.T) {
	text := NewText([]byte("a\r\né📡x\rlast\n"))
	if len(text.Starts) != 4 {
		t.Fatalf("%d lines, want 4", len(text.Starts))
	}
	for _, tt := range []struct {
		line  int
		enc   Encoding
		units uint32
		col   int
		ok    bool
	}{
		{1, UTF16, 0, 1, true},
		{1, UTF16, 1, 2, true},
		{1, UTF16, 99, 2, true}, // behind the end: the end
		{2, UTF8, 2, 3, true},
		{2, UTF8, 6, 7, true},
		{2, UTF8, 4, 3, true}, // inside a character: its start
		{2, UTF16, 1, 3, true},
		{2, UTF16, 2, 3, true}, // between surrogates
		{2, UTF16, 3, 7, true},
		{2, UTF32, 2, 7, true},
		{3, UTF16, 4, 5, true},
		{4, UTF16, 0, 1, true},
		{5, UTF16, 0, 0, false},
		{0, UTF16, 0, 0, false},
	} {
		col, ok := text.Col(tt.line, tt.units, tt.enc)
		if col != tt.col || ok != tt.ok {
			t.Errorf("col(%d, %d, %s) = %d, %v, want %d, %v", tt.line, tt.units, tt.enc, col, ok, tt.col, tt.ok)
		}
	}
}

func TestIdentAt(t *testing.T) {
	text := NewText([]byte("  foo.bar(1, x9)\n42 + 7\nñame\n"))
	for _, tt := range []struct {
		line, col, start, end int
		exact, ok             bool
	}{
		{1, 3, 3, 6, true, true},
		{1, 6, 3, 6, true, true}, // just behind
		{1, 7, 7, 10, true, true},
		{1, 1, 3, 6, false, true},
		{1, 99, 14, 16, false, true},
		{1, 11, 7, 10, false, true},
		{2, 1, 0, 0, false, false},
		{3, 2, 1, 6, true, true},
		{9, 1, 0, 0, false, false},
	} {
		start, end, exact, ok := text.IdentAt(tt.line, tt.col)
		if start != tt.start || end != tt.end || exact != tt.exact || ok != tt.ok {
			t.Errorf("identAt(%d, %d) = %d, %d, %v, %v, want %+v", tt.line, tt.col, start, end, exact, ok, tt)
		}
	}
}

func FuzzColumns(f *testing.F) {
	f.Add("a\r\né📡x\rlast\n", 2, 3)
	f.Add("\xff\xfe\n", 1, 1)
	f.Fuzz(func(t *testing.T, s string, line, col int) {
		text := NewText([]byte(s))
		if got := len(strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")); got != len(text.Starts) {
			t.Fatalf("%d lines, want %d", len(text.Starts), got)
		}
		text.IdentAt(line, col)
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			units, ok := text.Units(line, col, enc)
			if !ok {
				continue
			}
			back, ok := text.Col(line, units, enc)
			row, _ := text.Line(line)
			want := min(col, len(row)+1)
			if !ok || back > want && utf8.Valid(row) || back != want && isBoundary(row, want-1) {
				t.Fatalf("column %d of %q is %d in %s and comes back as %d", col, row, units, enc, back)
			}
		}
	})
}

func isBoundary(row []byte, at int) bool {
	return utf8.Valid(row) && (at == len(row) || utf8.RuneStart(row[at]))
}
