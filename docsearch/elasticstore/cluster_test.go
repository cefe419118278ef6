package elasticstore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/internal/errs"
)

// chunks asks a store for the chunks that hold a word: "doc:n,n doc:n".
func chunks(t testing.TB, s driver.Store, word string) string {
	t.Helper()
	hits, err := s.Search(t.Context(), &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: driver.Groups(word), Limit: 1000, PerDoc: 1000})
	if err != nil {
		t.Fatalf("Search(%q): %v", word, err)
	}
	var out []string
	for _, h := range hits.Hits {
		var ns []string
		for _, r := range h.Records {
			ns = append(ns, fmt.Sprint(r.N))
		}
		out = append(out, h.Doc+":"+strings.Join(ns, ","))
	}
	return strings.Join(out, " ")
}

func stop(t testing.TB, s driver.Store) {
	t.Helper()
	if err := s.Close(); err != nil && !errors.Is(err, errs.Closed) {
		t.Errorf("Close: %v", err)
	}
}

func check(t testing.TB, s driver.Store) error {
	return s.(driver.Checker).Check(t.Context())
}

// TestLife opens a library again, beside another with another prefix and a reader.
func TestLife(t *testing.T) {
	urls := cluster(t)
	prefix := freshPrefix(t, urls)
	o := &elasticstore.Options{Prefix: prefix}
	s := open(t, urls, o)
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 2), aDocument("b", 1)}); err != nil {
		t.Fatal(err)
	}
	neighbour := open(t, urls, &elasticstore.Options{Prefix: freshPrefix(t, urls)})
	defer stop(t, neighbour)
	if got := chunks(t, neighbour, "signals"); got != "" {
		t.Errorf("the neighbour finds %q", got)
	}
	reader := open(t, urls, &elasticstore.Options{Prefix: prefix, ReadOnly: true})
	defer stop(t, reader)
	if got := chunks(t, reader, "signals"); got != "a:0,1 b:0" {
		t.Errorf("the reader finds %q", got)
	}
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if got := chunks(t, reader, "signals"); got != "a:0" {
		t.Errorf("the reader finds %q after a change", got)
	}
	if err := check(t, s); err != nil {
		t.Errorf("Check: %v", err)
	}
	stop(t, s)
	// Nothing that does not count is left: one state, one entry, one layout, one chunk.
	if code, body := request(t, http.MethodGet, urls[0]+"/"+prefix+"document*/_count", ""); code != 200 || !strings.Contains(body, `"count":4,`) {
		t.Errorf("the indices hold %s, want 4 documents", body)
	}
	s = open(t, urls, o)
	defer stop(t, s)
	if got := chunks(t, s, "signals"); got != "a:0" {
		t.Errorf("opened again it finds %q", got)
	}
}

// TestLibrary is the library on top: what a user sees.
func TestLibrary(t *testing.T) {
	urls := cluster(t)
	lib, err := elasticstore.Open(t.Context(), urls, &elasticstore.Options{Prefix: freshPrefix(t, urls)})
	if err != nil {
		t.Fatal(err)
	}
	text := "Synchronization\n\nThe primary synchronization signal is sent in RRC_CONNECTED.\n" + strings.Repeat("Filler goes on and on here.\n", 300)
	doc, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := lib.Search(t.Context(), "primary synchronization signal", nil)
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Doc != doc.ID {
		t.Fatalf("Search = %+v, %v", res, err)
	}
	again, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte(text)))
	if err != nil || again.Change != docsearch.Unchanged {
		t.Errorf("added again: %+v, %v", again, err)
	}
	if err := lib.Close(); err != nil {
		t.Error(err)
	}
}

