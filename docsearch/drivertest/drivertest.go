package drivertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	t.Run("clauses", func(t *testing.T) { testClauses(t, make) })
	t.Run("weights", func(t *testing.T) { testWeights(t, make) })
	t.Run("heads", func(t *testing.T) { testHeads(t, make) })
	t.Run("data", func(t *testing.T) { testData(t, make) })
	t.Run("similar", func(t *testing.T) { testSimilar(t, make) })
	t.Run("counts", func(t *testing.T) { testCounts(t, make) })
	t.Run("vectors", func(t *testing.T) { testVectors(t, make) })
	t.Run("order", func(t *testing.T) { testOrder(t, make) })
	t.Run("closed", func(t *testing.T) { testClosed(t, make) })
	t.Run("concurrent", func(t *testing.T) { testConcurrent(t, make) })
	if reference != nil {
		t.Run("equal", func(t *testing.T) { testEqual(t, make, reference) })
		t.Run("equal vectors", func(t *testing.T) { testEqualVectors(t, make, reference) })
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
		doc("f", "state in an art; the well- known-\nones"),
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
		{driver.MatchPhrase, "of the", ""}, // an index knows no stop words
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
	q = query(driver.MatchAny, "signals")
	q.Kind = driver.KindFigure
	if got := found(t, s, q); got != "" {
		t.Errorf("chunks found as figures: %q", got)
	}
}

func clause(s string) driver.Clause { return driver.Groups(s) }

func testClauses(t *testing.T, make Maker) {
	s := open(t, make)
	replace(t, s,
		doc("a", "the primary signal of the cell", "a signal, and the primary one"),
		doc("b", "RRC_CONNECTED signal; see 38.331", "signal of a connected thing with rrc"),
		doc("c", "a signal to be or not to be", "be to, or to be not a signal"),
		doc("d", "sig-\nnal for primary-\nsignal readers"),
	)
	for _, tt := range []struct {
		match            driver.Match
		q                string
		require, exclude []driver.Clause
		want             string // in the order of ids and numbers
	}{
		{driver.MatchAny, "signal", []driver.Clause{clause("primary signal")}, nil, "a:0"},
		{driver.MatchAny, "signal", nil, []driver.Clause{clause("primary")}, "b:0,1 c:0,1"},
		{driver.MatchAll, "signal", []driver.Clause{clause("RRC_CONNECTED")}, nil, "b:0"},
		{driver.MatchAny, "signal", nil, []driver.Clause{clause("RRC_CONNECTED"), clause("primary")}, "b:1 c:0,1"},
		{driver.MatchPhrase, "signal", []driver.Clause{clause("to be or not to be")}, nil, "c:0"},
		{driver.MatchAny, "signal", nil, []driver.Clause{clause("to be or not to be"), clause("primary"), clause("connected")}, "c:1"},
		{driver.MatchAny, "signal", []driver.Clause{clause("38.331"), clause("rrc")}, nil, "b:0"},
		{driver.MatchAny, "signal", []driver.Clause{clause("nowhere")}, nil, ""},
		{driver.MatchAny, "signal", nil, []driver.Clause{clause("the cell")}, "a:1 b:0,1 c:0,1 d:0"},
	} {
		q := query(tt.match, tt.q)
		q.Require, q.Exclude = tt.require, tt.exclude
		got := strings.Fields(found(t, s, q))
		for i, h := range got { // the order of scores is looked at elsewhere
			id, ns, _ := strings.Cut(h, ":")
			list := strings.Split(ns, ",")
			slices.Sort(list)
			got[i] = id + ":" + strings.Join(list, ",")
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q, require %v, exclude %v = %q, want %q", tt.q, tt.require, tt.exclude, s, tt.want)
		}
	}
}

func testWeights(t *testing.T, make Maker) {
	s := open(t, make)
	replace(t, s, doc("a", "cell search"), doc("b", "beam search"), doc("c", "nothing of both"))
	for _, tt := range []struct {
		cell, beam float64
		want       string
	}{{0, .5, "a:0 b:0"}, {.5, 0, "b:0 a:0"}, {1, 0, "a:0 b:0"}, {.25, .5, "b:0 a:0"}} {
		q := query(driver.MatchAny, "cell beam")
		q.Groups[0].Weight, q.Groups[1].Weight = tt.cell, tt.beam
		if got := found(t, s, q); got != tt.want {
			t.Errorf("cell %v, beam %v: %q, want %q", tt.cell, tt.beam, got, tt.want)
		}
	}
}

func testHeads(t *testing.T, make Maker) {
	s := open(t, make)
	a, b := doc("a", "the signal is detected"), doc("b", "the signal is detected")
	b.Records[0].Heads = "5.2 Signals\nDetection"
	c := doc("c", "nothing of the kind")
	c.Records[0].Heads = "signal"
	c.Records[0].Processed, c.Records[0].Vector = true, []float32{1, 0}
	replace(t, s, a, b, c)
	q := query(driver.MatchAny, "signal")
	if got := found(t, s, q); got != "a:0 b:0" {
		t.Errorf("heads without weight: %q, want a:0 b:0", got)
	}
	for _, m := range []driver.Match{driver.MatchAny, driver.MatchAll} {
		q.Match, q.HeadWeight = m, .5
		if got := found(t, s, q); got != "b:0 a:0" {
			t.Errorf("match %d, heads with weight: %q, want b:0 a:0", m, got)
		}
	}
	recs, err := s.Records(t.Context(), "c", driver.KindChunk, nil)
	if err != nil || len(recs) != 1 || recs[0].Heads != "signal" || !recs[0].Processed || !slices.Equal(recs[0].Vector, []float32{1, 0}) {
		t.Errorf("Records = %+v, %v; want the heads, the mark and the vector", recs, err)
	}
}

