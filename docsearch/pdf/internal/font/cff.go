package font

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// A cffFont is the part of a CFF font program that names its glyphs.
type cffFont struct {
	names []string    // by glyph; nil in a CID-keyed font
	cids  []uint16    // CID by glyph; nil when it is not CID-keyed
	codes [256]uint16 // built-in encoding: glyph by code, 0 for none
	std   bool        // the built-in encoding is StandardEncoding
	gids  map[int]int // glyph by CID
}

// parseCFF reads a bare CFF font; nil when it is none. Every offset is checked by the accessors.
func parseCFF(b []byte) *cffFont {
	if len(b) < 4 || b[0] != 1 {
		return nil
	}
	_, at := cffIndex(b, int(b[2]))
	tops, at := cffIndex(b, at)
	strs, _ := cffIndex(b, at)
	if len(tops) == 0 {
		return nil
	}
	top := cffDict(tops[0])
	glyphs, _ := cffIndex(b, int(cffArg(top, 17, 0)))
	n := min(len(glyphs), maxGlyphs)
	if n == 0 {
		return nil
	}
	str := func(sid int) string {
		std := cffStrings()
		if sid < len(std) {
			return std[sid]
		}
		if sid -= len(std); sid < len(strs) {
			return string(strs[sid])
		}
		return ""
	}
	sids := make([]uint16, n)
	switch cs := int(cffArg(top, 15, 0)); {
	case cs > 2 && cs < len(b):
		readCharset(b, cs, sids)
	default: // ISOAdobe and the expert sets; the expert ones are taken for ISOAdobe
		for i := range sids {
			sids[i] = uint16(i)
		}
	}
	f := &cffFont{}
	if _, ok := top[12<<8|30]; ok { // ROS: CID-keyed
		f.cids = sids
		f.gids = make(map[int]int, n)
		for g, c := range sids {
			f.gids[int(c)] = g
		}
		return f
	}
	f.names = make([]string, n)
	for i, s := range sids {
		f.names[i] = str(int(s))
	}
	switch enc := int(cffArg(top, 16, 0)); {
	case enc > 1 && enc < len(b):
		f.readEncoding(b, enc, str)
	default:
		f.std = true
	}
	return f
}

// tells reports whether the font names its glyphs.
func (f *cffFont) tells() bool { return f != nil && len(f.names) > 0 }

// cffIndex reads an INDEX at off and returns its items and the offset after it.
func cffIndex(b []byte, off int) ([][]byte, int) {
	n := int(u16(b, off))
	if n == 0 || off < 0 || off+3 > len(b) {
		return nil, off + 2
	}
	size := int(b[off+2])
	if size < 1 || size > 4 {
		return nil, len(b)
	}
	base := off + 3 + (n+1)*size - 1
	if base >= len(b) {
		return nil, len(b)
	}
	at := func(i int) int {
		v := 0
		for k := range size {
			v = v<<8 | int(b[off+3+i*size+k])
		}
		return base + v
	}
	items := make([][]byte, n)
	for i := range n {
		lo, hi := at(i), at(i+1)
		if lo <= hi && lo >= 0 && hi <= len(b) {
			items[i] = b[lo:hi]
		}
	}
	return items, at(n)
}

// cffDict reads a DICT: operators (two-byte ones as 12<<8|n) with their operands.
func cffDict(b []byte) map[int][]float64 {
	out := map[int][]float64{}
	var args []float64
	for i := 0; i < len(b); {
		c := int(b[i])
		i++
		switch {
		case c <= 21:
			if c == 12 && i < len(b) {
				c = 12<<8 | int(b[i])
				i++
			}
			out[c] = args
			args = nil
		case c == 28:
			args = append(args, float64(int16(u16(b, i))))
			i += 2
		case c == 29:
			args = append(args, float64(int32(u32(b, i))))
			i += 4
		case c == 30:
			for i < len(b) && b[i]&0x0F != 0x0F && b[i]>>4 != 0x0F {
				i++
			}
			i++
			args = append(args, 0)
		case c >= 32 && c <= 246:
			args = append(args, float64(c-139))
		case c >= 247 && c <= 254:
			d := 0
			if i < len(b) {
				d = int(b[i])
			}
			i++
			if c <= 250 {
				args = append(args, float64((c-247)*256+d+108))
			} else {
				args = append(args, float64(-(c-251)*256-d-108))
			}
		}
	}
	return out
}

