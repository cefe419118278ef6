package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// Arguments that are left over go into the containers of a function's rest parameters, and containers that are spread out in
// a call go to the parameters that are left: so do values pass through functions that only hand on what they are given.

// inflowSpread is the key of an inflow to a container that is a container itself, whose elements are meant.
const inflowSpread = "\x00spread"

const maxSpread = 12 // parameters that one spread container is given to

// spreadArguments gives what a call leaves over or spreads out. Rest parameters with a container as their default take it.
func (ac *actions) spreadArguments(f *File, args []lang.Arg, v value, give func(sourceKey, inflow)) {
	r := ac.prog.decls[v.a]
	d := r.decl()
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
			give(sourceKey{kind: sourceBox, a: ac.containers.box(r.f, d.Params[param].Def)}, inflow{f: f, x: x, key: key})
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
					give(sourceKey{kind: sourceParam, a: v.a, b: int32(p)}, inflow{f: f, x: a.X, key: d.Params[p].Name})
				}
			}
			put(named, a.X, inflowSpread)
		default:
			for i := range maxSpread {
				if p := next + i; p < len(d.Params) && takesOne(d.Params[p].Kind) {
					give(sourceKey{kind: sourceParam, a: v.a, b: int32(p)}, inflow{f: f, x: a.X, key: itoa(i)})
				}
			}
			put(list, a.X, inflowSpread)
		}
	}
}

func takesOne(k lang.ParamKind) bool { return k == lang.Plain || k == lang.Receiver }

// plainValue tells an expression that is a constant or says nothing.
func plainValue(f *File, x int32) bool {
	switch f.table.Op(x) {
	case lang.OpExternal, lang.OpString, lang.OpUnknown:
		return true
	}
	return false
}

// firstParam gives the first parameter of a function that takes an argument of a call.
func (ac *actions) firstParam(v value) int {
	d := ac.prog.decls[v.a].decl()
	if len(d.Params) > 0 && d.Params[0].Kind == lang.Receiver && (v.bound || d.Flags&lang.ClassMethod != 0 || d.Receiver != "") {
		return 1
	}
	return 0
}
