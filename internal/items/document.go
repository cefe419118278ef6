package items

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

// Passage is a passage that a search found.
func Passage(h docsearch.Hit, p docsearch.Passage) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindPassage, Text: p.Snippet, Matches: p.Matches, Tier: string(p.Tier), Score: p.Score, Via: "docs",
		At: evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: p.Page, Line: p.LineStart, EndLine: p.LineEnd, Start: p.Start, End: p.End},
	}
}

// Figure is a figure that a search found.
func Figure(h docsearch.Hit, f docsearch.FigureHit) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindFigure, Text: FigureText(f), Tier: string(f.Tier), Score: f.Score, Via: "docs",
		At:   evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: f.Page},
		Note: fmt.Sprintf("figure at %.0f,%.0f to %.0f,%.0f points", f.BBox.X0, f.BBox.Y0, f.BBox.X1, f.BBox.Y1),
	}
}

// FigureText is what is read of a figure.
func FigureText(f docsearch.FigureHit) string { return cmp.Or(f.Caption, f.OCR) }

// Table is a table that a search found, or some rows of it under the head.
func Table(h docsearch.Hit, t docsearch.TableHit) evidence.Item {
	it := evidence.Item{
		Kind: evidence.KindTable, Text: TableText(t), Tier: string(t.Tier), Score: t.Score, Via: "docs",
		At:   evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: t.Page},
		Note: fmt.Sprintf("table of %d rows at %.0f,%.0f to %.0f,%.0f points", len(t.Rows), t.BBox.X0, t.BBox.Y0, t.BBox.X1, t.BBox.Y1),
	}
	if t.Head != nil { // what does not stand right above the rows is no part of a text that can be quoted
		it.Note = strings.TrimSpace(t.Caption + "\n" + strings.Join(t.Head, " | "))
		t.Caption = ""
		it.Text = TableText(t)
	}
	return it
}

// TableText is what is read of a table: the caption, and a line a row.
func TableText(t docsearch.TableHit) string {
	var b strings.Builder
	b.WriteString(t.Caption)
	for _, row := range t.Rows {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.Join(row, " | "))
	}
	return b.String()
}

// Text is a stretch of a document that was read.
func Text(x *docsearch.Text) evidence.Item {
	return evidence.Item{Kind: evidence.KindPassage, Text: x.Text, Via: "docs", At: evidence.Place{
		Doc: x.Doc, Name: x.Name, Title: x.Title, Page: x.Page, Line: x.LineStart, EndLine: x.LineEnd, Start: x.Start, End: x.End}}
}

// StaleSources says which documents of an answer have files that changed since they were added, or are gone; "" for none.
func StaleSources(res *docsearch.Results) string {
	var out []string
	for _, x := range []struct {
		state docsearch.SourceState
		what  string
	}{{docsearch.SourceChanged, "changed on disk since they were added"}, {docsearch.SourceGone, "are gone from where they were added"}} {
		var names []string
		for i := range res.Hits {
			if res.Hits[i].Source == x.state {
				names = append(names, res.Hits[i].Name)
			}
		}
		if n := len(names); n > 5 {
			names = append(names[:5], fmt.Sprintf("and %d more", n-5))
		}
		if len(names) > 0 {
			out = append(out, "files that "+x.what+": "+strings.Join(names, ", "))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "; ") + "; add their folder again"
}
