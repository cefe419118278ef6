package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

func term1(field string, value any) object { return object{"term": object{field: value}} }

// A scan asks for documents of one index in a fixed order.
type scan struct {
	query  object
	sort   []string // fields with one value each, which together tell documents apart
	fields []string // nil: all
}

// scanPage is how many documents are asked for at a time, and scanHalvings how often that is halved when they are too large.
const (
	scanPage     = 500
	scanHalvings = 9
)

// scan yields documents page by page; the documents are not kept.
func (s *cluster) scan(ctx context.Context, k driver.Kind, q scan, each func(*document) error) error {
	return s.scanIDs(ctx, k, q, func(_ string, d *document) error { return each(d) })
}

// scanIDs is scan with the server's ids of the documents.
func (s *cluster) scanIDs(ctx context.Context, k driver.Kind, q scan, each func(id string, d *document) error) error {
	size, halvings := scanPage, 0
	var after []any
	for {
		body := object{"query": q.query, "size": size, "sort": sortBy(q.sort), "track_total_hits": false}
		if q.fields != nil {
			body["_source"] = q.fields
		}
		if after != nil {
			body["search_after"] = after
		}
		var res struct {
			searchHead
			Hits struct {
				Hits []struct {
					ID     string   `json:"_id"`
					Source document `json:"_source"`
					Sort   []any    `json:"sort"`
				} `json:"hits"`
			} `json:"hits"`
		}
		err := s.search(ctx, k, body, &res)
		if errors.Is(err, errs.TooLarge) && halvings < scanHalvings {
			halvings++
			size = max(1, size/2)
			continue
		}
		if err != nil {
			return err
		}
		for i := range res.Hits.Hits {
			if err := each(res.Hits.Hits[i].ID, &res.Hits.Hits[i].Source); err != nil {
				return err
			}
		}
		if len(res.Hits.Hits) < size {
			return nil
		}
		if after = res.Hits.Hits[len(res.Hits.Hits)-1].Sort; len(after) != len(q.sort) {
			return fmt.Errorf("%w: an answer of the server is not sorted", errs.Format)
		}
	}
}

func sortBy(fields []string) []any {
	var out []any
	for _, f := range fields {
		out = append(out, object{f: "asc"})
	}
	return out
}

// searchHead is what all answers to searches begin with.
type searchHead struct {
	TimedOut bool `json:"timed_out"`
	Shards   struct {
		Failed int `json:"failed"`
	} `json:"_shards"`
}

func (h *searchHead) whole() error {
	if h.TimedOut || h.Shards.Failed > 0 {
		return fmt.Errorf("the search is not whole: %d shards failed, out of time: %s", h.Shards.Failed, strconv.FormatBool(h.TimedOut))
	}
	return nil
}

// search asks one index. An answer of some shards only is an error.
func (s *cluster) search(ctx context.Context, k driver.Kind, body object, out interface{ whole() error }) error {
	query := url.Values{"allow_partial_search_results": {"false"}}
	if err := s.c.do(ctx, http.MethodPost, "/"+s.alias(k)+"/_search", query, body, out); err != nil {
		return err
	}
	return out.whole()
}

// entry returns the entry of one document.
func (s *cluster) entry(ctx context.Context, st *state, id string) (*document, error) {
	all, err := s.entries(ctx, st, []string{id}, true)
	if err != nil {
		return nil, err
	}
	if all[id] == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return all[id], nil
}

// entries returns the entries of documents, of those that are there, by id; their data only when it is asked for.
func (s *cluster) entries(ctx context.Context, st *state, ids []string, data bool) (map[string]*document, error) {
	out := map[string]*document{}
	fields := []string{"parent_doc_id", "owner", "batch", "records", "sums"}
	if data {
		fields = append(fields, "data")
	}
	for part := range slices.Chunk(ids, 1000) {
		query := st.live(term1("type", typeEntry), object{"terms": object{"parent_doc_id": part}})
		err := s.scan(ctx, driver.KindDocument, scan{query: query, sort: []string{"parent_doc_id", "batch"}, fields: fields}, func(d *document) error {
			if out[d.Parent] != nil {
				return fmt.Errorf("document %s: %w: it has two entries: check the library", d.Parent, errs.Format)
			}
			out[d.Parent] = d
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *cluster) records(ctx context.Context, e *document, kind driver.Kind, ns []int) ([]driver.Record, error) {
	out := []driver.Record{}
	filter := []any{term1("owner", e.Records), term1("type", typeRecord)}
	read := func(filter []any, each func(driver.Record)) error {
		query := scan{query: object{"bool": object{"filter": filter}}, sort: []string{"n"}, fields: recordFields}
		return s.scan(ctx, kind, query, func(d *document) error {
			r, err := d.record(kind, e.Parent)
			if err == nil {
				each(r)
			}
			return err
		})
	}
	if ns == nil {
		err := read(filter, func(r driver.Record) { out = append(out, r) })
		if err == nil && len(out) != e.Sums[kind].Records {
			err = fmt.Errorf("document %s: %w: it has %d of its %d %s records: add it again", e.Parent, errs.Format, len(out), e.Sums[kind].Records, kind)
		}
		return out, err
	}
	byN := map[int]driver.Record{}
	for part := range slices.Chunk(ns, 1000) {
		if err := read(append(slices.Clip(filter), object{"terms": object{"n": part}}), func(r driver.Record) { byN[r.N] = r }); err != nil {
			return nil, err
		}
	}
	for _, n := range ns {
		r, ok := byN[n]
		if !ok {
			return nil, fmt.Errorf("document %s, %s record %d: %w", e.Parent, kind, n, errs.NotFound)
		}
		out = append(out, r)
	}
	return out, nil
}
