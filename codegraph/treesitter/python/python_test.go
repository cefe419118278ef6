package python

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/langtest"
)

func TestPython(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "python.txtar"); n < 25 {
		t.Errorf("%d cases, want 25 or more", n)
	}
}

func FuzzPython(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "python.txtar", "a.py")
}

func TestLimits(t *testing.T) {
	py := fronttest.For(t, Frontends(), "a.py")
	if _, err := py.Parse(t.Context(), "a.py", []byte(strings.Repeat("(", 100_000))); err != nil && !strings.Contains(err.Error(), "nested") {
		t.Errorf("deep nesting: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src := []byte(strings.Repeat("x = [1, 2, {3: f(4)}]\n", 200_000)) // longer than one slice of time
	if _, err := py.Parse(ctx, "a.py", src); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled parse: %v", err)
	}
	if facts, err := py.Parse(t.Context(), "a.py", nil); err != nil || facts.Lines != 1 {
		t.Errorf("empty file: %+v, %v", facts, err)
	}
}
