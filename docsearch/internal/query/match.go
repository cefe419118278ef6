package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// A Tier is how strictly a text matches a query; see docsearch.Tier.
type Tier string

// The tiers, strictest first, and what words that go with those of the query, or vectors, alone find.
const (
	Phrase   Tier = "phrase"
	All      Tier = "all"
	Any      Tier = "any"
	Related  Tier = "related"
	Semantic Tier = "semantic"
)

// Tiers returns the tiers of words, strictest first.
func Tiers() []Tier { return []Tier{Phrase, All, Any} }

// Rank is the place of the tier among all. Related shares that of Any, with which it is ranked by score.
func (t Tier) Rank() int {
	if t == Related {
		t = Any
	}
	if i := slices.Index(Tiers(), t); i >= 0 {
		return i
	}
	return len(Tiers())
}

// Holds reports whether a text has all phrases that are required and none that is left out.
func (p *Plan) Holds(txt string, v *Variant) bool {
	missing := func(c driver.Clause) bool { return driver.PhraseCount(txt, c) == 0 }
	return !slices.ContainsFunc(p.Require, missing) && !slices.ContainsFunc(v.Require, missing) &&
		!slices.ContainsFunc(p.Exclude, func(c driver.Clause) bool { return !missing(c) })
}

// MatchText decides how a whole text matches, without an index.
func MatchText(ss []match.Token, v *Variant, tier Tier) []match.Span {
	if tier == Phrase {
		return match.PhraseSpans(ss, v.Phrase)
	}
	spans := match.AllSpans(ss, v.Words)
	if tier == All && !match.EveryWord(v.Words, spans) {
		return nil
	}
	return match.Outermost(spans)
}

// Spans returns the places of a text that match at a tier, with those of the phrases in quotes.
func (p *Plan) Spans(ss []match.Token, v *Variant, tier Tier) []match.Span {
	spans := MatchText(ss, v, tier)
	if len(spans) == 0 || tier == Phrase {
		return spans
	}
	for _, c := range slices.Concat(p.Require, v.Require) {
		spans = append(spans, match.PhraseSpans(ss, c)...)
	}
	return match.Outermost(spans)
}

// SameAsPhrase reports that the lower tiers can find no more than the phrase: the query is one word of one part, or one phrase in
// quotes.
func (p *Plan) SameAsPhrase() bool {
	if len(p.Variants) == 1 && len(p.Require) == 1 && len(p.Require[0]) == len(p.Variants[0].Phrase) {
		return true
	}
	return !slices.ContainsFunc(p.Variants, func(v Variant) bool { return len(v.Phrase) != 1 || len(v.Phrase[0].Parts) != 1 })
}

// Narrow reports that not every passage may be shown.
func (p *Plan) Narrow() bool { return len(p.Require)+len(p.Exclude) > 0 }

var lineHyphen = lazyregexp.New(`[-\x{2010}\x{ad}][ \t\r]*\n[ \t\r]*`)

// Prefilter returns a quick test that is true for every text that may match, and false for most that do not.
func (p *Plan) Prefilter() func(string) bool {
	// A stem is the beginning of its words but for its last letter (happi: happy), and but for a few short words
	// (die: dying).
	begin := func(part string) string {
		n := utf8.RuneCountInString(part)
		if n < 4 && strings.IndexFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
			n = min(n, 2)
		}
		return string([]rune(part)[:max(1, n-1)])
	}
	var begins []string
	var rows []*driver.Phrase // of stop words alone, which begin words of nearly every text
	for _, v := range p.Variants {
		if OnlyStops(v.Phrase) {
			rows = append(rows, driver.NewPhrase(v.Phrase))
			continue
		}
		for _, g := range v.Words {
			for _, part := range g.Parts {
				begins = append(begins, begin(part))
			}
		}
	}
	return func(s string) bool {
		if slices.ContainsFunc(rows, func(r *driver.Phrase) bool { return r.Count([]byte(s)) > 0 }) {
			return true
		}
		if len(begins) == 0 {
			return false
		}
		for _, t := range []string{text.Fold(s), text.Fold(lineHyphen.ReplaceAllString(s, ""))} {
			if slices.ContainsFunc(begins, func(b string) bool { return strings.Contains(t, b) }) {
				return true
			}
		}
		return false
	}
}

// Count returns how many of the words an index knows.
func Count(gs []driver.Group) (n int) {
	for _, g := range gs {
		if !g.Stop {
			n++
		}
	}
	return n
}

// Spoken returns a query without its signs, and without what it leaves out.
func Spoken(query string) string {
	segs, _ := querytext.Parse(query)
	var out []string
	for _, s := range segs {
		if !s.Minus {
			out = append(out, strings.Fields(s.Text)...)
		}
	}
	return strings.Join(out, " ")
}
