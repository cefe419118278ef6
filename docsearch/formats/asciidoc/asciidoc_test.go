package asciidoc_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/formats/asciidoc"
	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, asciidoc.New(), ".adoc") }

func FuzzAsciiDoc(f *testing.F) { formattest.Fuzz(f, asciidoc.New(), ".adoc") }
