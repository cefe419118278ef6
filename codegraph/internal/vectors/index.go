package vectors

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/background"
	"github.com/findspot/findspot/internal/embedding"
	"github.com/findspot/findspot/internal/vector"
)

// An Index has the vectors of the graphs of one repository, one after the other. It is safe for concurrent use.
type Index struct {
	embedder embedding.Embedder
	pool     *factpool.Pool // nil: vectors are kept in memory alone
	queries  embedding.Queries
	filler   background.Worker
	making   chan struct{} // of one place, held by who makes vectors

	mu     sync.Mutex      // guards what follows
	newest *snapshot.Graph // that the background makes vectors for
	view   *view           // of the graph that was asked for last
}

// New makes one with an embedder. Its vectors are kept in a pool of facts, or with nil in memory alone.
func New(e embedding.Embedder, pool *factpool.Pool, log *slog.Logger) *Index {
	x := &Index{embedder: e, pool: pool, queries: embedding.Queries{Embedder: e}, making: make(chan struct{}, 1)}
	x.filler.Name, x.filler.Logger = "codegraph: making vectors", log
	x.filler.Work = func(ctx context.Context) error {
		x.mu.Lock()
		g := x.newest
		x.mu.Unlock()
		return x.fill(ctx, g, func(string, int, int) {})
	}
	return x
}

// Embedder is the name of the embedder.
func (x *Index) Embedder() string { return x.embedder.Name() }

// A view is the vectors of one graph. Those of its files are filled in as they are made.
type view struct {
	g     *snapshot.Graph
	files []entities
}

// entities are those of one file.
type entities struct {
	path  string
	key   [32]byte
	nodes []uint32
	file  *file // nil: not made yet
}

// of gives the vectors of a graph, with those that the pool has.
func (x *Index) of(g *snapshot.Graph) *view {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.view != nil && x.view.g == g {
		return x.view
	}
	have := map[[32]byte]*file{}
	if x.view != nil {
		for _, e := range x.view.files {
			have[e.key] = e.file
		}
	}
	v := &view{g: g}
	pool := x.pool.Visit(factpool.PoolLeast)
	defer pool.End()
	for _, s := range g.Order {
		path := g.Slots[s].Path
		nodes := slices.DeleteFunc(slices.Clone(g.FileNodes(path)), func(n uint32) bool { return !Embeddable(g, n) })
		if len(nodes) == 0 {
			continue
		}
		k, ok := key(x.embedder.Name(), g, path, nodes)
		if !ok {
			continue
		}
		e := entities{path: path, key: k, nodes: nodes, file: have[k]}
		if e.file == nil {
			pool.Bytes(k, func(b []byte) (err error) {
				e.file, err = decode(b, len(nodes))
				return err
			})
		}
		v.files = append(v.files, e)
	}
	x.view = v
	return v
}

// Count says how many functions and classes of a graph have vectors, and how many are to have them.
func (x *Index) Count(g *snapshot.Graph) (done, all int) {
	v := x.of(g)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range v.files {
		all += len(e.nodes)
		if e.file != nil {
			done += len(e.nodes)
		}
	}
	return done, all
}

// A Scored is an entity and the cosine of its vector and that of a question.
type Scored struct {
	Node       uint32
	Similarity float64
}

// exact is how many of the nearest by their codes are compared by their bytes, at least, and for each that is wanted.
const (
	exactLeast = 100
	exactEach  = 4
)

// Near gives the n entities of a graph that are nearest to a question, nearest first, of those that keep takes, and how many were compared. What has no vector yet is left out. Its error is
// that of the embedder, or of ctx, or wraps errs.Unsupported where vectors that are kept under the embedder's name have another length.
func (x *Index) Near(ctx context.Context, g *snapshot.Graph, question string, n int, keep func(uint32) bool) (nearest []Scored, compared int, err error) {
	direction, err := x.queries.Vector(ctx, question)
	if err != nil || direction == nil {
		return nil, 0, err
	}
	files := x.files(g)
	q := vector.NewQuery(direction)
	top := vector.Top{Limit: max(exactLeast, exactEach*n)}
	type place struct{ file, i uint32 }
	var places []place
	var cosines []float32
	for fi, e := range files {
		if e.file == nil || e.file.size == 0 {
			continue
		}
		if err := x.comparable(e.file, direction); err != nil {
			return nil, 0, err
		}
		if fi%256 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		cosines = slices.Grow(cosines[:0], len(e.nodes))[:len(e.nodes)]
		q.Cosines(cosines, e.file.codes, e.file.weights)
		for i, c := range cosines {
			if e.file.scales[i] > 0 && keep(e.nodes[i]) {
				top.Add(vector.Near{Score: c, ID: e.nodes[i], At: uint32(len(places))})
				places = append(places, place{uint32(fi), uint32(i)})
			}
		}
	}
	out := []Scored{}
	for _, t := range top.Take() {
		p := places[t.At]
		out = append(out, Scored{t.ID, files[p.file].file.cosine(int(p.i), direction)})
	}
	slices.SortStableFunc(out, func(a, b Scored) int {
		switch {
		case a.Similarity > b.Similarity:
			return -1
		case a.Similarity < b.Similarity:
			return 1
		}
		return g.ByID(a.Node, b.Node)
	})
	return out[:min(n, len(out))], len(places), nil
}
