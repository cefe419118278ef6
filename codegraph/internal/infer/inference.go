package infer

import (
	"context"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/inclusion"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/mro"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// An Inference computes what expressions may be, over a program whose imports modules resolves, as cells of a solver.
type Inference struct {
	prog       *symtab.Program
	modules    *modules.Modules
	solver     *solver.Solver
	deps       *dependencies
	ev         *evaluator
	names      *names
	exports    *exports
	classes    *classes
	members    *members
	results    *results
	flows      *flows
	actions    *actions
	inc        *inclusion.Inclusion
	defs       *definitions
	choice     *overloads
	containers *containers
}

// New makes an inference of which no cells are computed. With track it remembers what updates need to know.
func New(prog *symtab.Program, ms *modules.Modules, s *solver.Solver, track bool) *Inference {
	deps := &dependencies{solver: s, tracking: track, tokens: map[tokenKey]solver.ID{}}
	xs := &externals{outsideOf: map[outsideType]int32{}}
	inc := inclusion.New(prog, ms)
	ev, ns, ex, cs, mb, ct := &evaluator{}, &names{}, &exports{}, &classes{}, &members{}, &containers{}
	fl, rs, ac, iv, df, ov, cv := &flows{}, &results{}, &actions{}, &includedNames{}, &definitions{}, &overloads{}, &conversions{}
	*ev = evaluator{prog: prog, modules: ms, solver: s, names: ns, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, results: rs, overloads: ov}
	*ns = names{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, flows: fl, results: rs,
		included: iv, defs: df, wildcards: map[wildcardKey]solver.ID{}}
	*ex = exports{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, members: mb, moduleNames: map[modules.Name]solver.ID{}}
	*cs = classes{prog: prog, solver: s, deps: deps, ev: ev, containers: ct, flows: fl, orders: map[int32]solver.ID{}, mros: map[int32]*mro.Order{}}
	*mb = members{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, containers: ct, externals: xs, flows: fl, results: rs,
		included: iv, defs: df, overloads: ov, ownAttrs: map[attrKey]bool{}}
	*ct = containers{prog: prog, solver: s, ev: ev, members: mb, externals: xs, flows: fl, results: rs, elems: map[elemKey]solver.ID{}}
	*fl = flows{prog: prog, solver: s, deps: deps, ev: ev, sources: make([]source, 1), sourceOf: map[packedSource]solver.ID{}}
	*rs = results{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, overloads: ov, actions: ac, results: map[int32]solver.ID{},
		returns: map[int32][]exprRef{}, returnTyp: map[int32][]exprRef{}, yields: map[int32][]exprRef{}, fluent: map[int32]bool{}}
	*ac = actions{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, flows: fl, overloads: ov}
	*iv = includedNames{prog: prog, ev: ev, names: ns, members: mb, externals: xs, inc: inc}
	*df = definitions{prog: prog, deps: deps, ev: ev, flows: fl, inc: inc, found: map[int32][]int32{}}
	*ov = overloads{prog: prog, deps: deps, ev: ev, classes: cs, included: iv, defs: df, conversions: cv}
	*cv = conversions{prog: prog, ev: ev, classes: cs, containers: ct, externals: xs}

	ns.nameKind = s.Define(solver.Rule{Compute: ns.bindings})
	ns.wildcardKind = s.Define(solver.Rule{Compute: ns.wildcardValues})
	ev.exprKind = s.Define(solver.Rule{Compute: func(c *solver.Cell) []value.Value { return ev.evalOp(prog.Files[c.File], c.Arg) }})
	rs.resultKind = s.Define(solver.Rule{Compute: rs.returned})
	ex.moduleNameKind = s.Define(solver.Rule{Compute: ex.moduleMember})
	ct.elemKind = s.Define(solver.Rule{Compute: ct.inside})
	cs.orderKind = s.Define(solver.Rule{Compute: cs.reorder, Forget: func(c *solver.Cell) { delete(cs.mros, c.Arg) }})
	fl.sourceKind = s.Define(solver.Rule{})
	fl.attrKind = s.Define(solver.Rule{Compute: fl.assigned})
	ac.actionKind = s.Define(solver.Rule{Compute: ac.act, Eager: true})
	deps.tokenKind = s.Define(solver.Rule{})
	return &Inference{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, members: mb, containers: ct,
		flows: fl, results: rs, actions: ac, inc: inc, defs: df, choice: ov}
}

// Settle computes what all declared types are, and has all that scopes give computed when the solver runs.
func (in *Inference) Settle(ctx context.Context) error {
	for _, f := range in.prog.Files {
		in.results.gather(f)
	}
	in.inc.Fill()
	for _, f := range in.prog.Files {
		in.actions.plan(f)
	}
	// Types come first: what is known of them decides what else is looked at.
	for _, f := range in.prog.Files {
		for _, a := range *in.actions.plans.Of(f) {
			if len(a.decls) > 0 || slices.ContainsFunc(a.binds, func(i int32) bool { return f.Facts.Bindings[i].Kind == lang.Extend }) {
				in.solver.Read(a.cell)
			}
		}
	}
	for _, f := range in.prog.Files {
		in.types(f)
	}
	if err := in.solver.Solve(ctx.Err); err != nil {
		return err
	}
	for _, f := range in.prog.Files {
		for _, a := range *in.actions.plans.Of(f) {
			in.solver.Enqueue(a.cell)
		}
	}
	return nil
}

// types evaluates what a file says of types: bases, annotations, results.
func (in *Inference) types(f *symtab.File) {
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Class {
			in.classes.order(f.IDs[i])
		}
		for _, p := range d.Params {
			in.ev.eval(f, p.Type)
		}
	}
	for i := range f.Facts.Bindings {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Annotate || b.Kind == lang.ReturnType {
			in.ev.eval(f, b.Value)
		}
	}
}

