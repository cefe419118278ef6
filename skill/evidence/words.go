package evidence

import (
	"hash/maphash"
	"strings"
	"unicode"
)

// A WordChange is a part of what became of a text: words that it kept, or words that went and those that came in their place.
type WordChange struct {
	Kept string `json:"kept,omitempty"` // with the white space to the changes beside it, as one blank
	Went string `json:"went,omitempty"`
	Came string `json:"came,omitempty"`
}

// maxTokens is how many words and signs of a text are compared.
const maxTokens = 1200

// A token is a word, a number or another sign of a canonical text.
type token struct {
	start, end int // in the text
	text       string
	key        uint64 // of all forms that line ends may give it
	word       bool
	broken     bool // a line end is within
	spaced     bool // white space is before it
}

// weight is what a token counts: signs stand everywhere.
func (t *token) weight() int {
	if t.word {
		return 6
	}
	return 1
}

func (t *token) is(o *token) bool {
	return t.text == o.text || t.key == o.key && (t.broken || o.broken)
}

// tokens cuts a text, at most into so many.
func tokens(s []rune, most int) (out []token) {
	for i := 0; len(out) < most; {
		from, to, ok := nextToken(s, i)
		if !ok {
			break
		}
		out = append(out, newToken(s, from, to))
		i = to
	}
	return out
}

func newToken(s []rune, from, to int) token {
	t := token{start: from, end: to, text: display(s[from:to]), key: tokenKey(s[from:to]), spaced: from > 0 && s[from-1] == ' '}
	for _, r := range s[from:to] {
		t.word = t.word || unicode.IsLetter(r) || unicode.IsDigit(r)
		t.broken = t.broken || r == wordBreak || r == hyphenBreak
	}
	return t
}

// nextToken finds the token at or behind i. A hyphen between letters, a point or comma between digits, and the sign of a number are within one.
func nextToken(s []rune, i int) (from, to int, ok bool) {
	for i < len(s) && (s[i] == ' ' || s[i] >= 0x7f && invisible(s[i])) {
		i++
	}
	if i == len(s) {
		return i, i, false
	}
	from = i
	if strings.ContainsRune("-+\u2212", s[i]) && (i == 0 || s[i-1] == ' ' || s[i-1] == '(') && i+1 < len(s) && unicode.IsDigit(s[i+1]) {
		i++
	}
	for i++; i < len(s) && part(s[i-1]); i++ {
		switch r := s[i]; {
		case part(r):
		case r < 0 || r == '-' && i+1 < len(s) && !unicode.IsDigit(s[i-1]) && !unicode.IsDigit(s[i+1]):
			if i+1 == len(s) || !part(s[i+1]) {
				return from, i, true
			}
			i++
		case (r == '.' || r == ',') && unicode.IsDigit(s[i-1]) && i+1 < len(s) && unicode.IsDigit(s[i+1]):
			i++
		default:
			return from, i, true
		}
	}
	return from, i, true
}

// part is wordRune, fast for the letters that there are most of.
func part(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return wordRune(r)
}

var tokenSeed = maphash.MakeSeed()

// tokenKey is a hash that leaves hyphens out, since one at a line end may belong to the word or not.
func tokenKey(s []rune) uint64 {
	var buf [64]byte
	b := buf[:0]
	for _, r := range s {
		if r >= 0 && (r != '-' || len(s) == 1) {
			b = append(b, byte(r), byte(r>>8), byte(r>>16))
		}
	}
	return maphash.Bytes(tokenSeed, b)
}

// align pairs the tokens of a and b so that what the pairs weigh is the most, in order.
func align(a, b []token) (pairs [][2]int) {
	// best[j*w+i] is what can be paired of a[j:] and b[i:].
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w)
	for j := len(a) - 1; j >= 0; j-- {
		for i := len(b) - 1; i >= 0; i-- {
			v := max(best[(j+1)*w+i], best[j*w+i+1])
			if a[j].is(&b[i]) {
				v = max(v, best[(j+1)*w+i+1]+int32(a[j].weight()))
			}
			best[j*w+i] = v
		}
	}
	for j, i := 0, 0; j < len(a) && i < len(b); {
		switch v := best[j*w+i]; {
		case a[j].is(&b[i]) && v == best[(j+1)*w+i+1]+int32(a[j].weight()):
			pairs = append(pairs, [2]int{j, i})
			j, i = j+1, i+1
		case v == best[(j+1)*w+i]:
			j++
		default:
			i++
		}
	}
	return pairs
}

// changes writes an alignment as changes. A word that was kept alone between others that changed is shown as changed too: so it is read.
func changes(a, b []token, pairs [][2]int) (out []WordChange) {
	pairs = withoutLone(a, b, pairs)
	kept := func(from, to int) string { // pairs
		last := pairs[to-1][1]
		s := running(b[pairs[from][1] : last+1])
		if pairs[from] != [2]int{} && (b[pairs[from][1]].spaced || a[pairs[from][0]].spaced) {
			s = " " + s
		}
		j, i := pairs[to-1][0]+1, last+1
		if (j < len(a) || i < len(b)) && (i < len(b) && b[i].spaced || j < len(a) && a[j].spaced) {
			s += " "
		}
		return s
	}
	j, i := 0, 0
	for p := 0; p <= len(pairs); {
		to := [2]int{len(a), len(b)}
		if p < len(pairs) {
			to = pairs[p]
		}
		if to[0] > j || to[1] > i {
			out = append(out, WordChange{Went: running(a[j:to[0]]), Came: running(b[i:to[1]])})
		}
		if p == len(pairs) {
			break
		}
		q := p + 1
		for q < len(pairs) && pairs[q][0] == pairs[q-1][0]+1 && pairs[q][1] == pairs[q-1][1]+1 {
			q++
		}
		k := kept(p, q)
		if len(out) == 0 {
			k = strings.TrimLeft(k, " ")
		}
		out = append(out, WordChange{Kept: k})
		j, i, p = pairs[q-1][0]+1, pairs[q-1][1]+1, q
	}
	return out
}

// withoutLone leaves out runs of pairs of one word at most between changes of at least three words together.
func withoutLone(a, b []token, pairs [][2]int) (out [][2]int) {
	words := func(t []token) (n int) {
		for i := range t {
			if t[i].word {
				n++
			}
		}
		return n
	}
	for p := 0; p < len(pairs); {
		q := p + 1
		for q < len(pairs) && pairs[q][0] == pairs[q-1][0]+1 && pairs[q][1] == pairs[q-1][1]+1 {
			q++
		}
		before, behind := [2]int{}, [2]int{len(a), len(b)}
		if p > 0 {
			before = [2]int{pairs[p-1][0] + 1, pairs[p-1][1] + 1}
		}
		if q < len(pairs) {
			behind = pairs[q]
		}
		left := words(a[before[0]:pairs[p][0]]) + words(b[before[1]:pairs[p][1]])
		right := words(a[pairs[q-1][0]+1:behind[0]]) + words(b[pairs[q-1][1]+1:behind[1]])
		if words(a[pairs[p][0]:pairs[q-1][0]+1]) > 1 || left == 0 || right == 0 || left+right < 3 {
			out = append(out, pairs[p:q]...)
		}
		p = q
	}
	return out
}

// running writes tokens as they stand, with one blank where there is white space.
func running(t []token) string {
	var b strings.Builder
	for i := range t {
		if i > 0 && t[i].spaced {
			b.WriteByte(' ')
		}
		b.WriteString(t[i].text)
	}
	return b.String()
}
