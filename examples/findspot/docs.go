package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

func (a *app) docsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "docs",
		Short:   "Add, search and read documents",
		Example: "  findspot docs add papers\n  findspot docs search \"primary synchronization signal\"",
		Args:    noCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.docsAdd(), a.docsList(), a.docsSearch(), a.docsFind(), a.docsRead(), a.docsView(), a.docsPage(), a.docsAbstract(), a.docsRemove())
	return c
}

func (a *app) docsAdd() *cobra.Command {
	return &cobra.Command{
		Use:     "add PATH...",
		Short:   "Add folders of documents, or single ones, or bring them up to date",
		Example: "  findspot docs add papers notes/plan.md",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := a.open(c.Context()); err != nil {
				return err
			}
			docs := []*docsearch.Document{}
			for _, p := range args {
				err := a.addDocs(c.Context(), p, func(d *docsearch.Document) {
					docs = append(docs, d)
					if !a.json {
						a.endProgress()
						a.printf("%-9s %s  %s (%d pages)\n", d.Change, d.ID, clean(d.Name), d.Pages)
					}
				})
				if err != nil {
					return err
				}
			}
			a.endProgress()
			if a.json {
				return a.printJSON(docs)
			}
			return nil
		},
	}
}

func (a *app) docsList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the documents of the index",
		Example: "  findspot docs list --json",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			docs, err := lib.Documents(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				if docs == nil {
					docs = []*docsearch.Document{}
				}
				return a.printJSON(docs)
			}
			for _, d := range docs {
				if d.Status == docsearch.StatusFailed {
					a.printf("%s  %s  not read: %s\n", d.ID, clean(d.Name), clean(d.Reason))
					continue
				}
				a.printf("%s  %s  %q, %d pages\n", d.ID, clean(d.Name), d.Title, d.Pages)
			}
			return nil
		},
	}
}

func (a *app) library(c *cobra.Command) (*docsearch.Library, error) {
	ws, err := a.open(c.Context())
	if err != nil {
		return nil, err
	}
	return ws.Docs(c.Context())
}

func (a *app) docsSearch() *cobra.Command {
	var in string
	o := &docsearch.SearchOptions{}
	c := &cobra.Command{
		Use:     "search QUERY",
		Short:   "Search the documents: exact phrase, then all words, then any word",
		Example: "  findspot docs search \"primary synchronization signal\" --limit 3\n  findspot docs search \"SSB burst\" --in 38.331 --json",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			o.Doc = in
			res, err := ws.SearchDocs(c.Context(), strings.Join(args, " "), o)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(res)
			}
			p := newPrinter(a.stdout)
			for _, h := range res.Hits {
				p.printf("%s  %q  (%s, %s)\n", clean(h.Name), h.Title, h.Tier, h.Doc)
				for _, x := range h.Passages {
					p.printf("  p. %d, l. %d-%d (%s)\n     %s\n", x.Page, x.LineStart, x.LineEnd, x.Tier, p.mark(x.Snippet, x.Matches))
				}
				for _, x := range h.Figures {
					p.printf("  p. %d figure (%s): %s\n", x.Page, x.Tier, clean(x.Caption))
				}
				for _, x := range h.Tables {
					p.printf("  p. %d table (%s): %s\n", x.Page, x.Tier, clean(x.Caption))
				}
			}
			p.printf("%d of %d documents that match; %d searched\n", len(res.Hits), res.Total, res.Searched.Documents)
			return nil
		},
	}
	c.Flags().StringVar(&in, "in", "", "only in this document: id, name, or a unique part of its name or title")
	c.Flags().IntVar(&o.Limit, "limit", 10, "most documents")
	c.Flags().IntVar(&o.Passages, "passages", 3, "most passages of a document")
	return c
}

