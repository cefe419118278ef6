package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

func docsCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "docs",
		Short:   "Add, search and read documents",
		Example: "  findspot docs add papers\n  findspot docs search \"primary synchronization signal\"",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(docsAdd(a), docsEmbed(a), docsList(a), docsSearch(a), docsFind(a), docsRead(a), docsView(a), docsPage(a), docsAbstract(a), docsSections(a), docsRemove(a),
		docsShow(a), docsCollection(a), docsFresh(a), docsCheck(a), docsBackup(a))
	return c
}

// willChange is run before a command that changes the library of documents: others open it read-only.
func (a *app) willChange(*cobra.Command, []string) { a.changes = true }

// withDocs makes the body of a command on the library of documents.
func (a *app) withDocs(body func(ctx context.Context, lib *docsearch.Library, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		ws, err := a.openIndex(c.Context())
		if err != nil {
			return err
		}
		lib, err := ws.Docs(c.Context())
		if err != nil {
			return err
		}
		return body(c.Context(), lib, args)
	}
}

func docsFind(a *app) *cobra.Command {
	o := &docsearch.FindOptions{}
	c := &cobra.Command{
		Use:     "find DOC PATTERN",
		Short:   "Search one document for a phrase or a regular expression",
		Example: "  findspot docs find 38.331 --regexp \"ssb-[A-Z]\\w+\"",
		Args:    exactly(2),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			res, err := lib.Find(ctx, args[0], args[1], o)
			err = show(&a.console, res, err, func(res *docsearch.Found) error {
				p := newPrinter(a.stdout)
				for _, l := range res.Lines {
					a.link(visible.Spot{Doc: res.Doc, Name: res.Name, Page: l.Page, Line: l.Line}, fmt.Sprintf("p. %d, l. %d", l.Page, l.Line))
					p.printf(": %s\n", p.mark(l.Text, l.Matches))
				}
				p.printf("%s in %s\n", count(res.Total, "match", "matches"), clean(res.Name))
				return nil
			})
			if err != nil {
				return err
			}
			return found(nil, res.Total)
		}),
	}
	c.Flags().BoolVar(&o.Regexp, "regexp", false, "treat the pattern as a regular expression (RE2)")
	c.Flags().IntVar(&o.Limit, "limit", 100, "maximum number of lines")
	return c
}

// showText prints a stretch of a document in the form of --output. Lines of its raw text, which Markdown would join, stand in a block of code.
func showText(con *console, x *docsearch.Text, err error) error {
	if err == nil && con.output == outputMD && (x.Format == docsearch.FormatMarkdown || strings.EqualFold(path.Ext(x.Name), ".md")) { // it is Markdown
		return printText(con, x)
	}
	return show(con, x, err, func(x *docsearch.Text) error { return printText(con, x) })
}

// printText prints a stretch of a document with its place before it.
func printText(con *console, x *docsearch.Text) error {
	at := evidence.Place{Doc: x.Doc, Name: x.Name, Title: x.Title, Page: x.Page, Line: x.LineStart, EndLine: x.LineEnd}
	con.tell(visible.Spot{Doc: x.Doc, Name: x.Name, Page: x.Page, Line: x.LineStart}, at.String())
	con.printf("%s", clean(x.Text))
	if !strings.HasSuffix(x.Text, "\n") {
		con.printf("\n")
	}
	if x.Truncated {
		fmt.Fprintf(con.stderr, "findspot: cut after line %d\n", x.LineEnd)
	}
	return nil
}

func docsRead(a *app) *cobra.Command {
	o := &docsearch.ReadOptions{}
	format := ""
	c := &cobra.Command{
		Use:     "read DOC",
		Short:   "Print the text of a document",
		Example: "  findspot docs read attention.pdf --max 5000",
		Args:    exactly(1),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			var err error
			if o.Format, err = readFormat(ctx, lib, args[0], format); err != nil {
				return err
			}
			x, err := lib.Read(ctx, args[0], o)
			return showText(&a.console, x, err)
		}),
	}
	c.Flags().StringVar(&format, "format", "", "text or markdown (default: as the document was added)")
	c.Flags().IntVar(&o.MaxRunes, "max", 0, "maximum number of characters (default 200000)")
	return c
}

func docsView(a *app) *cobra.Command {
	var lines string
	c := &cobra.Command{
		Use:     "view DOC [FIRST-LAST]",
		Short:   "Print lines of a document",
		Example: "  findspot docs view attention.pdf 120-160",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 || len(args) == 2 && lines != "" {
				return usagef("docs view takes a document and a range of lines: %s", c.UseLine())
			}
			return nil
		},
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			if len(args) == 2 {
				lines = args[1]
			}
			first, last, err := pageRange(lines)
			if err != nil {
				return usagef("lines %q: give a line or a range from 1, such as 12 or 120-160", lines)
			}
			x, err := lib.View(ctx, args[0], docsearch.Lines{First: first, Last: last})
			return showText(&a.console, x, err)
		}),
	}
	c.Flags().StringVar(&lines, "lines", "", "range of lines, such as 120-160 (default all)")
	return c
}

