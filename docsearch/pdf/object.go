package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds on what one file may make us do. They are far above what documents need.
const (
	maxPages      = 200_000 // leaves of the page tree
	maxTreeNodes  = 400_000 // nodes of the page tree visited
	maxTreeDepth  = 60
	maxFormDepth  = 12        // nested form XObjects
	maxOperators  = 8_000_000 // operators and characters of one page, forms included
	maxPageGlyphs = 300_000   // a wall chart in small type has a third of it
	maxPageBytes  = 64 << 20  // bytes of content of one page, forms included
	maxPaths      = 200_000   // path segments kept for tables and figures
)

// A file is an opened PDF as one call sees it: objects and fonts are shared, the context is that of the call. It is safe for
// concurrent use.
type file struct {
	ctx   context.Context // of the call that reads; see with
	doc   *cos.File
	fonts *fontSet
	off   map[int]bool // optional content groups that are off, by object number

	budget    *budget // what the call may still cost; nil: unbounded
	fontBytes int     // of the fonts read for the page at hand
}

// with returns the file for another call: what it reads stops with that call's context.
func (f *file) with(ctx context.Context) *file {
	g := *f
	g.ctx, g.fontBytes = ctx, 0
	return &g
}

// parse reads the structure of a file.
func (x *extractor) parse(ctx context.Context, r io.ReaderAt, size int64) (f *file, err error) {
	defer guard("structure", &err)
	doc, err := cos.Open(ctx, r, size, &cos.Options{Password: x.o.Password, Note: func(err error) {
		x.o.Logger.Info("pdf: damage passed over", "reason", err.Error())
	}})
	if err != nil {
		return nil, err
	}
	f = &file{ctx: ctx, doc: doc, fonts: newFontSet(), budget: newBudget(budgetOpen)}
	f.readLayers()
	return f, nil
}

// guard turns a panic into an error that says where it was. It is deferred around the reading of a page.
func guard(where string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %s: internal fault: %v", errs.Format, where, p)
	}
}

func (f *file) catalog() cos.Dict { return f.doc.Catalog(f.ctx) }

// resolve follows references; a broken or endless chain is null.
func (f *file) resolve(o cos.Object) cos.Object { return f.doc.Resolve(f.ctx, o) }

// dict returns the dictionary o stands for, that of a stream included, or nil.
func (f *file) dict(o cos.Object) cos.Dict {
	switch v := f.resolve(o).(type) {
	case cos.Dict:
		return v
	case *cos.Stream:
		return v.Dict
	}
	return nil
}

func (f *file) array(o cos.Object) cos.Array {
	a, _ := f.resolve(o).(cos.Array)
	return a
}

func (f *file) num(o cos.Object) (float64, bool) {
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

func (f *file) numOr(o cos.Object, def float64) float64 {
	if v, ok := f.num(o); ok {
		return v
	}
	return def
}

func (f *file) name(o cos.Object) string {
	n, _ := f.resolve(o).(cos.Name)
	return string(n)
}

// str returns the bytes of a string object.
func (f *file) str(o cos.Object) []byte {
	s, ok := f.resolve(o).(cos.String)
	if !ok {
		return nil
	}
	return []byte(s)
}

// nums returns the numbers of an array, 0 for what is none.
func (f *file) nums(o cos.Object) []float64 {
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
func (f *file) stream(o cos.Object) ([]byte, error) {
	data, rest, err := f.encoded(o)
	if len(rest) > 0 {
		return nil, fmt.Errorf("%s: %w", rest[0].Name, errFilter)
	}
	return data, err
}

// encoded returns the bytes of a stream decoded up to the filter of an image, and the filters that remain: none, or an
// image's, or one that is not known. The bytes are the caller's.
func (f *file) encoded(o cos.Object) ([]byte, []cos.Filter, error) {
	s, ok := f.resolve(o).(*cos.Stream)
	if !ok {
		return nil, nil, fmt.Errorf("object %d: not a stream", objNr(o))
	}
	return s.Decode(f.ctx, func(n int) error { return f.budget.spend(costByte * int64(n)) })
}

// readLayers notes the optional content groups that the default view hides.
func (f *file) readLayers() {
	oc := f.dict(f.catalog()["OCProperties"])
	if oc == nil {
		return
	}
	f.off = map[int]bool{}
	d := f.dict(oc["D"])
	if f.name(d["BaseState"]) == "OFF" {
		for _, g := range f.array(oc["OCGs"]) {
			f.off[objNr(g)] = true
		}
		for _, g := range f.array(d["ON"]) {
			delete(f.off, objNr(g))
		}
	}
	for _, g := range f.array(d["OFF"]) {
		f.off[objNr(g)] = true
	}
	delete(f.off, 0)
}

// hidden reports whether an optional content group or membership is off.
func (f *file) hidden(o cos.Object) bool {
	if len(f.off) == 0 || o == nil {
		return false
	}
	if f.off[objNr(o)] {
		return true
	}
	d := f.dict(o)
	if f.name(d["Type"]) != "OCMD" {
		return false
	}
	groups := f.array(d["OCGs"])
	if groups == nil {
		return f.off[objNr(d["OCGs"])]
	}
	on, off := 0, 0
	for _, g := range groups {
		if f.off[objNr(g)] {
			off++
		} else {
			on++
		}
	}
	switch f.name(d["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}
