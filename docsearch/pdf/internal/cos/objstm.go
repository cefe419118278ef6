package cos

import (
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/internal/errs"
)

// An objectStream is a decoded stream that holds objects (ISO 32000-1, 7.5.7).
type objectStream struct {
	at   int64 // of the stream's bytes in the file
	obj  int64 // of its object in the file, 0 when that was not asked for
	data []byte
	nums []int32 // numbers of the objects
	offs []int32 // where each begins in data
}

func (s *objectStream) bytes() int { return len(s.data) + 8*len(s.nums) }

// objectStream returns the decoded object stream with number num.
func (f *File) objectStream(ctx context.Context, t *table, num, depth int) (*objectStream, error) {
	e := t.get(num)
	if !e.used() {
		return nil, fmt.Errorf("object stream %d: %w: it is missing", num, errs.Format)
	}
	if c, _ := e.inStream(); c != 0 {
		return nil, fmt.Errorf("object stream %d: %w: it lies in an object stream", num, errs.Format)
	}
	if s := f.streams.object(e.offset()); s != nil {
		return s, nil
	}
	where := fmt.Sprintf("object stream %d at byte %d", num, e.offset())
	r, o, _, err := f.at(ctx, e.offset(), true)
	if err == nil && r.Num != num {
		err = fmt.Errorf("object %d stands there", r.Num)
	}
	if err != nil {
		return nil, f.fault(where, err)
	}
	st, ok := o.(*Stream)
	if !ok {
		return nil, f.fault(where, errors.New("not a stream"))
	}
	s, err := f.openObjectStream(ctx, st, depth)
	if err != nil {
		return nil, f.fault(where, err)
	}
	f.streams.name(s, e.offset())
	return s, nil
}

// openObjectStream decodes a stream and reads the list of what it holds. A damaged one holds what could be decoded.
func (f *File) openObjectStream(ctx context.Context, st *Stream, depth int) (*objectStream, error) {
	if s := f.streams.get(st.at); s != nil {
		return s, nil
	}
	if err := f.spend(0); err != nil { // before the work of it
		return nil, err
	}
	data, rest, err := st.decode(ctx, f.spend, depth)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(rest) > 0 {
		err = fmt.Errorf("filter %s", rest[0].Name)
	}
	if err != nil && (len(data) == 0 || len(rest) > 0) {
		return nil, err
	}
	if err != nil {
		f.report(fmt.Errorf("object stream %d: %w", st.ref.Num, err))
	}
	n, _ := f.resolve(ctx, st.Dict["N"], depth).(Integer)
	first, _ := f.resolve(ctx, st.Dict["First"], depth).(Integer)
	if first < 0 || int64(first) > int64(len(data)) {
		return nil, fmt.Errorf("first object at %d of %d bytes", first, len(data))
	}
	s := &objectStream{at: st.at, data: data}
	p := parser{in: data[:first], last: true}
	for range min(max(int64(n), 0), int64(first)/3+1) {
		num, ok1 := p.integer()
		off, ok2 := p.integer()
		if !ok1 || !ok2 {
			break
		}
		if off += int64(first); num > 0 && num <= maxObjects && off < int64(len(data)) {
			s.nums = append(s.nums, int32(num))
			s.offs = append(s.offs, int32(off))
		}
	}
	f.streams.put(s)
	return s, nil
}

// object reads an object; hint is its place in the list, if the list is as the cross-references say.
func (s *objectStream) object(num, hint int) (Object, int, error) {
	i := hint
	if i < 0 || i >= len(s.nums) || s.nums[i] != int32(num) {
		i = -1
		for k, n := range s.nums {
			if n == int32(num) {
				i = k
			}
		}
		if i < 0 {
			return nil, 0, fmt.Errorf("%w: it is not there", errs.Format)
		}
	}
	p := parser{in: s.data[s.offs[i]:], last: true}
	o, word, err := p.next(0)
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("%w: at byte %d: %w", errs.Format, s.offs[i], err)
	case word != "" && word != "null":
		return nil, 0, fmt.Errorf("%w: %q at byte %d", errs.Format, word, s.offs[i])
	}
	if n, ok := o.(Integer); ok { // "12 0 R"
		if g, _, err := p.next(0); err == nil {
			if gen, ok := g.(Integer); ok {
				if _, word, err := p.next(0); err == nil && word == "R" {
					o = ref(n, gen)
				}
			}
		}
	}
	return o, 64 + p.pos + 32*p.items, nil
}
