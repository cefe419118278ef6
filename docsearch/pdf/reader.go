package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// A reader gives typed access to the objects of a file for one call: what it reads stops with that call's context and counts
// against its budget. It is safe for concurrent use.
type reader struct {
	ctx    context.Context
	doc    *cos.File
	budget *budget // what the call may still cost; nil: unbounded
}

// with returns a reader for another call.
func (f *reader) with(ctx context.Context) *reader {
	return &reader{ctx, f.doc, f.budget}
}

func (f *reader) catalog() cos.Dict { return f.doc.Catalog(f.ctx) }

// resolve follows references; a broken or endless chain is null.
func (f *reader) resolve(o cos.Object) cos.Object { return f.doc.Resolve(f.ctx, o) }

// dict returns the dictionary o stands for, that of a stream included, or nil.
func (f *reader) dict(o cos.Object) cos.Dict {
	switch v := f.resolve(o).(type) {
	case cos.Dict:
		return v
	case *cos.Stream:
		return v.Dict
	}
	return nil
}

func (f *reader) array(o cos.Object) cos.Array {
	a, _ := f.resolve(o).(cos.Array)
	return a
}

func (f *reader) num(o cos.Object) (float64, bool) {
	switch v := f.resolve(o).(type) {
	case cos.Integer:
		return float64(v), true
	case cos.Float:
		if x := float64(v); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, true
		}
	}
	return 0, false
}

func (f *reader) numOr(o cos.Object, def float64) float64 {
	if v, ok := f.num(o); ok {
		return v
	}
	return def
}

func (f *reader) name(o cos.Object) string {
	n, _ := f.resolve(o).(cos.Name)
	return string(n)
}

// str returns the bytes of a string object.
func (f *reader) str(o cos.Object) []byte {
	s, ok := f.resolve(o).(cos.String)
	if !ok {
		return nil
	}
	return []byte(s)
}

// nums returns the numbers of an array, 0 for what is none.
func (f *reader) nums(o cos.Object) []float64 {
	a := f.array(o)
	if a == nil || len(a) > 1<<16 {
		return nil
	}
	out := make([]float64, len(a))
	for i, v := range a {
		out[i], _ = f.num(v)
	}
	return out
}

// objNr returns the object number of a reference, 0 for a direct object.
func objNr(o cos.Object) int {
	if r, ok := o.(cos.Ref); ok {
		return r.Num
	}
	return 0
}

var errFilter = errors.New("filter not for text")

// stream returns the decoded bytes of a stream. What could be decoded before a fault is returned with the error.
func (f *reader) stream(o cos.Object) ([]byte, error) {
	data, rest, err := f.encoded(o)
	if len(rest) > 0 {
		return nil, fmt.Errorf("%s: %w", rest[0].Name, errFilter)
	}
	return data, err
}

// encoded returns the bytes of a stream decoded up to the filter of an image, and the filters that remain: none, or an
// image's, or one that is not known. The bytes are the caller's.
func (f *reader) encoded(o cos.Object) ([]byte, []cos.Filter, error) {
	s, ok := f.resolve(o).(*cos.Stream)
	if !ok {
		return nil, nil, fmt.Errorf("object %d: not a stream", objNr(o))
	}
	return s.Decode(f.ctx, func(n int) error { return f.budget.spend(costByte * int64(n)) })
}

