package pattern

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Regexp is a regular expression that is tried on every line or word, behind a cheap look at the text: it runs only
// where maybe says that it could match. maybe must be true wherever it matches.
type Regexp struct {
	Regexp *lazyregexp.Regexp
	Maybe  func(string) bool
}

func (p Regexp) MatchString(s string) bool { return p.Maybe(s) && p.Regexp.MatchString(s) }

func (p Regexp) FindString(s string) string {
	if !p.Maybe(s) {
		return ""
	}
	return p.Regexp.FindString(s)
}

func (p Regexp) FindStringSubmatch(s string) []string {
	if !p.Maybe(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// Begins returns a look at the first byte, letters in either case. Letters must have no others that fold to them.
func Begins(bytes string) func(string) bool {
	return func(s string) bool {
		if s == "" {
			return false
		}
		c := s[0]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		return strings.IndexByte(bytes, c) >= 0
	}
}

// EndsInDigit reports whether s ends with a digit of ASCII.
func EndsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// StartsWithDigit reports whether s begins with a digit of ASCII.
func StartsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
