package findspot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/lspclient"
)

// ObserveOptions of [Workspace.Observe].
type ObserveOptions struct {
	Limit int // most references of one entity that are looked at; 0 means 200
}

// An Observed says what came of asking the language servers about entities.
type Observed struct {
	codegraph.Overlaid          // what became of all that was observed in this workspace so far
	Found              int      `json:"found"`   // references that these servers gave now and that lead to the entities
	Servers            []string `json:"servers"` // who answered, with versions, sorted
	Notes              []string `json:"notes"`   // what could not be asked, or not in full, by entity
}

// Observe asks the language servers who refers to the entities with these ids, and lays what they say over the graphs of the
// workspace as exact: see [codegraph.Graph.Overlay]. All queries see it, until a file changes: then what was observed there no longer
// counts. Nothing is written to disk. A server whose answer is not complete is not believed, which Notes says; a reference counts when
// the server's own definition of the place is the entity, since servers list with a method also the calls of those it
// implements. An unknown id is an error that wraps [ErrNotFound]; without servers the error wraps [ErrUnsupported].
func (w *Workspace) Observe(ctx context.Context, ids []string, o *ObserveOptions) (*Observed, error) {
	var opt ObserveOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit <= 0 {
		opt.Limit = 200
	}
	if w.opt.NoServers {
		return nil, fmt.Errorf("language servers are switched off for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
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
			if err := observe(ctx, r, e, opt, out); err != nil {
				return nil, err
			}
			break
		}
		if !found {
			return nil, fmt.Errorf("observe %q: %w", id, ErrNotFound)
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
func observe(ctx context.Context, r *repository.Repository, e codegraph.Entity, opt ObserveOptions, out *Observed) error {
	note := func(format string, args ...any) {
		out.Notes = append(out.Notes, r.ID(e.ID)+": "+fmt.Sprintf(format, args...))
	}
	if e.Kind != codegraph.KindClass && e.Kind != codegraph.KindFunction {
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
	case errors.Is(err, ErrClosed):
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
	if refs.Truncated || len(refs.Locations) > opt.Limit {
		note("only %d of %d references were looked at", min(opt.Limit, len(refs.Locations)), refs.Total)
	}
	var list []lang.Observation
	for _, at := range refs.Locations[:min(opt.Limit, len(refs.Locations))] {
		if at.Outside() {
			continue
		}
		x, ok := r.Observation(refs, at, e.Name)
		if ok && callers.IsDefinition(ctx, lc, at, refs.Target) {
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
