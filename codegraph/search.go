package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/internal/relevance"
)

// SearchOptions of [Graph.Search].
type SearchOptions struct {
	Limit int      // most hits; 0 means 10
	Kinds []Kind   // only these; empty means all
	Paths []string // only under these paths or path patterns (path.Match); empty means all
	Tests bool     // show test code too
	// Generated shows generated and vendored code too. What the query names exactly is shown even so, when all that has
	// that name is such code.
	Generated bool
	View      View // what Text holds; "" means Fold
}

// A SearchResult is the answer of [Graph.Search].
type SearchResult struct {
	Query           string      `json:"query"`
	Total           int         `json:"total"` // distinct entities found in the tiers visited
	Truncated       bool        `json:"truncated"`
	TestsHidden     int         `json:"tests_hidden"`     // entities found and left out because they are test code
	GeneratedHidden int         `json:"generated_hidden"` // those left out because they are generated or vendored, and not test code
	Hits            []EntityHit `json:"hits"`
	Vectors         int         `json:"vectors,omitempty"` // entities whose vectors were compared with the query's; 0 where names and words alone were searched
	// VectorsError says why vectors were left out of a search that would have compared them.
	VectorsError string    `json:"vectors_error,omitempty"`
	Readings     []Reading `json:"readings,omitempty"` // of the words of a question in plain words
}

// A Reading says that a word of a question that at most ten functions have was also searched for as another one that means about the same.
type Reading struct {
	Word      string `json:"word"`
	As        string `json:"as"`
	Functions int    `json:"functions"` // that have the other word, those in test code and generated code aside
}

// An EntityHit is an entity found.
type EntityHit struct {
	Entity
	Repo  string  `json:"repo,omitempty"` // of a [Set]: its name
	Tier  string  `json:"tier"`           // "name" or "body"; "meaning": its vector alone
	Match string  `json:"match"`          // exact, case, prefix, subword, fuzzy; bm25; vector
	Score float64 `json:"score"`          // comparable within one kind of match
	// Similarity is the cosine of its vector and the query's, where that is among the nearest; else 0.
	Similarity float64 `json:"similarity,omitempty"`
	Text       string  `json:"text"`  // per View; "" when the source changed since it was indexed
	Lines      []int   `json:"lines"` // body hits: up to five lines that hold most words of the query, in order
}

// Search finds entities by name first, and fills up with those whose text fits best (BM25), unless the query is the whole
// name of something that is there: an id, a place, "Class.method". The query is a name in any
// form that [Graph.Named] takes, a part of one, a place, or some words; names of code among other words count as names.
// A query of four plain words or more, none written as code is, is a question: functions come before other entities with the same words, code before
// examples, documentation and what is built from it, and the names around an entity count as well; a word that hardly any function has is also searched
// for as others that mean about the same ([SearchResult].Readings).
// Hits come by kind of match, score and id. Names score higher the more of the name the query says; among equals, what
// more edges reach and what lies less deep comes first.
func (g *Graph) Search(ctx context.Context, query string, o *SearchOptions) (*SearchResult, error) {
	return search(ctx, []Member{{Graph: g}}, query, o)
}

func (o *SearchOptions) withDefaults() (*query.SearchOptions, error) {
	var opt SearchOptions
	if o != nil {
		opt = *o
	}
	kinds, bad := kindNumbers(opt.Kinds, kinds[:], unknownKind)
	if opt.Limit < 0 {
		bad = append(bad, errors.New("codegraph: Limit is negative"))
	}
	view, err := opt.View.or(Fold)
	return &query.SearchOptions{Limit: cmp.Or(opt.Limit, 10), Kinds: kinds, Paths: opt.Paths, Tests: opt.Tests, Generated: opt.Generated, View: view},
		errors.Join(append(bad, err, query.CheckPaths(opt.Paths))...)
}

func unknownKind(k Kind) error {
	return fmt.Errorf("codegraph: unknown entity kind %q: use directory, file, class or function", k)
}

// search asks graphs, one scale of scores for all.
func search(ctx context.Context, in []Member, text string, o *SearchOptions) (*SearchResult, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := query.Search(ctx, membersOf(in), text, opt)
	if err != nil {
		return nil, err
	}
	out := &SearchResult{Query: text, Total: r.Total, Truncated: r.Truncated, TestsHidden: r.TestsHidden, GeneratedHidden: r.GeneratedHidden, Hits: []EntityHit{}}
	if out.Vectors = r.Compared; r.VectorsError != nil {
		out.VectorsError = r.VectorsError.Error()
	}
	for _, h := range r.Hits {
		hit := EntityHit{Entity: entityOf(h.Node), Repo: h.Repo, Tier: "name", Match: h.Match, Score: h.Score, Similarity: h.Similarity, Text: h.Text, Lines: append([]int{}, h.Lines...)}
		switch h.Match {
		case query.Body:
			hit.Tier = "body"
		case query.Meaning:
			hit.Tier = "meaning"
		}
		out.Hits = append(out.Hits, hit)
	}
	for _, x := range r.Readings {
		out.Readings = append(out.Readings, Reading(x))
	}
	return out, nil
}

// A Piece is some lines of an entity that answer a question.
type Piece struct {
	Entity
	Repo    string             `json:"repo,omitempty"` // of a [Set]: its name
	First   int                `json:"first"`          // lines of the piece, inclusive
	Last    int                `json:"last"`
	Text    string             `json:"text"`    // of these lines, about 400 bytes, from the first line of the entity where that is near
	Score   float64            `json:"score"`   // on one scale for all questions, and that of docsearch.ModeQuestion
	Signals map[string]float64 `json:"signals"` // what Score is the weighted sum of
}

// Pieces finds the lines of code, of comments and of docstrings that answer a question in plain words, best first, at most one piece an entity. The
// options are those of [Graph.Search], but for View.
func (g *Graph) Pieces(ctx context.Context, question string, o *SearchOptions) ([]Piece, error) {
	return pieces(ctx, []Member{{Graph: g}}, question, o)
}

// Pieces asks all members, see [Graph.Pieces].
func (s *Set) Pieces(ctx context.Context, question string, o *SearchOptions) ([]Piece, error) {
	return pieces(ctx, s.members, question, o)
}

func pieces(ctx context.Context, in []Member, question string, o *SearchOptions) ([]Piece, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	found, err := query.Pieces(ctx, membersOf(in), relevance.Read(question), opt)
	if err != nil {
		return nil, err
	}
	out := make([]Piece, 0, opt.Limit)
	for _, p := range found[:min(len(found), opt.Limit)] {
		out = append(out, Piece{Entity: entityOf(p.Node), Repo: p.Repo, First: p.First, Last: p.Last, Text: p.Text, Score: p.Score, Signals: p.Signals.Named()})
	}
	return out, nil
}
