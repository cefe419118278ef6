package office

import (
	"context"
	"fmt"
	"io"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office/internal/opc"
	"github.com/findspot/findspot/docsearch/formats/office/internal/sheet"
	"github.com/findspot/findspot/docsearch/formats/office/internal/slides"
	"github.com/findspot/findspot/docsearch/formats/office/internal/word"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/errs"
)

// maxFile bounds a file in bytes.
const maxFile = 1 << 30

// Word returns the extractor of documents of Word (.docx, .docm, .dotx). It is safe for concurrent use, as the other two are.
//
// A page ends where the document says so (a break of the page, a section that begins on a new one) and where the program that wrote it last ended one, which Word notes and
// most others do not: so pages are those that a reader of the document sees in Word, and a document without any such sign is one page.
func Word() extract.Extractor { return extractor{"docx/1", word.Read} }

// PowerPoint returns the extractor of presentations of PowerPoint (.pptx, .pptm, .ppsx). A slide is a page, and those that are hidden count: their text begins with "[Hidden slide]".
func PowerPoint() extract.Extractor { return extractor{"pptx/1", slides.Read} }

// Excel returns the extractor of workbooks of Excel (.xlsx, .xlsm, .xltx). A sheet that is not hidden is a page.
func Excel() extract.Extractor { return extractor{"xlsx/1", sheet.Read} }

type extractor struct {
	version string
	read    func(p *opc.Package, part string, meta *extract.Meta) ([]*extract.Page, error)
}

func (x extractor) Version() string { return x.version }

func (x extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, maxFile)
	}
	p, err := opc.Open(ctx, r, size)
	if err != nil {
		return nil, err
	}
	main, err := p.Main()
	if err != nil {
		return nil, err
	}
	meta, err := p.Properties()
	if err != nil {
		return nil, err
	}
	pages, err := x.read(p, main, &meta)
	if err != nil {
		return nil, err
	}
	return compose.Document(meta, pages...), nil
}
