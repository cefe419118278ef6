package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
			a.printAnswer(ans)
			return nil
		},
	}
	answerFlag(c, &answer)
	c.Flags().IntVar(&o.Documents, "documents", 5, "most documents to take passages from")
	c.Flags().StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	c.Flags().IntVar(&o.Entities, "entities", 6, "most code entities, callers aside")
	c.Flags().IntVar(&o.Bodies, "bodies", 50, "most callers whose code is read and printed; -1 for none")
	return c
}

func (a *app) printAnswer(ans *findspot.Answer) {
	p := newPrinter(a.stdout)
	section := ""
	head := func(s string) {
		if s != section {
			section = s
			p.printf("\n%s\n", s)
		}
	}
	p.printf("Question: %s\n", ans.Question)
	for _, s := range ans.Assumptions {
		p.printf("Assumed: %s\n", clean(s))
	}
	code := map[string]bool{} // of callers: shown with them
	for _, c := range ans.Callers {
		for _, x := range c.Callers {
			for _, k := range x.Code {
				code[k] = true
			}
		}
	}
	for _, it := range ans.Items {
		if code[it.Key] {
			continue
		}
		switch it.Kind {
		case evidence.KindPassage:
			head("Passages")
		case evidence.KindFigure, evidence.KindTable:
			head("Figures and tables")
		case evidence.KindEntity:
			head("Code")
		default:
			continue // with the callers
		}
		p.item(it)
	}
	for _, c := range ans.Callers {
		p.callers(c)
		p.callerCode(c, ans.Items)
	}
	if len(ans.Items) == 0 {
		p.printf("\nNothing was found.\n")
	}
	p.printf("\nSearched: %d documents, %d entities of %d repositories", ans.Searched.Documents, ans.Searched.Entities, ans.Searched.Repositories)
	if ans.Searched.FullText {
		p.printf("; no passage matches in the index, and the whole texts were read as well")
	}
	p.printf("\n")
	for _, s := range ans.Problems {
		p.printf("Note: %s\n", clean(s))
	}
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
	var b strings.Builder
	at := 0
	for _, r := range ranges {
		if r[0] < at || r[1] > len(s) || r[0] >= r[1] {
			continue
		}
		b.WriteString(clean(s[at:r[0]]) + p.open + clean(s[r[0]:r[1]]) + p.close)
		at = r[1]
	}
	b.WriteString(clean(s[at:]))
	return b.String()
}

func clean(s string) string { return visible.Text(s) }

func (p *printer) item(it evidence.Item) {
	p.printf("[%s] ", it.Key)
	if it.Kind == evidence.KindEntity || it.Kind == evidence.KindCaller || it.Kind == evidence.KindReference {
		p.printf("%s  %s", clean(it.At.Entity), clean(it.At.String()))
	} else {
		p.printf("%s", clean(it.At.String()))
	}
	var how []string
	for _, s := range []string{it.Tier, viaWords(it), it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	if len(how) > 0 {
		p.printf("  (%s)", strings.Join(how, "; "))
	}
	p.printf("\n")
	for i, line := range strings.Split(strings.TrimSpace(p.mark(it.Text, it.Matches)), "\n") {
		if i == 12 {
			p.printf("     ...\n")
			break
		}
		p.printf("     %s\n", line)
	}
}

// viaWords names the source of a caller; of the rest it goes without saying.
func viaWords(it evidence.Item) string {
	if it.Kind != evidence.KindCaller && it.Kind != evidence.KindReference {
		return ""
	}
	if it.Level == "" || it.Level == "exact" {
		return "by " + it.Via
	}
	return "by " + it.Via + ", level " + it.Level
}

func (p *printer) callers(c *findspot.CallersResult) {
	var ids []string
	for _, e := range c.Symbols {
		ids = append(ids, e.ID)
	}
	p.printf("\nCallers of %s: %s", clean(cmp.Or(strings.Join(ids, ", "), c.Asked)), c.Verdict)
	if n := len(c.Callers); n > 0 {
		calls := 0
		for _, x := range c.Callers {
			if x.Call {
				calls++
			}
		}
		p.printf(" (%d callers, %d other uses; ", calls, n-calls)
		if c.Tests == n {
			p.printf("all of them in test code)")
		} else {
			p.printf("%d of them in test code)", c.Tests)
		}
	}
	if c.Via != "" {
		p.printf(", by %s", c.Via)
	}
	p.printf("\n")
	for _, x := range c.Callers {
		it := findspot.CallerItem(x)
		it.Key = cmp.Or(x.Key, "-") // a dash when it was asked without an answer around it
		p.item(it)
	}
	if c.Unresolved > 0 || c.Outside > 0 {
		p.printf("     %d references to the name are unresolved, %d lead outside of the repository\n", c.Unresolved, c.Outside)
	}
	for _, u := range c.Unread {
		p.printf("     not explained: %s\n", clean(u))
	}
	for _, w := range c.Why {
		p.printf("     %s\n", clean(w))
	}
}

// callerCode prints the code of the callers that was read, with line numbers, and what the search came to.
func (p *printer) callerCode(c *findspot.CallersResult, items []evidence.Item) {
	if c.Code == nil {
		return
	}
	uses, printed := map[string]bool{}, map[string]bool{}
	for _, x := range c.Callers {
		for _, s := range x.Sites {
			uses[fmt.Sprintf("%s//%s:%d", x.Repo, s.Path, s.Line)] = true
		}
	}
	if c.Code.Read > 0 {
		p.printf("\nTheir code\n")
	}
	for _, x := range c.Callers {
		for _, k := range x.Code {
			if printed[k] {
				continue
			}
			printed[k] = true
			i := slices.IndexFunc(items, func(it evidence.Item) bool { return it.Key == k })
			if i < 0 {
				continue
			}
			it := items[i]
			p.printf("[%s] %s  %s\n", it.Key, clean(it.At.Entity), clean(it.At.String()))
			n := it.At.Line
			for line := range strings.Lines(it.Text) {
				mark := ' '
				if uses[fmt.Sprintf("%s//%s:%d", it.At.Repo, it.At.Path, n)] {
					mark = '>'
				}
				p.printf("    %c%5d  %s\n", mark, n, clean(strings.TrimRight(line, "\r\n")))
				n++
			}
		}
	}
	for _, u := range c.Code.Unread {
		p.printf("     code not read: %s\n", clean(u))
	}
	i := slices.IndexFunc(items, func(it evidence.Item) bool { return it.Key == c.Key })
	if i < 0 {
		return
	}
	state := "not complete"
	if c.Code.Complete {
		state = "complete"
	}
	p.printf("\n[%s] %s: %s\n", c.Key, state, clean(items[i].Text))
}
