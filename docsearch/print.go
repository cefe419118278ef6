package docsearch

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/visible"
)

// String is the answer as a person reads it: the hits with their places, matches between guillemets, and how many there are.
func (r *Results) String() string {
	var b strings.Builder
	_ = r.WriteText(&b, "«", "»") // a builder takes everything
	return b.String()
}

// String is the document with its passages, figures and tables, as a person reads it.
func (h Hit) String() string {
	var b strings.Builder
	p := &printer{visible.Printer{W: &b, Open: "«", Close: "»"}}
	p.hit(&h)
	return b.String()
}

// WriteText writes what String gives, with other marks before and behind each match. What would be invisible in names and texts is written
// out. It returns the first error of writing.
func (r *Results) WriteText(w io.Writer, open, close string) error {
	p := &printer{visible.Printer{W: w, Open: open, Close: close}}
	if r.Searched.VectorsError != "" {
		p.Printf("Note: found by words alone: %s\n", visible.Text(r.Searched.VectorsError))
	}
	for _, n := range r.Read.Notes {
		p.Printf("Note: %s\n", visible.Text(n))
	}
	for _, s := range r.Read.Synonyms {
		p.Printf("Also searched for %s: %s\n", visible.Text(s.Term), visible.Text(strings.Join(s.As, ", ")))
	}
	if slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Tier == TierRelated }) {
		p.Printf("Words that go with these: %s\n", visible.Text(related(r.Read.Related, 6)))
	}
	for i := range r.Hits {
		p.hit(&r.Hits[i])
	}
	least := ""
	if !r.TotalExact {
		least = "at least "
	}
	if r.Mode == ModeQuestion {
		p.Printf("By what answers the question (tiers: with --tiers)\n")
	}
	p.Printf("%d of %s%d documents that match; %d searched", len(r.Hits), least, r.Total, r.Searched.Documents)
	if r.Searched.Outside > 0 {
		p.Printf(", %d left out", r.Searched.Outside)
	}
	if r.Searched.Failed > 0 {
		p.Printf(", %d not readable", r.Searched.Failed)
	}
	p.Printf("\n")
	switch {
	case r.Searched.Unread > 0:
		p.Printf("The texts of %s were not read to make sure\n", text.Plural(r.Searched.Unread, "document"))
	case r.Searched.FullText && len(r.Hits) == 0:
		p.Printf("The index was checked against the full texts\n")
	}
	for _, s := range r.Suggestions {
		p.Printf("%s is nowhere: did you mean %s?\n", visible.Text(s.Word), visible.Text(s.Replacement))
	}
	return p.Err
}

// related lists at most n related words.
func related(list []Related, n int) string {
	var out []string
	for _, r := range list[:min(n, len(list))] {
		out = append(out, fmt.Sprintf("%s (%s)", r.Word, text.Plural(r.Passages, "passage")))
	}
	return strings.Join(out, ", ")
}

// WriteRelated writes a line about the related words that were searched as well, all of them with the number of the best passages that hold them, or nothing where
// there are none. It returns the first error of writing.
func (r *Results) WriteRelated(w io.Writer) error {
	if len(r.Read.Related) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s ~ %s\n", visible.Text(strings.Join(r.Read.Words, " ")), visible.Text(related(r.Read.Related, len(r.Read.Related))))
	return err
}

// printer writes answers for people.
type printer struct{ visible.Printer }

func (p *printer) hit(h *Hit) {
	at := visible.Spot{Doc: h.Doc, Name: h.Name}
	p.Link(at, h.Name)
	p.Printf("  %q  (%s, %s)\n", h.Title, h.Tier, visible.Text(h.Doc))
	for _, x := range h.Passages {
		how := string(x.Tier)
		if len(x.Synonyms) > 0 {
			how += "; " + visible.Text(strings.Join(x.Synonyms, "; "))
		}
		if len(x.Related) > 0 {
			how += ": " + visible.Text(strings.Join(x.Related, ", "))
		}
		lines := fmt.Sprintf("l. %d", x.LineStart)
		if x.LineEnd != x.LineStart {
			lines += fmt.Sprintf("-%d", x.LineEnd)
		}
		p.Printf("  ")
		at.Page, at.Line = x.Page, x.LineStart
		p.Link(at, fmt.Sprintf("p. %d, %s", x.Page, lines))
		p.Printf(" (%s)\n     %s\n", how, visible.Mark(x.Snippet, x.Matches, p.Open, p.Close))
	}
	for _, x := range h.Figures {
		p.page(at, x.Page)
		p.Printf(" figure (%s): %s\n", x.Tier, visible.Text(x.Caption))
	}
	for _, x := range h.Tables {
		p.page(at, x.Page)
		p.Printf(" table (%s): %s\n", x.Tier, visible.Text(x.label()))
	}
}

// page prints the number of a page.
func (p *printer) page(at visible.Spot, n int) {
	at.Page, at.Line = n, 0
	p.Printf("  ")
	p.Link(at, fmt.Sprintf("p. %d", n))
}

// label is the caption of a table or, where it has none, its first row that says something.
func (t *TableHit) label() string {
	if t.Caption != "" {
		return t.Caption
	}
	for _, row := range t.Rows {
		if s := strings.Join(strings.Fields(strings.Join(row, " | ")), " "); strings.Trim(s, "| ") != "" {
			if r := []rune(s); len(r) > 100 {
				s = string(r[:100]) + "..."
			}
			return s
		}
	}
	return "without a caption"
}
