package javascript

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/langtest"
)

func TestJavaScript(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "javascript.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func TestTypeScript(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "typescript.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func FuzzScript(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "javascript.txtar", "a.js", "a.ts", "a.tsx")
}

func FuzzTypeScript(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "typescript.txtar", "a.ts", "a.tsx")
}
