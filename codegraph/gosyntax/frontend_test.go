package gosyntax

import (
	"context"
	"testing"
)

// The packages of one folder are told apart by what their files say.
func TestPackage(t *testing.T) {
	tests := []struct{ src, want string }{
		{"package a\n", "a"},
		{"// Text.\n\npackage a_test\n\nfunc f() {}\n", "a_test"},
		{"//go:build linux && !cgo\n\npackage a\n", "a //go:build linux && !cgo"},
		{"package a\n\nfunc f( {}\n", "a"},
	}
	for _, tt := range tests {
		f, err := Frontend().Parse(context.Background(), "a.go", []byte(tt.src))
		if err != nil {
			t.Fatal(err)
		}
		if f.Package != tt.want {
			t.Errorf("Parse(%q): package %q, want %q", tt.src, f.Package, tt.want)
		}
	}
}
func TestLines(t *testing.T) {
	for src, want := range map[string]int32{
		"package a\n": 1, "package a": 1, "package a\n\nfunc b() {}\n": 3, "package a\n\nfunc b() {}": 3, "package a\n\n\n": 3,
	} {
		facts, err := Frontend().Parse(t.Context(), "a.go", []byte(src))
		if err != nil || facts.Lines != want {
			t.Errorf("Parse(%q): %d lines, %v; want %d", src, facts.Lines, err, want)
		}
	}
}
