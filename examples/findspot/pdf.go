package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
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
			case a.output == outputMD && j.find == "" && j.images == "":
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
			case c.Flags().Changed("find") && j.find == "":
				return usagef("--find: give the words to find")
			case c.Flags().Changed("images") && j.images == "":
				return usagef("--images: give a folder")
			case j.find != "" && j.images != "":
				return usagef("--find and --images cannot be combined: run the command once for each")
			}
			j.name, j.format, j.first, j.last = args[0], format, first, last
			plain := j.images == "" && (j.find != "" || format == "text") // nothing else is printed then
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
	c.Flags().StringVar(&j.find, "find", "", "phrase to find; prints page, line and boxes in points")
	c.Flags().StringVar(&j.images, "images", "", "folder to write the images of figures into, as NAME-p3-1.png")
	c.Flags().BoolVar(&j.ocrFigures, "ocr-figures", false, "also read the text in figures that are images")
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

// bareError is what the system says, without the path that the caller knows better.
func bareError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
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
