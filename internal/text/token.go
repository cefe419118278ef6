package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Part is one piece of a written word.
type Part struct {
	Term       string // folded and stemmed
	Start, End int    // bytes of the input, half-open
}

// A Token is one written word.
type Token struct {
	Parts      []Part // its pieces in order, at least one
	Word       string // the folded word as written, never stemmed: "maxnrofssbs-1"
	Whole      string // Word when the word is an identifier of several parts (or was cut by a line end), else ""
	Start, End int    // bytes of the input, half-open
	Stop       bool   // a single common English word
}

// maxWord bounds a word in bytes: what is longer is no word of anybody's, and index engines refuse it.
const maxWord = 256

// Tokens returns the words of s in order. Words are runs of letters and digits, joined by "_" and, between two of them,
// by "-", "." and ":"; they split into parts there, where lower case turns into upper, and where letters turn into
// digits. A word that a line end hyphenates ("detec-\ntion") is one token "detection", whose Whole keeps the hyphen.
func Tokens(s string) []Token {
	out := make([]Token, 0, len(s)/6+1)
	for i := 0; i < len(s); {
		t, end := token(s, i, Stem)
		if len(t.Parts) > 0 {
			out = append(out, t)
		}
		i = end
	}
	return out
}

func single(s string, start, end int) Token {
	w := Fold(s[start:end])
	return Token{Parts: []Part{{Term: w, Start: start, End: end}}, Word: w, Start: start, End: end}
}

// scan reads one word of s from start, stems its parts, and returns it with the offset after it.
func scan(s string, start int, stem func(string) string) (Token, int) {
	t := Token{Start: start}
	var word strings.Builder // folded as written, without the line breaks
	broken := false          // a line end hyphenated the word
	piece := start           // start of the run of letters and digits being read
	i := start
	flush := func(end int) {
		if end > piece {
			word.WriteString(Fold(s[piece:end]))
			t.Parts = appendParts(t.Parts, s, piece, end, stem)
		}
	}
	for i < len(s) && i-start < maxWord {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '_' {
			flush(i)
			word.WriteByte('_')
			i += n
			piece = i
			continue
		}
		if isWord(r) && !isIdeograph(r) {
			i += n
			continue
		}
		if i == piece { // a joiner must follow a letter or digit
			break
		}
		if (r == '\'' || r == '’') && letterAt(s, i+n) {
			i += n // inside a word; plain strips it
			continue
		}
		if r == '-' || r == '‐' || r == '\u00ad' {
			if next, ok := lineBreak(s, i+n); ok && letterBefore(s, i) && lowerAt(s, next) {
				end := next
				for end < len(s) {
					r, n := utf8.DecodeRuneInString(s[end:])
					if !isWord(r) || isIdeograph(r) {
						break
					}
					end += n
				}
				if end-next <= maxWord {
					head, tail := Fold(s[piece:i]), Fold(s[next:end])
					word.WriteString(head + "-" + tail)
					t.Parts = append(t.Parts, Part{Term: stem(plain(head + tail)), Start: piece, End: end})
					broken = true
					i, piece = end, end
					if r, n := utf8.DecodeRuneInString(s[i:]); r == '-' && wordAt(s, i+n) {
						word.WriteByte('-')
						i += n
						piece = i
						continue
					}
					break
				}
			}
		}
		if (r == '-' || r == '.' || r == ':' || r == '‐') && wordAt(s, i+n) {
			flush(i)
			if r == '‐' {
				r = '-'
			}
			word.WriteRune(r)
			i += n
			piece = i
			continue
		}
		break
	}
	flush(i)
	t.End = i
	t.Word = strings.Trim(word.String(), "_")
	if len(t.Parts) > 1 || broken {
		t.Whole = t.Word
	} else if len(t.Parts) == 1 {
		t.Stop = IsStop(t.Word)
	}
	return t, i
}

// appendParts splits s[start:end], a run of letters, digits and apostrophes, where case or letters to digits change.
func appendParts(parts []Part, s string, start, end int, stem func(string) string) []Part {
	cut := start
	add := func(to int) {
		if to > cut {
			if w := plain(Fold(s[cut:to])); w != "" {
				parts = append(parts, Part{Term: stem(w), Start: cut, End: to})
			}
			cut = to
		}
	}
	for _, b := range boundaries(s[start:end]) {
		add(start + b)
	}
	add(end)
	return parts
}

// boundaries returns the byte offsets in a run of letters and digits at which a new part begins.
func boundaries(s string) []int {
	if isLowerASCII(s) && !hasDigit(s) {
		return nil
	}
	var cuts []int
	var prev, prev2 rune
	last, letters := 0, 0
	for i, r := range s {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			cuts, last, letters = append(cuts, i), i, 0
		case unicode.IsLower(r) && unicode.IsUpper(prev) && unicode.IsUpper(prev2):
			// "HTTPServer" parts before the S; "SSBs" is a plural and does not part.
			at := i - utf8.RuneLen(prev)
			rest := s[i+utf8.RuneLen(r):]
			next, _ := utf8.DecodeRuneInString(rest)
			if r == 's' && (rest == "" || !unicode.IsLower(next)) {
				break
			}
			if at > last {
				cuts, last, letters = append(cuts, at), at, 1
			}
		case unicode.IsDigit(r) && unicode.IsLetter(prev) && letters >= 2:
			cuts, last, letters = append(cuts, i), i, 0
		}
		if unicode.IsLetter(r) {
			letters++
		} else {
			letters = 0
		}
		prev2, prev = prev, r
	}
	return cuts
}

// plain drops a possessive s and the apostrophes that are left.
func plain(w string) string {
	if !strings.ContainsAny(w, "'’") {
		return w
	}
	w = strings.ReplaceAll(w, "’", "'")
	return strings.ReplaceAll(strings.TrimSuffix(w, "'s"), "'", "")
}

// Terms returns the parts and wholes of s without stop words: the bag of words that BM25 counts.
func Terms(s string) []string {
	var out []string
	for _, t := range Tokens(s) {
		if t.Stop {
			continue
		}
		for _, p := range t.Parts {
			out = append(out, p.Term)
		}
		if t.Whole != "" {
			out = append(out, t.Whole)
		}
	}
	return out
}

// SplitIdent returns the pieces of an identifier in camelCase, snake_case or with dots and dashes, lower case and not
// stemmed: "maxNrofSSBs-1" is max, nrof, ssbs, 1.
func SplitIdent(s string) []string {
	var out []string
	for _, t := range Tokens(s) {
		for _, p := range t.Parts {
			out = append(out, Fold(s[p.Start:p.End]))
		}
	}
	return out
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mn, r))
}

func isIdeograph(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func wordAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWord(r) && !isIdeograph(r)
}

func letterAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r) && !isIdeograph(r)
}

func lowerAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLower(r)
}

func letterBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsLetter(r)
}

// lineBreak reports whether only one line end, with blanks around it, stands at s[i:], and where the text goes on.
func lineBreak(s string, i int) (int, bool) {
	seen := false
	for ; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\r':
		case '\n':
			if seen {
				return 0, false
			}
			seen = true
		default:
			return i, seen
		}
	}
	return 0, false
}
