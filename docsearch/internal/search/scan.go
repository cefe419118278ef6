package search

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// A scanner reads the stored texts of documents in which the index finds nothing.
type scanner struct {
	store    driver.Store
	texts    *rawtext.Reader
	opt      *Options
	plan     *query.Plan
	in       *catalog.Scope
	sections *sections

	found    map[string]*Doc // by id
	fullText bool
	unread   int
}

// scan makes sure in the stored texts that nothing matches, when nothing does in the index. A document's records cover its text (see
// Entry.Covered of package catalog) and each word stands whole in one of them, so that the index knows of every word in which document it stands. What it cannot
// know is what stands in no one record: words in a row across a cut, and words or phrases that stand far from each other in
// one document. So only documents are read that hold all words that are asked for; those whose records do not cover the text; and all when
// there are stop words alone.
func (s *scanner) scan(ctx context.Context, c *catalog.Catalog) error {
	if s.in.Ready == 0 {
		return nil
	}
	s.fullText = true
	if !slices.Contains(s.opt.Kinds, driver.KindChunk) {
		return nil // figures, tables and titles are one record each
	}
	read, err := s.toRead(ctx)
	if err != nil {
		return err
	}
	left := s.opt.MaxRead
	may := s.plan.Prefilter()
	for _, e := range c.ByName() {
		if e.Status != catalog.Ready || !s.in.Has(e.ID) || !read(e) {
			continue
		}
		if left <= 0 || len(s.found) == maxStops && s.plan.OnlyStops() {
			s.unread++
			continue
		}
		err := s.scanDoc(ctx, e, may, &left)
		if errors.Is(err, errs.NotFound) || errors.Is(err, errs.Stale) {
			continue // removed or replaced since the catalog was read
		}
		if err != nil {
			return err
		}
	}
	s.fullText = s.unread == 0
	return nil
}

// maxStops is how many documents are listed for stop words alone, by name: "of the" is in nearly every text, and each must be read to find it.
const maxStops = 1000

// toRead returns the test whether a document must be read.
func (s *scanner) toRead(ctx context.Context) (func(*catalog.Entry) bool, error) {
	if s.plan.OnlyStops() {
		return func(*catalog.Entry) bool { return true }, nil
	}
	may := map[string]bool{}
	for _, v := range s.plan.Variants {
		if query.OnlyStops(v.Phrase) {
			return func(*catalog.Entry) bool { return true }, nil
		}
		var needed []driver.Group
		for _, c := range slices.Concat(s.plan.Require, v.Require) {
			needed = append(needed, c...)
		}
		if !slices.Contains(s.opt.Tiers, query.Any) || s.opt.Section != "" {
			needed = append(needed, v.Words...)
		}
		// With the tier "any" and no phrase asked for, a word that no record holds is in no text that records cover.
		if len(needed) == 0 {
			continue
		}
		ids, err := s.holdAll(ctx, needed)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			may[id] = true
		}
	}
	return func(e *catalog.Entry) bool { return !e.Covered || may[e.ID] }, nil
}

// maxNeeded bounds the words by which documents are told apart: with fewer, more are read than need be.
const maxNeeded = 64

// holdAll returns the documents in scope that hold all parts of the words, wherever they stand.
func (s *scanner) holdAll(ctx context.Context, groups []driver.Group) ([]string, error) {
	type wanted struct {
		part  string
		total int
	}
	var ws []wanted
	q := driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Docs: s.in.IDs, Limit: 1, PerDoc: 1}
	for _, g := range groups {
		for _, p := range g.Parts {
			if g.Stop || len(ws) == maxNeeded || slices.ContainsFunc(ws, func(w wanted) bool { return w.part == p }) || len(g.Parts) > 1 && text.IsStop(p) {
				continue
			}
			q.Groups = []driver.Group{{Parts: []string{p}}}
			hits, err := s.store.Search(ctx, &q)
			if err != nil {
				return nil, err
			}
			if hits.Total == 0 {
				return nil, nil
			}
			ws = append(ws, wanted{p, hits.Total})
		}
	}
	slices.SortStableFunc(ws, func(a, b wanted) int { return a.total - b.total })
	for i, w := range ws {
		q.Groups, q.Limit = []driver.Group{{Parts: []string{w.part}}}, w.total
		if i > 0 {
			q.Limit = len(q.Docs)
		}
		hits, err := s.store.Search(ctx, &q)
		if err != nil {
			return nil, err
		}
		q.Docs = make([]string, 0, len(hits.Hits))
		for _, h := range hits.Hits {
			q.Docs = append(q.Docs, h.Doc)
		}
		if len(q.Docs) == 0 {
			return nil, nil
		}
	}
	if len(ws) == 0 {
		return s.in.IDs, nil
	}
	return q.Docs, nil
}

const (
	scanWindow  = 256 << 10 // bytes of text read at a time
	scanOverlap = 16 << 10  // how much of them is read again with the next: a phrase that stretches over more can be lost where windows meet
	scanPassage = 1500      // bytes before and behind a match in which nothing may stand that is to be left out
)

