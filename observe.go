package findspot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/text"
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

// observed is what language servers said of a repository.
type observed struct {
	mu    sync.Mutex
	seen  []lang.Observation
	known map[lang.Observation]bool
	of    *codegraph.Graph // the graph that seen was laid over
	graph *codegraph.Graph // and what that gave
	sum   codegraph.Overlaid
}

// maxObserved bounds what is kept of a repository.
const maxObserved = 200_000

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
	touched := map[*repo]bool{}
	for _, id := range ids {
		found := false
		for _, r := range repos {
			local, ok := r.localID(id)
			if !ok {
				continue
			}
			e, ok := r.graph().Entity(local)
			if !ok {
				continue
			}
			found, touched[r] = true, true
			if err := r.observe(ctx, e, opt, out); err != nil {
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
			r.graph()
			r.observed.mu.Lock()
			out.Applied += r.observed.sum.Applied
			out.Stale += r.observed.sum.Stale
			out.Unknown += r.observed.sum.Unknown
			r.observed.mu.Unlock()
		}
	}
	slices.Sort(out.Servers)
	out.Servers = slices.Compact(out.Servers)
	return out, nil
}

// observe asks for the references of one entity. What the server cannot say is noted; the error is that of the context or of
// a closed workspace.
func (r *repo) observe(ctx context.Context, e codegraph.Entity, opt ObserveOptions, out *Observed) error {
	note := func(format string, args ...any) {
		out.Notes = append(out.Notes, r.id(e.ID)+": "+fmt.Sprintf(format, args...))
	}
	if e.Kind != codegraph.KindClass && e.Kind != codegraph.KindFunction {
		note("a %s has no references", e.Kind)
		return nil
	}
	lc, err := r.servers(ctx)
	if err != nil {
		return err
	}
	l := r.namePlace(e)
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
		x, ok := r.observation(refs, at, e.Name)
		if ok && isDefinedAt(ctx, lc, at, refs.Target) {
			list = append(list, x)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	out.Found += len(list)
	if kept := r.believe(list); kept < len(list) {
		note("%d observations are kept already: %d are left out", maxObserved, len(list)-kept)
	}
	return nil
}

// believe keeps what servers said, and returns how many of the list are kept.
func (r *repo) believe(list []lang.Observation) int {
	o := &r.observed
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		o.known = map[lang.Observation]bool{}
	}
	kept := 0
	for _, x := range list {
		if o.known[x] {
			kept++
			continue
		}
		if len(o.seen) >= maxObserved {
			continue
		}
		kept++
		o.known[x] = true
		o.seen = append(o.seen, x)
		o.of = nil
	}
	return kept
}

// calledAt tells whether the name at a place is called there.
func calledAt(data []byte, at lspclient.Location) bool {
	for range at.EndLine - 1 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return false
		}
		data = data[i+1:]
	}
	return at.EndCol >= 1 && at.EndCol-1 <= len(data) && text.Called(data, at.EndCol-1)
}

// graph gives the current graph of the repository, with what language servers said of the files as they are.
func (r *repo) graph() *codegraph.Graph {
	g := r.ix.Graph()
	o := &r.observed
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.seen) == 0 {
		return g
	}
	if o.of != g {
		over, sum, err := g.Overlay(context.Background(), o.seen)
		if err != nil { // only the end of a context is one
			return g
		}
		o.of, o.graph, o.sum = g, over, sum
	}
	return o.graph
}
