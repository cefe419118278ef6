package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

type scopedFile struct {
	f     *File
	scope int32
}

type spotKey struct {
	space int32
	name  string
}

// A spot is a file in which a name of a namespace is bound.
type spot struct {
	f     *File
	scope int32
	n     *named
}

// A sight is what a file sees.
type sight struct {
	seen    []uint64 // a bit for each file
	outside bool     // something it takes in is not in the repository
}

const (
	maxSights = 8 << 20 // words kept in sights
	maxUsers  = 8
	maxDefs   = 4 // definitions of one announcement; more are as good as none
)

// planIncludes fills the tables of names.
func (in *inclusion) planIncludes() {
	n := in
	n.spaceOf, n.first, n.spots, n.sights, n.defined = map[string]int32{"": 0}, []int32{-1}, map[spotKey][]spot{}, map[int32]*sight{}, map[int32][]int32{}
	n.outer, n.users, n.paths = map[spotKey][]int32{}, map[*File][]*File{}, map[scopedFile]int32{}
	any := false
	for i, f := range in.prog.Files {
		f.index = int32(i)
		if !f.rules.Includes {
			continue
		}
		any = true
		n.paths[scopedFile{f, lang.File}] = 0
		names := make([]string, len(f.Facts.Decls))
		for d := range f.Facts.Decls {
			c := &f.Facts.Decls[d]
			if c.Kind != lang.Namespace || c.Parent != lang.File && f.Facts.Decls[c.Parent].Kind != lang.Namespace {
				continue
			}
			path := c.Name
			if c.Parent != lang.File {
				path = names[c.Parent] + "." + c.Name
			}
			names[d] = path
			id, ok := n.spaceOf[path]
			if !ok {
				id = int32(len(n.first))
				n.spaceOf[path] = id
				n.first = append(n.first, f.ids[d])
			}
			n.paths[scopedFile{f, int32(d)}] = id
		}
	}
	if !any {
		return
	}
	n.stamp = make([]uint32, len(in.prog.Files))
	for _, f := range in.prog.Files {
		if !f.rules.Includes {
			continue
		}
		for i := range f.names.list {
			b := &f.names.list[i]
			if id, ok := n.paths[scopedFile{f, b.scope}]; ok {
				n.spots[spotKey{id, b.name}] = append(n.spots[spotKey{id, b.name}], spot{f, b.scope, b})
			}
		}
		for d := range f.Facts.Decls {
			c := &f.Facts.Decls[d]
			if c.Kind == lang.Function && c.Receiver != "" {
				path := c.Receiver
				if c.Parent != lang.File {
					if first := n.first[n.paths[scopedFile{f, c.Parent}]]; first >= 0 {
						path = in.spacePath(first) + "." + path
					}
				}
				if id, ok := n.spaceOf[path]; ok {
					k := spotKey{id, c.Name}
					n.outer[k] = append(n.outer[k], f.ids[d])
				}
			}
		}
		for _, o := range in.taken(f) {
			if len(n.users[o]) < maxUsers {
				n.users[o] = append(n.users[o], f)
			}
		}
	}
}

// spacePath gives the qualified name of a namespace.
func (in *inclusion) spacePath(d int32) string {
	r := in.prog.decls[d]
	path := r.decl().Name
	for p := r.decl().Parent; p != lang.File; p = r.f.Facts.Decls[p].Parent {
		path = r.f.Facts.Decls[p].Name + "." + path
	}
	return path
}

