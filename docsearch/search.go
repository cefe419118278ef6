package docsearch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
)

// Weights of the kinds in a document's score.
const (
	titleWeight = 0.3
	mediaWeight = 0.2
)

// maxQuery bounds a query in bytes: the time of a search grows with its words.
const maxQuery = 8 << 10

// Search finds documents by passages, titles, figures and tables that match the query. It tries the tiers in the order phrase, all,
// any; a lower one fills what a higher one left empty. Words that only ask ("find", "show me", "what is") at the ends of the query, and stop
// words, need not match. A document number in the query ("... in 38.331") that is the number of a document here puts
// that document first and need not match either.
//
// When nothing matches, the full stored texts are read before none is said; see [Searched]. A query of more than 8192
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
	opt.Limit = cmp.Or(opt.Limit, 10)
	opt.Passages = cmp.Or(opt.Passages, 3)
	opt.Snippet = cmp.Or(opt.Snippet, 200)
	c, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	scope := opt.Docs
	if opt.Doc != "" {
		if c.byID[opt.Doc] == nil {
			return nil, fmt.Errorf("document %s: %w", opt.Doc, ErrNotFound)
		}
		scope = []string{opt.Doc}
	}
	if scope != nil {
		c = c.only(scope)
	}
	res := &Results{Query: query, TotalExact: true, Hits: []Hit{}}
	res.Searched = Searched{Documents: c.ready, Failed: len(c.byName) - c.ready, Chunks: c.chunks, Tiers: []Tier{}}
	res.Freshness = Freshness{Generation: c.generation, Changed: int(l.changed.Load())}
	if ns := l.checked.Load(); ns != 0 {
		res.Freshness.Checked = time.Unix(0, ns).UTC()
	}
	s := &search{l: l, c: c, opt: opt, scope: scope, plan: planQuery(query, c), res: res, docs: map[string]*docHit{}}
	if len(s.plan.phrase) == 0 {
		return res, nil // no word in the query
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return res, nil
}

// search is one search on its way.
type search struct {
	l     *Library
	c     *catalog
	opt   SearchOptions
	scope []string // ids of the only documents, or nil
	plan  *plan
	res   *Results
	docs  map[string]*docHit // by id
}

// docHit gathers what matches in one document.
type docHit struct {
	e       *entry
	tier    Tier
	score   float64
	first   bool // named by its number
	parts   []part
	perTier map[Tier]map[driver.Kind]float64

	window      string // text around a match that only the full text has
	windowStart int
}

// part is one record that matches.
type part struct {
	kind  driver.Kind
	n     int
	tier  Tier
	score float64
}

func (s *search) run(ctx context.Context) error {
	tiers := s.opt.Tiers
	if tiers == nil {
		tiers = Tiers()
	}
	if !s.plan.onlyStops() {
		for _, tier := range Tiers() {
			if !slices.Contains(tiers, tier) {
				continue
			}
			if tier == TierAll && len(s.plan.words) == 1 && slices.Contains(s.res.Searched.Tiers, TierPhrase) && len(s.plan.phrase) == 1 {
				// One word: all is the same as the phrase, but for a whole that matches no parts.
				if len(s.docs) > 0 {
					s.res.Searched.Tiers = append(s.res.Searched.Tiers, tier)
					continue
				}
			}
			if err := s.tier(ctx, tier, s.scope); err != nil {
				return err
			}
			if s.opt.Doc == "" {
				for _, id := range s.plan.named {
					if err := s.tier(ctx, tier, []string{id}); err != nil {
						return err
					}
				}
			}
			s.res.Searched.Tiers = append(s.res.Searched.Tiers, tier)
			if s.full() {
				break
			}
		}
	}
	if len(s.docs) == 0 && s.c.ready > 0 {
		if err := s.scan(ctx, tiers); err != nil {
			return err
		}
	}
	return s.finish(ctx)
}

