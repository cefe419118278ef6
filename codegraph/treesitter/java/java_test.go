package java

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/langtest"
)

func TestJava(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "java.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func FuzzJava(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "java.txtar", "a.java")
}