func docsPage(a *app) *cobra.Command {
	format := ""
	c := &cobra.Command{
		Use:     "page DOC N",
		Short:   "Print one page of a document",
		Example: "  findspot docs page attention.pdf 3",
		Args:    exactly(2),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			first, last, err := pageRange(args[1])
			if err != nil || first != last {
				return usagef("page %q: give a number from 1", args[1])
			}
			f, err := readFormat(ctx, lib, args[0], format)
			if err != nil {
				return err
			}
			x, err := lib.Page(ctx, args[0], first)
			if f == docsearch.FormatMarkdown {
				x, err = lib.Markdown(ctx, args[0], first, first)
			}
			return showText(&a.console, x, err)
		}),
	}
	c.Flags().StringVar(&format, "format", "", "text or markdown (default: as the document was added)")
	return c
}

// readFormat is the format that a flag asks for, or that of the document.
func readFormat(ctx context.Context, lib *docsearch.Library, ref, flag string) (docsearch.Format, error) {
	switch f := docsearch.Format(flag); f {
	case docsearch.FormatText, docsearch.FormatMarkdown:
		return f, nil
	case "":
		d, err := lib.Resolve(ctx, ref)
		if err != nil {
			return "", err
		}
		return d.Format, nil
	default:
		return "", usagef("--format %s: give text or markdown", flag)
	}
}

func docsAbstract(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "abstract DOC",
		Short:   "Print the abstract of a document",
		Example: "  findspot docs abstract attention.pdf",
		Args:    exactly(1),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			x, err := lib.Abstract(ctx, args[0])
			return showText(&a.console, x, err)
		}),
	}
}

func docsSections(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "sections DOC [SECTION]",
		Short:   "List the sections of a document, or print one, by number or heading",
		Example: "  findspot docs sections 38.331\n  findspot docs sections 38.331 5.3.5.3\n  findspot docs sections attention.pdf \"Related work\"",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return usagef("docs sections takes a document, and optionally a section to print: %s", c.UseLine())
			}
			return nil
		},
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			if len(args) == 2 {
				doc, err := lib.Resolve(ctx, args[0])
				if err != nil {
					return err
				}
				s, err := lib.Section(ctx, doc.ID, args[1])
				if errors.Is(err, docsearch.ErrNotFound) { // the document is there, and has no such section
					a.complain(err)
					return errNo
				}
				return show(&a.console, s, err, func(s *docsearch.SectionText) error { return printText(&a.console, &s.Text) })
			}
			list, err := lib.Sections(ctx, args[0])
			err = show(&a.console, list, err, func(list []extract.Section) error {
				for i := range list {
					s := &list[i]
					a.printf("%s%s  (p. %d, l. %d-%d)\n", strings.Repeat("  ", min(s.Level, 9)-1), clean(s.Heading()), s.Page, s.Lines.First, s.Lines.Last)
				}
				if len(list) == 0 {
					fmt.Fprintln(a.stderr, "findspot: this document has no known headings")
				}
				return nil
			})
			return found(err, len(list))
		}),
	}
}

func docsRemove(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "remove DOC...",
		Short:   "Remove documents from the index, but keep their files",
		Example: "  findspot docs remove attention.pdf",
		Args:    atLeast(1),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, args []string) error {
			removed := []*docsearch.Document{}
			for _, ref := range args {
				d, err := lib.Resolve(ctx, ref)
				if err != nil {
					return err
				}
				if err := lib.Remove(ctx, d.ID); err != nil {
					return err
				}
				removed = append(removed, d)
			}
			return show(&a.console, removed, nil, func(removed []*docsearch.Document) error {
				for _, d := range removed {
					a.printf("removed   %s  %s\n", d.ID, clean(d.Name))
				}
				return nil
			})
		}),
	}
}

func docsCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "check",
		Short:   "Check the whole index of documents and report what is broken",
		Long:    "Read the whole index of documents and report what is broken. The exit status is 1 if something is.",
		Example: "  findspot docs check --dir .findspot",
		Args:    exactly(0),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			rep, err := lib.Check(ctx)
			err = show(&a.console, rep, err, func(rep *docsearch.Report) error {
				for _, p := range rep.Problems {
					if p.Doc != "" {
						a.printf("%s  %s\n  ", p.Doc, clean(p.Name))
					}
					a.printf("%s: %s\n", clean(p.What), p.Do)
				}
				a.printf("%s, %d characters of text, %s\n", count(rep.Documents, "document", "documents"), rep.Runes, count(len(rep.Problems), "problem", "problems"))
				return nil
			})
			if err == nil && len(rep.Problems) > 0 {
				return errNo
			}
			return err
		}),
	}
}

func docsBackup(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "backup DIR",
		Short: "Copy the index of documents into a new folder, even while in use",
		Long: `Copy the index of documents into a new folder, even while another process adds to it. The folder can be used as an
index (--dir DIR), and appears only when the copy is complete.`,
		Example: "  findspot docs backup /mnt/backup/papers",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			err = ws.BackupDocs(c.Context(), a.env.Path(args[0]), &docsearch.BackupOptions{Progress: func(done, total int64) {
				a.bar.show(findspot.Progress{Room: "docs", Name: args[0], Done: int(done >> 20), Total: int(total >> 20)})
			}})
			a.endProgress()
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "findspot: copied to %s\n", clean(args[0]))
			if a.json {
				return a.printJSON(map[string]string{"folder": args[0]})
			}
			return nil
		},
	}
}
