package segments

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/vellum/levenshtein"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// automata make automata for the terms near one, by distance; they take some milliseconds to make.
var automata = [...]func() (*levenshtein.LevenshteinAutomatonBuilder, error){
	1: sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
		return levenshtein.NewLevenshteinAutomatonBuilder(1, false)
	}),
	2: sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
		return levenshtein.NewLevenshteinAutomatonBuilder(2, false)
	}),
}

// maxSimilar bounds how many terms one question looks at in a segment.
const maxSimilar = 10_000

// maxSpelling is the most runes of a word that is looked for: longer ones are no words, and their automata are large.
const maxSpelling = 64

// Similar finds the terms that are spelt nearly like one.
func Similar(ctx context.Context, v *View, kind driver.Kind, term string, limit int) (_ []driver.Spelling, err error) {
	word := []rune(term)
	if v.stats.Kinds[kind].Records == 0 || len(word) < 3 || len(word) > maxSpelling {
		return nil, nil
	}
	most := 1
	if len(word) >= 6 {
		most = 2
	}
	builder, err := automata[most]()
	if err != nil {
		return nil, err
	}
	dfa, err := builder.BuildDfa(term, uint8(most))
	if err != nil {
		return nil, err
	}
	records := map[string]int{}
	field := letters[kind] + ".words"
	for _, sh := range v.segments() {
		dict, err := sh.seg.Dictionary(field)
		if err != nil {
			return nil, err
		}
		it := dict.AutomatonIterator(dfa, nil, nil)
		for n := 0; n < maxSimilar; n++ {
			e, err := it.Next()
			if err != nil {
				return nil, err
			}
			if e == nil {
				break
			}
			if n%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			name := strings.Clone(e.Term)
			ps, err := sh.Postings(field, name)
			if err != nil {
				return nil, err
			}
			if ps != nil {
				records[name] += ps.live
			}
		}
	}
	var out []driver.Spelling
	for name, n := range records {
		if d := text.Distance(word, []rune(name)); n > 0 && d > 0 && d <= most {
			out = append(out, driver.Spelling{Term: name, Distance: d, Records: n})
		}
	}
	slices.SortFunc(out, func(a, b driver.Spelling) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Records, a.Records), strings.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), max(limit, 0))], nil
}

// Count returns how many records of a kind hold each of some terms of words.
func Count(ctx context.Context, v *View, kind driver.Kind, terms []string) (*driver.Counts, error) {
	out := &driver.Counts{Records: v.stats.Kinds[kind].Records, Holding: make([]int, len(terms))}
	if out.Records == 0 {
		return out, nil
	}
	sc := v.scratch()
	for i, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, s := range sc.shards {
			ps, err := s.Postings(letters[kind]+".words", t)
			if err != nil {
				return nil, err
			}
			if ps != nil {
				out.Holding[i] += ps.live
			}
		}
	}
	v.pool.Put(sc)
	return out, nil
}
