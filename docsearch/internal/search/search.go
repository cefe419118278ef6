package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/embedding"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/relevance"
)

// MaxListed is how many documents the pages of one search can list.
const MaxListed = 10_000

// A Mode is what a search compares; see docsearch.Mode.
type Mode string

// The modes.
const (
	Words    Mode = "words"
	Vectors  Mode = "vectors"
	Hybrid   Mode = "hybrid"
	Question Mode = "question"
)

// Options say what to search and how much of it is wanted, with every default in its place; see docsearch.SearchOptions.
type Options struct {
	Limit, Passages, Snippet int
	OneDoc                   bool // one document alone is searched
	Near                     string
	Tiers                    []query.Tier // strictest first
	Strict                   bool
	Mode                     Mode
	MustEmbed                bool // an embedder that does not work is an error
	Related                  bool // the any-word tier looks for words that go with those of the query too
	Section                  string
	Kinds                    []driver.Kind
	Boosts                   Boosts
	MaxRead                  int64

	Listed int // documents that the pages before listed
	Depth  int // documents of each kind that are asked for at first
}

// Boosts are what a match counts by where it stands, a passage counting 1.
type Boosts struct{ Title, Headings, Captions float64 }

// A Library is what is searched. Vectors is nil where there is no embedder.
type Library struct {
	Store   driver.Store
	Docs    *catalog.List
	Texts   *rawtext.Reader
	Vectors *embedding.Maker
}

// A Search is one search: what it found, and what it looked at.
type Search struct {
	Tiers        []query.Tier        // tiers visited
	FullText     bool                // nothing matched in the index, and the texts were asked
	Unread       int                 // documents whose texts would have had to be read too
	Compared     int                 // documents whose vectors were compared
	VectorsError error               // why they were not
	Question     *relevance.Question // of mode Question: what is asked

	store    driver.Store
	docs     *catalog.List
	vectors  *embedding.Maker
	texts    *rawtext.Reader
	c        *catalog.Catalog
	in       *catalog.Scope
	plan     *query.Plan
	opt      *Options
	sections *sections

	found map[string]*Doc // by id
	order []*Doc          // the documents found, as they are listed
	total int             // most documents that one index knows of
	exact bool            // and there are no others
	more  bool            // documents, or tiers, are left to look at

	shown map[string]bool // terms of the query that the passages shown hold

	related *relation // nil: not looked for, or there is none
}

// Run searches the documents in scope of a catalog for what a plan asks for. text is the query, for its vector.
func Run(ctx context.Context, l Library, c *catalog.Catalog, in *catalog.Scope, plan *query.Plan, text string, o *Options) (*Search, error) {
	s := &Search{
		store: l.Store, docs: l.Docs, vectors: l.Vectors, texts: l.Texts, c: c, in: in, plan: plan, opt: o,
		sections: &sections{texts: l.Texts, name: o.Section, ranges: map[string][][2]int{}}, found: map[string]*Doc{}, shown: map[string]bool{}, Tiers: []query.Tier{},
	}
	return s, s.run(ctx, text)
}

// Docs returns the documents found behind those that the pages before listed, as they are listed.
func (s *Search) Docs() []*Doc { return s.order[min(s.opt.Listed, len(s.order)):] }

// Total returns how many documents match, and whether it is all of them.
func (s *Search) Total() (n int, exact bool) { return max(s.total, len(s.order)), s.exact }

// More reports whether there are documents behind the first n of all.
func (s *Search) More(n int) bool { return n < len(s.order) || s.more }

// Notes say what was left out.
func (s *Search) Notes() []string { return s.sections.notes }

// A Doc gathers what matches in one document.
type Doc struct {
	Entry   *catalog.Entry
	Tier    query.Tier
	Score   float64
	parts   []Part
	perTier map[query.Tier]map[driver.Kind]float64
	best    int // of tier Any: number of its best passage

	near       bool    // its vectors are near
	Similarity float64 // of the nearest passage, title or caption
	nearest    Part    // which that is

	window      string // text around a match that only the full text has
	windowStart int
	variant     int // the wording that matches there

	Objects []Object  // of mode Question: figures and tables that answer
	pieces  []Passage // of mode Question: those that answer, best first
}

