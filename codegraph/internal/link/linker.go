package link

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// A Linker joins the facts of all files. It works on one state, in one goroutine, in the order of paths, so that equal
// states give equal graphs.
type Linker struct {
	prog        *program
	modules     *modules
	solver      *solver
	deps        *dependencies
	ev          *evaluator
	names       *names
	exports     *exports
	classes     *classes
	members     *members
	containers  *containers
	externals   *externals
	flows       *flows
	results     *results
	actions     *actions
	inc         *inclusion
	included    *includedNames
	defs        *definitions
	overloads   *overloads
	conversions *conversions
	linkKind    cellKind

	dirs    map[string]*File // stand for directories that edges lead to
	scratch Linkage          // memory of linkFile
	linked  []*File          // files whose linkage was made since this was last emptied, with repetitions
	Updates int              // that it made
	limit   int              // links of readers after which it is not updated any more
	most    cellID           // cells after which it is not
	moving  bool             // what resolvers answer may have changed
}

// A Source is one state of a repository, as its linker sees it.
type Source interface {
	// Paths lists the files, sorted.
	Paths() []string
	// Lang names the front end of a file, "" for one that none reads or that is not there.
	Lang(p string) string
	// Package gives the package that a file says it is of.
	Package(p string) string
	// Facts decodes the facts of a file.
	Facts(p string, r *lang.Reader) (*lang.Facts, *lang.Table, error)
	// Configs gives the configuration files, by path.
	Configs() map[string][]byte
}

// Options of [New].
type Options struct {
	Track   bool                             // the linker can be updated
	Shuffle func(n int, swap func(i, j int)) // for tests: another order of equations
}

// New links a state: it finds the linkage of every file.
func New(ctx context.Context, langs []lang.Frontend, src Source, o Options) (*Linker, error) {
	l := newLinker(langs, o)
	l.modules.makeResolvers(src)
	for i, p := range src.Paths() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		facts, table, err := src.Facts(p, &l.prog.reader)
		if err != nil {
			return nil, fmt.Errorf("codegraph: %s: %w", p, err)
		}
		f := l.prog.addFile(p, src.Lang(p), facts, table)
		f.res = l.modules.resolvers[f.lang]
		for d := range f.Facts.Decls {
			f.ids = append(f.ids, int32(len(l.prog.decls)))
			l.prog.decls = append(l.prog.decls, declRef{f, int32(d)})
		}
	}
	for _, f := range l.prog.Files {
		l.prog.scopes(f)
	}
	if err := l.resolve(ctx); err != nil {
		return nil, err
	}
	if !o.Track {
		for _, f := range l.prog.Files {
			f.release()
		}
	}
	return l, nil
}