func cffArg(d map[int][]float64, op int, def float64) float64 {
	if a := d[op]; len(a) > 0 {
		return a[len(a)-1]
	}
	return def
}

func readCharset(b []byte, at int, sids []uint16) {
	format := b[at]
	at++
	for g := 1; g < len(sids) && at+2 <= len(b); {
		sid := u16(b, at)
		at += 2
		left := 0
		switch format {
		case 1:
			if at < len(b) {
				left = int(b[at])
			}
			at++
		case 2:
			left = int(u16(b, at))
			at += 2
		}
		for ; left >= 0 && g < len(sids); left-- {
			sids[g] = sid
			sid++
			g++
		}
	}
}

func (f *cffFont) readEncoding(b []byte, at int, str func(int) string) {
	format := b[at]
	if at+2 > len(b) {
		return
	}
	n := int(b[at+1])
	at += 2
	g := uint16(1)
	for range n {
		if at >= len(b) {
			return
		}
		first, left := int(b[at]), 0
		at++
		if format&0x7F == 1 {
			if at < len(b) {
				left = int(b[at])
			}
			at++
		}
		for ; left >= 0; left-- {
			if first < 256 {
				f.codes[first] = g
			}
			first++
			g++
		}
	}
	if format&0x80 == 0 || at >= len(b) {
		return
	}
	n = int(b[at])
	at++
	for range n {
		if at+3 > len(b) {
			return
		}
		name := str(int(u16(b, at+1)))
		for i, s := range f.names {
			if s == name {
				f.codes[b[at]] = uint16(i)
			}
		}
		at += 3
	}
}

// builtin returns the built-in encoding as glyph names.
func (f *cffFont) builtin() *encoding.Encoding {
	if f.names == nil {
		return nil
	}
	if f.std {
		return encoding.All()["Standard"]
	}
	e := new(encoding.Encoding)
	for c, g := range f.codes {
		if g != 0 && int(g) < len(f.names) {
			e[c] = f.names[g]
		}
	}
	return e
}

// type1Encoding reads the built-in encoding from the clear text part of a Type 1 font program.
func type1Encoding(data []byte) *encoding.Encoding {
	if len(data) > 0 && data[0] == 0x80 && len(data) > 6 { // PFB segment header
		data = data[6:]
	}
	l := &lexer.Lexer{Input: data[:min(len(data), 64<<10)]}
	var e *encoding.Encoding
	var prev [2]lexer.Token
	for {
		t := l.Next()
		if t.Kind == lexer.EOF {
			return e
		}
		switch {
		case t.Kind == lexer.Name && string(t.Bytes) == "Encoding":
			if n := l.Next(); n.Kind == lexer.Keyword && string(n.Bytes) == "StandardEncoding" {
				return encoding.All()["Standard"]
			}
			e = new(encoding.Encoding)
		case t.Kind == lexer.Keyword && string(t.Bytes) == "put" && e != nil:
			if prev[0].Kind == lexer.Number && prev[1].Kind == lexer.Name && prev[0].Num >= 0 && prev[0].Num < 256 {
				e[int(prev[0].Num)] = string(prev[1].Bytes)
			}
		case t.Kind == lexer.Keyword && (string(t.Bytes) == "eexec" || string(t.Bytes) == "currentdict" && e != nil):
			return e
		}
		prev[0], prev[1] = prev[1], t
	}
}
