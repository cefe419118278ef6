package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/symbol"
	"github.com/findspot/findspot/skill/evidence"
)

// Rooms are where evidence comes from.
type Rooms struct {
	Documents func(ctx context.Context, query string, o *docsearch.SearchOptions) (*docsearch.Results, error)
	Repos     []*repository.Repository // open
	Callers   func(ctx context.Context, name string) (*callers.Result, error)
	Lines     func(ctx context.Context, path string, first, last int) (evidence.Item, error)
	// Key gives an item its key, and masks what must not be shown.
	Key func(evidence.Item) evidence.Item
}

// Options bound an answer. The zero value of each field is its default.
type Options struct {
	Documents   int // most documents to take passages from; 0 means 5
	Passages    int // most passages of one document; 0 means 3
	Entities    int // most code entities, callers aside; 0 means 6
	Collections []string
	Bodies      int // most callers whose code is read; 0 means 50, -1 none
	Lines       int // most lines of a caller's code that is given whole; 0 means 60
}

// An Answer is the evidence for a question.
type Answer struct {
	Topic       string // what documents and code were searched for
	Asked       bool   // the question asks for callers or uses of something in code
	Items       []evidence.Item
	Callers     []*Callers // one for each symbol whose callers were asked for
	Missing     []symbol.Missing
	Assumptions []string
	Problems    []string
	Searched    Searched
}

// Searched says what an answer looked at.
type Searched struct {
	Documents    int
	Failed       int
	Repositories int
	Entities     int
	Queries      []string // of documents
	FullText     bool
	Freshness    docsearch.Freshness
}

// Callers are the callers of one symbol, as evidence.
type Callers struct {
	*callers.Result
	Key  string // of the verdict; the uses have their own
	Code *items.CodeRead
}

// Complete reports whether all callers that a question asks for are known and their code was read.
func (a *Answer) Complete() bool {
	return len(a.Callers) > 0 && len(a.Missing) == 0 && len(a.Problems) == 0 && !slices.ContainsFunc(a.Callers, func(c *Callers) bool { return !c.Code.Complete })
}

// gatherer answers one question.
type gatherer struct {
	rooms   Rooms
	opt     Options
	q       intent.Question
	targets []symbol.Target
	ans     *Answer
}

// open resolves the symbols that a question asks about.
func open(ctx context.Context, rooms Rooms, question string, o Options) (*gatherer, error) {
	o.Documents, o.Passages, o.Entities = cmp.Or(o.Documents, 5), cmp.Or(o.Passages, 3), cmp.Or(o.Entities, 6)
	q := intent.Parse(question)
	found, err := symbol.Resolve(ctx, rooms.Repos, q)
	if err != nil {
		return nil, err
	}
	g := &gatherer{rooms: rooms, opt: o, q: q, targets: found.Targets, ans: &Answer{
		Topic: q.Topic, Asked: found.Asked, Items: []evidence.Item{}, Missing: found.Missing, Assumptions: found.Assumptions, Problems: found.Problems,
		Searched: Searched{Queries: []string{}},
	}}
	if !found.Asked {
		g.ans.Topic, g.q.References = intent.TrimTopic(question), nil
	}
	return g, nil
}

// add adds a piece of evidence, once, and returns its key.
func (g *gatherer) add(it evidence.Item) string {
	it = g.rooms.Key(it)
	if !slices.ContainsFunc(g.ans.Items, func(x evidence.Item) bool { return x.Key == it.Key }) {
		g.ans.Items = append(g.ans.Items, it)
	}
	return it.Key
}

// Ask gathers what documents and code hold for a question. It returns an error only when nothing could be looked at, or ctx ended.
func Ask(ctx context.Context, rooms Rooms, question string, o Options) (*Answer, error) {
	g, err := open(ctx, rooms, question, o)
	if err != nil {
		return nil, err
	}
	unresolved := g.ans.Problems
	g.ans.Problems = nil
	var c candidates
	if err := g.documents(ctx, &c); err != nil {
		if ctx.Err() != nil || len(rooms.Repos) == 0 {
			return nil, err
		}
		g.ans.Problems = append(g.ans.Problems, fmt.Sprintf("documents: %v", err))
	}
	g.ans.Problems = append(g.ans.Problems, unresolved...)
	if c.entities, err = g.entities(ctx); err != nil {
		return nil, err
	}
	for _, it := range choose(c, g.opt) {
		g.add(it)
	}
	if err := g.callers(ctx); err != nil {
		return nil, err
	}
	return g.ans, ctx.Err()
}

// References gathers what code holds for a question that asks for callers or uses, and nothing else.
func References(ctx context.Context, rooms Rooms, question string, o Options) (*Answer, error) {
	g, err := open(ctx, rooms, question, o)
	if err == nil {
		err = g.callers(ctx)
	}
	if err != nil {
		return nil, err
	}
	return g.ans, nil
}
