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
	"github.com/findspot/findspot/docsearch/internal/score"
	"github.com/findspot/findspot/internal/errs"
)

// newScorer looks up the statistics of a query.
func newScorer(ctx context.Context, f *frequencies, st *state, q *driver.Query) (*score.Scorer, error) {
	var ask []fieldTerm
	for _, t := range driver.ScoreTerms(q.Groups) {
		if t.Ident {
			ask = append(ask, fieldTerm{score.Idents, t.Term})
			continue
		}
		ask = append(ask, fieldTerm{score.Words, t.Term})
		if q.HeadWeight != 0 {
			ask = append(ask, fieldTerm{score.Heads, t.Term})
		}
	}
	df, err := f.recordsWith(ctx, st, q.Kind, ask)
	if err != nil {
		return nil, err
	}
	return score.New(q, score.Sums(st.Kinds[q.Kind]), func(field, term string) int { return df[fieldTerm{field, term}] }), nil
}

// matchDocument scores a record as the server has it.
func matchDocument(sc *score.Scorer, d *document) (float64, bool) {
	s := d.text()
	return sc.Match(&score.Record{Text: s, Analysis: driver.Analyze(s), Heads: func() driver.Field { return driver.Analyze(d.heads()).Words }})
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
