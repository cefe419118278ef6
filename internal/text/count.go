package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A Vocabulary numbers terms from 0, in order of first sight. It is safe for concurrent use.
type Vocabulary struct {
	// mu guards what follows.
	mu    sync.Mutex
	ids   map[string]uint32
	terms []string
}

// NewVocabulary returns an empty vocabulary.
func NewVocabulary() *Vocabulary { return &Vocabulary{ids: map[string]uint32{}} }

// ID returns the number of a term, a new one when it was not seen before. The term is copied.
func (v *Vocabulary) ID(term string) uint32 {
	v.mu.Lock()
	defer v.mu.Unlock()
	i, ok := v.ids[term]
	if !ok {
		i = uint32(len(v.terms))
		term = strings.Clone(term)
		v.ids[term] = i
		v.terms = append(v.terms, term)
	}
	return i
}

// Terms returns the terms by number. The caller must not change the list.
func (v *Vocabulary) Terms() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.terms[:len(v.terms):len(v.terms)]
}

// A Counter gives the terms of many texts as numbers of one vocabulary. It remembers what written words become, which
// most words of a large body of text profit from. It is used by one goroutine at a time.
type Counter struct {
	v     *Vocabulary
	known map[string]terms  // by written word
	ids   []uint32          // the terms of known words
	stems map[string]string // of parts: many words share them
}

// terms is a list in ids. The last is that of the word's whole when it has one.
type terms struct {
	at    uint32
	n     uint16
	whole bool
}

const (
	maxKnown     = 1 << 16 // written words remembered at a time
	maxKnownWord = 64      // bytes; longer ones come once
)

// NewCounter returns a counter for v.
func NewCounter(v *Vocabulary) *Counter {
	return &Counter{v: v, known: map[string]terms{}, stems: map[string]string{}}
}

// Each calls yield with the number of every term of s, those that [Terms] returns, in their order.
func (c *Counter) Each(s string, yield func(id uint32)) {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf && !wordByte[b] && b != '_' {
			i++
			continue
		}
		k, _, next, kept := c.word(s, i)
		for _, id := range c.ids[k.at : int(k.at)+int(k.n)] {
			yield(id)
		}
		if !kept {
			c.ids = c.ids[:k.at]
		}
		i = next
	}
}

// word returns the terms of what stands at s[i:], a word or not, with the offset after it. They stay in ids when they are
// remembered; else the caller takes them out. The token is that of a word which is not remembered.
func (c *Counter) word(s string, i int) (k terms, t Token, next int, kept bool) {
	end, plain := extent(s, i)
	plain = plain && end-i <= maxKnownWord
	if plain {
		if k, ok := c.known[s[i:end]]; ok {
			return k, Token{}, end, true
		}
	}
	t, next = token(s, i, c.stem)
	keep := plain && end == next
	if keep && len(c.known) >= maxKnown {
		clear(c.known)
		c.ids = c.ids[:0]
	}
	k.at = uint32(len(c.ids))
	if !t.Stop {
		for _, p := range t.Parts {
			c.ids = append(c.ids, c.v.ID(p.Term))
		}
		if k.whole = t.Whole != "" && len(t.Parts) > 0; k.whole {
			c.ids = append(c.ids, c.v.ID(t.Whole))
		}
	}
	k.n = uint16(len(c.ids) - int(k.at))
	if keep {
		c.known[strings.Clone(s[i:end])] = k
	}
	return k, t, next, keep
}

// stem is Stem, remembered.
func (c *Counter) stem(w string) string {
	if len(w) < 3 {
		return w
	}
	s, ok := c.stems[w]
	if !ok {
		if len(c.stems) >= maxKnown {
			clear(c.stems)
		}
		w = strings.Clone(w)
		s = Stem(w)
		c.stems[w] = s
	}
	return s
}

// token reads what stands at s[i:], a word or not, and returns it with the offset after it.
func token(s string, i int, stem func(string) string) (Token, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case isIdeograph(r):
		return single(s, i, i+n), i + n
	case isWord(r) || r == '_':
		return scan(s, i, stem)
	}
	return Token{}, i + n
}

var wordByte = func() (t [256]bool) {
	for b := range t[:utf8.RuneSelf] {
		t[b] = isWord(rune(b))
	}
	return t
}()

// extent returns the end of the word at s[start:], and whether it is of the plain kind that scan ends at the same place
// and that means the same wherever it stands: in ASCII, and not hyphenated by a line end.
func extent(s string, start int) (end int, plain bool) {
	piece := start
	for i := start; ; i++ {
		if i == len(s) || i-start >= maxWord {
			return i, i-start < maxWord
		}
		b := s[i]
		if wordByte[b] {
			continue
		}
		if b >= utf8.RuneSelf {
			return i, false
		}
		if b == '_' {
			piece = i + 1
			continue
		}
		if i == piece || b != '\'' && b != '-' && b != '.' && b != ':' {
			return i, true
		}
		if i+1 == len(s) {
			return i, true
		}
		next := s[i+1]
		switch {
		case next >= utf8.RuneSelf, b == '-' && (next == ' ' || next == '\t' || next == '\r' || next == '\n'):
			return i, false
		case !wordByte[next], b == '\'' && '0' <= next && next <= '9':
			return i, true
		case b != '\'':
			piece = i + 1
		}
	}
}
