package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/inclusion"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

const maxDefs = 4 // definitions of one announcement; more are as good as none

// definitions finds what declarations announce.
type definitions struct {
	prog  *symtab.Program
	deps  *dependencies
	ev    *evaluator
	flows *flows
	inc   *inclusion.Inclusion
	found map[int32][]int32 // by announcement
}

// standing gives what a declaration stands for: what it announces, where that is found, or itself. sure tells that it is the
// only one.
func (df *definitions) standing(d int32) (defs []int32, sure bool) {
	r := df.prog.Decls[d]
	c := r.Decl()
	if c.Flags&lang.Forward == 0 || !r.F.Rules.Includes {
		return []int32{d}, true
	}
	if r.F.InClass(c) {
		var all []int32
		for _, g := range df.flows.inflows(sourceKey{kind: sourceMethod, a: r.F.IDs[c.Parent], name: c.Name}) {
			if df.prog.Decls[g.decl].Decl().Kind == c.Kind {
				all = append(all, g.decl)
			}
		}
		all = df.nearest(r.F, df.shaped(c, all))
		if len(all) == 0 {
			return []int32{d}, true
		}
		return all, len(all) == 1
	}
	defs, ok := df.found[d]
	if !ok {
		defs = df.define(r)
		df.found[d] = defs
	}
	if len(defs) == 0 {
		return []int32{d}, true
	}
	return defs, len(defs) == 1
}

// shaped keeps those that have the parameters of an announcement: the same types, or else as many.
func (df *definitions) shaped(c *lang.Decl, all []int32) []int32 {
	if c.Kind != lang.Function || c.Flags&lang.Overload == 0 {
		return all
	}
	var same, count []int32
	for _, d := range all {
		o := df.prog.Decls[d].Decl()
		if o.Shape == c.Shape || o.Flags&lang.Overload == 0 {
			same = append(same, d)
		}
		if len(o.Params) == len(c.Params) {
			count = append(count, d)
		}
	}
	if same != nil {
		return same
	}
	if len(count) == 1 {
		return count
	}
	return nil
}

// define finds the definitions of an announcement outside of classes.
func (df *definitions) define(r symtab.DeclRef) []int32 {
	c := r.Decl()
	id, ok := df.inc.Space(r.F, r.F.Space(c.Parent))
	if !ok {
		return nil
	}
	var all []int32
	for _, s := range df.inc.Spots(id, c.Name) {
		for _, d := range s.F.Symbols.Decls(s.N) {
			o := &s.F.Facts.Decls[d]
			if o.Kind != c.Kind || o.Flags&lang.Forward != 0 || o.Flags&lang.Local != 0 && s.F != r.F || c.Kind == lang.Function && o.Shape == 0 {
				continue
			}
			all = append(all, s.F.IDs[d])
		}
	}
	all = append(all, df.inc.Outside(id, c.Name)...)
	if c.Flags&lang.Local != 0 {
		all = slices.DeleteFunc(all, func(d int32) bool { return df.prog.Decls[d].F != r.F })
	}
	return df.nearest(r.F, df.shaped(c, all))
}

// nearest chooses among definitions of what file f announces: those that see the announcement, of these those of a file that
// is called like f, then those in the nearest folder, and then those that are no tests.
func (df *definitions) nearest(f *symtab.File, all []int32) []int32 {
	keep := func(ok func(o *symtab.File) bool) {
		if len(all) < 2 {
			return
		}
		var left []int32
		for _, d := range all {
			if ok(df.prog.Decls[d].F) {
				left = append(left, d)
			}
		}
		if left != nil {
			all = left
		}
	}
	keep(func(o *symtab.File) bool { return o == f })
	keep(func(o *symtab.File) bool { return df.inc.Sees(o, f) || df.inc.Sees(f, o) })
	keep(func(o *symtab.File) bool { return sourcetext.Stem(baseOf(o.Path)) == sourcetext.Stem(baseOf(f.Path)) })
	if !f.Test {
		keep(func(o *symtab.File) bool { return !o.Test })
	}
	if len(all) > 1 {
		best := 0
		for _, d := range all {
			best = max(best, sharedFolders(f.Path, df.prog.Decls[d].F.Path))
		}
		keep(func(o *symtab.File) bool { return sharedFolders(f.Path, o.Path) == best })
	}
	if len(all) > maxDefs {
		return nil
	}
	return all
}

func baseOf(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// sharedFolders counts the folders at the beginning of two paths that are the same.
func sharedFolders(a, b string) int {
	n := 0
	for {
		x, ra, oka := strings.Cut(a, "/")
		y, rb, okb := strings.Cut(b, "/")
		if !oka || !okb || x != y {
			return n
		}
		a, b = ra, rb
		n++
	}
}

// standValues gives the values of a declaration, or of what it announces.
func (df *definitions) standValues(d int32) []value.Value {
	defs, sure := df.standing(d)
	var out []value.Value
	for _, d := range defs {
		lvl := model.LevelScope
		if !sure {
			lvl = model.LevelName
		}
		out = append(out, df.ev.declValue(d, lvl))
	}
	return out
}

// withoutAnnounced leaves out what is only announced where the same scope of the file defines it, too.
func (df *definitions) withoutAnnounced(f *symtab.File, decls []int32) []int32 {
	if len(decls) < 2 {
		return decls
	}
	var out []int32
	for i, d := range decls {
		c := &f.Facts.Decls[d]
		if c.Flags&lang.Forward != 0 && slices.ContainsFunc(decls, func(o int32) bool {
			e := &f.Facts.Decls[o]
			return e.Kind == c.Kind && e.Flags&lang.Forward == 0 && (e.Shape == c.Shape || c.Flags&lang.Overload == 0 && e.Shape != 0)
		}) {
			continue
		}
		if c.Flags&lang.Forward != 0 && slices.ContainsFunc(decls[:i], func(o int32) bool {
			e := &f.Facts.Decls[o]
			return e.Kind == c.Kind && e.Flags&lang.Forward != 0 && e.Shape == c.Shape
		}) {
			continue // announced twice
		}
		out = append(out, d)
	}
	return out
}

// announcements lists the announcements of a function of a language with included files: default arguments may stand there
// alone.
func (df *definitions) announcements(fn int32) []*lang.Decl {
	r := df.prog.Decls[fn]
	d := r.Decl()
	if !r.F.Rules.Includes || d.Flags&lang.Forward != 0 {
		return nil
	}
	var out []*lang.Decl
	add := func(f *symtab.File, n *symtab.Symbol) {
		for _, i := range f.Symbols.Decls(n) {
			c := &f.Facts.Decls[i]
			if c.Kind != lang.Function || c.Flags&lang.Forward == 0 {
				continue
			}
			if defs, _ := df.standing(f.IDs[i]); slices.Contains(defs, fn) {
				out = append(out, c)
			}
		}
	}
	if d.Owner != lang.None {
		for _, v := range df.ev.eval(r.F, d.Owner) {
			if v.Kind != value.Class {
				continue
			}
			o := df.prog.Decls[v.A]
			name := d.Name
			if name == o.Decl().Name {
				name = "" // a constructor, see Rules.Constructors
			}
			if n := df.deps.find(o.F, o.D, name); n != nil {
				add(o.F, n)
			}
		}
		if out != nil {
			return out
		}
	}
	if id, ok := df.inc.Space(r.F, r.F.Space(d.Parent)); ok {
		for _, s := range df.inc.Spots(id, d.Name) {
			add(s.F, s.N)
		}
	}
	return out
}
