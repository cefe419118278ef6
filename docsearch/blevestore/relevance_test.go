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

// TestRelevance keeps nDCG@10 on public judgements in a golden file, so that a change of the ranking shows.
func TestRelevance(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("four collections take some seconds, and a minute with the race detector")
	}
	root := need.Shared(t, "relevance")
	var report bytes.Buffer
	for _, set := range []string{"cranfield", "cisi", "med", "npl"} {
		if only := os.Getenv("FINDSPOT_RELEVANCE"); only != "" && !strings.Contains(only, set) {
			continue
		}
		dir := filepath.Join(root, set)
		f, err := os.Open(filepath.Join(dir, "corpus.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := blevestore.Open(t.Context(), t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		sources := func(yield func(docsearch.Source, error) bool) {
			for _, l := range lines(t, z) {
				if !yield(docsearch.Bytes(l.ID+".txt", []byte(l.Title+"\n\n"+l.Text+"\n")), nil) {
					return
				}
			}
		}
		for d, err := range lib.AddAll(t.Context(), sources) {
			if err != nil && !strings.Contains(err.Error(), "no text") {
				t.Fatal(d, err)
			}
		}
		qrels := map[string]map[string]float64{}
		q, err := os.ReadFile(filepath.Join(dir, "qrels.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(string(q), "\n")[1:] {
			var qid, did string
			var v float64
			if n, _ := fmt.Sscan(l, &qid, &did, &v); n == 3 {
				if qrels[qid] == nil {
					qrels[qid] = map[string]float64{}
				}
				qrels[qid][did] = v
			}
		}
		queries, err := os.Open(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer queries.Close()
		var sum [2]float64
		for _, l := range lines(t, queries) {
			rel := qrels[l.ID]
			if rel == nil {
				continue
			}
			for i, tiers := range [][]docsearch.Tier{{docsearch.TierAny}, nil} {
				res, err := lib.Search(t.Context(), l.Text, &docsearch.SearchOptions{Tiers: tiers, Literal: true})
				if err != nil {
					t.Fatal(err)
				}
				sum[i] += ndcg(res, rel)
			}
		}
		n := float64(len(qrels))
		fmt.Fprintf(&report, "%-10s any %.3f  all tiers %.3f\n", set, sum[0]/n, sum[1]/n)
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
