package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// A scorer matches and scores records by their texts, to the last bit as docsearch/driver says it.
type scorer struct {
	q                                *driver.Query
	terms                            []driver.Term
	idf, headIDF                     []float64 // by term, with its weight
	phrase                           float64   // sum of the idf of a phrase's parts
	meanWords, meanIdents, meanHeads float64
	row                              *driver.Phrase   // all groups
	words                            []*driver.Phrase // each group
	require, exclude                 []*driver.Phrase
}

// newScorer looks up the statistics of a query.
func newScorer(ctx context.Context, f *frequencies, st *state, q *driver.Query) (*scorer, error) {
	k := st.Kinds[q.Kind]
	sc := &scorer{q: q, terms: driver.ScoreTerms(q.Groups), row: driver.NewPhrase(q.Groups)}
	for _, g := range q.Groups {
		sc.words = append(sc.words, driver.NewPhrase([]driver.Group{g}))
	}
	for _, c := range q.Require {
		sc.require = append(sc.require, driver.NewPhrase(c))
	}
	for _, c := range q.Exclude {
		sc.exclude = append(sc.exclude, driver.NewPhrase(c))
	}
	n := float64(k.Records)
	sc.meanWords, sc.meanIdents, sc.meanHeads = float64(k.Words)/n, float64(k.Idents)/n, float64(k.Heads)/n
	var ask []fieldTerm
	for _, t := range sc.terms {
		if t.Ident {
			ask = append(ask, fieldTerm{"idents", t.Term})
			continue
		}
		ask = append(ask, fieldTerm{"words", t.Term})
		if q.HeadWeight != 0 {
			ask = append(ask, fieldTerm{"head_words", t.Term})
		}
	}
	df, err := f.recordsWith(ctx, st, q.Kind, ask)
	if err != nil {
		return nil, err
	}
	for _, t := range sc.terms {
		field := "words"
		if t.Ident {
			field = "idents"
		}
		idf := t.Weight * driver.IDF(k.Records, df[fieldTerm{field, t.Term}])
		sc.idf = append(sc.idf, idf)
		sc.headIDF = append(sc.headIDF, t.Weight*driver.IDF(k.Records, df[fieldTerm{"head_words", t.Term}]))
		if !t.Ident {
			sc.phrase += idf
		}
	}
	return sc, nil
}

// match scores a record, when it matches the query and its clauses.
func (sc *scorer) match(s, heads string) (score float64, ok bool) {
	if !slices.ContainsFunc(sc.q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return 0, false
	}
	r := &analysed{text: s, Analysis: driver.Analyze(s)}
	for i, c := range sc.q.Require {
		if !r.holds(c, sc.require[i]) {
			return 0, false
		}
	}
	for i, c := range sc.q.Exclude {
		if r.holds(c, sc.exclude[i]) {
			return 0, false
		}
	}
	switch sc.q.Match {
	case driver.MatchPhrase:
		n := r.count(sc.q.Groups, sc.row)
		if n == 0 {
			return 0, false
		}
		return driver.BM25(sc.phrase, n, driver.LengthNorm(r.Words.Length, sc.meanWords)), true
	case driver.MatchAll:
		for i, g := range sc.q.Groups {
			if !g.Stop && !r.holds(driver.Clause{g}, sc.words[i]) {
				return 0, false
			}
		}
		ok = true
	}
	for i, t := range sc.terms {
		f, mean := r.Words, sc.meanWords
		if t.Ident {
			f, mean = r.Idents, sc.meanIdents
		}
		if tf := len(f.Terms[t.Term]); tf > 0 {
			score += driver.BM25(sc.idf[i], tf, driver.LengthNorm(f.Length, mean))
			ok = true
		}
	}
	if ok && sc.q.HeadWeight != 0 && heads != "" {
		f := driver.Analyze(heads).Words
		for i, t := range sc.terms {
			if tf := len(f.Terms[t.Term]); tf > 0 && !t.Ident {
				score += sc.q.HeadWeight * driver.BM25(sc.headIDF[i], tf, driver.LengthNorm(f.Length, sc.meanHeads))
			}
		}
	}
	return score, ok
}

// analysed is the text of one record.
type analysed struct {
	text string
	driver.Analysis
}

func (r *analysed) holds(c driver.Clause, row *driver.Phrase) bool {
	return len(c) == 1 && c[0].Whole != "" && len(r.Idents.Terms[c[0].Whole]) > 0 || r.count(c, row) > 0
}

// count is [driver.PhraseCount], which is asked only where every word is in the text.
func (r *analysed) count(groups []driver.Group, row *driver.Phrase) int {
	for _, g := range groups {
		if g.Stop || g.Whole != "" && len(r.Words.Terms[g.Whole]) > 0 {
			continue
		}
		for _, p := range g.Parts {
			if len(r.Words.Terms[p]) == 0 {
				return 0
			}
		}
	}
	return row.Count([]byte(r.text))
}

// fieldTerm is a term of a token field.
type fieldTerm struct{ field, term string }

// frequencies remembers, for one generation, how many records hold a term.
type frequencies struct {
	cluster *cluster

	mu         sync.Mutex // guards what follows
	generation uint64
	known      map[driver.Kind]map[fieldTerm]int
	size       int
}

// maxKnown bounds the terms that are remembered.
const maxKnown = 20000

// recordsWith returns how many records that count hold each of some terms.
func (f *frequencies) recordsWith(ctx context.Context, st *state, k driver.Kind, terms []fieldTerm) (map[fieldTerm]int, error) {
	out := map[fieldTerm]int{}
	var ask []fieldTerm
	f.mu.Lock()
	if f.generation != st.Generation || f.known == nil || f.size > maxKnown {
		f.generation, f.known, f.size = st.Generation, map[driver.Kind]map[fieldTerm]int{}, 0
	}
	for _, t := range terms {
		if n, ok := f.known[k][t]; ok {
			out[t] = n
		} else if !slices.Contains(ask, t) {
			ask = append(ask, t)
		}
	}
	f.mu.Unlock()
	for part := range slices.Chunk(ask, 200) {
		var body []byte
		for _, t := range part {
			line, err := encode(object{
				"size": 0, "track_total_hits": true,
				"query": st.live(term1("type", typeRecord), term1(t.field, term(t.term))),
			})
			if err != nil {
				return nil, err
			}
			body = append(append(body, "{}\n"...), line...)
		}
		counts, err := f.cluster.counts(ctx, k, body, len(part))
		if err != nil {
			return nil, err
		}
		for i, t := range part {
			out[t] = counts[i]
		}
	}
	if len(ask) > 0 {
		f.mu.Lock()
		if f.generation == st.Generation && f.known != nil {
			if f.known[k] == nil {
				f.known[k] = map[fieldTerm]int{}
			}
			for _, t := range ask {
				f.known[k][t] = out[t]
				f.size++
			}
		}
		f.mu.Unlock()
	}
	return maps.Clone(out), nil
}

// counts sends n searches at once and returns how many records each finds. They are sent again when a shard did not answer.
func (s *cluster) counts(ctx context.Context, k driver.Kind, body []byte, n int) ([]int, error) {
	query := url.Values{"filter_path": {"responses.hits.total.value,responses.error,responses.status,responses.timed_out,responses._shards.failed"}}
	for attempt := 1; ; attempt++ {
		var res struct {
			Responses []struct {
				searchHead
				Status int      `json:"status"`
				Error  *failure `json:"error"`
				Hits   struct {
					Total struct {
						Value int `json:"value"`
					} `json:"total"`
				} `json:"hits"`
			} `json:"responses"`
		}
		if err := s.c.do(ctx, http.MethodPost, "/"+s.alias(k)+"/_msearch", query, body, &res); err != nil {
			return nil, err
		}
		if len(res.Responses) != n {
			return nil, fmt.Errorf("%w: %d answers to %d searches", errs.Format, len(res.Responses), n)
		}
		out := make([]int, n)
		var bad error
		for i := range res.Responses {
			r := &res.Responses[i]
			if r.Error != nil {
				bad = &statusError{status: r.Status, kind: s.c.redact(r.Error.Type), reason: s.c.redact(r.Error.String())}
				break
			}
			if r.Shards.Failed > 0 {
				bad = &statusError{status: http.StatusInternalServerError, kind: searchFailed, reason: "a shard did not answer"}
				break
			}
			if err := r.whole(); err != nil {
				return nil, err
			}
			out[i] = r.Hits.Total.Value
		}
		if bad == nil {
			return out, nil
		}
		if e, ok := errors.AsType[*statusError](bad); !ok || !e.passing(attempt) {
			return nil, fmt.Errorf("counting records: %w", bad)
		}
		if err := sleep(ctx, pause(attempt, 100*time.Millisecond)); err != nil {
			return nil, err
		}
	}
}
