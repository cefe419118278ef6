package docsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// maxQuery bounds a query in bytes: the time of a search grows with its words.
const maxQuery = 8 << 10

// Search finds documents by passages, titles, figures and tables that match the query. It tries the tiers in the order phrase, all,
// any; a lower one fills what a higher one left empty. Words that only ask ("find", "show me", "what is") at the ends of the query, and stop
// words, need not match. A document number in the query ("... in 38.331") that is the number of a document here puts
// that document first and need not match either.
//
// Words in quotes ("cell search") must stand in a row in every passage, whatever the tier. A word or a phrase in quotes with a minus before it (-uplink, -"cell search")
// leaves out the passages that hold it; a document may still match by others. A minus within a word, before another minus or before a digit is none (-5 is
// a number). A backslash before a quote or a minus takes its meaning away. A quote that is not closed is plain text.
// [Results.Read] says how a query was understood.
//
// When nothing matches, the stored texts are asked before none is said; see [Searched]. There, "all" means that all words are in the document. A query of more than 8192
// bytes is an error wrapping [ErrTooLarge], options that make no sense are one wrapping [ErrUnsupported].
func (l *Library) Search(ctx context.Context, query string, o *SearchOptions) (*Results, error) {
	var opt SearchOptions
	if o != nil {
		opt = *o
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(query) > maxQuery {
		return nil, fmt.Errorf("query: %w: %d bytes, the limit is %d", ErrTooLarge, len(query), maxQuery)
	}
	opt = opt.withDefaults()
	if err := l.checkMode(&opt); err != nil {
		return nil, err
	}
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	cur, err := readCursor(query, &opt, c.Generation)
	if err != nil {
		return nil, err
	}
	in, err := l.scopeOf(ctx, c, &opt)
	if err != nil {
		return nil, err
	}
	res := &Results{Query: query, TotalExact: true, Hits: []Hit{}, Suggestions: []Suggestion{}}
	res.Searched = Searched{Documents: in.Ready, Failed: in.Failed, Outside: c.Ready - in.Ready, Chunks: c.Chunks, Tiers: []Tier{}}
	res.Freshness = l.freshness(c)
	plan := planQuery(query, &opt, func(number string) []string {
		var ids []string
		for _, id := range c.Numbered(number) {
			if in.Has(id) {
				ids = append(ids, id)
			}
		}
		return ids
	})
	res.Read = plan.read
	if n := len(plan.variants); n == 0 && strings.TrimSpace(query) != "" && len(res.Read.Notes) == 0 {
		res.Read.Notes = append(res.Read.Notes, "there is no word in the query: it asks for nothing")
	}
	res.Read.Notes = append(res.Read.Notes, c.Missing(opt.Collections)...)
	if in.Undated > 0 {
		res.Read.Notes = append(res.Read.Notes, fmt.Sprintf("%d documents without a known date were left out", in.Undated))
	}
	if len(plan.variants) == 0 {
		return res, nil // no word in the query
	}
	s := &search{l: l, c: c, opt: opt, in: in, plan: plan, res: res, cur: cur, docs: map[string]*docHit{}, seen: map[string]bool{}, ranges: map[string][][2]int{}}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	if cur.listed > 0 {
		// Pages of two states of the library would not fit together.
		if now, err := l.store.Stats(ctx); err != nil {
			return nil, err
		} else if now.Generation != cur.generation {
			return nil, fmt.Errorf("cursor %s: %w", opt.Cursor, movedOn{})
		}
	}
	return res, nil
}

// search is one search on its way.
type search struct {
	l    *Library
	c    *catalog.Catalog
	opt  SearchOptions
	in   *catalog.Scope
	plan *plan
	res  *Results
	cur  *cursor

	docs  map[string]*docHit // by id
	order []*docHit          // the documents found, as they are listed
	total int                // most documents that one index knows of
	exact bool               // and there are no others
	more  bool               // documents, or tiers, are left to look at

	seen   map[string]bool     // terms of the query that the passages shown hold
	ranges map[string][][2]int // of documents that were asked for the section, by id: bytes of the raw text; nil when it has none
	asked  bool                // too many were asked
}

// docHit gathers what matches in one document.
type docHit struct {
	e       *catalog.Entry
	tier    Tier
	score   float64
	parts   []part
	perTier map[Tier]map[driver.Kind]float64

	near       bool    // its vectors are near
	similarity float64 // of the nearest passage
	nearest    int     // number of that passage

	window      string // text around a match that only the full text has
	windowStart int
	variant     int // the wording that matches there
}

// part is one record that matches.
type part struct {
	kind    driver.Kind
	n       int
	tier    Tier
	score   float64
	variant int
}

// want is how many documents are needed for the page that was asked for.
func (s *search) want() int {
	n := min(s.cur.listed+s.opt.Limit, maxListed)
	if s.mode() == ModeHybrid {
		n = max(n, hybridDepth)
	}
	return n
}

func (s *search) run(ctx context.Context) error {
	words := s.mode() != ModeVectors
	if words && !s.plan.onlyStops() {
		if err := s.namedFirst(ctx); err != nil {
			return err
		}
		var tiers []Tier
		for _, tier := range Tiers() {
			if slices.Contains(s.opt.Tiers, tier) {
				tiers = append(tiers, tier)
			}
		}
		for i, tier := range tiers {
			if i > 0 && tiers[0] == TierPhrase && s.plan.sameAsPhrase() && len(s.docs) > 0 {
				// The lower tiers can find no more.
				s.res.Searched.Tiers = append(s.res.Searched.Tiers, tier)
				continue
			}
			for depth := s.cur.depth; ; depth *= 4 {
				more, err := s.tier(ctx, tier, s.in.IDs, depth)
				if err != nil {
					return err
				}
				s.rank()
				if s.more = more; !more || s.full() {
					break
				}
			}
			s.res.Searched.Tiers = append(s.res.Searched.Tiers, tier)
			if s.full() || s.opt.Strict && len(s.order) > 0 {
				if i+1 < len(tiers) && !s.opt.Strict && !s.plan.sameAsPhrase() {
					s.more = true
				}
				break
			}
		}
	}
	if words && len(s.order) == 0 {
		if err := s.scan(ctx); err != nil {
			return err
		}
		s.rank()
		s.total, s.exact, s.more = len(s.order), s.res.Searched.Unread == 0, false
	}
	if err := s.nearest(ctx); err != nil {
		return err
	}
	if err := s.finish(ctx); err != nil {
		return err
	}
	return s.suggest(ctx)
}

// sameAsPhrase reports that the lower tiers can find no more than the phrase: the query is one word of one part, or one phrase in
// quotes.
func (p *plan) sameAsPhrase() bool {
	if len(p.variants) == 1 && len(p.require) == 1 && len(p.require[0]) == len(p.variants[0].phrase) {
		return true
	}
	return !slices.ContainsFunc(p.variants, func(v variant) bool { return len(v.phrase) != 1 || len(v.phrase[0].Parts) != 1 })
}

// full reports that no lower tier could add a document or a passage to the answer.
func (s *search) full() bool {
	if s.opt.Doc == "" {
		return len(s.order) >= s.want()
	}
	n := 0
	for _, d := range s.order {
		for _, p := range d.parts {
			if p.kind == driver.KindChunk {
				n++
			}
		}
	}
	return n >= s.opt.Passages
}

// namedFirst puts the documents first that the query names by their number.
func (s *search) namedFirst(ctx context.Context) error {
	if s.opt.Doc != "" || len(s.plan.named) == 0 {
		return nil
	}
	for _, tier := range Tiers() {
		if slices.Contains(s.opt.Tiers, tier) {
			if _, err := s.tier(ctx, tier, s.plan.named, len(s.plan.named)); err != nil {
				return err
			}
			s.rank()
		}
	}
	return nil
}

// tier searches at one tier, in some documents or, with nil, in all, for up to depth documents of each kind. It reports whether
// there are more.
func (s *search) tier(ctx context.Context, tier Tier, docs []string, depth int) (more bool, err error) {
	lists, total := 0, 0
	complete := true
	for vi, v := range s.plan.variants {
		if onlyStops(v.phrase) {
			continue
		}
		q := driver.Query{
			Docs: docs, Limit: depth, PerDoc: s.opt.Passages, Groups: v.words, HeadWeight: s.opt.Boosts.Headings,
			Require: slices.Concat(s.plan.require, v.require), Exclude: s.plan.exclude,
		}
		if s.opt.Section != "" {
			q.PerDoc = sectionRecords
		}
		switch tier {
		case TierPhrase:
			q.Match, q.Groups = driver.MatchPhrase, v.phrase
		case TierAll:
			q.Match = driver.MatchAll
		default:
			q.Match = driver.MatchAny
		}
		for _, kind := range s.opt.kinds() {
			q.Kind = kind
			hits, err := s.l.store.Search(ctx, &q)
			if err != nil {
				return false, err
			}
			if len(hits.Hits) > 0 {
				lists++
			}
			if hits.Total > len(hits.Hits) || hits.AtLeast && len(hits.Hits) == depth {
				more = true
			}
			complete = complete && hits.Total <= len(hits.Hits) && !hits.AtLeast
			total = max(total, hits.Total)
			if hits.AtLeast {
				lists++ // one list that is not whole is as good as two
			}
			for _, h := range hits.Hits {
				if err := s.take(ctx, tier, kind, vi, &h); err != nil {
					return false, err
				}
			}
		}
	}
	if s.opt.Section != "" {
		total = 0 // not every document has the section
	}
	// A wider tier has the documents of the stricter ones. What one list alone counts is exact; several may have documents in common.
	s.total = max(s.total, total)
	s.exact = complete || lists == 1 && s.opt.Section == ""
	if complete {
		s.total = len(s.docs)
	}
	return more, nil
}

// take adds a document that a store found.
func (s *search) take(ctx context.Context, tier Tier, kind driver.Kind, vi int, h *driver.Hit) error {
	d := s.docs[h.Doc]
	records := h.Records
	if d == nil {
		e := s.c.Get(h.Doc)
		if e == nil {
			var err error
			if e, _, err = s.l.docs.Get(ctx, h.Doc); errors.Is(err, ErrNotFound) {
				return nil
			} else if err != nil { // else it was added since the catalog was read
				return err
			}
		}
		d = &docHit{e: e, perTier: map[Tier]map[driver.Kind]float64{}}
	}
	if s.opt.Section != "" {
		var err error
		if records, err = s.inSection(ctx, d.e, tier, vi, records); err != nil {
			if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
				return nil // removed or replaced while we searched
			}
			return err
		}
	}
	if len(records) == 0 {
		return nil
	}
	s.docs[h.Doc] = d
	if d.perTier[tier] == nil {
		d.perTier[tier] = map[driver.Kind]float64{}
	}
	d.perTier[tier][kind] = max(d.perTier[tier][kind], records[0].Score)
	for _, r := range records {
		if !slices.ContainsFunc(d.parts, func(p part) bool { return p.kind == kind && p.n == r.N }) {
			d.parts = append(d.parts, part{kind, r.N, tier, r.Score, vi})
		}
	}
	return nil
}

