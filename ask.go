package findspot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/skill/evidence"
)

// AskOptions of [Workspace.Ask].
type AskOptions struct {
	Documents int // most documents to take passages from; 0 means 5
	Passages  int // most passages of one document; 0 means 3
	Entities  int // most code entities, callers aside; 0 means 6
	// Collections limits the documents to those in one of these collections; nil means all. One that is not there is among Problems.
	Collections []string
	Ledger      *evidence.Ledger
	Callers     *CallersOptions
	Bodies      int // most callers whose code is read; 0 means 50, -1 none
	Lines       int // most lines of a caller's code that is given whole; 0 means 60
}

// An Answer is the evidence for a question. Items holds everything that was found, in the order of its keys; the other
// fields say how it was found.
type Answer struct {
	Question    string           `json:"question"`
	Topic       string           `json:"topic"`   // what documents and code were searched for
	Items       []evidence.Item  `json:"items"`   // never nil
	Callers     []*CallersResult `json:"callers"` // one for each symbol whose callers were asked for; never nil
	Missing     []MissingSymbol  `json:"missing,omitempty"`
	Assumptions []string         `json:"assumptions"` // how the question was understood, where that was not plain
	Searched    AnswerSearched   `json:"searched"`
	Problems    []string         `json:"problems"` // what could not be looked at
}

// AnswerSearched says what an answer looked at.
type AnswerSearched struct {
	Documents    int                 `json:"documents"`    // documents in the library that were searched
	Failed       int                 `json:"failed"`       // documents that could not be read and were not searched
	Repositories int                 `json:"repositories"` // repositories searched
	Entities     int                 `json:"entities"`     // entities in their graphs
	Queries      []string            `json:"queries"`      // what documents were searched for
	FullText     bool                `json:"full_text"`    // nothing matched in the index, and the whole texts were read
	Freshness    docsearch.Freshness `json:"freshness"`
}

// Ask gathers the evidence that documents and code hold for a question, without a model. Documents are searched for the
// question and for the phrases in it; code for the names and words in it; callers are looked up when the question asks
// for them ("who calls X", "where is X used"), and the callers' code is read; [Workspace.ReferenceAnswer] gives this part
// alone. A phrase in the place of a symbol that is no symbol ("the detector") is taken for the entity of that name, and
// Assumptions says so.
//
// Ask returns an error only when nothing could be looked at, or ctx ended; what else went wrong is in Problems.
func (w *Workspace) Ask(ctx context.Context, q string, o *AskOptions) (*Answer, error) {
	if strings.TrimSpace(q) == "" {
		return nil, errors.New("ask: the question is empty")
	}
	var opt AskOptions
	if o != nil {
		opt = *o
	}
	opt.Documents, opt.Passages, opt.Entities = cmp.Or(opt.Documents, 5), cmp.Or(opt.Passages, 3), cmp.Or(opt.Entities, 6)
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewLedger()
	}
	parsed := intent.Parse(q)
	a := &asker{w: w, opt: opt, q: parsed, ans: &Answer{
		Question: q, Topic: parsed.Topic, Items: []evidence.Item{}, Callers: []*CallersResult{},
		Assumptions: []string{}, Problems: []string{}, Searched: AnswerSearched{Queries: []string{}},
	}}
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	a.repos = repos
	refs := &ReferenceAnswer{Question: q}
	read := &referenceReader{w: w, repos: repos, q: parsed, led: opt.Ledger, opt: ReferenceOptions{Callers: opt.Callers, Bodies: opt.Bodies, Lines: opt.Lines}, out: refs}
	symbols, err := read.symbols(ctx)
	if err != nil {
		return nil, err
	}
	if !refs.Asked {
		a.ans.Topic = intent.TrimTopic(q)
		a.q.References = nil
	}
	if err := a.documents(ctx, len(symbols) > 0); err != nil {
		if ctx.Err() != nil || len(repos) == 0 {
			return nil, err
		}
		a.ans.Problems = append(a.ans.Problems, fmt.Sprintf("documents: %v", err))
	}
	if err := a.code(ctx, symbols); err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if err := read.callers(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, it := range refs.Items {
		a.add(it)
	}
	a.ans.Callers, a.ans.Missing = append(a.ans.Callers, refs.Callers...), refs.Missing
	a.ans.Assumptions, a.ans.Problems = append(refs.Assumptions, a.ans.Assumptions...), append(a.ans.Problems, refs.Problems...)
	return a.ans, ctx.Err()
}

// asker answers one question.
type asker struct {
	w     *Workspace
	opt   AskOptions
	q     intent.Question
	repos []*repository.Repository
	ans   *Answer
}

func (a *asker) add(it evidence.Item) string {
	it = a.opt.Ledger.Add(a.w.guard().Item(it))
	if !slices.ContainsFunc(a.ans.Items, func(x evidence.Item) bool { return x.Key == it.Key }) {
		a.ans.Items = append(a.ans.Items, it)
	}
	return it.Key
}