// TestKilledWriter leaves what a writer leaves that is killed before it commits: nobody sees it, and it goes when the lease is over.
func TestKilledWriter(t *testing.T) {
	urls := cluster(t)
	prefix := freshPrefix(t, urls)
	lease := 300 * time.Millisecond
	s := open(t, urls, &elasticstore.Options{Prefix: prefix, Lease: lease})
	defer stop(t, s)
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)}); err != nil {
		t.Fatal(err)
	}
	state := readState(t, urls[0], prefix)
	// As another process would: it takes the next number, writes, and is killed.
	batch := state["next"].(float64)
	state["next"] = batch + 1
	state["pending"] = []any{map[string]any{"batch": batch, "until": time.Now().Add(lease).UnixMilli()}}
	writeState(t, urls[0], prefix, state)
	left := fmt.Sprintf(`{"type": "record", "parent_doc_id": "a", "batch": %v, "owner": "r/%v/a", "n": 5, "words": "signal", "text": "signals", "word_count": 1, "ident_count": 0, "head_count": 0}`, batch, batch)
	if code, body := request(t, http.MethodPut, fmt.Sprintf("%s/%sdocument_chunks/_doc/left?refresh=true", urls[0], prefix), left); code != 201 {
		t.Fatal(code, body)
	}
	if got := chunks(t, s, "signals"); got != "a:0" {
		t.Errorf("beside leftovers it finds %q", got)
	}
	st, err := s.Stats(t.Context())
	if err != nil || st.Records[driver.KindChunk] != 1 {
		t.Errorf("Stats = %+v, %v", st, err)
	}
	time.Sleep(3 * lease)
	if err := check(t, s); err != nil {
		t.Errorf("Check: %v", err)
	}
	if code, body := request(t, http.MethodGet, urls[0]+"/"+prefix+"document_chunks/_doc/left", ""); code != 404 {
		t.Errorf("the leftovers are still there: %d %s", code, body)
	}
	// It was only slow, and writes once more: still nobody sees it.
	if code, body := request(t, http.MethodPut, fmt.Sprintf("%s/%sdocument_chunks/_doc/late?refresh=true", urls[0], prefix), left); code != 201 {
		t.Fatal(code, body)
	}
	if got := chunks(t, s, "signals"); got != "a:0" {
		t.Errorf("beside a late record it finds %q", got)
	}
}

func readState(t testing.TB, url, prefix string) map[string]any {
	t.Helper()
	code, body := request(t, http.MethodGet, url+"/"+prefix+"documents/_doc/state", "")
	var doc struct {
		Source struct {
			State map[string]any `json:"state"`
		} `json:"_source"`
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil || code != 200 {
		t.Fatal(code, body, err)
	}
	return doc.Source.State
}

func writeState(t testing.TB, url, prefix string, state map[string]any) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"type": "state", "state": state})
	if err != nil {
		t.Fatal(err)
	}
	if code, body := request(t, http.MethodPut, url+"/"+prefix+"documents/_doc/state", string(data)); code != 200 {
		t.Fatal(code, body)
	}
}

