package rst_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/docsearch/formats/rst"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, rst.New(), ".rst") }

func FuzzRST(f *testing.F) { formattest.Fuzz(f, rst.New(), ".rst") }
