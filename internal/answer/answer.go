package answer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/relevance"
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
	Tokens      int // most tokens of the pieces and the callers' code; 0 means 1,500
	Skip        int // pieces of each part that were seen already
	Documents   int // most documents to take pieces from; 0 means 10
	Passages    int // most pieces of one document; 0 means 5
	Entities    int // most code entities, callers aside; 0 means 12
	Collections []string
	Bodies      int // most callers whose code is read; 0 means 50, -1 none
	Lines       int // most lines of a caller's code that is given whole; 0 means 60, or 20 within a budget
}

// An Answer is the evidence for a question.
type Answer struct {
	Topic       string                        // what documents and code were searched for
	Parts       []Part                        // of the topic, in order
	Why         map[string]map[string]float64 // by key of the pieces of Parts: what their scores are made of
	Asked       bool                          // the question asks for callers or uses of something in code
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
	budget  bool
	left    int // of the budget, in tokens
}

// open resolves the symbols that a question asks about.
func open(ctx context.Context, rooms Rooms, question string, o Options) (*gatherer, error) {
	o.Tokens = cmp.Or(o.Tokens, 1500)
	q := intent.Parse(question)
	found, err := symbol.Resolve(ctx, rooms.Repos, q)
	if err != nil {
		return nil, err
	}
	g := &gatherer{rooms: rooms, opt: o, q: q, targets: found.Targets, ans: &Answer{
		Topic: q.Topic, Asked: found.Asked, Items: []evidence.Item{}, Why: map[string]map[string]float64{}, Missing: found.Missing, Assumptions: found.Assumptions, Problems: found.Problems,
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
	g.budget, g.left = true, g.opt.Tokens
	unresolved := g.ans.Problems
	g.ans.Problems = nil
	s := &g.ans.Searched
	s.Repositories = len(rooms.Repos)
	for _, r := range rooms.Repos {
		entities, _ := r.Graph().Len()
		s.Entities += entities
	}
	parts := g.parts()
	var found [][]piece
	for _, p := range parts {
		list, err := g.part(ctx, p)
		if err != nil {
			return nil, err
		}
		found = append(found, list)
	}
	g.problem(unresolved...)
	share := len(parts)
	if len(g.targets) > 0 {
		share++
	}
	callersFirst := g.onlyCallers()
	if callersFirst {
		if err := g.callers(ctx); err != nil {
			return nil, err
		}
	}
	for i, p := range parts {
		g.choose(p, found[i], g.left/(share-i))
	}
	if !callersFirst {
		if err := g.callers(ctx); err != nil {
			return nil, err
		}
	}
	return g.ans, ctx.Err()
}

// A part of a question: as it is written, and with what its pronouns refer to.
type part struct {
	shown, search string
	kind          relevance.Kind // of thing that is asked for
}

func newPart(shown, search string) part { return part{shown, search, relevance.Read(search).Kind} }

// parts are the questions that are asked of documents and code.
func (g *gatherer) parts() []part {
	if g.onlyCallers() { // what documents say of the symbol
		var names []string
		for _, o := range g.q.References {
			names = append(names, o.Name)
		}
		name := strings.Join(names, " ")
		return []part{newPart(name, name)}
	}
	var out []part
	subject := ""
	for _, s := range intent.Split(g.ans.Topic) {
		search := s
		if subject != "" && intent.RefersBack(s) {
			search += " " + subject
		}
		if words := strings.Join(intent.ContentWords(s), " "); subject == "" || !intent.RefersBack(s) {
			subject = words
		}
		out = append(out, newPart(s, search))
	}
	return out
}

// onlyCallers reports that nothing but callers is asked for.
func (g *gatherer) onlyCallers() bool {
	return len(g.q.References) > 0 && len(intent.ContentWords(g.q.Topic)) == 0
}

// choose adds the best pieces of a part, within a number of tokens.
func (g *gatherer) choose(asked part, list []piece, tokens int) {
	p := Part{Question: asked.shown, Nothing: !near(asked.kind, list)}
	if p.Nothing && g.onlyCallers() && len(g.targets) > 0 {
		return // the callers are the answer
	}
	list = list[min(g.opt.Skip, len(list)):]
	best := 0.
	for _, x := range list {
		best = max(best, x.sure())
	}
	far := len(list)
	list = slices.DeleteFunc(list, func(x piece) bool { return x.sure() < common*best })
	p.Far = far - len(list)
	for i, x := range list {
		size := g.size(x.item)
		if size > tokens && i > 0 || p.Nothing && i == nearest {
			p.Left = len(list) - i
			break
		}
		tokens -= size
		g.left -= size
		key := g.add(x.item)
		p.Keys = append(p.Keys, key)
		g.ans.Why[key] = x.signals
	}
	g.ans.Parts = append(g.ans.Parts, p)
}

// near reports whether pieces, best first, are about what is asked.
func near(kind relevance.Kind, list []piece) bool {
	var signals []map[string]float64
	extra := 0.
	if kind == relevance.Document { // what a document is about stands all over it
		extra = lean
	}
	for _, x := range list {
		signals = append(signals, x.signals)
		extra = max(extra, x.signals[asksForCode])
	}
	return relevance.Near(signals, extra)
}

// common is the share of what the best piece has of a question; one with less shares common words alone.
const common = .4

// nearest is how many pieces are shown where none is near.
const nearest = 3

// size is what an item takes of the budget, in tokens by estimate: a document's title and name stand once.
func (g *gatherer) size(it evidence.Item) int {
	n := len(it.Text) + 40 + len(it.At.Entity) + len(it.At.Path)
	if !slices.ContainsFunc(g.ans.Items, func(x evidence.Item) bool { return x.At.Doc == it.At.Doc }) {
		n += len(it.At.Title) + len(it.At.Name)
	}
	return n / 4
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