// documents searches the documents for the topic, and for the longest phrase of it that some document holds. named says
// that the question names a symbol that is there.
func (a *asker) documents(ctx context.Context, named bool) error {
	query := a.ans.Topic
	// An answer says what was not found; what is merely nearest would hide that.
	o := &docsearch.SearchOptions{Limit: a.opt.Documents, Passages: a.opt.Passages, Mode: docsearch.ModeWords, Collections: a.opt.Collections}
	if a.q.Topic == "" { // only callers were asked for: what documents say of the symbol, and of nothing less
		var names []string
		for _, c := range a.q.References {
			names = append(names, c.Name)
		}
		query = strings.Join(names, " ")
		o.Tiers = []docsearch.Tier{docsearch.TierPhrase}
		if named {
			o.Tiers = append(o.Tiers, docsearch.TierAll)
		}
	}
	res, err := a.w.SearchDocs(ctx, query, o)
	if err != nil {
		return err
	}
	a.ans.Searched.Queries = append(a.ans.Searched.Queries, query)
	a.ans.Searched.Documents, a.ans.Searched.Failed = res.Searched.Documents, res.Searched.Failed
	a.ans.Searched.FullText, a.ans.Searched.Freshness = res.Searched.FullText, res.Freshness
	a.ans.Problems = append(a.ans.Problems, res.Read.Notes...)
	if changed, gone := hitSources(res); len(changed)+len(gone) > 0 {
		a.ans.Problems = append(a.ans.Problems, staleSources(changed, gone))
	}
	if res.Searched.Failed > 0 {
		a.ans.Problems = append(a.ans.Problems, fmt.Sprintf("%d documents could not be read and were not searched", res.Searched.Failed))
	}
	strict := &docsearch.SearchOptions{Limit: a.opt.Documents, Passages: a.opt.Passages, Near: query, Tiers: []docsearch.Tier{docsearch.TierPhrase}, Collections: a.opt.Collections}
	var hits []docsearch.Hit
	if len(res.Hits) > 0 && res.Hits[0].Tier != docsearch.TierPhrase {
		for _, p := range intent.Phrases(query, 12) {
			more, err := a.w.SearchDocs(ctx, p, strict)
			if err != nil {
				return err
			}
			a.ans.Searched.Queries = append(a.ans.Searched.Queries, p)
			if len(more.Hits) > 0 {
				hits = more.Hits
				for i := range hits {
					a.leaveRoom(&hits[i], query)
				}
				break
			}
		}
	}
	a.hits(append(hits, res.Hits...))
	return nil
}

// hitSources names the documents of an answer whose files changed since they were added, and those whose files are gone.
func hitSources(res *docsearch.Results) (changed, gone []string) {
	for i := range res.Hits {
		switch h := &res.Hits[i]; h.Source {
		case docsearch.SourceChanged:
			changed = append(changed, h.Name)
		case docsearch.SourceGone:
			gone = append(gone, h.Name)
		}
	}
	return changed, gone
}

// staleSources says so in words.
func staleSources(changed, gone []string) string {
	var out []string
	for _, x := range []struct {
		what  string
		names []string
	}{{"changed on disk since they were added", changed}, {"are gone from where they were added", gone}} {
		if n := len(x.names); n > 5 {
			x.names = append(x.names[:5:5], fmt.Sprintf("and %d more", n-5))
		}
		if len(x.names) > 0 {
			out = append(out, "files that "+x.what+": "+strings.Join(x.names, ", "))
		}
	}
	return strings.Join(out, "; ")
}

// leaveRoom gives up one passage of a phrase when none of them has all words of the query: a phrase that is common in a
// document must not hide where the rest of the question is answered.
func (a *asker) leaveRoom(h *docsearch.Hit, query string) {
	n := len(h.Passages)
	if n < 2 || n < a.opt.Passages {
		return
	}
	for _, p := range h.Passages {
		terms := text.Terms(p.Snippet)
		if !slices.ContainsFunc(text.Terms(strings.Join(intent.ContentWords(query), " ")), func(t string) bool { return !slices.Contains(terms, t) }) {
			return
		}
	}
	h.Passages = h.Passages[:n-1]
}

// enough is how many passages of better tiers make those of the tier "any" mere noise.
const enough = 4

// hits adds what documents hold: passages document by document, then figures and tables.
func (a *asker) hits(hits []docsearch.Hit) {
	count, good := map[string]int{}, 0
	passages := map[string][][2]int{}
	for _, h := range hits {
		if len(count) >= a.opt.Documents && count[h.Doc] == 0 {
			continue
		}
		for _, p := range h.Passages {
			overlap := slices.ContainsFunc(passages[h.Doc], func(s [2]int) bool { return p.LineStart <= s[1] && s[0] <= p.LineEnd })
			if count[h.Doc] >= a.opt.Passages || overlap || good >= enough && p.Tier == docsearch.TierAny {
				continue
			}
			good += b2i(p.Tier != docsearch.TierAny)
			count[h.Doc]++
			passages[h.Doc] = append(passages[h.Doc], [2]int{p.LineStart, p.LineEnd})
			a.add(passageItem(h, p))
		}
	}
	for _, h := range hits {
		for _, f := range h.Figures {
			a.add(figureItem(h, f))
		}
		for _, t := range h.Tables {
			a.add(tableItem(h, t))
		}
	}
}

