package symbols

import "testing"

func TestTwinPaths(t *testing.T) {
	for _, tt := range []struct {
		path string
		want string
		stub bool
	}{
		{"a/b.py", "a/b.pyi", false}, {"b.pyi", "b.py", true}, {"x.js", "x.d.ts", false}, {"x.d.ts", "x.js", true},
		{"x.mjs", "x.d.mts", false}, {"x.d.cts", "x.cjs", true}, {"x.ts", "", false}, {"x.go", "", false},
	} {
		got, stub := StubPaths(tt.path)
		if first := append(got, "")[0]; first != tt.want || stub != tt.stub {
			t.Errorf("twinPaths(%q) = %v, %v, want %q, %v", tt.path, got, stub, tt.want, tt.stub)
		}
	}
}
