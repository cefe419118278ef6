package vectors

import (
	"context"
	"errors"

	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/embedding"
	"github.com/findspot/findspot/internal/errs"
)

// fillTexts is how many texts are embedded before their vectors are kept, unless one file has more.
const fillTexts = 64

// Follow makes the missing vectors of a graph, the newest, in the background.
func (x *Index) Follow(g *snapshot.Graph) {
	x.mu.Lock()
	x.newest = g
	x.mu.Unlock()
	x.filler.Wake()
}

// State says whether vectors are being made in the background, and why they cannot be at the moment.
func (x *Index) State() (running bool, err error) { return x.filler.State() }

// Close ends what is done in the background. What is left goes on in the next process.
func (x *Index) Close() { x.filler.Close() }

// Fill makes the missing vectors of a graph and returns when none is. What makes them in the background stops for it. progress gets how many functions and
// classes have theirs, of all that are to have them.
func (x *Index) Fill(ctx context.Context, g *snapshot.Graph, progress func(path string, done, all int)) error {
	x.filler.Stop()
	err := x.fill(ctx, g, progress)
	if err != nil { // the background goes on
		x.Follow(g)
	}
	return err
}

func (x *Index) fill(ctx context.Context, g *snapshot.Graph, progress func(path string, done, all int)) error {
	select { // one at a time
	case x.making <- struct{}{}:
		defer func() { <-x.making }()
	case <-ctx.Done():
		return ctx.Err()
	}
	v := x.of(g)
	done, all := x.Count(g)
	var todo []int
	for i, e := range v.files { // only this call fills them in
		if e.file == nil {
			todo = append(todo, i)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	pool := x.pool.Visit(factpool.PoolLeast)
	defer pool.End()
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		sources := snapshot.NewSources(g)
		var texts []string
		var of []int
		for len(todo) > 0 && (len(texts) == 0 || len(texts)+len(v.files[todo[0]].nodes) <= fillTexts) {
			e := v.files[todo[0]]
			src, err := sources.File(e.path)
			switch {
			case errors.Is(err, errs.Stale), errors.Is(err, errs.NotFound): // the next graph has it
			case err != nil:
				return err
			default:
				for _, n := range e.nodes {
					texts = append(texts, textOf(g, n, string(src)))
				}
				of = append(of, todo[0])
			}
			todo = todo[1:]
		}
		vs, err := embedding.All(ctx, x.embedder, texts)
		if err != nil {
			return err
		}
		made := vs.Made
		for _, i := range of {
			e := v.files[i]
			f := newFile(made[:len(e.nodes)], vs.Size)
			made = made[len(e.nodes):]
			pool.PutBytes(e.key, f.encode())
			x.set(v, i, f)
			done += len(e.nodes)
			progress(e.path, done, all)
		}
	}
	return nil
}

// set fills in the vectors of a file, in the view of a newer graph too.
func (x *Index) set(v *view, i int, f *file) {
	x.mu.Lock()
	defer x.mu.Unlock()
	v.files[i].file = f
	if x.view == v {
		return
	}
	for j := range x.view.files {
		if e := &x.view.files[j]; e.key == v.files[i].key && e.file == nil {
			e.file = f
		}
	}
}
