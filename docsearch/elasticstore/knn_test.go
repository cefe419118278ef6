package elasticstore_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/elasticstore"
)

const withPlugin = `{"nodes": {"a": {"plugins": [{"name": "opensearch-knn"}]}, "b": {"plugins": [{"name": "x"}, {"name": "opensearch-knn"}]}}}`

// A knnServer answers as a server that finds nearest vectors itself: it has documents of two records, whose vectors lie at growing angles.
type knnServer struct {
	t      *testing.T
	f      *fake
	docs   int
	bare   int      // records without the field
	refuse bool     // to change a mapping
	sent   []string // what was asked, in short
	body   []byte   // of the last query for nearest vectors
}

func (k *knnServer) answer(w http.ResponseWriter, r *http.Request, body []byte) bool {
	say := func(format string, args ...any) bool { fmt.Fprintf(w, format, args...); return true }
	switch {
	case r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/_mapping"):
		k.sent = append(k.sent, "mapping "+strings.TrimSpace(string(body)))
		if k.refuse {
			return fail(w, 400, "dimension")
		}
		return say(`{"acknowledged": true}`)
	case strings.HasSuffix(r.URL.Path, "/_doc/state") && r.Method == http.MethodGet && k.f.docs[r.URL.Path] != nil:
		// as many records as make the index worth while
		state := strings.Replace(string(k.f.docs[r.URL.Path]), `"document_chunks":{"records":2`, fmt.Sprintf(`"document_chunks":{"records":%d`, 2*k.docs), 1)
		return say(`{"found": true, "_seq_no": %d, "_primary_term": 1, "_source": %s}`, k.f.seq, state)
	case strings.HasSuffix(r.URL.Path, "/document_chunks/_search"):
	default:
		return false
	}
	hit := func(doc, n int) string {
		// the score of the script, and the vector that it is of
		return fmt.Sprintf(`{"_id": "%d-%d", "_score": %f, "sort": [%f, "%06d", %d], "_source": {"parent_doc_id": "%06d", "n": %d, "dims": 2, "vector": %q}}`,
			doc, n, 2-float64(doc)*1e-5-float64(n)*1e-6, 2-float64(doc)*1e-5, doc, n, doc, n, packed(1, float32(doc)*.01+float32(n)*.001))
	}
	var q struct {
		Size  int
		Query struct {
			Knn json.RawMessage
			IDs struct{ Values []string }
		}
		Aggs map[string]any
	}
	if err := json.Unmarshal(body, &q); err != nil {
		k.t.Error(err)
	}
	var hits []string
	switch {
	case bytes.Contains(body, []byte(`"must_not":[{"term":{"dims"`)), bytes.Contains(body, []byte(`"must_not":{"term":{"dims"`)):
		k.sent = append(k.sent, "odd")
	case q.Aggs["bare"] != nil:
		k.sent = append(k.sent, "count")
		return say(`{"_shards": {"failed": 0}, "hits": {"hits": []}, "aggregations": {"docs": {"sum_other_doc_count": 0}, "distinct": {"count": %d}, "bare": {"doc_count": %d}}}`, k.docs, k.bare)
	case q.Query.Knn != nil:
		k.sent = append(k.sent, fmt.Sprintf("knn %d", q.Size))
		k.body = body
		for n := range q.Size { // each document often, so that a first request finds too few
			hits = append(hits, hit(n/60, n%2))
		}
	case q.Query.IDs.Values != nil:
		k.sent = append(k.sent, "vectors")
		for _, id := range q.Query.IDs.Values {
			var doc, n int
			if _, err := fmt.Sscanf(id, "%d-%d", &doc, &n); err != nil {
				k.t.Error(err)
			}
			hits = append(hits, hit(doc, n))
		}
	case bytes.Contains(body, []byte(`"script_score"`)):
		k.sent = append(k.sent, "script")
		for doc := range k.docs {
			if bytes.Contains(body, fmt.Appendf(nil, `"%06d"`, doc)) {
				hits = append(hits, hit(doc, 0), hit(doc, 1))
			}
		}
		return say(`{"_shards": {"failed": 0}, "hits": {"total": {"value": %d}, "hits": [%s]}}`, len(hits), strings.Join(hits, ","))
	default:
		return false
	}
	return say(`{"_shards": {"failed": 0}, "hits": {"hits": [%s]}}`, strings.Join(hits, ","))
}