func passageItem(h docsearch.Hit, p docsearch.Passage) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindPassage, Text: p.Snippet, Matches: p.Matches, Tier: string(p.Tier), Score: p.Score, Via: "docs",
		At: evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: p.Page, Line: p.LineStart, EndLine: p.LineEnd, Start: p.Start, End: p.End},
	}
}

func figureItem(h docsearch.Hit, f docsearch.FigureHit) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindFigure, Text: figureText(f), Tier: string(f.Tier), Score: f.Score, Via: "docs",
		At:   evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: f.Page},
		Note: fmt.Sprintf("figure at %.0f,%.0f to %.0f,%.0f points", f.BBox.X0, f.BBox.Y0, f.BBox.X1, f.BBox.Y1),
	}
}

func figureText(f docsearch.FigureHit) string { return cmp.Or(f.Caption, f.OCR) }

func tableText(t docsearch.TableHit) string {
	var b strings.Builder
	b.WriteString(t.Caption)
	for _, row := range t.Rows {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.Join(row, " | "))
	}
	return b.String()
}

func tableItem(h docsearch.Hit, t docsearch.TableHit) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindTable, Text: tableText(t), Tier: string(t.Tier), Score: t.Score, Via: "docs",
		At:   evidence.Place{Doc: h.Doc, Name: h.Name, Title: h.Title, Page: t.Page},
		Note: fmt.Sprintf("table of %d rows at %.0f,%.0f to %.0f,%.0f points", len(t.Rows), t.BBox.X0, t.BBox.Y0, t.BBox.X1, t.BBox.Y1),
	}
}

// code adds the entities that the question names, then those that a search for its words finds.
func (a *asker) code(ctx context.Context, symbols []target) error {
	a.ans.Searched.Repositories = len(a.repos)
	n := 0
	seen := map[string]bool{}
	add := func(r *repository.Repository, e codegraph.Entity, tier, note string, score float64) {
		if id := r.ID(e.ID); n < a.opt.Entities && !seen[id] {
			seen[id] = true
			n++
			a.add(entityItem(r, e, tier, note, score))
		}
	}
	for _, r := range a.repos {
		g := r.Graph()
		entities, _ := g.Len()
		a.ans.Searched.Entities += entities
		var wanted []string
		for _, s := range symbols {
			wanted = append(wanted, s.name)
		}
		for _, name := range append(wanted, a.q.Identifiers...) {
			if local, ok := r.LocalID(name); ok {
				for _, e := range g.Named(local) {
					add(r, e, "name", "named in the question", 0)
				}
			}
		}
	}
	words := strings.Join(intent.ContentWords(a.ans.Topic), " ")
	if words == "" {
		return nil
	}
	if len(a.repos) == 0 {
		return nil
	}
	var members []codegraph.Member
	by := map[string]*repository.Repository{}
	for _, r := range a.repos {
		members = append(members, codegraph.Member{Name: r.Label(), Graph: r.Graph()})
		by[r.Label()] = r
	}
	set, err := codegraph.NewSet(members...)
	if err != nil {
		return err
	}
	res, err := set.Search(ctx, words, &codegraph.SearchOptions{Limit: a.opt.Entities, Kinds: []codegraph.Kind{codegraph.KindClass, codegraph.KindFunction}})
	if err != nil {
		return err
	}
	for _, h := range res.Hits {
		r := by[h.Repo]
		h.ID, _ = r.LocalID(h.ID) // it is of this one
		add(r, h.Entity, h.Tier, h.Match, h.Score)
	}
	return nil
}

func entityItem(r *repository.Repository, e codegraph.Entity, tier, note string, score float64) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindEntity, Text: cmp.Or(e.Signature, e.Name), Tier: tier, Note: note, Score: score, Via: "graph",
		At: evidence.Place{Repo: r.Label(), Path: e.Path, Line: e.Line, EndLine: e.EndLine, Entity: r.ID(e.ID)},
	}
}

// CallerItem returns a caller as an item of evidence, without a key.
func CallerItem(c Caller) evidence.Item {
	it := evidence.Item{
		Kind: evidence.KindCaller, Text: c.Text, Via: c.Via, Level: string(c.Level),
		At: evidence.Place{Repo: c.Repo, Path: c.Entity.Path, Entity: c.Entity.ID},
	}
	if len(c.Sites) > 0 {
		it.At.Path, it.At.Line, it.At.EndLine = c.Sites[0].Path, c.Sites[0].Line, c.Sites[0].Line
	}
	var note []string
	if !c.Call {
		it.Kind = evidence.KindReference
		note = append(note, "a use, not a call")
	}
	if c.Entity.Test {
		note = append(note, "test code")
	}
	if n := len(c.Sites); n > 1 {
		note = append(note, fmt.Sprintf("%d places", n))
	}
	it.Note = strings.Join(note, ", ")
	return it
}
