package font

import (
	"encoding/binary"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

// An sfnt is the part of a TrueType or OpenType font that tells which character a glyph shows.
type sfnt struct {
	tables  map[string][]byte
	unicode map[uint16]rune   // glyph to character, from the Unicode cmaps
	symbol  map[uint32]uint16 // (3,0): code to glyph
	mac     map[uint32]uint16 // (1,0): code to glyph
	names   []string          // glyph names from post, nil when there are none
}

const maxGlyphs = 65536

// parseSFNT reads a font program; nil when it is none.
func parseSFNT(data []byte) *sfnt {
	if len(data) < 12 {
		return nil
	}
	if string(data[:4]) == "ttcf" && len(data) >= 16 {
		off := int(u32(data, 12))
		return parseSFNTAt(data, off)
	}
	return parseSFNTAt(data, 0)
}

func parseSFNTAt(data []byte, at int) *sfnt {
	if at < 0 || at+12 > len(data) {
		return nil
	}
	switch string(data[at : at+4]) {
	case "\x00\x01\x00\x00", "true", "OTTO", "typ1":
	default:
		return nil
	}
	n := int(u16(data, at+4))
	f := &sfnt{tables: map[string][]byte{}}
	for i := range n {
		e := at + 12 + 16*i
		if e+16 > len(data) {
			break
		}
		off, size := int(u32(data, e+8)), int(u32(data, e+12))
		if off < 0 || off > len(data) || size < 0 {
			continue
		}
		f.tables[string(data[e:e+4])] = data[off:min(len(data), off+size)]
	}
	f.readCmap()
	f.readPost()
	return f
}

func u16(b []byte, i int) uint16 {
	if i < 0 || i+2 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint16(b[i:])
}

func u32(b []byte, i int) uint32 {
	if i < 0 || i+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[i:])
}

func (f *sfnt) readCmap() {
	t := f.tables["cmap"]
	left := maxGlyphs * 4 // codes of all subtables
	f.unicode = map[uint16]rune{}
	for i := range min(int(u16(t, 2)), 64) {
		e := 4 + 8*i
		platform, enc, off := u16(t, e), u16(t, e+2), int(u32(t, e+4))
		if off <= 0 || off >= len(t) {
			continue
		}
		sub := t[off:]
		switch {
		case platform == 3 && enc == 0:
			f.symbol = map[uint32]uint16{}
			walkCmap(sub, &left, func(c uint32, g uint16) { f.symbol[c] = g })
		case platform == 1 && enc == 0:
			f.mac = map[uint32]uint16{}
			walkCmap(sub, &left, func(c uint32, g uint16) { f.mac[c] = g })
		case platform == 0, platform == 3 && (enc == 1 || enc == 10):
			walkCmap(sub, &left, func(c uint32, g uint16) {
				// Several characters may share a glyph: keep the plainest, which is the lowest, but no control or
				// compatibility form where there is a choice.
				old, ok := f.unicode[g]
				if !encoding.ValidRune(rune(c)) || ok && plainness(old) <= plainness(rune(c)) {
					return
				}
				f.unicode[g] = rune(c)
			})
		}
	}
}

func plainness(r rune) int {
	switch {
	case r < 0x20 || r == 0xA0 || r == 0xAD:
		return 1 << 24
	case r >= 0xE000 && r < 0xF900, r >= 0x2F00 && r < 0x2FE0:
		return 1<<23 + int(r)
	}
	return int(r)
}

