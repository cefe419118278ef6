package memstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
)

var _ driver.Checker = (*store)(nil)

// Check implements [driver.Checker]: it counts everything again and compares it with the statistics.
func (s *store) Check(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return err
	}
	fresh := &store{kinds: map[driver.Kind]*kind{}}
	var bad []error
	for _, id := range slices.Sorted(maps.Keys(s.docs)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := s.docs[id]
		if e.doc.ID != id {
			bad = append(bad, &driver.DamageError{Doc: id, What: "it is kept under another id: " + e.doc.ID})
		}
		again := &entry{}
		for _, r := range e.records {
			if r.Doc != id {
				bad = append(bad, &driver.DamageError{Doc: id, What: fmt.Sprintf("%s record %d belongs to document %s", r.Kind, r.N, r.Doc)})
			}
			again.records = append(again.records, &record{r.Record, driver.Analyze(r.Text), driver.Analyze(r.Heads).Words})
		}
		fresh.count(again, 1)
	}
	for _, k := range driver.Kinds() {
		have, want := s.kinds[k], fresh.kinds[k]
		if have == nil {
			have = &kind{}
		}
		if want == nil {
			want = &kind{}
		}
		if have.records != want.records || !have.words.equal(want.words) || !have.idents.equal(want.idents) || !have.heads.equal(want.heads) {
			bad = append(bad, &driver.DamageError{What: fmt.Sprintf("the statistics of %s are not those of its records", k)})
		}
	}
	return errors.Join(bad...)
}

func (f field) equal(g field) bool { return f.length == g.length && maps.Equal(f.df, g.df) }
