package rst_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/docsearch/formats/rst"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, rst.New(), ".rst") }

func FuzzRST(f *testing.F) { formattest.Fuzz(f, rst.New(), ".rst") }

// TestBroken reads what once made the reader panic, or nearly did.
func TestBroken(t *testing.T) {
	for _, s := range []string{".. csv-table::\n   :delim: ..\n\n   a,b\n"} {
		formattest.Check(t, rst.New(), []byte(s))
	}
}

func TestHostile(t *testing.T) {
	formattest.Hostile(t, rst.New(), "*a ", "``a ", "`a ", "|a ", ":r:`a ", "_`a ", "[1]_ ", "- ", "- - - ", "1. a\n ", ".. |x| replace:: |x|\n", ".. note::\n ", "a::\n", "+-+\n", "= =\n", "| a\n", ":a:", "a\n b\n", "\\", "=\n", ".. [#]\n", "> ",
		":a:b:", ":a-", "a-", "a.b_", "`a <", "`a`:", ":a:`b ", ":a:`", "*(", "+-+-+\n", "- a\n\n")
}