// rank lists the documents that are not listed yet, behind those that are.
func (s *search) rank() {
	if len(s.order) == len(s.docs) {
		return
	}
	var fresh []*docHit
	for _, d := range s.docs {
		if d.tier != "" {
			continue
		}
		for _, t := range Tiers() {
			if k := d.perTier[t]; k != nil {
				b := s.opt.Boosts
				d.tier = t
				d.score = k[driver.KindChunk] + b.Title*k[driver.KindDocument] + b.Captions*max(k[driver.KindFigure], k[driver.KindTable])
				break
			}
		}
		fresh = append(fresh, d)
	}
	slices.SortFunc(fresh, func(a, b *docHit) int {
		return cmp.Or(cmp.Compare(a.tier.rank(), b.tier.rank()), cmp.Compare(b.score, a.score), strings.Compare(a.e.Name, b.e.Name))
	})
	s.order = append(s.order, fresh...)
}

// finish fills in what the caller sees of the documents of this page.
func (s *search) finish(ctx context.Context) error {
	s.res.Total, s.res.TotalExact = max(s.total, len(s.order)), s.exact
	page := s.order[min(s.cur.listed, len(s.order)):]
	gone, seen := 0, s.cur.listed
	var found []*catalog.Entry // the documents of the hits
	for _, d := range page {
		if len(s.res.Hits) == s.opt.Limit || seen == maxListed {
			break
		}
		seen++
		h, err := s.hit(ctx, d)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			gone++ // removed or replaced while we searched
			continue
		}
		if err != nil {
			return err
		}
		s.res.Hits = append(s.res.Hits, *h)
		found = append(found, d.e)
	}
	s.look(found)
	s.res.Total -= gone
	s.res.Truncated = s.res.Total > s.cur.listed+len(s.res.Hits)
	if s.opt.Doc != "" || seen >= maxListed || seen == s.cur.listed {
		return nil
	}
	if seen < len(s.order) || s.more {
		next := *s.cur
		next.listed = seen
		s.res.Next = next.String()
	}
	return nil
}
