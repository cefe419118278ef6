package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/relevance"
)

// A Passage is the place of one match; see docsearch.Passage.
type Passage struct {
	Page, LineStart, LineEnd, Start, End int
	Snippet                              string
	Matches                              [][2]int
	Tier                                 query.Tier
	Score                                float64
	Synonyms                             []string
	Related                              []string          // of tier Related: the words that it holds
	Signals                              relevance.Signals // of mode Question: what its score is made of
}

// Parts returns what matches in a document, best first, and the nearest passage among the first ones.
func (s *Search) Parts(d *Doc) []Part {
	slices.SortStableFunc(d.parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Tier.Rank(), b.Tier.Rank()), cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
	})
	d.showNearest(s.opt.Passages)
	return d.parts
}

// Passages returns the passages of a document in the order of its parts, as many as were asked for.
func (s *Search) Passages(ctx context.Context, d *Doc) ([]Passage, error) {
	if s.opt.Mode == Question {
		return d.pieces, nil
	}
	lay, err := s.texts.Layout(ctx, d.Entry)
	if err != nil {
		return nil, err
	}
	out := []Passage{}
	if d.window != "" {
		if out, err = s.passage(ctx, out, d.Entry, lay, d.window, d.windowStart, Part{Tier: d.Tier, Score: d.Score, variant: d.variant}); err != nil {
			return nil, err
		}
	}
	for _, p := range s.Parts(d) {
		if p.Kind != driver.KindChunk || len(out) >= s.opt.Passages {
			continue
		}
		recs, err := s.store.Records(ctx, d.Entry.ID, p.Kind, []int{p.N})
		if err != nil {
			return nil, err
		}
		if out, err = s.passage(ctx, out, d.Entry, lay, recs[0].Text, recs[0].Start, p); err != nil {
			return nil, err
		}
	}
	// What the tier of related words found may hold words of the query too, where that of any word has more than was asked for.
	if d.Tier == query.Related && (slices.ContainsFunc(out, func(p Passage) bool { return p.Tier == query.Any }) || s.anyWord(match.Tokens(d.Entry.Title))) {
		d.Tier = query.Any
	}
	return out, nil
}

// passage adds the best place of one chunk to those of its document, unless it is there already: chunks share text at their ends.
func (s *Search) passage(ctx context.Context, have []Passage, e *catalog.Entry, lay *rawtext.Layout, txt string, start int, p Part) ([]Passage, error) {
	ss := match.Tokens(txt)
	if p.Tier == query.Related && s.anyWord(ss) {
		p.Tier, p.variant = query.Any, 0
	}
	v := s.wording(p)
	spans := s.plan.Spans(ss, v, p.Tier)
	if len(spans) == 0 && p.Tier == query.All { // a part of it is all we can show
		spans = match.WordSpans(ss, v.Words)
	}
	spans = s.sections.clip(e.ID, spans, start)
	wordless := len(spans) == 0 && p.Tier == query.Semantic
	if wordless {
		spans = whole(txt)
	}
	if len(spans) == 0 {
		return have, nil
	}
	for _, sp := range spans {
		if !wordless && sp.Group >= 0 && (sp.Precise || len(v.Words[sp.Group].Parts) == 1) {
			for _, t := range v.Words[sp.Group].Parts {
				s.shown[t] = true
			}
		}
	}
	var near []match.Span
	if s.opt.Near != "" {
		near = match.WordSpans(ss, query.NearGroups(s.opt.Near))
	}
	// A chunk may begin inside a word or just before its match: the text before it belongs to the snippet too.
	lead, err := s.texts.Slice(ctx, e, lay, start-4*min(s.opt.Snippet, maxLead), start)
	if err != nil {
		return nil, err
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
		Start: start + snip.Start, End: start + snip.End, Snippet: snip.Text, Matches: snip.Matches, Tier: p.Tier, Score: p.Score, Synonyms: v.Synonyms,
	}
	if p.Tier == query.Related {
		pass.Related = wordsAt(txt, spans)
	}
	if slices.ContainsFunc(have, func(q Passage) bool { return pass.Start < q.End && q.Start < pass.End }) {
		return have, nil
	}
	pass.Page = lay.Page(pass.Start)
	// The text at hand often begins with a piece, whose line is known.
	chunkStart := start + len(lead)
	if i := lay.PieceAt(chunkStart); len(lay.Pieces) > 0 && lay.Pieces[i].Start == chunkStart && pass.Start >= chunkStart {
		pass.LineStart = lay.Pieces[i].Line + strings.Count(txt[len(lead):pass.Start-start], "\n")
	} else if pass.LineStart, err = s.texts.LineOf(ctx, e, lay, pass.Start); err != nil {
		return nil, err
	}
	pass.LineEnd = pass.LineStart + strings.Count(txt[snip.Start:snip.End], "\n")
	return append(have, pass), nil
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
