package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with everything that cannot be seen written out. Line ends ("\n", "\r\n") and tabs stay.
func Text(s string) string {
	bad := unsafeAt(s, 0)
	if bad < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 32)
	from := 0
	for bad >= 0 {
		b.WriteString(s[from:bad])
		r, n := utf8.DecodeRuneInString(s[bad:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "[0x%02X]", s[bad])
		} else {
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
		from = bad + n
		bad = unsafeAt(s, from)
	}
	b.WriteString(s[from:])
	return b.String()
}

// Safe reports whether Text returns s as it is.
func Safe(s string) bool { return unsafeAt(s, 0) < 0 }

// unsafeAt returns where the first character at or behind from is that must be written out; -1 for none.
func unsafeAt(s string, from int) int {
	for i := from; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != 0x7f || c == '\n' || c == '\t' || c == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				i++
				continue
			}
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || hidden(r) && !atHome(s, i, r, n) {
			return i
		}
		i += n
	}
	return -1
}

// invisible are the characters beyond ASCII that are not seen, or act on others.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0080, 0x009f, 1}, // C1 controls; 0x85 ends lines
		{0x034f, 0x034f, 1}, // combining grapheme joiner
		{0x061c, 0x061c, 1}, // Arabic letter mark
		{0x115f, 0x1160, 1}, // Hangul fillers
		{0x17b4, 0x17b5, 1}, // Khmer inherent vowels
		{0x180b, 0x180f, 1}, // Mongolian variation selectors and vowel separator
		{0x200b, 0x200f, 1}, // zero width, marks of direction
		{0x2028, 0x202e, 1}, // ends of lines, embeddings and overrides
		{0x2060, 0x206f, 1}, // word joiner, invisible operators, isolates
		{0x2800, 0x2800, 1}, // Braille blank
		{0x3164, 0x3164, 1}, // Hangul filler
		{0xfe00, 0xfe0f, 1}, // variation selectors
		{0xfeff, 0xfeff, 1}, // zero width no-break space
		{0xffa0, 0xffa0, 1}, // halfwidth Hangul filler
		{0xfff9, 0xfffb, 1}, // interlinear annotation
		{0xfffe, 0xffff, 1}, // noncharacters
	},
	R32: []unicode.Range32{
		{0x1d173, 0x1d17a, 1}, // musical controls
		{0xe0000, 0xe0fff, 1}, // tags, variation selectors
	},
}

func hidden(r rune) bool { return unicode.Is(invisible, r) }

// joins are scripts whose letters joiners stand between in ordinary writing.
var joins = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Khmer, unicode.Myanmar,
}

// atHome reports whether an invisible character stands where ordinary writing has it.
func atHome(s string, at int, r rune, size int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+size:])
	if before == 0xfe0f && r == 0x200d { // a picture in colour
		before, _ = utf8.DecodeLastRuneInString(strings.TrimSuffix(s[:at], "\ufe0f"))
	}
	if hidden(before) {
		before = 0
	}
	if hidden(after) {
		after = 0
	}
	switch {
	case r == 0x200c:
		return unicode.In(before, joins...) && unicode.In(after, joins...)
	case r == 0x200d:
		return unicode.In(before, joins...) || picture(before) && picture(after)
	case r == 0x200e || r == 0x200f || r == 0x061c:
		return rightToLeft(before) || rightToLeft(after)
	case r >= 0xfe00 && r <= 0xfe0f:
		return before >= 0x80 && before != utf8.RuneError && !hidden(before) || r == 0xfe0f && (after == 0x20e3)
	case r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, before)
	}
	return false
}

// picture reports whether a character may be a part of an emoji that is joined from several.
func picture(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}
