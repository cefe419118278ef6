package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/examples/findspot/internal/form"
)

func docsAdd(a *app) *cobra.Command {
	o := &docsearch.SourceOptions{}
	ids, passwordFile, markdown := "", "", false
	c := &cobra.Command{
		Use:     "add PATH...",
		Short:   "Add or update documents, as folders or single files",
		Example: "  findspot docs add papers notes/plan.md\n  findspot docs add corpus.jsonl\n  findspot docs add --prefix v2 --collection draft papers-v2",
		Long: `Add or update documents, as folders or single files: PDF, Word, PowerPoint, Excel, CSV, EPUB, LaTeX, reStructuredText,
AsciiDoc, Markdown, HTML, text, notebooks, RFCs and JSON Lines. A JSON Lines file (.jsonl, .jsonl.gz) contains one
document per line: {"id", "title", "text"}, and optionally authors, date and url. A document's id comes from its path
within the folder; if several folders contain a file with the same path, also from the folder's name: left//README.md.`,
		Args: atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch ids {
			case "name":
			case "content":
				o.ByContent = true
			default:
				return usagef("--ids %s: give name or content", ids)
			}
			if markdown {
				o.Format = docsearch.FormatMarkdown
			}
			if passwordFile != "" {
				if o.Password != "" {
					return usagef("give only one of --password and --password-file")
				}
				in, err := a.input(passwordFile)
				if err != nil {
					return err
				}
				data, _, err := readAtMost(in, 64<<10)
				if err != nil {
					return err
				}
				o.Password, _, _ = strings.Cut(strings.TrimSuffix(string(data), "\n"), "\n")
			}
			for _, p := range args {
				if err := noURL(a.env, p); err != nil {
					return err
				}
			}
			a.changes = true
			a.env.SpareMemory()
			if _, err := a.open(c.Context()); err != nil {
				return err
			}
			o.LeftOut = a.leftOut
			out := &added{con: &a.console}
			for _, p := range args {
				if err := a.addDocs(c.Context(), p, o, out.document); err != nil {
					return cmp.Or(err, out.end())
				}
			}
			err := out.end()
			a.tellApart("--docs", args)
			if err != nil || a.nothing == 0 {
				return err
			}
			return errNo
		},
	}
	c.Flags().StringVar(&o.Prefix, "prefix", "", "folder name to put before the names of the documents")
	c.Flags().StringVar(&ids, "ids", "name", "source of the ids: name or content (JSON Lines have their own ids)")
	c.Flags().StringArrayVar(&o.Collections, "collection", nil, "collection to put the documents into (repeatable)")
	c.Flags().BoolVar(&markdown, "markdown", false, "also keep the Markdown of the pages, and read it by default")
	c.Flags().StringVar(&o.Password, "password", "", "password of locked PDFs; it is not stored (others on this machine may see it: see --password-file)")
	c.Flags().StringVar(&passwordFile, "password-file", "", "file whose first line is the password; - is standard input")
	c.Flags().BoolVar(&o.Retry, "retry", false, "retry documents that could not be read, even if they have not changed")
	return c
}

// noURL refuses an address in the place of a path.
func noURL(e *env.Env, path string) error {
	scheme, _, ok := strings.Cut(path, "://")
	if !ok || strings.ContainsAny(scheme, `/\`) {
		return nil
	}
	if _, err := e.Lstat(path); err == nil {
		return nil
	}
	return usagef("%s is a URL, and findspot uses no network: download the file first, and add it", path)
}

// added prints what was added as it comes: there may be hundreds of thousands. After the first few documents they are counted, those of a file of JSON Lines with
// its name.
type added struct {
	con    *console
	n      int                      // documents
	shown  int                      // of them, those that were named
	hidden int                      // of them, those that were neither named nor counted
	all    map[docsearch.Change]int // by what was done
	file   string
	lines  map[docsearch.Change]int // of file
	within int                      // documents of file that were not named
	failed error
}

// How many documents are named, of all and of a file of JSON Lines.
const (
	shownDocuments = 20
	shownLines     = 10
)

func (p *added) document(d *docsearch.Document) {
	switch p.con.output {
	case outputLines:
		p.failed = cmp.Or(p.failed, p.con.printJSON(d))
		p.n++
		return
	case outputMD:
		if p.n == 0 {
			p.con.printf("%s", form.Row(true, "change", "status", "name", "title", "pages", "id"))
		}
		p.con.printf("%s", clean(form.Row(false, string(d.Change), string(d.Status), d.Name, d.Title, strconv.Itoa(d.Pages), d.ID)))
		p.n++
		return
	}
	if p.con.json {
		data, err := json.MarshalIndent(d, "  ", "  ")
		if err != nil {
			p.failed = cmp.Or(p.failed, err)
			return
		}
		p.con.printf("%s\n  %s", map[bool]string{true: "[", false: ","}[p.n == 0], data)
		p.n++
		return
	}
	if d.Origin != p.file {
		p.count()
	}
	if p.all == nil {
		p.all = map[docsearch.Change]int{}
	}
	p.n++
	p.all[d.Change]++
	if docsearch.IsJSONLines(d.Origin) {
		if p.lines == nil {
			p.file, p.lines = d.Origin, map[docsearch.Change]int{}
		}
		p.lines[d.Change]++
		if (total(p.lines) > shownLines || p.shown >= shownDocuments) && !p.con.verbose {
			p.within++
			return
		}
	}
	if p.shown >= shownDocuments && !p.con.verbose {
		p.hidden++
		return
	}
	p.shown++
	p.con.endProgress()
	p.con.printf("%-9s %s  %s (%s)\n", d.Change, clean(d.ID), clean(d.Name), count(d.Pages, "page", "pages"))
}

func total(changes map[docsearch.Change]int) (n int) {
	for _, k := range changes {
		n += k
	}
	return n
}

// byChange puts counts into words.
func byChange(changes map[docsearch.Change]int) string {
	var out []string
	for _, c := range []docsearch.Change{docsearch.Added, docsearch.Replaced, docsearch.Unchanged} {
		if k := changes[c]; k > 0 {
			out = append(out, fmt.Sprintf("%d %s", k, c))
		}
	}
	return count(total(changes), "document", "documents") + ": " + strings.Join(out, ", ")
}

// count prints the counts of a file of JSON Lines.
func (p *added) count() {
	if total(p.lines) > shownLines {
		p.con.endProgress()
		p.con.printf("%s: %s\n", clean(filepath.Base(p.file)), byChange(p.lines))
	} else {
		p.hidden += p.within
	}
	p.file, p.lines, p.within = "", nil, 0
}

func (p *added) end() error {
	p.con.endProgress()
	switch {
	case p.con.output == outputLines:
	case p.con.output == outputMD:
		if p.n == 0 {
			p.con.printf("Nothing.\n")
		}
	case !p.con.json:
		p.count()
		if p.hidden > 0 {
			p.con.printf("%s (docs list lists them)\n", byChange(p.all))
		}
	case p.n == 0:
		p.con.printf("[]\n")
	default:
		p.con.printf("\n]\n")
	}
	return p.failed
}
