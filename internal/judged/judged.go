package judged

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Text is a document or a query.
type Text struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// A Set is a test collection.
type Set struct {
	Name    string // of its folder
	Docs    []Text
	Queries []Text                        // that have judgements
	Grades  map[string]map[string]float64 // by query, then document
}

// maxLine bounds a line in bytes.
const maxLine = 8 << 20

// Read reads the collection in a folder. Errors name the file and the line.
func Read(dir string) (*Set, error) {
	s := &Set{Name: filepath.Base(dir), Grades: map[string]map[string]float64{}}
	if err := open(filepath.Join(dir, "corpus.jsonl.gz"), func(r io.Reader) error {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		s.Docs, err = texts(z)
		return err
	}); err != nil {
		return nil, err
	}
	if err := open(filepath.Join(dir, "qrels.tsv"), s.grades); err != nil {
		return nil, err
	}
	err := open(filepath.Join(dir, "queries.jsonl"), func(r io.Reader) (err error) {
		s.Queries, err = texts(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Queries = slices.DeleteFunc(s.Queries, func(q Text) bool { return s.Grades[q.ID] == nil })
	if len(s.Queries) == 0 {
		return nil, fmt.Errorf("%s: no query of queries.jsonl is in qrels.tsv", dir)
	}
	return s, nil
}

func open(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	if err := read(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// each calls f for the lines of r, numbered from 1.
func each(r io.Reader, f func(n int, line []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 0
	for sc.Scan() {
		if n++; len(sc.Bytes()) > 0 {
			if err := f(n, sc.Bytes()); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	return sc.Err()
}

func texts(r io.Reader) (out []Text, err error) {
	err = each(r, func(_ int, line []byte) error {
		var t Text
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		out = append(out, t)
		return nil
	})
	return out, err
}

func (s *Set) grades(r io.Reader) error {
	return each(r, func(n int, line []byte) error {
		if n == 1 {
			return nil
		}
		f := strings.Fields(string(line))
		if len(f) != 3 {
			return fmt.Errorf("%d columns, not 3", len(f))
		}
		grade, err := strconv.ParseFloat(f[2], 64)
		if err != nil || !(grade >= 0) {
			return fmt.Errorf("the grade %q is no number from 0", f[2])
		}
		if s.Grades[f[0]] == nil {
			s.Grades[f[0]] = map[string]float64{}
		}
		s.Grades[f[0]][f[1]] = grade
		return nil
	})
}

// NDCG is the nDCG@10 of a ranking of document ids for a query (Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002): gains
// are the grades, and the discount of rank i is log2(i+1). It is 0 where nothing is relevant.
func (s *Set) NDCG(query string, ranking []string) float64 {
	const depth = 10
	sum := func(grades []float64) (sum float64) {
		for i, g := range grades[:min(depth, len(grades))] {
			sum += g / math.Log2(float64(i)+2)
		}
		return sum
	}
	var got, ideal []float64
	for _, id := range ranking {
		got = append(got, s.Grades[query][id])
	}
	for _, g := range s.Grades[query] {
		ideal = append(ideal, g)
	}
	slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	if len(ideal) == 0 || ideal[0] == 0 {
		return 0
	}
	return sum(got) / sum(ideal)
}
