package link

import (
	"github.com/findspot/findspot/codegraph/internal/factcodec"

	"context"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/infer"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Linker joins the facts of all files. It works on one state, in one goroutine, in the order of paths, so that equal
// states give equal graphs.
type Linker struct {
	prog     *symtab.Program
	modules  *modules.Modules
	solver   *solver.Solver
	values   *infer.Inference
	linkKind solver.Kind
	files    symtab.PerFile[*Linked]
	dirs     map[string]*symtab.File // stand for directories that edges lead to
	scratch  Linkage                 // memory of linkFile
	linked   []*Linked               // files whose linkage was made since this was last emptied, with repetitions
	Updates  int                     // that it made
	limit    int                     // links of readers after which it is not updated any more
	most     int                     // cells after which it is not
}

// A Source is one state of a repository, as its linker sees it.
type Source interface {
	modules.State
	// Facts decodes the facts of a file.
	Facts(p string, r *factcodec.Reader) (*lang.Facts, *factcodec.Table, error)
}

// Options of [New].
type Options struct {
	Track   bool                             // the linker can be updated
	Shuffle func(n int, swap func(i, j int)) // for tests: another order of equations
}

// New links a state: it finds the linkage of every file.
func New(ctx context.Context, langs []lang.Frontend, src Source, o Options) (*Linker, error) {
	s := solver.New(o.Shuffle)
	prog := symtab.New()
	ms := modules.New(prog, langs, src)
	l := &Linker{prog: prog, modules: ms, solver: s, values: infer.New(prog, ms, s, o.Track), dirs: map[string]*symtab.File{}}
	l.linkKind = s.Define(solver.Rule{Compute: l.linkFile, Eager: true, Late: true})
	for i, p := range src.Paths() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		facts, table, err := src.Facts(p, &prog.Reader)
		if err != nil {
			return nil, fmt.Errorf("codegraph: %s: %w", p, err)
		}
		f := prog.AddFile(p, src.Lang(p), facts, table)
		f.Resolver = ms.Resolver(f.Lang)
		prog.Number(f)
	}
	for _, f := range prog.Files {
		prog.Scopes(f)
	}
	if err := l.values.Settle(ctx); err != nil {
		return nil, err
	}
	for _, f := range prog.Files {
		s.Enqueue(l.addLinked(f).cell)
	}
	if err := s.Solve(ctx.Err); err != nil {
		return nil, err
	}
	if err := l.implement(ctx); err != nil {
		return nil, err
	}
	if !o.Track {
		for _, f := range prog.Files {
			f.Release()
		}
	}
	return l, nil
}

// Files lists all files, in the order in which they came.
func (l *Linker) Files() []*Linked { return l.files.List }

// addLinked makes the linkage of a file something to be computed.
func (l *Linker) addLinked(f *symtab.File) *Linked {
	at := l.files.Of(f)
	if *at == nil {
		*at = &Linked{File: f}
	}
	(*at).cell = l.solver.Add(l.linkKind, f.Index, 0)
	return *at
}

// linkFile makes the linkage of a file.
func (l *Linker) linkFile(c *solver.Cell) []value.Value {
	f := *l.files.Of(l.prog.Files[c.File])
	f.Linkage.Edges, f.Linkage.Loose = l.scratch.Edges[:0], l.scratch.Loose[:0]
	l.linked = append(l.linked, f)
	l.methodsOutside(f)
	l.definitions(f)
	l.imports(f)
	l.inherits(f)
	for r := range f.Table.Refs() {
		l.refEdges(f, r)
	}
	l.scratch.Edges, l.scratch.Loose = f.Linkage.Edges, f.Linkage.Loose // used again for the next file
	f.Linkage.Edges, f.Linkage.Loose = exactly(f.Linkage.Edges), exactly(f.Linkage.Loose)
	return nil
}

// exactly copies a list into no more memory than it takes.
func exactly[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }
