package pdf

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/figure"
	"github.com/findspot/findspot/docsearch/pdf/internal/render"
	"github.com/findspot/findspot/internal/hyphen"
)

const (
	scanLetters = 100     // a page with fewer letters may be a scan
	scanCover   = .65     // of a page that images cover when it is one
	maxOCRText  = 4 << 20 // bytes of text taken from one picture
)

// letters counts the letters and digits of a text, up to a limit.
func letters(s string, limit int) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if n++; n >= limit {
				break
			}
		}
	}
	return n
}

// readPictures fills in what OCR reads: the text of a scanned page, and that of figures when it is asked for. Without a hook,
// a page that shows something and holds no text is marked.
func (d *document) readPictures(ctx context.Context, f *content.Source, p *extract.Page, c *content.Canvas, figures []figure.Figure) error {
	blank := strings.TrimSpace(p.Text) == ""
	p.NoText = blank && (len(c.Images) > 0 || c.PathCount() > 0)
	ocr := d.x.o.OCR
	if ocr == nil {
		return nil
	}
	r := f.Reader.With(ctx)
	scanned := d.scanned(p, c)
	if scanned {
		img, err := render.Page(r, c)
		if err != nil {
			return fmt.Errorf("OCR: the picture of the page: %w", err)
		}
		read, err := ocr.Read(ctx, img)
		if err != nil {
			return fmt.Errorf("OCR: %w", err)
		}
		addOCR(p, read, img, d.x.o.Plain)
	}
	if !d.x.o.OCRFigures || d.x.o.Plain {
		return nil
	}
	for i := range figures {
		fig := &figures[i]
		if len(fig.Images) == 0 || scanned && render.Cover(fig.Box, c) > scanCover {
			continue
		}
		img, err := render.Figure(r, fig, c.Images)
		if err != nil {
			d.x.o.Logger.Info("pdf: figure not read", "page", p.Number, "figure", i, "reason", err.Error())
			continue
		}
		read, err := ocr.Read(ctx, img)
		if err != nil {
			return fmt.Errorf("OCR: figure %d: %w", i, err)
		}
		p.Figures[i].OCR = strings.TrimSpace(cutText(plainWords(read.Text()), maxOCRText))
	}
	return nil
}

// scanned reports whether a page is the picture of a page: images with enough pixels for letters cover most of it, and it
// has no text, or next to none such as a stamp.
func (d *document) scanned(p *extract.Page, c *content.Canvas) bool {
	n := letters(p.Text, scanLetters)
	if n >= scanLetters {
		return false
	}
	cover := 0.0
	for _, f := range figure.Stitch(c) {
		if f.PixelWidth >= 3*figure.MinPixels && f.PixelHeight >= 3*figure.MinPixels {
			cover += render.Cover(f.Box, c)
		}
	}
	if n > 0 {
		return cover > .85
	}
	return cover > scanCover
}

// plainWords leaves out what text from outside must not bring: control characters and bytes that are no UTF-8.
func plainWords(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' || r == 0x7F {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// addOCR puts what was read after the text that the page has, with its boxes where they are known.
func addOCR(p *extract.Page, t *extract.OCRText, img *extract.Image, plain bool) {
	if p.Glyphs == nil {
		p.Glyphs = extract.NewGlyphs(p.Width, p.Height)
	}
	b, para := []byte(p.Text), ""
	md := strings.TrimRight(p.Markdown, "\n")
	flush := func() {
		if para != "" && md != "" {
			md += "\n\n"
		}
		md += para
		para = ""
	}
	sx, sy := 0.0, 0.0
	if img.Width > 0 && img.Height > 0 {
		sx, sy = (img.BBox.X1-img.BBox.X0)/float64(img.Width), (img.BBox.Y1-img.BBox.Y0)/float64(img.Height)
	}
	for _, l := range t.Lines {
		start := len(b)
		for _, w := range l.Words {
			s := strings.Join(strings.Fields(plainWords(w.Text)), " ")
			if s == "" || len(b)-len(p.Text) > maxOCRText {
				continue
			}
			if len(b) > start {
				b = append(b, ' ')
			}
			if w.Box != (extract.Box{}) && sx > 0 && sy > 0 {
				p.Glyphs.Add(len(b), extract.Box{
					X0: img.BBox.X0 + w.Box.X0*sx, Y0: img.BBox.Y0 + w.Box.Y0*sy, X1: img.BBox.X0 + w.Box.X1*sx, Y1: img.BBox.Y0 + w.Box.Y1*sy,
				})
			}
			b = append(b, s...)
		}
		if len(b) == start {
			continue
		}
		p.Glyphs.Break(len(b))
		if l.Begin {
			flush()
		}
		para = hyphen.JoinLines(para, string(b[start:]))
		b = append(b, '\n')
	}
	flush()
	if len(b) > len(p.Text) {
		p.OCR, p.NoText = true, false
		p.Text = string(b)
		if !plain {
			p.Markdown = md + "\n"
		}
	}
}
