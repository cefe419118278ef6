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
	files map[string]*matchedFile
}

type matchedFile struct {
	text, lower string // lower is in lower case, as long as text
	counts      []int  // how many of the words each line has, and one more; 0 for a line that was not looked at
}

// Matcher finds lines with the words.
func (r *Texts) Matcher(terms []string) *Matcher {
	return &Matcher{texts: r, terms: terms, held: make([]bool, len(terms)), files: map[string]*matchedFile{}}
}

// Lines gives the lines of an entity, or of the comment above it, that hold most of the words, at most so many, in order.
func (m *Matcher) Lines(n uint32, most int) ([]int, error) {
	g := m.texts.g
	e := g.Node(n)
	if e.Kind == model.Directory {
		return nil, nil
	}
	f := m.files[e.Path]
	if f == nil {
		src, err := m.texts.sources.File(e.Path)
		if err != nil {
			return nil, err
		}
		f = &matchedFile{text: string(src), lower: strings.ToLower(string(src))}
		if len(f.lower) != len(f.text) { // letters that have another length in lower case
			f.lower = f.text
		}
		m.files[e.Path] = f
	}
	first := e.Line
	if start, _, _ := g.Extent(n); e.Kind != model.File {
		first -= strings.Count(f.text[sourcetext.CommentAbove(f.text, int32(start)):start], "\n")
	}
	type scored struct{ line, n int }
	var list []scored
	memo := memos.Get()
	defer memos.Put(memo)
	at, end := 0, 0
	for line := range strings.Lines(f.text) {
		from := end
		end += len(line)
		if at++; at > e.EndLine {
			break
		}
		if at > len(f.counts) {
			f.counts = append(f.counts, 0)
		}
		if at < first {
			continue
		}
		if f.counts[at-1] == 0 {
			f.counts[at-1] = 1 + m.count(line, f.lower[from:end], memo)
		}
		if have := f.counts[at-1] - 1; have > 0 {
			list = append(list, scored{at, have})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.n - a.n })
	var out []int
	for _, l := range list[:min(most, len(list))] {
		out = append(out, l.line)
	}
	slices.Sort(out)
	return out, nil
}

// count is how many of the words a line has, which is given in lower case as well.
func (m *Matcher) count(line, lower string, memo *text.Memo) (have int) {
	if !mayHold(lower, m.terms) {
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

// beginning is what every word with a stem begins with. Short stems end otherwise than their words only in vowels, as that of dying does.
func beginning(stem string) string {
	n := len(stem)
	if n <= 3 && n > 0 && strings.IndexByte("aeiouy", stem[n-1]) < 0 {
		return stem
	}
	return stem[:max(min(n, 1), n-2)]
}
