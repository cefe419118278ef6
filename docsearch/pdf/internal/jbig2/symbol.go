package jbig2

import (
	"errors"
	"fmt"
	"math/bits"
)

// A symbolDict is a symbol dictionary being decoded (T.88, 6.5).
type symbolDict struct {
	d                         *decoder
	huffman, aggregate        bool
	template, refineTemplate  int
	at, refineAt              []pixelAt
	dh, dw, bmsize, instances *table
	symbols                   []*bitmap // those referred to, then the new ones
	inputs, fresh             int       // how many of each there are in the end

	r               *bitReader // Huffman coding
	a               *arith     // arithmetic coding
	generic, refine []prob
	iadh, iadw      intContext
	iaex, iaai      intContext
	text            *textContexts
}

// codeBits is the number of bits that tell n symbols apart.
func codeBits(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}

func (d *decoder) referred(h *header) (symbols []*bitmap, tables []*table, last *segment, err error) {
	for _, n := range h.refers {
		s := d.segments[n]
		if s == nil {
			continue
		}
		if s.isDict {
			symbols = append(symbols, s.symbols...)
			last = s
		}
		if s.table != nil {
			tables = append(tables, s.table)
		}
		if len(symbols) > maxSymbols {
			return nil, nil, nil, fmt.Errorf("%w: over %d symbols", errTooLarge, maxSymbols)
		}
	}
	return symbols, tables, last, nil
}

// A chooser hands out standard tables and, in their order, the user's own.
type chooser struct {
	own []*table
	err error
}

func (c *chooser) pick(which int, numbers ...int) *table {
	if which < len(numbers) {
		return standard()[numbers[which]]
	}
	if len(c.own) == 0 {
		if c.err == nil {
			c.err = errors.New("a code table is missing")
		}
		return nil
	}
	t := c.own[0]
	c.own = c.own[1:]
	return t
}

// symbolDict reads a symbol dictionary segment (T.88, 7.4.2).
func (d *decoder) symbolDict(h *header, b []byte) (*segment, error) {
	if len(b) < 2 {
		return nil, errEnd
	}
	flags := be16(b)
	b = b[2:]
	s := &symbolDict{d: d, huffman: flags&1 != 0, aggregate: flags&2 != 0, template: flags >> 10 & 3, refineTemplate: flags >> 12 & 1}
	symbols, tables, last, err := d.referred(h)
	if err != nil {
		return nil, err
	}
	s.symbols, s.inputs = symbols, len(symbols)
	if s.huffman {
		c := &chooser{own: tables}
		own := func(bit int) int { return flags >> bit & 1 }
		s.dh = c.pick(flags>>2&3, 4, 5)
		s.dw = c.pick(flags>>4&3, 2, 3)
		s.bmsize = c.pick(own(6), 1)
		s.instances = c.pick(own(7), 1)
		if c.err != nil {
			return nil, c.err
		}
	} else {
		n := 1
		if s.template == 0 {
			n = 4
		}
		if s.at, b, err = readAt(b, n); err != nil {
			return nil, err
		}
	}
	if s.aggregate && s.refineTemplate == 0 {
		if s.refineAt, b, err = readAt(b, 2); err != nil {
			return nil, err
		}
	}
	if len(b) < 8 {
		return nil, errEnd
	}
	exported, fresh := be32(b), be32(b[4:])
	b = b[8:]
	if exported > maxSymbols || fresh > maxSymbols {
		return nil, fmt.Errorf("%w: %d symbols, %d new", errTooLarge, exported, fresh)
	}
	s.fresh = int(fresh)
	s.generic, s.refine = contextsOf(s.template), refineContexts(s.refineTemplate)
	if flags&0x100 != 0 && last != nil {
		if len(last.generic) == len(s.generic) {
			copy(s.generic, last.generic)
		}
		if len(last.refine) == len(s.refine) {
			copy(s.refine, last.refine)
		}
	}
	s.text = newTextContexts(codeBits(s.inputs + s.fresh))
	if s.huffman {
		s.r = &bitReader{data: b}
	} else {
		s.a = newArith(b)
	}
	if err := s.decode(); err != nil {
		return nil, err
	}
	out := &segment{isDict: true}
	if out.symbols, err = s.export(int(exported)); err != nil {
		return nil, err
	}
	if flags&0x200 != 0 {
		out.generic, out.refine = s.generic, s.refine
	}
	return out, nil
}

// value reads an integer in the coding of the dictionary.
func (s *symbolDict) value(t *table, cx *intContext) (int, bool, error) {
	if s.huffman {
		return t.read(s.r)
	}
	if s.a.over > maxOver {
		return 0, false, errEnd
	}
	v, ok := s.a.integer(cx)
	return v, ok, nil
}

