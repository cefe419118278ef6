package query

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/text"
)

// Bounds of a search for words in names: words of the query, and entities whose ids are read.
const (
	maxWords      = 12
	maxCandidates = 20_000
)

// subwords finds names that hold words of a query, such as "dispatch request" in dispatch_request. The words that are
// not in the name must be in the names around it or in the path.
type subwords struct {
	f       *finder
	words   []string // stems
	starts  []string // how the words begin that have these stems
	written string   // the query, squashed
	slot    uint32   // the file at hand
	inPath  uint16   // words whose beginnings are in its path: a bit each
	memo    *text.Memo
}

// subwords adds the names that hold words of a query.
func (f *finder) subwords(query string) {
	var words, stops []string
	for _, w := range strings.Fields(query) {
		for _, p := range text.SplitIdent(w) {
			if text.IsStop(p) {
				stops = append(stops, text.Stem(p))
			} else {
				words = append(words, text.Stem(p))
			}
		}
	}
	if len(words) == 0 {
		words = stops
	}
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 || len(words) > maxWords {
		return
	}
	s := &subwords{f: f, words: words, written: squash(query), memo: memos.Get()}
	defer memos.Put(s.memo)
	for _, w := range words {
		s.starts = append(s.starts, beginning(w))
	}
	g := f.g
	count, _ := g.Numbers()
	has := make([]uint16, count)      // by node a bit a word
	parts := make([]uint32, len(has)) // by node the parts of its name
	var nodes []uint32
	for i, w := range words {
		f.s.Each(snapshot.Parts, w, func(n, _, length uint32) {
			if has[n] == 0 {
				nodes = append(nodes, n)
			}
			has[n] |= 1 << i
			parts[n] = length
		})
	}
	if len(nodes) > maxCandidates {
		nodes = slices.DeleteFunc(nodes, func(n uint32) bool { return has[n] != s.all() })
	}
	slices.Sort(nodes)
	first := true
	for _, n := range nodes {
		if first || n >= g.NodeAt[s.slot+1] {
			s.setFile(snapshot.LastAtMost(g.NodeAt, n))
			first = false
		}
		s.match(n, has[n], parts[n])
	}
}

func (s *subwords) all() uint16 { return 1<<len(s.words) - 1 }

// setFile goes on to a file.
func (s *subwords) setFile(slot uint32) {
	s.slot, s.inPath = slot, 0
	p := strings.ToLower(s.f.g.Slots[slot].Path)
	for i, w := range s.starts {
		if strings.Contains(p, w) {
			s.inPath |= 1 << i
		}
	}
}

// match adds an entity of the file at hand, whose name has so many parts and some of the words, if the other words are around it.
func (s *subwords) match(n uint32, has uint16, parts uint32) {
	g := s.f.g
	if name, ok := s.endOfQuery(n); ok {
		// The same name in another style, alone or with that of its owner before it.
		less := .02 * float64(b2i(strings.HasPrefix(g.Name(n), "_") || strings.HasPrefix(g.Name(n), "$")))
		if name == s.written {
			s.f.add(n, "case", .9-less+.01*s.f.weight(n))
			return
		}
		if owner := s.f.owner(n); owner != "" && squash(owner)+name == s.written {
			s.f.add(n, "case", .8-less+.01*s.f.weight(n))
			return
		}
	}
	if !s.inContext(n, has) {
		return
	}
	said := float64(bits.OnesCount16(has))
	named := float64(max(parts, 1))
	s.f.add(n, "subword", .5*said/float64(len(s.words))+.4*min(1, said/named)+.1*s.f.weight(n))
}

// endOfQuery tells whether the squashed query ends with the squashed name.
func (s *subwords) endOfQuery(n uint32) (string, bool) {
	sl := &s.f.g.Slots[s.slot]
	if i := n - s.f.g.NodeAt[s.slot]; i > 0 { // most names are told by their last letter
		b := sl.Block.TextBytes(sl.Block.Node(i, block.NodeName), sl.Block.Node(i, block.NodeNameEnd))
		if len(b) > 0 && s.written != "" {
			if c := b[len(b)-1]; c < utf8.RuneSelf && (isLetter(c) || '0' <= c && c <= '9') && lowerASCII(c) != s.written[len(s.written)-1] {
				return "", false
			}
		}
	}
	name := squash(s.f.g.Name(n))
	return name, strings.HasSuffix(s.written, name)
}

// inContext tells whether the words that the name lacks stand in the id before it.
func (s *subwords) inContext(n uint32, has uint16) bool {
	if has == s.all() {
		return true
	}
	sl := &s.f.g.Slots[s.slot]
	suffix := sl.Block.Suffix(n - s.f.g.NodeAt[s.slot])
	for i, w := range s.starts { // a stem begins as its word does, but for its last letters
		if (has|s.inPath)&(1<<i) == 0 && !holdsFold(suffix, w) {
			return false
		}
	}
	whole := s.f.g.ID(n)
	before := strings.TrimSuffix(whole, s.f.g.Name(n))
	add := func(stem string) {
		for i, w := range s.words {
			if stem == w {
				has |= 1 << i
			}
		}
	}
	if strings.ContainsAny(before, "'’\n") { // what prose would read otherwise
		for _, p := range text.SplitIdent(before) {
			add(text.Stem(p))
		}
		return has == s.all()
	}
	s.memo.Each(before, func(t *text.Token, _ int) {
		for i := range t.Parts {
			add(t.Parts[i].Term)
		}
	})
	return has == s.all()
}

// memos are for ids and for lines of the sources: search after search meets the same words.
var memos text.Memos

// holdsFold tells whether a text contains one that is in lower case, ignoring case.
func holdsFold(b []byte, lower string) bool {
	if lower == "" {
		return true
	}
	for i := 0; i < len(b); i++ {
		if b[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(string(b)), lower)
		}
	}
	for i := 0; i+len(lower) <= len(b); i++ {
		j := 0
		for j < len(lower) && lowerASCII(b[i+j]) == lower[j] {
			j++
		}
		if j == len(lower) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= lowerASCII(c) && lowerASCII(c) <= 'z' }

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// squash drops what naming styles differ in: case, blanks and separators.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.' || r == '\t' || r == '\n' || r == ':' || r == '/' || r == '$':
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// owner gives the name before the last one of an id, "" for none.
func (f *finder) owner(n uint32) string {
	own := strings.TrimSuffix(f.g.ID(n)[len(f.g.Path(n)):], "."+f.g.Name(n))
	if i := strings.LastIndexAny(own, ".:"); i >= 0 && len(own) < len(f.g.ID(n))-len(f.g.Path(n)) {
		return own[i+1:]
	}
	return ""
}
