package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/layout"

// pageLines are the lines of a page.
type pageLines struct {
	width, height float64
	lines         []layout.Line
}

// A pageReader reads pages of a document.
type pageReader struct {
	count int                    // of the document
	read  func(n int) *pageLines // n counts from 1; nil for a page that is not there or cannot be read
}
