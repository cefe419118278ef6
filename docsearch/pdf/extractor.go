package pdf

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"sync"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// featureVersion counts changes of what is extracted from the same bytes.  1: first.  2: headings, abstract, institutions.
// 3: drawings without captions, stitched figures.  4: fonts without names, lines from right to left, fields beside their labels.
// 5: lines apart from the running text.
const featureVersion = 5

// Options say how PDFs are read. The zero value, and nil, are fine.
type Options struct {
	Password string       // for locked files; tried as user and as owner password, after the empty one
	MaxFile  int64        // most bytes of a file; 0 means 104,857,600
	Workers  int          // most pages read at once in documents of 50 pages and more; 0 means the number of CPUs
	Plain    bool         // text only: no tables, figures or Markdown
	Logger   *slog.Logger // what was skipped and why; nil discards

	// OCR reads the text of scanned pages: those without text, or next to none, that images cover. It becomes the text of the
	// page. Nil leaves such pages without text. Package tesseract has one.
	OCR        extract.OCR
	OCRFigures bool // also read the text in figures that are images, into Figure.OCR; needs OCR, and no Plain
}

func (o *Options) withDefaults() Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.MaxFile <= 0 {
		v.MaxFile = 100 << 20
	}
	if v.Workers <= 0 {
		v.Workers = runtime.GOMAXPROCS(0)
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

type extractor struct {
	o     Options
	spare sync.Pool // of *scratch
}

// New returns an extractor for PDF files. It is safe for concurrent use.
func New(o *Options) extract.Extractor { return &extractor{o: o.withDefaults()} }

// WithPassword is the method of extract.Unlocker.
func (x *extractor) WithPassword(password string) extract.Extractor {
	o := x.o
	o.Password = password
	return &extractor{o: o}
}

// Version names the extractor and the options that change its output.
func (x *extractor) Version() string {
	v := fmt.Sprintf("pdf-%d", featureVersion)
	if x.o.Plain {
		v += "-plain"
	}
	if x.o.OCR != nil {
		v += "+" + x.o.OCR.Name()
		if x.o.OCRFigures {
			v += "-figures"
		}
	}
	return v
}

// Open reads the structure of a PDF. Errors wrap errs.TooLarge, errs.Encrypted or errs.Format.
func (x *extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size < 0 {
		return nil, fmt.Errorf("%w: a size of %d bytes", errs.Format, size)
	}
	if size > x.o.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, x.o.MaxFile)
	}
	f, nodes, err := x.load(ctx, r, size)
	if err != nil {
		return nil, err
	}
	d := &document{x: x, f: f, size: size, nodes: nodes}
	if err := d.readMeta(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// load parses the file and walks its page tree.
func (x *extractor) load(ctx context.Context, r io.ReaderAt, size int64) (f *content.Source, nodes []catalog.Page, err error) {
	if f, err = x.parse(ctx, r, size); err != nil {
		return nil, nil, err
	}
	defer guard("page tree", &err)
	if nodes, err = catalog.Pages(f.Reader); err != nil {
		return nil, nil, err
	}
	if len(nodes) == 0 {
		return nil, nil, fmt.Errorf("%w: no page can be found in it", errs.Format)
	}
	return f, nodes, nil
}

// parse reads the structure of a file.
func (x *extractor) parse(ctx context.Context, r io.ReaderAt, size int64) (f *content.Source, err error) {
	defer guard("structure", &err)
	doc, err := cos.Open(ctx, r, size, &cos.Options{Password: x.o.Password, Note: func(err error) {
		x.o.Logger.Info("pdf: damage passed over", "reason", err.Error())
	}})
	if err != nil {
		return nil, err
	}
	return content.NewSource(cos.NewReader(ctx, doc, budget.New(budget.OpenUnits))), nil
}

// guard turns a panic into an error that says where it was. It is deferred around the reading of a page.
func guard(where string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %s: internal fault: %v", errs.Format, where, p)
	}
}
