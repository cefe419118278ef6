package blevestore

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// sums counts the records of one kind and the tokens of their fields.
type sums struct {
	Records int `json:"records"`
	Words   int `json:"words"`
	Idents  int `json:"idents"`
	Heads   int `json:"heads,omitempty"`
}

func (s *sums) add(o sums, sign int) {
	s.Records += sign * o.Records
	s.Words += sign * o.Words
	s.Idents += sign * o.Idents
	s.Heads += sign * o.Heads
}

// docSums is what a document holds, by the letters of the kinds.
type docSums map[string]*kindSums

// kindSums are the sums of a document's records of one kind, and their numbers.
type kindSums struct {
	sums
	Numbers []int `json:"n,omitempty"` // in order; nil: from 0 on
	Vectors bool  `json:"v,omitempty"` // some of them have one
}

func (s docSums) add(r *driver.Record, one sums) {
	k := s[letters[r.Kind]]
	if k == nil {
		k = &kindSums{}
		s[letters[r.Kind]] = k
	}
	if k.Numbers == nil && r.N != k.Records {
		k.Numbers = k.numbers()
	}
	if k.Numbers != nil {
		at, _ := slices.BinarySearch(k.Numbers, r.N)
		k.Numbers = slices.Insert(k.Numbers, at, r.N)
	}
	k.sums.add(one, 1)
	k.Vectors = k.Vectors || r.Vector != nil
}

func (k *kindSums) numbers() []int {
	if k.Numbers != nil {
		return k.Numbers
	}
	ns := make([]int, k.Records)
	for i := range ns {
		ns[i] = i
	}
	return ns
}

// parseDocSums reads the sums of a document in a state of the index, which has no more records than entries.
func parseDocSums(r index.IndexReader, id string, data []byte) (docSums, error) {
	segments, err := segmentsOf(r)
	if err != nil {
		return nil, err
	}
	entries := uint64(0)
	for _, seg := range segments {
		entries += seg.Segment().Count()
	}
	var s docSums
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("document %s: %w: sums: %v", id, errs.Format, err)
	}
	for l, k := range s {
		if k == nil || k.Numbers != nil && len(k.Numbers) != k.Records || k.Records < 0 || uint64(k.Records) > entries {
			return nil, fmt.Errorf("document %s: %w: sums of %q", id, errs.Format, l)
		}
	}
	return s, nil
}

// stats is the internal value statsKey.
type stats struct {
	Generation uint64               `json:"generation"`
	Documents  int                  `json:"documents"`
	Kinds      map[driver.Kind]sums `json:"kinds"`
}

func (s stats) clone() stats {
	out := s
	out.Kinds = maps.Clone(s.Kinds)
	return out
}

// count adds the sums of a document, or takes them away.
func (s *stats) count(doc docSums, sign int) {
	s.Documents += sign
	for kind, l := range letters {
		if k := doc[l]; k != nil {
			t := s.Kinds[kind]
			t.add(k.sums, sign)
			s.Kinds[kind] = t
		}
	}
}
