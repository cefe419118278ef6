package segments

import (
	"bytes"
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/internal/errs"
)

// Of returns the segments of a state. Entries are read from them: on the way through the reader each costs as much as a search.
func Of(r index.IndexReader) ([]*scorch.SegmentSnapshot, error) {
	snapshot, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, fmt.Errorf("%w: an index of %T", errs.Unsupported, r)
	}
	return snapshot.Segments(), nil
}

// Fields returns the stored fields of one entry, or nil when it is not there.
func Fields(r index.IndexReader, id string) (map[string][]byte, error) {
	segments, err := Of(r)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		var out map[string][]byte
		err := eachEntry(s, "_id", id, func(n uint64) (err error) {
			out, err = storedFields(s, n)
			return err
		})
		if out != nil || err != nil {
			return out, err
		}
	}
	return nil, nil
}

// eachEntry calls visit with the number of each entry of a segment that holds a term.
func eachEntry(s *scorch.SegmentSnapshot, field, term string, visit func(n uint64) error) error {
	dict, err := s.Segment().Dictionary(field)
	if err != nil {
		return err
	}
	list, err := dict.PostingsList([]byte(term), s.Deleted(), nil)
	if err != nil || list.Count() == 0 {
		return err
	}
	if list.Count() > s.Segment().Count() {
		return brokenSegment("postings of other entries")
	}
	for it := list.Iterator(false, false, false, nil); ; {
		p, err := it.Next()
		if err != nil || p == nil {
			return err
		}
		if err := visit(p.Number()); err != nil {
			return err
		}
	}
}

// storedFields returns what an entry of a segment stores, with its id as "_id".
func storedFields(s *scorch.SegmentSnapshot, n uint64) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := visitStored(s.Segment(), n, func(field string, _ byte, value []byte, _ []uint64) bool {
		out[field] = append(make([]byte, 0, len(value)), value...) // value is the engine's
		return true
	})
	return out, err
}

// EachDocument calls visit with the id and the Data of every document, in no order.
func EachDocument(ctx context.Context, r index.IndexReader, visit func(id string, data []byte)) error {
	segments, err := Of(r)
	if err != nil {
		return err
	}
	for _, s := range segments {
		seen := 0
		err := eachEntry(s, "type", "doc", func(n uint64) error {
			if seen++; seen%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			var id, data []byte
			if err := visitStored(s.Segment(), n, func(field string, _ byte, value []byte, _ []uint64) bool {
				switch field {
				case "_id":
					id = bytes.Clone(value)
				case "meta":
					data = append(make([]byte, 0, len(value)), value...)
				}
				return data == nil
			}); err != nil {
				return err
			}
			doc, err := parentOf(id)
			if err != nil {
				return err
			}
			visit(string(doc), data)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
