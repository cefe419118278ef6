package docsearch

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/internal/text"
)

// scan makes sure in the stored texts that nothing matches, when nothing does in the index. A document's records cover its text (see
// [entry.Covered]) and each word stands whole in one of them, so that the index knows of every word in which document it stands. What it cannot
// know is what stands in no one record: words in a row across a cut, and words or phrases that stand far from each other in
// one document. So only documents are read that hold all words that are asked for; those whose records do not cover the text; and all when
// there are stop words alone.
func (s *search) scan(ctx context.Context) error {
	if s.in.Ready == 0 {
		return nil
	}
	s.res.Searched.FullText = true
	if !slices.Contains(s.opt.kinds(), driver.KindChunk) {
		return nil // figures, tables and titles are one record each
	}
	read, err := s.toRead(ctx)
	if err != nil {
		return err
	}
	left := s.opt.MaxRead
	may := s.plan.prefilter()
	for _, e := range s.c.ByName() {
		if e.Status != StatusReady || !s.in.Has(e.ID) || !read(e) {
			continue
		}
		if left <= 0 || len(s.docs) == maxStops && s.plan.onlyStops() {
			s.res.Searched.Unread++
			continue
		}
		err := s.scanDoc(ctx, e, may, &left)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			continue // removed or replaced since the catalog was read
		}
		if err != nil {
			return err
		}
	}
	s.res.Searched.FullText = s.res.Searched.Unread == 0
	return nil
}

// maxStops is how many documents are listed for stop words alone, by name: "of the" is in nearly every text, and each must be read to find it.
const maxStops = 1000

// toRead returns the test whether a document must be read.
func (s *search) toRead(ctx context.Context) (func(*catalog.Entry) bool, error) {
	if s.plan.onlyStops() {
		return func(*catalog.Entry) bool { return true }, nil
	}
	may := map[string]bool{}
	for _, v := range s.plan.variants {
		if onlyStops(v.phrase) {
			return func(*catalog.Entry) bool { return true }, nil
		}
		var needed []driver.Group
		for _, c := range slices.Concat(s.plan.require, v.require) {
			needed = append(needed, c...)
		}
		if !slices.Contains(s.opt.Tiers, TierAny) || s.opt.Section != "" {
			needed = append(needed, v.words...)
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
func (s *search) holdAll(ctx context.Context, groups []driver.Group) ([]string, error) {
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
			hits, err := s.l.store.Search(ctx, &q)
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
		hits, err := s.l.store.Search(ctx, &q)
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
	v        *variant
	variant  int
	best     map[Tier]*docHit
	groups   map[int]bool // words seen so far
	required map[int]bool // phrases seen so far
}

// scanDoc reads one document window by window, and takes what it reads from left.
func (s *search) scanDoc(ctx context.Context, e *catalog.Entry, may func(string) bool, left *int64) error {
	lay, err := s.l.texts.Layout(ctx, e)
	if err != nil {
		return err
	}
	ranges := [][2]int{{0, lay.Size}}
	if s.opt.Section != "" {
		if ranges, err = s.sectionOf(ctx, e); err != nil {
			return err
		}
	}
	var states []*scanning
	for i := range s.plan.variants {
		states = append(states, &scanning{v: &s.plan.variants[i], variant: i, best: map[Tier]*docHit{}, groups: map[int]bool{}, required: map[int]bool{}})
	}
	for _, r := range ranges {
		for at := r[0]; at < r[1]; at += scanWindow {
			if err := ctx.Err(); err != nil {
				return err
			}
			if *left <= 0 {
				s.res.Searched.Unread++
				return nil
			}
			to := min(at+scanWindow+scanOverlap, r[1])
			raw, err := s.l.texts.Slice(ctx, e, lay, at, to)
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
func (s *search) scanText(e *catalog.Entry, st *scanning, raw string, ss []match.Token, begin int) {
	for i, c := range slices.Concat(s.plan.require, st.v.require) {
		if !st.required[i] && len(match.PhraseSpans(ss, c)) > 0 {
			st.required[i] = true
		}
	}
	var without []match.Span
	for _, c := range s.plan.exclude {
		without = append(without, match.PhraseSpans(ss, c)...)
	}
	allowed := func(spans []match.Span) []match.Span {
		return slices.DeleteFunc(spans, func(m match.Span) bool {
			return slices.ContainsFunc(without, func(w match.Span) bool { return w.Start < m.End+scanPassage && m.Start < w.End+scanPassage })
		})
	}
	found := func(tier Tier, spans []match.Span) {
		if len(spans) == 0 {
			return
		}
		if st.best[tier] == nil {
			st.best[tier] = s.window(e, raw, begin, spans)
		}
		st.best[tier].score += float64(len(spans))
	}
	found(TierPhrase, allowed(match.PhraseSpans(ss, st.v.phrase)))
	if !onlyStops(st.v.phrase) {
		spans := allowed(match.AllSpans(ss, st.v.words))
		for _, sp := range spans {
			st.groups[sp.Group] = true
		}
		found(TierAny, match.Outermost(spans))
	}
}

// scanned decides how a document matches.
func (s *search) scanned(e *catalog.Entry, states []*scanning) {
	for _, tier := range Tiers() {
		if !slices.Contains(s.opt.Tiers, tier) {
			continue
		}
		for _, st := range states {
			if len(st.required) < len(s.plan.require)+len(st.v.require) {
				continue
			}
			d := st.best[tier]
			if tier == TierAll { // all words of the document, wherever they stand
				if d = st.best[TierAny]; len(st.groups) < count(st.v.words, func(g driver.Group) bool { return !g.Stop }) {
					d = nil
				}
			}
			if d != nil {
				d.variant, d.perTier = st.variant, map[Tier]map[driver.Kind]float64{tier: {driver.KindChunk: d.score}}
				s.docs[e.ID] = d
				return
			}
		}
	}
}

func count(gs []driver.Group, is func(driver.Group) bool) int {
	n := 0
	for _, g := range gs {
		if is(g) {
			n++
		}
	}
	return n
}

// window makes a hit with the text around the best match, which is enough for the snippet.
func (s *search) window(e *catalog.Entry, raw string, at int, spans []match.Span) *docHit {
	sn := match.Snip(raw, spans, nil, s.opt.Snippet)
	wide := 4 * min(s.opt.Snippet, maxLead)
	from, to := max(0, sn.Start-wide), min(len(raw), sn.End+wide)
	for from > 0 && !utf8.RuneStart(raw[from]) {
		from--
	}
	for to < len(raw) && !utf8.RuneStart(raw[to]) {
		to++
	}
	return &docHit{e: e, window: strings.Clone(raw[from:to]), windowStart: at + from}
}

var lineHyphen = regexp.MustCompile(`[-\x{2010}\x{ad}][ \t\r]*\n[ \t\r]*`)

// prefilter returns a quick test that is true for every text that may match, and false for most that do not.
func (p *plan) prefilter() func(string) bool {
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
	for _, v := range p.variants {
		if onlyStops(v.phrase) {
			rows = append(rows, driver.NewPhrase(v.phrase))
			continue
		}
		for _, g := range v.words {
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
