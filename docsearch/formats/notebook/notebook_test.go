package notebook_test

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/docsearch/formats/notebook"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, notebook.New(), ".ipynb") }

func FuzzNotebook(f *testing.F) { formattest.Fuzz(f, notebook.New(), ".ipynb") }

func TestHostile(t *testing.T) {
	formattest.Hostile(t, notebook.New(), "[", "{\"cells\":", "\"a\",")
	formattest.Check(t, notebook.New(), []byte(`{"cells":[{"cell_type":"code","source":"`+strings.Repeat("`", 256<<10)+`","outputs":[]}]}`))
}
