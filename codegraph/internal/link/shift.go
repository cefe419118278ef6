package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// When files come or go, or what a resolver reads besides changes, imports may lead elsewhere. Everything that resolvers were
// asked is asked again then. A module that everybody now finds in other files keeps its number, and what was looked up in it
// is looked at again only where those files differ; else the file that asked is taken as edited.

// An ownNames is what a file's own names were, for those that look them up in the modules the file is part of.
type ownNames struct {
	names map[string]bool
	all   bool // it passes on more than these
}

func ownNamesOf(f *File) ownNames {
	o := ownNames{names: map[string]bool{}, all: len(f.stars)+len(f.wildcards) > 0}
	for i := range f.names.list {
		if k := &f.names.list[i]; k.scope == lang.File {
			o.names[k.name] = true
			o.all = o.all || k.name == "module.exports" || strings.HasPrefix(k.name, "exports.")
		}
	}
	o.all = o.all || slices.ContainsFunc(f.Facts.Imports, func(m lang.Import) bool { return m.As != "" }) ||
		slices.ContainsFunc(f.Facts.Decls, func(d lang.Decl) bool { return d.Flags&lang.DefaultExport != 0 })
	return o
}

// A shift is an update in which resolvers may answer otherwise.
type shift struct {
	l        *Linker
	edited   map[*File]bool
	before   map[*File]ownNames // of files that are replaced
	siblings map[*File][]*File
	hadDir   []bool                // by module: its folder was there
	files    map[int32][2][]string // of modules that are now found in other files: those before and now
	others   []*File               // files that are not edited, of which an import leads elsewhere
}

// shift begins such an update, before anything is replaced.
func (l *Linker) shift(src Source) *shift {
	h := &shift{l: l, edited: map[*File]bool{}, before: map[*File]ownNames{}, siblings: map[*File][]*File{}, files: map[int32][2][]string{},
		hadDir: make([]bool, len(l.modules.modules))}
	for i, m := range l.modules.modules {
		h.hadDir[i] = l.modules.tree.HasDir(m.Dir)
	}
	for _, f := range l.prog.Files {
		if f.siblingsKnown {
			h.siblings[f] = f.siblings
		}
	}
	l.modules.makeResolvers(src)
	for _, f := range l.prog.Files {
		f.res = l.modules.resolvers[f.lang]
	}
	of := map[*lang.Rules]lang.Resolver{}
	for name, r := range l.prog.rules {
		of[r] = l.modules.resolvers[name]
	}
	for _, m := range l.modules.modules {
		m.res = of[m.rules]
	}
	return h
}

// edit notes a file that is about to be replaced.
func (h *shift) edit(f *File) {
	h.edited[f] = true
	if _, ok := h.before[f]; !ok {
		h.before[f] = ownNamesOf(f)
	}
}

// ask asks again what files that are not edited have asked, and gathers what rests on other answers. It gives false when that
// cannot be told.
func (h *shift) ask(stale *cone) bool {
	l := h.l
	type question struct {
		f   *File
		old *module
		now lang.Module
		ok  bool
	}
	var moved []question
	stays := map[*module]bool{}
	check := func(f *File, old *module, imp lang.Import) {
		now, ok := f.res.Module(f.Path, imp)
		if ok != (old != nil) || ok && !old.same(now) {
			moved = append(moved, question{f, old, now, ok})
		} else if ok {
			stays[old] = true
		}
	}
	for _, f := range l.prog.Files {
		if h.edited[f] {
			continue
		}
		for i, old := range f.mods {
			check(f, old, f.Facts.Imports[i])
		}
		for name, old := range f.modsNamed {
			check(f, old, lang.Import{Module: name})
		}
	}
	others := map[*File]bool{}
	for _, q := range moved {
		if q.f.rules.Includes {
			return false
		}
		if q.old != nil && q.ok && !stays[q.old] && q.old.Inner == "" && q.old.Dir == q.now.Dir && q.old.HasDir == q.now.HasDir && q.now.Inner == "" {
			if _, ok := h.files[q.old.number]; !ok {
				if _, other := l.modules.moduleOf[moduleKey(q.now)]; !other {
					h.files[q.old.number] = [2][]string{q.old.Files, q.now.Files}
					delete(l.modules.moduleOf, moduleKey(q.old.Module))
					q.old.Files = q.now.Files
					l.modules.moduleOf[moduleKey(q.old.Module)] = q.old.number
					continue
				}
			} else if q.old.same(q.now) {
				continue
			}
		}
		if !others[q.f] {
			others[q.f] = true
			h.others = append(h.others, q.f)
		}
	}
	slices.SortFunc(h.others, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	for _, m := range l.modules.modules {
		for name, old := range m.subs {
			now, ok := m.res.Sub(m.Module, name)
			if ok == (old != nil) && (!ok || old.same(now)) {
				continue
			}
			delete(m.subs, name)
			stale.add(l.exports.moduleNames[moduleName{m.number, name}])
		}
	}
	for i, had := range h.hadDir {
		if had != l.modules.tree.HasDir(l.modules.modules[i].Dir) {
			stale.readers(l.deps.tokens[tokenKey{scope: int32(i), bucket: moduleFiles}])
		}
	}
	return true
}

// finish gathers what rests on the names of files that came to a module or to the files that share a scope, or went from
// there, once all files are replaced.
func (h *shift) finish(stale *cone) {
	l := h.l
	now := map[*File]ownNames{}
	offers := func(f *File) (ownNames, ownNames) {
		if _, ok := now[f]; !ok {
			now[f] = ownNamesOf(f)
		}
		return h.before[f], now[f]
	}
	at := func(p string) *File {
		if f := l.prog.byPath[p]; f != nil {
			return f
		}
		return l.prog.gone[p]
	}
	deltas := map[int32][]*File{}
	for n, files := range h.files {
		for _, p := range difference(files[0], files[1]) {
			if f := at(p); f != nil {
				deltas[n] = append(deltas[n], f)
			}
		}
		stale.readers(l.deps.tokens[tokenKey{scope: n, bucket: moduleFiles}])
	}
	if len(deltas) > 0 {
		for _, k := range l.exports.moduleNameOf {
			for _, f := range deltas[k.module] {
				if a, b := offers(f); a.all || b.all || a.names[k.name] || b.names[k.name] {
					stale.add(l.exports.moduleNames[k])
					break
				}
			}
		}
	}
	for f, old := range h.siblings {
		if l.prog.byPath[f.Path] != f {
			continue
		}
		f.siblingsKnown, f.siblings = false, nil
		list := l.modules.siblings(f)
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
			stale.readers(l.deps.tokens[tokenKey{scope: f.scopeID(lang.File), bucket: nameBucket(name)}])
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
