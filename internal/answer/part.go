package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/relevance"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill/evidence"
)

// A Part is one of the questions that a text asks, with what answers it.
type Part struct {
	Question string
	Keys     []string // of its items, best first
	Nothing  bool     // nothing is near: what is listed is about something else
	Left     int      // pieces that were found and are not listed
	Far      int      // pieces that were left out because they share common words alone
}

// A piece is a candidate for one part.
type piece struct {
	item    evidence.Item
	signals map[string]float64 // of package relevance, and those of this one
	code    bool
}

// sure says how sure it is that a piece is about what is asked. Code says the same in fewer words.
func (p *piece) sure() float64 {
	return relevance.Sure(p.signals) + max(p.signals[asksForCode], 0)
}

// add adds a signal of this package to the score.
func (p *piece) add(signal string, v float64) {
	if v != 0 {
		p.signals[signal] = v
		p.item.Score += v
	}
}

// How many pieces are asked for.
const (
	pieceDocuments = 10 // documents
	piecePassages  = 5  // pieces of one
	pieceEntities  = 12
)

// part gathers the pieces for one part, best first, on the scale that documents and code share.
func (g *gatherer) part(ctx context.Context, p part) ([]piece, error) {
	list, err := g.documents(ctx, p)
	if err != nil {
		if ctx.Err() != nil || len(g.rooms.Repos) == 0 {
			return nil, err
		}
		g.ans.Problems = append(g.ans.Problems, fmt.Sprintf("documents: %v", err))
	}
	code, err := g.code(ctx, p.search)
	if err != nil {
		return nil, err
	}
	list = append(list, code...)
	more := leaning(p.kind)
	for i := range list {
		if list[i].code {
			list[i].add(asksForCode, more)
		}
	}
	slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(b.item.Score, a.item.Score) })
	return list, nil
}

// asksForCode is the signal of lean.
const asksForCode = "asks for code"

// lean is how far the kind of thing asked for moves code and documents apart.
const lean = .12

// leaning is what code is worth more than documents, by the kind of thing that is asked for.
func leaning(k relevance.Kind) float64 {
	switch k {
	case relevance.Code:
		return lean
	case relevance.Document:
		return -lean
	}
	return 0
}

// documents are the pieces of documents.
func (g *gatherer) documents(ctx context.Context, p part) ([]piece, error) {
	// An answer says what was not found; what is merely nearest would hide that.
	passages := piecePassages
	if p.kind == relevance.Document { // one piece shows that a document is meant
		passages = 1
	}
	res, err := g.rooms.Documents(ctx, p.search, &docsearch.SearchOptions{
		Mode: docsearch.ModeQuestion, Limit: cmp.Or(g.opt.Documents, pieceDocuments), Passages: cmp.Or(g.opt.Passages, passages), Collections: g.opt.Collections})
	if err != nil {
		return nil, err
	}
	s := &g.ans.Searched
	s.Queries = append(s.Queries, p.search)
	s.Documents, s.Failed, s.Freshness = res.Searched.Documents, res.Searched.Failed, res.Freshness
	s.FullText = s.FullText || res.Searched.FullText
	g.problem(res.Read.Notes...)
	if stale := items.StaleSources(res); stale != "" {
		g.problem(stale)
	}
	if res.Searched.Failed > 0 {
		g.problem(fmt.Sprintf("%d documents could not be read and were not searched", res.Searched.Failed))
	}
	var out []piece
	for _, h := range res.Hits {
		for _, p := range h.Passages {
			out = append(out, piece{item: items.Passage(h, p), signals: p.Signals})
		}
		for _, t := range h.Tables {
			out = append(out, piece{item: items.Table(h, t), signals: t.Signals})
		}
		for _, f := range h.Figures {
			out = append(out, piece{item: items.Figure(h, f), signals: f.Signals})
		}
	}
	return out, nil
}

// problem notes what could not be looked at, once.
func (g *gatherer) problem(list ...string) {
	for _, s := range list {
		if !slices.Contains(g.ans.Problems, s) {
			g.ans.Problems = append(g.ans.Problems, s)
		}
	}
}

// code are the pieces of code. An entity that the question names stands before what only has its words.
func (g *gatherer) code(ctx context.Context, question string) ([]piece, error) {
	if len(g.rooms.Repos) == 0 || len(intent.ContentWords(question)) == 0 {
		return nil, nil
	}
	set, err := repository.Joined(g.rooms.Repos)
	if err != nil {
		return nil, err
	}
	list, err := set.Pieces(ctx, question, &codegraph.SearchOptions{Limit: cmp.Or(g.opt.Entities, pieceEntities)})
	if err != nil {
		return nil, err
	}
	identifiers := intent.Parse(question).Identifiers
	var out []piece
	for _, p := range list {
		r := g.repo(p.Repo)
		if r == nil {
			continue
		}
		x := piece{item: items.Lines(r, p), signals: p.Signals, code: true}
		if slices.ContainsFunc(identifiers, func(name string) bool { return p.Name == name || strings.HasSuffix(p.ID, ":"+name) }) {
			x.add("named", named)
		}
		out = append(out, x)
	}
	return out, nil
}

// named is what the piece of an entity is worth more that the question calls by its name.
const named = .15

func (g *gatherer) repo(label string) *repository.Repository {
	for _, r := range g.rooms.Repos {
		if r.Label() == label {
			return r
		}
	}
	return nil
}
