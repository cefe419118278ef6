package clause

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
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
	worded  = regexp.MustCompile(`^(?i:(` + words + `))\s+((?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3}[A-Za-z]?){0,8})\s*(\([a-z ]+\)\s*)?([.:)–—-]*)(?:\s+|$)`)
	decimal = regexp.MustCompile(`^(?:§\s*)?(\d{1,3}[A-Za-z]?(?:\.\d{1,3}[A-Za-z]{0,2}){0,9})([.)]?)(?:\s+|$)`)
	letter  = regexp.MustCompile(`^([A-Z](?:\.\d{1,3}[A-Za-z]?){1,9})(\.?)(?:\s+|$)|^([A-Z])([.)])(?:\s+|$)`)
	roman   = regexp.MustCompile(`^(X{0,3}(?:IX|IV|V?I{0,3}))([.)])(?:\s+|$)`)
	romans  = regexp.MustCompile(`^[IVXLC]+$`)
)

// Parse divides a heading into its number and its title. ok is false for a heading without a number, which is then all title.
func Parse(s string) (n Number, title string, ok bool) {
	s = strings.TrimSpace(s)
	if m := worded.FindStringSubmatch(s); m != nil {
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
	if m := decimal.FindStringSubmatch(s); m != nil {
		return Number{Text: m[1], Kind: Decimal, Depth: 1 + strings.Count(m[1], "."), Point: m[2] != ""}, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := roman.FindStringSubmatch(s); m != nil && m[1] != "" {
		return Number{Text: m[1], Kind: Roman, Depth: 1, Point: true}, strings.TrimSpace(s[len(m[0]):]), true
	}
	if m := letter.FindStringSubmatch(s); m != nil {
		text := m[1] + m[3]
		return Number{Text: text, Kind: Letter, Depth: 1 + strings.Count(text, "."), Point: m[2]+m[4] != ""}, strings.TrimSpace(s[len(m[0]):]), true
	}
	return Number{}, s, false
}

// Key is the form in which two numbers are compared: "Annex A", "a." and "A" are one.
func Key(s string) string {
	n, title, ok := Parse(s)
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
		return romanValue(a) - romanValue(b)
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
	return a.Kind == b.Kind && strings.HasPrefix(b.Text, a.Text+".")
}
