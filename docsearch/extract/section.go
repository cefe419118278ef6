package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/clause"
)

// A Section is a part of a document under a heading: a chapter, a clause, an annex.
type Section struct {
	Number string `json:"number,omitempty"` // "5.3.5.3", "A.1", "IV"; "" when the heading has none
	Title  string `json:"title"`            // the heading without its number
	Level  int    `json:"level"`            // from 1
	Page   int    `json:"page"`             // page that it begins on, from 1
	// Lines are those of the raw text, from the heading to the last line before the next section of this level or above.
	Lines Lines `json:"lines"`
	// Parent is the index of the section around it in the list that holds both, -1 for none.
	Parent int `json:"parent"`
}

// Lines is a range of lines of the raw text, from 1, both inclusive. Last 0 means the end.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// Heading returns number and title as one line.
func (s *Section) Heading() string { return strings.TrimSpace(s.Number + " " + s.Title) }

// maxSections bounds the sections of one document.
const maxSections = 20_000

// Contents collects the headings of a document's pages and makes its sections of them. The zero value is ready. It is used by
// one goroutine at a time.
type Contents struct {
	found []located
	pages int
	lines int
}

// located is a heading with its place in the document.
type located struct {
	Heading
	page, line int // of the document, from 1
	number     clause.Number
	title      string
	numbered   bool
}

// Add takes the next page of the document; nil stands for a page without text that can be read, which counts one line.
func (c *Contents) Add(p *Page) {
	c.pages++
	if p == nil {
		c.lines++
		return
	}
	lines := strings.Count(p.Text, "\n")
	if !strings.HasSuffix(p.Text, "\n") {
		lines++
	}
	for _, h := range p.Headings {
		if h.Line < 1 || h.Line > lines || len(c.found) >= maxSections {
			continue
		}
		h.Text = strings.ToValidUTF8(h.Text, "\uFFFD") // as the text of the page will be
		x := located{Heading: h, page: c.pages, line: c.lines + h.Line}
		x.number, x.title, x.numbered = clause.Parse(h.Text)
		c.found = append(c.found, x)
	}
	c.lines += lines
}

// fewBookmarks is how many places an outline must name to be the document's table of contents.
const fewBookmarks = 3

// Sections returns the sections of the pages added so far, in the order of the text. Where the document has an outline, the sections are its
// entries, with the numbered headings below them that it leaves out. Otherwise they are the headings told by their looks;
// numbered ones count as far as their numbers go up.
func (c *Contents) Sections() []Section {
	all := slices.Clone(c.found)
	slices.SortStableFunc(all, func(a, b located) int { return cmp.Compare(a.line, b.line) })
	letterAppendices(all)
	marks := 0
	for i := range all {
		if all[i].Bookmark {
			marks++
		}
	}
	if marks >= fewBookmarks {
		all = outlined(all)
	} else {
		all = ascending(all)
	}
	out := make([]Section, 0, len(all))
	var open []int // indexes of the sections around the next one
	for i := range all {
		x := &all[i]
		level := max(1, x.Level)
		for len(open) > 0 && out[open[len(open)-1]].Level >= level {
			open = open[:len(open)-1]
		}
		s := Section{Title: x.title, Level: level, Page: x.page, Lines: Lines{First: x.line, Last: c.lines}, Parent: -1}
		if x.numbered {
			s.Number = x.number.Text
			if s.Title == "" && x.number.Word != "" {
				s.Title = x.Text
			}
		}
		if len(open) > 0 {
			s.Parent = open[len(open)-1]
		}
		open = append(open, len(out))
		out = append(out, s)
	}
	// A section ends where the next one begins that does not lie within it.
	var ends []int
	for i := len(out) - 1; i >= 0; i-- {
		for len(ends) > 0 && out[ends[len(ends)-1]].Level > out[i].Level {
			ends = ends[:len(ends)-1]
		}
		if len(ends) > 0 {
			out[i].Lines.Last = max(out[i].Lines.First, out[ends[len(ends)-1]].Lines.First-1)
		}
		ends = append(ends, i)
	}
	return out
}

// numerals are the numbers of chapters that outlines have without a point.
var numerals = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}

