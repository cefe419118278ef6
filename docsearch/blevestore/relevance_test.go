package blevestore_test

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
)

type line struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func lines(t *testing.T, r io.Reader) []line {
	var out []line
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 8<<20)
	for sc.Scan() {
		var l line
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// relevanceSets are folders of the shared relevance folder.
var relevanceSets = []string{"cranfield", "cisi", "med", "npl"}

// A relevanceSet is documents, and queries with what was judged relevant.
type relevanceSet struct {
	corpus  []byte // JSON Lines
	queries []line
	judged  map[string]map[string]float64 // by query, then document
}

func readSet(t *testing.T, dir string) *relevanceSet {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "corpus.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	set := &relevanceSet{judged: map[string]map[string]float64{}}
	if set.corpus, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	judged, err := os.ReadFile(filepath.Join(dir, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(string(judged), "\n")[1:] {
		var qid, did string
		var v float64
		if n, _ := fmt.Sscan(l, &qid, &did, &v); n == 3 {
			if set.judged[qid] == nil {
				set.judged[qid] = map[string]float64{}
			}
			set.judged[qid][did] = v
		}
	}
	queries, err := os.ReadFile(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines(t, bytes.NewReader(queries)) {
		if set.judged[l.ID] != nil {
			set.queries = append(set.queries, l)
		}
	}
	if len(set.queries) == 0 {
		t.Fatalf("%s: no query is judged", dir)
	}
	return set
}

// library opens a library of the set's documents: texts that begin with their titles.
func (s *relevanceSet) library(t *testing.T, o *blevestore.Options) *docsearch.Library {
	t.Helper()
	lib, err := blevestore.Open(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	sources := func(yield func(docsearch.Source, error) bool) {
		for _, l := range lines(t, bytes.NewReader(s.corpus)) {
			if !yield(docsearch.Bytes(l.ID+".txt", []byte(l.Title+"\n\n"+l.Text+"\n")), nil) {
				return
			}
		}
	}
	for d, err := range lib.AddAll(t.Context(), sources) {
		if err != nil && !strings.Contains(err.Error(), "no text") || err == nil && d.Pending != "" {
			t.Fatal(d, err)
		}
	}
	return lib
}

// score returns the mean nDCG@10 of the judged queries.
func (s *relevanceSet) score(t *testing.T, lib *docsearch.Library, o *docsearch.SearchOptions) float64 {
	t.Helper()
	var sum float64
	for _, l := range s.queries {
		res, err := lib.Search(t.Context(), l.Text, o)
		if err != nil {
			t.Fatal(err)
		}
		sum += ndcg(res, s.judged[l.ID])
	}
	return sum / float64(len(s.judged))
}

// TestRelevance keeps nDCG@10 on public judgements in a golden file, so that a change of the ranking shows.
func TestRelevance(t *testing.T) {
	if testing.Short() {
		t.Skip("four collections take some seconds")
	}
	need.NoRace(t)
	root := need.Shared(t, "relevance")
	var report bytes.Buffer
	for _, name := range relevanceSets {
		if only := os.Getenv("FINDSPOT_RELEVANCE"); only != "" && !strings.Contains(only, name) {
			continue
		}
		set := readSet(t, filepath.Join(root, name))
		lib := set.library(t, nil)
		words := set.score(t, lib, &docsearch.SearchOptions{Tiers: []docsearch.Tier{docsearch.TierAny}, Literal: true})
		all := set.score(t, lib, &docsearch.SearchOptions{Literal: true})
		fmt.Fprintf(&report, "%-10s any %.3f  all tiers %.3f\n", name, words, all)
	}
	t.Logf("\n%s", report.String())
	if os.Getenv("FINDSPOT_RELEVANCE") == "" {
		golden.Compare(t, filepath.Join("testdata", "relevance.txt"), report.Bytes())
	}
}

func ndcg(res *docsearch.Results, rel map[string]float64) float64 {
	var got, ideal float64
	for i, h := range res.Hits {
		got += rel[strings.TrimSuffix(h.Name, ".txt")] / math.Log2(float64(i)+2)
	}
	var vs []float64
	for _, v := range rel {
		vs = append(vs, v)
	}
	slices.SortFunc(vs, func(a, b float64) int { return cmp.Compare(b, a) })
	for i, v := range vs[:min(10, len(vs))] {
		ideal += v / math.Log2(float64(i)+2)
	}
	if ideal == 0 {
		return 0
	}
	return got / ideal
}
