package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf"
)

// pdfPage is one page as JSON: a page, or why it could not be read.
type pdfPage struct {
	*docsearch.Page
	Error string `json:"error,omitempty"`
}

// pdfFault is a file that could not be read, as JSON.
type pdfFault struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

func (a *app) pdfCommand() *cobra.Command {
	var format, pages, password string
	c := &cobra.Command{
		Use:     "pdf FILE",
		Short:   "Print the text, Markdown or structure of a PDF",
		Example: "  findspot pdf attention.pdf --format markdown --pages 1-3",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if a.json {
				format = "json"
			}
			if format != "text" && format != "markdown" && format != "json" {
				return usagef("--format %q: text, markdown or json", format)
			}
			first, last, err := pageRange(pages)
			if err != nil {
				return err
			}
			err = a.printPDF(c.Context(), args[0], format, first, last, &pdf.Options{Password: password})
			if err != nil && format == "json" && c.Context().Err() == nil {
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
	c.Flags().StringVar(&pages, "pages", "", "pages to print, such as 3 or 1-3 or 5- (default all)")
	c.Flags().StringVar(&password, "password", "", "password of a locked file")
	return c
}

// plainPathError drops the name of the system call, which tells a user nothing.
func plainPathError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}

// pageRange reads "3", "1-3" or "5-". Last 0 means the end.
func pageRange(s string) (first, last int, err error) {
	if s == "" {
		return 1, 0, nil
	}
	from, to, isRange := strings.Cut(s, "-")
	first, err = strconv.Atoi(from)
	if err == nil && !isRange {
		last = first
	}
	if err == nil && isRange && to != "" {
		last, err = strconv.Atoi(to)
	}
	if err != nil || first < 1 || last != 0 && last < first {
		return 0, 0, usagef("--pages %q: give a page or a range from 1, such as 3, 1-3 or 5-", s)
	}
	return first, last, nil
}

func (a *app) printPDF(ctx context.Context, name, format string, first, last int, o *pdf.Options) (err error) {
	if info, err := os.Stat(name); err != nil {
		return plainPathError(err)
	} else if !info.Mode().IsRegular() { // opening a named pipe would wait for a writer
		return fmt.Errorf("%s: not a file", name)
	}
	f, err := os.Open(name)
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
		return fmt.Errorf("%s: %w", name, err)
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	if n := doc.Meta().Pages; first > max(n, 1) {
		return fmt.Errorf("%s: %w: page %d; it has %d pages", name, docsearch.ErrNotFound, first, n)
	}
	out := bufio.NewWriter(a.stdout)
	if format == "json" {
		head, err := json.Marshal(name)
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
	for page, err := range doc.Pages(ctx, first, last) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.complain(fmt.Errorf("%s: %w", name, err))
		}
		if page == nil { // the pages before it are written already
			page = &docsearch.Page{Number: first + n}
		}
		if format == "json" {
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
		} else {
			text := page.Text
			if format == "markdown" {
				text = page.Markdown
			}
			if n > 0 {
				out.WriteByte('\f')
			}
			out.WriteString(clean(text))
		}
		n++
	}
	if format == "json" {
		out.WriteString("\n]}\n")
	}
	return out.Flush()
}
