package tabular

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
)

const (
	numberBefore = "<>≤≥≈~±∓+-−–—([$€£¥₹#.*"
	numberAfter  = "%‰‱)]*†‡§¶°+′″'"
	numberJoins  = "-−–—/±:×x;"
)

// Numeric reports whether a cell holds what columns of figures hold: a number with sign, currency, per cent, brackets
// and up to four footnote marks, a range, or what stands for none (a dash, n/a, dots, yes and no).
func Numeric(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 40 {
		return false
	}
	if len(s) <= 4 {
		switch strings.ToLower(s) {
		case "n/a", "na", "n.a.", "n.a", "n.d.", "nil", "yes", "no", "✓", "✗", "✔", "✘", "nan", "none":
			return true
		}
	}
	if c := s[0] | 0x20; c >= 'a' && c <= 'z' && currency(s) == 0 { // a word, as most are
		return false
	}
	if strings.Trim(s, "-−–—.…·") == "" {
		return true
	}
	return plainNumber(s)
}

// plainNumber reports whether a text is numbers alone.
func plainNumber(s string) bool {
	for n := 0; n < 4; n++ {
		for s != "" {
			r, k := utf8.DecodeRuneInString(s)
			if r == ' ' || strings.ContainsRune(numberBefore, r) || n > 0 && strings.ContainsRune(numberJoins, r) {
				s = s[k:]
				continue
			}
			if c := currency(s); c > 0 {
				s = s[c:]
				continue
			}
			break
		}
		if s == "" {
			return n > 0
		}
		digits := 0
		for s != "" {
			r, k := utf8.DecodeRuneInString(s)
			switch {
			case r >= '0' && r <= '9':
				digits++
			case digits > 0 && strings.ContainsRune(".,' \u00a0\u2009\u202f", r) && pattern.StartsWithDigit(s[k:]):
			case digits > 0 && (r == 'e' || r == 'E') && len(s) > k && (pattern.StartsWithDigit(s[k:]) || strings.ContainsRune("+-−", rune(s[k])) && pattern.StartsWithDigit(s[k+1:])):
			default:
				goto after
			}
			s = s[k:]
		}
	after:
		if digits == 0 {
			return false
		}
		marks := 0
		for s != "" {
			r, k := utf8.DecodeRuneInString(s)
			if !strings.ContainsRune(numberAfter, r) && r != '.' && r != ',' {
				if next, _ := utf8.DecodeRuneInString(s[k:]); marks >= 4 || !(r >= 'a' && r <= 'h' || strings.ContainsRune("kKMBGTRrep", r)) || unicode.IsLetter(next) {
					break
				}
			}
			marks++
			s = s[k:]
		}
		s = strings.TrimSpace(s)
		if strings.Trim(s, "%‰)]*") == "" {
			return true
		}
	}
	return false
}

// currency is the length of a currency's code at the start of a text.
func currency(s string) int {
	for _, c := range []string{"EUR", "USD", "GBP", "US$", "CHF", "Rs."} {
		if strings.HasPrefix(s, c) {
			return len(c)
		}
	}
	return 0
}

// Year reports whether a cell is a year, as heads of columns are.
func Year(s string) bool {
	s = strings.Trim(s, " *")
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && pattern.StartsWithDigit(s[2:]) && pattern.StartsWithDigit(s[3:])
}

// AlphaWords counts the words with at least two letters.
func AlphaWords(ws []Word) int {
	n := 0
	for i := range ws {
		letters := 0
		for _, r := range ws[i].Text {
			if unicode.IsLetter(r) {
				if letters++; letters == 2 {
					n++
					break
				}
			}
		}
	}
	return n
}
