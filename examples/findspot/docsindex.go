package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

func docsList(a *app) *cobra.Command {
	o := &docsearch.ListOptions{}
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the documents of the index",
		Example: "  findspot docs list --json\n  findspot docs list --collection draft --status failed",
		Args:    exactly(0),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			switch o.Status {
			case "", docsearch.StatusReady, docsearch.StatusPending, docsearch.StatusFailed:
			default:
				return usagef("--status %s: give ready, pending or failed", o.Status)
			}
			out, limit := &added{con: &a.console}, o.Limit
			for n := 0; ; {
				o.Limit = 1000
				if limit > 0 {
					o.Limit = min(o.Limit, limit-n)
				}
				part, err := lib.List(ctx, o)
				if err != nil {
					return err
				}
				for _, d := range part.Documents {
					if a.json {
						out.document(d)
						continue
					}
					printDocument(&a.console, d)
				}
				if n += len(part.Documents); part.Next == "" || limit > 0 && n >= limit {
					if part.Next != "" {
						fmt.Fprintf(a.stderr, "findspot: %d of %d documents; --limit 0 lists all\n", n, part.Total)
					}
					break
				}
				o.After = part.Next
			}
			return out.end()
		}),
	}
	c.Flags().StringVar(&o.Collection, "collection", "", "only documents in this collection")
	c.Flags().StringVar(&o.Status, "status", "", "only documents with this status: ready, pending or failed")
	c.Flags().IntVar(&o.Limit, "limit", 0, "maximum number of documents (default all)")
	return c
}

// printDocument prints a line of a listing.
func printDocument(con *console, d *docsearch.Document) {
	in := ""
	if len(d.Collections) > 0 {
		in = "  [" + clean(strings.Join(d.Collections, ", ")) + "]"
	}
	switch d.Status {
	case docsearch.StatusFailed:
		con.printf("%s  %s  not read: %s%s\n", clean(d.ID), clean(d.Name), clean(d.Reason), in)
	case docsearch.StatusPending:
		con.printf("%s  %s  being read%s\n", clean(d.ID), clean(d.Name), in)
	default:
		con.printf("%s  %s  %q, %s%s\n", clean(d.ID), clean(d.Name), d.Title, count(d.Pages, "page", "pages"), in)
		if d.Pending != "" {
			con.printf("  still to do: %s\n", clean(d.Pending))
		}
		if d.Reason != "" {
			con.printf("  parts not read: %s\n", clean(d.Reason))
		}
	}
}

func docsShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "show DOC",
		Short:   "Print what is known about a document, such as authors and sections",
		Long:    "Print what is known about a document: status, source, size, authors, abstract and sections.",
		Example: "  findspot docs show attention.pdf",
		Args:    exactly(1),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			info, err := lib.Info(ctx, args[0])
			return show(&a.console, info, err, func(i *docsearch.Info) error {
				line := func(name, value string) {
					if value != "" {
						a.printf("%-13s %s\n", name, clean(strings.ReplaceAll(value, "\n", " ")))
					}
				}
				line("title", i.Title)
				line("authors", strings.Join(i.Authors, ", "))
				line("institutions", strings.Join(i.Institutions, ", "))
				line("date", i.Date)
				line("url", i.URL)
				line("id", i.ID)
				line("name", i.Name)
				line("status", i.Status)
				line("reason", i.Reason)
				line("pending", i.Pending)
				line("vectors", i.Vectors)
				line("added", i.Added.Format("2006-01-02 15:04:05Z"))
				line("source", fmt.Sprintf("%s (%s)", i.Origin, i.Source))
				line("size", fmt.Sprintf("%s, sha256 %s", count(int(i.Size), "byte", "bytes"), i.Hash))
				line("collections", strings.Join(i.Collections, ", "))
				line("format", string(i.Format))
				if i.Status != docsearch.StatusReady {
					return nil
				}
				line("text", fmt.Sprintf("%s, %s, %s, about %s", count(i.Pages, "page", "pages"), count(i.Lines, "line", "lines"),
					count(i.Runes, "character", "characters"), count(i.Tokens, "token", "tokens")))
				line("searched", fmt.Sprintf("%s, %s", count(i.Figures, "figure", "figures"), count(i.Tables, "table", "tables")))
				line("sections", count(len(i.Sections), "section", "sections"))
				if i.Abstract != nil {
					line("abstract", fmt.Sprintf("(p. %d, %s) %s", i.Abstract.Page, lines(i.Abstract.LineStart, i.Abstract.LineEnd), i.Abstract.Text))
				}
				return nil
			})
		}),
	}
}

// freshReport is what docs fresh prints.
type freshReport struct {
	*docsearch.SourceCheck
	New []string `json:"new"` // files beside those of documents
}

