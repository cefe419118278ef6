package drivertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// A Maker returns a new empty store. It registers what must be cleaned up, but closing the store.
type Maker func(t testing.TB) driver.Store

// Run checks the stores of make. reference makes the stores to compare hits with; nil leaves that comparison out.
func Run(t *testing.T, make, reference Maker) {
	t.Run("life", func(t *testing.T) { testLife(t, make) })
	t.Run("match", func(t *testing.T) { testMatch(t, make) })
	t.Run("order", func(t *testing.T) { testOrder(t, make) })
	t.Run("closed", func(t *testing.T) { testClosed(t, make) })
	t.Run("concurrent", func(t *testing.T) { testConcurrent(t, make) })
	if reference != nil {
		t.Run("equal", func(t *testing.T) { testEqual(t, make, reference) })
	}
}

func open(t testing.TB, make Maker) driver.Store {
	t.Helper()
	s := make(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, errs.Closed) {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// doc makes a document whose texts are chunks.
func doc(id string, texts ...string) *driver.Document {
	d := &driver.Document{ID: id, Data: []byte("data of " + id), Layout: []byte("layout of " + id)}
	at := 0
	for i, s := range texts {
		d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: i, Start: at, Text: s, Data: fmt.Appendf(nil, "%d", i)})
		at += len(s)
	}
	return d
}

func replace(t testing.TB, s driver.Store, docs ...*driver.Document) {
	t.Helper()
	if err := s.Replace(t.Context(), docs); err != nil {
		t.Fatalf("Replace: %v", err)
	}
}

func query(m driver.Match, q string) *driver.Query {
	return &driver.Query{Kind: driver.KindChunk, Match: m, Groups: driver.Groups(q), Limit: 10, PerDoc: 3}
}

// found returns "doc:n,n doc:n" for a query.
func found(t testing.TB, s driver.Store, q *driver.Query) string {
	t.Helper()
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%+v): %v", q, err)
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

func testLife(t *testing.T, make Maker) {
	ctx := t.Context()
	s := open(t, make)
	st, err := s.Stats(ctx)
	if err != nil || st.Documents != 0 {
		t.Fatalf("Stats of an empty store = %+v, %v", st, err)
	}
	if got := found(t, s, query(driver.MatchAny, "word")); got != "" {
		t.Errorf("an empty store has %q", got)
	}
	if err := s.Delete(ctx, "a"); !errors.Is(err, errs.NotFound) {
		t.Errorf("Delete of nothing: %v, want NotFound", err)
	}
	if _, err := s.Get(ctx, "a"); !errors.Is(err, errs.NotFound) {
		t.Errorf("Get of nothing: %v, want NotFound", err)
	}
	a := doc("a", "red apples", "green apples")
	a.Records = append(a.Records, driver.Record{Kind: driver.KindTable, N: 0, Text: "apple prices", Data: []byte("t")})
	replace(t, s, doc("b", "red bricks"), a, doc("empty"))
	got, err := s.List(ctx)
	want := []*driver.Document{{ID: "a", Data: []byte("data of a")}, {ID: "b", Data: []byte("data of b")}, {ID: "empty", Data: []byte("data of empty")}}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
	d, err := s.Get(ctx, "a")
	if diff := cmp.Diff(&driver.Document{ID: "a", Data: []byte("data of a"), Layout: []byte("layout of a")}, d); diff != "" || err != nil {
		t.Errorf("Get: %v (-want +got):\n%s", err, diff)
	}
	recs, err := s.Records(ctx, "a", driver.KindChunk, []int{1, 0})
	wantRecs := []driver.Record{
		{Kind: driver.KindChunk, Doc: "a", N: 1, Start: 10, Text: "green apples", Data: []byte("1")},
		{Kind: driver.KindChunk, Doc: "a", N: 0, Start: 0, Text: "red apples", Data: []byte("0")},
	}
	if diff := cmp.Diff(wantRecs, recs); diff != "" || err != nil {
		t.Errorf("Records: %v (-want +got):\n%s", err, diff)
	}
	if _, err := s.Records(ctx, "a", driver.KindChunk, []int{2}); !errors.Is(err, errs.NotFound) {
		t.Errorf("Records of a number that is not there: %v, want NotFound", err)
	}
	before, err := s.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[driver.Kind]int{driver.KindChunk: 3, driver.KindTable: 1}, before.Records); diff != "" || before.Documents != 3 {
		t.Errorf("Stats: %d documents, records (-want +got):\n%s", before.Documents, diff)
	}

	replace(t, s, doc("a", "blue plums"))
	if got := found(t, s, query(driver.MatchAny, "apples")); got != "" {
		t.Errorf("replaced records are still found: %q", got)
	}
	if got := found(t, s, query(driver.MatchAny, "plums")); got != "a:0" {
		t.Errorf("new record: %q, want a:0", got)
	}
	if _, err := s.Records(ctx, "a", driver.KindTable, []int{0}); !errors.Is(err, errs.NotFound) {
		t.Errorf("a replaced record is still there: %v", err)
	}
	if err := s.Delete(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	after, err := s.Stats(ctx)
	if err != nil || after.Generation <= before.Generation || after.Documents != 2 || after.Records[driver.KindChunk] != 1 || after.Records[driver.KindTable] != 0 {
		t.Errorf("Stats after changes = %+v, %v; before %+v", after, err, before)
	}
	if got := found(t, s, query(driver.MatchAny, "bricks")); got != "" {
		t.Errorf("a deleted document is found: %q", got)
	}
}

