package cos

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/internal/errs"
)

const (
	scanChunk   = 1 << 20
	scanOverlap = 64 << 10 // the most of an object that the scan looks at
)

// A finding is an object stream met by the scan.
type finding struct {
	num   int
	at    int64
	after int // number of definitions before it
}

// A scanner looks for objects in the whole file. What comes later in the file is newer.
type scanner struct {
	f       *File
	defs    []definition
	streams []finding
	catalog []Ref  // objects that say they are one, in order
	trailer []Dict // trailers and dictionaries of cross-reference streams, in order
	budget  int64  // bytes that may still be parsed
	done    int64  // objects before this byte of the file have been met
}

type definition struct {
	num int
	e   entry
}

// rebuild makes a table from the objects, object streams and trailers found in the file. unlock is called with the trailer
// before object streams are decoded; it may be nil.
func (f *File) rebuild(ctx context.Context, unlock func(Dict) error) (*table, Dict, error) {
	sc := &scanner{f: f, budget: 4*f.size + 1<<20}
	if err := sc.scan(ctx); err != nil {
		return nil, nil, err
	}
	t := &table{}
	for _, d := range sc.defs {
		t.set(d.num, d.e)
	}
	trailer := Dict{}
	for _, d := range sc.trailer {
		for _, k := range []string{"Root", "Info", "Encrypt", "ID"} {
			if v := d[k]; v != nil {
				trailer[k] = v
			}
		}
	}
	if unlock != nil {
		f.main = t
		if err := unlock(trailer); err != nil {
			return nil, nil, err
		}
	}
	if len(sc.streams) > 0 {
		if err := sc.expand(ctx, t); err != nil {
			return nil, nil, err
		}
	}
	if unlock != nil {
		f.objects.clear()
		if err := f.findCatalog(ctx, sc, trailer); err != nil {
			return nil, nil, err
		}
	}
	return t, trailer, nil
}

// findCatalog makes Root the last catalog that has pages.
func (f *File) findCatalog(ctx context.Context, sc *scanner, trailer Dict) error {
	roots := make([]Object, 0, len(sc.catalog)+len(sc.trailer))
	for _, r := range sc.catalog {
		roots = append(roots, r)
	}
	for _, d := range sc.trailer {
		roots = append(roots, d["Root"])
	}
	for i := len(roots) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d, ok := f.Resolve(ctx, roots[i]).(Dict); ok {
			if _, ok := f.Resolve(ctx, d["Pages"]).(Dict); ok {
				trailer["Root"] = roots[i]
				return nil
			}
		}
	}
	return nil
}

// expand enters the objects of object streams in the table, in the order of the file: later definitions win.
func (sc *scanner) expand(ctx context.Context, t *table) error {
	out := &table{}
	at := 0
	define := func(upTo int) {
		for ; at < upTo; at++ {
			out.set(sc.defs[at].num, sc.defs[at].e)
		}
	}
	for _, fd := range sc.streams {
		if err := ctx.Err(); err != nil {
			return err
		}
		define(fd.after)
		num := fd.num
		if t.get(num) != out.get(num) {
			continue // an older version of it: the number leads to the newer one
		}
		s, err := sc.open(ctx, fd)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sc.f.report(sc.f.fault(fmt.Sprintf("object stream %d at byte %d", num, fd.at), err))
			continue
		}
		for i, n := range s.nums {
			out.set(int(n), streamEntry(num, i))
			if o, _, err := s.object(int(n), i); err == nil && len(sc.catalog) < maxSections {
				if d, ok := o.(Dict); ok && d["Type"] == Name("Catalog") {
					sc.catalog = append(sc.catalog, Ref{Num: int(n)})
				}
			}
		}
	}
	define(len(sc.defs))
	*t = *out
	return nil
}

func (sc *scanner) open(ctx context.Context, fd finding) (*objectStream, error) {
	_, o, _, err := sc.f.at(ctx, fd.at, true)
	if err != nil {
		return nil, err
	}
	s, ok := o.(*Stream)
	if !ok {
		return nil, errors.New("not a stream")
	}
	return sc.f.openObjectStream(ctx, s, 1)
}

// scan goes through the file once.
func (sc *scanner) scan(ctx context.Context) error {
	f := sc.f
	buf := make([]byte, min(scanChunk+scanOverlap, f.size))
	for from := int64(0); from < f.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(int64(len(buf)), f.size-from)
		b := buf[:n]
		if k, err := f.r.ReadAt(b, from); int64(k) < n {
			return fmt.Errorf("%w: byte %d: %w", errs.Format, from+int64(k), err)
		}
		last := from+n >= f.size
		next, err := sc.chunk(ctx, b, from, last)
		if err != nil {
			return err
		}
		if last && next >= f.size {
			return nil
		}
		from = next
	}
	return nil
}

