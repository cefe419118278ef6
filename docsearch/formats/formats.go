package formats

import (
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// Text returns the extractor of plain text. It is safe for concurrent use, as the other two are.
func Text() extract.Extractor { return format.Text{} }

// Markdown returns the extractor of Markdown. The text stays as it is written; lines that begin with "#" are headings.
func Markdown() extract.Extractor { return format.Text{Markdown: true} }

// HTML returns the extractor of HTML: the text that a reader sees, without navigation and scripts. A file of over 32 MB is an error wrapping docsearch.ErrTooLarge.
func HTML() extract.Extractor { return format.HTML{} }
