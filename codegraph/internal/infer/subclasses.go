package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// What a class and its bases leave open may be in the classes derived from it: a method that only they have, an attribute
// that they give a value. And a name that is put together while a program runs may be that of any member that fits.

const (
	maxDerived = 64 // classes derived from one that are looked at; of a class with more nothing is said
	maxFitting = 64 // members that one put-together name may mean
)

// leavesOpen tells whether a class gives a member no value. What it says of it, if anything, are bindings to nothing.
func (mb *members) leavesOpen(c int32, name string) bool {
	r := mb.prog.Decls[c]
	if n := mb.deps.find(r.F, r.D, name); n != nil {
		if n.Decls+n.Imports > 0 {
			return false
		}
		for _, i := range r.F.Symbols.Binds(n) {
			if r.F.Table.Op(r.F.Facts.Bindings[i].Value) != lang.OpUnknown {
				return false
			}
		}
	}
	return !slices.ContainsFunc(mb.flows.inflows(sourceKey{kind: sourceAttr, a: c, name: name}), func(g inflow) bool {
		return g.f.Table.Op(g.x) != lang.OpUnknown
	})
}

// subclassMember gives a member that the classes of a value's lookup order leave open, as the classes derived from its class have it.
func (mb *members) subclassMember(v value.Value, classes []int32, name string) []value.Value {
	derived := mb.classes.derivedFrom(v.A)
	if len(derived) == 0 || slices.ContainsFunc(classes, func(c int32) bool { return !mb.leavesOpen(c, name) }) {
		return nil
	}
	var out []value.Value
	var without []int32 // classes that do not say the name themselves; several may inherit from them
	for _, c := range derived {
		w := value.Value{Kind: v.Kind, A: c, Level: model.LevelContainer}
		order := mb.classes.order(c).Classes
		if v.Kind == value.Super {
			w.Kind = value.Inst
			order = order[slices.Index(order, v.B)+1:]
		}
		for _, o := range order {
			if slices.Contains(classes, o) || slices.Contains(without, o) {
				continue
			}
			if !mb.namesMember(o, name) {
				without = append(without, o)
				continue
			}
			more, found := mb.own(o, w, name, model.LevelContainer, false)
			for _, m := range more {
				if value.Inside(m) {
					out = value.Union(out, m)
				}
			}
			if found {
				break
			}
		}
	}
	if len(out) == 1 && out[0].Kind == value.Many {
		return nil
	}
	return out
}

// namesMember tells whether a class itself names a member: in its body, or where a method of it sets one. It is asked of many
// classes, so that it makes no receiver for what each of them could be given.
func (mb *members) namesMember(c int32, name string) bool {
	r := mb.prog.Decls[c]
	return mb.deps.find(r.F, r.D, name) != nil || mb.ownAttrs[attrKey{c, name}]
}

// fits tells whether a name is one that a pattern may give: what stands before the byte 0 begins it, what stands behind ends it.
func fits(pattern, name string) bool {
	before, after, _ := strings.Cut(pattern, "\x00")
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// fittingNames adds the names of a scope that a pattern may give.
func (mb *members) fittingNames(names []string, f *symtab.File, scope int32, pattern string) []string {
	mb.deps.watch(f, scope)
	for i := range f.Symbols.List {
		if n := &f.Symbols.List[i]; n.Scope == f.Space(scope) && n.Decls > 0 && fits(pattern, n.Name) && !slices.Contains(names, n.Name) && len(names) <= maxFitting {
			names = append(names, n.Name)
		}
	}
	return names
}

// members gives the members of a value whose names a pattern may give.
func (mb *members) members(v value.Value, pattern string) []value.Value {
	var out []value.Value
	switch v.Kind {
	case value.Module:
		var names []string
		for _, p := range mb.modules.At(v.A).Files {
			if f := mb.prog.ByPath[p]; f != nil {
				names = mb.fittingNames(names, f, lang.File, pattern)
			}
		}
		if len(names) <= maxFitting {
			for _, name := range names {
				out = value.Union(out, value.Weaken(mb.exports.exported(v.A, name), model.LevelContainer)...)
			}
		}
	case value.Inst, value.Class, value.Super:
		for _, c := range append([]int32{v.A}, mb.classes.derivedFrom(v.A)...) {
			var names []string
			for _, o := range mb.classes.order(c).Classes {
				names = mb.fittingNames(names, mb.prog.Decls[o].F, mb.prog.Decls[o].D, pattern)
			}
			if len(names) > maxFitting {
				continue
			}
			w := v
			if w.Kind != value.Super {
				w.A = c
			}
			for _, name := range names {
				for _, m := range mb.attr(w, name, model.LevelContainer) {
					if value.Inside(m) {
						out = value.Union(out, m)
					}
				}
			}
		}
	}
	return out
}
