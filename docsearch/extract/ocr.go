package extract

import "context"

// An OCR reads text from pictures. An extractor calls it for pages that show a picture of text and hold none, when its options
// say so. It is safe for concurrent use.
type OCR interface {
	// Name names the program, its version and the options that change what it reads, such as "tesseract-5.3.0-eng". It
	// becomes a part of [Extractor.Version].
	Name() string

	// Read returns the text of a picture; a picture without text gives an empty one, and no error. An error is reported with
	// the page, whose other contents are kept.
	Read(ctx context.Context, img *Image) (*OCRText, error)
}

// OCRText is what was read from a picture, in reading order.
type OCRText struct {
	Lines []OCRLine
}

// An OCRLine is a line of text read from a picture.
type OCRLine struct {
	Words []OCRWord
	Begin bool // a paragraph begins with this line
}

// An OCRWord is a word read from a picture.
type OCRWord struct {
	Text string
	Box  Box // in pixels of the picture, from its top left; the zero box when it is not known
}

// Text returns the lines, each ending in "\n". Lines without a word are left out.
func (t *OCRText) Text() string {
	var b []byte
	for _, l := range t.Lines {
		n := len(b)
		for _, w := range l.Words {
			if w.Text == "" {
				continue
			}
			if len(b) > n {
				b = append(b, ' ')
			}
			b = append(b, w.Text...)
		}
		if len(b) > n {
			b = append(b, '\n')
		}
	}
	return string(b)
}