// scanning is what is known of one document for one wording.
type scanning struct {
	v        *query.Variant
	variant  int
	best     map[query.Tier]*Doc
	groups   map[int]bool // words seen so far
	required map[int]bool // phrases seen so far
}

// scanDoc reads one document window by window, and takes what it reads from left.
func (s *scanner) scanDoc(ctx context.Context, e *catalog.Entry, may func(string) bool, left *int64) error {
	lay, err := s.texts.Layout(ctx, e)
	if err != nil {
		return err
	}
	ranges := [][2]int{{0, lay.Size}}
	if s.opt.Section != "" {
		if ranges, err = s.sections.of(ctx, e); err != nil {
			return err
		}
	}
	var states []*scanning
	for i := range s.plan.Variants {
		states = append(states, &scanning{v: &s.plan.Variants[i], variant: i, best: map[query.Tier]*Doc{}, groups: map[int]bool{}, required: map[int]bool{}})
	}
	for _, r := range ranges {
		for at := r[0]; at < r[1]; at += scanWindow {
			if err := ctx.Err(); err != nil {
				return err
			}
			if *left <= 0 {
				s.unread++
				return nil
			}
			to := min(at+scanWindow+scanOverlap, r[1])
			raw, err := s.texts.Slice(ctx, e, lay, at, to)
			if err != nil {
				return err
			}
			*left -= int64(min(scanWindow, r[1]-at))
			begin := at
			if at > r[0] { // a word that is cut here stood whole at the end of the window before
				i := max(strings.IndexFunc(raw[:min(len(raw), scanOverlap)], unicode.IsSpace), 0)
				raw, begin = raw[i:], begin+i
			}
			if to < r[1] {
				if i := strings.LastIndexFunc(raw, unicode.IsSpace); i > len(raw)-scanOverlap/2 {
					raw = raw[:i]
				}
			}
			if !may(raw) {
				continue
			}
			ss := match.Tokens(raw)
			for _, st := range states {
				s.scanText(e, st, raw, ss, begin)
			}
		}
	}
	s.scanned(e, states)
	return nil
}

// scanText looks for one wording in one window.
func (s *scanner) scanText(e *catalog.Entry, st *scanning, raw string, ss []match.Token, begin int) {
	for i, c := range slices.Concat(s.plan.Require, st.v.Require) {
		if !st.required[i] && len(match.PhraseSpans(ss, c)) > 0 {
			st.required[i] = true
		}
	}
	var without []match.Span
	for _, c := range s.plan.Exclude {
		without = append(without, match.PhraseSpans(ss, c)...)
	}
	allowed := func(spans []match.Span) []match.Span {
		return slices.DeleteFunc(spans, func(m match.Span) bool {
			return slices.ContainsFunc(without, func(w match.Span) bool { return w.Start < m.End+scanPassage && m.Start < w.End+scanPassage })
		})
	}
	found := func(tier query.Tier, spans []match.Span) {
		if len(spans) == 0 {
			return
		}
		if st.best[tier] == nil {
			st.best[tier] = s.window(e, raw, begin, spans)
		}
		st.best[tier].Score += float64(len(spans))
	}
	found(query.Phrase, allowed(match.PhraseSpans(ss, st.v.Phrase)))
	if !query.OnlyStops(st.v.Phrase) {
		spans := allowed(match.AllSpans(ss, st.v.Words))
		for _, sp := range spans {
			st.groups[sp.Group] = true
		}
		found(query.Any, match.Outermost(spans))
	}
}

// scanned decides how a document matches.
func (s *scanner) scanned(e *catalog.Entry, states []*scanning) {
	for _, tier := range s.opt.Tiers {
		for _, st := range states {
			if len(st.required) < len(s.plan.Require)+len(st.v.Require) {
				continue
			}
			d := st.best[tier]
			if tier == query.All { // all words of the document, wherever they stand
				if d = st.best[query.Any]; len(st.groups) < query.Count(st.v.Words) {
					d = nil
				}
			}
			if d != nil {
				d.variant, d.perTier = st.variant, map[query.Tier]map[driver.Kind]float64{tier: {driver.KindChunk: d.Score}}
				s.found[e.ID] = d
				return
			}
		}
	}
}

// window makes a hit with the text around the best match, which is enough for the snippet.
func (s *scanner) window(e *catalog.Entry, raw string, at int, spans []match.Span) *Doc {
	sn := match.Snip(raw, spans, nil, s.opt.Snippet)
	wide := 4 * min(s.opt.Snippet, maxLead)
	from, to := max(0, sn.Start-wide), min(len(raw), sn.End+wide)
	for from > 0 && !utf8.RuneStart(raw[from]) {
		from--
	}
	for to < len(raw) && !utf8.RuneStart(raw[to]) {
		to++
	}
	return &Doc{Entry: e, window: strings.Clone(raw[from:to]), windowStart: at + from}
}