// TestKNN lets servers find nearest vectors where they can, in the form that each has, and compares vectors by the script where they cannot.
func TestKNN(t *testing.T) {
	const opened = `{"properties":{"near":{"properties":{"d2":`
	const form = `mapping ` + opened + `{"dims":2,"index":true,"similarity":"cosine","type":"dense_vector"}}}}}`
	const openForm = `mapping ` + opened + `{"dimension":2,"method":{"engine":"lucene","name":"hnsw","space_type":"cosinesimil"},"type":"knn_vector"}}}}}`
	all := []string{"odd", "count", "knn 1000", "knn 4000", "script", "vectors"}
	for _, tt := range []struct {
		name, about, plugins string
		refuse               bool
		docs, bare           int
		mapping              string   // request that adds the field
		want                 []string // requests of a search
		query                string   // for nearest vectors, but for its filter
	}{
		{"Elasticsearch", elastic9, "", false, 9000, 0, form, all, `"knn":{"field":"near.d2","filter":`},
		{"OpenSearch", openSearch, withPlugin, false, 9000, 0, openForm, all, `"knn":{"near.d2":{"filter":`},
		{"no plugin", openSearch, `{"nodes": {"a": {"plugins": [{"name": "x"}]}}}`, false, 9000, 0, "", []string{"odd", "script"}, ""},
		{"a plugin on one node", openSearch, strings.Replace(withPlugin, `"opensearch-knn"`, `"y"`, 1), false, 9000, 0, "", []string{"odd", "script"}, ""},
		{"old OpenSearch", strings.Replace(openSearch, "2.19.3", "2.3.0", 1), withPlugin, false, 9000, 0, "", []string{"odd", "script"}, ""},
		{"old Elasticsearch", strings.Replace(elastic9, "9.1.0", "8.11.4", 1), "", false, 9000, 0, "", []string{"odd", "script"}, ""},
		{"few vectors", elastic9, "", false, 4000, 0, form, []string{"odd", "script"}, ""},
		{"records of an older program", elastic9, "", false, 9000, 1, form, []string{"odd", "count", "script"}, ""},
		{"a field that cannot be", elastic9, "", true, 9000, 1, form, []string{"odd", "count", "script"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, srv := newFake(t)
			f.about = tt.about
			k := &knnServer{t: t, f: f, docs: tt.docs, bare: tt.bare, refuse: tt.refuse}
			f.set(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				if r.URL.Path == "/_nodes/plugins" {
					if tt.plugins == "" {
						return fail(w, 400, "no such path")
					}
					fmt.Fprint(w, tt.plugins)
					return true
				}
				return false
			})
			s := openFake(t, srv, nil)
			if has := strings.Contains(string(f.mappings["document_chunks"]), `"near":{"properties":{}}`); has != (tt.mapping != "") {
				t.Errorf("mapping of a new index: %s", f.mappings["document_chunks"])
			}
			f.set(k.answer)
			for id := range 2 { // the mapping is changed once
				d := &driver.Document{ID: fmt.Sprint(id), Records: []driver.Record{{Kind: driver.KindChunk, Text: "text", Vector: []float32{3, 4}}}}
				if err := s.Replace(t.Context(), []*driver.Document{d}); err != nil {
					t.Fatal(err)
				}
				if id == 0 {
					if err := s.Delete(t.Context(), "0"); err == nil {
						t.Error("Delete of what the server does not find")
					}
				}
			}
			var mapped []string
			if tt.mapping != "" {
				mapped = []string{tt.mapping}
			}
			if d := cmp.Diff(mapped, k.sent); d != "" {
				t.Errorf("changes of mappings (-want +got):\n%s", d)
			}
			if has := bytes.Contains(bytes.Join(f.bulks, nil), []byte(`"near":{"d2":[3,4]}`)); has != (tt.mapping != "" && !tt.refuse) {
				t.Errorf("a record was sent as %s", bytes.Join(f.bulks, nil))
			}
			k.sent = nil
			q := &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{2, 0}, Limit: 20, PerDoc: 2}
			hits, err := s.(driver.VectorStore).SearchVectors(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, slices.Compact(k.sent)); d != "" {
				t.Errorf("requests of a search (-want +got):\n%s", d)
			}
			if tt.query == "" {
				return
			}
			if !bytes.Contains(k.body, []byte(tt.query)) || !bytes.Contains(k.body, []byte(`{"term":{"type":"record"}}`)) || !bytes.Contains(k.body, []byte(`[1,0]`)) {
				t.Errorf("the query is %s, want %s", k.body, tt.query)
			}
			if len(hits.Hits) != 20 || hits.Total != tt.docs || hits.Hits[19].Doc != "000019" || len(hits.Hits[19].Records) != 2 || hits.Hits[0].Records[0].Score != 1 {
				t.Errorf("hits = %+v", hits)
			}
		})
	}
}

// TestOldIndices opens indices that were made before the server had an index of vectors: they stay as they are.
func TestOldIndices(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f.about = elastic9
	f.set(func(_ http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/_mapping") {
			t.Errorf("the mapping is changed: %s", body)
		}
		return false
	})
	again, err := elasticstore.New(t.Context(), []string{srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	d := &driver.Document{ID: "a", Records: []driver.Record{{Kind: driver.KindChunk, Text: "text", Vector: []float32{3, 4}}}}
	if err := again.Replace(t.Context(), []*driver.Document{d}); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(bytes.Join(f.bulks, nil), []byte(`"near"`)) {
		t.Error("a record was sent with a vector for the server's index")
	}
}

// packed is a vector as records hold it, in base64.
func packed(v ...float32) string {
	var b []byte
	for _, x := range v {
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}
