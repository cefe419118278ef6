package c

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/langtest"
)

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

func FuzzC(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "c.txtar", "a.c", "a.h")
}

func FuzzCpp(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "cpp.txtar", "a.cc", "a.h")
}
