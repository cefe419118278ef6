package codegraph

import (
	"cmp"
	"context"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/query"
)

// A View says how much of an entity is shown.
type View string

// The views.
const (
	Fold    View = "fold"    // the signature
	Preview View = "preview" // the signature and about five lines of the body; for a class, file or directory its structure
	Full    View = "full"    // the whole text
)

// RetrieveOptions of [Graph.Retrieve].
type RetrieveOptions struct {
	View    View // "" means Full
	Numbers bool // begin each line with its number in the file and " | ", aligned, as LocAgent does
}

// A Retrieved is an entity with its text.
type Retrieved struct {
	Entity
	Repo string `json:"repo,omitempty"` // of a [Set]: its name
	Text string `json:"text"`           // ends in a newline
}

// Retrieve reads entities from the sources, in the order of ids. Full text is whole lines, Line to EndLine of the
// entity, which is given as to [Graph.Traverse]: by its id, as "path:line", or by a name that means no other. What is not
// there fails the whole call with an error wrapping [ErrNotFound] that lists near ids; a source that changed since it was
// indexed with one wrapping [ErrStale].
func (g *Graph) Retrieve(ctx context.Context, ids []string, o *RetrieveOptions) ([]Retrieved, error) {
	nodes, err := lookup(g.s, ids)
	if err != nil {
		return nil, err
	}
	return retrieve(ctx, Member{Graph: g}, query.NewTexts(g.s), nodes, o)
}

// or gives a view as package query takes it; first stands for none.
func (v View) or(first View) (query.View, error) {
	switch v = cmp.Or(v, first); v {
	case Fold, Preview, Full:
		return query.View(v), nil
	}
	return "", fmt.Errorf("codegraph: unknown view %q: use fold, preview or full", v)
}

// retrieve reads nodes of one member.
func retrieve(ctx context.Context, m Member, texts *query.Texts, nodes []uint32, o *RetrieveOptions) ([]Retrieved, error) {
	if o == nil {
		o = &RetrieveOptions{}
	}
	view, err := o.View.or(Full)
	if err != nil {
		return nil, err
	}
	out := make([]Retrieved, 0, len(nodes))
	for _, n := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := texts.Text(n, view, o.Numbers)
		if err != nil {
			return nil, err
		}
		e := entityOf(m.Graph.s.Node(n))
		e.ID = m.query().ID(e.ID)
		out = append(out, Retrieved{Entity: e, Repo: m.Name, Text: text})
	}
	return out, nil
}
