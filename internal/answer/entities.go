package answer

import (
	"context"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill/evidence"
)

// entities are those that the question names, then those that a search for its words finds.
func (g *gatherer) entities(ctx context.Context) ([]evidence.Item, error) {
	g.ans.Searched.Repositories = len(g.rooms.Repos)
	var out []evidence.Item
	by := map[string]*repository.Repository{}
	for _, r := range g.rooms.Repos {
		by[r.Label()] = r
		graph := r.Graph()
		entities, _ := graph.Len()
		g.ans.Searched.Entities += entities
		var wanted []string
		for _, t := range g.targets {
			wanted = append(wanted, t.Name)
		}
		for _, name := range append(wanted, g.q.Identifiers...) {
			if local, ok := r.LocalID(name); ok {
				for _, e := range graph.Named(local) {
					out = append(out, items.Entity(r, e, "name", "named in the question", 0))
				}
			}
		}
	}
	words := strings.Join(intent.ContentWords(g.ans.Topic), " ")
	if words == "" || len(g.rooms.Repos) == 0 {
		return out, nil
	}
	set, err := repository.Joined(g.rooms.Repos)
	if err != nil {
		return nil, err
	}
	res, err := set.Search(ctx, words, &codegraph.SearchOptions{Limit: g.opt.Entities, Kinds: []codegraph.Kind{codegraph.KindClass, codegraph.KindFunction}})
	if err != nil {
		return nil, err
	}
	for _, h := range res.Hits {
		r := by[h.Repo]
		h.ID, _ = r.LocalID(h.ID) // it is of this one
		out = append(out, items.Entity(r, h.Entity, h.Tier, h.Match, h.Score))
	}
	return out, nil
}
