package elasticstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
)

const (
	page      = 1000  // records of the first request
	maxWindow = 10000 // records that a server gives at once
	maxVerify = 10000 // records whose texts decide what the index cannot
	maxDocs   = 60000 // distinct documents that are counted
	nearDocs  = 20    // documents beyond the limit whose scores are looked at when they are nearly as high
	nearParts = 8     // the same for records of a document
)

// near is how much smaller a score of the server's can be than an exact one that is lower: it rounds to 32 bits, once for each term.
const near = 1 - 1e-5

func (s *store) Search(ctx context.Context, q *driver.Query) (*driver.Hits, error) {
	return read(ctx, s, func(ctx context.Context, st *state) (*driver.Hits, error) {
		return s.searchAt(ctx, st, q)
	})
}

func (s *store) searchAt(ctx context.Context, st *state, q *driver.Query) (*driver.Hits, error) {
	if st.Kinds[q.Kind].Records == 0 || q.Docs != nil && len(q.Docs) == 0 ||
		!slices.ContainsFunc(q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return &driver.Hits{}, nil
	}
	sc, err := newScorer(ctx, s.frequencies, st, q)
	if err != nil {
		return nil, err
	}
	p := build(q, sc)
	filter := append([]any{term1("type", typeRecord), p.query}, within(q.Docs)...)
	if p.decided {
		live := st.live(slices.Delete(slices.Clone(filter), 1, 2)...)
		hits, err := s.cluster.ranked(ctx, ranking{q.Kind, q.Limit, q.PerDoc, p.query, live}, func(list []*candidate) error { return s.cluster.rescore(ctx, sc, list) })
		if !errors.Is(err, errUndecided) {
			return hits, err
		}
		s.opt.Logger.Info("elasticstore: index and texts disagree", "prefix", s.cluster.prefix, "kind", q.Kind)
	}
	return s.cluster.verified(ctx, sc, st.live(filter...))
}

// within is a filter for the records of some documents; nil means all.
func within(docs []string) []any {
	if docs == nil {
		return nil
	}
	var should []any
	for part := range slices.Chunk(docs, 60000) { // a terms query takes 65,536 values
		should = append(should, object{"terms": object{"parent_doc_id": part}})
	}
	return []any{object{"bool": object{"should": should, "minimum_should_match": 1}}}
}

// errUndecided says that a text does not match what the index says it does.
var errUndecided = errors.New("the index does not decide this query")

// A candidate is a record that matches, with the server's score or the exact one.
type candidate struct {
	doc   string
	n     int
	id    string
	score float64
}

func (c *candidate) compare(d *candidate) int {
	return cmp.Or(cmp.Compare(d.score, c.score), strings.Compare(c.doc, d.doc), cmp.Compare(c.n, d.n))
}

// A ranking is a search in which the server decides which records match and scores them, exactly but for rounding.
type ranking struct {
	Kind          driver.Kind
	Limit, PerDoc int
	match, live   object // scores; only filters
}
