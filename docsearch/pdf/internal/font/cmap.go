package font

import (
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// A cmap maps character codes to CIDs (an Encoding) or to text (a ToUnicode map).
type cmap struct {
	spaces   []codeSpace
	cids     []cidRange        // sorted by lo after parsing
	text     map[uint32]string // single codes
	textRuns []textRange       // sorted by lo
	use      *cmap
	vertical bool
	shared   bool // predefined: of all files
}

type codeSpace struct {
	n      int // bytes of a code
	lo, hi uint32
}

type cidRange struct{ lo, hi, cid uint32 }

type textRange struct {
	lo, hi uint32
	base   []rune // text of lo; the last rune counts up
}

const (
	maxCMapEntries = 1 << 18
	maxCodeSpaces  = 256 // each is looked at for every character; maps have a handful
)

// parseCMap reads a CMap file. use finds the map that usecmap names and may be nil. It never fails: what cannot be read
// is left out.
func parseCMap(data []byte, use func(string) *cmap) *cmap {
	m := &cmap{text: map[uint32]string{}}
	l := &lexer.Lexer{Input: data}
	var args []lexer.Token
	entries := 0
	for {
		t := l.Next()
		switch t.Kind {
		case lexer.EOF:
			m.unswap()
			m.sort()
			return m
		case lexer.Keyword:
			switch string(t.Bytes) {
			case "usecmap":
				if n := len(args); n > 0 && args[n-1].Kind == lexer.Name && use != nil {
					m.use = use(string(args[n-1].Bytes))
				}
			case "def":
				if n := len(args); n >= 2 && args[n-1].Kind == lexer.Number && string(args[n-2].Bytes) == "WMode" {
					m.vertical = args[n-1].Num == 1
				}
			case "begincodespacerange":
				m.section(l, &entries, func(lo, hi lexer.Token) {
					if len(m.spaces) >= maxCodeSpaces || len(lo.Bytes) > 4 {
						return
					}
					m.spaces = append(m.spaces, codeSpace{len(lo.Bytes), code(lo.Bytes), code(hi.Bytes)})
				})
			case "begincidrange", "begincidchar":
				single := string(t.Bytes) == "begincidchar"
				m.triples(l, single, &entries, func(lo, hi uint32, v lexer.Operand) {
					if v.Kind == lexer.Number && v.Num >= 0 && v.Num < 1<<24 {
						m.cids = append(m.cids, cidRange{lo, hi, uint32(v.Num)})
					}
				})
			case "beginbfrange", "beginbfchar":
				single := string(t.Bytes) == "beginbfchar"
				m.triples(l, single, &entries, m.addText)
			}
			args = args[:0]
			l.Release()
		default:
			if len(args) < 16 {
				args = append(args, t)
			} else {
				args = append(args[:0], t)
			}
		}
	}
}

// section reads pairs of strings up to the closing keyword.
func (m *cmap) section(l *lexer.Lexer, entries *int, add func(lo, hi lexer.Token)) {
	for *entries < maxCMapEntries {
		a := l.Next()
		if a.Kind != lexer.String {
			return
		}
		b := l.Next()
		if b.Kind != lexer.String {
			return
		}
		*entries++
		add(a, b)
		l.Release()
	}
}

// triples reads "<lo> <hi> value" or, when single, "<code> value".
func (m *cmap) triples(l *lexer.Lexer, single bool, entries *int, add func(lo, hi uint32, v lexer.Operand)) {
	for *entries < maxCMapEntries {
		a := l.Next()
		if a.Kind != lexer.String {
			return
		}
		b := a
		if !single {
			if b = l.Next(); b.Kind != lexer.String {
				return
			}
		}
		t := l.Next()
		if t.Kind == lexer.EOF || t.Kind == lexer.Keyword {
			return
		}
		v := l.Value(t, 0)
		lo, hi := code(a.Bytes), code(b.Bytes)
		if hi < lo {
			continue
		}
		*entries++
		add(lo, hi, v)
		l.Release()
	}
}

func (m *cmap) addText(lo, hi uint32, v lexer.Operand) {
	switch v.Kind {
	case lexer.String:
		r := encoding.UTF16Runes(v.Bytes)
		if len(r) == 0 {
			return
		}
		if lo == hi {
			m.text[lo] = string(r)
			return
		}
		m.textRuns = append(m.textRuns, textRange{lo, hi, r})
	case lexer.ArrayOpen:
		for i, it := range v.Items {
			if c := lo + uint32(i); c <= hi && it.Kind == lexer.String {
				if r := encoding.UTF16Runes(it.Bytes); len(r) > 0 {
					m.text[c] = string(r)
				}
			}
		}
	case lexer.Name:
		if s := encoding.GlyphText(string(v.Bytes)); s != "" && lo == hi {
			m.text[lo] = s
		}
	}
}

// unswap turns the bytes of all texts when they were written in the wrong order: then every text is a Latin character times
// 256, which no real text is.
func (m *cmap) unswap() {
	const enough = 4
	n := 0
	swapped := func(r rune) bool { return r&0xFF == 0 && r>>8 >= 0x20 && r>>8 < 0x7F }
	for _, s := range m.text {
		for _, r := range s {
			if n++; !swapped(r) {
				return
			}
		}
	}
	for _, t := range m.textRuns {
		if n++; t.lo != t.hi || len(t.base) != 1 || !swapped(t.base[0]) {
			return
		}
	}
	if n < enough {
		return
	}
	for c, s := range m.text {
		rs := []rune(s)
		for i := range rs {
			rs[i] >>= 8
		}
		m.text[c] = string(rs)
	}
	for i := range m.textRuns {
		m.textRuns[i].base[0] >>= 8
	}
}

func (m *cmap) sort() {
	sort.SliceStable(m.cids, func(i, j int) bool { return m.cids[i].lo < m.cids[j].lo })
	sort.SliceStable(m.textRuns, func(i, j int) bool { return m.textRuns[i].lo < m.textRuns[j].lo })
}

func code(b []byte) uint32 {
	var v uint32
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v
}

// unicode returns the text of a code.
func (m *cmap) unicode(c uint32) (string, bool) {
	for depth := 0; m != nil && depth < 8; depth++ {
		if s, ok := m.text[c]; ok {
			return s, true
		}
		i := sort.Search(len(m.textRuns), func(i int) bool { return m.textRuns[i].lo > c })
		for k := i - 1; k >= 0 && k >= i-4; k-- { // ranges may overlap: the last one begun wins
			if r := m.textRuns[k]; c <= r.hi {
				out := append([]rune(nil), r.base...)
				out[len(out)-1] += rune(c - r.lo)
				return string(out), true
			}
		}
		m = m.use
	}
	return "", false
}

// tells reports whether any code has text.
func (m *cmap) tells() bool {
	for depth := 0; m != nil && depth < 8; depth++ {
		for _, s := range m.text {
			if meaningful(s) {
				return true
			}
		}
		if len(m.textRuns) > 0 {
			return true
		}
		m = m.use
	}
	return false
}

// cid returns the CID of a code, 0 when there is none.
func (m *cmap) cid(c uint32) uint32 {
	for depth := 0; m != nil && depth < 8; depth++ {
		i := sort.Search(len(m.cids), func(i int) bool { return m.cids[i].lo > c })
		for k := i - 1; k >= 0 && k >= i-4; k-- {
			if r := m.cids[k]; c <= r.hi {
				return r.cid + c - r.lo
			}
		}
		m = m.use
	}
	return 0
}

// next cuts one code off s by the code space ranges.
func (m *cmap) next(s []byte) (c uint32, n int) {
	spaces := m.spaces
	for u := m.use; len(spaces) == 0 && u != nil; u = u.use {
		spaces = u.spaces
	}
	if len(spaces) == 0 {
		n = min(2, len(s))
		return code(s[:n]), n
	}
	for n = 1; n <= 4 && n <= len(s); n++ {
		c = c<<8 | uint32(s[n-1])
		for _, sp := range spaces {
			if sp.n == n && inSpace(c, sp) {
				return c, n
			}
		}
	}
	// No range holds it: skip as many bytes as the shortest range has (9.7.6.3).
	n = spaces[0].n
	for _, sp := range spaces {
		n = min(n, sp.n)
	}
	n = max(1, min(n, len(s)))
	return code(s[:n]), n
}

// inSpace compares byte by byte: a code space range is a box, not an interval.
func inSpace(c uint32, sp codeSpace) bool {
	for i := range sp.n {
		b, lo, hi := byte(c>>(8*i)), byte(sp.lo>>(8*i)), byte(sp.hi>>(8*i))
		if b < lo || b > hi {
			return false
		}
	}
	return true
}
