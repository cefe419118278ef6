package pdf

import (
	"regexp"
	"strings"
)

// A pattern is a regular expression that is tried on every line or word, behind a cheap look at the text: it runs only
// where maybe says that it could match. maybe must be true wherever it matches.
type pattern struct {
	re    *regexp.Regexp
	maybe func(string) bool
}

func (p pattern) MatchString(s string) bool { return p.maybe(s) && p.re.MatchString(s) }

func (p pattern) FindString(s string) string {
	if !p.maybe(s) {
		return ""
	}
	return p.re.FindString(s)
}

func (p pattern) FindStringSubmatch(s string) []string {
	if !p.maybe(s) {
		return nil
	}
	return p.re.FindStringSubmatch(s)
}

// begins returns a look at the first byte, letters in either case. Letters must have no others that fold to them.
func begins(bytes string) func(string) bool {
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

func endsDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
