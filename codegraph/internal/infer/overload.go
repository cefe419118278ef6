package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// overloads chooses among functions of one name.
type overloads struct {
	prog        *symtab.Program
	deps        *dependencies
	ev          *evaluator
	classes     *classes
	included    *includedNames
	defs        *definitions
	conversions *conversions
}

// maxGuessed is how many overloads a call may stay linked to when its arguments tell no more. A call of one of many is left
// open.
const maxGuessed = 3

// overloads lists the functions that an overloaded name may mean: those of its scope and, where a language has it so, those
// of the base classes of the class it was looked up in, nearest first. open tells that a base class outside may have more.
func (ov *overloads) overloads(v value.Value) (out []value.Value, open bool) {
	r := ov.prog.Decls[v.A]
	name := r.Decl().Name
	add := func(f *symtab.File, scope int32, lvl uint8) {
		n := ov.deps.find(f, scope, name)
		if n == nil {
			return
		}
		for _, d := range f.Symbols.Decls(n) {
			if c := &f.Facts.Decls[d]; c.Kind == lang.Function && c.Flags&lang.Overload != 0 {
				for _, w := range ov.defs.standValues(f.IDs[d]) {
					w.Bound, w.Fixed, w.Level = v.Bound, v.Fixed, max(w.Level, v.Level, lvl)
					if !slices.ContainsFunc(out, w.Same) {
						out = append(out, w)
					}
				}
			}
		}
	}
	if v.B == 0 {
		add(r.F, r.Decl().Parent, model.LevelExact)
		return out, false
	}
	m := ov.classes.order(v.B - 1)
	for i, c := range m.Classes {
		lvl := model.LevelExact
		if i > 0 {
			lvl = model.LevelMember
		}
		add(ov.prog.Decls[c].F, ov.prog.Decls[c].D, lvl)
	}
	return out, m.Open
}

// plain puts the functions that overloaded names may mean in the place of the names. Where there are several, each is known
// by its name only.
func (ov *overloads) plain(vals []value.Value) []value.Value {
	if !slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Over }) {
		return vals
	}
	var out []value.Value
	for _, v := range vals {
		if v.Kind != value.Over {
			out = append(out, v)
			continue
		}
		all, _ := ov.overloads(v)
		if len(all) > 1 {
			all = value.Weaken(all, model.LevelName)
		}
		out = append(out, all...)
	}
	return out
}

// fitting puts in the place of overloaded names the functions that the arguments of a call, in file f, choose.
func (ov *overloads) fitting(f *symtab.File, vals []value.Value, args []lang.Arg) []value.Value {
	if f.Rules.Includes {
		vals = ov.callable(vals)
	}
	if !slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Over }) {
		return vals
	}
	var out []value.Value
	if f.Rules.Includes {
		return ov.fittingAll(f, vals, args)
	}
	for _, v := range vals {
		if v.Kind != value.Over {
			out = append(out, v)
			continue
		}
		all, open := ov.overloads(v)
		chosen := ov.choose(f, all, args)
		if len(chosen) == 0 {
			if open {
				chosen = []value.Value{{Kind: value.External, Level: model.LevelName}}
			} else {
				chosen = value.Weaken(all, model.LevelName)
			}
		}
		out = value.Union(out, chosen...)
	}
	return out
}

// fittingAll is fitting where the functions of a name in several files are overloads of one another.
func (ov *overloads) fittingAll(f *symtab.File, vals []value.Value, args []lang.Arg) []value.Value {
	var out, all []value.Value
	for _, v := range vals {
		if v.Kind != value.Over {
			out = append(out, v)
			continue
		}
		more, _ := ov.overloads(v)
		for _, w := range more {
			if !slices.ContainsFunc(all, w.Same) {
				all = append(all, w)
			}
		}
	}
	all = ov.operators(f, all, args)
	chosen := ov.choose(f, all, args)
	if len(chosen) == 0 {
		chosen = value.Weaken(all, model.LevelName)
	}
	if len(chosen) > value.MaxValues {
		return out
	}
	return append(out, chosen...)
}

// callable leaves out classes where a function has the same name: in a call, that is meant.
func (ov *overloads) callable(vals []value.Value) []value.Value {
	fn := func(v value.Value) bool { return v.Kind == value.Func || v.Kind == value.Over }
	if !slices.ContainsFunc(vals, fn) || !slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Class }) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), func(v value.Value) bool { return v.Kind == value.Class })
}

// operators leaves out operators outside of classes of which no parameter is of the class of its operand.
func (ov *overloads) operators(f *symtab.File, all []value.Value, args []lang.Arg) []value.Value {
	if len(all) == 0 || !strings.HasPrefix(ov.prog.Decls[all[0].A].Decl().Name, "operator") {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(v value.Value) bool {
		r := ov.prog.Decls[v.A]
		d := r.Decl()
		if d.Receiver != "" || r.F.InClass(d) {
			return false
		}
		for i, a := range args {
			if i >= len(d.Params) {
				break
			}
			types := ov.ev.eval(r.F, d.Params[i].Type)
			for _, w := range ov.ev.eval(f, a.X) {
				if w.Kind != value.Inst || w.Bound {
					continue
				}
				if slices.ContainsFunc(types, func(t value.Value) bool {
					return t.Kind == value.Class && slices.Contains(ov.classes.order(w.A).Classes, t.A)
				}) {
					return false
				}
			}
		}
		return true
	})
}