// taken lists the files whose text f takes in itself.
func (in *inclusion) taken(f *File) []*File {
	var out []*File
	for _, i := range f.stars {
		if m, ok := in.modules.importModule(f, i); ok {
			for _, p := range in.modules.modules[m].Files {
				if o := in.prog.byPath[p]; o != nil && o.rules.Includes {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// sight gives what f sees: itself and all that it takes in, at any depth.
func (in *inclusion) sight(f *File) *sight {
	n := in
	if s := n.sights[f.index]; s != nil {
		return s
	}
	words := len(in.prog.Files)/64 + 1
	if n.sizes += words; n.sizes > maxSights {
		clear(n.sights)
		n.sizes = words
	}
	s := &sight{seen: make([]uint64, words)}
	n.round++
	work := []*File{f}
	n.stamp[f.index] = n.round
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		s.seen[at.index/64] |= 1 << (at.index % 64)
		for _, i := range at.stars {
			m, ok := in.modules.importModule(at, i)
			if !ok {
				s.outside = true
				continue
			}
			for _, p := range in.modules.modules[m].Files {
				if o := in.prog.byPath[p]; o != nil && o.rules.Includes && n.stamp[o.index] != n.round {
					n.stamp[o.index] = n.round
					work = append(work, o)
				}
			}
		}
	}
	n.sights[f.index] = s
	return s
}

func (in *inclusion) sees(f, o *File) bool {
	return f == o || in.sight(f).seen[o.index/64]&(1<<(o.index%64)) != 0
}

// included looks a name up from a scope outwards, as eye sees it: eye is the file itself, or one that takes it in.
func (iv *includedNames) included(eye, f *File, scope int32, name string) []value {
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		var v []value
		found := false
		if id, ok := iv.inc.paths[scopedFile{f, s}]; ok {
			v = iv.inSpace(eye, id, name)
			found = v != nil || eye == f && f.lookup(s, name) != nil
		} else {
			switch d := &f.Facts.Decls[s]; d.Kind {
			case lang.Class:
				if v = iv.members.visibleOn(f, s, name, iv.names.constant(f, scope)); !within(v) && d.Receiver != "" {
					v = union(v, iv.fromOwner(eye, f, d, name)...)
				}
			default:
				if n := f.lookup(s, name); n != nil {
					return iv.names.bound(f, n)
				}
				if d.Receiver != "" {
					v = iv.fromOwner(eye, f, d, name)
				}
			}
			if n := f.lookup(s, name); n != nil {
				found = true
			}
		}
		if within(v) || found {
			return v
		}
		if v := iv.opened(eye, f, s, name); v != nil {
			return v
		}
		if s == lang.File {
			return nil
		}
	}
}

// fromOwner looks a name up among the members of the class, or the namespace, that a function or class written outside of it
// is of.
func (iv *includedNames) fromOwner(eye, f *File, d *lang.Decl, name string) []value {
	for _, v := range iv.ev.eval(f, d.Owner) {
		switch v.kind {
		case vClass:
			r := iv.prog.decls[v.a]
			if out := iv.members.visibleOn(r.f, r.d, name, d.Flags&lang.Const != 0); within(out) {
				return out
			}
			// Classes around the class are seen, too, also where it is written outside of them.
			if r.decl().Receiver != "" {
				if out := iv.fromOwner(eye, r.f, r.decl(), name); within(out) {
					return out
				}
			}
			for p := r.decl().Parent; p != lang.File && r.f.Facts.Decls[p].Kind == lang.Class; p = r.f.Facts.Decls[p].Parent {
				if out := iv.members.visible(r.f, p, name); within(out) {
					return out
				}
			}
			if p := r.decl().Parent; p != lang.File && d.Parent == lang.File {
				if out := iv.included(eye, r.f, p, name); within(out) {
					return out
				}
			}
		case vSpace:
			if out := iv.inSpace(eye, iv.inc.spaceID(v), name); within(out) {
				return out
			}
		}
	}
	return nil
}

// opened looks a name up in the namespaces whose names a scope takes as its own.
func (iv *includedNames) opened(eye, f *File, scope int32, name string) []value {
	brings := f.wildcards[f.space(scope)]
	if len(brings) == 0 || iv.inc.opening {
		return nil // the names of namespaces are not looked for in the namespaces that they open
	}
	iv.inc.opening = true
	defer func() { iv.inc.opening = false }()
	var out []value
	for _, x := range brings {
		for _, v := range iv.ev.eval(f, x) {
			switch v.kind {
			case vSpace:
				out = union(out, iv.inSpace(eye, iv.inc.spaceID(v), name)...)
			case vClass:
				out = union(out, iv.members.attr(v, name, model.LevelImport)...)
			}
		}
	}
	if within(out) {
		return weaken(out, model.LevelImport)
	}
	return nil
}

// spaceID gives the number of the namespace that a value is.
func (in *inclusion) spaceID(v value) int32 {
	r := in.prog.decls[v.a]
	return in.paths[scopedFile{r.f, r.d}]
}

// inSpace looks a name up in a namespace, in all files that eye sees.
func (iv *includedNames) inSpace(eye *File, id int32, name string) []value {
	var out []value
	for _, s := range iv.inc.spots[spotKey{id, name}] {
		if !iv.inc.sees(eye, s.f) {
			continue
		}
		vals := iv.names.bound(s.f, s.n)
		if s.f != eye {
			vals = weaken(vals, model.LevelImport)
		}
		for _, v := range vals {
			if v.kind == vSpace { // of all files, and as this one sees it
				v.a, v.b = iv.inc.first[iv.inc.spaceID(v)], eye.index
			}
			out = union(out, v)
		}
	}
	return out
}

// outsideName gives what a name is that nothing binds.
func (iv *includedNames) outsideName(f *File, scope int32, name string) []value {
	for _, u := range iv.inc.users[f] { // a piece of another file, that leans on what is around it
		if v := iv.included(u, f, scope, name); within(v) {
			return weaken(v, model.LevelImport)
		}
	}
	if f.rules.Builtins[name] || iv.inc.sight(f).outside {
		return []value{iv.externals.outside(f.rules, name)}
	}
	for _, u := range iv.inc.users[f] {
		if iv.inc.sight(u).outside {
			return []value{iv.externals.outside(f.rules, name)}
		}
	}
	return nil
}

// fieldAt gives the name of the field of a class that "#i" means, the i-th.
func (mb *members) fieldAt(class int32, name string) string {
	at, ok := strings.CutPrefix(name, "#")
	if !ok {
		return name
	}
	i := 0
	for _, c := range at {
		if i = i*10 + int(c-'0'); i > 10_000 {
			return name
		}
	}
	if p := mb.prog.decls[class].decl().Params; i < len(p) {
		return p[i].Name
	}
	return name
}

// pointed gives what a value points to or holds.
func (ev *evaluator) pointed(v value, operator string) []value {
	switch v.kind {
	case vExternal:
		if v.a == 0 {
			break
		}
		if o := ev.externals.outsides[v.a-1]; strings.HasSuffix(o.name, "*") {
			name := strings.TrimSuffix(o.name, "*")
			if !strings.HasSuffix(name, "*") {
				name = strings.TrimPrefix(name, lang.ConstType)
			}
			w := ev.externals.outside(o.rules, name)
			w.lvl = max(w.lvl, v.lvl)
			return []value{w}
		}
	case vBox:
		if v.bound {
			v.bound = false
			break
		}
		return ev.containers.elementsAt(v, "", model.LevelMember)
	case vInst:
		if v.bound {
			v.bound = false
			break
		}
		if operator == "" {
			break
		}
		for _, c := range ev.classes.order(v.a).order {
			out, ok := ev.members.own(c, v, operator, model.LevelMember, false)
			if !ok {
				continue
			}
			var held []value
			for _, m := range out {
				held = union(held, ev.results.result(m)...)
			}
			return held
		}
	}
	return []value{v}
}

// bindsName tells whether something around a scope binds a name, though nothing is known of it.
func (ns *names) bindsName(f *File, scope int32, name string) bool {
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		if f.lookup(s, name) != nil {
			return true
		}
		if s == lang.File {
			return false
		}
	}
}

// callable leaves out classes where a function has the same name: in a call, that is meant.
func (ov *overloads) callable(vals []value) []value {
	fn := func(v value) bool { return v.kind == vFunc || v.kind == vOver }
	if !slices.ContainsFunc(vals, fn) || !slices.ContainsFunc(vals, func(v value) bool { return v.kind == vClass }) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), func(v value) bool { return v.kind == vClass })
}

