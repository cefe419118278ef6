package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/docsearch/pdf/tesseract"
	"github.com/findspot/findspot/examples/findspot/internal/phrases"
	"github.com/findspot/findspot/internal/disk"
)

// pdfPage is one page as JSON: a page, or why it could not be read.
type pdfPage struct {
	*extract.Page
	Error string `json:"error,omitempty"`
}

// pdfFault is a file that could not be read, as JSON.
type pdfFault struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

func pdfCommand(a *app) *cobra.Command {
	var format, pages, password string
	j := &pdfJob{app: a}
	c := &cobra.Command{
		Use:   "pdf FILE",
		Short: "Print the text, Markdown or structure of a PDF",
		Long: `Print the text, Markdown or structure of a PDF.

Text keeps the lines of the pages, with a form feed between pages. Markdown begins each page with a comment such as
<!-- page 7 -->. JSON contains the metadata, the pages and the sections; the lines of sections count from the first
page printed, with each page before it as one line.`,
		Example: "  findspot pdf attention.pdf --format markdown --pages 1-3\n  findspot pdf attention.pdf --find \"scaled dot-product attention\"",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case a.output == outputMD && len(j.find) == 0 && j.images == "":
				format = "markdown"
			case a.json:
				format = "json"
			}
			if format != "text" && format != "markdown" && format != "json" {
				return usagef("--format %q: must be text, markdown or json", format)
			}
			first, last, err := pageRange(pages)
			if err != nil {
				return err
			}
			switch {
			case slices.Contains(j.find, ""):
				return usagef("--find: give the words to find")
			case c.Flags().Changed("images") && j.images == "":
				return usagef("--images: give a folder")
			case len(j.find) > 0 && j.images != "":
				return usagef("--find and --images cannot be combined: run the command once for each")
			}
			j.name, j.format, j.first, j.last = args[0], format, first, last
			plain := j.images == "" && (len(j.find) > 0 || format == "text") // nothing else is printed then
			err = j.run(c.Context(), &pdf.Options{Password: password, Plain: plain})
			if err != nil && !errors.Is(err, errNo) && format == "json" && c.Context().Err() == nil {
				if err := a.printJSON(pdfFault{args[0], err.Error()}); err != nil {
					return err
				}
				a.complain(err)
				return errReported
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, markdown or json")
	c.Flags().StringVar(&pages, "pages", "", "pages to print, such as 3, 1-3 or 5- (default all)")
	c.Flags().StringArrayVar(&j.find, "find", nil, "phrase to find (repeatable); prints its places as keys, and boxes in points")
	c.Flags().StringVar(&j.images, "images", "", "folder to write the images of figures into, as NAME-p3-1.png")
	c.Flags().BoolVar(&j.ocrFigures, "ocr-figures", false, "also read the text in figures that are images")
	c.Flags().StringVar(&password, "password", "", "password of a locked file")
	c.AddCommand(pdfMarkCommand(a))
	return c
}

// pdfMarked is what pdf mark did, as JSON.
type pdfMarked struct {
	File string `json:"file"`
	Out  string `json:"out,omitempty"` // empty when nothing was written
	*mark.Report
}

func pdfMarkCommand(a *app) *cobra.Command {
	var find []string
	var answer, out string
	c := &cobra.Command{
		Use:   "mark FILE",
		Short: "Highlight texts, or what an answer cites, in a copy of a PDF",
		Long: `Write a copy of a PDF with highlights, each with a note that every viewer shows.

--find marks all places of a phrase. --answer marks what a sealed answer cites of FILE: its items in a paler colour, and its
quotes and the sentences that stand there in a stronger one. The note has the key and the sentences that cite it.

FILE stays as it is, and is the beginning of the copy, byte for byte. Signed, encrypted and damaged files are refused.
A text that is not found is named with the nearest that is; the exit status is then 1, and the others are marked.`,
		Example: "  findspot pdf mark attention.pdf --find \"scaled dot-product attention\" -o marked.pdf\n  findspot pdf mark attention.pdf --answer answer.json -o marked.pdf",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case (len(find) == 0) == (answer == ""):
				return usagef("give --find TEXT or --answer ANSWER.json")
			case out == "":
				return usagef("give the file to write with --out")
			}
			return markPDF(c.Context(), a, args[0], find, answer, out)
		},
	}
	c.Flags().StringArrayVar(&find, "find", nil, "phrase to mark (repeatable)")
	c.Flags().StringVar(&answer, "answer", "", "answer file whose items and quotes of FILE are marked")
	c.Flags().StringVarP(&out, "out", "o", "", "file to write")
	return c
}

