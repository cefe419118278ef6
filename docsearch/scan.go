package docsearch

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// scan reads the full stored text of every document, for what no index holds: words lost where a chunk ends, and
// queries of stop words alone.
func (s *search) scan(ctx context.Context, tiers []Tier) error {
	s.res.Searched.FullText = true
	may := s.plan.prefilter()
	for _, e := range s.c.byName {
		if e.Status != StatusReady || s.opt.Doc != "" && e.ID != s.opt.Doc {
			continue
		}
		err := s.scanDoc(ctx, e, tiers, may)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			continue // removed or replaced since the catalog was read
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scanWindow is the text read at a time, and scanOverlap how much of it is read again with the next, in bytes.
const (
	scanWindow  = 256 << 10
	scanOverlap = 1 << 10
)

// scanDoc reads one document window by window.
func (s *search) scanDoc(ctx context.Context, e *entry, tiers []Tier, may func(string) bool) error {
	lay, err := s.l.layoutOf(ctx, e)
	if err != nil {
		return err
	}
	best := map[Tier]*docHit{}
	groups := map[int]bool{} // words seen so far
	for at := 0; at < lay.Size; at += scanWindow {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := s.l.raw(ctx, e, lay, at, at+scanWindow+scanOverlap)
		if err != nil {
			return err
		}
		begin := at
		for len(raw) > 0 && !utf8.RuneStart(raw[0]) { // the window cuts a rune, which the last one held whole
			raw, begin = raw[1:], begin+1
		}
		if !may(raw) {
			continue
		}
		ss := slots(raw)
		for _, tier := range []Tier{TierPhrase, TierAny} {
			if s.plan.onlyStops() && tier != TierPhrase {
				continue
			}
			spans := matchText(ss, s.plan, tier)
			if len(spans) == 0 {
				continue
			}
			if tier == TierAny {
				for _, sp := range spans {
					groups[sp.group] = true
				}
			}
			if best[tier] == nil {
				best[tier] = s.scanned(e, raw, begin, spans)
			}
			best[tier].score += float64(len(spans))
		}
		if best[TierPhrase] != nil {
			break
		}
	}
	// All words of the document, wherever they stand, are the middle tier here.
	if best[TierAny] != nil && !slices.ContainsFunc(s.plan.words, func(g driver.Group) bool {
		return !g.Stop && !groups[slices.IndexFunc(s.plan.words, func(h driver.Group) bool { return slices.Equal(g.Parts, h.Parts) && g.Whole == h.Whole })]
	}) {
		best[TierAll] = best[TierAny]
	}
	for _, tier := range Tiers() {
		if d := best[tier]; d != nil && slices.Contains(tiers, tier) {
			d.tier = tier
			d.perTier = map[Tier]map[driver.Kind]float64{tier: {driver.KindChunk: d.score}}
			s.docs[e.ID] = d
			break
		}
	}
	return nil
}

// scanned makes a hit with the text around the best match, which is enough for the snippet.
func (s *search) scanned(e *entry, raw string, at int, spans []span) *docHit {
	sn := cutSnippet(raw, spans, nil, s.opt.Snippet)
	from, to := max(0, sn.start-4*s.opt.Snippet), min(len(raw), sn.end+4*s.opt.Snippet)
	for from > 0 && !utf8.RuneStart(raw[from]) {
		from--
	}
	for to < len(raw) && !utf8.RuneStart(raw[to]) {
		to++
	}
	return &docHit{
		e: e, first: slices.Contains(s.plan.named, e.ID), window: strings.Clone(raw[from:to]), windowStart: at + from,
	}
}

var lineHyphen = regexp.MustCompile(`[-\x{2010}\x{ad}][ \t\r]*\n[ \t\r]*`)

// prefilter returns a quick test that is true for every text that may match, and false for most that do not.
func (p *plan) prefilter() func(string) bool {
	fold := func(s string) string { return text.Fold(lineHyphen.ReplaceAllString(s, "")) }
	if p.onlyStops() {
		var words []string
		for _, g := range p.phrase {
			words = append(words, regexp.QuoteMeta(strings.Join(g.Parts, " ")))
		}
		re, err := regexp.Compile(strings.Join(words, `[^\pL\pN]+`))
		if err != nil {
			return func(string) bool { return true }
		}
		return func(s string) bool { return re.MatchString(text.Fold(s)) }
	}
	// A stem is the beginning of its words but for its last letter (happi: happy), and but for a few short words
	// (die: dying).
	var begins []string
	for _, g := range p.words {
		for _, part := range g.Parts {
			n := utf8.RuneCountInString(part)
			if n < 4 && strings.IndexFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
				n = min(n, 2)
			}
			begins = append(begins, string([]rune(part)[:max(1, n-1)]))
		}
	}
	return func(s string) bool {
		folded, plain := fold(s), text.Fold(s)
		return slices.ContainsFunc(begins, func(b string) bool { return strings.Contains(folded, b) || strings.Contains(plain, b) })
	}
}