// full reports that no lower tier could add a document or a passage to the answer.
func (s *search) full() bool {
	if s.opt.Doc != "" {
		for _, d := range s.docs {
			n := 0
			for _, p := range d.parts {
				if p.kind == driver.KindChunk {
					n++
				}
			}
			return n >= s.opt.Passages
		}
		return false
	}
	return len(s.docs) >= s.opt.Limit
}

// tier searches all kinds at one tier, in some documents or, with nil, in all.
func (s *search) tier(ctx context.Context, tier Tier, docs []string) error {
	q := driver.Query{Docs: docs, Limit: max(2*s.opt.Limit, 100), PerDoc: s.opt.Passages, Groups: s.plan.words}
	switch tier {
	case TierPhrase:
		q.Match, q.Groups = driver.MatchPhrase, s.plan.phrase
	case TierAll:
		q.Match = driver.MatchAll
	default:
		q.Match = driver.MatchAny
	}
	total := 0
	for _, kind := range []driver.Kind{driver.KindChunk, driver.KindDocument, driver.KindFigure, driver.KindTable} {
		q.Kind = kind
		hits, err := s.l.store.Search(ctx, &q)
		if err != nil {
			return err
		}
		if hits.Total > len(hits.Hits) || hits.AtLeast {
			s.res.TotalExact = false
		}
		total = max(total, hits.Total)
		for _, h := range hits.Hits {
			d := s.docs[h.Doc]
			if d == nil {
				e := s.c.byID[h.Doc]
				if e == nil && s.scope != nil {
					continue
				}
				if e == nil { // added since the catalog was read
					if e, _, err = s.l.get(ctx, h.Doc); errors.Is(err, ErrNotFound) {
						continue
					} else if err != nil {
						return err
					}
				}
				d = &docHit{e: e, tier: tier, first: slices.Contains(s.plan.named, h.Doc), perTier: map[Tier]map[driver.Kind]float64{}}
				s.docs[h.Doc] = d
			}
			if d.perTier[tier] == nil {
				d.perTier[tier] = map[driver.Kind]float64{}
			}
			d.perTier[tier][kind] = h.Records[0].Score
			for _, r := range h.Records {
				if !slices.ContainsFunc(d.parts, func(p part) bool { return p.kind == kind && p.n == r.N }) {
					d.parts = append(d.parts, part{kind, r.N, tier, r.Score})
				}
			}
		}
	}
	if slices.Equal(docs, s.scope) {
		s.res.Total = max(s.res.Total, total)
	}
	return nil
}

// finish orders the documents and fills in what the caller sees of the first of them.
func (s *search) finish(ctx context.Context) error {
	docs := make([]*docHit, 0, len(s.docs))
	for _, d := range s.docs {
		k := d.perTier[d.tier]
		d.score = k[driver.KindChunk] + titleWeight*k[driver.KindDocument] + mediaWeight*max(k[driver.KindFigure], k[driver.KindTable])
		docs = append(docs, d)
	}
	slices.SortFunc(docs, func(a, b *docHit) int {
		if a.first != b.first {
			if a.first {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.tier.rank(), b.tier.rank()), cmp.Compare(b.score, a.score), strings.Compare(a.e.Name, b.e.Name))
	})
	s.res.Total = max(s.res.Total, len(docs))
	if s.res.TotalExact {
		s.res.Total = len(docs)
	}
	for _, d := range docs {
		if len(s.res.Hits) == s.opt.Limit {
			break
		}
		h, err := s.hit(ctx, d)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			s.res.Total-- // removed or replaced while we searched
			continue
		}
		if err != nil {
			return err
		}
		s.res.Hits = append(s.res.Hits, *h)
	}
	s.res.Truncated = s.res.Total > len(s.res.Hits)
	return nil
}

