package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// Matching gives the lines of an entity, or of the comment above it, that hold most of the words, at most so many, in order.
func (r *Texts) Matching(n uint32, terms []string, most int) ([]int, error) {
	e := r.g.Node(n)
	if e.Kind == model.Directory {
		return nil, nil
	}
	src, err := r.sources.File(e.Path)
	if err != nil {
		return nil, err
	}
	first := e.Line
	if start, _, _ := r.g.Extent(n); e.Kind != model.File {
		first -= strings.Count(string(src[sourcetext.CommentAbove(string(src), int32(start)):start]), "\n")
	}
	type scored struct{ line, n int }
	var list []scored
	memo := memos.Get()
	defer memos.Put(memo)
	held := make([]bool, len(terms))
	at := 0
	for line := range strings.Lines(string(src)) {
		if at++; at > e.EndLine {
			break
		}
		if at < first || !mayHold(strings.ToLower(line), terms) {
			continue
		}
		clear(held)
		hold := func(word string) {
			for i, t := range terms {
				held[i] = held[i] || t == word
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
		have := 0
		for _, h := range held {
			have += b2i(h)
		}
		if have > 0 {
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