func (a *app) docsFind() *cobra.Command {
	o := &docsearch.FindOptions{}
	c := &cobra.Command{
		Use:     "find DOC PATTERN",
		Short:   "Search one document for words in a row, or a regular expression",
		Example: "  findspot docs find 38.331 --regexp \"ssb-[A-Z]\\w+\"",
		Args:    exactly(2),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			found, err := lib.Find(c.Context(), args[0], args[1], o)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(found)
			}
			p := newPrinter(a.stdout)
			for _, l := range found.Lines {
				p.printf("p. %d, l. %d: %s\n", l.Page, l.Line, p.mark(l.Text, l.Matches))
			}
			p.printf("%d matches in %s\n", found.Total, clean(found.Name))
			return nil
		},
	}
	c.Flags().BoolVar(&o.Regexp, "regexp", false, "the pattern is a regular expression (RE2)")
	c.Flags().IntVar(&o.Limit, "limit", 100, "most lines")
	return c
}

// printText prints a stretch of a document with its place before it.
func (a *app) printText(x *docsearch.Text, err error) error {
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(x)
	}
	at := evidence.Place{Doc: x.Doc, Name: x.Name, Title: x.Title, Page: x.Page, Line: x.LineStart, EndLine: x.LineEnd}
	fmt.Fprintf(a.stderr, "%s\n", at)
	a.printf("%s", clean(x.Text))
	if !strings.HasSuffix(x.Text, "\n") {
		a.printf("\n")
	}
	if x.Truncated {
		fmt.Fprintf(a.stderr, "findspot: cut after line %d\n", x.LineEnd)
	}
	return nil
}

func (a *app) docsRead() *cobra.Command {
	o := &docsearch.ReadOptions{}
	c := &cobra.Command{
		Use:     "read DOC",
		Short:   "Print the text of a document",
		Example: "  findspot docs read attention.pdf --max 5000",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			return a.printText(lib.Read(c.Context(), args[0], o))
		},
	}
	c.Flags().IntVar(&o.MaxRunes, "max", 0, "most characters (default 200000)")
	return c
}

func (a *app) docsView() *cobra.Command {
	var lines string
	c := &cobra.Command{
		Use:     "view DOC [FIRST-LAST]",
		Short:   "Print lines of a document",
		Example: "  findspot docs view attention.pdf 120-160",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 && lines == "" {
				lines, args = args[1], args[:1]
			}
			if len(args) != 1 {
				return usagef("docs view takes a document and a range of lines: %s", c.UseLine())
			}
			first, last, err := pageRange(lines)
			if err != nil {
				return usagef("lines %q: give a line or a range from 1, such as 12 or 120-160", lines)
			}
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			return a.printText(lib.View(c.Context(), args[0], docsearch.Lines{First: first, Last: last}))
		},
	}
	c.Flags().StringVar(&lines, "lines", "", "the range of lines, such as 120-160 (default all)")
	return c
}

func (a *app) docsPage() *cobra.Command {
	return &cobra.Command{
		Use:     "page DOC N",
		Short:   "Print one page of a document",
		Example: "  findspot docs page attention.pdf 3",
		Args:    exactly(2),
		RunE: func(c *cobra.Command, args []string) error {
			first, last, err := pageRange(args[1])
			if err != nil || first != last {
				return usagef("page %q: give a number from 1", args[1])
			}
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			return a.printText(lib.Page(c.Context(), args[0], first))
		},
	}
}

func (a *app) docsAbstract() *cobra.Command {
	return &cobra.Command{
		Use:     "abstract DOC",
		Short:   "Print the abstract of a document",
		Example: "  findspot docs abstract attention.pdf",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			return a.printText(lib.Abstract(c.Context(), args[0]))
		},
	}
}

func (a *app) docsRemove() *cobra.Command {
	return &cobra.Command{
		Use:     "remove DOC...",
		Short:   "Remove documents from the index; their files stay",
		Example: "  findspot docs remove attention.pdf",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			lib, err := a.library(c)
			if err != nil {
				return err
			}
			for _, ref := range args {
				d, err := lib.Resolve(c.Context(), ref)
				if err != nil {
					return err
				}
				if err := lib.Remove(c.Context(), d.ID); err != nil {
					return err
				}
				a.printf("removed   %s  %s\n", d.ID, clean(d.Name))
			}
			return nil
		},
	}
}