// A Part is one record that matches.
type Part struct {
	Kind    driver.Kind
	N       int
	Tier    query.Tier
	Score   float64
	variant int
}

// want is how many documents are needed for the page that was asked for.
func (s *Search) want() int {
	n := min(s.opt.Listed+s.opt.Limit, MaxListed)
	if s.opt.Mode == Hybrid {
		n = max(n, hybridDepth)
	}
	return n
}

// run looks for documents, the best first.
func (s *Search) run(ctx context.Context, text string) error {
	if s.opt.Mode == Question {
		if err := s.answers(ctx, text); err != nil || len(s.order) > 0 {
			return err
		}
		s.opt.Mode, s.Question = Words, nil // the texts are asked before none is said
	}
	words := s.opt.Mode != Vectors
	if words && !s.plan.OnlyStops() {
		if err := s.byTiers(ctx); err != nil {
			return err
		}
	}
	if words && len(s.order) == 0 {
		sc := &scanner{store: s.store, texts: s.texts, opt: s.opt, plan: s.plan, in: s.in, sections: s.sections, found: s.found}
		if err := sc.scan(ctx, s.c); err != nil {
			return err
		}
		s.FullText, s.Unread = sc.fullText, sc.unread
		s.rank()
		s.total, s.exact, s.more = len(s.order), s.Unread == 0, false
	}
	return s.nearest(ctx, text)
}

// byTiers tries the tiers of words, strictest first, until no lower one could add to the answer.
func (s *Search) byTiers(ctx context.Context) error {
	if err := s.namedFirst(ctx); err != nil {
		return err
	}
	tiers := s.opt.Tiers
	for i, tier := range tiers {
		if i > 0 && tiers[0] == query.Phrase && s.plan.SameAsPhrase() && len(s.found) > 0 {
			// The lower tiers can find no more.
			s.Tiers = append(s.Tiers, tier)
			continue
		}
		for depth := s.opt.Depth; ; depth *= 4 {
			more, err := s.tier(ctx, tier, s.in.IDs, depth)
			if err == nil && tier == query.Any && s.opt.Related && !s.opt.OneDoc {
				more, err = s.relate(ctx, depth, more)
			}
			if err != nil {
				return err
			}
			s.rank()
			if s.more = more; !more || s.full() {
				break
			}
		}
		s.Tiers = append(s.Tiers, tier)
		if s.full() || s.opt.Strict && len(s.order) > 0 {
			if i+1 < len(tiers) && !s.opt.Strict && !s.plan.SameAsPhrase() {
				s.more = true
			}
			break
		}
	}
	return nil
}

// full reports that no lower tier could add a document or a passage to the answer.
func (s *Search) full() bool {
	if !s.opt.OneDoc {
		return len(s.order) >= s.want()
	}
	n := 0
	for _, d := range s.order {
		for _, p := range d.parts {
			if p.Kind == driver.KindChunk {
				n++
			}
		}
	}
	return n >= s.opt.Passages
}

// namedFirst puts the documents first that the query names by their number.
func (s *Search) namedFirst(ctx context.Context) error {
	if s.opt.OneDoc || len(s.plan.Named) == 0 {
		return nil
	}
	for _, tier := range s.opt.Tiers {
		if _, err := s.tier(ctx, tier, s.plan.Named, len(s.plan.Named)); err != nil {
			return err
		}
		s.rank()
	}
	return nil
}

