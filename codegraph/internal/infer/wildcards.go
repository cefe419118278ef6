package infer

import (
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// A wildcardKey is a name looked up in what a scope brings in as a whole.
type wildcardKey struct {
	f     *symtab.File
	scope int32
	name  string
}

// aliased gives what the aliases of a name stand for.
func (ns *names) aliased(f *symtab.File, binds []int32) []value.Value {
	var out []value.Value
	for _, i := range binds {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Alias || b.Kind == lang.Using {
			out = value.Union(out, value.Weaken(ns.ev.eval(f, b.Value), model.LevelImport)...)
		}
	}
	return out
}

// starred looks a name up in the modules of which f imports everything.
func (ns *names) starred(f *symtab.File, name string) []value.Value {
	outside := false
	for i := len(f.Stars) - 1; i >= 0; i-- {
		m, ok := ns.modules.Import(f, f.Stars[i])
		if !ok {
			outside = true
			continue
		}
		if v := ns.exports.exported(m, name); v != nil {
			return value.Weaken(v, model.LevelImport)
		}
	}
	if outside && !f.Rules.Builtins[name] {
		return []value.Value{ns.externals.outside(f.Rules, name)}
	}
	return nil
}

// wildcardMember looks a name up in what a scope brings in as a whole.
func (ns *names) wildcardMember(f *symtab.File, scope int32, name string) []value.Value {
	scope = f.Space(scope)
	if len(f.Wildcards[scope]) == 0 {
		return nil
	}
	k := wildcardKey{f, scope, name}
	id := ns.wildcards[k]
	if id == 0 {
		id = ns.solver.Add(ns.wildcardKind, f.Index, int32(len(ns.wildcardOf)))
		ns.wildcardOf = append(ns.wildcardOf, k)
		ns.wildcards[k] = id
	}
	return ns.solver.Read(id)
}

func (ns *names) wildcardValues(c *solver.Cell) []value.Value {
	k := ns.wildcardOf[c.Arg]
	f, scope, name := k.f, k.scope, k.name
	var out []value.Value
	outside := false
	for _, x := range f.Wildcards[scope] {
		for _, v := range ns.ev.eval(f, x) {
			if v.Kind == value.External {
				outside = true
				continue
			}
			vals := ns.members.attr(v, name, model.LevelImport)
			if v.Kind != value.Class { // a class says nothing of names that it may have from outside
				outside = outside || len(vals) > 0
			}
			out = value.Union(out, vals...)
		}
	}
	if value.AnyWithin(out) {
		return value.Weaken(out, model.LevelImport)
	}
	if outside && !f.Rules.Builtins[name] {
		return []value.Value{{Kind: value.External, Level: model.LevelName}}
	}
	return nil
}
