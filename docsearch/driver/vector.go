package driver

import (
	"fmt"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// Direction returns the query's vector with length one, or an error wrapping errs.Unsupported when it has no direction: it is
// empty or all zero, or a number in it is infinite or none.
func (q *VectorQuery) Direction() ([]float32, error) {
	u, ok := vector.Unit(q.Vector)
	if !ok {
		return nil, fmt.Errorf("vector query: %w: a vector of %d numbers without a direction", errs.Unsupported, len(q.Vector))
	}
	return u, nil
}

// Cosine is the score of a vector for a query's [VectorQuery.Direction] of the same length: engines that use it give one score to the bit.
func Cosine(direction, v []float32) float64 {
	return float64(vector.Dot(direction, v) * vector.Inverse(v))
}

// WrongLength is the error of a query's vector that meets one of another length.
func WrongLength(q *VectorQuery, doc string, have int) error {
	return fmt.Errorf("vector query: %w: it has %d numbers, and a vector of document %s has %d: they are of two models", errs.Unsupported, len(q.Vector), doc, have)
}

// CheckVectors reports vectors of a document that no query could be compared with, as an error wrapping errs.Unsupported.
func CheckVectors(d *Document) error {
	var size map[Kind]int
	for i := range d.Records {
		r := &d.Records[i]
		if r.Vector == nil {
			continue
		}
		if vector.Inverse(r.Vector) == 0 {
			return fmt.Errorf("document %s, %s record %d: %w: its vector of %d numbers has no direction", d.ID, r.Kind, r.N, errs.Unsupported, len(r.Vector))
		}
		if size == nil {
			size = map[Kind]int{}
		}
		if n, ok := size[r.Kind]; ok && n != len(r.Vector) {
			return fmt.Errorf("document %s, %s record %d: %w: vectors of %d and of %d numbers", d.ID, r.Kind, r.N, errs.Unsupported, n, len(r.Vector))
		}
		size[r.Kind] = len(r.Vector)
	}
	return nil
}
