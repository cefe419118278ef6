package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/score"
	"github.com/findspot/findspot/internal/errs"
)

// ranked carries out a ranking; rescore gives the best records their exact scores.
func (s *cluster) ranked(ctx context.Context, q ranking, rescore func([]*candidate) error) (*driver.Hits, error) {
	both := func(extra ...any) object {
		return object{"bool": object{"must": q.match, "filter": append([]any{q.live}, extra...)}}
	}
	first, err := s.candidates(ctx, q.Kind, object{
		"query": both(), "size": page, "track_total_hits": true, "sort": bestFirst, "aggs": countDocs(),
	})
	if err != nil {
		return nil, err
	}
	res := &driver.Hits{Total: int(first.distinct), AtLeast: first.others > 0}
	if q.Limit <= 0 || q.PerDoc <= 0 || res.Total == 0 {
		return res, nil
	}
	docs, order := byDoc(first.records)
	want := q.Limit + nearDocs
	if whole := first.total == len(first.records); !whole {
		if len(order) < want {
			if order, err = s.bestDocs(ctx, q.Kind, both(), want); err != nil {
				return nil, err
			}
		}
		order = order[:min(len(order), want)]
		if docs, err = s.complete(ctx, q.Kind, both, docs, order, q.PerDoc+nearParts); err != nil {
			return nil, err
		}
	}
	res.Hits, err = q.best(docs, order, rescore)
	return res, err
}

// countDocs asks how many documents the records are of.
func countDocs() object {
	return object{
		"docs":     object{"terms": object{"field": "parent_doc_id", "size": maxDocs}},
		"distinct": object{"stats_bucket": object{"buckets_path": "docs>_count"}},
	}
}

// best makes hits of documents in order, best first, with their best records, which rescore gives their exact scores.
func (q *ranking) best(docs map[string][]*candidate, order []string, rescore func([]*candidate) error) ([]driver.Hit, error) {
	order = trim(order, q.Limit, q.Limit+nearDocs, func(doc string) float64 { return docs[doc][0].score })
	var all []*candidate
	for _, doc := range order {
		all = append(all, trim(docs[doc], q.PerDoc, q.PerDoc+nearParts, func(c *candidate) float64 { return c.score })...)
	}
	if err := rescore(all); err != nil {
		return nil, err
	}
	return group(all, q.Limit, q.PerDoc), nil
}

var bestFirst = []any{object{"_score": "desc"}, object{"parent_doc_id": "asc"}, object{"n": "asc"}}

// trim leaves the first limit items, and those after them, up to most, whose scores are so near that rounding may have put them there.
func trim[T any](list []T, limit, most int, score func(T) float64) []T {
	if len(list) <= limit {
		return list
	}
	bound := score(list[limit-1]) * near
	n := limit
	for n < min(len(list), most) && score(list[n]) >= bound {
		n++
	}
	return list[:n]
}

// byDoc groups records, which are sorted, by document.
func byDoc(records []*candidate) (docs map[string][]*candidate, order []string) {
	docs = map[string][]*candidate{}
	for _, c := range records {
		if docs[c.doc] == nil {
			order = append(order, c.doc)
		}
		docs[c.doc] = append(docs[c.doc], c)
	}
	return docs, order
}

// group makes hits of records with exact scores.
func group(records []*candidate, limit, perDoc int) []driver.Hit {
	slices.SortFunc(records, (*candidate).compare)
	docs, order := byDoc(records)
	var out []driver.Hit
	for _, doc := range order[:min(len(order), limit)] {
		h := driver.Hit{Doc: doc}
		for _, c := range docs[doc][:min(len(docs[doc]), perDoc)] {
			h.Records = append(h.Records, driver.RecordHit{N: c.n, Score: c.score})
		}
		out = append(out, h)
	}
	return out
}

// answer is what a search for candidates gives.
type answer struct {
	records  []*candidate
	total    int     // records that match
	distinct float64 // documents that match, when they were asked for
	others   int     // records of documents that were not counted
	bare     int     // records that the server's own index of vectors lacks, when they were asked for
}

// candidates asks for records with their scores, in the order of bestFirst.
func (s *cluster) candidates(ctx context.Context, k driver.Kind, body object) (*answer, error) {
	var res struct {
		searchHead
		Hits struct {
			Total struct {
				Value int `json:"value"`
			} `json:"total"`
			Hits []struct {
				ID    string  `json:"_id"`
				Score float64 `json:"_score"`
				Sort  []any   `json:"sort"`
			} `json:"hits"`
		} `json:"hits"`
		Aggs struct {
			Docs struct {
				Others int `json:"sum_other_doc_count"`
			} `json:"docs"`
			Distinct struct {
				Count float64 `json:"count"`
			} `json:"distinct"`
			Bare struct {
				Count int `json:"doc_count"`
			} `json:"bare"`
		} `json:"aggregations"`
	}
	body["_source"] = false
	body["track_scores"] = true
	query := url.Values{
		"allow_partial_search_results": {"false"},
		"filter_path":                  {"timed_out,_shards.failed,hits.total.value,hits.hits._id,hits.hits._score,hits.hits.sort,aggregations.docs.sum_other_doc_count,aggregations.distinct.count,aggregations.bare.doc_count"},
	}
	if err := s.c.do(ctx, http.MethodPost, "/"+s.alias(k)+"/_search", query, body, &res); err != nil {
		return nil, err
	}
	if err := res.whole(); err != nil {
		return nil, err
	}
	a := &answer{total: res.Hits.Total.Value, distinct: res.Aggs.Distinct.Count, others: res.Aggs.Docs.Others, bare: res.Aggs.Bare.Count}
	for _, h := range res.Hits.Hits {
		c := &candidate{id: h.ID, score: h.Score}
		ok := len(h.Sort) == 3
		if ok {
			var doc, num bool
			var n float64
			c.doc, doc = h.Sort[1].(string)
			n, num = h.Sort[2].(float64)
			c.n = int(n)
			ok = doc && num && n == math.Trunc(n)
		}
		if !ok {
			return nil, fmt.Errorf("%w: an answer of the server is not sorted", errs.Format)
		}
		a.records = append(a.records, c)
	}
	return a, nil
}