// fittingAll is fitting where the functions of a name in several files are overloads of one another.
func (ov *overloads) fittingAll(f *File, vals []value, args []lang.Arg) []value {
	var out, all []value
	for _, v := range vals {
		if v.kind != vOver {
			out = append(out, v)
			continue
		}
		more, _ := ov.overloads(v)
		for _, w := range more {
			if !slices.ContainsFunc(all, w.same) {
				all = append(all, w)
			}
		}
	}
	all = ov.operators(f, all, args)
	chosen := ov.choose(f, all, args)
	if len(chosen) == 0 {
		chosen = weaken(all, model.LevelName)
	}
	if len(chosen) > MaxValues {
		return out
	}
	return append(out, chosen...)
}

// operators leaves out operators outside of classes of which no parameter is of the class of its operand.
func (ov *overloads) operators(f *File, all []value, args []lang.Arg) []value {
	if len(all) == 0 || !strings.HasPrefix(ov.prog.decls[all[0].a].decl().Name, "operator") {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(v value) bool {
		r := ov.prog.decls[v.a]
		d := r.decl()
		if d.Receiver != "" || d.Parent != lang.File && r.f.Facts.Decls[d.Parent].Kind == lang.Class {
			return false
		}
		for i, a := range args {
			if i >= len(d.Params) {
				break
			}
			types := ov.ev.eval(r.f, d.Params[i].Type)
			for _, w := range ov.ev.eval(f, a.X) {
				if w.kind != vInst || w.bound {
					continue
				}
				if slices.ContainsFunc(types, func(t value) bool { return t.kind == vClass && slices.Contains(ov.classes.order(w.a).order, t.a) }) {
					return false
				}
			}
		}
		return true
	})
}

// associated looks the plain name of a called function up in the namespaces of the classes of its arguments (C++17,
// 6.4.2).
func (iv *includedNames) associated(f *File, callee int32, args []lang.Arg) []value {
	e := f.expr(callee)
	if e.Op != lang.OpName {
		return nil
	}
	var out []value
	for _, a := range args {
		for _, v := range iv.ev.eval(f, a.X) {
			if v.kind != vInst {
				continue
			}
			r := iv.prog.decls[v.a]
			p := r.decl().Parent
			for p != lang.File && r.f.Facts.Decls[p].Kind != lang.Namespace {
				p = r.f.Facts.Decls[p].Parent
			}
			if id, ok := iv.inc.paths[scopedFile{r.f, p}]; ok && id != 0 {
				for _, w := range iv.inSpace(f, id, e.Name) {
					if w.kind == vFunc || w.kind == vOver {
						w.lvl = max(w.lvl, model.LevelMember)
						out = union(out, w)
					}
				}
			}
		}
	}
	return out
}

// callees gives what a call's callee may be, names that its arguments lead to included.
func (ov *overloads) callees(f *File, callee int32, args []lang.Arg) []value {
	vals := ov.ev.eval(f, callee)
	if f.rules.Includes && (!within(vals) || strings.HasPrefix(f.expr(callee).Name, "operator")) {
		if more := ov.included.associated(f, callee, args); more != nil {
			return union(vals, more...)
		}
	}
	return vals
}
