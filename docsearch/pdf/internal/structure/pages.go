package structure

import "github.com/findspot/findspot/docsearch/pdf/internal/layout"

// Page are the lines of a page.
type Page struct {
	Width, Height float64
	Lines         []layout.Line
}

// A Pages reads pages of a document.
type Pages struct {
	Count int               // of the document
	Read  func(n int) *Page // n counts from 1; nil for a page that is not there or cannot be read
}
