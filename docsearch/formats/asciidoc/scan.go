package asciidoc

import (
	"strings"
	"unicode/utf8"
)

// A text is one whose markup is being read from its beginning to its end. It remembers what was sought and where it stands, so that openings
// without an end, however many, take one search.
type text struct {
	s      string
	next   map[string]stand // by what is sought
	open   map[byte]bool    // the single signs that end nothing any more
	closes []int32          // for each bracket, where it closes; 0 where it does not; nil: not yet known
}

// A stand is where something was found that was sought from a place; len(s) where it was not.
type stand struct{ from, at int }

// seek returns the first place from i at which index finds something, and len(t.s) where there is none. key names index.
func (t *text) seek(key string, i int, index func(s string) int) int {
	if n, ok := t.next[key]; ok && n.from <= i && i <= n.at {
		return n.at
	}
	at := len(t.s)
	if k := index(t.s[i:]); k >= 0 {
		at = i + k
	}
	t.next[key] = stand{i, at}
	return at
}

// find returns where an end stands from i, and -1 where it does not.
func (t *text) find(i int, end string) int {
	if i > len(t.s) {
		return -1
	}
	if at := t.seek(end, i, func(s string) int { return strings.Index(s, end) }); at < len(t.s) {
		return at
	}
	return -1
}

// any returns where one of some signs stands from i, and len(t.s) where none does.
func (t *text) any(i int, signs string) int {
	return t.seek("any "+signs, i, func(s string) int { return strings.IndexAny(s, signs) })
}

// closeQuote returns where a single sign ends what begins at i: after no blank, before no letter.
func (t *text) closeQuote(i int, sign byte) int {
	s := t.s
	if i >= len(s) || t.open[sign] || s[i] == ' ' || s[i] == '\n' {
		return -1
	}
	for k := i + 1; k < len(s); k++ {
		if s[k] != sign || s[k-1] == ' ' || s[k-1] == '\n' {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(s[k+1:]); k+1 == len(s) || !isWord(next) && next != rune(sign) {
			return k
		}
	}
	t.open[sign] = true
	return -1
}

// Bounds of macros, in bytes.
const (
	longestName   = 11 // of inlineNames
	longestTarget = 2000
	longestText   = 5000
)

const blanks = " \t\n\f\r"

// address returns where the address ends that begins at i, and 0 where none does.
func (t *text) address(i int) int {
	for _, scheme := range []string{"http://", "https://", "ftp://", "irc://"} {
		if strings.HasPrefix(t.s[i:], scheme) {
			return min(t.any(i+len(scheme), blanks+"[]<>"), i+longestTarget)
		}
	}
	return 0
}

// macro returns the name of the macro that begins at i and where its bracket opens; "" where none does, or its name is longer than most.
func (t *text) macro(i, most int) (name string, bracket int) {
	s, k := t.s, i
	for k < len(s) && k-i <= most && (s[k] == '_' || s[k] >= 'a' && s[k] <= 'z' || s[k] >= 'A' && s[k] <= 'Z' || k > i && (s[k] == '-' || s[k] >= '0' && s[k] <= '9')) {
		k++
	}
	if k == i || k-i > most || k+1 >= len(s) || s[k] != ':' || s[k+1] == ':' {
		return "", 0
	}
	if bracket = t.any(k+1, blanks+"[]"); bracket == len(s) || s[bracket] != '[' || bracket-i > longestTarget {
		return "", 0
	}
	return s[i:k], bracket
}

// isMacro reports whether anything that looks like a macro begins at i.
func (t *text) isMacro(i int) bool {
	name, _ := t.macro(i, 40)
	return name != ""
}

// role returns where the list in brackets at i ends where a quoted text follows it, and 0 where none does.
func (t *text) role(i int) int {
	s := t.s
	k := t.any(i+1, "[]")
	if k+2 >= len(s) || s[k] == '[' || k-i > longestTarget || strings.IndexByte("*_#`+", s[k+1]) < 0 || strings.IndexByte(blanks, s[k+2]) >= 0 {
		return 0
	}
	return k
}

// closing returns where the bracket that opens at i closes, within a few lines; -1 where it does not.
func (t *text) closing(i int) int {
	if t.closes == nil {
		t.closes = make([]int32, len(t.s))
		var open []int32
		for k := 0; k < len(t.s); k++ {
			switch t.s[k] {
			case '\\':
				k++
			case '[':
				open = append(open, int32(k))
			case ']':
				if n := len(open); n > 0 {
					t.closes[open[n-1]] = int32(k)
					open = open[:n-1]
				}
			}
		}
	}
	if k := int(t.closes[i]); k > 0 && k < i+longestText {
		return k
	}
	return -1
}
