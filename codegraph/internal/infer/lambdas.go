package infer

import (
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// conform gives the parameters of a function that stands for a type the types of that type's one method.
func (ac *actions) conform(f *symtab.File, typ, fn int32, give func(sourceKey, inflow)) {
	for _, v := range ac.ev.eval(f, fn) {
		if v.Kind != value.Func || ac.prog.Decls[v.A].Decl().Kind != lang.Lambda {
			continue
		}
		ac.conformTo(ac.ev.eval(f, typ), exprRef{f, typ}, v.A, give)
	}
}

// conformTo gives the parameters of the lambda fn the parameter types of the one method of a type, or what is in it where it
// is a type from outside with type arguments. typ is the expression of the type.
func (ac *actions) conformTo(types []value.Value, typ exprRef, fn int32, give func(sourceKey, inflow)) {
	params := ac.prog.Decls[fn].Decl().Params
	for _, t := range types {
		switch t.Kind {
		case value.Class, value.Inst:
			m, ok := ac.classes.onlyAbstract(t.A)
			if !ok {
				continue
			}
			r := ac.prog.Decls[m]
			for i := range min(len(params), len(r.Decl().Params)) {
				if x := r.Decl().Params[i].Type; params[i].Type == lang.None && x != lang.None {
					give(sourceKey{kind: sourceParam, a: fn, b: int32(i)}, inflow{f: r.F, x: x, key: inflowInstance})
				}
			}
		case value.Box:
			r := ac.containers.boxes[t.A]
			e := r.f.Expr(r.x)
			if e.Op != lang.OpApply {
				continue
			}
			for i := range params {
				if params[i].Type == lang.None && len(e.Args) > 0 {
					if x := e.Args[min(i, len(e.Args)-1)].X; x != lang.None {
						give(sourceKey{kind: sourceParam, a: fn, b: int32(i)}, inflow{f: r.f, x: x, key: inflowInstance})
					}
				}
			}
		}
	}
}

// passTyped gives to the functions among the arguments of a call, in a language where all other values are what their types
// say.
func (ac *actions) passTyped(f *symtab.File, call int32, give func(sourceKey, inflow)) {
	e := f.Expr(call)
	for _, v := range ac.overloads.fitting(f, ac.overloads.callees(f, e.X, e.Args), e.Args) {
		switch v.Kind {
		case value.Class:
			for _, m := range ac.members.constructors(f, v, e.Args) {
				ac.passLambdas(f, e.Args, m.A, give)
			}
		case value.Func:
			ac.passLambdas(f, e.Args, v.A, give)
		case value.Give:
			ac.passElements(f, e.Args, e.X, give, 0)
		}
	}
}

func (ac *actions) passLambdas(f *symtab.File, args []lang.Arg, fn int32, give func(sourceKey, inflow)) {
	r := ac.prog.Decls[fn]
	params := r.Decl().Params
	for i, a := range args {
		d, ok := lambdaAt(f, a.X)
		if !ok || len(params) == 0 {
			continue
		}
		typ := params[min(i, len(params)-1)].Type
		if typ != lang.None {
			ac.conformTo(ac.ev.eval(r.F, typ), exprRef{r.F, typ}, f.IDs[d], give)
		}
	}
}

// passElements gives what is in a container to the functions that one of its methods takes, also within the arguments of
// calls among its arguments: stream.collect(groupingBy(x -> x.f())).
func (ac *actions) passElements(f *symtab.File, args []lang.Arg, method int32, give func(sourceKey, inflow), depth int) {
	for _, a := range args {
		if a.X == lang.None {
			continue
		}
		if d, ok := lambdaAt(f, a.X); ok {
			params := f.Facts.Decls[d].Params
			for i := range params {
				key := lang.Values
				if i == 0 && len(params) > 1 && ac.containers.keyed(f, method) {
					key = lang.Keys
				}
				give(sourceKey{kind: sourceParam, a: f.IDs[d], b: int32(i)}, inflow{f: f, x: method, key: key})
			}
			continue
		}
		if e := f.Expr(a.X); e.Op == lang.OpCall && depth < 4 {
			if vals := ac.ev.eval(f, e.X); len(vals) > 0 && !value.AnyWithin(vals) {
				ac.passElements(f, e.Args, method, give, depth+1)
			}
		}
	}
}

// lambdaAt gives the function without name that an expression is.
func lambdaAt(f *symtab.File, x int32) (int32, bool) {
	if x == lang.None {
		return 0, false
	}
	e := f.Expr(x)
	return e.Decl, e.Op == lang.OpDecl && f.Facts.Decls[e.Decl].Kind == lang.Lambda
}

// hasLambda tells whether a function without name is among arguments, or among those of calls among them.
func hasLambda(f *symtab.File, args []lang.Arg, depth int) bool {
	for _, a := range args {
		if _, ok := lambdaAt(f, a.X); ok {
			return true
		}
		if a.X != lang.None && depth < 4 {
			if e := f.Expr(a.X); e.Op == lang.OpCall && hasLambda(f, e.Args, depth+1) {
				return true
			}
		}
	}
	return false
}
