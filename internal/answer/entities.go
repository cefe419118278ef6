package answer

import (
	"context"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
)

// entities adds the entities that the question names, then those that a search for its words finds.
func (g *gatherer) entities(ctx context.Context) error {
	g.ans.Searched.Repositories = len(g.rooms.Repos)
	n := 0
	seen, by := map[string]bool{}, map[string]*repository.Repository{}
	add := func(r *repository.Repository, e codegraph.Entity, tier, note string, score float64) {
		if id := r.ID(e.ID); n < g.opt.Entities && !seen[id] {
			seen[id] = true
			n++
			g.add(items.Entity(r, e, tier, note, score))
		}
	}
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
					add(r, e, "name", "named in the question", 0)
				}
			}
		}
	}
	words := strings.Join(intent.ContentWords(g.ans.Topic), " ")
	if words == "" || len(g.rooms.Repos) == 0 {
		return nil
	}
	set, err := repository.Joined(g.rooms.Repos)
	if err != nil {
		return err
	}
	res, err := set.Search(ctx, words, &codegraph.SearchOptions{Limit: g.opt.Entities, Kinds: []codegraph.Kind{codegraph.KindClass, codegraph.KindFunction}})
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