// walkCmap calls add for each code of a cmap subtable of format 0, 4, 6 or 12, at most left times in formats 4 and 12.
func walkCmap(t []byte, left *int, add func(c uint32, g uint16)) {
	switch u16(t, 0) {
	case 0:
		for c := range 256 {
			if 6+c < len(t) && t[6+c] != 0 {
				add(uint32(c), uint16(t[6+c]))
			}
		}
	case 4:
		seg := int(u16(t, 6)) / 2
		for i := range seg {
			end, start := int(u16(t, 14+2*i)), int(u16(t, 16+2*seg+2*i))
			delta, ro := u16(t, 16+4*seg+2*i), int(u16(t, 16+6*seg+2*i))
			if 16+6*seg+2*i+2 > len(t) {
				return
			}
			for c := start; c <= end && c < 0xFFFF; c++ {
				if *left--; *left < 0 {
					return
				}
				g := uint16(c) + delta
				if ro != 0 {
					if g = u16(t, 16+6*seg+2*i+ro+2*(c-start)); g != 0 {
						g += delta
					}
				}
				if g != 0 {
					add(uint32(c), g)
				}
			}
		}
	case 6:
		first, n := uint32(u16(t, 6)), int(u16(t, 8))
		for i := range n {
			if g := u16(t, 10+2*i); g != 0 {
				add(first+uint32(i), g)
			}
		}
	case 12:
		for i := range min(int(u32(t, 12)), len(t)/12) {
			start, end, g := u32(t, 16+12*i), u32(t, 20+12*i), u32(t, 24+12*i)
			for c := start; c <= end; c++ {
				if *left--; *left < 0 {
					return
				}
				add(c, uint16(g+c-start))
			}
		}
	}
}

func (f *sfnt) readPost() {
	t := f.tables["post"]
	if u32(t, 0) != 0x00020000 {
		return
	}
	n := int(u16(t, 32))
	var own []string
	for at := 34 + 2*n; at < len(t) && len(own) < maxGlyphs; {
		size := int(t[at])
		if at+1+size > len(t) {
			break
		}
		own = append(own, string(t[at+1:at+1+size]))
		at += 1 + size
	}
	f.names = make([]string, n)
	for i := range n {
		k := int(u16(t, 34+2*i))
		switch {
		case k < len(macGlyphs()):
			f.names[i] = macGlyphs()[k]
		case k-258 >= 0 && k-258 < len(own):
			f.names[i] = own[k-258]
		}
	}
}

// tells reports whether the font names any of its glyphs.
func (f *sfnt) tells() bool { return f != nil && (len(f.unicode) > 0 || len(f.names) > 0) }

// advance is the advance of a glyph in the font's units, 0 for one that is not there or has no outline.
func (f *sfnt) advance(g int) float64 {
	n := int(u16(f.tables["hhea"], 34))
	if n == 0 || g < 0 || g >= int(u16(f.tables["maxp"], 4)) {
		return 0
	}
	loca := f.tables["loca"]
	if u16(f.tables["head"], 50) == 0 {
		if u16(loca, 2*g) == u16(loca, 2*g+2) {
			return 0
		}
	} else if u32(loca, 4*g) == u32(loca, 4*g+4) {
		return 0
	}
	return float64(u16(f.tables["hmtx"], 4*min(g, n-1)))
}

// text returns what glyph g shows, "" when the font does not tell.
func (f *sfnt) text(g uint16) string {
	if r, ok := f.unicode[g]; ok {
		return string(r)
	}
	if int(g) < len(f.names) {
		if s := encoding.GlyphText(f.names[g]); s != "" {
			return s
		}
	}
	return ""
}

// simple returns the text of each code of a symbolic simple font (ISO 32000-1, 9.6.6.4).
func (f *sfnt) simple() (out [256]string) {
	roman := encoding.All()["MacRoman"]
	for c := range 256 {
		var g uint16
		for _, base := range []uint32{0xF000, 0, 0xF100, 0xF200} {
			if g = f.symbol[base+uint32(c)]; g != 0 {
				break
			}
		}
		viaMac := false
		if g == 0 && f.mac != nil {
			g = f.mac[uint32(c)]
			viaMac = g != 0
		}
		if g == 0 {
			continue
		}
		out[c] = f.text(g)
		if out[c] == "" && viaMac && len(f.names) == 0 {
			out[c] = encoding.GlyphText(roman[c])
		}
	}
	return out
}
