package text

import (
	"strings"
	"unicode/utf8"
)

// A Memo reads the words of many texts as [Tokens] does, and remembers what written words become. It is used by one goroutine at a time.
type Memo struct {
	known map[string]*Token // by written word, with offsets from its beginning
}

// maxMemo is how many written words a memo remembers at a time.
const maxMemo = 1 << 14

// NewMemo returns an empty memo.
func NewMemo() *Memo { return &Memo{known: map[string]*Token{}} }

// Each calls yield with each word of s in order. The offsets of the token, which yield must not change or keep, count from at.
func (m *Memo) Each(s string, yield func(t *Token, at int)) {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf && !wordByte[b] && b != '_' {
			i++
			continue
		}
		end, plain := extent(s, i)
		plain = plain && end-i <= maxKnownWord
		if plain {
			if t, ok := m.known[s[i:end]]; ok {
				if len(t.Parts) > 0 {
					yield(t, i)
				}
				i = end
				continue
			}
		}
		t, next := token(s, i, Stem)
		if plain && next == end {
			if len(m.known) >= maxMemo {
				clear(m.known)
			}
			word := strings.Clone(s[i:end]) // the text is not kept
			own, _ := token(word, 0, Stem)
			m.known[word] = &own
		}
		if len(t.Parts) > 0 {
			yield(&t, 0)
		}
		i = next
	}
}
