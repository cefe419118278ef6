package elasticstore

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// maxSimilar bounds the terms of a shard that are looked at for one word; a server takes 1,024 clauses.
const maxSimilar = 500

// Similar implements [driver.Speller]. A server does not list terms of a text, and what it suggests leaves out words whose first letter
// is wrong too; but it explains which terms a query for near ones stands for. They are measured and counted here.
func (s *store) Similar(ctx context.Context, kind driver.Kind, word string, limit int) ([]driver.Spelling, error) {
	return read(ctx, s, func(ctx context.Context, st *state) ([]driver.Spelling, error) {
		return s.similarAt(ctx, st, kind, word, limit)
	})
}

func (s *store) similarAt(ctx context.Context, st *state, kind driver.Kind, word string, limit int) ([]driver.Spelling, error) {
	runes := []rune(word)
	if st.Kinds[kind].Records == 0 || len(runes) < 3 || len(runes) > 256 || limit <= 0 {
		return nil, nil
	}
	most := 1
	if len(runes) >= 6 {
		most = 2
	}
	near := object{"value": term(word), "fuzziness": most, "prefix_length": 0, "max_expansions": maxSimilar, "transpositions": false, "rewrite": "top_terms_500"}
	var res struct {
		Shards struct {
			Failed int `json:"failed"`
		} `json:"_shards"`
		Error        string `json:"error"`
		Explanations []struct {
			Explanation string `json:"explanation"`
			Error       string `json:"error"`
		} `json:"explanations"`
	}
	query := url.Values{"explain": {"true"}, "rewrite": {"true"}, "all_shards": {"true"}}
	body := object{"query": object{"fuzzy": object{"words": near}}}
	if err := s.cluster.c.do(ctx, http.MethodPost, "/"+s.cluster.alias(kind)+"/_validate/query", query, body, &res); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []driver.Spelling
	var ask []fieldTerm
	for _, e := range res.Explanations {
		if e.Error != "" {
			return nil, fmt.Errorf("the server looks for no terms near %q: %s", word, s.cluster.c.redact(e.Error))
		}
		for t := range explained(e.Explanation) {
			if seen[t] || strings.HasPrefix(t, stop) {
				continue
			}
			seen[t] = true
			if d := text.Distance(runes, []rune(t)); d > 0 && d <= most {
				out = append(out, driver.Spelling{Term: t, Distance: d})
				ask = append(ask, fieldTerm{"words", t})
			}
		}
	}
	if res.Shards.Failed > 0 || res.Error != "" {
		return nil, fmt.Errorf("the search for terms near %q is not whole: %d shards failed %s", word, res.Shards.Failed, s.cluster.c.redact(res.Error))
	}
	df, err := s.frequencies.recordsWith(ctx, st, kind, ask)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Records = df[ask[i]]
	}
	out = slices.DeleteFunc(out, func(sp driver.Spelling) bool { return sp.Records == 0 })
	slices.SortFunc(out, func(a, b driver.Spelling) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Records, a.Records), strings.Compare(a.Term, b.Term))
	})
	return out[:min(len(out), limit)], nil
}

// explained yields the terms of a query as the server writes it: "(words:signal)^0.5 (words:sign)^0.25". What does not look like that gives
// terms that are far from the word, or that no record holds.
func explained(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.FieldsSeq(s) {
			_, t, ok := strings.Cut(part, "words:")
			if i := strings.LastIndex(t, ")"); i >= 0 {
				t = t[:i]
			}
			if ok && !yield(strings.TrimRight(t, ")")) {
				return
			}
		}
	}
}

// Count implements [driver.Counter].
func (s *store) Count(ctx context.Context, kind driver.Kind, terms []string) (*driver.Counts, error) {
	return read(ctx, s, func(ctx context.Context, st *state) (*driver.Counts, error) {
		out := &driver.Counts{Records: st.Kinds[kind].Records, Holding: make([]int, len(terms))}
		if out.Records == 0 {
			return out, nil
		}
		var ask []fieldTerm
		for _, t := range terms {
			ask = append(ask, fieldTerm{"words", t})
		}
		df, err := s.frequencies.recordsWith(ctx, st, kind, ask)
		for i, t := range ask {
			out.Holding[i] = df[t]
		}
		return out, err
	})
}
