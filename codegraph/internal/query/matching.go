package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// A Matcher finds the lines that hold most of some words. It looks at each line once, so that a class and its methods share the work. It is used by one goroutine.
type Matcher struct {
	texts *Texts
	terms []string
	held  []bool
	files map[string][]int // how many of the words each line has, and one more; 0 for a line that was not looked at
}

// Matcher finds lines with the words.
func (r *Texts) Matcher(terms []string) *Matcher {
	return &Matcher{texts: r, terms: terms, held: make([]bool, len(terms)), files: map[string][]int{}}
}

// Lines gives the lines of an entity, or of the comment above it, that hold most of the words, at most so many, in order.
func (m *Matcher) Lines(n uint32, most int) ([]int, error) {
	g := m.texts.g
	e := g.Node(n)
	if e.Kind == model.Directory {
		return nil, nil
	}
	src, err := m.texts.sources.File(e.Path)
	if err != nil {
		return nil, err
	}
	first := e.Line
	if start, _, _ := g.Extent(n); e.Kind != model.File {
		first -= strings.Count(string(src[sourcetext.CommentAbove(string(src), int32(start)):start]), "\n")
	}
	counts := m.files[e.Path]
	type scored struct{ line, n int }
	var list []scored
	memo := memos.Get()
	defer memos.Put(memo)
	at := 0
	for line := range strings.Lines(string(src)) {
		if at++; at > e.EndLine {
			break
		}
		if at > len(counts) {
			counts = append(counts, 0)
		}
		if at < first {
			continue
		}
		if counts[at-1] == 0 {
			counts[at-1] = 1 + m.count(line, memo)
		}
		if have := counts[at-1] - 1; have > 0 {
			list = append(list, scored{at, have})
		}
	}
	m.files[e.Path] = counts
	slices.SortStableFunc(list, func(a, b scored) int { return b.n - a.n })
	var out []int
	for _, l := range list[:min(most, len(list))] {
		out = append(out, l.line)
	}
	slices.Sort(out)
	return out, nil
}

// count is how many of the words a line has.
func (m *Matcher) count(line string, memo *text.Memo) (have int) {
	if !mayHold(strings.ToLower(line), m.terms) {
		return 0
	}
	clear(m.held)
	hold := func(word string) {
		for i, t := range m.terms {
			m.held[i] = m.held[i] || t == word
		}
	}
	memo.Each(line, func(t *text.Token, _ int) { // what text.Terms lists
		if t.Stop {
			return
		}
		for i := range t.Parts {
			hold(t.Parts[i].Term)
		}
		if t.Whole != "" {
			hold(t.Whole)
		}
	})
	for _, h := range m.held {
		have += b2i(h)
	}
	return have
}

// mayHold tells quickly whether a line in lower case may hold a word with one of the stems: a word begins as its stem does, but for the last
// letters and for accents.
func mayHold(line string, stems []string) bool {
	if strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return true
	}
	for _, w := range stems {
		if strings.Contains(line, beginning(w)) {
			return true
		}
	}
	return false
}

func beginning(stem string) string { return stem[:max(min(len(stem), 1), len(stem)-2)] }