// bestDocs returns the documents of the best records, best first.
func (s *cluster) bestDocs(ctx context.Context, k driver.Kind, query object, n int) ([]string, error) {
	a, err := s.candidates(ctx, k, object{
		"query": query, "size": min(n, maxWindow), "track_total_hits": false, "sort": bestFirst, "collapse": object{"field": "parent_doc_id"},
	})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range a.records {
		out = append(out, c.doc)
	}
	return out, nil
}

// complete sees to it that the best records of each document are there.
func (s *cluster) complete(ctx context.Context, k driver.Kind, query func(...any) object, have map[string][]*candidate, order []string, perDoc int) (map[string][]*candidate, error) {
	out := map[string][]*candidate{}
	var lacking []string
	for _, doc := range order {
		if len(have[doc]) >= perDoc {
			out[doc] = have[doc]
		} else {
			lacking = append(lacking, doc)
		}
	}
	// Few documents at a time, so that all their records fit into an answer.
	for len(lacking) > 0 {
		n := min(len(lacking), 64)
		for {
			a, err := s.candidates(ctx, k, object{
				"query": query(object{"terms": object{"parent_doc_id": lacking[:n]}}), "size": 2 * page, "track_total_hits": true, "sort": bestFirst,
			})
			if err != nil {
				return nil, err
			}
			docs, _ := byDoc(a.records)
			enough := n == 1 || a.total == len(a.records)
			if !enough {
				enough = !slices.ContainsFunc(lacking[:n], func(doc string) bool { return len(docs[doc]) < perDoc })
			}
			if !enough {
				n = max(1, n/4)
				continue
			}
			for _, doc := range lacking[:n] {
				if len(docs[doc]) == 0 {
					return nil, fmt.Errorf("%w: document %s matched and does not match", errs.Format, doc)
				}
				out[doc] = docs[doc]
			}
			break
		}
		lacking = lacking[n:]
	}
	return out, nil
}

// rescore gives candidates their exact scores, of their texts.
func (s *cluster) rescore(ctx context.Context, sc *score.Scorer, list []*candidate) error {
	return s.again(ctx, sc.Query.Kind, list, textFields, func(c *candidate, d *document) error {
		points, ok := matchDocument(sc, d)
		if !ok {
			return errUndecided
		}
		c.score = points
		return nil
	})
}

// again reads fields of candidates.
func (s *cluster) again(ctx context.Context, k driver.Kind, list []*candidate, fields []string, each func(*candidate, *document) error) error {
	for part := range slices.Chunk(list, scanPage) {
		byID := map[string]*candidate{}
		ids := make([]string, len(part))
		for i, c := range part {
			ids[i], byID[c.id] = c.id, c
		}
		query := scan{query: object{"ids": object{"values": ids}}, sort: inOrder, fields: fields}
		err := s.scanIDs(ctx, k, query, func(id string, d *document) error {
			c := byID[id]
			if c == nil {
				return fmt.Errorf("%w: an answer of the server has a record that was not asked for", errs.Format)
			}
			delete(byID, id)
			return each(c, d)
		})
		if err != nil {
			return err
		}
		if len(byID) > 0 {
			return fmt.Errorf("%w: %d of %d records are gone", errs.Format, len(byID), len(part))
		}
	}
	return nil
}

// inOrder sorts records by document and number.
var inOrder = []string{"parent_doc_id", "n", "batch"}

// errEnough ends a scan.
var errEnough = errors.New("enough")

// verified searches where the index only narrows: it reads the texts of what may match, up to maxVerify of them.
func (s *cluster) verified(ctx context.Context, sc *score.Scorer, query object) (*driver.Hits, error) {
	res := &driver.Hits{}
	var all []*candidate
	looked, last := 0, ""
	fields := append([]string{"parent_doc_id", "n"}, textFields...)
	err := s.scan(ctx, sc.Query.Kind, scan{query: query, sort: inOrder, fields: fields}, func(d *document) error {
		if looked++; looked > maxVerify {
			res.AtLeast = true
			return errEnough
		}
		points, ok := matchDocument(sc, d)
		if !ok {
			return nil
		}
		if d.Parent != last {
			res.Total++
			last = d.Parent
		}
		all = append(all, &candidate{doc: d.Parent, n: d.N, score: points})
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	if sc.Query.Limit > 0 && sc.Query.PerDoc > 0 {
		res.Hits = group(all, sc.Query.Limit, sc.Query.PerDoc)
	}
	return res, nil
}
