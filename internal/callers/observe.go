package callers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/lspclient"
)

// maxObserved bounds the references of one entity that are looked at.
const maxObserved = 200

// An Observed says what came of asking the language servers about entities.
type Observed struct {
	codegraph.Overlaid          // what became of all that was observed in this workspace so far
	Found              int      `json:"found"`   // references that these servers gave now and that lead to the entities
	Servers            []string `json:"servers"` // who answered, with versions, sorted
	Notes              []string `json:"notes"`   // what could not be asked, or not in full, by entity
}

// Observe asks the language servers of repositories that are open who refers to the entities with these ids, and lays what they say over the graphs as exact. A
// server whose answer is not complete is not believed; a reference counts when the server's own definition of the place is the entity, since servers list with a
// method also the calls of those it implements. An unknown id is an error that wraps [errs.NotFound].
func Observe(ctx context.Context, repos []*repository.Repository, ids []string) (*Observed, error) {
	out := &Observed{Servers: []string{}, Notes: []string{}}
	touched := map[*repository.Repository]bool{}
	for _, id := range ids {
		found := false
		for _, r := range repos {
			local, ok := r.LocalID(id)
			if !ok {
				continue
			}
			e, ok := r.Graph().Entity(local)
			if !ok {
				continue
			}
			found, touched[r] = true, true
			if err := observe(ctx, r, e, out); err != nil {
				return nil, err
			}
			break
		}
		if !found {
			return nil, fmt.Errorf("observe %q: %w", id, errs.NotFound)
		}
	}
	for _, r := range repos {
		if touched[r] {
			sum := r.Overlaid()
			out.Applied += sum.Applied
			out.Stale += sum.Stale
			out.Unknown += sum.Unknown
		}
	}
	slices.Sort(out.Servers)
	out.Servers = slices.Compact(out.Servers)
	return out, nil
}

// observe asks for the references of one entity. What the server cannot say is noted; the error is that of the context or of
// a closed workspace.
func observe(ctx context.Context, r *repository.Repository, e codegraph.Entity, out *Observed) error {
	note := func(format string, args ...any) {
		out.Notes = append(out.Notes, r.ID(e.ID)+": "+fmt.Sprintf(format, args...))
	}
	if !repository.IsCode(e) {
		note("a %s has no references", e.Kind)
		return nil
	}
	lc, err := r.Servers(ctx)
	if err != nil {
		return err
	}
	l := r.NamePlace(e)
	refs, err := lc.References(ctx, lspclient.At(l.Path, l.Line, l.Col), nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errs.Closed):
		return err
	case err != nil:
		note("%v", err)
		return nil
	}
	out.Servers = append(out.Servers, refs.Server)
	if refs.State != lspclient.Complete {
		note("%s: %s: %s", refs.Server, refs.State, refs.Reason)
		return nil
	}
	if refs.Truncated || len(refs.Locations) > maxObserved {
		note("only %d of %d references were looked at", min(maxObserved, len(refs.Locations)), refs.Total)
	}
	var list []lang.Observation
	for _, at := range refs.Locations[:min(maxObserved, len(refs.Locations))] {
		if at.Outside() {
			continue
		}
		x, ok := r.Observation(refs, at, e.Name)
		if ok && isDefinition(ctx, lc, at, refs.Target) {
			list = append(list, x)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	out.Found += len(list)
	if kept := r.Believe(list); kept < len(list) {
		note("%d observations are kept already: %d are left out", repository.MaxObserved, len(list)-kept)
	}
	return nil
}
