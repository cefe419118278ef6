package repository

import (
	"bytes"
	"testing"

	"github.com/findspot/findspot/codegraph"
)

func TestNameIn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, text string // of an entity with the name "load"
		line, col  int
	}{
		{"a.py", "@kept(name=load)\nasync def load(load=None):\n    pass\n", 2, 11},
		{"a.py", "class load:\n", 1, 7},
		{"a.py", "@load\nload = 1\n", 2, 1},
		{"a.go", "// load reads.\nfunc (load *T) load() {\n", 2, 16},
		{"a.go", "type load int\n", 1, 6},
		{"a.rs", "pub fn reload() { load() }\n", 1, 19},
		{"a.c", "int x;\n", 1, 1},
	} {
		e := codegraph.Entity{Name: "load", Path: tt.path, Line: 1, EndLine: 3}
		if got := NameIn(e, bytes.Split([]byte(tt.text), []byte("\n"))); got.Line != tt.line || got.Col != tt.col {
			t.Errorf("%s %q: %d:%d, want %d:%d", tt.path, tt.text, got.Line, got.Col, tt.line, tt.col)
		}
	}
}
