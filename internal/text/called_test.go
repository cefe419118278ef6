package text_test

import (
	"testing"

	"github.com/findspot/findspot/internal/text"
)

func TestCalled(t *testing.T) {
	for src, want := range map[string]bool{
		"f|(x)": true, "f| (x)": true, "f|": false, "f|)": false, "f|\n(x)": false, "f|.g()": false, "f| + (x)": false,
		"f|[int](x)": true, "f|[a, b.C[d]](x)": true, "f|[i]": false, "f|<T>(x)": true, "f|<A<B>, () => void>(x)": true,
		"f|::<Vec<u8>>(x)": true, "f| < b && c > (d)": true, // told from generics by a parser only
		"f| < b; (x)": false, "f|?.(x)": true, "f|!(x)": true, "f|![0]": false, "new A|<T>(x)": true, "f|<": false,
	} {
		at := 0
		for src[at] != '|' {
			at++
		}
		if got := text.Called([]byte(src[:at]+src[at+1:]), at); got != want {
			t.Errorf("Called(%q) = %v, want %v", src, got, want)
		}
	}
}
