package gosyntax

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/langtest"
)

func TestGo(t *testing.T) {
	if n := langtest.Run(t, []lang.Frontend{Frontend()}, os.DirFS("testdata"), "go.txtar"); n < 80 {
		t.Errorf("%d cases, want 80 or more", n)
	}
}
