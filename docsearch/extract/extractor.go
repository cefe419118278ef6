package extract

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"iter"
)

// An Extractor reads one document format. It is safe for concurrent use; the [Doc] it opens is not.
type Extractor interface {
	// Version names the extractor and the options that change its output. A document is read again
	// when it differs from the version recorded with it.
	Version() string

	// Open reads the structure of a document of size bytes. The reader must stay valid until the
	// Doc is closed. Errors wrap docsearch.ErrEncrypted, docsearch.ErrFormat, docsearch.ErrTooLarge or docsearch.ErrUnsupported
	// where one of them is the cause.
	Open(ctx context.Context, r io.ReaderAt, size int64) (Doc, error)
}

// An Unlocker is an [Extractor] of a format that can be locked.
type Unlocker interface {
	Extractor

	// WithPassword returns an extractor that tries the password. Its Version is the same, and holds nothing of the password.
	WithPassword(password string) Extractor
}

// A Recognizer is an [Extractor] of a format that shares its ending with others.
type Recognizer interface {
	Extractor

	// Recognizes reports whether a file that begins with head, 16 KB of it or all, is of the format. Folders are searched for such files only.
	Recognizes(head []byte) bool
}

// An Includer is an [Extractor] of a format whose documents may include other files, as LaTeX has it.
type Includer interface {
	Extractor

	// WithFiles returns an extractor for the document that has this slash path in files, and may include what lies there. Its Version is the same.
	WithFiles(files fs.FS, name string) Extractor
}

// A Doc is one opened document. It is used by one goroutine at a time.
type Doc interface {
	// Meta returns what the document says of itself. Fields it does not state are empty.
	Meta() Meta

	// Pages yields the pages first to last, from 1 and inclusive, in order; last 0 means the end.
	// A page that cannot be read is yielded with its Number set and the error, and the pages after
	// it follow (the continue contract). Numbers outside the document are left out. Where ctx ends, or after Close,
	// the last page is nil, with the error. Breaking the loop releases everything.
	Pages(ctx context.Context, first, last int) iter.Seq2[*Page, error]

	Close() error
}

// Meta is what a document says of itself.
type Meta struct {
	Title   string   `json:"title"`
	Authors []string `json:"authors"`
	// Institutions are the organisations that the authors name, in the order of the text, each once.
	Institutions []string `json:"institutions,omitempty"`
	Abstract     string   `json:"abstract,omitempty"` // as running text; found as [FindAbstract] finds it
	Subject      string   `json:"subject,omitempty"`
	Keywords     string   `json:"keywords,omitempty"`
	Date         string   `json:"date,omitempty"` // ISO 8601, as far as it is known
	Producer     string   `json:"producer,omitempty"`
	URL          string   `json:"url,omitempty"` // where it says it comes from
	Pages        int      `json:"pages"`         // number of pages
}

// A Page is the content of one page.
type Page struct {
	Number   int      `json:"number"`   // from 1
	Width    float64  `json:"width"`    // points, as shown (after rotation)
	Height   float64  `json:"height"`   // points, as shown
	Text     string   `json:"text"`     // raw text in reading order, lines end in "\n"
	Markdown string   `json:"markdown"` // a view of the same page
	Tables   []Table  `json:"tables"`   // top to bottom
	Figures  []Figure `json:"figures"`  // top to bottom

	OCR    bool `json:"ocr,omitempty"`     // text was read from a picture of the page; see [OCR]
	NoText bool `json:"no_text,omitempty"` // something is shown, but no text is known: a scan that needs OCR, or letters that are drawn

	// Glyphs says where the characters of Text stand; nil when the extractor does not know. See [Page.Locate].
	Glyphs *Glyphs `json:"-"`

	// Apart are the lines of Text, from 1 and in order, that stand apart from the running text: running heads and feet, page numbers, footnotes, captions, the
	// lettering of figures, tables with a caption. Nil where there are none, or the extractor does not know.
	Apart []int `json:"apart,omitempty"`

	// Headings are the headings of the page in the order of its text; nil for a format that has none. Sections are made
	// of them (see [Contents]).
	Headings []Heading `json:"headings,omitempty"`
}

// A Heading is a heading found on a page.
type Heading struct {
	Text  string `json:"text"`  // the whole heading in one line, its number included
	Level int    `json:"level"` // from 1: the depth in the document's own outline, or as its number and letters show
	Line  int    `json:"line"`  // line of the page's text that it begins on, from 1
	// Bookmark is true where the document's own outline points here; otherwise the heading was told by its looks.
	Bookmark bool `json:"bookmark,omitempty"`
}

// A Box is a rectangle on a page in points, as shown, with the origin at the top left and y growing
// downwards. Its JSON form is [x0, y0, x1, y1].
type Box struct{ X0, Y0, X1, Y1 float64 }

// MarshalJSON writes the box as [x0, y0, x1, y1].
func (b Box) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]float64{b.X0, b.Y0, b.X1, b.Y1})
}

// UnmarshalJSON reads [x0, y0, x1, y1].
func (b *Box) UnmarshalJSON(data []byte) error {
	var v [4]float64
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*b = Box{v[0], v[1], v[2], v[3]}
	return nil
}

// A Table is a table found on a page.
type Table struct {
	BBox    Box        `json:"bbox"`
	Caption string     `json:"caption"`
	Rows    [][]string `json:"rows"`  // every row has the same number of columns; a spanned cell is empty
	Cells   []Cell     `json:"cells"` // the same cells with their spans, by row, then column

	// Continued is true for a table at the top of a page that goes on from the last one of the page before; when it has no
	// caption of its own it has that one's. Repeated is the number of its first rows that say the head again. Both are
	// known only where the pages are read in order: on the first page of a range Continued is false.
	Continued bool `json:"continued,omitempty"`
	Repeated  int  `json:"repeated,omitempty"`
}

// A Cell is one cell of a table. Row and Col count from 0.
type Cell struct {
	Row     int    `json:"row"`
	Col     int    `json:"col"`
	RowSpan int    `json:"row_span"` // at least 1
	ColSpan int    `json:"col_span"` // at least 1
	Text    string `json:"text"`
}

// A Figure is an image or drawing placed on a page.
type Figure struct {
	BBox     Box    `json:"bbox"`
	WidthPX  int    `json:"width_px"`  // pixels of the image itself; 0 for a drawing
	HeightPX int    `json:"height_px"` // pixels of the image itself; 0 for a drawing
	Caption  string `json:"caption"`
	OCR      string `json:"ocr,omitempty"`
}
