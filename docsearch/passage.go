package docsearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// hit fills in one document.
func (s *search) hit(ctx context.Context, d *docHit) (*Hit, error) {
	h := &Hit{
		Doc: d.e.ID, Name: d.e.Name, Title: d.e.Title, Tier: d.tier, Score: d.score, Similarity: d.similarity,
		Passages: []Passage{}, Figures: []FigureHit{}, Tables: []TableHit{},
	}
	slices.SortStableFunc(d.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.tier.rank(), b.tier.rank()), cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n))
	})
	d.showNearest(s.opt.Passages)
	lay, err := s.l.texts.Layout(ctx, d.e)
	if err != nil {
		return nil, err
	}
	if d.window != "" {
		if err := s.passage(ctx, h, d.e, lay, d.window, d.windowStart, part{tier: d.tier, score: d.score, variant: d.variant}); err != nil {
			return nil, err
		}
	}
	for _, p := range d.parts {
		switch {
		case p.kind == driver.KindDocument,
			p.kind == driver.KindChunk && len(h.Passages) >= s.opt.Passages,
			p.kind == driver.KindFigure && len(h.Figures) >= s.opt.Passages,
			p.kind == driver.KindTable && len(h.Tables) >= s.opt.Passages:
			continue
		}
		recs, err := s.l.store.Records(ctx, d.e.ID, p.kind, []int{p.n})
		if err != nil {
			return nil, err
		}
		rec := recs[0]
		switch p.kind {
		case driver.KindFigure:
			f := FigureHit{}
			if err := json.Unmarshal(rec.Data, &f); err != nil {
				return nil, fmt.Errorf("document %q: figure %d: %w: %v", d.e.Name, p.n, ErrFormat, err)
			}
			f.Tier, f.Score = p.tier, p.score
			h.Figures = append(h.Figures, f)
		case driver.KindTable:
			t := TableHit{}
			if err := json.Unmarshal(rec.Data, &t); err != nil {
				return nil, fmt.Errorf("document %q: table %d: %w: %v", d.e.Name, p.n, ErrFormat, err)
			}
			if t.Rows == nil {
				t.Rows = [][]string{}
			}
			t.Tier, t.Score = p.tier, p.score
			h.Tables = append(h.Tables, t)
		case driver.KindChunk:
			if err := s.passage(ctx, h, d.e, lay, rec.Text, rec.Start, p); err != nil {
				return nil, err
			}
		}
	}
	return h, nil
}

// passage adds the best place of one chunk to the hit, unless it is there already: chunks share text at their ends.
func (s *search) passage(ctx context.Context, h *Hit, e *catalog.Entry, lay *rawtext.Layout, txt string, start int, p part) error {
	v := &s.plan.variants[p.variant]
	ss := match.Tokens(txt)
	spans := s.plan.spans(ss, v, p.tier)
	if len(spans) == 0 && p.tier == TierAll { // a part of it is all we can show
		spans = match.WordSpans(ss, v.words)
	}
	spans = s.clip(e.ID, spans, start)
	wordless := len(spans) == 0 && p.tier == TierSemantic
	if wordless {
		spans = whole(txt)
	}
	if len(spans) == 0 {
		return nil
	}
	for _, sp := range spans {
		if !wordless && sp.Group >= 0 && (sp.Precise || len(v.words[sp.Group].Parts) == 1) {
			for _, t := range v.words[sp.Group].Parts {
				s.seen[t] = true
			}
		}
	}
	var near []match.Span
	if s.opt.Near != "" {
		near = match.WordSpans(ss, nearGroups(s.opt.Near))
	}
	// A chunk may begin inside a word or just before its match: the text before it belongs to the snippet too.
	lead, err := s.l.texts.Slice(ctx, e, lay, start-4*min(s.opt.Snippet, maxLead), start)
	if err != nil {
		return err
	}
	for lead != "" && !utf8.RuneStart(lead[0]) {
		lead = lead[1:]
	}
	txt, start = lead+txt, start-len(lead)
	shift(spans, len(lead))
	shift(near, len(lead))
	snip := match.Snip(txt, spans, near, s.opt.Snippet)
	if wordless {
		snip.Matches = [][2]int{}
	}
	pass := Passage{
		Start: start + snip.Start, End: start + snip.End, Snippet: snip.Text, Matches: snip.Matches, Tier: p.tier, Score: p.score, Synonyms: v.synonyms,
	}
	for _, q := range h.Passages {
		if pass.Start < q.End && q.Start < pass.End {
			return nil
		}
	}
	pass.Page = lay.Page(pass.Start)
	// The text at hand often begins with a piece, whose line is known.
	chunkStart := start + len(lead)
	if i := lay.PieceAt(chunkStart); len(lay.Pieces) > 0 && lay.Pieces[i].Start == chunkStart && pass.Start >= chunkStart {
		pass.LineStart = lay.Pieces[i].Line + strings.Count(txt[len(lead):pass.Start-start], "\n")
	} else if pass.LineStart, err = s.l.texts.LineOf(ctx, e, lay, pass.Start); err != nil {
		return err
	}
	pass.LineEnd = pass.LineStart + strings.Count(txt[snip.Start:snip.End], "\n")
	h.Passages = append(h.Passages, pass)
	return nil
}

// maxLead bounds the runes of text before a chunk that a long snippet may take in.
const maxLead = 10_000

// shift moves places by n bytes.
func shift(spans []match.Span, n int) {
	for i := range spans {
		spans[i].Start += n
		spans[i].End += n
	}
}

// matchText decides how a whole text matches, without an index.
func matchText(ss []match.Token, v *variant, tier Tier) []match.Span {
	if tier == TierPhrase {
		return match.PhraseSpans(ss, v.phrase)
	}
	spans := match.AllSpans(ss, v.words)
	if tier == TierAll && !match.EveryWord(v.words, spans) {
		return nil
	}
	return match.Outermost(spans)
}

// spans returns the places of a text that match at a tier, with those of the phrases in quotes.
func (p *plan) spans(ss []match.Token, v *variant, tier Tier) []match.Span {
	spans := matchText(ss, v, tier)
	if len(spans) == 0 || tier == TierPhrase {
		return spans
	}
	for _, c := range slices.Concat(p.require, v.require) {
		spans = append(spans, match.PhraseSpans(ss, c)...)
	}
	return match.Outermost(spans)
}
