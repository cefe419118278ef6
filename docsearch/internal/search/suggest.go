package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

const (
	maxSuggested  = 8  // words of a query that are looked at
	maxSpellings  = 8  // terms of a store that are looked at for one word
	maxStemsTried = 24 // stems of a mended word that are looked for
)

// A Suggestion is a word of the library that a word of the query may have meant; see docsearch.Suggestion.
type Suggestion struct {
	Word        string
	Replacement string
	Documents   int
}

// Suggest looks for words that were meant by those of the query that occur nowhere. It is asked after the passages were made, whose words need not be
// looked for.
func (s *Search) Suggest(ctx context.Context) ([]Suggestion, error) {
	if slices.ContainsFunc(s.order, func(d *Doc) bool { return d.Tier != query.Any && d.Tier != query.Related }) {
		return nil, nil // all words occur together somewhere
	}
	var out []Suggestion
	look := &speller{s.store}
	looked := 0
	for _, w := range s.plan.Spoken {
		if w.Stop || slices.ContainsFunc(out, func(g Suggestion) bool { return g.Word == w.Written }) {
			continue
		}
		if looked++; looked > maxSuggested {
			break
		}
		for i, p := range w.Parts {
			if s.shown[p.Term] {
				continue
			}
			known, err := look.occurs(ctx, p.Term)
			if err != nil {
				return nil, err
			}
			if known {
				continue
			}
			best, err := look.meant(ctx, w.PartTexts[i], p.Term)
			if err != nil {
				return nil, err
			}
			if best != nil {
				from, to := p.Start-w.Start, p.End-w.Start
				out = append(out, Suggestion{w.Written, w.Written[:from] + best.surface + w.Written[to:], best.documents})
			}
			break
		}
	}
	return out, nil
}

// A speller finds words of a store by their spelling.
type speller struct{ store driver.Store }

// occurs reports whether any record holds a term.
func (s *speller) occurs(ctx context.Context, term string) (bool, error) {
	for _, kind := range searched {
		hits, err := s.store.Search(ctx, &driver.Query{
			Kind: kind, Match: driver.MatchAny, Groups: []driver.Group{{Parts: []string{term}}}, Limit: 1, PerDoc: 1,
		})
		if err != nil || hits.Total > 0 {
			return true, err
		}
	}
	return false, nil
}

// searched are the kinds of records in the order in which words are looked for.
var searched = []driver.Kind{driver.KindChunk, driver.KindDocument, driver.KindFigure, driver.KindTable}

// spelling is a word of the library.
type spelling struct {
	surface   string
	distance  int
	documents int
}

// meant returns the word of the library that is nearest to one that is not there, or nil.
func (s *speller) meant(ctx context.Context, written, term string) (*spelling, error) {
	folded := text.Fold(written)
	n := utf8.RuneCountInString(folded)
	if n < 3 {
		return nil, nil
	}
	most := 1
	if n >= 6 {
		most = 2
	}
	terms := mended(folded, term)
	if sp, ok := s.store.(driver.Speller); ok {
		for _, kind := range []driver.Kind{driver.KindChunk, driver.KindDocument} {
			near, err := sp.Similar(ctx, kind, term, maxSpellings)
			if err != nil && !errors.Is(err, errs.Unsupported) {
				return nil, err
			}
			for _, t := range near {
				if !slices.Contains(terms, t.Term) {
					terms = append(terms, t.Term)
				}
			}
		}
	}
	var best *spelling
	for _, t := range terms {
		got, err := s.surface(ctx, t, folded)
		if err != nil {
			return nil, err
		}
		if got == nil || got.distance > most {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(got.distance, best.distance), cmp.Compare(best.documents, got.documents), strings.Compare(got.surface, best.surface)) < 0 {
			best = got
		}
	}
	return best, nil
}

// mended returns stems that a word would have with one letter changed, where the word's own ending kept it from being stemmed: "synchronizaton" has no ending
// that a stemmer knows, and is far from "synchron".
func mended(w, term string) []string {
	if len(term)+2 <= len(w) || len(w) > 40 || len(w) < 5 || strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
		return nil
	}
	var out []string
	try := func(s string) {
		if t := text.Stem(s); len(t)+2 <= len(s) && t != term && len(out) < maxStemsTried && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for i := max(0, len(w)-6); i <= len(w); i++ { // endings have at most as many letters
		if i < len(w) {
			try(w[:i] + w[i+1:])
			if i+1 < len(w) {
				try(w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:])
			}
		}
		for c := 'a'; c <= 'z'; c++ {
			try(w[:i] + string(c) + w[i:])
			if i < len(w) {
				try(w[:i] + string(c) + w[i+1:])
			}
		}
	}
	return out
}

// surface returns the word nearest to want, as people write it, among those of a term in the best records of the library; nil for none.
func (s *speller) surface(ctx context.Context, term, want string) (*spelling, error) {
	for _, kind := range searched {
		hits, err := s.store.Search(ctx, &driver.Query{
			Kind: kind, Match: driver.MatchAny, Groups: []driver.Group{{Parts: []string{term}}}, Limit: 3, PerDoc: 1,
		})
		if err != nil {
			return nil, err
		}
		written := map[string]int{}
		for _, h := range hits.Hits {
			recs, err := s.store.Records(ctx, h.Doc, kind, []int{h.Records[0].N})
			if errors.Is(err, errs.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, t := range text.Tokens(recs[0].Text) {
				for _, p := range t.Parts {
					if p.Term == term && (t.Whole == "" || len(t.Parts) > 1) {
						written[recs[0].Text[p.Start:p.End]]++
					}
				}
			}
		}
		var best *spelling
		for form, n := range written {
			low := text.Fold(form)
			// A word that begins a sentence is written small elsewhere; an abbreviation is not.
			if low != form && written[low] > 0 || strings.ContainsAny(form, "\r\n\t ") {
				continue
			}
			if low != form && strings.ToUpper(form) != form {
				form = low
			}
			got := &spelling{form, distance(low, want), hits.Total}
			if best == nil || cmp.Or(cmp.Compare(got.distance, best.distance), cmp.Compare(written[best.surface], n), strings.Compare(got.surface, best.surface)) < 0 {
				best = got
			}
		}
		if best != nil {
			return best, nil
		}
	}
	return nil, nil
}

// distance is the number of letters to put in, take out, change, or swap with the next to make one word of the other (optimal
// string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return 64
	}
	return text.EditDistance(x, y)
}
