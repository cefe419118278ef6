package grep

import (
	"errors"
	"fmt"
	"regexp"
)

// Options say how a pattern is read.
type Options struct {
	Regexp     bool // a regular expression (RE2 syntax); otherwise plain text
	Word       bool // the match must not continue a word on either side
	IgnoreCase bool
}

// Compile makes the expression of a pattern. What matches is its first group: a word match looks at what is beside it, too.
func Compile(pattern string, o Options) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, errors.New("search text: the pattern is empty")
	}
	expr := pattern
	if !o.Regexp {
		expr = regexp.QuoteMeta(pattern)
	} else if _, err := regexp.Compile(pattern); err != nil {
		return nil, fmt.Errorf("search text: pattern %q is no regular expression (RE2 syntax): %w", pattern, err)
	}
	if o.Word {
		expr = `(?:^|[^\pL\pN_])(` + expr + `)(?:$|[^\pL\pN_])`
	} else {
		expr = `(` + expr + `)`
	}
	if o.IgnoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("search text: pattern %q is no regular expression (RE2 syntax): %w", pattern, err)
	}
	return re, nil
}
