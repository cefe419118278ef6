package docsearch

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/text"
)

// scope is the documents that a search looks at.
type scope struct {
	ids     []string        // nil: all
	in      map[string]bool // nil: all
	ready   int
	failed  int
	undated int // left out because their date is not known
}

func (s *scope) has(id string) bool { return s.in == nil || s.in[id] }

// A filter says what documents must say of themselves; see docsearch.SearchOptions.
type filter struct {
	Title, Author, From, To string
	Formats, Collections    []string
}

// isSet reports whether it leaves any document out.
func (o *filter) isSet() bool {
	return o.Title != "" || o.Author != "" || o.From != "" || o.To != "" || o.Formats != nil || o.Collections != nil
}

// pick returns the scope of those documents that the filters let through.
func (c *catalog) pick(es []*entry, o *filter) *scope {
	s := &scope{ids: []string{}, in: map[string]bool{}}
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
			if !known && e.Status == statusReady {
				s.undated++
			}
			if !ok {
				continue
			}
		}
		if s.in[e.ID] {
			continue
		}
		s.in[e.ID] = true
		if e.Status != statusReady {
			s.failed++
			continue
		}
		s.ready++
		s.ids = append(s.ids, e.ID)
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
func dateWithin(date, from, to string) (known, ok bool) {
	if len(date) > 10 {
		date = date[:10]
	}
	if !isoDate.MatchString(date) {
		return false, false
	}
	least := func(d string) string { return d + "0000-01-01"[len(d):] }
	most := func(d string) string { return d + "9999-12-31"[len(d):] }
	return true, (from == "" || most(date) >= least(from)) && (to == "" || least(date) <= most(to))
}

// isoDate is a date or the beginning of one.
var isoDate = regexp.MustCompile(`^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$`)
