package docsearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/freshness"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/search"
)

// maxQuery bounds a query in bytes: the time of a search grows with its words.
const maxQuery = 8 << 10

// Search finds documents by passages, titles, figures and tables that match the query. It tries the tiers in the order phrase, all,
// any; a lower one fills what a higher one left empty. Words that only ask ("find", "show me", "what is") at the ends of the query, and stop
// words, need not match. A document number in the query ("... in 38.331") that is the number of a document here puts
// that document first and need not match either.
//
// Words in quotes ("cell search") must stand in a row in every passage, whatever the tier. A word or a phrase in quotes with a minus before it (-uplink, -"cell search")
// leaves out the passages that hold it; a document may still match by others. A minus within a word, before another minus or before a digit is none (-5 is
// a number). A backslash before a quote or a minus takes its meaning away. A quote that is not closed is plain text.
// [Results.Read] says how a query was understood.
//
// When nothing matches, the stored texts are asked before none is said; see [Searched]. There, "all" means that all words are in the document. A query of more than 8192
// bytes is an error wrapping [ErrTooLarge], options that make no sense are one wrapping [ErrUnsupported].
func (l *Library) Search(ctx context.Context, query string, o *SearchOptions) (*Results, error) {
	res, err := l.search(ctx, query, o)
	return res, public(err)
}

func (l *Library) search(ctx context.Context, text string, o *SearchOptions) (*Results, error) {
	var opt SearchOptions
	if o != nil {
		opt = *o
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	if len(text) > maxQuery {
		return nil, fmt.Errorf("query: %w: %d bytes, the limit is %d", ErrTooLarge, len(text), maxQuery)
	}
	if (opt.Mode == ModeVectors || opt.Mode == ModeHybrid) && l.vectors == nil {
		return nil, fmt.Errorf("search options: %w: Mode %s needs a library with an Embedder", ErrUnsupported, opt.Mode)
	}
	opt = opt.withDefaults()
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	cur, err := readCursor(text, &opt, c.Generation)
	if err != nil {
		return nil, err
	}
	in, err := l.scopes.of(ctx, l.docs, c, &opt)
	if err != nil {
		return nil, err
	}
	plan := query.New(text, opt.Literal, opt.Glossary.known(), func(number string) []string {
		return slices.DeleteFunc(c.Numbered(number), func(id string) bool { return !in.Has(id) })
	})
	res := &Results{Query: text, TotalExact: true, Hits: []Hit{}, Suggestions: []Suggestion{}, Read: understood(plan), Freshness: l.freshness(c)}
	res.Searched = Searched{Documents: in.Ready, Failed: in.Failed, Outside: c.Ready - in.Ready, Chunks: c.Chunks, Tiers: []Tier{}}
	if len(plan.Variants) == 0 && strings.TrimSpace(text) != "" && len(res.Read.Notes) == 0 {
		res.Read.Notes = append(res.Read.Notes, "there is no word in the query: it asks for nothing")
	}
	res.Read.Notes = append(res.Read.Notes, c.Missing(opt.Collections)...)
	if in.Undated > 0 {
		res.Read.Notes = append(res.Read.Notes, fmt.Sprintf("%d documents without a known date were left out", in.Undated))
	}
	if len(plan.Variants) == 0 {
		return res, nil // no word in the query
	}
	engine := opt.engine(l.vectors != nil, cur)
	found, err := search.Run(ctx, search.Library{Store: l.store, Docs: l.docs, Texts: l.texts, Vectors: l.vectors}, c, in, plan, text, engine)
	if err != nil {
		return nil, err
	}
	res.Mode = Mode(engine.Mode)
	if err := l.fill(ctx, res, found, c, cur, &opt); err != nil {
		return nil, err
	}
	if cur.listed > 0 {
		// Pages of two states of the library would not fit together.
		if now, err := l.store.Stats(ctx); err != nil {
			return nil, err
		} else if now.Generation != cur.generation {
			return nil, fmt.Errorf("cursor %s: %w", opt.Cursor, movedOn{})
		}
	}
	return res, nil
}

// understood says how a query was understood.
func understood(p *query.Plan) Read {
	r := p.Reading
	out := Read{Words: r.Words, Phrases: r.Phrases, Without: r.Without, Ignored: r.Ignored, Named: r.Named, Synonyms: []Synonym{}, Related: []Related{}, Notes: r.Notes}
	for _, s := range r.Synonyms {
		out.Synonyms = append(out.Synonyms, Synonym(s))
	}
	return out
}

// fill puts into the answer what a search found.
func (l *Library) fill(ctx context.Context, res *Results, found *search.Search, c *catalog.Catalog, cur *cursor, opt *SearchOptions) error {
	for _, t := range found.Tiers {
		res.Searched.Tiers = append(res.Searched.Tiers, Tier(t))
	}
	res.Searched.FullText, res.Searched.Unread, res.Searched.Vectors = found.FullText, found.Unread, found.Compared
	if found.VectorsError != nil {
		res.Searched.VectorsError = found.VectorsError.Error()
	}
	for _, r := range found.Related() {
		res.Read.Related = append(res.Read.Related, Related(r))
	}
	res.Total, res.TotalExact = found.Total()
	gone, seen := 0, cur.listed
	var shown []*catalog.Entry // the documents of the hits
	for _, d := range found.Docs() {
		if len(res.Hits) == opt.Limit || seen == search.MaxListed {
			break
		}
		seen++
		h, err := l.hit(ctx, found, d, opt.Passages)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			gone++ // removed or replaced while we searched
			continue
		}
		if err != nil {
			return err
		}
		if opt.Doc == "" {
			behind := *cur
			behind.listed = seen
			h.After = behind.String()
		}
		res.Hits = append(res.Hits, *h)
		shown = append(shown, d.Entry)
	}
	res.Read.Notes = append(res.Read.Notes, found.Notes()...)
	l.look(res, c, shown)
	res.Total -= gone
	res.Truncated = res.Total > cur.listed+len(res.Hits)
	if opt.Doc == "" && seen < search.MaxListed && seen > cur.listed && found.More(seen) {
		next := *cur
		next.listed = seen
		res.Next = next.String()
	}
	suggestions, err := found.Suggest(ctx)
	for _, s := range suggestions {
		res.Suggestions = append(res.Suggestions, Suggestion(s))
	}
	return err
}