// Eval gives what an expression may be; nil when nothing is known.
func (in *Inference) Eval(f *symtab.File, x int32) []value.Value { return in.ev.eval(f, x) }

// Callees gives the functions and classes that a call may run: of overloaded ones those that take the arguments.
func (in *Inference) Callees(f *symtab.File, callee int32, args []lang.Arg) []value.Value {
	return in.choice.callees(f, callee, args)
}

// Fitting puts in the place of overloaded names the functions that the arguments of a call, in file f, choose.
func (in *Inference) Fitting(f *symtab.File, vals []value.Value, args []lang.Arg) []value.Value {
	return in.choice.fitting(f, vals, args)
}

// Plain puts the functions that overloaded names may mean in the place of the names.
func (in *Inference) Plain(vals []value.Value) []value.Value { return in.choice.plain(vals) }

// Constructors gives the methods that run when a class is instantiated; of overloaded ones those that take the arguments.
func (in *Inference) Constructors(f *symtab.File, v value.Value, args []lang.Arg) []value.Value {
	return in.members.constructors(f, v, args)
}

// Getters gives the properties that run when a member is read.
func (in *Inference) Getters(f *symtab.File, x int32) []value.Value { return in.members.getters(f, x) }

// CallMethods gives the methods that run when an instance is called.
func (in *Inference) CallMethods(v value.Value) []value.Value { return in.members.callMethods(v) }

// Order gives the lookup order of a class's members.
func (in *Inference) Order(c int32) *mro.Order { return in.classes.order(c) }

// Owners lists the classes that the receiver of a method written outside of its class may be.
func (in *Inference) Owners(f *symtab.File, d *lang.Decl) []int32 { return in.names.owners(f, d) }

// Defining gives what a declaration announces, where that is found, or the declaration itself.
func (in *Inference) Defining(d int32) []value.Value { return in.defs.standValues(d) }

// Imported gives what module m offers under a name: the declarations, or else whatever it stands for.
func (in *Inference) Imported(m int32, name string) []value.Value {
	vals := in.exports.exported(m, name)
	if d := in.exports.declaredAs(m, name, 0); d != nil { // the name itself, whatever its decorators make of it
		vals = d
	}
	return in.Plain(vals)
}

// InnerClass gives the class that a module's Inner names.
func (in *Inference) InnerClass(m *modules.Module) []value.Value { return in.exports.innerClass(m) }

// MethodsNamed lists the methods of a name in a family of languages.
func (in *Inference) MethodsNamed(family, name string) []int32 {
	in.deps.token(methodNamed(family, name))
	return in.prog.Methods[family][name]
}

// ModuleFiles gives a module, of which the current cell reads the files.
func (in *Inference) ModuleFiles(n int32) *modules.Module {
	in.deps.token(filesOf(n))
	return in.modules.At(n)
}
