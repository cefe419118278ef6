package judged_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/judged"
)

// write makes a collection of two documents.
func write(t *testing.T, qrels string) string {
	t.Helper()
	dir := t.TempDir()
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write([]byte(`{"_id": "d1", "title": "Cells", "text": "cell search"}` + "\n" + `{"_id": "d2", "text": "beams"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"corpus.jsonl.gz": z.String(), "qrels.tsv": qrels, "queries.jsonl": `{"_id": "q1", "text": "cells"}` + "\n" + `{"_id": "q2", "text": "not judged"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	s, err := judged.Read(write(t, "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Docs) != 2 || s.Docs[0].Title != "Cells" || len(s.Queries) != 1 || s.Queries[0].ID != "q1" {
		t.Errorf("read %+v", s)
	}
	if got := s.NDCG("q1", []string{"d1", "d2"}); got != 1 {
		t.Errorf("the ideal ranking has %v, want 1", got)
	}
	second := 1 / math.Log2(3)
	if got, want := s.NDCG("q1", []string{"d2", "d1"}), (1+2*second)/(2+second); math.Abs(got-want) > 1e-12 {
		t.Errorf("the other ranking has %v, want %v", got, want)
	}
	if got := s.NDCG("q2", []string{"d1"}); got != 0 {
		t.Errorf("a query without judgements has %v, want 0", got)
	}
}

func TestReadErrors(t *testing.T) {
	for qrels, want := range map[string]string{
		"h\nq1\td1\n":        "qrels.tsv: line 2: 2 columns",
		"h\nq1\td1\tgood\n":  `the grade "good"`,
		"h\nq9\td1\t1\n":     "no query",
		"h\nq1\td1\t-1\n":    `the grade "-1"`,
		"h\nq1\td1\tNaN\n":   `the grade "NaN"`,
		"h\nq1 d1 1 extra\n": "4 columns",
	} {
		if _, err := judged.Read(write(t, qrels)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", qrels, err, want)
		}
	}
	if _, err := judged.Read(t.TempDir()); err == nil {
		t.Error("an empty folder is read")
	}
}
