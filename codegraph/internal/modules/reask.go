package modules

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Reask asks resolvers again what they were asked, because files came or went, or what they read besides changed. A module
// that everybody now finds in other files keeps its number; else the file that asked is to be taken as edited.
type Reask struct {
	ms       *Modules
	hadDir   []bool // by module: its folder was there
	Siblings map[*symtab.File][]*symtab.File

	Files  map[int32][2][]string // of modules that are now found in other files: those before and now
	Subs   []Name                // submodules that are others
	Dirs   []int32               // modules whose folder came or went
	Others []*symtab.File        // files of which an import leads elsewhere
}

// Reask takes the resolvers of another state.
func (ms *Modules) Reask(src State) *Reask {
	r := &Reask{ms: ms, hadDir: make([]bool, len(ms.modules)), Siblings: map[*symtab.File][]*symtab.File{}, Files: map[int32][2][]string{}}
	for i, m := range ms.modules {
		r.hadDir[i] = ms.tree.HasDir(m.Dir)
	}
	for _, f := range ms.prog.Files {
		if a := ms.asked.Of(f); a.siblingsKnown {
			r.Siblings[f] = a.siblings
		}
	}
	ms.makeResolvers(src)
	of := map[*lang.Rules]lang.Resolver{}
	for name, rules := range ms.prog.Rules {
		of[rules] = ms.resolvers[name]
	}
	for _, f := range ms.prog.Files {
		f.Resolver = ms.resolvers[f.Lang]
	}
	for _, m := range ms.modules {
		m.res = of[m.rules]
	}
	return r
}

// Ask asks again what files that are not edited have asked. It gives false when an include leads elsewhere.
func (r *Reask) Ask(edited map[*symtab.File]bool) bool {
	type answer struct {
		f   *symtab.File
		old *Module
		now lang.Module
		ok  bool
	}
	ms := r.ms
	var moved []answer
	stays := map[*Module]bool{}
	check := func(f *symtab.File, old *Module, imp lang.Import) {
		now, ok := f.Resolver.Module(f.Path, imp)
		if ok != (old != nil) || ok && !old.same(now) {
			moved = append(moved, answer{f, old, now, ok})
		} else if ok {
			stays[old] = true
		}
	}
	for _, f := range ms.prog.Files {
		if edited[f] {
			continue
		}
		asked := ms.asked.Of(f)
		for i, old := range asked.imports {
			check(f, old, f.Facts.Imports[i])
		}
		for name, old := range asked.named {
			check(f, old, lang.Import{Module: name})
		}
	}
	others := map[*symtab.File]bool{}
	for _, q := range moved {
		if q.f.Rules.Includes {
			return false
		}
		if q.old != nil && q.ok && !stays[q.old] && q.old.Inner == "" && q.old.Dir == q.now.Dir && q.old.HasDir == q.now.HasDir && q.now.Inner == "" {
			if _, ok := r.Files[q.old.number]; !ok {
				if _, other := ms.moduleOf[moduleKey(q.now)]; !other {
					r.Files[q.old.number] = [2][]string{q.old.Files, q.now.Files}
					delete(ms.moduleOf, moduleKey(q.old.Module))
					q.old.Files = q.now.Files
					ms.moduleOf[moduleKey(q.old.Module)] = q.old.number
					continue
				}
			} else if q.old.same(q.now) {
				continue
			}
		}
		if !others[q.f] {
			others[q.f] = true
			r.Others = append(r.Others, q.f)
		}
	}
	slices.SortFunc(r.Others, func(a, b *symtab.File) int { return strings.Compare(a.Path, b.Path) })
	for _, m := range ms.modules {
		for name, old := range m.subs {
			now, ok := m.res.Sub(m.Module, name)
			if ok == (old != nil) && (!ok || old.same(now)) {
				continue
			}
			delete(m.subs, name)
			r.Subs = append(r.Subs, Name{m.number, name})
		}
	}
	for i, had := range r.hadDir {
		if had != ms.tree.HasDir(ms.modules[i].Dir) {
			r.Dirs = append(r.Dirs, int32(i))
		}
	}
	return true
}
