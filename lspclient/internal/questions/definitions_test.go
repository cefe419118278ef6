package questions

import (
	"testing"

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
