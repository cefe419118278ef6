package callers

import (
	"strings"
	"testing"
)

func TestIsCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, line string // the name is "name"
		want       bool
	}{
		{"a.py", "name(1)", true},
		{"a.py", "x = name", false},
		{"a.py", "@name", true},
		{"a.py", "  @lib.name", true},
		{"a.py", "x @ name", false},
		{"a.py", "new name", false},
		{"a.ts", "x = new name;", true},
		{"a.ts", "x = new lib.name;", true},
		{"a.ts", "renew name", false},
		{"a.ts", "name?.(1)", true},
		{"a.ts", "name<string>(1)", true},
		{"a.ts", "@name", true},
		{"a.ts", "a <name", false},
		{"a.tsx", "return <name x={1}/>", true},
		{"a.js", "return <name/>", true},
		{"a.tsx", "a<name", false},
		{"a.go", "name[int](1)", true},
		{"a.go", "f(name)", false},
	} {
		at := strings.Index(tt.line, "name") + 1
		if got := isCall(tt.path, tt.line, at, at+len("name")); got != tt.want {
			t.Errorf("isCall(%s, %q) = %v", tt.path, tt.line, got)
		}
	}
}
