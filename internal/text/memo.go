package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A Memo reads the words of many texts as [Tokens] does, and remembers what written words become. It is used by one goroutine at a time.
type Memo struct {
	known map[string]*Token // by written word, with offsets from its beginning
	older map[string]*Token // what was known when known became full
}

// maxMemo is how many written words a memo remembers at a time.
const maxMemo = 1 << 15

// NewMemo returns an empty memo.
func NewMemo() *Memo { return &Memo{known: map[string]*Token{}} }

// word returns the token of a plain word that is remembered, or nil.
func (m *Memo) word(w string) *Token {
	if t, ok := m.known[w]; ok {
		return t
	}
	t, ok := m.older[w]
	if ok {
		m.keep(t, strings.Clone(w)) // the text is not kept
	}
	return t
}

// keep remembers the token of a written word. Half of the words, those not met for the longest time, go when there are too many.
func (m *Memo) keep(t *Token, word string) {
	if len(m.known) >= maxMemo/2 {
		m.older, m.known = m.known, make(map[string]*Token, maxMemo/2)
	}
	m.known[word] = t
}

// Each calls yield with each word of s in order. The offsets of the token, which yield must not change or keep, count from at.
func (m *Memo) Each(s string, yield func(t *Token, at int)) {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf && !wordByte[b] && b != '_' {
			i++
			continue
		}
		end, plain := extent(s, i)
		if plain && end-i <= maxKnownWord {
			t := m.word(s[i:end])
			if t == nil {
				word := strings.Clone(s[i:end]) // the text is not kept
				if own, next := token(word, 0, Stem); next == len(word) {
					t = &own
					m.keep(t, word)
				}
			}
			if t != nil {
				if len(t.Parts) > 0 {
					yield(t, i)
				}
				i = end
				continue
			}
		}
		t, next := token(s, i, Stem)
		if len(t.Parts) > 0 {
			yield(&t, 0)
		}
		i = next
	}
}

// Memos lends memos to goroutines. It keeps a few of those that come back, the last one first, so that one search after another finds what the one
// before learned; a [sync.Pool] would lose them with every collection of garbage. The zero value is ready.
type Memos struct {
	mu   sync.Mutex // guards free
	free []*Memo
}

// maxFree is how many memos are kept for the next who asks.
const maxFree = 2

// Get returns a memo for one goroutine.
func (p *Memos) Get() *Memo {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		m := p.free[n-1]
		p.free = p.free[:n-1]
		return m
	}
	return NewMemo()
}

// Put takes a memo back.
func (p *Memos) Put(m *Memo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < maxFree {
		p.free = append(p.free, m)
	}
}
