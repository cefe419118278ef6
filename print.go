package findspot

import (
	"cmp"
	"fmt"
	"io"
	"maps"
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
	p := &textPrinter{Printer: visible.Printer{W: w, Open: open, Close: close}, first: map[string]string{}}
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
	by := map[string]evidence.Item{}
	for _, it := range a.Items {
		by[it.Key] = it
	}
	for _, part := range a.Parts {
		if len(a.Parts) > 1 || len(a.Callers) > 0 {
			p.Printf("\n%s\n", clean(part.Question))
		} else {
			p.Printf("\n")
		}
		if part.Nothing && len(part.Keys) > 0 {
			p.Printf("Nothing was found that answers this. The nearest is about something else:\n")
		}
		for _, k := range part.Keys {
			p.piece(by[k])
			p.why(a.Why[k], by[k].Score)
			code[k] = true
		}
		if len(part.Keys) == 0 {
			p.Printf("Nothing was found.\n")
		}
		if part.Left > 0 {
			p.Printf("     %d more were found and left out: ask for more tokens, or skip %d\n", part.Left, len(part.Keys))
		} else if part.Far > 0 && !part.Nothing {
			p.Printf("     Nothing else is near.\n")
		}
	}
	for _, c := range a.Callers {
		p.callers(c)
		p.callerCode(c, a.Items)
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
	p := &textPrinter{Printer: visible.Printer{W: w, Open: open, Close: close}, first: map[string]string{}}
	p.callers(c)
	return p.Err
}

// textPrinter writes answers for people.
type textPrinter struct {
	visible.Printer
	first map[string]string // key of the first item of a document, by id
}

func clean(s string) string { return visible.Text(s) }

func (p *textPrinter) item(it evidence.Item) {
	p.Keep(it.WriteText(p.W, p.Open, p.Close))
}

// piece prints a piece of evidence. The title and the file of a document stand at its first piece alone.
func (p *textPrinter) piece(it evidence.Item) {
	if key := p.first[it.At.Doc]; key != "" {
		at := it.At
		at.Title, at.Name = "", ""
		p.Printf("[%s] as %s, ", it.Key, key)
		p.Link(items.Spot(it.At), at.Within())
		p.Printf("\n")
	} else if it.IsDocument() {
		p.first[it.At.Doc] = it.Key
		p.Printf("[%s] ", it.Key)
		p.Link(items.Spot(it.At), it.At.String())
		p.Printf("\n")
	} else {
		p.Printf("[%s] %s  ", it.Key, clean(it.At.Entity))
		p.Link(items.Spot(it.At), items.File(it.At)+it.At.Within())
		if it.Note != "" {
			p.Printf("  %s", clean(it.Note))
		}
		p.Printf("\n")
	}
	if it.Kind == evidence.KindTable && strings.Contains(it.Note, " | ") { // the head of its rows
		for line := range strings.Lines(it.Note) {
			p.Printf("     %s\n", clean(strings.TrimRight(line, "\r\n")))
		}
	}
	for line := range strings.Lines(visible.Mark(it.Text, it.Matches, p.Open, p.Close)) {
		p.Printf("     %s\n", strings.TrimRight(line, "\r\n"))
	}
}

// why prints what a score is made of.
func (p *textPrinter) why(signals map[string]float64, score float64) {
	if len(signals) == 0 {
		return
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(signals)) {
		if v := signals[name]; v != 0 {
			out = append(out, fmt.Sprintf("%s %.2f", name, v))
		}
	}
	p.Printf("     score %.2f: %s\n", score, strings.Join(out, ", "))
}

func (p *textPrinter) callers(c *CallersResult) {
	var ids []string
	for _, e := range c.Symbols {
		ids = append(ids, e.ID)
	}
	p.Printf("\nCallers of %s", clean(cmp.Or(strings.Join(ids, ", "), c.Asked)))
	if len(c.Declared) > 0 {
		ids = nil
		for _, e := range c.Declared {
			ids = append(ids, e.ID)
		}
		p.Printf(", declared as %s", clean(strings.Join(ids, ", ")))
	}
	p.Printf(": %s", c.Verdict)
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
		it.Key = x.Key // none when it was asked without an answer around it
		p.item(it)
	}
	if c.Unresolved > 0 || c.Outside > 0 {
		p.Printf("     %d references to the name are unresolved, %d lead outside of the repository\n", c.Unresolved, c.Outside)
	}
	for _, u := range c.Unread {
		p.Printf("     not explained: %s:%d  %s\n", clean(u.Path), u.Line, clean(u.Text))
	}
	for _, w := range c.Why {
		p.Printf("     %s\n", clean(w))
	}
}

// callerCode prints the code of the callers that was read, with line numbers, and what the search came to.
func (p *textPrinter) callerCode(c *CallersResult, list []evidence.Item) {
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
			i := slices.IndexFunc(list, func(it evidence.Item) bool { return it.Key == k })
			if i < 0 {
				continue
			}
			it := list[i]
			p.Printf("[%s] %s  ", it.Key, clean(it.At.Entity))
			p.Link(items.Spot(it.At), it.At.String())
			p.Printf("\n")
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
	why, ids := []string{}, map[string][]string{}
	for _, u := range c.Code.Unread { // "id: reason"
		i := strings.LastIndex(u, ": ")
		id, reason := u[:max(i, 0)], u[i+1:]
		if ids[reason] == nil {
			why = append(why, reason)
		}
		ids[reason] = append(ids[reason], id)
	}
	for _, reason := range why {
		p.Printf("     code not read,%s: %s\n", clean(reason), clean(strings.Join(ids[reason], ", ")))
	}
	i := slices.IndexFunc(list, func(it evidence.Item) bool { return it.Key == c.Key })
	if i < 0 {
		return
	}
	state := "not complete"
	if c.Code.Complete {
		state = "complete"
	}
	p.Printf("\n[%s] %s: %s\n", c.Key, state, clean(list[i].Text))
}