// TestWriters has several processes' worth of writers change documents of their own and one that all want.
func TestWriters(t *testing.T) {
	urls := cluster(t)
	prefix := freshPrefix(t, urls)
	const writers, turns = 3, 5
	var wg sync.WaitGroup
	var mu sync.Mutex
	stale, won := 0, 0
	for w := range writers {
		s := open(t, urls, &elasticstore.Options{Prefix: prefix})
		defer stop(t, s)
		wg.Go(func() {
			for i := range turns {
				if err := s.Replace(t.Context(), []*driver.Document{aDocument(fmt.Sprintf("own%d", w), i+1)}); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
				err := s.Replace(t.Context(), []*driver.Document{aDocument("shared", w+1)})
				mu.Lock()
				switch {
				case err == nil:
					won++
				case errors.Is(err, errs.Stale):
					stale++
				default:
					t.Errorf("writer %d, shared document: %v", w, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	s := open(t, urls, &elasticstore.Options{Prefix: prefix})
	defer stop(t, s)
	st, err := s.Stats(t.Context())
	if err != nil || st.Documents != writers+1 || st.Generation != uint64(writers*turns+won) || won == 0 {
		t.Errorf("Stats = %+v, %v, want %d documents at generation %d", st, err, writers+1, writers*turns+won)
	}
	if err := check(t, s); err != nil {
		t.Errorf("Check: %v", err)
	}
	t.Logf("of %d changes of one document %d were refused", writers*turns, stale)
}

// TestCheckFinds damages a library in ways that Check must tell.
func TestCheckFinds(t *testing.T) {
	urls := cluster(t)
	prefix := freshPrefix(t, urls)
	s := open(t, urls, &elasticstore.Options{Prefix: prefix})
	defer stop(t, s)
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 2), aDocument("b", 1)}); err != nil {
		t.Fatal(err)
	}
	put := func(index, id, body string) {
		t.Helper()
		if code, answer := request(t, http.MethodPut, fmt.Sprintf("%s/%s%s/_doc/%s?refresh=true", urls[0], prefix, index, id), body); code > 201 {
			t.Fatal(code, answer)
		}
	}
	put("document_chunks", "odd", `{"type": "record", "parent_doc_id": "ghost", "batch": 1, "owner": "r/1/ghost", "n": 0, "text": "boo", "words": "boo", "word_count": 1, "ident_count": 0, "head_count": 0}`)
	put("document_chunks", "twice", `{"type": "record", "parent_doc_id": "b", "batch": 1, "owner": "r/1/b", "n": 0, "text": "alpha beta gamma", "words": "x", "word_count": 1, "ident_count": 0, "head_count": 0}`)
	state := readState(t, urls[0], prefix)
	state["documents"] = 9
	writeState(t, urls[0], prefix, state)
	err := check(t, s)
	if !errors.Is(err, errs.Format) {
		t.Fatalf("Check = %v, want Format", err)
	}
	for _, want := range []string{"document ghost is nobody's", "document b, document_chunks record 0 is there twice", "its text is not the one that was indexed", "2 documents, but the state counts 9"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("Check = %v, want %q", err, want)
		}
	}
}

// TestManyPages is larger than the pages in which the server is asked.
func TestManyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of records")
	}
	urls := cluster(t)
	s := open(t, urls, &elasticstore.Options{Prefix: freshPrefix(t, urls)})
	defer stop(t, s)
	ref := reference(t)
	for i := range 3 {
		var docs []*driver.Document
		for k := range 500 {
			d := aDocument(fmt.Sprintf("d%04d", i*500+k), 1+k%3)
			if k == 7 {
				d = aDocument(d.ID, 1500)
			}
			docs = append(docs, d)
		}
		for _, st := range []driver.Store{s, ref} {
			if err := st.Replace(t.Context(), docs); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 1500 || list[1499].ID != "d1499" {
		t.Errorf("List: %d documents, %v", len(list), err)
	}
	recs, err := s.Records(t.Context(), "d0507", driver.KindChunk, nil)
	if err != nil || len(recs) != 1500 || recs[1499].N != 1499 {
		t.Errorf("Records: %d, %v", len(recs), err)
	}
	for _, q := range []*driver.Query{
		{Match: driver.MatchAny, Groups: driver.Groups("passage 7 signals"), Limit: 10, PerDoc: 3},
		{Match: driver.MatchAll, Groups: driver.Groups("passage signals"), Limit: 40, PerDoc: 5},
		{Match: driver.MatchPhrase, Groups: driver.Groups("of the signals"), Limit: 5, PerDoc: 1},
		{Match: driver.MatchPhrase, Groups: driver.Groups(strings.Repeat("a-b ", 6)), Limit: 5, PerDoc: 1},
		{Match: driver.MatchAny, Groups: driver.Groups("signals"), Require: []driver.Clause{driver.Groups("passage 1499 of")}, Limit: 5, PerDoc: 1},
		{Match: driver.MatchAny, Groups: driver.Groups("signals"), Limit: 0, PerDoc: 1},
	} {
		q.Kind = driver.KindChunk
		got, err := s.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ref.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if want.Hits == nil {
			want.Hits = got.Hits[:0]
		}
		if q.Limit == 0 {
			want.Hits, got.Hits = nil, nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Search(%+v) (-memstore +got):\n%s", q, diff)
		}
	}
	// Long queries: the index only narrows.
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "w%d ", i)
	}
	q := &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: driver.Groups(long.String() + "1499"), Limit: 3, PerDoc: 1}
	got, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ref.Search(t.Context(), q)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("a query of 900 words: %v (-memstore +got):\n%s", err, diff)
	}
}
