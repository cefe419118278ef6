package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds on what one file may make us do. They are far above what documents need.
const (
	maxDecoded    = 64 << 20 // bytes of one decoded stream
	maxPages      = 200_000  // leaves of the page tree
	maxTreeNodes  = 400_000  // nodes of the page tree visited
	maxTreeDepth  = 60
	maxFormDepth  = 12         // nested form XObjects
	maxOperators  = 20_000_000 // operators of one page, forms included
	maxPageGlyphs = 2_000_000
	maxPageBytes  = 128 << 20 // bytes of content of one page, forms included
	maxPaths      = 200_000   // path segments kept for tables and figures
)

// A file is one parse of a PDF. It is used by one goroutine: pdfcpu's context changes while it is read.
type file struct {
	ctx   *model.Context
	fonts map[fontKey]*font
	off   map[int]bool // optional content groups that are off, by object number
}

// config returns the settings for reading: offline, relaxed, no files written, bounded.
func config(password string) *model.Configuration {
	lim := model.DefaultResourceLimits()
	lim.MaxStreamBytes = 128 << 20
	lim.MaxDecodeBytes = 128 << 20
	lim.MaxObjectCount = 4_000_000
	lim.MaxXRefEntries = 4_000_000
	return &model.Configuration{
		Reader15:       true,
		ValidationMode: model.ValidationRelaxed,
		Eol:            "\n",
		UserPW:         password,
		OwnerPW:        password,
		Cmd:            model.EXTRACTCONTENT,
		Offline:        true,
		Limits:         lim,
	}
}

// headerWithin is how many bytes a reader looks through for the header (PDF 1.7, implementation note 13).
const headerWithin = 1024

// parse reads the structure of a file. A file whose cross-reference table cannot be used is read again with a table
// made from the objects found in it.
func parse(ctx context.Context, r io.ReaderAt, size int64, password string) (*file, error) {
	f, err := parseOnce(ctx, io.NewSectionReader(r, 0, size), password)
	if err == nil || ctx.Err() != nil || errors.Is(err, errs.Encrypted) {
		return f, err
	}
	data := make([]byte, size)
	if _, e := r.ReadAt(data, 0); e != nil && e != io.EOF {
		return nil, err
	}
	if size > 0 && !bytes.Contains(data[:min(len(data), headerWithin)], []byte("%PDF-")) {
		err = fmt.Errorf("%w: this is no PDF: it does not begin with %%PDF-", errs.Format)
	}
	fixed, ok := rebuild(data)
	if !ok {
		return nil, err
	}
	f, err2 := parseOnce(ctx, bytes.NewReader(fixed), password)
	if err2 != nil {
		if errors.Is(err2, errs.Encrypted) {
			return nil, err2
		}
		return nil, err
	}
	return f, nil
}

// parseOnce is the one place where pdfcpu's parser runs; it panics on some broken files.
func parseOnce(ctx context.Context, rs io.ReadSeeker, password string) (f *file, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("%w: the parser gave up: %v", errs.Format, p)
		}
	}()
	c, err := pdfcpu.ReadWithContext(ctx, rs, config(password))
	if err != nil {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, pdfcpu.ErrWrongPassword), errors.Is(err, pdfcpu.ErrPermissionDenied):
			return nil, errs.Encrypted
		}
		return nil, fmt.Errorf("%w: %v", errs.Format, err)
	}
	f = &file{ctx: c, fonts: map[fontKey]*font{}}
	if f.dict(f.catalog()["Pages"]) == nil {
		return nil, fmt.Errorf("%w: no page tree", errs.Format)
	}
	f.readLayers()
	return f, nil
}

// guard turns a panic into an error that says where it was. It is deferred around the reading of a page.
func guard(where string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %s: internal fault: %v", errs.Format, where, p)
	}
}

func (f *file) catalog() cos.Dict {
	if f.ctx.Root == nil {
		return nil
	}
	return f.dict(*f.ctx.Root)
}

// resolve follows references; a broken or endless chain is null.
func (f *file) resolve(o cos.Object) cos.Object {
	for range 16 {
		ref, ok := o.(cos.Ref)
		if !ok {
			if l, ok := o.(types.LazyObjectStreamObject); ok {
				v, err := l.DecodedObject(context.Background())
				if err != nil {
					return nil
				}
				o = v
				continue
			}
			return o
		}
		v, err := f.ctx.Dereference(ref)
		if err != nil {
			return nil
		}
		o = v
	}
	return nil
}

