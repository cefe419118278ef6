package grep

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
)

// Options say how a pattern is read.
type Options struct {
	Regexp     bool // a regular expression (RE2 syntax); otherwise plain text
	Word       bool // the match must not continue a word on either side
	IgnoreCase bool
}

// A Pattern is what is looked for in the lines of a text. What matches is the first group of the expression: a word match looks at what is beside it, too.
type Pattern struct {
	re *regexp.Regexp // nil: plain is looked for
	// Needs are texts of which every line that matches holds one; none: that cannot be told. With Fold upper and lower case are the same.
	Needs []string
	Fold  bool
	plain string // the text itself, where it is one in this case; "" for an expression
	word  bool
}

// Compile makes the expression of a pattern.
func Compile(pattern string, o Options) (*Pattern, error) {
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
	if !o.Regexp && !o.IgnoreCase {
		return &Pattern{Needs: []string{pattern}, plain: pattern, word: o.Word}, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("search text: pattern %q is no regular expression (RE2 syntax): %w", pattern, err)
	}
	p := &Pattern{re: re, Fold: o.IgnoreCase}
	p.Needs, err = needs(expr, o.IgnoreCase)
	return p, err
}

// Match reports whether a text matches.
func (p *Pattern) Match(text []byte) bool {
	if p.plain == "" {
		return p.re.Match(text)
	}
	for range p.Lines(text) {
		return true
	}
	return false
}

// mostNeeds bounds the alternatives that are looked for one by one.
const mostNeeds = 8

// needs returns texts of which everything that an expression matches holds one. With fold they may be in any case.
func needs(expr string, fold bool) ([]string, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	var of func(*syntax.Regexp) []string
	of = func(re *syntax.Regexp) (out []string) {
		switch re.Op {
		case syntax.OpLiteral:
			if fold || re.Flags&syntax.FoldCase == 0 {
				out = []string{string(re.Rune)}
			}
		case syntax.OpCapture, syntax.OpPlus:
			out = of(re.Sub[0])
		case syntax.OpRepeat:
			if re.Min > 0 {
				out = of(re.Sub[0])
			}
		case syntax.OpConcat:
			for _, sub := range re.Sub {
				if has := of(sub); shortest(has) > shortest(out) {
					out = has
				}
			}
		case syntax.OpAlternate:
			for _, sub := range re.Sub {
				has := of(sub)
				if len(has) == 0 || len(out)+len(has) > mostNeeds {
					return nil
				}
				out = append(out, has...)
			}
		}
		return out
	}
	return of(tree), nil
}

// shortest is the length of the shortest text, 0 without any.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
