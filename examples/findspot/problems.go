package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/docsearch"
)

// shownNames is how many names a line about several documents gives.
const shownNames = 3

// A problem is what keeps documents from being read, for one cause: a folder of scans makes one line of it, not a line a scan.
type problem struct {
	what   string // of several documents
	wayOut string // "" where there is none
	names  []string
	n      int
	first  error // said in full where it is the only one
}

// badDocument reports a document that could not be read, in one line with others of the same cause when the command ends, or at once with --verbose.
func (a *app) badDocument(bad *docsearch.IngestError) {
	a.bad++
	what, wayOut := a.causeOf(bad)
	if a.verbose {
		a.endProgress()
		a.complain(bad)
	}
	var p *problem
	for _, have := range a.problems {
		if have.what == what && have.wayOut == wayOut {
			p = have
		}
	}
	if p == nil {
		p = &problem{what: what, wayOut: wayOut, first: bad}
		a.problems = append(a.problems, p)
	}
	p.n++
	if len(p.names) < shownNames {
		p.names = append(p.names, bad.Name)
	}
}

// causeOf says what is wrong with documents, and the way out as this program has it.
func (a *app) causeOf(bad *docsearch.IngestError) (what, wayOut string) {
	scan := strings.EqualFold(filepath.Ext(bad.Name), ".pdf")
	switch {
	case errors.As(bad, new(*docsearch.ConflictError)):
		return "have the names of other documents", "add one of them with docs add --prefix NAME, or --ids content"
	case bad.Line > 0:
		return "are lines of JSON Lines without a document", "findspot docs add --help shows the format"
	case errors.Is(bad, docsearch.ErrNoText) && scan && a.ocr == "":
		return "have no text and may be scans", "--ocr tesseract reads scans"
	case errors.Is(bad, docsearch.ErrNoText):
		return "have no text", ""
	case errors.Is(bad, docsearch.ErrEncrypted):
		return "are locked", "docs add --password-file FILE opens one"
	case errors.Is(bad, docsearch.ErrTooLarge):
		return "are too large", "split them"
	case errors.Is(bad, docsearch.ErrUnsupported):
		return "have an unsupported format", "findspot docs add --help lists the formats"
	case errors.Is(bad, docsearch.ErrFormat):
		return "are damaged, or do not match their file extensions", "open one with another program to see which"
	case errors.Is(bad, fs.ErrPermission):
		return "are not readable by this user", "ls -l shows the permissions"
	case errors.Is(bad, fs.ErrNotExist):
		return "do not exist", ""
	}
	return "could not be read", ""
}

// tellProblems prints what badDocument collected.
func (a *app) tellProblems() {
	for _, p := range a.problems {
		a.endProgress()
		a.told += p.n
		if p.n == 1 {
			switch {
			case a.verbose: // it was said
			case p.wayOut != "":
				a.complain(fmt.Errorf("%w (%s)", p.first, p.wayOut))
			default:
				a.complain(p.first)
			}
			continue
		}
		names := strings.Join(p.names, ", ")
		if more := p.n - len(p.names); more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		hints := []string{}
		if p.wayOut != "" {
			hints = append(hints, p.wayOut)
		}
		if !a.verbose {
			hints = append(hints, "--verbose lists them")
		}
		line := fmt.Sprintf("%d documents %s: %s", p.n, p.what, names)
		if len(hints) > 0 {
			line += " (" + strings.Join(hints, "; ") + ")"
		}
		a.complain(errors.New(line))
	}
	a.problems = nil
}

// leftOut tells of files in a folder that no extractor reads.
func (a *app) leftOut(files map[string]int) {
	a.endProgress()
	n := 0
	for _, k := range files {
		n += k
	}
	fmt.Fprintf(a.stderr, "findspot: %s left out (unsupported type): %s\n", count(n, "file was", "files were"), clean(docsearch.FormatEndings(files)))
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