func docsFresh(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "fresh",
		Short:   "Compare the documents with their files, and list new files",
		Long:    "Compare the documents with the files they came from, and list new files in the same folders.",
		Example: "  findspot docs fresh",
		Args:    exactly(0),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			c, err := lib.CheckSources(ctx, 0)
			if err != nil {
				return err
			}
			news, err := beside(ctx, lib)
			if err != nil {
				return err
			}
			changes := c.Changed + c.Gone + len(news)
			err = show(&a.console, freshReport{c, news}, nil, func(freshReport) error {
				a.printf("%s: %d changed on disk, %d gone, %d new beside them, %d not from files\n", count(c.Documents, "document", "documents"), c.Changed, c.Gone, len(news), c.Unknown)
				for _, n := range c.Examples {
					a.printf("  %s (changed or gone)\n", clean(n))
				}
				for i, n := range news {
					if i == 20 {
						a.printf("  ... %d more\n", len(news)-i)
						break
					}
					a.printf("  %s (new)\n", clean(n))
				}
				if changes > 0 {
					fmt.Fprintln(a.stderr, "findspot: docs add FOLDER updates the index")
				}
				return nil
			})
			if err == nil && changes > 0 {
				err = errNo
			}
			return err
		}),
	}
}

// beside returns the files that could be read in the folders that documents came from, and are none of them; sorted, never nil. XML is left out: only its content says whether it
// is a document.
func beside(ctx context.Context, lib *docsearch.Library) ([]string, error) {
	known, folders := map[string]bool{}, map[string]bool{}
	err := lib.Origins(ctx, func(_, origin string) {
		if filepath.IsAbs(origin) {
			known[origin], folders[filepath.Dir(origin)] = true, true
		}
	})
	if err != nil {
		return nil, err
	}
	out := []string{}
	endings := slices.DeleteFunc(lib.Endings(), func(ext string) bool { return ext == ".xml" })
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		list, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) { // its documents count as gone
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			path := filepath.Join(dir, f.Name())
			if f.Type().IsRegular() && !strings.HasPrefix(f.Name(), ".") && !known[path] && slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
				out = append(out, path)
			}
		}
	}
	return out, nil
}

func docsCollection(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "collection",
		Short:   "Group documents into collections that limit searches and listings",
		Example: "  findspot docs collection add draft attention.pdf\n  findspot docs search --collection draft \"positional encoding\"",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(&cobra.Command{
		Use:     "list",
		Short:   "List the collections",
		Example: "  findspot docs collection list",
		Args:    exactly(0),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			all, err := lib.Collections(ctx)
			return show(&a.console, all, err, func(all []docsearch.Collection) error {
				for _, c := range all {
					a.printf("%s  (%s)\n", clean(c.Name), count(c.Documents, "document", "documents"))
				}
				return nil
			})
		}),
	}, &cobra.Command{
		Use:     "add NAME DOC...",
		Short:   "Add documents to a collection, which is created if needed",
		Example: "  findspot docs collection add draft attention.pdf bert.pdf",
		Args:    atLeast(2),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			ids, err := resolveAll(ctx, lib, args[1:])
			if err != nil {
				return err
			}
			n, err := lib.Collect(ctx, args[0], ids)
			return collected(a, args[0], n, "added", err)
		}),
	})
	all := false
	remove := &cobra.Command{
		Use:     "remove NAME [DOC...]",
		Short:   "Remove documents from a collection, but keep them in the index",
		Example: "  findspot docs collection remove draft bert.pdf\n  findspot docs collection remove draft --all",
		Args:    atLeast(1),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			if all == (len(args) > 1) {
				return usagef("docs collection remove takes documents, or --all")
			}
			var ids []string
			if !all {
				var err error
				if ids, err = resolveAll(ctx, lib, args[1:]); err != nil {
					return err
				}
			}
			n, err := lib.Uncollect(ctx, args[0], ids)
			return collected(a, args[0], n, "removed", err)
		}),
	}
	remove.Flags().BoolVar(&all, "all", false, "remove all of its documents, and the collection itself")
	c.AddCommand(remove, &cobra.Command{
		Use:     "rename OLD NEW",
		Short:   "Rename a collection, or merge it into an existing one",
		Example: "  findspot docs collection rename draft final",
		Args:    exactly(2),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			err := lib.RenameCollection(ctx, args[0], args[1])
			return show(&a.console, map[string]string{"collection": args[1], "was": args[0]}, err, func(map[string]string) error { return nil })
		}),
	})
	return c
}

func resolveAll(ctx context.Context, lib *docsearch.Library, refs []string) ([]string, error) {
	ids := []string{}
	for _, ref := range refs {
		d, err := lib.Resolve(ctx, ref)
		if err != nil {
			return nil, err
		}
		ids = append(ids, d.ID)
	}
	return ids, nil
}

// collected says what became of a collection.
func collected(a *app, name string, n int, what string, err error) error {
	out := map[string]any{"collection": name, what: n}
	return show(&a.console, out, err, func(map[string]any) error {
		a.printf("%-9s %s: %s\n", what, clean(name), count(n, "document", "documents"))
		return nil
	})
}
