package elasticstore

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/findspot/findspot/docsearch/driver"
)

// A server that finds nearest vectors itself gets them a second time, in the object nearObject of a record, in a field for each length of
// vectors: its mapping is added when the first such vector is written. Elasticsearch has the type dense_vector with the knn query since 8.12
// (https://www.elastic.co/guide/en/elasticsearch/reference/8.13/query-dsl-knn-query.html), and OpenSearch's plugin opensearch-knn
// knn_vector with filters within the search since 2.4 (https://docs.opensearch.org/latest/vector-search/filter-search-knn/efficient-knn-filtering/).
const nearObject = "near"

type nearVectors map[string][]float32

func nearField(dims int) string { return fmt.Sprintf("d%d", dims) }

// exactRecords is up to how many records of a kind every vector is looked at.
const exactRecords = 10_000

type knnType int

const (
	noKNN knnType = iota
	elasticKNN
	openSearchKNN
)

// findKNN finds out how a server looks for nearest vectors.
func (s *cluster) findKNN(ctx context.Context, openSearch bool, major, minor int) (knnType, error) {
	if !openSearch {
		if major > 8 || minor >= 12 {
			return elasticKNN, nil
		}
		return noKNN, nil
	}
	if major < 2 || major == 2 && minor < 4 {
		return noKNN, nil
	}
	var res struct {
		Nodes map[string]struct {
			Plugins []struct {
				Name string `json:"name"`
			} `json:"plugins"`
		} `json:"nodes"`
	}
	query := url.Values{"filter_path": {"nodes.*.plugins.name"}}
	err := s.c.do(ctx, http.MethodGet, "/_nodes/plugins", query, nil, &res)
	if e := status(err); e != 0 { // this takes a right that is not needed otherwise
		s.opt.Logger.Info("elasticstore: vectors are compared by a script", "reason", err)
		return noKNN, nil
	}
	if err != nil {
		return noKNN, err
	}
	for _, n := range res.Nodes {
		found := false
		for _, p := range n.Plugins {
			found = found || p.Name == "opensearch-knn"
		}
		if !found {
			return noKNN, nil
		}
	}
	if len(res.Nodes) == 0 {
		return noKNN, nil
	}
	return openSearchKNN, nil
}

// nearFields says which indices have the object, and which of its fields the mapping has. It is safe for concurrent use.
type nearFields struct {
	mu     sync.Mutex                      // guards what follows
	kinds  map[driver.Kind]bool            // those whose indices were made with the object
	fields map[driver.Kind]map[string]bool // whether a field is there; not in the map: nobody knows
}

func (n *nearFields) set(k driver.Kind, has bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kinds == nil {
		n.kinds, n.fields = map[driver.Kind]bool{}, map[driver.Kind]map[string]bool{}
	}
	if n.kinds[k] = has; n.fields[k] == nil {
		n.fields[k] = map[string]bool{}
	}
}

func (n *nearFields) has(k driver.Kind) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kinds[k]
}

// nearOf returns the vector of a record as the server's index of vectors takes it, or nil where it does not.
func (s *cluster) nearOf(ctx context.Context, r *driver.Record) (nearVectors, error) {
	if r.Vector == nil || !s.near.has(r.Kind) {
		return nil, nil
	}
	field := nearField(len(r.Vector))
	s.near.mu.Lock()
	defer s.near.mu.Unlock()
	there, known := s.near.fields[r.Kind][field]
	if !known {
		kind := object{"type": "dense_vector", "dims": len(r.Vector), "index": true, "similarity": "cosine"}
		if s.knn == openSearchKNN {
			kind = object{"type": "knn_vector", "dimension": len(r.Vector), "method": object{"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}}
		}
		body := object{"properties": object{nearObject: object{"properties": object{field: kind}}}}
		err := s.c.do(ctx, http.MethodPut, "/"+s.alias(r.Kind)+"/_mapping", nil, body, nil)
		switch status(err) {
		case 0:
			if err != nil {
				return nil, err
			}
			there = true
		case http.StatusBadRequest, http.StatusForbidden: // vectors that are longer than it can, or no right to change a mapping
			s.opt.Logger.Info("elasticstore: vectors are compared by a script", "kind", r.Kind, "numbers", len(r.Vector), "reason", err)
		default:
			return nil, err
		}
		s.near.fields[r.Kind][field] = there
	}
	if !there {
		return nil, nil
	}
	return nearVectors{field: r.Vector}, nil
}

// nearby finds the nearest documents by the server's own index of vectors, and returns nil where that does not have all vectors of the query's length,
// or finds too few documents. The scores of what it finds are exact.
func (s *cluster) nearby(ctx context.Context, q *ranking, direction []float32, rescore func([]*candidate) error) (*driver.Hits, error) {
	field := nearObject + "." + nearField(len(direction))
	aggs := countDocs()
	aggs["bare"] = object{"filter": object{"bool": object{"must_not": object{"exists": object{"field": field}}}}}
	all, err := s.candidates(ctx, q.Kind, object{"query": object{"bool": object{"filter": q.live}}, "size": 0, "track_total_hits": false, "aggs": aggs})
	if err != nil || all.bare > 0 {
		return nil, err
	}
	res := &driver.Hits{Total: int(all.distinct), AtLeast: all.others > 0}
	if q.Limit <= 0 || q.PerDoc <= 0 || res.Total == 0 {
		return res, nil
	}
	var order []string
	want := q.Limit + nearDocs
	for k := page; ; k = min(4*k, maxWindow) {
		a, err := s.candidates(ctx, q.Kind, object{"query": s.knnQuery(field, direction, k, q.live), "size": k, "track_total_hits": false, "sort": bestFirst})
		if err != nil {
			return nil, err
		}
		if _, order = byDoc(a.records); len(order) >= min(want, res.Total) || k == maxWindow {
			break
		}
	}
	if len(order) < min(q.Limit, res.Total) {
		return nil, nil
	}
	order = order[:min(len(order), want)]
	both := func(extra ...any) object {
		return object{"bool": object{"must": q.match, "filter": append([]any{q.live}, extra...)}}
	}
	docs, err := s.complete(ctx, q.Kind, both, nil, order, q.PerDoc+nearParts)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(order, func(a, b string) int { return docs[a][0].compare(docs[b][0]) })
	res.Hits, err = q.best(docs, order, rescore)
	return res, err
}

// knnQuery finds the k nearest records.
func (s *cluster) knnQuery(field string, v []float32, k int, filter object) object {
	if s.knn == openSearchKNN {
		return object{"knn": object{field: object{"vector": v, "k": k, "filter": filter}}}
	}
	return object{"knn": object{"field": field, "query_vector": v, "num_candidates": k, "filter": filter}}
}