func testData(t *testing.T, make Maker) {
	s := open(t, make)
	ctx := t.Context()
	replace(t, s, doc("a", "one", "two"), doc("b", "three"))
	before, err := s.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetData(ctx, map[string][]byte{"a": []byte("new"), "nobody": []byte("x")}); !errors.Is(err, errs.NotFound) {
		t.Errorf("SetData of a document that is not there: %v, want NotFound", err)
	}
	if d, err := s.Get(ctx, "a"); err != nil || string(d.Data) != "data of a" {
		t.Errorf("after a change that failed: %+v, %v", d, err)
	}
	if err := s.SetData(ctx, map[string][]byte{"a": []byte("new")}); err != nil {
		t.Fatal(err)
	}
	d, err := s.Get(ctx, "a")
	if diff := cmp.Diff(&driver.Document{ID: "a", Data: []byte("new"), Layout: []byte("layout of a")}, d); diff != "" || err != nil {
		t.Errorf("Get: %v (-want +got):\n%s", err, diff)
	}
	if got := found(t, s, query(driver.MatchAny, "one two three")); len(strings.Fields(got)) != 2 {
		t.Errorf("records after SetData: %q", got)
	}
	after, err := s.Stats(ctx)
	if err != nil || after.Generation <= before.Generation || after.Documents != 2 || after.Records[driver.KindChunk] != 3 {
		t.Errorf("Stats = %+v, %v; before %+v", after, err, before)
	}
	recs, err := s.Records(ctx, "a", driver.KindChunk, nil)
	if err != nil || len(recs) != 2 || recs[0].N != 0 || recs[1].N != 1 {
		t.Errorf("all records = %+v, %v", recs, err)
	}
	if recs, err = s.Records(ctx, "a", driver.KindTable, nil); err != nil || len(recs) != 0 {
		t.Errorf("all records of a kind that it has none of = %+v, %v", recs, err)
	}
	if _, err = s.Records(ctx, "nobody", driver.KindChunk, nil); !errors.Is(err, errs.NotFound) {
		t.Errorf("all records of nobody: %v, want NotFound", err)
	}
}

func testSimilar(t *testing.T, make Maker) {
	s := open(t, make)
	sp, ok := s.(driver.Speller)
	if !ok {
		t.Skip("the store is no Speller")
	}
	replace(t, s, doc("a", "signal signals sigmal", "detector", "signal cat"), doc("b", "signed cut", "dignals"), doc("gone", "sinal"))
	if err := s.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ term, want string }{
		{"sigal", "signal sigmal"}, {"signol", "signal dignal sigmal sign"}, {"detectr", "detector"}, {"cet", "cat cut"}, {"ca", ""}, {"signal", "dignal sigmal sign"}, {"zzzzzz", ""},
	} {
		list, err := sp.Similar(t.Context(), driver.KindChunk, tt.term, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range list {
			got = append(got, x.Term)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Similar(%q) = %+v, want %q", tt.term, list, tt.want)
		}
	}
	if list, err := sp.Similar(t.Context(), driver.KindChunk, "signol", 1); err != nil || len(list) != 1 {
		t.Errorf("Similar with a limit of 1 = %v, %v", list, err)
	}
	if list, err := sp.Similar(t.Context(), driver.KindTable, "signol", 1); err != nil || len(list) != 0 {
		t.Errorf("Similar in a kind without records = %v, %v", list, err)
	}
}

func testCounts(t *testing.T, make Maker) {
	s := open(t, make)
	c, ok := s.(driver.Counter)
	if !ok {
		t.Skip("the store is no Counter")
	}
	terms := []string{"signal", "cell", "nothing"}
	count := func() string {
		got, err := c.Count(t.Context(), driver.KindChunk, terms)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(*got)
	}
	if got := count(); got != "{0 [0 0 0]}" {
		t.Errorf("an empty store counts %s", got)
	}
	replace(t, s, doc("a", "signals of a signal", "a cell"), doc("b", "signal"), doc("gone", "signal cell"))
	if err := s.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	if got := count(); got != "{3 [2 1 0]}" {
		t.Errorf("counted %s, want {3 [2 1 0]}", got)
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
	for _, m := range []driver.Match{driver.MatchPhrase, driver.MatchAll, driver.MatchAny} {
		for _, n := range [][2]int{{0, 1}, {2, 0}, {0, 0}, {-1, 1}, {1, -1}} {
			q := query(m, "text")
			q.Limit, q.PerDoc = n[0], n[1]
			if hits, err := s.Search(t.Context(), q); err != nil || hits.Total != 3 || len(hits.Hits) != 0 {
				t.Errorf("limit %d, %d a document, %v: %+v, %v; want no hits of 3", n[0], n[1], m, hits, err)
			}
		}
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
	for i, err := range []error{err1, err2, err3, err4, err5, s.Replace(ctx, []*driver.Document{doc("a")}), s.Delete(ctx, "a"), s.SetData(ctx, nil), s.Close()} {
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
					d.Records = append(d.Records, driver.Record{Kind: kind, N: n, Text: randomText(r, 1+r.IntN(60)), Heads: randomText(r, r.IntN(4))})
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
			if r.IntN(3) == 0 {
				q.HeadWeight = .5
			}
			if r.IntN(3) == 0 {
				for i := range q.Groups {
					q.Groups[i].Weight = .3 * float64(r.IntN(5))
				}
			}
			if r.IntN(5) == 0 {
				q.Require = []driver.Clause{clause(randomText(r, 1+r.IntN(2)))}
			}
			if r.IntN(5) == 0 {
				q.Exclude = []driver.Clause{clause(randomText(r, 1+r.IntN(2)))}
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
