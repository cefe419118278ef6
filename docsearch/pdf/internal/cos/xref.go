package cos

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/internal/errs"
)

// readXRefs reads all cross-reference sections, the newest first. header is where the file's header stands: offsets may
// count from there.
func (f *File) readXRefs(ctx context.Context, header int64) error {
	start, err := f.startXRef()
	if err != nil {
		return err
	}
	f.main = &table{}
	seen := map[int64]bool{}
	for n := 0; start > 0; n++ {
		if n >= maxSections {
			return fmt.Errorf("%w: over %d cross-reference sections", errs.TooLarge, maxSections)
		}
		if seen[start] {
			f.gaps = true
			f.report(fmt.Errorf("%w: xref at byte %d: it is its own predecessor", errs.Format, start))
			break
		}
		seen[start] = true
		if n == 0 && header > 0 && !f.isXRef(start) && f.isXRef(start+header) {
			f.base = header
		}
		trailer, err := f.section(ctx, start, n == 0)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err = f.fault(fmt.Sprintf("xref at byte %d", start), err)
			if n == 0 {
				return err
			}
			f.gaps = true
			f.report(err)
			break
		}
		if n == 0 {
			f.trailer = trailer
		} else {
			for _, k := range []string{"Root", "Info", "Encrypt", "ID"} {
				if f.trailer[k] == nil && trailer[k] != nil {
					f.trailer[k] = trailer[k] // ours alone until Open returns
				}
			}
		}
		prev, ok := number(trailer["Prev"])
		if !ok {
			break
		}
		start = prev
	}
	if f.main.used() == 0 {
		return fmt.Errorf("%w: xref at byte %d: it lists no objects", errs.Format, start)
	}
	return nil
}

// number reads an offset; some writers make it a real or a reference to nothing.
func number(o Object) (int64, bool) {
	switch v := o.(type) {
	case Integer:
		return int64(v), v > 0
	case Float:
		return int64(v), v > 0 && v < 1<<46
	}
	return 0, false
}

// startXRef finds the offset of the newest section at the end of the file.
func (f *File) startXRef() (int64, error) {
	const word = "startxref"
	for _, n := range []int64{2048, 64 << 10} {
		from := max(f.size-n, 0)
		b, _, release, err := f.window(from, n)
		if err != nil {
			return 0, f.fault("end of the file", err)
		}
		i := bytes.LastIndex(b, []byte(word))
		if i < 0 {
			release()
			if from == 0 {
				break
			}
			continue
		}
		p := parser{in: b, pos: i + len(word), last: true}
		v, ok := p.integer()
		release()
		if !ok || v <= 0 || v >= f.size {
			return 0, fmt.Errorf("%w: startxref at byte %d names no place in the file", errs.Format, from+int64(i))
		}
		return v, nil
	}
	return 0, fmt.Errorf("%w: no startxref at the end of the file", errs.Format)
}

// isXRef reports whether a section of either form begins at an offset.
func (f *File) isXRef(off int64) bool {
	b, _, release, err := f.window(off, 64)
	if err != nil {
		return false
	}
	defer release()
	p := parser{in: b}
	p.space()
	if bytes.HasPrefix(b[p.pos:], []byte("xref")) {
		return true
	}
	_, _, ok := p.header()
	return ok
}

// section reads a cross-reference table with its trailer, or a cross-reference stream.
func (f *File) section(ctx context.Context, start int64, newest bool) (Dict, error) {
	off := start + f.base
	for n := int64(8 << 10); ; n *= 4 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, last, release, err := f.window(off, n)
		if err != nil {
			return nil, err
		}
		p := parser{in: b, last: last}
		p.space()
		if !bytes.HasPrefix(b[p.pos:], []byte("xref")) {
			release()
			return f.xrefStream(ctx, off, false)
		}
		p.pos += 4
		var free []int
		trailer, err := f.xrefTable(&p, &free)
		release()
		if err == errShort && n <= maxObjectBytes {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Objects that a table calls free may be in the stream beside it (7.5.8.4).
		if x, ok := number(trailer["XRefStm"]); ok {
			if _, err := f.xrefStream(ctx, x+f.base, true); err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				f.gaps = true
				f.report(f.fault(fmt.Sprintf("xref at byte %d", x), err))
			}
		}
		for _, num := range free {
			f.main.add(num, kindFree<<62)
		}
		return trailer, nil
	}
}

