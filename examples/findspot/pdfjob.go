package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf"
)

// A pdfJob is one run of the command pdf.
type pdfJob struct {
	*app
	name        string
	format      string
	first, last int
	find        string // print the places of this phrase instead of the pages
}

func (j *pdfJob) run(ctx context.Context, o *pdf.Options) (err error) {
	if info, err := os.Stat(j.name); err != nil {
		return plainPathError(err)
	} else if !info.Mode().IsRegular() { // opening a named pipe would wait for a writer
		return fmt.Errorf("%s: not a file", j.name)
	}
	f, err := os.Open(j.name)
	if err != nil {
		return plainPathError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return plainPathError(err)
	}
	doc, err := pdf.New(o).Open(ctx, f, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	if n := doc.Meta().Pages; j.first > max(n, 1) {
		return fmt.Errorf("%s: %w: page %d; it has %d pages", j.name, docsearch.ErrNotFound, j.first, n)
	}
	if j.find != "" {
		return j.printPlaces(ctx, doc)
	}
	return j.printPages(ctx, doc)
}

// pdfPlaces is the answer of --find as JSON.
type pdfPlaces struct {
	File   string            `json:"file"`
	Phrase string            `json:"phrase"`
	Places []docsearch.Place `json:"places"`
}

func (j *pdfJob) printPlaces(ctx context.Context, doc docsearch.Doc) error {
	out := pdfPlaces{File: j.name, Phrase: j.find, Places: []docsearch.Place{}}
	for page, err := range doc.Pages(ctx, j.first, j.last) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			j.badInput(fmt.Errorf("%s: %w", j.name, err))
		}
		if page == nil {
			continue
		}
		places, err := page.Find(j.find)
		if err != nil {
			return usagef("--find: %w", err)
		}
		out.Places = append(out.Places, places...)
	}
	if j.format == "json" {
		return j.printJSON(out)
	}
	p := newPrinter(j.stdout)
	for _, x := range out.Places {
		p.printf("p. %d, l. %d: %s ", x.Page, x.Line, clean(strings.Join(strings.Fields(x.Text), " ")))
		for _, b := range x.Boxes {
			p.printf(" [%g %g %g %g]", b.X0, b.Y0, b.X1, b.Y1)
		}
		p.printf("\n")
	}
	p.printf("%d places in %s\n", len(out.Places), clean(j.name))
	return nil
}

func (j *pdfJob) printPages(ctx context.Context, doc docsearch.Doc) error {
	out := bufio.NewWriter(j.stdout)
	if j.format == "json" {
		head, err := json.Marshal(j.name)
		if err != nil {
			return err
		}
		meta, err := json.Marshal(doc.Meta())
		if err != nil {
			return err
		}
		fmt.Fprintf(out, `{"file": %s, "meta": %s, "pages": [`, head, meta)
	}
	n := 0
	var toc docsearch.Contents
	for i := 1; i < j.first; i++ {
		toc.Add(nil)
	}
	for page, err := range doc.Pages(ctx, j.first, j.last) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			j.complain(fmt.Errorf("%s: %w", j.name, err))
		}
		if page == nil { // the pages before it are written already
			page = &docsearch.Page{Number: j.first + n}
		}
		toc.Add(page)
		switch j.format {
		case "json":
			x := pdfPage{Page: page}
			if err != nil {
				x.Error = err.Error()
			}
			if x.Tables == nil {
				x.Tables = []docsearch.Table{}
			}
			if x.Figures == nil {
				x.Figures = []docsearch.Figure{}
			}
			data, err := json.Marshal(x)
			if err != nil {
				return err
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
		fmt.Fprintf(out, "\n], \"sections\": %s}\n", sections)
	}
	return out.Flush()
}
