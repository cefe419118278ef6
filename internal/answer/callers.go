package answer

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/symbol"
)

// callers looks up who uses each symbol that is asked about, and reads their code.
func (g *gatherer) callers(ctx context.Context) error {
	for _, t := range g.targets {
		if err := g.callersOf(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) assume(format string, args ...any) {
	g.ans.Assumptions = append(g.ans.Assumptions, fmt.Sprintf(format, args...))
}

func (g *gatherer) callersOf(ctx context.Context, t symbol.Target) error {
	found, err := g.rooms.Callers(ctx, t.Name)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.ans.Problems = append(g.ans.Problems, err.Error())
		return nil
	}
	res := &Callers{Result: found}
	if len(res.Symbols) > 1 {
		var ids []string
		for _, e := range res.Symbols {
			ids = append(ids, e.ID)
		}
		g.assume("%q names %d entities, and the callers of all are listed: %s", t.Name, len(ids), strings.Join(ids, ", "))
	}
	if t.In != "" && len(res.Uses) > 0 {
		n := 0
		for _, u := range res.Uses {
			if symbol.Inside(u.Entity, t.In) {
				n++
			}
		}
		g.assume("the question looks in %q: %d of the %d callers and uses are there, and all are listed", t.In, n, len(res.Uses))
	}
	for i := range res.Uses {
		it := items.Caller(res.Uses[i])
		res.Uses[i].Key = g.add(it)
		g.left -= g.size(it)
	}
	for _, e := range res.Symbols {
		for _, r := range g.rooms.Repos {
			if local, ok := r.LocalID(e.ID); ok {
				if d, ok := r.Graph().Entity(local); ok {
					g.add(items.Entity(r, d, "name", "the symbol", 0))
					break
				}
			}
		}
	}
	if err := g.readCode(ctx, res); err != nil {
		return err
	}
	for _, p := range res.Unread { // what no source explains, a reader may
		if it, err := g.rooms.Lines(ctx, p.Path, p.Line, p.Line); err == nil && len(it.Text) <= maxWindow {
			it.Note = "the name is written here, and nothing explains it"
			g.add(it)
		}
	}
	res.Key = g.add(items.Verdict(found, res.Code))
	g.ans.Callers = append(g.ans.Callers, res)
	return nil
}
