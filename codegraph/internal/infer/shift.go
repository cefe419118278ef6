package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// An ownNames is what a file's own names were, for those that look them up in the modules the file is part of.
type ownNames struct {
	names map[string]bool
	all   bool // it passes on more than these
}

func ownNamesOf(f *symtab.File) ownNames {
	o := ownNames{names: map[string]bool{}, all: len(f.Stars)+len(f.Wildcards) > 0}
	for i := range f.Symbols.List {
		if k := &f.Symbols.List[i]; k.Scope == lang.File {
			o.names[k.Name] = true
			o.all = o.all || k.Name == "module.exports" || strings.HasPrefix(k.Name, "exports.")
		}
	}
	o.all = o.all || slices.ContainsFunc(f.Facts.Imports, func(m lang.Import) bool { return m.As != "" }) ||
		slices.ContainsFunc(f.Facts.Decls, func(d lang.Decl) bool { return d.Flags&lang.DefaultExport != 0 })
	return o
}

// A Shift is an update in which resolvers may answer otherwise. What was looked up in a module that is now found in other
// files is looked at again only where those files differ.
type Shift struct {
	in     *Inference
	again  *modules.Reask
	edited map[*symtab.File]bool
	before map[*symtab.File]ownNames // of files that are replaced
}

// Shift begins such an update, before anything is replaced.
func (in *Inference) Shift(src modules.State) *Shift {
	return &Shift{in: in, again: in.modules.Reask(src), edited: map[*symtab.File]bool{}, before: map[*symtab.File]ownNames{}}
}

// Edit notes a file that is about to be replaced.
func (h *Shift) Edit(f *symtab.File) {
	h.edited[f] = true
	if _, ok := h.before[f]; !ok {
		h.before[f] = ownNamesOf(f)
	}
}

// Ask gathers what rests on other answers of resolvers, and lists the files that are not edited of which an import leads
// elsewhere. It gives false when that cannot be told.
func (h *Shift) Ask(stale *solver.Cone) ([]*symtab.File, bool) {
	if !h.again.Ask(h.edited) {
		return nil, false
	}
	for _, k := range h.again.Subs {
		stale.Add(h.in.exports.moduleNames[k])
	}
	for _, n := range h.again.Dirs {
		h.in.deps.changed(filesOf(n), stale)
	}
	return h.again.Others, true
}

// Finish gathers what rests on the names of files that came to a module or to the files that share a scope, or went from
// there, once all files are replaced.
func (h *Shift) Finish(stale *solver.Cone) {
	in := h.in
	now := map[*symtab.File]ownNames{}
	offers := func(f *symtab.File) (ownNames, ownNames) {
		if _, ok := now[f]; !ok {
			now[f] = ownNamesOf(f)
		}
		return h.before[f], now[f]
	}
	at := func(p string) *symtab.File {
		if f := in.prog.ByPath[p]; f != nil {
			return f
		}
		return in.prog.Gone[p]
	}
	deltas := map[int32][]*symtab.File{}
	for n, files := range h.again.Files {
		for _, p := range difference(files[0], files[1]) {
			if f := at(p); f != nil {
				deltas[n] = append(deltas[n], f)
			}
		}
		in.deps.changed(filesOf(n), stale)
	}
	if len(deltas) > 0 {
		for _, k := range in.exports.moduleNameOf {
			for _, f := range deltas[k.Module] {
				if a, b := offers(f); a.all || b.all || a.names[k.Name] || b.names[k.Name] {
					stale.Add(in.exports.moduleNames[k])
					break
				}
			}
		}
	}
	for f, old := range h.again.Siblings {
		if in.prog.ByPath[f.Path] != f {
			continue
		}
		in.modules.ForgetSiblings(f)
		list := in.modules.Siblings(f)
		if slices.Equal(old, list) {
			continue
		}
		names := map[string]bool{}
		for _, o := range difference(old, list) {
			a, b := offers(o)
			for name := range a.names {
				names[name] = true
			}
			for name := range b.names {
				names[name] = true
			}
		}
		for name := range names {
			in.deps.nameChanged(f.ScopeID(lang.File), name, stale)
		}
	}
}

// difference lists what is in one list and not in the other.
func difference[T comparable](a, b []T) []T {
	in := make(map[T]int8, len(a)+len(b))
	for _, x := range a {
		in[x] |= 1
	}
	for _, x := range b {
		in[x] |= 2
	}
	var out []T
	for _, x := range slices.Concat(a, b) {
		if in[x] != 3 {
			in[x] = 3
			out = append(out, x)
		}
	}
	return out
}
