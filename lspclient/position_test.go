package lspclient

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestColumns(t *testing.T) {
	text := newContent([]byte("a\r\né📡x\rlast\n"))
	if len(text.starts) != 4 {
		t.Fatalf("%d lines, want 4", len(text.starts))
	}
	for _, tt := range []struct {
		line  int
		enc   encoding
		units uint32
		col   int
		ok    bool
	}{
		{1, utf16Columns, 0, 1, true},
		{1, utf16Columns, 1, 2, true},
		{1, utf16Columns, 99, 2, true}, // behind the end: the end
		{2, utf8Columns, 2, 3, true},
		{2, utf8Columns, 6, 7, true},
		{2, utf8Columns, 4, 3, true}, // inside a character: its start
		{2, utf16Columns, 1, 3, true},
		{2, utf16Columns, 2, 3, true}, // between surrogates
		{2, utf16Columns, 3, 7, true},
		{2, utf32Columns, 2, 7, true},
		{3, utf16Columns, 4, 5, true},
		{4, utf16Columns, 0, 1, true},
		{5, utf16Columns, 0, 0, false},
		{0, utf16Columns, 0, 0, false},
	} {
		col, ok := text.col(tt.line, tt.units, tt.enc)
		if col != tt.col || ok != tt.ok {
			t.Errorf("col(%d, %d, %s) = %d, %v, want %d, %v", tt.line, tt.units, tt.enc, col, ok, tt.col, tt.ok)
		}
	}
}

func TestIdentAt(t *testing.T) {
	text := newContent([]byte("  foo.bar(1, x9)\n42 + 7\nñame\n"))
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
		start, end, exact, ok := text.identAt(tt.line, tt.col)
		if start != tt.start || end != tt.end || exact != tt.exact || ok != tt.ok {
			t.Errorf("identAt(%d, %d) = %d, %d, %v, %v, want %+v", tt.line, tt.col, start, end, exact, ok, tt)
		}
	}
}

func FuzzColumns(f *testing.F) {
	f.Add("a\r\né📡x\rlast\n", 2, 3)
	f.Add("\xff\xfe\n", 1, 1)
	f.Fuzz(func(t *testing.T, s string, line, col int) {
		text := newContent([]byte(s))
		if got := len(strings.Split(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")); got != len(text.starts) {
			t.Fatalf("%d lines, want %d", len(text.starts), got)
		}
		text.identAt(line, col)
		for _, enc := range []encoding{utf8Columns, utf16Columns, utf32Columns} {
			units, ok := text.units(line, col, enc)
			if !ok {
				continue
			}
			back, ok := text.col(line, units, enc)
			row, _ := text.line(line)
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
