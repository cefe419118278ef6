package lspclient

import (
	"testing"

	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
)

func TestDefining(t *testing.T) {
	for text, want := range map[string]int{
		"int f(int a);":              1,
		"int f(int a) {":             2,
		"int f(int a)\n{":            2,
		"int f(int (*g)(int)) {":     2,
		"extern int f(int);":         0,
		"extern int f;":              0,
		"int f;":                     1,
		"int f = 3;":                 2,
		"class f;":                   1,
		"class f : public g {":       2,
		"x(f(1), 2); }":              1,
		"int f(int a = g({1}));":     1,
		"  virtual int f() const;\n": 1,
	} {
		c := source.NewText([]byte(text))
		start, end, ok := c.FindIdent(1, 1, "f")
		if !ok {
			t.Fatalf("%q has no f", text)
		}
		if got := defining(c, place.Location{Line: 1, Col: start, EndLine: 1, EndCol: end}); got != want {
			t.Errorf("defining(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestScope: an overload stands in the scope of the declaration, a method of another class does not.
func TestScope(t *testing.T) {
	c := source.NewText([]byte("class A {\n  f(a: T): T;\n\n// a remark\n  f(a: U): U;\n}\nclass B {\n  f(a: T): T;\n}\nfunction g() {}\n"))
	for line, want := range map[int]int{1: 0, 2: 1, 5: 1, 8: 7, 10: 0} {
		if got := complete.ScopeOf(c, line); got != want {
			t.Errorf("scopeOf(%d) = %d, want %d", line, got, want)
		}
	}
}

// TestOverrides: a method is not the one it overrides, though a server may lead from one to the other.
func TestOverrides(t *testing.T) {
	method := func(container string) declaration {
		return declaration{name: "f", container: container, kind: "method"}
	}
	for _, tt := range []struct {
		a, b declaration
		want bool
	}{
		{method("A"), method("B"), true},
		{method("pkg.A"), method("A"), false},
		{method("A"), method(""), false},
		{method("A"), declaration{name: "f", container: "B", kind: "variable"}, false},
		{declaration{name: "f", kind: "method", chain: []string{"A", "f"}}, declaration{name: "f", kind: "method", chain: []string{"B", "f"}}, true},
		{declaration{name: "f", kind: "method", chain: []string{"ns", "A", "f"}}, declaration{name: "f", kind: "method", container: "ns::A"}, false},
		{declaration{name: "f", kind: "method", chain: []string{"ns", "A::f"}}, declaration{name: "f", kind: "method", container: "ns::A"}, false},
	} {
		if got := tt.a.overrides(tt.b); got != tt.want {
			t.Errorf("%+v overrides %+v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
