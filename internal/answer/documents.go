package answer

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/items"
)

// documents searches the documents for the topic, and for the longest phrase of it that some document holds.
func (g *gatherer) documents(ctx context.Context, c *candidates) error {
	query := g.ans.Topic
	// An answer says what was not found; what is merely nearest would hide that.
	o := &docsearch.SearchOptions{Limit: g.opt.Documents, Passages: g.opt.Passages, Mode: docsearch.ModeWords, Collections: g.opt.Collections}
	if g.q.Topic == "" && len(g.q.References) > 0 { // only callers were asked for: what documents say of the symbol, and of nothing less
		var names []string
		for _, o := range g.q.References {
			names = append(names, o.Name)
		}
		query = strings.Join(names, " ")
		o.Tiers = []docsearch.Tier{docsearch.TierPhrase}
		if len(g.targets) > 0 {
			o.Tiers = append(o.Tiers, docsearch.TierAll)
		}
	}
	res, err := g.rooms.Documents(ctx, query, o)
	if err != nil {
		return err
	}
	g.ans.Searched.Queries = append(g.ans.Searched.Queries, query)
	g.ans.Searched.Documents, g.ans.Searched.Failed = res.Searched.Documents, res.Searched.Failed
	g.ans.Searched.FullText, g.ans.Searched.Freshness = res.Searched.FullText, res.Freshness
	g.ans.Problems = append(g.ans.Problems, res.Read.Notes...)
	if stale := items.StaleSources(res); stale != "" {
		g.ans.Problems = append(g.ans.Problems, stale)
	}
	if res.Searched.Failed > 0 {
		g.ans.Problems = append(g.ans.Problems, fmt.Sprintf("%d documents could not be read and were not searched", res.Searched.Failed))
	}
	strict := &docsearch.SearchOptions{Limit: g.opt.Documents, Passages: g.opt.Passages, Near: query, Tiers: []docsearch.Tier{docsearch.TierPhrase}, Collections: g.opt.Collections}
	var phrase []docsearch.Hit
	if len(res.Hits) > 0 && res.Hits[0].Tier != docsearch.TierPhrase {
		for _, p := range intent.Phrases(query, 12) {
			more, err := g.rooms.Documents(ctx, p, strict)
			if err != nil {
				return err
			}
			g.ans.Searched.Queries = append(g.ans.Searched.Queries, p)
			if len(more.Hits) > 0 {
				phrase = more.Hits
				break
			}
		}
	}
	c.query, c.phrase, c.hits = query, phrase, res.Hits
	return nil
}
