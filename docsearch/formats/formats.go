package formats

import (
	"maps"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/asciidoc"
	"github.com/findspot/findspot/docsearch/formats/delimited"
	"github.com/findspot/findspot/docsearch/formats/epub"
	"github.com/findspot/findspot/docsearch/formats/latex"
	"github.com/findspot/findspot/docsearch/formats/notebook"
	"github.com/findspot/findspot/docsearch/formats/office"
	"github.com/findspot/findspot/docsearch/formats/rfc"
	"github.com/findspot/findspot/docsearch/formats/rst"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// Text returns the extractor of plain text. It is safe for concurrent use, as the other two are.
func Text() extract.Extractor { return format.Text{} }

// Markdown returns the extractor of Markdown. The text stays as it is written; lines that begin with "#" are headings.
func Markdown() extract.Extractor { return format.Text{Markdown: true} }

// HTML returns the extractor of HTML: the text that a reader sees, without navigation and scripts. A file of over 32 MB is an error wrapping docsearch.ErrTooLarge.
func HTML() extract.Extractor { return format.HTML{} }

// All returns an extractor for every format but PDF, by ending, for docsearch.Options.Extractors: Word, PowerPoint, Excel, CSV and TSV, EPUB, LaTeX, reStructuredText, AsciiDoc, Jupyter notebooks, RFCs as text and XML, and what is built in.
// The map is the caller's.
func All() map[string]extract.Extractor { return maps.Clone(all) }

var all = map[string]extract.Extractor{
	".txt": rfc.New(Text()), ".md": Markdown(), ".markdown": Markdown(), ".html": HTML(), ".htm": HTML(), ".xhtml": HTML(),
	".docx": office.Word(), ".pptx": office.PowerPoint(), ".xlsx": office.Excel(), ".csv": delimited.New(), ".tsv": delimited.New(), ".epub": epub.New(),
	".rst": rst.New(), ".rest": rst.New(), ".adoc": asciidoc.New(), ".asciidoc": asciidoc.New(), ".tex": latex.New(nil), ".ipynb": notebook.New(), ".xml": rfc.NewXML(),
}
