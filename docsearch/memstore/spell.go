package memstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

func (s *store) Similar(ctx context.Context, name driver.Kind, term string, limit int) ([]driver.Spelling, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	word := []rune(term)
	k := s.kinds[name]
	if k == nil || len(word) < 3 {
		return nil, nil
	}
	most := 1
	if len(word) >= 6 {
		most = 2
	}
	var out []driver.Spelling
	for t, n := range k.words.df {
		if d := text.Distance(word, []rune(t)); d > 0 && d <= most {
			out = append(out, driver.Spelling{Term: t, Distance: d, Records: n})
		}
	}
	slices.SortFunc(out, func(a, b driver.Spelling) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Records, a.Records), strings.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), max(limit, 0))], nil
}

func (s *store) Count(ctx context.Context, name driver.Kind, terms []string) (*driver.Counts, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	out := &driver.Counts{Holding: make([]int, len(terms))}
	if k := s.kinds[name]; k != nil {
		out.Records = k.records
		for i, t := range terms {
			out.Holding[i] = k.words.df[t]
		}
	}
	return out, nil
}