// newLinker makes a linker without files.
func newLinker(langs []lang.Frontend, o Options) *Linker {
	s := newSolver(o.Shuffle)
	prog := &program{byPath: map[string]*File{}, gone: map[string]*File{}, methods: map[string]map[string][]int32{}, rules: map[string]*lang.Rules{}}
	ms := &modules{prog: prog, langs: langs, moduleOf: map[string]int32{}}
	deps := &dependencies{solver: s, tracking: o.Track, tokens: map[tokenKey]cellID{}}
	xs := &externals{outsideOf: map[outsideType]int32{}}
	inc := &inclusion{prog: prog, modules: ms}
	ev, ns, ex, cs, mb, ct := &evaluator{}, &names{}, &exports{}, &classes{}, &members{}, &containers{}
	fl, rs, ac, iv, df, ov, cv := &flows{}, &results{}, &actions{}, &includedNames{}, &definitions{}, &overloads{}, &conversions{}
	*ev = evaluator{prog: prog, modules: ms, solver: s, names: ns, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, results: rs, overloads: ov}
	*ns = names{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, flows: fl, results: rs,
		included: iv, defs: df, wildcards: map[wildcardKey]cellID{}}
	*ex = exports{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, members: mb, moduleNames: map[moduleName]cellID{}}
	*cs = classes{prog: prog, solver: s, deps: deps, ev: ev, containers: ct, flows: fl, orders: map[int32]cellID{}, mros: map[int32]*mro{}}
	*mb = members{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, containers: ct, externals: xs, flows: fl, results: rs,
		inc: inc, included: iv, defs: df, overloads: ov, ownAttrs: map[attrKey]bool{}}
	*ct = containers{prog: prog, solver: s, ev: ev, members: mb, externals: xs, flows: fl, results: rs, elems: map[elemKey]cellID{}}
	*fl = flows{prog: prog, solver: s, deps: deps, ev: ev, sources: make([]source, 1), sourceOf: map[packedSource]cellID{}}
	*rs = results{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, overloads: ov, actions: ac, results: map[int32]cellID{},
		returns: map[int32][]exprRef{}, returnTyp: map[int32][]exprRef{}, yields: map[int32][]exprRef{}, fluent: map[int32]bool{}}
	*ac = actions{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, flows: fl, overloads: ov}
	*iv = includedNames{prog: prog, ev: ev, names: ns, members: mb, externals: xs, inc: inc}
	*df = definitions{prog: prog, deps: deps, ev: ev, flows: fl, inc: inc}
	*ov = overloads{prog: prog, deps: deps, ev: ev, classes: cs, included: iv, defs: df, conversions: cv}
	*cv = conversions{prog: prog, ev: ev, classes: cs, containers: ct, externals: xs}

	ns.nameKind = s.define(rule{compute: ns.bindings})
	ev.exprKind = s.define(rule{compute: func(c *cell) []value { return ev.evalOp(prog.Files[c.file], c.a) }})
	rs.resultKind = s.define(rule{compute: rs.returned})
	ex.moduleNameKind = s.define(rule{compute: ex.moduleMember})
	ns.wildcardKind = s.define(rule{compute: ns.wildcardValues})
	ct.elemKind = s.define(rule{compute: ct.inside})
	cs.orderKind = s.define(rule{compute: cs.reorder, forget: func(c *cell) { delete(cs.mros, c.a) }})
	fl.sourceKind = s.define(rule{})
	fl.attrKind = s.define(rule{compute: fl.assigned})
	ac.actionKind = s.define(rule{compute: ac.act, eager: true})
	deps.tokenKind = s.define(rule{})
	l := &Linker{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, members: mb, containers: ct, externals: xs,
		flows: fl, results: rs, actions: ac, inc: inc, included: iv, defs: df, overloads: ov, conversions: cv, dirs: map[string]*File{}}
	l.linkKind = s.define(rule{compute: l.linkFile, eager: true, late: true})
	return l
}

// Files lists all files, in the order in which they came.
func (l *Linker) Files() []*File { return l.prog.Files }

// resolve makes all edges that are not there by the structure of the files.
func (l *Linker) resolve(ctx context.Context) error {
	for _, f := range l.prog.Files {
		l.results.gatherResults(f)
	}
	l.inc.planIncludes()
	for _, f := range l.prog.Files {
		l.actions.planActions(f)
	}
	// Types come first: what is known of them decides what else is looked at.
	for _, f := range l.prog.Files {
		for _, a := range f.actions {
			if len(a.decls) > 0 || slices.ContainsFunc(a.binds, func(i int32) bool { return f.Facts.Bindings[i].Kind == lang.Extend }) {
				l.solver.read(a.cell)
			}
		}
	}
	for _, f := range l.prog.Files {
		l.types(f)
	}
	if err := l.solver.solve(ctx.Err); err != nil {
		return err
	}
	for _, f := range l.prog.Files {
		for _, a := range f.actions {
			l.solver.enqueue(a.cell)
		}
	}
	for _, f := range l.prog.Files {
		f.link = l.solver.add(l.linkKind, f.index, 0)
		l.solver.enqueue(f.link)
	}
	if err := l.solver.solve(ctx.Err); err != nil {
		return err
	}
	return l.implement(ctx)
}

// types evaluates what a file says of types: bases, annotations, results.
func (l *Linker) types(f *File) {
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Class {
			l.classes.order(f.ids[i])
		}
		for _, p := range d.Params {
			l.ev.eval(f, p.Type)
		}
	}
	for i := range f.Facts.Bindings {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Annotate || b.Kind == lang.ReturnType {
			l.ev.eval(f, b.Value)
		}
	}
}

// linkFile makes the linkage of a file.
func (l *Linker) linkFile(c *cell) []value {
	f := l.prog.Files[c.file]
	f.Linkage.Edges, f.Linkage.Loose = l.scratch.Edges[:0], l.scratch.Loose[:0]
	l.linked = append(l.linked, f)
	l.methodsOutside(f)
	l.definitions(f)
	l.imports(f)
	l.inherits(f)
	for r := range f.table.Refs() {
		l.refEdges(f, r)
	}
	l.scratch.Edges, l.scratch.Loose = f.Linkage.Edges, f.Linkage.Loose // used again for the next file
	f.Linkage.Edges, f.Linkage.Loose = exactly(f.Linkage.Edges), exactly(f.Linkage.Loose)
	return nil
}

// exactly copies a list into no more memory than it takes.
func exactly[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }
