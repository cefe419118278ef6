package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Bag is the terms of one text as numbers of a vocabulary, each as often as it counts, in the order of the text.
type Bag struct {
	Words  []uint32 // parts of words, and the other forms of words that a line end cut
	At     []uint32 // beside Words: the place of each, index in Places
	Places []uint32 // the term of each place that no stop word takes, or ManyForms
	Idents []uint32 // wholes
	Length int      // parts alone
}

// ManyForms stands in a [Bag] for a place with several terms.
const ManyForms = ^uint32(0)

// Reset empties the bag and keeps its memory.
func (b *Bag) Reset() {
	*b = Bag{Words: b.Words[:0], At: b.At[:0], Places: b.Places[:0], Idents: b.Idents[:0]}
}

// Bag adds the terms of s to b: what docsearch/driver's Analyze says of it, without its maps.
func (c *Counter) Bag(s string, b *Bag) {
	for i := 0; i < len(s); {
		if ch := s[i]; ch < utf8.RuneSelf && !wordByte[ch] && ch != '_' {
			i++
			continue
		}
		k, t, next, kept := c.word(s, i)
		i = next
		words := c.ids[k.at : int(k.at)+int(k.n)]
		if k.whole {
			b.Idents = append(b.Idents, words[len(words)-1])
			words = words[:len(words)-1]
		}
		from := len(b.Words)
		b.Words = append(b.Words, words...)
		b.Length += len(words)
		for _, w := range words {
			b.At = append(b.At, uint32(len(b.Places)))
			b.Places = append(b.Places, w)
		}
		if k.whole && len(words) == 1 {
			b.Places[len(b.Places)-1] = ManyForms
			for _, w := range Alternatives(t.Whole) {
				if id := c.v.ID(w); !slices.Contains(b.Words[from:], id) {
					b.Words = append(b.Words, id)
					b.At = append(b.At, uint32(len(b.Places)-1))
				}
			}
		}
		if !kept {
			c.ids = c.ids[:k.at]
		}
	}
}

// Alternatives returns the other forms of a word that a line end cut, given its whole: the whole and the stems of its halves.
func Alternatives(whole string) []string {
	out := []string{whole}
	for h := range strings.SplitSeq(whole, "-") {
		if h != "" && !IsStop(h) {
			out = append(out, Stem(h))
		}
	}
	return out
}