// dict returns the dictionary o stands for, that of a stream included, or nil.
func (f *file) dict(o cos.Object) cos.Dict {
	switch v := f.resolve(o).(type) {
	case cos.Dict:
		return v
	case cos.Stream:
		return v.Dict
	case *cos.Stream:
		return v.Dict
	case types.ObjectStreamDict:
		return v.Dict
	case types.XRefStreamDict:
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
	switch v := f.resolve(o).(type) {
	case types.StringLiteral:
		l := lexer{in: []byte("(" + string(v) + ")")}
		return l.literal()
	case types.HexLiteral:
		l := lexer{in: []byte("<" + string(v) + ">")}
		return l.hex()
	}
	return nil
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
		return int(r.ObjectNumber)
	}
	return 0
}

// stream returns the decoded bytes of a stream. What could be decoded before a fault is returned with the error.
func (f *file) stream(o cos.Object) ([]byte, error) {
	switch v := f.resolve(o).(type) {
	case cos.Stream:
		return f.decode(&v)
	case *cos.Stream:
		return f.decode(v)
	}
	return nil, errors.New("not a stream")
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

// A pageNode is one leaf of the page tree with what it inherits.
type pageNode struct {
	dict      cos.Dict
	resources cos.Dict
	media     [4]float64 // lower left, upper right, in user space: the part that is shown
	rotate    int        // 0, 90, 180, 270, clockwise
}

type inherited struct {
	resources  cos.Dict
	media      []float64
	crop       []float64
	rotate     float64
	haveRotate bool
}

// pages walks the page tree once.
func (f *file) pages(ctx context.Context) ([]pageNode, error) {
	var out []pageNode
	seen := map[int]bool{}
	nodes := 0
	var walk func(o cos.Object, in inherited, depth int) error
	walk = func(o cos.Object, in inherited, depth int) error {
		if nodes++; nodes > maxTreeNodes || len(out) >= maxPages {
			return fmt.Errorf("%w: page tree of over %d nodes", errs.TooLarge, maxTreeNodes)
		}
		if nodes%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d := f.dict(o)
		if d == nil || depth > maxTreeDepth {
			return nil
		}
		if n := objNr(o); n != 0 {
			if seen[n] && d["Kids"] != nil {
				return nil
			}
			seen[n] = true
		}
		if r := f.dict(d["Resources"]); r != nil {
			in.resources = r
		}
		if b := f.nums(d["MediaBox"]); len(b) == 4 {
			in.media = b
		}
		if b := f.nums(d["CropBox"]); len(b) == 4 {
			in.crop = b
		}
		if v, ok := f.num(d["Rotate"]); ok {
			in.rotate, in.haveRotate = v, true
		}
		if kids := f.array(d["Kids"]); kids != nil && f.name(d["Type"]) != "Page" {
			for _, k := range kids {
				if err := walk(k, in, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		if f.name(d["Type"]) == "Pages" && d["Contents"] == nil {
			return nil
		}
		p := pageNode{dict: d, resources: in.resources, media: visibleBox(in.media, in.crop)}
		p.rotate = ((int(math.Round(in.rotate/90))*90)%360 + 360) % 360
		out = append(out, p)
		return nil
	}
	err := walk(f.catalog()["Pages"], inherited{}, 0)
	return out, err
}

// visibleBox is the crop box within the media box; US Letter when there is neither.
func visibleBox(media, crop []float64) [4]float64 {
	order := func(b []float64) [4]float64 {
		return [4]float64{math.Min(b[0], b[2]), math.Min(b[1], b[3]), math.Max(b[0], b[2]), math.Max(b[1], b[3])}
	}
	m := [4]float64{0, 0, 612, 792}
	if media != nil {
		if o := order(media); o[2]-o[0] > 1 && o[3]-o[1] > 1 {
			m = o
		}
	}
	if crop != nil {
		c := order(crop)
		c = [4]float64{math.Max(c[0], m[0]), math.Max(c[1], m[1]), math.Min(c[2], m[2]), math.Min(c[3], m[3])}
		if c[2]-c[0] > 1 && c[3]-c[1] > 1 {
			m = c
		}
	}
	return m
}
