package search

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// The words that go with those of a query are the frequent ones of the passages that it finds first: pseudo-relevance feedback with the form and the constants of
// RM3 (Abdul-Jaleel et al., UMass at TREC 2004: Novelty and HARD), but passages are vectors of length one, as in Rocchio's (Relevance Feedback in
// Information Retrieval, 1971), and a document counts by how much its score is above that of the first one that is not taken: where one stands out it decides alone,
// and where none does nothing is learned. docs/bench/associations.md compares.
const (
	relatedDocs   = 10 // documents that are taken for relevant, each with its best passage
	relatedTerms  = 20
	relatedAsked  = 40 // terms, those with the most weight, of which those are chosen that add most to scores
	relatedCommon = .1 // of the passages: terms that more hold say nothing, unless they are the query's
	relatedShare  = .4 // of the weight of all words is that of the terms of these passages
)

// A Related is a word that goes with those of the query; see docsearch.Related.
type Related struct {
	Word     string
	Passages int
}

// A relation is the words that go with those of a query.
type relation struct {
	list    []Related     // that are not in the query, those with the most weight first
	wording query.Variant // Words: the query's, then all that are related
}

// Related returns the words that go with those of the query and were looked for, those with the most weight first.
func (s *Search) Related() []Related {
	if s.related == nil {
		return nil
	}
	return s.related.list
}

// wording is the wording by which a part was found.
func (s *Search) wording(p Part) *query.Variant {
	if p.Tier == query.Related {
		return &s.related.wording
	}
	return &s.plan.Variants[p.variant]
}

// anyWord reports that a text holds a word of the query.
func (s *Search) anyWord(ss []match.Token) bool {
	return len(match.AllSpans(ss, s.plan.Variants[0].Words)) > 0
}

// relate adds to the documents of tier Any those that related words find, and to their scores what these add. more says that the tier has more documents
// than depth of each kind.
func (s *Search) relate(ctx context.Context, depth int, more bool) (bool, error) {
	if s.related == nil {
		var err error
		if s.related, err = s.relation(ctx); err != nil || s.related == nil {
			return more, err
		}
	}
	total, exact := s.total, s.exact
	further, err := s.tier(ctx, query.Related, s.in.IDs, depth)
	if err != nil {
		return false, err
	}
	s.total, s.exact = max(total, len(s.found)), exact && !further
	return more || further, nil
}

// relation reads the words that go with those of the query from the best passages of tier Any; nil where no document stands out.
func (s *Search) relation(ctx context.Context) (*relation, error) {
	type source struct {
		doc   *Doc
		score float64
	}
	var best []source
	for _, d := range s.found {
		if k := d.perTier[query.Any]; k[driver.KindChunk] > 0 {
			best = append(best, source{d, s.points(d, query.Any)})
		}
	}
	slices.SortFunc(best, func(a, b source) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.doc.Entry.Name, b.doc.Entry.Name))
	})
	least := 0.
	if len(best) > relatedDocs {
		least = best[relatedDocs].score
		best = best[:relatedDocs]
	}
	weights := map[string]float64{}
	held := map[string]int{}
	written := map[string]map[string]int{}
	for _, b := range best {
		if b.score <= least {
			break
		}
		recs, err := s.store.Records(ctx, b.doc.Entry.ID, driver.KindChunk, []int{b.doc.best})
		if errors.Is(err, errs.NotFound) {
			continue // removed or replaced while we searched
		}
		if err != nil {
			return nil, err
		}
		times, length := termsOf(recs[0].Text, written)
		for term, n := range times {
			weights[term] += (b.score - least) * float64(n) / length
			held[term]++
		}
	}
	own, count := map[string]bool{}, 0
	r := &relation{wording: query.Variant{Words: slices.Clone(s.plan.Variants[0].Words)}}
	for _, g := range r.wording.Words {
		for _, p := range g.Parts {
			own[p] = true
			count++
		}
	}
	terms, err := s.telling(ctx, weights, own)
	if err != nil || len(terms) == 0 {
		return nil, err
	}
	sum := 0.
	for _, t := range terms {
		sum += weights[t]
	}
	scale := relatedShare / (1 - relatedShare) * float64(count) / sum
	for _, t := range terms {
		r.wording.Words = append(r.wording.Words, driver.Group{Parts: []string{t}, Weight: scale * weights[t]})
		if !own[t] {
			r.list = append(r.list, Related{mostWritten(written[t]), held[t]})
		}
	}
	return r, nil
}

// telling chooses the terms that add most to scores, by weight and rarity; none where the engine counts no terms.
func (s *Search) telling(ctx context.Context, weights map[string]float64, own map[string]bool) ([]string, error) {
	counter, ok := s.store.(driver.Counter)
	if !ok {
		return nil, nil
	}
	terms := heaviest(weights, relatedAsked)
	counts, err := counter.Count(ctx, driver.KindChunk, terms)
	if errors.Is(err, errs.Unsupported) { // of a store behind this one
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	adds := map[string]float64{}
	for i, t := range terms {
		if n := counts.Holding[i]; own[t] || float64(n) <= relatedCommon*float64(counts.Records) {
			adds[t] = weights[t] * driver.IDF(counts.Records, n)
		}
	}
	return heaviest(adds, relatedTerms), nil
}

// heaviest returns the n terms with the most weight, most first.
func heaviest(weights map[string]float64, n int) []string {
	terms := slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), strings.Compare(a, b))
	})
	return terms[:min(len(terms), n)]
}

// termsOf counts the terms of a passage that may be related to others, and in written how each was written; length is that of the counts as a vector. Short
// terms and numbers say little of a subject.
func termsOf(passage string, written map[string]map[string]int) (times map[string]int, length float64) {
	times = map[string]int{}
	memo := memos.Get()
	defer memos.Put(memo)
	memo.Each(passage, func(t *text.Token, at int) {
		if t.Stop {
			return
		}
		for _, p := range t.Parts {
			if len(p.Term) < 3 || '0' <= p.Term[0] && p.Term[0] <= '9' {
				continue
			}
			times[p.Term]++
			forms := written[p.Term]
			if forms == nil {
				forms = map[string]int{}
				written[p.Term] = forms
			}
			forms[passage[at+p.Start:at+p.End]]++
		}
	})
	for _, n := range times {
		length += float64(n * n)
	}
	return times, math.Sqrt(length)
}

var memos text.Memos

// mostWritten is the form of a word that stands most often, in lower case.
func mostWritten(forms map[string]int) string {
	return text.Fold(slices.MinFunc(slices.Collect(maps.Keys(forms)), func(a, b string) int {
		return cmp.Or(cmp.Compare(forms[b], forms[a]), strings.Compare(a, b))
	}))
}

// wordsAt are the words at places of a text, in its order, each once.
func wordsAt(txt string, spans []match.Span) []string {
	var out []string
	for _, sp := range spans {
		if w := text.Fold(txt[sp.Start:sp.End]); !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
