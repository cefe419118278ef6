package visible

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with everything written out that cannot be seen or looks like what it is not; see the package. Line ends ("\n", "\r\n") and tabs stay.
func Text(s string) string { return withInserted(s, nil) }

// An inserted text goes into another as it is, at an offset of that.
type inserted struct {
	at   int
	text string
}

// withInserted is Text of s with other texts put in between.
func withInserted(s string, in []inserted) string {
	bad := unsafe(s)
	if len(bad) == 0 && len(in) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 32)
	from := 0
	insert := func(to int) {
		for len(in) > 0 && in[0].at <= to {
			b.WriteString(s[from:in[0].at] + in[0].text)
			from, in = in[0].at, in[1:]
		}
		b.WriteString(s[from:to])
	}
	for _, at := range bad {
		insert(at)
		r, n := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "[0x%02X]", s[at])
		} else {
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
		from = at + n
	}
	insert(len(s))
	return b.String()
}

// Safe reports whether Text returns s as it is.
func Safe(s string) bool { return unsafeAt(s, 0, nil) < 0 && len(alikes(s)) == 0 }

// unsafe returns where the characters stand that must be written out.
func unsafe(s string) []int {
	letters := alikes(s)
	slices.Sort(letters)
	bad := slices.Clip(letters)
	for at := unsafeAt(s, 0, letters); at >= 0; {
		bad = append(bad, at)
		_, n := utf8.DecodeRuneInString(s[at:])
		at = unsafeAt(s, at+n, letters)
	}
	slices.Sort(bad)
	return bad
}

// unsafeAt returns where the first character at or behind from is that is not seen, in a text in which look-alikes stand at some places; -1 for none.
func unsafeAt(s string, from int, alikes []int) int {
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
		if r == utf8.RuneError && n == 1 || hidden(r) && !atHome(s, i, r, n, alikes) {
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

// atHome reports whether an invisible character stands where ordinary writing has it. Look-alikes, which are written out themselves, are no neighbours.
func atHome(s string, at int, r rune, size int, alikes []int) bool {
	before, n := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+size:])
	if _, ok := slices.BinarySearch(alikes, at-n); ok {
		before = 0
	}
	if _, ok := slices.BinarySearch(alikes, at+size); ok {
		after = 0
	}
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
