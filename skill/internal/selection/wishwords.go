package selection

import (
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// wordSet gives the words of s, made when they are first asked for.
func wordSet(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(s) {
			m[w] = true
		}
		return m
	})
}

const (
	numberedTerm = "‹numbered›"
	sourceTerm   = "‹source›"
)

var sourceFile = lazyregexp.New(`(?i)\.(?:c|cc|cpp|cxx|h|hpp|py|go|rs|js|jsx|ts|tsx|java|kt|rb|php|cs|swift|scala|m|sh|sql|jl|lua|pl|r)$`)

var roman = lazyregexp.New(`^[IVX]+$`)

var inTicks = lazyregexp.New("`[^`\n]{1,200}`")

// nounsOfNames stand before a name: "the interface Clock".
var nounsOfNames = wordSet(`function method class interface type struct constant module package variable enum trait macro symbol parameter field constructor`)

// numbered are parts of documents, where a number follows.
var numbered = wordSet(`table tables tbl figure figures fig figs equation eq eqs algorithm section sec chapter step page`)

// wishWords are the words of a sentence in lower case, names as their classes.
func wishWords(s string, own bool) (out []string) {
	s = inTicks.ReplaceAllString(s, " `name` ")
	for _, t := range text.Tokens(s) {
		raw := s[t.Start:t.End]
		low := strings.ToLower(raw)
		last := ""
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		plain := strings.IndexFunc(raw, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 // no number and no file; a name by what is around it alone
		switch {
		case !plain && specNumber.MatchString(raw):
			out = append(out, specTerm)
		case numbered()[last] && (raw[0] >= '0' && raw[0] <= '9' || roman.MatchString(raw)):
			out[len(out)-1] = numberedTerm
		case !plain && clauseNumber.MatchString(raw) && strings.HasPrefix(strings.TrimLeft(s[t.End:], " "), "%"): // a share
		case !plain && clauseNumber.MatchString(raw):
			out = append(out, clauseTerm)
		case !plain && fileName.MatchString(raw):
			out = append(out, fileTerm)
		case !plain && sourceFile.MatchString(raw):
			out = append(out, sourceTerm)
		case t.Start > 0 && s[t.Start-1] == '`', strings.HasPrefix(s[t.End:], "("), !plain && symbolName.MatchString(raw), own && placeholder.MatchString(raw),
			nounsOfNames()[last] && raw != low,
			strings.HasSuffix(s[:t.Start], ")."):
			out = append(out, symbolTerm)
		case last == "call" && strings.HasPrefix(low, "site"):
			out[len(out)-1] = "callsites"
		default:
			out = append(out, low)
		}
	}
	return out
}
