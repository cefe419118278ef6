package questions

import (
	"errors"
	"path"
	"strings"
	"testing"
)

func TestPathFilter(t *testing.T) {
	for _, tt := range []struct {
		globs string
		path  string
		want  bool
	}{
		{"", "a/b.go", true},
		{"*.go", "a/b.go", true},
		{"*.py", "a/b.go", false},
		{"a", "a/b.go", true},
		{"a/", "a/b.go", true},
		{"./a/*.go", "a/b.go", true},
		{"/a/*.go", "a/b.go", true},
		{"/b.go", "a/b.go", false},
		{"a/*.go", "a/c/b.go", false},
		{"a/**", "a/c/b.go", true},
		{"**/b.go", "a/c/b.go", true},
		{"a/**/b.go", "a/b.go", true},
		{"a/**/**/c/*", "a/c/b.go", true},
		{"**/*_test.go", "a/c/b.go", false},
		{"x,*.go", "a/b.go", true},
		{"lib/**", "/usr/lib/x.py", false},
		{"/usr/**", "/usr/lib/x.py", true},
	} {
		var globs []string
		if tt.globs != "" {
			globs = strings.Split(tt.globs, ",")
		}
		f, err := NewPathFilter(globs)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Match(tt.path); got != tt.want {
			t.Errorf("%q matches %q: %v, want %v", tt.globs, tt.path, got, tt.want)
		}
	}
	for _, bad := range []string{"[", "", "a/[x"} {
		if _, err := NewPathFilter([]string{bad}); !errors.Is(err, path.ErrBadPattern) {
			t.Errorf("pattern %q: %v, want ErrBadPattern", bad, err)
		}
	}
	// A hostile glob takes no time.
	f, err := NewPathFilter([]string{strings.Repeat("**/a/", 200) + "b"})
	if err != nil {
		t.Fatal(err)
	}
	if f.Match(strings.Repeat("a/", 400) + "c") {
		t.Error("a hostile glob matches")
	}
}
