package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
)

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