// markPDF writes a copy of a PDF with marks.
func markPDF(ctx context.Context, a *app, name string, find []string, answer, out string) error {
	data, err := readPDF(a, name)
	if err != nil {
		return err
	}
	to, err := a.env.Output(out)
	if err != nil {
		return err
	}
	if was, err := os.Stat(a.env.Path(out)); err == nil {
		if from, err := a.env.Stat(name); err == nil && os.SameFile(was, from) {
			return usagef("--out %s: is the file that is to be marked, which stays as it is: give another name", out)
		}
	}
	var marks []mark.Mark
	for _, text := range find {
		marks = append(marks, mark.Mark{Text: text, All: true})
	}
	if answer != "" {
		ans, err := readAnswer(a.env, answer)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		if marks, err = mark.OfAnswer(ans, hex.EncodeToString(sum[:])); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	ocr, err := reader(ctx, a)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	rep, err := mark.Write(ctx, &b, bytes.NewReader(data), int64(len(data)), marks, &mark.Options{OCR: ocr})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	done := pdfMarked{File: name, Report: rep}
	if rep.Placed() > 0 {
		if err := disk.WriteOutput(to, b.Bytes()); err != nil {
			return a.env.AsWritten(out, err)
		}
		done.Out = out
	}
	if a.json {
		err = a.printJSON(done)
	} else {
		printMarks(a, &done)
	}
	return found(err, map[bool]int{true: 1}[rep.Placed() == len(rep.Marks)])
}

// readPDF reads a file that is to be marked.
func readPDF(a *app, name string) ([]byte, error) {
	f, err := a.env.OpenFile(name)
	if err != nil {
		return nil, plainPathError(err)
	}
	defer f.Close() // read only
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, plainPathError(err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a file", name)
	case info.Size() > mark.MaxFile:
		return nil, fmt.Errorf("%s: %w: %d bytes, the limit is %d", name, docsearch.ErrTooLarge, info.Size(), mark.MaxFile)
	}
	data, err := io.ReadAll(f)
	return data, plainPathError(err)
}

func printMarks(a *app, done *pdfMarked) {
	n := 0
	for _, m := range done.Marks {
		key := ""
		if m.Key != "" {
			key = "[" + m.Key + "] "
		}
		said := clean(strings.Join(strings.Fields(m.Text), " "))
		if len(m.Places) == 0 {
			a.printf("not found  %s%s: %s\n", clean(key), said, clean(m.Missing))
		}
		for _, p := range m.Places {
			n++
			a.printf("%s\n", atKey(done.File, key, &p))
		}
	}
	if done.Out == "" {
		a.printf("nothing is marked, so that nothing was written\n")
		return
	}
	a.printf("%s in %s\n", count(n, "mark", "marks"), clean(done.Out))
}

// pageRange reads "3", "1-3" or "5-". Last 0 means the end.
func pageRange(s string) (first, last int, err error) {
	if s == "" {
		return 1, 0, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	open := isRange && to == ""
	first, err = strconv.Atoi(from)
	if err == nil && !isRange {
		last = first
	}
	if err == nil && isRange && to != "" {
		last, err = strconv.Atoi(to)
	}
	if err != nil || first < 1 || !open && last < first {
		return 0, 0, usagef("--pages %q: give a page or a range from 1, such as 3, 1-3 or 5-", s)
	}
	return first, last, nil
}

// A pdfJob is one run of the command pdf.
type pdfJob struct {
	*app
	name        string
	format      string
	first, last int
	find        []string // print the places of these phrases instead of the pages
	images      string   // write pictures into this folder instead
	ocrFigures  bool
	noText      []int // pages that show something and hold no text
}

// reader opens the OCR program of the flags; nil when none is asked for.
func reader(ctx context.Context, a *app) (extract.OCR, error) {
	switch {
	case a.ocr == "" && a.languages != "":
		return nil, usagef("--ocr-languages needs --ocr tesseract")
	case a.ocr == "":
		return nil, nil
	case a.ocr != "tesseract":
		return nil, usagef("--ocr %q: only tesseract is supported", a.ocr)
	}
	engine, err := tesseract.Open(ctx, &tesseract.Options{Languages: a.languages})
	if err != nil { // not a nil engine in an interface that is not
		return nil, err
	}
	return engine, nil
}

func (j *pdfJob) run(ctx context.Context, o *pdf.Options) (err error) {
	if info, err := j.env.Stat(j.name); err != nil {
		return plainPathError(err)
	} else if !info.Mode().IsRegular() { // opening a named pipe would wait for a writer
		return fmt.Errorf("%s: not a file", j.name)
	}
	if o.OCR, err = reader(ctx, j.app); err != nil {
		return err
	}
	if o.OCRFigures = j.ocrFigures; j.ocrFigures && o.OCR == nil {
		return usagef("--ocr-figures needs --ocr tesseract")
	}
	f, err := j.env.OpenFile(j.name)
	if err != nil {
		return plainPathError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return plainPathError(err)
	}
	doc, err := pdf.New(o).Open(ctx, f, info.Size())
	switch {
	case errors.Is(err, docsearch.ErrEncrypted):
		return fmt.Errorf("%s: %w (--password gives one)", j.name, err)
	case err != nil:
		return fmt.Errorf("%s: %w", j.name, err)
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	if n := doc.Meta().Pages; j.first > max(n, 1) {
		return fmt.Errorf("%s: %w: page %d; it has %s", j.name, docsearch.ErrNotFound, j.first, count(n, "page", "pages"))
	}
	switch {
	case j.images != "":
		return j.writeImages(ctx, doc)
	case len(j.find) > 0:
		err = j.printPlaces(ctx, doc, f, info.Size(), o)
	default:
		err = j.printPages(ctx, doc)
	}
	j.sayNoText()
	return err
}

// sayNoText names the pages without text on standard error, in ranges.
func (j *pdfJob) sayNoText() {
	var list []string
	for i := 0; i < len(j.noText); {
		k := i
		for k+1 < len(j.noText) && j.noText[k+1] == j.noText[k]+1 {
			k++
		}
		if k == i {
			list = append(list, strconv.Itoa(j.noText[i]))
		} else {
			list = append(list, fmt.Sprintf("%d-%d", j.noText[i], j.noText[k]))
		}
		i = k + 1
	}
	if len(list) == 0 {
		return
	}
	word, hint := "page", "scanned? read it with --ocr tesseract"
	if len(j.noText) > 1 {
		word, hint = "pages", "scanned? read them with --ocr tesseract"
	}
	if j.ocr != "" {
		hint = "OCR found none either"
	}
	fmt.Fprintf(j.stderr, "findspot: %s: %s %s: no text (%s)\n", clean(j.name), word, strings.Join(list, ", "), hint)
}

// pages yields the pages that are to be read, as far as they can be; what fails is reported. The end of ctx ends it.
func (j *pdfJob) pages(ctx context.Context, doc extract.Doc) iter.Seq[*extract.Page] {
	return func(yield func(*extract.Page) bool) {
		for page, err := range doc.Pages(ctx, j.first, j.last) {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				j.badInput(fmt.Errorf("%s: %w", j.name, err))
			}
			if page != nil && !yield(page) {
				return
			}
		}
	}
}

// writeImages writes the pictures of the figures into a folder. A file that is there is an error, not overwritten.
func (j *pdfJob) writeImages(ctx context.Context, doc extract.Doc) error {
	im, ok := doc.(extract.Imager)
	if !ok {
		return fmt.Errorf("%s: %w: pictures", j.name, docsearch.ErrUnsupported)
	}
	if err := j.env.MkdirAll(j.images); err != nil {
		return plainPathError(err)
	}
	dir, err := os.OpenRoot(j.env.Path(j.images))
	if err != nil {
		return plainPathError(err)
	}
	defer dir.Close()
	type written struct {
		Page   int           `json:"page"`
		Figure int           `json:"figure"` // from 1
		File   string        `json:"file"`
		Image  extract.Image `json:"image"`
	}
	out := []written{}
	stem := strings.TrimSuffix(filepath.Base(j.name), filepath.Ext(j.name))
	for page := range j.pages(ctx, doc) {
		for n, fig := range page.Figures {
			if fig.WidthPX == 0 { // a drawing
				continue
			}
			img, err := im.Image(ctx, page.Number, n)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				j.badInput(fmt.Errorf("%s: %w", j.name, err))
				continue
			}
			name := fmt.Sprintf("%s-p%d-%d.%s", stem, page.Number, n+1, strings.Replace(img.Format, "jpeg", "jpg", 1))
			path := filepath.Join(j.images, name)
			if err := writeNew(dir, name, img.Data); errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s: %w and is not overwritten: give another folder, or remove it", path, fs.ErrExist)
			} else if err != nil {
				return fmt.Errorf("%s: %w", path, bareError(err))
			}
			out = append(out, written{page.Number, n + 1, path, *img})
			if j.format != "json" {
				j.printf("%s  %d x %d\n", clean(path), img.Width, img.Height)
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if j.format == "json" {
		return j.printJSON(out)
	}
	return nil
}

// writeNew writes a file that is not there yet.
func writeNew(dir *os.Root, name string, data []byte) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// pdfPlaces is the answer of --find as JSON.
type pdfPlaces struct {
	File    string          `json:"file"`
	Phrases []string        `json:"phrases"`
	Places  []phrases.Place `json:"places"`
}

func (j *pdfJob) printPlaces(ctx context.Context, doc extract.Doc, f io.ReaderAt, size int64, o *pdf.Options) error {
	places, missing, err := phrases.Find(ctx, doc, f, size, j.find, phrases.Options{First: j.first, Last: j.last, Mark: mark.Options{OCR: o.OCR, Password: o.Password}, Page: j.see})
	switch {
	case errors.Is(err, docsearch.ErrUnsupported):
		return usagef("--find: %w", err)
	case err != nil:
		return fmt.Errorf("%s: %w", j.name, err)
	}
	none := error(nil)
	if len(missing) > 0 {
		none = errNo
	}
	if j.format == "json" {
		return cmp.Or(j.printJSON(pdfPlaces{j.name, j.find, places}), none)
	}
	p := newPrinter(j.stdout)
	for _, x := range places {
		p.printf("%s ", atKey(j.name, "", &x.Place))
		for _, b := range x.Boxes {
			p.printf(" [%g %g %g %g]", b.X0, b.Y0, b.X1, b.Y1)
		}
		p.printf("\n")
	}
	for _, m := range missing {
		p.printf("not found  %s: %s\n", clean(m.Phrase), clean(m.Reason))
	}
	p.printf("%s in %s\n", count(len(places), "place", "places"), clean(j.name))
	return none
}

// see reports what could not be read of a page.
func (j *pdfJob) see(page *extract.Page, err error) {
	if err != nil {
		j.badInput(fmt.Errorf("%s: %w", j.name, err))
	}
	if page != nil && page.NoText {
		j.noText = append(j.noText, page.Number)
	}
}

// atKey is a place as the key of a sentence names it, with what stands there.
func atKey(file, key string, x *extract.Place) string {
	return fmt.Sprintf("[%s] %s%s", clean(phrases.Key(file, x)), clean(key), clean(strings.Join(strings.Fields(x.Text), " ")))
}

func (j *pdfJob) printPages(ctx context.Context, doc extract.Doc) error {
	out := bufio.NewWriter(j.exact)
	lines := j.output == outputLines // then what is no page comes last, as package form has it
	var about []byte
	if j.format == "json" {
		head, err := json.Marshal(j.name)
		if err != nil {
			return err
		}
		meta, err := json.Marshal(doc.Meta())
		if err != nil {
			return err
		}
		about = fmt.Appendf(nil, `"file": %s, "meta": %s, `, head, meta)
		if !lines {
			fmt.Fprintf(out, `{%s"pages": [`, about)
		}
	}
	n := 0
	var toc extract.Contents
	for i := 1; i < j.first; i++ {
		toc.Add(nil)
	}
	for page, err := range doc.Pages(ctx, j.first, j.last) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if j.see(page, err); page == nil { // the pages before it are written already
			page = &extract.Page{Number: j.first + n}
		}
		toc.Add(page)
		switch j.format {
		case "json":
			x := pdfPage{Page: page}
			if err != nil {
				x.Error = err.Error()
			}
			if x.Tables == nil {
				x.Tables = []extract.Table{}
			}
			if x.Figures == nil {
				x.Figures = []extract.Figure{}
			}
			data, err := json.Marshal(x)
			if err != nil {
				return err
			}
			if lines {
				fmt.Fprintf(out, "%s\n", data)
				break
			}
			if n > 0 {
				out.WriteByte(',')
			}
			out.WriteByte('\n')
			out.Write(data)
		case "markdown":
			if n > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintf(out, "<!-- page %d -->\n\n%s", page.Number, clean(page.Markdown))
		default:
			if n > 0 {
				out.WriteByte('\f')
			}
			out.WriteString(clean(page.Text))
		}
		n++
	}
	if j.format == "json" {
		sections, err := json.Marshal(toc.Sections())
		if err != nil {
			return err
		}
		if lines {
			fmt.Fprintf(out, `{"summary": {%s"sections": %s}}`+"\n", about, sections)
		} else {
			fmt.Fprintf(out, "\n], \"sections\": %s}\n", sections)
		}
	}
	return out.Flush()
}