func testMatch(t *testing.T, make Maker) {
	s := open(t, make)
	replace(t, s,
		doc("a", "The synchronization signals of the cell", "signals for synchronization"),
		doc("b", "UE in RRC_CONNECTED, see 38.331 for maxNrofSSBs-1 and SIB1"),
		doc("c", "the detec-\ntion of a well-\nknown sequence; connected"),
		doc("d", "rrc and much later connected; nrof ssbs"),
		doc("e", "state of the art of the state"),
	)
	for _, tt := range []struct {
		match driver.Match
		q     string
		want  string
	}{
		{driver.MatchPhrase, "synchronization signals", "a:0"},
		{driver.MatchPhrase, "Synchronisation signal", ""},
		{driver.MatchPhrase, "synchronizations signal", "a:0"},
		{driver.MatchAll, "signals synchronization", "a:1,0"},
		{driver.MatchPhrase, "rrc connected", "b:0"},
		{driver.MatchPhrase, "RRC_CONNECTED", "b:0"},
		{driver.MatchAll, "RRC_CONNECTED", "b:0"},
		{driver.MatchAll, "rrc connected", "b:0 d:0"},
		{driver.MatchAny, "38.331", "b:0"},
		{driver.MatchAll, "nrof ssbs", "b:0 d:0"},
		{driver.MatchPhrase, "maxNrofSSBs-1", "b:0"},
		{driver.MatchPhrase, "sib1", "b:0"},
		{driver.MatchPhrase, "detection of a well-known sequence", "c:0"},
		{driver.MatchAll, "well-known detection", "c:0"},
		{driver.MatchPhrase, "state of the art", "e:0"},
		{driver.MatchAny, "nothing here", ""},
	} {
		got := found(t, s, query(tt.match, tt.q))
		if tt.match == driver.MatchAll && len(strings.Fields(tt.want)) > 1 {
			if len(strings.Fields(got)) != len(strings.Fields(tt.want)) {
				t.Errorf("match %d %q = %q, want in any order %q", tt.match, tt.q, got, tt.want)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("match %d %q = %q, want %q", tt.match, tt.q, got, tt.want)
		}
	}
	q := query(driver.MatchAny, "connected")
	q.Docs = []string{"c"}
	if got := found(t, s, q); got != "c:0" {
		t.Errorf("in one document: %q, want c:0", got)
	}
	q.Docs = []string{"nobody"}
	if got := found(t, s, q); got != "" {
		t.Errorf("in no document: %q", got)
	}
	q = query(driver.MatchPhrase, "state of the art")
	q.Verify = func(s string) bool { return strings.Contains(s, "never") }
	if got := found(t, s, q); got != "" {
		t.Errorf("refused by Verify, but found: %q", got)
	}
	q = query(driver.MatchAny, "signals")
	q.Kind = driver.KindFigure
	if got := found(t, s, q); got != "" {
		t.Errorf("chunks found as figures: %q", got)
	}
}

func testOrder(t *testing.T, make Maker) {
	s := open(t, make)
	// Equal texts: ties by id, then number.
	replace(t, s, doc("c", "same text", "same text", "same text", "same text"), doc("a", "same text"), doc("b", "same text", "same"))
	q := query(driver.MatchAny, "text")
	if got, want := found(t, s, q), "a:0 b:0 c:0,1,2"; got != want {
		t.Errorf("ties = %q, want %q", got, want)
	}
	q.Limit, q.PerDoc = 2, 1
	hits, err := s.Search(t.Context(), q)
	if err != nil || hits.Total != 3 || len(hits.Hits) != 2 {
		t.Errorf("limit 2: %+v, %v; want 2 hits of 3", hits, err)
	}
}

func testClosed(t *testing.T, make Maker) {
	s := make(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, err1 := s.Get(ctx, "a")
	_, err2 := s.List(ctx)
	_, err3 := s.Search(ctx, query(driver.MatchAny, "a"))
	_, err4 := s.Stats(ctx)
	_, err5 := s.Records(ctx, "a", driver.KindChunk, nil)
	for i, err := range []error{err1, err2, err3, err4, err5, s.Replace(ctx, []*driver.Document{doc("a")}), s.Delete(ctx, "a"), s.Close()} {
		if !errors.Is(err, errs.Closed) {
			t.Errorf("call %d after Close: %v, want Closed", i, err)
		}
	}
}

// testConcurrent replaces a document again and again by one of two states; readers must see one of them whole.
func testConcurrent(t *testing.T, make Maker) {
	s := open(t, make)
	states := []*driver.Document{doc("a", "odd one", "odd two"), doc("a", "even one", "even two", "even three")}
	replace(t, s, states[0])
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for ctx.Err() == nil {
				hits, err := s.Search(ctx, query(driver.MatchAny, "odd even"))
				if err != nil {
					if ctx.Err() == nil {
						t.Errorf("Search beside Replace: %v", err)
					}
					return
				}
				if len(hits.Hits) != 1 || len(hits.Hits[0].Records) < 2 {
					t.Errorf("half a document: %+v", hits)
					return
				}
			}
		})
	}
	for i := range 20 {
		replace(t, s, states[i%2])
	}
	cancel()
	wg.Wait()
}

