package clause

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Kind is how a number is written.
type Kind int

// The kinds.
const (
	Decimal Kind = iota // 5, 5.3.5.3, 6.2.8.4A
	Letter              // A, A.1.2: annexes and appendices
	Roman               // IV
)

// A Number is the number of a heading.
type Number struct {
	Text  string // without the word before it and the point after it: "5.3.5.3", "A.1"
	Kind  Kind
	Depth int    // levels it names, from 1: 4 for "5.3.5.3"
	Word  string // what stands before it, in lower case: "annex", "chapter"; "" mostly
	Point bool   // a point or a bracket follows, as in "3." or "IV)"
}

const words = `annex|appendix|chapter|section|clause|part|article|kapitel|anhang|abschnitt|teil|chapitre|annexe|partie|capítulo`

var (
	worded  = lazyregexp.New(`^(?i:(` + words + `))\s+((?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3}[A-Za-z]?){0,8})\s*(\([a-z ]+\)\s*)?([.:)–—-]*)(?:\s+|$)`)
	decimal = lazyregexp.New(`^(?:§\s*)?(\d{1,3}[A-Za-z]?(?:\.\d{1,3}[A-Za-z]{0,2}){0,9})([.)]?)(?:\s+|$)`)
	letter  = lazyregexp.New(`^([A-Z](?:\.\d{1,3}[A-Za-z]?){1,9})(\.?)(?:\s+|$)|^([A-Z])([.)])(?:\s+|$)`)
	roman   = lazyregexp.New(`^(X{0,3}(?:IX|IV|V?I{0,3}))([.)])(?:\s+|$)`)
	mixed   = lazyregexp.New(`^([IVX]{1,5}-[A-Z]\d{0,2})([.)]?)(?:\s+|$)`) // "III-A", as outlines of IEEE papers have it
	romans  = lazyregexp.New(`^[IVXLC]+$`)
)

// A likeness says which of the forms a heading may have, by its first two bytes: Parse is called on every line of a document.
type likeness uint8

const (
	likeWord likeness = 1 << iota
	likeDecimal
	likeLetter
	likeRoman
)

func look(s string) (k likeness) {
	if len(s) == 0 {
		return 0
	}
	first, second := s[0], byte(' ')
	if len(s) > 1 {
		second = s[1]
	}
	switch {
	case first >= '0' && first <= '9':
		return likeDecimal
	case first >= 0x80:
		return likeDecimal | likeWord // "§"; the long s, which is an s in another case
	}
	if second == '.' || second == ')' {
		k |= likeLetter
	}
	if strings.IndexByte("XIV.)", first) >= 0 {
		k |= likeRoman
	}
	if i := strings.IndexByte("acspkt", first|0x20); i >= 0 {
		if after := [...]string{"nprb", "hla", "e", "a", "a", "e"}[i]; second >= 0x80 || strings.IndexByte(after, second|0x20) >= 0 {
			k |= likeWord
		}
	}
	return k
}

func (k likeness) find(form likeness, re *lazyregexp.Regexp, s string) []string {
	if k&form == 0 {
		return nil
	}
	return re.FindStringSubmatch(s)
}

// Parse divides a heading into its number and its title. ok is false for a heading without a number, which is then all title.
func Parse(s string) (n Number, title string, ok bool) {
	s = strings.TrimSpace(s)
	like := look(s)
	if like == 0 {
		return Number{}, s, false
	}
	if m := like.find(likeWord, worded, s); m != nil {
		n = Number{Text: m[2], Word: strings.ToLower(m[1]), Depth: 1 + strings.Count(m[2], "."), Point: m[4] != ""}
		switch {
		case m[2][0] >= '0' && m[2][0] <= '9':
			n.Kind = Decimal
		case romans.MatchString(m[2]) && (len(m[2]) > 1 || m[2] == "I" || m[2] == "V" || m[2] == "X") && !strings.HasPrefix(n.Word, "an") && n.Word != "appendix":
			n.Kind = Roman
		default:
			n.Kind = Letter
		}
		return n, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := like.find(likeDecimal, decimal, s); m != nil {
		return Number{Text: m[1], Kind: Decimal, Depth: 1 + strings.Count(m[1], "."), Point: m[2] != ""}, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := like.find(likeRoman, mixed, s); m != nil {
		return Number{Text: m[1], Kind: Roman, Depth: 2, Point: m[2] != ""}, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := like.find(likeRoman, roman, s); m != nil && m[1] != "" {
		return Number{Text: m[1], Kind: Roman, Depth: 1, Point: true}, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := like.find(likeLetter, letter, s); m != nil {
		text := m[1] + m[3]
		return Number{Text: text, Kind: Letter, Depth: 1 + strings.Count(text, "."), Point: m[2]+m[4] != ""}, strings.TrimSpace(s[len(m[0]):]), true
	}
	return Number{}, s, false
}

// Key is the form in which two numbers are compared: "Annex A", "a." and "A" are one.
func Key(s string) string {
	n, title, ok := Parse(strings.ToUpper(s))
	if ok && title == "" {
		return strings.ToLower(n.Text)
	}
	return strings.ToLower(strings.TrimRight(strings.TrimSpace(s), ".:"))
}

// Compare orders two numbers as a document does: parts by value, a part with a letter after the one without, decimal
// numbers before letters.
func Compare(a, b Number) int {
	if a.Kind != b.Kind {
		return int(a.Kind) - int(b.Kind)
	}
	p, q := strings.Split(a.Text, "."), strings.Split(b.Text, ".")
	for i := 0; i < len(p) && i < len(q); i++ {
		if c := comparePart(p[i], q[i], a.Kind); c != 0 {
			return c
		}
	}
	return len(p) - len(q)
}

func comparePart(a, b string, k Kind) int {
	if k == Roman {
		first, restA, _ := strings.Cut(a, "-")
		second, restB, _ := strings.Cut(b, "-")
		if c := romanValue(first) - romanValue(second); c != 0 {
			return c
		}
		return strings.Compare(restA, restB)
	}
	x, restA := leading(a)
	y, restB := leading(b)
	if x != y {
		return x - y
	}
	return strings.Compare(strings.ToLower(restA), strings.ToLower(restB))
}

// leading returns the number that s begins with, and what follows it.
func leading(s string) (int, string) {
	i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	if i < 0 {
		i = len(s)
	}
	n, err := strconv.Atoi(s[:i])
	if err != nil {
		n = 0 // no digits: letters are compared
	}
	return n, s[i:]
}

func romanValue(s string) int {
	value := map[rune]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	total, last := 0, 0
	for _, r := range s {
		v := value[r]
		if v > last {
			total -= 2 * last
		}
		total += v
		last = v
	}
	return total
}

// Within reports whether b is a part of a: "5.3" of "5", "A.1" of "A".
func Within(a, b Number) bool {
	return a.Kind == b.Kind && (strings.HasPrefix(b.Text, a.Text+".") || strings.HasPrefix(b.Text, a.Text+"-"))
}
