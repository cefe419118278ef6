package findspot

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

// String is the answer as a person reads it: the pieces of evidence under their keys, with places, matches between guillemets, and what was searched.
func (a *Answer) String() string {
	var b strings.Builder
	_ = a.WriteText(&b, "«", "»") // a builder takes everything
	return b.String()
}

// WriteText writes what String gives, with other marks before and behind each match. What would be invisible in names and texts is written
// out. It returns the first error of writing.
func (a *Answer) WriteText(w io.Writer, open, close string) error {
	p := &textPrinter{visible.Printer{W: w, Open: open, Close: close}}
	section := ""
	head := func(s string) {
		if s != section {
			section = s
			p.Printf("\n%s\n", s)
		}
	}
	p.Printf("Question: %s\n", a.Question)
	for _, s := range a.Assumptions {
		p.Printf("Assumed: %s\n", clean(s))
	}
	code := map[string]bool{} // of callers: shown with them
	for _, c := range a.Callers {
		for _, x := range c.Callers {
			for _, k := range x.Code {
				code[k] = true
			}
		}
	}
	for _, it := range a.Items {
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
	for _, c := range a.Callers {
		p.callers(c)
		p.callerCode(c, a.Items)
	}
	if len(a.Items) == 0 {
		p.Printf("\nNothing was found.\n")
	}
	p.Printf("\nSearched: %d documents, %d entities of %d repositories", a.Searched.Documents, a.Searched.Entities, a.Searched.Repositories)
	if a.Searched.FullText {
		p.Printf("; no passage matches in the index, and the whole texts were read as well")
	}
	p.Printf("\n")
	for _, s := range a.Problems {
		p.Printf("Note: %s\n", clean(s))
	}
	return p.Err
}

// String is the callers and uses as a person reads them.
func (c *CallersResult) String() string {
	var b strings.Builder
	_ = c.WriteText(&b, "«", "»") // a builder takes everything
	return b.String()
}

// WriteText writes what String gives, with other marks before and behind each match.
func (c *CallersResult) WriteText(w io.Writer, open, close string) error {
	p := &textPrinter{visible.Printer{W: w, Open: open, Close: close}}
	p.callers(c)
	return p.Err
}

// textPrinter writes answers for people.
type textPrinter struct{ visible.Printer }

func clean(s string) string { return visible.Text(s) }

func (p *textPrinter) item(it evidence.Item) {
	p.Keep(it.WriteText(p.W, p.Open, p.Close))
}

func (p *textPrinter) callers(c *CallersResult) {
	var ids []string
	for _, e := range c.Symbols {
		ids = append(ids, e.ID)
	}
	p.Printf("\nCallers of %s: %s", clean(cmp.Or(strings.Join(ids, ", "), c.Asked)), c.Verdict)
	if n := len(c.Callers); n > 0 {
		calls := 0
		for _, x := range c.Callers {
			if x.Call {
				calls++
			}
		}
		p.Printf(" (%d callers, %d other uses; ", calls, n-calls)
		if c.Tests == n {
			p.Printf("all of them in test code)")
		} else {
			p.Printf("%d of them in test code)", c.Tests)
		}
	}
	if c.Via != "" {
		p.Printf(", by %s", c.Via)
	}
	p.Printf("\n")
	for _, x := range c.Callers {
		it := items.Caller(callers.Use(x))
		it.Key = cmp.Or(x.Key, "-") // a dash when it was asked without an answer around it
		p.item(it)
	}
	if c.Unresolved > 0 || c.Outside > 0 {
		p.Printf("     %d references to the name are unresolved, %d lead outside of the repository\n", c.Unresolved, c.Outside)
	}
	for _, u := range c.Unread {
		p.Printf("     not explained: %s\n", clean(u))
	}
	for _, w := range c.Why {
		p.Printf("     %s\n", clean(w))
	}
}

// callerCode prints the code of the callers that was read, with line numbers, and what the search came to.
func (p *textPrinter) callerCode(c *CallersResult, items []evidence.Item) {
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
		p.Printf("\nTheir code\n")
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
			p.Printf("[%s] %s  %s\n", it.Key, clean(it.At.Entity), clean(it.At.String()))
			n := it.At.Line
			for line := range strings.Lines(it.Text) {
				mark := ' '
				if uses[fmt.Sprintf("%s//%s:%d", it.At.Repo, it.At.Path, n)] {
					mark = '>'
				}
				p.Printf("    %c%5d  %s\n", mark, n, clean(strings.TrimRight(line, "\r\n")))
				n++
			}
		}
	}
	for _, u := range c.Code.Unread {
		p.Printf("     code not read: %s\n", clean(u))
	}
	i := slices.IndexFunc(items, func(it evidence.Item) bool { return it.Key == c.Key })
	if i < 0 {
		return
	}
	state := "not complete"
	if c.Code.Complete {
		state = "complete"
	}
	p.Printf("\n[%s] %s: %s\n", c.Key, state, clean(items[i].Text))
}