// callees gives what a call's callee may be, names that its arguments lead to included.
func (ov *overloads) callees(f *symtab.File, callee int32, args []lang.Arg) []value.Value {
	vals := ov.ev.eval(f, callee)
	if f.Rules.Includes && (!value.AnyWithin(vals) || strings.HasPrefix(f.Expr(callee).Name, "operator")) {
		if more := ov.included.associated(f, callee, args); more != nil {
			return value.Union(vals, more...)
		}
	}
	return vals
}

// choose gives the overloads that can take the arguments of a call: by their number, and by the types of those that are
// known. Where several are left, each is known by its name only.
func (ov *overloads) choose(f *symtab.File, all []value.Value, args []lang.Arg) []value.Value {
	if slices.ContainsFunc(args, func(a lang.Arg) bool { return a.Spread }) {
		if f.Rules.Includes { // a list of arguments is for a function that takes lists, where there is one
			lists := slices.DeleteFunc(slices.Clone(all), func(v value.Value) bool {
				return !slices.ContainsFunc(ov.prog.Decls[v.A].Decl().Params, func(p lang.Param) bool { return p.Kind == lang.Rest })
			})
			if len(lists) > 0 {
				return lists
			}
		}
		return all
	}
	out := slices.DeleteFunc(slices.Clone(all), func(v value.Value) bool { return !ov.takes(v, len(args)) })
	out = ov.changing(out)
	if len(out) < 2 || f.Rules.Outside == nil {
		return out
	}
	vals := make([][]value.Value, len(args))
	for i, a := range args {
		vals[i] = ov.ev.eval(f, a.X)
	}
	best, fit := farAway, []value.Value(nil)
	for _, v := range out {
		switch d := ov.conversions.farness(v, vals); {
		case d < 0 || d > best:
		case d < best:
			best, fit = d, append(fit[:0], v)
		default:
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		fit = out
	}
	fit = ov.changeable(fit)
	if !f.Rules.Includes { // an overriding method hides the one it overrides: the nearest class has it
		class := func(v value.Value) *symtab.File { return ov.prog.Decls[v.A].F }
		first := fit[0]
		fit = slices.DeleteFunc(fit, func(v value.Value) bool {
			return class(v) != class(first) || ov.prog.Decls[v.A].Decl().Parent != ov.prog.Decls[first.A].Decl().Parent
		})
	}
	if len(fit) > maxGuessed {
		return []value.Value{{Kind: value.Unsure}}
	}
	if len(fit) > 1 {
		return value.Weaken(fit, model.LevelName)
	}
	return fit
}

// takes tells whether a function can take n arguments.
func (ov *overloads) takes(v value.Value, n int) bool {
	return ov.admits(ov.prog.Decls[v.A].Decl(), n) || slices.ContainsFunc(ov.defs.announcements(v.A), func(d *lang.Decl) bool { return ov.admits(d, n) })
}

// admits tells whether n arguments are neither too few nor too many for a declaration.
func (ov *overloads) admits(d *lang.Decl, n int) bool {
	least, most := 0, 0
	for _, p := range d.Params {
		switch p.Kind {
		case lang.Receiver:
			continue
		case lang.Rest, lang.RestNamed:
			most = max(most, n)
			continue
		}
		if most++; p.Def == lang.None {
			least++
		}
	}
	return least <= n && n <= most
}

// changes tells whether a function is a method that may change its receiver.
func (ov *overloads) changes(v value.Value) bool {
	r := ov.prog.Decls[v.A]
	d := r.Decl()
	method := d.Receiver != "" || r.F.InClass(d)
	return method && d.Flags&(lang.Const|lang.Static) == 0
}

// changing leaves out methods that would change a receiver that may not be changed.
func (ov *overloads) changing(all []value.Value) []value.Value {
	bad := func(v value.Value) bool { return v.Fixed && ov.changes(v) }
	if !slices.ContainsFunc(all, bad) || !slices.ContainsFunc(all, func(v value.Value) bool { return !bad(v) }) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), bad)
}

// changeable prefers methods that may change their receiver where nothing says that the receiver may not be changed, and
// the arguments choose neither.
func (ov *overloads) changeable(all []value.Value) []value.Value {
	second := func(v value.Value) bool { return !v.Fixed && ov.prog.Decls[v.A].Decl().Flags&lang.Const != 0 }
	if len(all) < 2 || !slices.ContainsFunc(all, second) || !slices.ContainsFunc(all, ov.changes) {
		return all
	}
	return value.Weaken(slices.DeleteFunc(slices.Clone(all), second), model.LevelFlow)
}
