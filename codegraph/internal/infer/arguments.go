package infer

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

const maxSpread = 12 // parameters that one spread container is given to

// pass gives the arguments of one call to the parameters of one callee.
func (ac *actions) pass(f *symtab.File, args []lang.Arg, v value.Value, give func(sourceKey, inflow)) {
	switch v.Kind {
	case value.Class:
		for _, m := range ac.members.constructors(f, v, args) {
			ac.pass(f, args, value.Value{Kind: value.Func, A: m.A, Bound: true}, give)
		}
		return
	case value.Inst:
		for _, m := range ac.members.callMethods(v) {
			ac.pass(f, args, m, give)
		}
		return
	case value.Func:
	default:
		return
	}
	ac.arguments(args, v, func(p int, x int32) {
		if plainValue(f, x) {
			return
		}
		give(sourceKey{kind: sourceParam, a: v.A, b: int32(p)}, inflow{f: f, x: x})
		if t := ac.prog.Decls[v.A].Decl().Params[p].Type; t != lang.None {
			ac.handOver(f, x, ac.ev.instances(ac.ev.eval(ac.prog.Decls[v.A].F, t)), give)
		}
	})
	ac.spreadArguments(f, args, v, give)
	params := ac.prog.Decls[v.A].Decl().Params
	last := len(params) - 1
	if last < 0 || last >= len(args) || params[last].Kind != lang.Rest || params[last].Type == lang.None {
		return
	}
	for _, list := range ac.ev.instances(ac.ev.eval(ac.prog.Decls[v.A].F, params[last].Type)) {
		for i, a := range args[last:] {
			if !a.Spread && a.Name == "" && a.X != lang.None && list.Kind == value.Box {
				ac.handOver(f, a.X, ac.containers.elements(list, itoa(i)), give)
			}
		}
	}
}

// arguments says which argument goes to which parameter of a function.
func (ac *actions) arguments(args []lang.Arg, v value.Value, to func(param int, x int32)) {
	d := ac.prog.Decls[v.A].Decl()
	next := ac.firstParam(v)
	for _, a := range args {
		if a.Spread {
			continue
		}
		if a.Name != "" {
			for p := range d.Params {
				if d.Params[p].Name == a.Name && d.Params[p].Kind != lang.Rest && d.Params[p].Kind != lang.RestNamed && a.X != lang.None {
					to(p, a.X)
				}
			}
			continue
		}
		if next < len(d.Params) && (d.Params[next].Kind == lang.Plain || d.Params[next].Kind == lang.Receiver) {
			if a.X != lang.None {
				to(next, a.X)
			}
			next++
		}
	}
}

// handOver gives the parameters of a function that is passed where a function type is wanted the types that it says.
func (ac *actions) handOver(f *symtab.File, arg int32, types []value.Value, give func(sourceKey, inflow)) {
	var want []value.Value
	for _, w := range types {
		if w.Kind == value.Func {
			want = append(want, w)
		}
	}
	if len(want) == 0 {
		return
	}
	for _, v := range ac.ev.eval(f, arg) {
		if v.Kind != value.Func {
			continue
		}
		params := ac.prog.Decls[v.A].Decl().Params
		for _, w := range want {
			r := ac.prog.Decls[w.A]
			for i, p := range r.Decl().Params {
				if i < len(params) && p.Type != lang.None && p.Kind == lang.Plain && params[i].Kind == lang.Plain && params[i].Type == lang.None {
					give(sourceKey{kind: sourceParam, a: v.A, b: int32(i)}, inflow{f: r.F, x: p.Type, key: inflowInstance})
				}
			}
		}
	}
}

// spreadArguments gives what a call leaves over or spreads out. Rest parameters with a container as their default take it.
func (ac *actions) spreadArguments(f *symtab.File, args []lang.Arg, v value.Value, give func(sourceKey, inflow)) {
	r := ac.prog.Decls[v.A]
	d := r.Decl()
	list, named := -1, -1
	for i := range d.Params {
		switch p := &d.Params[i]; {
		case p.Def == lang.None:
		case p.Kind == lang.Rest:
			list = i
		case p.Kind == lang.RestNamed:
			named = i
		}
	}
	if list < 0 && named < 0 && !slices.ContainsFunc(args, func(a lang.Arg) bool { return a.Spread }) {
		return
	}
	put := func(param int, x int32, key string) {
		if param >= 0 && x != lang.None && !plainValue(f, x) {
			give(sourceKey{kind: sourceBox, a: ac.containers.box(r.F, d.Params[param].Def)}, inflow{f: f, x: x, key: key})
		}
	}
	next := ac.firstParam(v)
	left := 0 // arguments that were put into the list
	for _, a := range args {
		switch {
		case !a.Spread && a.Name == "":
			if next < len(d.Params) && takesOne(d.Params[next].Kind) {
				next++
			} else {
				put(list, a.X, itoa(left))
				left++
			}
		case !a.Spread:
			if !slices.ContainsFunc(d.Params, func(p lang.Param) bool { return p.Name == a.Name && p.Kind != lang.Rest && p.Kind != lang.RestNamed }) {
				put(named, a.X, a.Name)
			}
		case a.X == lang.None:
		case a.Name == "**":
			for p := range min(len(d.Params), maxSpread) {
				if k := d.Params[p].Kind; k == lang.Plain && p >= next || k == lang.Named {
					give(sourceKey{kind: sourceParam, a: v.A, b: int32(p)}, inflow{f: f, x: a.X, key: d.Params[p].Name})
				}
			}
			put(named, a.X, inflowSpread)
		default:
			for i := range maxSpread {
				if p := next + i; p < len(d.Params) && takesOne(d.Params[p].Kind) {
					give(sourceKey{kind: sourceParam, a: v.A, b: int32(p)}, inflow{f: f, x: a.X, key: itoa(i)})
				}
			}
			put(list, a.X, inflowSpread)
		}
	}
}

func takesOne(k lang.ParamKind) bool { return k == lang.Plain || k == lang.Receiver }

// plainValue tells an expression that is a constant or says nothing.
func plainValue(f *symtab.File, x int32) bool {
	switch f.Table.Op(x) {
	case lang.OpExternal, lang.OpString, lang.OpUnknown:
		return true
	}
	return false
}

// firstParam gives the first parameter of a function that takes an argument of a call.
func (ac *actions) firstParam(v value.Value) int {
	d := ac.prog.Decls[v.A].Decl()
	if len(d.Params) > 0 && d.Params[0].Kind == lang.Receiver && (v.Bound || d.Flags&lang.ClassMethod != 0 || d.Receiver != "") {
		return 1
	}
	return 0
}

func itoa(i int) string { return strconv.Itoa(i) }