// tier searches at one tier, in some documents or, with nil, in all, for up to depth documents of each kind. It reports whether
// there are more.
func (s *Search) tier(ctx context.Context, tier query.Tier, docs []string, depth int) (more bool, err error) {
	lists, total := 0, 0
	complete := true
	variants, first, kinds := s.plan.Variants, 0, s.opt.Kinds
	if tier == query.Related {
		variants, first, kinds = []query.Variant{s.related.wording}, len(s.plan.Variants), []driver.Kind{driver.KindChunk}
	}
	for vi, v := range variants {
		if tier != query.Related && query.OnlyStops(v.Phrase) {
			continue
		}
		vi += first
		q := driver.Query{
			Docs: docs, Limit: depth, PerDoc: s.opt.Passages, Groups: v.Words, HeadWeight: s.opt.Boosts.Headings,
			Require: slices.Concat(s.plan.Require, v.Require), Exclude: s.plan.Exclude,
		}
		if s.opt.Section != "" {
			q.PerDoc = sectionRecords
		}
		switch tier {
		case query.Phrase:
			q.Match, q.Groups = driver.MatchPhrase, v.Phrase
		case query.All:
			q.Match = driver.MatchAll
		default:
			q.Match = driver.MatchAny
		}
		for _, kind := range kinds {
			q.Kind = kind
			hits, err := s.store.Search(ctx, &q)
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
		s.total = len(s.found)
	}
	return more, nil
}

// take adds a document that a store found.
func (s *Search) take(ctx context.Context, tier query.Tier, kind driver.Kind, vi int, h *driver.Hit) error {
	d := s.found[h.Doc]
	records := h.Records
	if d == nil {
		e := s.c.Get(h.Doc)
		if e == nil {
			var err error
			if e, _, err = s.docs.Get(ctx, h.Doc); errors.Is(err, errs.NotFound) {
				return nil
			} else if err != nil { // else it was added since the catalog was read
				return err
			}
		}
		d = &Doc{Entry: e, perTier: map[query.Tier]map[driver.Kind]float64{}}
	}
	if s.opt.Section != "" {
		var err error
		if records, err = s.sections.keep(ctx, s.store, s.plan, d.Entry, tier, vi, records, s.opt.Passages); err != nil {
			if errors.Is(err, errs.NotFound) || errors.Is(err, errs.Stale) {
				return nil // removed or replaced while we searched
			}
			return err
		}
	}
	if len(records) == 0 {
		return nil
	}
	s.found[h.Doc] = d
	if d.perTier[tier] == nil {
		d.perTier[tier] = map[driver.Kind]float64{}
	}
	if tier == query.Any && kind == driver.KindChunk && records[0].Score > d.perTier[tier][kind] {
		d.best = records[0].N
	}
	d.perTier[tier][kind] = max(d.perTier[tier][kind], records[0].Score)
	for _, r := range records {
		i := slices.IndexFunc(d.parts, func(p Part) bool { return p.Kind == kind && p.N == r.N })
		switch {
		case i < 0:
			d.parts = append(d.parts, Part{kind, r.N, tier, r.Score, vi})
		case tier == query.Related && d.parts[i].Tier == query.Any:
			d.parts[i].Score = r.Score
		}
	}
	return nil
}

// points is the score of a document in a tier, in Any with what related words add.
func (s *Search) points(d *Doc, t query.Tier) float64 {
	k := func(kind driver.Kind) float64 {
		if t == query.Any {
			return max(d.perTier[t][kind], d.perTier[query.Related][kind])
		}
		return d.perTier[t][kind]
	}
	b := s.opt.Boosts
	return k(driver.KindChunk) + b.Title*k(driver.KindDocument) + b.Captions*max(k(driver.KindFigure), k(driver.KindTable))
}

// rank lists the documents that are not listed yet, behind those that are.
func (s *Search) rank() {
	if len(s.order) == len(s.found) {
		return
	}
	var fresh []*Doc
	for _, d := range s.found {
		if d.Tier != "" {
			continue
		}
		for _, t := range append(query.Tiers(), query.Related) {
			if d.perTier[t] != nil {
				d.Tier = t
				d.Score = s.points(d, t)
				break
			}
		}
		fresh = append(fresh, d)
	}
	slices.SortFunc(fresh, func(a, b *Doc) int {
		return cmp.Or(cmp.Compare(a.Tier.Rank(), b.Tier.Rank()), cmp.Compare(b.Score, a.Score), strings.Compare(a.Entry.Name, b.Entry.Name))
	})
	s.order = append(s.order, fresh...)
}
