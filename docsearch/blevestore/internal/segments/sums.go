package segments

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// Sums counts the records of one kind and the tokens of their fields.
type Sums struct {
	Records int `json:"records"`
	Words   int `json:"words"`
	Idents  int `json:"idents"`
	Heads   int `json:"heads,omitempty"`
}

func (s *Sums) add(o Sums, sign int) {
	s.Records += sign * o.Records
	s.Words += sign * o.Words
	s.Idents += sign * o.Idents
	s.Heads += sign * o.Heads
}

// docSums is what a document holds, by the letters of the kinds.
type docSums map[string]*kindSums

// kindSums are the sums of a document's records of one kind, and their numbers.
type kindSums struct {
	Sums
	Numbers []int `json:"n,omitempty"` // in order; nil: from 0 on
	Vectors bool  `json:"v,omitempty"` // some of them have one
}

func (s docSums) add(r *driver.Record, one Sums) {
	k := s[letters[r.Kind]]
	if k == nil {
		k = &kindSums{}
		s[letters[r.Kind]] = k
	}
	if k.Numbers == nil && r.N != k.Records {
		k.Numbers = k.All()
	}
	if k.Numbers != nil {
		at, _ := slices.BinarySearch(k.Numbers, r.N)
		k.Numbers = slices.Insert(k.Numbers, at, r.N)
	}
	k.Sums.add(one, 1)
	k.Vectors = k.Vectors || r.Vector != nil
}

func (k *kindSums) All() []int {
	if k.Numbers != nil {
		return k.Numbers
	}
	ns := make([]int, k.Records)
	for i := range ns {
		ns[i] = i
	}
	return ns
}

// ParseDocSums reads the sums of a document in a state of the index, which has no more records than entries.
func ParseDocSums(r index.IndexReader, id string, data []byte) (docSums, error) {
	segments, err := Of(r)
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

// Stats is the internal value statsKey.
type Stats struct {
	Generation uint64               `json:"generation"`
	Documents  int                  `json:"documents"`
	Kinds      map[driver.Kind]Sums `json:"kinds"`
}

func (s Stats) Clone() Stats {
	out := s
	out.Kinds = maps.Clone(s.Kinds)
	return out
}

// Count adds the sums of a document, or takes them away.
func (s *Stats) Count(doc docSums, sign int) {
	s.Documents += sign
	for kind, l := range letters {
		if k := doc[l]; k != nil {
			t := s.Kinds[kind]
			t.add(k.Sums, sign)
			s.Kinds[kind] = t
		}
	}
}
