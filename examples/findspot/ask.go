package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

func (a *app) askCommand() *cobra.Command {
	o := &findspot.AskOptions{}
	var answer string
	c := &cobra.Command{
		Use:     "ask QUESTION",
		Short:   "Print the evidence that documents and code hold for a question",
		Long:    "Builds or updates the index of --docs and --repo, and prints grounded evidence: passages, figures and tables of\ndocuments, entities of code, and callers when the question asks for them. Every piece has a key and its exact place.",
		Example: `  findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"`,
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			o.Ledger = evidence.NewLedger()
			ans, err := ws.Ask(c.Context(), strings.Join(args, " "), o)
			if err != nil {
				return err
			}
			if answer != "" {
				list, err := evidence.ListAnswer(c.Context(), o.Ledger, ans.Items, ans.Question)
				if err == nil {
					err = writeAnswer(c.Context(), answer, ws, o.Ledger, list)
				}
				if err != nil {
					return err
				}
			}
			if a.json {
				return a.printJSON(ans)
			}
			p := newPrinter(a.stdout)
			return ans.WriteText(p.w, p.open, p.close)
		},
	}
	answerFlag(c, &answer)
	c.Flags().IntVar(&o.Documents, "documents", 5, "most documents to take passages from")
	c.Flags().StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	c.Flags().IntVar(&o.Entities, "entities", 6, "most code entities, callers aside")
	c.Flags().IntVar(&o.Bodies, "bodies", 50, "most callers whose code is read and printed; -1 for none")
	return c
}

// printer writes evidence for people. On a terminal a match is bold, elsewhere it stands between guillemets.
type printer struct {
	w           io.Writer
	open, close string
}

func newPrinter(w io.Writer) *printer {
	if isTerminal(w) {
		return &printer{w, "\x1b[1m", "\x1b[0m"}
	}
	return &printer{w, "«", "»"}
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

// mark puts the marks around the byte ranges of s. Control characters of foreign text do not reach a terminal.
func (p *printer) mark(s string, ranges [][2]int) string {
	return visible.Mark(s, ranges, p.open, p.close)
}

func clean(s string) string { return visible.Text(s) }

// item prints a piece of evidence. As with printf, what standard output does not take is lost.
func (p *printer) item(it evidence.Item) { _ = it.WriteText(p.w, p.open, p.close) }
