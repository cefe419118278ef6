package evidence

import (
	"strings"
	"unicode"
)

// find looks for q in s. whole says that it stands there from one word boundary to another; else part tells where it stands cut out of
// something longer, -1 for nowhere. done is false when the work bound was reached first.
func find(s, q []rune) (whole bool, part int, done bool) {
	work := 0
	part = -1
	for i := range s {
		if s[i] != q[0] && q[0] >= 0 && s[i] >= 0 && !invisible(s[i]) {
			continue
		}
		end, ok := matchAt(s[i:], q, &work)
		switch {
		case work > maxQuoteWork:
			return false, part, false
		case !ok:
		case opens(s, i) && closes(s, i+end):
			return true, i, true
		case part < 0:
			part = i
		}
	}
	return false, part, true
}

// matchAt matches all of q at the start of s and returns how much of s that took. What stands behind a break makes the
// choice of what it matches unique, so there is nothing to try twice.
func matchAt(s, q []rune, work *int) (end int, ok bool) {
	i := 0
	for j := 0; j < len(q); {
		*work++
		switch {
		case i == len(s):
			return 0, false
		case s[i] == q[j]:
			i, j = i+1, j+1
		case s[i] == wordBreak || s[i] == hyphenBreak:
			n := hyphenAt(q[j:], s[i])
			if n < 0 {
				return 0, false
			}
			i, j = i+1, j+n
		case q[j] == wordBreak || q[j] == hyphenBreak:
			n := hyphenAt(s[i:], q[j])
			if n < 0 {
				return 0, false
			}
			i, j = i+n, j+1
		case invisible(s[i]) && i > 0:
			i++
		case s[i] == ' ' && besideSign(s, i):
			i++
		case q[j] == ' ' && besideSign(q, j):
			j++
		default:
			return 0, false
		}
	}
	return i, true
}

// besideSign reports whether the space at i stands beside a sign of mathematics, as where a formula is set: "x \u2208V" is "x \u2208 V".
func besideSign(t []rune, i int) bool {
	return i > 0 && isSign(t[i-1]) || i+1 < len(t) && isSign(t[i+1])
}

func isSign(r rune) bool {
	return unicode.Is(unicode.Sm, r) || r >= 0x20D0 && r <= 0x20FF || r == 0x0338 // marks that are set over or through signs
}

// hyphenAt returns how much at the start of t one break stands for: a break, a hyphen with or without a space, for a break
// within a word also nothing; -1 when it cannot.
func hyphenAt(t []rune, brk rune) int {
	switch {
	case t[0] == wordBreak || t[0] == hyphenBreak:
		return 1
	case t[0] == '-' && len(t) > 1 && t[1] == ' ':
		return 2
	case t[0] == '-':
		return 1
	case brk == wordBreak:
		return 0
	}
	return -1
}

// signs change the number or name behind them, also over a space.
const signs = "-\u2212\u2013+\u00b1\u2213~\u223c\u2248<>\u2264\u2265\u2260\u00ac\u221a^*\u00d7\u00b7/"

// opens reports whether a quote may begin at s[i]: not inside a word, number, name or path ("able" of "unable", "331" of
// "38.331", "coherent" of "non-coherent"), nor behind the sign of a number.
func opens(s []rune, i int) bool {
	if i == 0 {
		return true
	}
	r, p := s[i], s[i-1]
	var pp rune
	if i > 1 {
		pp = s[i-2]
	}
	switch {
	case p == wordBreak || p == hyphenBreak || invisible(p) && i > 1 && wordRune(pp) && wordRune(r):
		return false
	case p == ' ':
		return !(unicode.IsDigit(r) && strings.ContainsRune("-\u2212\u2013+\u00b1\u2213~\u223c\u2248<>\u2264\u2265\u2260", pp))
	case wordRune(p) && wordRune(r):
		return false
	case wordRune(p): // a sign that begins the quote: a part of the word before, if a word follows
		return !(strings.ContainsRune(".,:/'\u2019-\u2212\u2013_+*^=<>", r) && i+1 < len(s) && wordRune(s[i+1]))
	case !wordRune(r):
		return !(strings.ContainsRune(signs+".", r) && strings.ContainsRune("<>!=:-+", p))
	case strings.ContainsRune(".:,'\u2019@#$\\", p):
		if p == '.' && (unicode.IsDigit(r) || pp == ' ' || i == 1) { // .5, .NET
			return false
		}
		return !(wordRune(pp) && (p != ',' && p != ':' || unicode.IsDigit(r))) && p != '$' && p != '#'
	case unicode.Is(unicode.Sc, p):
		return false
	case p == '=':
		return !strings.ContainsRune("!<>=:~", pp) || pp == 0
	case strings.ContainsRune(signs, p):
		return p == '\u2013' && !unicode.IsDigit(r) || p == '*' && !unicode.IsDigit(r) || p == '-' && pp == '-'
	}
	return true
}

// closes reports whether a quote may end before s[i].
func closes(s []rune, i int) bool {
	if i >= len(s) {
		return true
	}
	n, r := s[i], s[i-1]
	var nn rune
	if i+1 < len(s) {
		nn = s[i+1]
	}
	switch {
	case n == ' ':
		return true
	case n == wordBreak || n == hyphenBreak || invisible(n) && wordRune(r) && wordRune(nn):
		return false
	case wordRune(n) && wordRune(r):
		return false
	case wordRune(n) && r == '.' && i > 1 && s[i-2] == '.': // dots that lead to a page number
		return true
	case wordRune(n): // a sign that ends the quote: a part of the word behind, if a word is before
		return !(strings.ContainsRune(".,:/'\u2019-\u2212\u2013_+*^=<>~\u00b1$#@", r)) || r == ',' && !unicode.IsDigit(n) || r == ':' && !unicode.IsDigit(n)
	case !wordRune(r):
		return !(strings.ContainsRune("<>!=:-+", r) && strings.ContainsRune("<>=-+:", n))
	case n == '\u00b0' || n == '%' || n == '\u2030' || n == '\u2032' || n == '\u2033':
		return !unicode.IsDigit(r)
	case n == '^' || n == '+' || n == '#':
		return false
	case strings.ContainsRune("./'\u2019-\u2212@\\", n):
		return !wordRune(nn)
	case n == '\u2013':
		return !(unicode.IsDigit(r) && unicode.IsDigit(nn))
	case n == ',' || n == ':':
		return !(unicode.IsDigit(r) && unicode.IsDigit(nn)) && !(n == ':' && nn == ':')
	}
	return true
}