var vocabulary = strings.Fields(`signal signals synchronization primary secondary cell the of and in is detection detector
	RRC_CONNECTED maxNrofSSBs-1 38.331 SIB1 physical-layer frequency timing offset beam index burst set half frame`)

func randomText(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		// Squaring makes some words common and others rare.
		f := r.Float64()
		w := vocabulary[int(f*f*float64(len(vocabulary)))]
		b.WriteString(w)
		b.WriteString([]string{" ", " ", " ", ", ", "-\n", "\n"}[r.IntN(6)])
	}
	return b.String()
}

func testEqual(t *testing.T, make, reference Maker) {
	r := rand.New(rand.NewPCG(1, 2))
	a, b := open(t, make), open(t, reference)
	for range 12 {
		var docs []*driver.Document
		for i := range 1 + r.IntN(6) {
			d := doc(fmt.Sprintf("doc%02d", i*5+r.IntN(5)))
			for k, kind := range driver.Kinds() {
				for n := range r.IntN(5 * (k + 1)) {
					d.Records = append(d.Records, driver.Record{Kind: kind, N: n, Text: randomText(r, 1+r.IntN(60))})
				}
			}
			docs = append(docs, d)
		}
		replace(t, a, docs...)
		replace(t, b, docs...)
		if r.IntN(3) == 0 {
			id := docs[0].ID
			if err1, err2 := a.Delete(t.Context(), id), b.Delete(t.Context(), id); err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
		}
		for range 40 {
			q := query(driver.Match(r.IntN(3)), strings.TrimLeft(randomText(r, 1+r.IntN(4)), "- \n"))
			for len(q.Groups) > 0 && q.Groups[0].Stop {
				q.Groups = q.Groups[1:]
			}
			if len(q.Groups) == 0 {
				continue
			}
			q.Kind = driver.Kinds()[r.IntN(4)]
			q.Limit, q.PerDoc = 1+r.IntN(8), 1+r.IntN(4)
			if r.IntN(4) == 0 {
				q.Docs = []string{docs[0].ID}
			}
			got, err := a.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("Search(%+v) (-reference +got):\n%s", q, diff)
			}
		}
	}
}
