package treesitter

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/langtest"
)

func TestPython(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "python.txtar"); n < 25 {
		t.Errorf("%d cases, want 25 or more", n)
	}
}

func TestScript(t *testing.T) {
	for _, archive := range []string{"javascript.txtar", "typescript.txtar"} {
		if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), archive); n < 60 {
			t.Errorf("%s: %d cases, want 60 or more", archive, n)
		}
	}
}

func TestJava(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "java.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func TestRust(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "rust.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func TestC(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "c.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func TestCpp(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "cpp.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}
