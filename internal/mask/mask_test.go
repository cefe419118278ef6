package mask

import (
	"strings"
	"testing"
)

func TestClasses(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a.py", "x = 'a' # c\ny", "....sss.ccc.."},
		{"a.py", "\"\"\"d\n#\"\"\"\nx", "sssssssss.."},
		{"a.py", "'a\\'b' x", "ssssss.."},
		{"a.py", "'open\nx", "sssss.."},
		{"a.go", "x /* a\n */ `r\n`//", "..cccccccc.sssscc"},
		{"a.go", "'\"' f", "sss.."},
		{"a.rs", "&'a str, longer text here", "........................."},
		{"a.txt", "# x 'y'", "......."},
	} {
		var b strings.Builder
		for _, c := range Classes(tt.name, []byte(tt.src)) {
			b.WriteByte(".cs"[c])
		}
		if b.String() != tt.want {
			t.Errorf("Classes(%s, %q)\n got %s\nwant %s", tt.name, tt.src, b.String(), tt.want)
		}
	}
}

func FuzzClasses(f *testing.F) {
	f.Add("a.py", "'''x\\")
	f.Add("a.go", "`/*'")
	f.Fuzz(func(t *testing.T, name, src string) {
		classes, parts := Classes(name, []byte(src)), Of(name, []byte(src))
		if len(classes) != len(src) {
			t.Fatalf("%d classes for %d bytes", len(classes), len(src))
		}
		for i, c := range classes {
			p := parts.At(i)
			if p.Class != c || c != Code && (p.From > i || p.To <= i || p.From > 0 && classes[p.From-1] == c || p.To < len(src) && classes[p.To] == c) {
				t.Fatalf("byte %d is of class %d, in %+v", i, c, p)
			}
		}
	})
}