// hit fills in one document.
func (l *Library) hit(ctx context.Context, found *search.Search, d *search.Doc, most int) (*Hit, error) {
	passages, err := found.Passages(ctx, d)
	if err != nil {
		return nil, err
	}
	h := &Hit{
		Doc: d.Entry.ID, Name: d.Entry.Name, Title: d.Entry.Title, Tier: Tier(d.Tier), Score: d.Score, Similarity: d.Similarity,
		Passages: []Passage{}, Figures: []FigureHit{}, Tables: []TableHit{},
	}
	for _, p := range passages {
		var signals map[string]float64
		if found.Question != nil {
			signals = p.Signals.Named()
		}
		h.Passages = append(h.Passages, Passage{
			Signals: signals,
			Page:    p.Page, LineStart: p.LineStart, LineEnd: p.LineEnd, Start: p.Start, End: p.End, Snippet: p.Snippet, Matches: p.Matches,
			Tier: Tier(p.Tier), Score: p.Score, Synonyms: p.Synonyms, Related: p.Related,
		})
	}
	for _, o := range d.Objects {
		if err := l.object(ctx, h, d.Entry, o); err != nil {
			return nil, err
		}
	}
	for _, p := range found.Parts(d) {
		switch {
		case p.Kind == driver.KindFigure && len(h.Figures) < most:
			f, err := object[FigureHit](ctx, l, d.Entry, p.Kind, p.N)
			if err != nil {
				return nil, err
			}
			f.Tier, f.Score = Tier(p.Tier), p.Score
			h.Figures = append(h.Figures, f)
		case p.Kind == driver.KindTable && len(h.Tables) < most:
			t, err := object[TableHit](ctx, l, d.Entry, p.Kind, p.N)
			if err != nil {
				return nil, err
			}
			if t.Rows == nil {
				t.Rows = [][]string{}
			}
			t.Tier, t.Score = Tier(p.Tier), p.Score
			h.Tables = append(h.Tables, t)
		}
	}
	return h, nil
}

