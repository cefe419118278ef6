package complete

import (
	"testing"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// TestScope: an overload stands in the scope of the declaration, a method of another class does not.
func TestScope(t *testing.T) {
	c := source.NewText([]byte("class A {\n  f(a: T): T;\n\n// a remark\n  f(a: U): U;\n}\nclass B {\n  f(a: T): T;\n}\nfunction g() {}\n"))
	for line, want := range map[int]int{1: 0, 2: 1, 5: 1, 8: 7, 10: 0} {
		if got := ScopeOf(c, line); got != want {
			t.Errorf("scopeOf(%d) = %d, want %d", line, got, want)
		}
	}
}
