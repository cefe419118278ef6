package evidence

import (
	"slices"
	"strconv"
	"strings"
)

// A citation is one or more keys in square brackets: [D1], [C2, C3], [D1; D2], [D1 and D2], and ranges such as [D1-D3]
// or [D1-3]. Several may follow one another: [D1][D2]. Keys in round brackets are none, since "(D1)" may be the label of
// something; nor are brackets in code or within quotation marks, which are the source's own.

const (
	maxBracket = 400 // bytes of a citation
	maxRange   = 100 // keys of a range
)

// bracket is what square brackets turned out to hold.
type bracket int

const (
	notCited  bracket = iota // something else
	cited                    // keys
	malformed                // begins like keys, but is no citation, such as [D1, p. 3]
)

// parseKeys reads the text between square brackets.
func parseKeys(s string) (keys []string, b bracket) {
	rest := strings.TrimSpace(s)
	letter, from, rest, ok := cutKey(rest)
	if !ok {
		return nil, notCited
	}
	keys = append(keys, letter+strconv.Itoa(from))
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if rest == "" {
			return keys, cited
		}
		if after, isRange := cutRange(rest); isRange {
			second, to, behind, ok := cutKey(after)
			if !ok {
				to, behind, ok = cutNumber(after)
				second = letter
			}
			if !ok || second != letter || to <= from || to-from >= maxRange {
				return nil, malformed
			}
			for n := from + 1; n <= to; n++ {
				keys = append(keys, letter+strconv.Itoa(n))
			}
			from, rest = to, behind
			continue
		}
		rest, ok = cutSeparator(rest)
		if !ok {
			return nil, malformed
		}
		if letter, from, rest, ok = cutKey(rest); !ok || len(keys) >= maxRange {
			return nil, malformed
		}
		keys = append(keys, letter+strconv.Itoa(from))
	}
}

// cutKey cuts a key off the front of s. A key is not followed by a letter or digit.
func cutKey(s string) (letter string, n int, rest string, ok bool) {
	if s == "" || s[0] != 'D' && s[0] != 'C' {
		return "", 0, s, false
	}
	n, rest, ok = cutNumber(s[1:])
	return s[:1], n, rest, ok
}

func cutNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i > 9 || s[0] == '0' || i < len(s) && (isASCIILetter(s[i]) || s[i] == '_') {
		return 0, s, false
	}
	n, err := strconv.Atoi(s[:i])
	return n, s[i:], err == nil
}

func cutRange(s string) (rest string, ok bool) {
	for _, dash := range []string{"-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "to "} {
		if after, found := strings.CutPrefix(s, dash); found {
			return strings.TrimLeft(after, " \t\r\n"), true
		}
	}
	return s, false
}

func cutSeparator(s string) (rest string, ok bool) {
	for _, sep := range []string{",", ";", "&", "and "} {
		if after, found := strings.CutPrefix(s, sep); found {
			after = strings.TrimLeft(after, " \t\r\n")
			if sep == "," || sep == ";" { // "D1, and D2"
				after = strings.TrimPrefix(after, "and ")
			}
			return strings.TrimLeft(after, " \t\r\n"), true
		}
	}
	return s, false
}

func isASCIILetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// Keys returns the keys that a text cites, in order of first citation. See [Sentences] for what a citation is.
func Keys(text string) (out []string) {
	seen := map[string]bool{}
	for u := range units(text) {
		for _, k := range u.Keys {
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// Expand returns the items that a text cites, with the text in which they were found, by first citation. A key that the
// ledger does not know is left out; [CheckText] names it.
func Expand(led *Ledger, text string) []Item {
	out := []Item{}
	for _, k := range Keys(text) {
		if it, ok := led.Get(k); ok {
			it.Matches = slices.Clone(it.Matches)
			out = append(out, it)
		}
	}
	return out
}
