package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// Scope is the documents that a search looks at.
type Scope struct {
	IDs     []string        // nil: all
	in      map[string]bool // nil: all
	Ready   int
	Failed  int
	Undated int // left out because their date is not known
}

func (s *Scope) Has(id string) bool { return s.in == nil || s.in[id] }

// A Filter says what documents must say of themselves; see docsearch.SearchOptions.
type Filter struct {
	Title, Author, From, To string
	Formats, Collections    []string
}

// IsSet reports whether it leaves any document out.
func (o *Filter) IsSet() bool {
	return o.Title != "" || o.Author != "" || o.From != "" || o.To != "" || o.Formats != nil || o.Collections != nil
}

// Pick returns the scope of those documents that the filters let through.
func (c *Catalog) Pick(es []*Entry, o *Filter) *Scope {
	s := &Scope{IDs: []string{}, in: map[string]bool{}}
	title, author := filterTerms(o.Title), filterTerms(o.Author)
	for _, e := range es {
		if o.Formats != nil && !slices.ContainsFunc(o.Formats, func(f string) bool {
			return strings.EqualFold(strings.TrimPrefix(f, "."), strings.TrimPrefix(path.Ext(e.Name), "."))
		}) {
			continue
		}
		if o.Collections != nil && !slices.ContainsFunc(e.Collections, func(have string) bool { return slices.Contains(o.Collections, have) }) {
			continue
		}
		if o.Title != "" && !holdsTerms(e.Title, title) {
			continue
		}
		if o.Author != "" && !slices.ContainsFunc(e.Authors, func(a string) bool { return holdsTerms(a, author) }) {
			continue
		}
		if o.From != "" || o.To != "" {
			known, ok := dateWithin(e.Date, o.From, o.To)
			if !known && e.Status == Ready {
				s.Undated++
			}
			if !ok {
				continue
			}
		}
		if s.in[e.ID] {
			continue
		}
		s.in[e.ID] = true
		if e.Status != Ready {
			s.Failed++
			continue
		}
		s.Ready++
		s.IDs = append(s.IDs, e.ID)
	}
	return s
}

// filterTerms returns the parts of the words of a filter, stop words too: a name may be one.
func filterTerms(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		for _, p := range t.Parts {
			out = append(out, p.Term)
		}
	}
	return out
}

// holdsTerms reports whether every term is among the words of s; no terms are in nothing.
func holdsTerms(s string, terms []string) bool {
	if len(terms) == 0 {
		return false
	}
	have := filterTerms(s)
	return !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(have, t) })
}

// dateWithin reports whether a date is known, and whether it may lie between two others. A date without a day or month may be any
// of them.
func dateWithin(d, from, to string) (known, ok bool) {
	if len(d) > 10 {
		d = d[:10]
	}
	if !IsDate(d) {
		return false, false
	}
	least := func(d string) string { return d + "0000-01-01"[len(d):] }
	most := func(d string) string { return d + "9999-12-31"[len(d):] }
	return true, (from == "" || most(d) >= least(from)) && (to == "" || least(d) <= most(to))
}

var date = lazyregexp.New(`^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$`)

// IsDate reports whether s is a date or the beginning of one: 2026, 2026-11 or 2026-11-22.
func IsDate(s string) bool { return date.MatchString(s) }