// xrefTable reads the subsections and the trailer. What it sets is set again when it is called with more bytes.
func (f *File) xrefTable(p *parser, free *[]int) (Dict, error) {
	*free = (*free)[:0]
	type item struct {
		num int
		e   entry
	}
	var items []item
	for {
		p.space()
		if p.pos >= len(p.in) {
			return nil, p.end()
		}
		if p.in[p.pos] < '0' || p.in[p.pos] > '9' {
			break
		}
		first, _ := p.integer()
		count, ok := p.integer()
		if !ok {
			if p.pos >= len(p.in) {
				return nil, p.end()
			}
			return nil, errors.New("a subsection without a count")
		}
		for i := int64(0); i < count; i++ {
			p.space()
			if p.pos+24 > len(p.in) && !p.last {
				return nil, errShort
			}
			at := p.pos
			off, ok1 := p.integer()
			gen, ok2 := p.integer()
			p.space()
			if !ok1 || !ok2 || p.pos >= len(p.in) || p.in[p.pos] != 'n' && p.in[p.pos] != 'f' {
				p.pos = at // fewer entries than stated
				break
			}
			used := p.in[p.pos] == 'n'
			p.pos++
			if i == 0 && first == 1 && !used && off == 0 && gen == 65535 {
				first = 0 // the entry of object 0 under the wrong number
			}
			num := first + i
			switch {
			case num > maxObjects:
				return nil, fmt.Errorf("%w: object number %d", errs.TooLarge, num)
			case !used:
				*free = append(*free, int(num))
			case off > 0:
				items = append(items, item{int(num), offsetEntry(off+f.base, int(min(gen, 65535)))})
			}
		}
	}
	o, word, err := p.next(0)
	if err != nil {
		return nil, err
	}
	if word != "trailer" {
		return nil, fmt.Errorf("%q (%T) where the trailer should be", word, o)
	}
	o, _, err = p.next(0)
	if err != nil {
		return nil, err
	}
	trailer, ok := o.(Dict)
	if !ok {
		return nil, errors.New("a trailer without a dictionary")
	}
	for _, it := range items {
		f.main.add(it.num, it.e)
	}
	return trailer, nil
}

// xrefStream reads a cross-reference stream (7.5.8).
func (f *File) xrefStream(ctx context.Context, off int64, hybrid bool) (Dict, error) {
	_, o, _, err := f.at(ctx, off, false)
	if err != nil {
		return nil, err
	}
	s, ok := o.(*Stream)
	if !ok {
		return nil, errors.New("neither a table nor a stream")
	}
	s.plain = true
	if t, _ := s.Dict["Type"].(Name); t != "XRef" && s.Dict["W"] == nil {
		return nil, errors.New("the stream there is none of cross-references")
	}
	if err := f.addXRefStream(ctx, f.main, s); err != nil {
		return nil, err
	}
	return s.Dict, nil
}

func (f *File) addXRefStream(ctx context.Context, t *table, s *Stream) error {
	data, rest, err := s.decode(ctx, f.spend, 0)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(rest) > 0 || len(data) == 0 && err != nil {
		return fmt.Errorf("cross-reference stream: %w", orFilter(err, rest))
	}
	if err != nil {
		f.gaps = true
		f.report(fmt.Errorf("cross-reference stream: %w", err))
	}
	w, _ := s.Dict["W"].(Array)
	var width [3]int
	row := 0
	for i := range width {
		if i < len(w) {
			v, _ := w[i].(Integer)
			if v < 0 || v > 8 {
				return fmt.Errorf("a field of %d bytes", v)
			}
			width[i] = int(v)
			row += width[i]
		}
	}
	if row == 0 {
		return errors.New("fields without width")
	}
	index, _ := s.Dict["Index"].(Array)
	if len(index) == 0 {
		index = Array{Integer(0), Integer(maxObjects + 1)}
	}
	for i := 0; i+1 < len(index) && len(data) >= row; i += 2 {
		first, ok1 := index[i].(Integer)
		count, ok2 := index[i+1].(Integer)
		if !ok1 || !ok2 || first < 0 || count < 0 {
			return errors.New("an index that is no pair of numbers")
		}
		for num := int64(first); num < int64(first)+int64(count) && len(data) >= row; num++ {
			if num > maxObjects {
				return fmt.Errorf("%w: object number %d", errs.TooLarge, num)
			}
			kind := uint64(1)
			if width[0] > 0 {
				kind = bigEndian(data[:width[0]])
			}
			a := bigEndian(data[width[0] : width[0]+width[1]])
			b := bigEndian(data[width[0]+width[1] : row])
			data = data[row:]
			switch {
			case kind == 0:
				t.add(int(num), kindFree<<62)
			case kind == 1 && a > 0 && a < 1<<46:
				t.add(int(num), offsetEntry(int64(a)+f.base, int(min(b, 65535))))
			case kind == 2 && a > 0 && a <= maxObjects:
				t.add(int(num), streamEntry(int(a), int(min(b, 65535))))
			}
		}
	}
	return nil
}

func orFilter(err error, rest []Filter) error {
	if err == nil {
		err = fmt.Errorf("filter %s", rest[0].Name)
	}
	return err
}

func bigEndian(b []byte) (v uint64) {
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}
