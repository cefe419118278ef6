package docsearch

import (
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/abstract"
)

// The names that moved to package extract, until its users follow.
type (
	Extractor = extract.Extractor
	Doc       = extract.Doc
	Meta      = extract.Meta
	Page      = extract.Page
	Heading   = extract.Heading
	Box       = extract.Box
	Table     = extract.Table
	Cell      = extract.Cell
	Figure    = extract.Figure
	Unlocker  = extract.Unlocker
	Glyphs    = extract.Glyphs
	Place     = extract.Place
	Image     = extract.Image
	Imager    = extract.Imager
	OCR       = extract.OCR
	OCRText   = extract.OCRText
	OCRLine   = extract.OCRLine
	OCRWord   = extract.OCRWord
	Section   = extract.Section
	Contents  = extract.Contents
	Lines     = extract.Lines
)

// NewGlyphs is extract.NewGlyphs.
func NewGlyphs(width, height float64) *Glyphs { return extract.NewGlyphs(width, height) }

// FindAbstract is abstract.Find.
func FindAbstract(head string) (start, end int) { return abstract.Find(head) }
