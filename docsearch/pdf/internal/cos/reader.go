package cos

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
)

// A Reader gives typed access to the objects of a file for one call: what it reads stops with that call's context and counts
// against its budget. It is safe for concurrent use.
type Reader struct {
	ctx    context.Context
	File   *File
	Budget *budget.Budget // what the call may still cost; nil: unbounded
}

// NewReader returns a reader for a call. A nil budget is without bounds.
func NewReader(ctx context.Context, f *File, b *budget.Budget) *Reader { return &Reader{ctx, f, b} }

// Context is that of the call.
func (f *Reader) Context() context.Context { return f.ctx }

// With returns a reader for another call.
func (f *Reader) With(ctx context.Context) *Reader {
	return &Reader{ctx, f.File, f.Budget}
}

// Catalog is the root of the file's objects.
func (f *Reader) Catalog() Dict { return f.File.Catalog(f.ctx) }

// Resolve follows references; a broken or endless chain is null.
func (f *Reader) Resolve(o Object) Object { return f.File.Resolve(f.ctx, o) }

// Dict returns the dictionary o stands for, that of a stream included, or nil.
func (f *Reader) Dict(o Object) Dict {
	switch v := f.Resolve(o).(type) {
	case Dict:
		return v
	case *Stream:
		return v.Dict
	}
	return nil
}

// Array returns the array o stands for, or nil.
func (f *Reader) Array(o Object) Array {
	a, _ := f.Resolve(o).(Array)
	return a
}

// Num returns the number o stands for; ok is false when it is none, or not finite.
func (f *Reader) Num(o Object) (float64, bool) {
	switch v := f.Resolve(o).(type) {
	case Integer:
		return float64(v), true
	case Float:
		if x := float64(v); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x, true
		}
	}
	return 0, false
}

// NumOr is Num with what counts for no number.
func (f *Reader) NumOr(o Object, def float64) float64 {
	if v, ok := f.Num(o); ok {
		return v
	}
	return def
}

// Name returns the name o stands for, without its slash, or "".
func (f *Reader) Name(o Object) string {
	n, _ := f.Resolve(o).(Name)
	return string(n)
}

// Str returns the bytes of a string object.
func (f *Reader) Str(o Object) []byte {
	s, ok := f.Resolve(o).(String)
	if !ok {
		return nil
	}
	return []byte(s)
}

// Nums returns the numbers of an array, 0 for what is none.
func (f *Reader) Nums(o Object) []float64 {
	a := f.Array(o)
	if a == nil || len(a) > 1<<16 {
		return nil
	}
	out := make([]float64, len(a))
	for i, v := range a {
		out[i], _ = f.Num(v)
	}
	return out
}

// ObjectNumber returns the object number of a reference, 0 for a direct object.
func ObjectNumber(o Object) int {
	if r, ok := o.(Ref); ok {
		return r.Num
	}
	return 0
}

// ErrFilter is the error of a stream whose last filter gives pixels.
var ErrFilter = errors.New("filter not for text")

// Stream returns the decoded bytes of a stream. What could be decoded before a fault is returned with the error.
func (f *Reader) Stream(o Object) ([]byte, error) {
	data, rest, err := f.Encoded(o)
	if len(rest) > 0 {
		return nil, fmt.Errorf("%s: %w", rest[0].Name, ErrFilter)
	}
	return data, err
}

// Encoded returns the bytes of a stream decoded up to the filter of an image, and the filters that remain: none, or an
// image's, or one that is not known. The bytes are the caller's.
func (f *Reader) Encoded(o Object) ([]byte, []Filter, error) {
	s, ok := f.Resolve(o).(*Stream)
	if !ok {
		return nil, nil, fmt.Errorf("object %d: not a stream", ObjectNumber(o))
	}
	return s.Decode(f.ctx, func(n int) error { return f.Budget.Spend(budget.CostByte * int64(n)) })
}