// chunk looks for what begins in the first bytes of b, and returns where to go on.
func (sc *scanner) chunk(ctx context.Context, b []byte, from int64, last bool) (int64, error) {
	limit := len(b)
	if !last {
		limit = min(limit, scanChunk)
	}
	trailer, obj := -1, -1 // where the next ones are, at or behind pos
	for pos := 0; pos < limit; {
		if obj < pos {
			obj = find(b, pos, limit, "obj")
		}
		if trailer < pos {
			trailer = find(b, pos, limit, "trailer")
		}
		if obj >= limit && trailer >= limit {
			break
		}
		if trailer < obj {
			pos = trailer + 7
			p := parser{in: b, pos: pos, last: true}
			if o, _, err := p.next(0); err == nil {
				if d, ok := o.(Dict); ok && len(sc.trailer) < maxSections {
					sc.trailer = append(sc.trailer, d)
				}
			}
			continue
		}
		pos = obj + 3
		if from+int64(obj) < sc.done { // in the chunk before, where more of its number could be seen
			continue
		}
		sc.done = from + int64(pos)
		if obj >= 3 && string(b[obj-3:obj]) == "end" {
			continue
		}
		j, gen, ok := backNumber(b, obj)
		if !ok {
			continue
		}
		start, num, ok := backNumber(b, j)
		if !ok || num < 1 || num > maxObjects || len(sc.defs) >= maxObjects {
			continue
		}
		end, err := sc.object(ctx, b, start, from, Ref{num, min(gen, 65535)})
		if err != nil {
			return 0, err
		}
		if end >= from+int64(limit) { // a stream that ends behind this chunk
			return end, nil
		}
		pos = max(pos, int(end-from))
	}
	if last {
		return from + int64(len(b)), nil
	}
	return from + int64(limit) - 32, nil // a header may lie across the limit
}

func find(b []byte, pos, limit int, word string) int {
	end := min(limit+len(word), len(b))
	if i := bytes.Index(b[pos:end], []byte(word)); i >= 0 {
		return pos + i
	}
	return limit
}

// object notes the object that begins at b[start], and returns where in the file its stream ends, if it has one whose
// stated length is right: what looks like objects within it is none.
func (sc *scanner) object(ctx context.Context, b []byte, start int, from int64, r Ref) (end int64, err error) {
	f := sc.f
	at := from + int64(start)
	sc.defs = append(sc.defs, definition{r.Num, offsetEntry(at, r.Gen)})
	if sc.budget <= 0 {
		return 0, nil
	}
	in := b[start:min(start+scanOverlap, len(b))]
	p := parser{in: in, last: true}
	_, o, err := f.indirect(&p, at, false)
	sc.budget -= int64(p.pos)
	if err != nil {
		return 0, nil // it will be read again when it is asked for
	}
	var d Dict
	s, isStream := o.(*Stream)
	if isStream {
		d = s.Dict
	} else if d, _ = o.(Dict); d == nil {
		return 0, nil
	}
	switch d["Type"] {
	case Name("Catalog"):
		if len(sc.catalog) < maxSections {
			sc.catalog = append(sc.catalog, r)
		}
	case Name("XRef"):
		if isStream && len(sc.trailer) < maxSections {
			sc.trailer = append(sc.trailer, d)
		}
	case Name("ObjStm"):
		if isStream && len(sc.streams) < maxFindings {
			sc.streams = append(sc.streams, finding{r.Num, at, len(sc.defs)})
		}
	}
	if !isStream {
		return 0, nil
	}
	n, ok := d["Length"].(Integer)
	if !ok || n <= 0 || int64(n) > f.size-s.at {
		return 0, nil
	}
	tail, _, release, err := f.window(s.at+int64(n), 32)
	if err != nil {
		return 0, ctx.Err()
	}
	defer release()
	if bytes.HasPrefix(bytes.TrimLeft(tail, "\x00\t\n\f\r "), []byte("endstream")) {
		return s.at + int64(n), nil
	}
	return 0, nil
}

// backNumber reads the integer that ends before end, white space between, and returns where it starts.
func backNumber(b []byte, end int) (start, v int, ok bool) {
	i := end
	for i > 0 && end-i < 32 && classes[b[i-1]] == Space {
		i--
	}
	j := i
	for j > 0 && i-j < 10 && b[j-1] >= '0' && b[j-1] <= '9' {
		j--
	}
	for _, c := range b[j:i] {
		v = v*10 + int(c-'0')
	}
	return j, v, j < i
}