func (s *symbolDict) decode() error {
	height := 0
	for len(s.symbols) < s.inputs+s.fresh {
		dh, ok, err := s.value(s.dh, &s.iadh)
		if err != nil || !ok {
			return orEnd(err)
		}
		height += dh
		if height < 0 || height > s.d.max {
			return fmt.Errorf("%w: a symbol %d pixels high", errTooLarge, height)
		}
		width, total := 0, 0
		var widths []int
		for {
			if err := s.d.spend(16); err != nil {
				return err
			}
			dw, ok, err := s.value(s.dw, &s.iadw)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if len(s.symbols)+len(widths) >= s.inputs+s.fresh {
				return errors.New("more symbols than announced")
			}
			width += dw
			total += width
			if width < 0 || width > s.d.max || total > s.d.max {
				return fmt.Errorf("%w: a symbol %d pixels wide", errTooLarge, width)
			}
			if s.huffman && !s.aggregate {
				widths = append(widths, width)
				continue
			}
			b, err := s.symbol(width, height)
			if err != nil {
				return err
			}
			s.symbols = append(s.symbols, b)
		}
		if s.huffman && !s.aggregate {
			if err := s.collective(widths, total, height); err != nil {
				return err
			}
		}
	}
	return nil
}

// orEnd is for a value that must be there.
func orEnd(err error) error {
	if err == nil {
		err = errors.New("an out-of-band value out of place")
	}
	return err
}

// collective reads the symbols of one height as one picture (T.88, 6.5.9).
func (s *symbolDict) collective(widths []int, total, height int) error {
	size, err := s.bmsize.must(s.r)
	if err != nil {
		return err
	}
	data := s.r.rest()
	var b *bitmap
	if size == 0 {
		stride := (total + 7) / 8
		if height > 0 && stride > len(data)/height {
			return errEnd
		}
		if b, err = s.d.newBitmap(total, height); err != nil {
			return err
		}
		unpack(b, data)
		size = stride * height
	} else {
		if size < 0 || size > len(data) {
			return errEnd
		}
		if b, _, err = s.d.mmr(data[:size], total, height); err != nil {
			return err
		}
	}
	s.r.skip(size)
	x := 0
	for _, w := range widths {
		s.symbols = append(s.symbols, b.cut(x, w))
		x += w
	}
	return nil
}

// symbol reads one symbol (T.88, 6.5.8).
func (s *symbolDict) symbol(w, h int) (*bitmap, error) {
	if !s.aggregate {
		g := generic{w: w, h: h, template: s.template, at: s.at}
		return g.decode(s.d, s.a, s.generic)
	}
	n, ok, err := s.value(s.instances, &s.iaai)
	if err != nil || !ok {
		return nil, orEnd(err)
	}
	t := &textRegion{
		d: s.d, huffman: s.huffman, refined: true, w: w, h: h, instances: n, strips: 1, symbols: s.symbols,
		corner: topLeft, refineTemplate: s.refineTemplate, refineAt: s.refineAt, refine: s.refine, cx: s.text, a: s.a, r: s.r,
		idBits: codeBits(s.inputs + s.fresh),
	}
	if s.huffman {
		std := standard()
		t.idBits = max(1, t.idBits)
		t.fs, t.ds, t.dt = std[6], std[8], std[11]
		t.rdw, t.rdh, t.rdx, t.rdy, t.rsize = std[15], std[15], std[15], std[15], std[1]
	}
	if n != 1 {
		return t.decode()
	}
	// One symbol, refined (T.88, 6.5.8.2.2).
	id, err := t.id()
	if err != nil {
		return nil, err
	}
	dx, err := t.value(t.rdx, &t.cx.iardx)
	if err != nil {
		return nil, err
	}
	dy, err := t.value(t.rdy, &t.cx.iardy)
	if err != nil {
		return nil, err
	}
	if id >= len(s.symbols) {
		return nil, fmt.Errorf("symbol %d of %d", id, len(s.symbols))
	}
	return t.refineSymbol(&refinement{w: w, h: h, template: s.refineTemplate, ref: s.symbols[id], dx: dx, dy: dy, at: s.refineAt})
}

// export returns the symbols that others may use (T.88, 6.5.10).
func (s *symbolDict) export(want int) ([]*bitmap, error) {
	var out []*bitmap
	flag := false
	empty := 0
	for i := 0; i < len(s.symbols); {
		n, ok, err := s.value(standard()[1], &s.iaex)
		if err != nil || !ok {
			return nil, orEnd(err)
		}
		if n < 0 || n > len(s.symbols)-i {
			return nil, fmt.Errorf("a run of %d exported symbols at %d of %d", n, i, len(s.symbols))
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty > 4 {
			return nil, errors.New("runs of no symbols")
		}
		if flag {
			out = append(out, s.symbols[i:i+n]...)
		}
		i += n
		flag = !flag
	}
	if len(out) != want {
		return nil, fmt.Errorf("%d symbols exported, %d announced", len(out), want)
	}
	return out, nil
}
