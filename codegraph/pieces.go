package codegraph

import (
	"context"

	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/internal/relevance"
)

// A Piece is some lines of an entity that answer a question.
type Piece struct {
	Entity
	Repo    string             `json:"repo,omitempty"` // of a [Set]: its name
	First   int                `json:"first"`          // lines of the piece, inclusive
	Last    int                `json:"last"`
	Text    string             `json:"text"`    // of these lines, at most about 400 bytes
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