// hit fills in one document.
func (s *search) hit(ctx context.Context, d *docHit) (*Hit, error) {
	h := &Hit{
		Doc: d.e.ID, Name: d.e.Name, Title: d.e.Title, Tier: d.tier, Score: d.score,
		Passages: []Passage{}, Figures: []FigureHit{}, Tables: []TableHit{},
	}
	slices.SortStableFunc(d.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.tier.rank(), b.tier.rank()), cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n))
	})
	lay, err := s.l.layoutOf(ctx, d.e)
	if err != nil {
		return nil, err
	}
	if d.window != "" {
		if err := s.passage(ctx, h, d.e, lay, d.window, d.windowStart, part{tier: d.tier, score: d.score}); err != nil {
			return nil, err
		}
	}
	for _, p := range d.parts {
		if p.kind == driver.KindDocument {
			continue
		}
		if p.kind == driver.KindChunk && len(h.Passages) == s.opt.Passages {
			continue
		}
		recs, err := s.l.store.Records(ctx, d.e.ID, p.kind, []int{p.n})
		if err != nil {
			return nil, err
		}
		rec := recs[0]
		switch p.kind {
		case driver.KindFigure:
			if len(h.Figures) < s.opt.Passages {
				f := FigureHit{}
				if err := json.Unmarshal(rec.Data, &f); err != nil {
					return nil, fmt.Errorf("document %q: figure %d: %w: %v", d.e.Name, p.n, ErrFormat, err)
				}
				f.Tier, f.Score = p.tier, p.score
				h.Figures = append(h.Figures, f)
			}
		case driver.KindTable:
			if len(h.Tables) < s.opt.Passages {
				t := TableHit{}
				if err := json.Unmarshal(rec.Data, &t); err != nil {
					return nil, fmt.Errorf("document %q: table %d: %w: %v", d.e.Name, p.n, ErrFormat, err)
				}
				if t.Rows == nil {
					t.Rows = [][]string{}
				}
				t.Tier, t.Score = p.tier, p.score
				h.Tables = append(h.Tables, t)
			}
		case driver.KindChunk:
			err := s.passage(ctx, h, d.e, lay, rec.Text, rec.Start, p)
			if err != nil {
				return nil, err
			}
		}
	}
	return h, nil
}

// passage adds the best place of one chunk to the hit, unless it is there already: chunks share text at their ends.
func (s *search) passage(ctx context.Context, h *Hit, e *entry, lay *layout, txt string, start int, p part) error {
	spans := matchText(slots(txt), s.plan, p.tier)
	if len(spans) == 0 && p.tier == TierAll { // a part of it is all we can show
		spans = wordSpans(slots(txt), s.plan.words)
	}
	if len(spans) == 0 {
		return nil
	}
	var near []span
	if s.opt.Near != "" {
		var groups []driver.Group
		for _, t := range shortTokens(s.opt.Near) {
			groups = append(groups, groupOf(t))
		}
		near = wordSpans(slots(txt), groups)
	}
	// A chunk may begin inside a word or just before its match: the text before it belongs to the snippet too.
	lead, err := s.l.raw(ctx, e, lay, start-4*s.opt.Snippet, start)
	if err != nil {
		return err
	}
	for lead != "" && !utf8.RuneStart(lead[0]) {
		lead = lead[1:]
	}
	txt, start = lead+txt, start-len(lead)
	shift(spans, len(lead))
	shift(near, len(lead))
	snip := cutSnippet(txt, spans, near, s.opt.Snippet)
	pass := Passage{
		Start: start + snip.start, End: start + snip.end, Snippet: snip.text, Matches: snip.matches, Tier: p.tier, Score: p.score,
	}
	for _, q := range h.Passages {
		if pass.Start < q.End && q.Start < pass.End {
			return nil
		}
	}
	pass.Page = lay.page(pass.Start)
	if pass.LineStart, err = s.l.lineOf(ctx, e, lay, pass.Start); err != nil {
		return err
	}
	pass.LineEnd = pass.LineStart + strings.Count(txt[snip.start:snip.end], "\n")
	h.Passages = append(h.Passages, pass)
	return nil
}

// shift moves places by n bytes.
func shift(spans []span, n int) {
	for i := range spans {
		spans[i].start += n
		spans[i].end += n
	}
}