// object adds a figure, or some rows of a table, that answer a question.
func (l *Library) object(ctx context.Context, h *Hit, e *catalog.Entry, o search.Object) error {
	if o.Kind == driver.KindFigure {
		f, err := object[FigureHit](ctx, l, e, o.Kind, o.N)
		if err != nil {
			return err
		}
		f.Tier, f.Score, f.Signals = TierAny, o.Score, o.Signals.Named()
		if strings.Contains(f.Caption, o.Text) {
			f.Caption, f.OCR = o.Text, ""
		} else {
			f.Caption, f.OCR = "", o.Text
		}
		h.Figures = append(h.Figures, f)
		return nil
	}
	t, err := object[TableHit](ctx, l, e, o.Kind, o.N)
	if err != nil {
		return err
	}
	if o.First > 0 {
		t.Head = t.Rows[0]
	}
	t.Rows = t.Rows[min(o.First, len(t.Rows)):min(o.Last, len(t.Rows))]
	t.Tier, t.Score, t.Signals = TierAny, o.Score, o.Signals.Named()
	h.Tables = append(h.Tables, t)
	return nil
}

// object reads a figure or a table as it was added.
func object[T any](ctx context.Context, l *Library, e *catalog.Entry, kind driver.Kind, n int) (T, error) {
	var x T
	recs, err := l.store.Records(ctx, e.ID, kind, []int{n})
	if err == nil {
		err = decodeObject(&x, e, recs[0])
	}
	return x, err
}

func decodeObject[T any](x *T, e *catalog.Entry, rec driver.Record) error {
	if err := json.Unmarshal(rec.Data, x); err != nil {
		return fmt.Errorf("document %q: %s %d: %w: %v", e.Name, rec.Kind, rec.N, ErrFormat, err)
	}
	return nil
}

// scopes remembers what the filters of the last searches came to: an agent asks much of one collection.
type scopes struct {
	mu         sync.Mutex // guards what follows
	generation uint64
	known      map[string]*catalog.Scope // by the filters
}

const maxScopes = 8

// of resolves the options that are about documents.
func (s *scopes) of(ctx context.Context, docs *catalog.List, c *catalog.Catalog, o *SearchOptions) (*catalog.Scope, error) {
	if o.Doc != "" {
		e := c.Get(o.Doc)
		if e == nil {
			var err error
			if e, err = docs.Resolve(ctx, o.Doc); err != nil {
				return nil, err
			}
		}
		return c.Pick([]*catalog.Entry{e}, o.filter()), nil
	}
	if o.Docs != nil {
		es := make([]*catalog.Entry, 0, len(o.Docs))
		for _, id := range o.Docs {
			if e := c.Get(id); e != nil {
				es = append(es, e)
			}
		}
		return c.Pick(es, o.filter()), nil
	}
	if !o.filter().IsSet() {
		return &catalog.Scope{Ready: c.Ready, Failed: c.Failed}, nil
	}
	data, err := json.Marshal([]any{o.Title, o.Author, o.From, o.To, o.Formats, o.Collections})
	if err != nil {
		return nil, err
	}
	key := string(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation != c.Generation || len(s.known) >= maxScopes {
		s.generation, s.known = c.Generation, nil
	}
	if in := s.known[key]; in != nil {
		return in, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := c.Pick(c.ByName(), o.filter())
	if s.known == nil {
		s.known = map[string]*catalog.Scope{}
	}
	s.known[key] = in
	return in, nil
}

// lookTime bounds the time that a search takes for looking at the files of what it found.
const lookTime = 5 * time.Millisecond

// look says of the hits, which are of the documents in found, whether their files changed.
func (l *Library) look(res *Results, c *catalog.Catalog, found []*catalog.Entry) {
	begin := time.Now()
	f := &res.Freshness
	for i, e := range found {
		state := freshness.Unknown
		if freshness.Lookable(e) {
			if f.Looked > 0 && time.Since(begin) > lookTime {
				continue
			}
			state = l.sources.Of(c, e)
			f.Looked++
		}
		if res.Hits[i].Source = SourceState(state); state == freshness.Changed || state == freshness.Gone {
			f.Stale++
		}
	}
}