// letterAppendices reads "A Tables" and "B Proofs" as appendices where they follow numbered sections and each other: elsewhere
// the letter is an article. Entries of an outline that begin I, II, III in a row are chapters.
func letterAppendices(all []located) {
	next, decimal, roman := byte('A'), false, 0
	for i := range all {
		x := &all[i]
		if x.numbered {
			decimal = decimal || x.number.Kind == clause.Decimal
			if x.number.Kind == clause.Letter && x.number.Depth == 1 {
				next = x.number.Text[0] + 1
			}
			continue
		}
		if first, title, ok := strings.Cut(x.Text, " "); ok && x.Bookmark && roman < len(numerals) && first == numerals[roman] {
			x.number, x.title, x.numbered = clause.Number{Text: first, Kind: clause.Roman, Depth: 1}, title, true
			roman++
			continue
		}
		if decimal && len(x.Text) > 2 && x.Text[0] == next && x.Text[1] == ' ' && x.Text[2] >= 'A' && x.Text[2] <= 'Z' {
			x.number, x.title, x.numbered = clause.Number{Text: x.Text[:1], Kind: clause.Letter, Depth: 1}, strings.TrimSpace(x.Text[2:]), true
			next++
		}
	}
}

// outlined keeps the entries of the outline, and numbered headings that stand where their number belongs.
func outlined(all []located) []located {
	have, titles := map[string]bool{}, map[string]bool{}
	for i := range all {
		if all[i].Bookmark {
			titles[strings.ToLower(all[i].title)] = true
		}
		if all[i].Bookmark && all[i].numbered {
			have[strings.ToLower(all[i].number.Text)] = true
		}
	}
	var out []located
	var within *located // the last numbered entry of the outline
	var last clause.Number
	for i := range all {
		x := all[i]
		switch {
		case x.Bookmark:
			if n := len(out); n > 0 && out[n-1].line == x.line && out[n-1].Text == x.Text {
				continue
			}
			out = append(out, x)
			within = nil
			if x.numbered {
				within, last = &all[i], x.number
			}
		case within != nil && x.numbered && !have[strings.ToLower(x.number.Text)] && clause.Within(within.number, x.number) && clause.Compare(x.number, last) > 0:
			x.Level = within.Level + x.number.Depth - within.number.Depth
			out = append(out, x)
			last = x.number
		case !x.numbered && clause.Known(x.title) && !titles[strings.ToLower(x.title)]:
			x.Level = 1 // "References", which outlines leave out
			out = append(out, x)
			within = nil
		}
	}
	return out
}

// ascending keeps the longest run of numbered headings whose numbers go up, and those without a number.
func ascending(all []located) []located {
	keep := make([]bool, len(all))
	for _, kind := range []clause.Kind{clause.Decimal, clause.Roman, clause.Letter} {
		var idx []int
		for i := range all {
			if all[i].numbered && all[i].number.Kind == kind {
				idx = append(idx, i)
			}
		}
		// Annexes and appendices follow the chapters; a letter alone may also stand below a Roman number and begins
		// again there, so letters are not asked to go up.
		if kind == clause.Letter {
			for _, i := range idx {
				keep[i] = true
			}
			continue
		}
		for _, i := range longestRun(all, idx) {
			keep[i] = true
		}
	}
	var out []located
	for i := range all {
		if keep[i] || !all[i].numbered {
			out = append(out, all[i])
		}
	}
	return out
}

// longestRun returns the longest part of idx whose numbers go up; patience sorting, n log n.
func longestRun(all []located, idx []int) []int {
	prev := make([]int, len(idx))
	var tails []int // positions in idx: the least end of a run of each length
	for k, i := range idx {
		at, _ := slices.BinarySearchFunc(tails, i, func(t, i int) int {
			return clause.Compare(all[idx[t]].number, all[i].number)
		})
		prev[k] = -1
		if at > 0 {
			prev[k] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, k)
		} else {
			tails[at] = k
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var out []int
	for k := tails[len(tails)-1]; k >= 0; k = prev[k] {
		out = append(out, idx[k])
	}
	slices.Reverse(out)
	return out
}
