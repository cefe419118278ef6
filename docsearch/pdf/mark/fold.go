package mark

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A folded text is a text without what typesetting may change: white space, hyphens, what is invisible, ligatures. It knows where in the
// text each of its bytes comes from.
type folded struct {
	s    string
	from []uint32 // offset in the text of the character that a byte is of
	to   []uint32 // offset behind it
}

// fold folds a text; plain makes letters of one case and quotation marks straight, too.
func fold(text string, plain bool) folded {
	f := folded{from: make([]uint32, 0, len(text)), to: make([]uint32, 0, len(text))}
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range text {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(text[i:])
		}
		if dropped(r) {
			continue
		}
		if plain {
			r = unicode.ToLower(straight(r))
		}
		before := b.Len()
		if l, ok := ligatures[r]; ok {
			b.WriteString(l)
		} else {
			b.WriteRune(r)
		}
		for range b.Len() - before {
			f.from, f.to = append(f.from, uint32(i)), append(f.to, uint32(i+n))
		}
	}
	f.s = b.String()
	return f
}

// dropped are the characters that typesetting adds and takes away.
func dropped(r rune) bool {
	return isHyphen(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u2011' || r == '\u00AD' }

var ligatures = map[rune]string{'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "ſt", 'ﬆ': "st", 'Ĳ': "IJ", 'ĳ': "ij"}

func straight(r rune) rune {
	switch r {
	case '\u2018', '\u2019':
		return '\''
	case '\u201C', '\u201D':
		return '"'
	}
	return r
}

// span is a stretch of the text, in bytes, half-open.
type span struct{ start, end int }

// span of the folded bytes [i, k).
func (f *folded) span(i, k int) span { return span{int(f.from[i]), int(f.to[k-1])} }

// all yields where the folded bytes [at, end) hold q. What is read of the text is taken from work, which ends the search when it is used up.
func (f *folded) all(q string, at, end int, work *int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for end = min(end, len(f.s)); q != "" && at+len(q) <= end && *work > 0; {
			i := strings.Index(f.s[at:end], q)
			if i < 0 {
				*work -= end - at
				return
			}
			*work -= i + len(q) + 64 // and for what is done with it
			if !yield(at + i) {
				return
			}
			at += i + 1
		}
	}
}

// whole reports whether a stretch of a text begins and ends where words do.
func whole(text string, s span) bool {
	first, _ := utf8.DecodeRuneInString(text[s.start:])
	last, _ := utf8.DecodeLastRuneInString(text[:s.end])
	before, _ := utf8.DecodeLastRuneInString(text[:s.start])
	behind, _ := utf8.DecodeRuneInString(text[s.end:])
	return !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(behind))
}

// inWord reports a character of a word or number; scripts without spaces have words anywhere.
func inWord(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == utf8.RuneError {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || unicode.IsMark(r)
}
