package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// includes is what the linker knows of files that take in the text of others (Rules.Includes): which files a file sees, the
// names of every namespace over all files, and what is defined under an announced name.
type includes struct {
	spaceOf map[string]int32   // numbers of qualified namespaces; "" is 0
	first   []int32            // by namespace: a declaration that opens it, or -1
	spots   map[spotKey][]spot // in the order of files
	sights  map[int32]*sight   // by file
	sizes   int                // words in sights
	opening bool
	stamp   []uint32             // by file, for walks
	round   uint32               //
	defined map[int32][]int32    // by announcement
	outer   map[spotKey][]int32  // functions written outside of their namespace
	users   map[*File][]*File    // files that take in a file, up to maxUsers
	paths   map[scopedFile]int32 // numbers of the namespaces in a file
}

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
func (l *Linker) planIncludes() {
	n := &includes{spaceOf: map[string]int32{"": 0}, first: []int32{-1}, spots: map[spotKey][]spot{}, sights: map[int32]*sight{}, defined: map[int32][]int32{},
		outer: map[spotKey][]int32{}, users: map[*File][]*File{}, paths: map[scopedFile]int32{}}
	l.include = n
	any := false
	for i, f := range l.Files {
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
	n.stamp = make([]uint32, len(l.Files))
	for _, f := range l.Files {
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
						path = l.spacePath(first) + "." + path
					}
				}
				if id, ok := n.spaceOf[path]; ok {
					k := spotKey{id, c.Name}
					n.outer[k] = append(n.outer[k], f.ids[d])
				}
			}
		}
		for _, o := range l.taken(f) {
			if len(n.users[o]) < maxUsers {
				n.users[o] = append(n.users[o], f)
			}
		}
	}
}

// spacePath gives the qualified name of a namespace.
func (l *Linker) spacePath(d int32) string {
	r := l.decls[d]
	path := r.decl().Name
	for p := r.decl().Parent; p != lang.File; p = r.f.Facts.Decls[p].Parent {
		path = r.f.Facts.Decls[p].Name + "." + path
	}
	return path
}

// taken lists the files whose text f takes in itself.
func (l *Linker) taken(f *File) []*File {
	var out []*File
	for _, i := range f.stars {
		if m, ok := l.importModule(f, i); ok {
			for _, p := range l.modules[m].Files {
				if o := l.byPath[p]; o != nil && o.rules.Includes {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// sight gives what f sees: itself and all that it takes in, at any depth.
func (l *Linker) sight(f *File) *sight {
	n := l.include
	if s := n.sights[f.index]; s != nil {
		return s
	}
	words := len(l.Files)/64 + 1
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
			m, ok := l.importModule(at, i)
			if !ok {
				s.outside = true
				continue
			}
			for _, p := range l.modules[m].Files {
				if o := l.byPath[p]; o != nil && o.rules.Includes && n.stamp[o.index] != n.round {
					n.stamp[o.index] = n.round
					work = append(work, o)
				}
			}
		}
	}
	n.sights[f.index] = s
	return s
}

func (l *Linker) sees(f, o *File) bool {
	return f == o || l.sight(f).seen[o.index/64]&(1<<(o.index%64)) != 0
}

// included looks a name up from a scope outwards, as eye sees it: eye is the file itself, or one that takes it in.
func (l *Linker) included(eye, f *File, scope int32, name string) []value {
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		var v []value
		found := false
		if id, ok := l.include.paths[scopedFile{f, s}]; ok {
			v = l.inSpace(eye, id, name)
			found = v != nil || eye == f && f.lookup(s, name) != nil
		} else {
			switch d := &f.Facts.Decls[s]; d.Kind {
			case lang.Class:
				if v = l.visibleOn(f, s, name, l.constant(f, scope)); !within(v) && d.Receiver != "" {
					v = union(v, l.fromOwner(eye, f, d, name)...)
				}
			default:
				if n := f.lookup(s, name); n != nil {
					return l.bound(f, n)
				}
				if d.Receiver != "" {
					v = l.fromOwner(eye, f, d, name)
				}
			}
			if n := f.lookup(s, name); n != nil {
				found = true
			}
		}
		if within(v) || found {
			return v
		}
		if v := l.opened(eye, f, s, name); v != nil {
			return v
		}
		if s == lang.File {
			return nil
		}
	}
}

// fromOwner looks a name up among the members of the class, or the namespace, that a function or class written outside of it
// is of.
func (l *Linker) fromOwner(eye, f *File, d *lang.Decl, name string) []value {
	for _, v := range l.eval(f, d.Owner) {
		switch v.kind {
		case vClass:
			r := l.decls[v.a]
			if out := l.visibleOn(r.f, r.d, name, d.Flags&lang.Const != 0); within(out) {
				return out
			}
			// Classes around the class are seen, too, also where it is written outside of them.
			if r.decl().Receiver != "" {
				if out := l.fromOwner(eye, r.f, r.decl(), name); within(out) {
					return out
				}
			}
			for p := r.decl().Parent; p != lang.File && r.f.Facts.Decls[p].Kind == lang.Class; p = r.f.Facts.Decls[p].Parent {
				if out := l.visible(r.f, p, name); within(out) {
					return out
				}
			}
			if p := r.decl().Parent; p != lang.File && d.Parent == lang.File {
				if out := l.included(eye, r.f, p, name); within(out) {
					return out
				}
			}
		case vSpace:
			if out := l.inSpace(eye, l.spaceID(v), name); within(out) {
				return out
			}
		}
	}
	return nil
}

// opened looks a name up in the namespaces whose names a scope takes as its own.
func (l *Linker) opened(eye, f *File, scope int32, name string) []value {
	brings := f.wildcards[f.space(scope)]
	if len(brings) == 0 || l.include.opening {
		return nil // the names of namespaces are not looked for in the namespaces that they open
	}
	l.include.opening = true
	defer func() { l.include.opening = false }()
	var out []value
	for _, x := range brings {
		for _, v := range l.eval(f, x) {
			switch v.kind {
			case vSpace:
				out = union(out, l.inSpace(eye, l.spaceID(v), name)...)
			case vClass:
				out = union(out, l.attr(v, name, model.LevelImport)...)
			}
		}
	}
	if within(out) {
		return weaken(out, model.LevelImport)
	}
	return nil
}

// spaceID gives the number of the namespace that a value is.
func (l *Linker) spaceID(v value) int32 {
	r := l.decls[v.a]
	return l.include.paths[scopedFile{r.f, r.d}]
}

// inSpace looks a name up in a namespace, in all files that eye sees.
func (l *Linker) inSpace(eye *File, id int32, name string) []value {
	var out []value
	for _, s := range l.include.spots[spotKey{id, name}] {
		if !l.sees(eye, s.f) {
			continue
		}
		vals := l.bound(s.f, s.n)
		if s.f != eye {
			vals = weaken(vals, model.LevelImport)
		}
		for _, v := range vals {
			if v.kind == vSpace { // of all files, and as this one sees it
				v.a, v.b = l.include.first[l.spaceID(v)], eye.index
			}
			out = union(out, v)
		}
	}
	return out
}

// outsideName gives what a name is that nothing binds.
func (l *Linker) outsideName(f *File, scope int32, name string) []value {
	for _, u := range l.include.users[f] { // a piece of another file, that leans on what is around it
		if v := l.included(u, f, scope, name); within(v) {
			return weaken(v, model.LevelImport)
		}
	}
	if f.rules.Builtins[name] || l.sight(f).outside {
		return []value{l.outside(f.rules, name)}
	}
	for _, u := range l.include.users[f] {
		if l.sight(u).outside {
			return []value{l.outside(f.rules, name)}
		}
	}
	return nil
}

// fieldAt gives the name of the field of a class that "#i" means, the i-th.
func (l *Linker) fieldAt(class int32, name string) string {
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
	if p := l.decls[class].decl().Params; i < len(p) {
		return p[i].Name
	}
	return name
}

// pointed gives what a value points to or holds.
func (l *Linker) pointed(v value, operator string) []value {
	switch v.kind {
	case vExternal:
		if v.a == 0 {
			break
		}
		if o := l.outsides[v.a-1]; strings.HasSuffix(o.name, "*") {
			name := strings.TrimSuffix(o.name, "*")
			if !strings.HasSuffix(name, "*") {
				name = strings.TrimPrefix(name, lang.ConstType)
			}
			w := l.outside(o.rules, name)
			w.lvl = max(w.lvl, v.lvl)
			return []value{w}
		}
	case vBox:
		if v.bound {
			v.bound = false
			break
		}
		return l.elementsAt(v, "", model.LevelMember)
	case vInst:
		if v.bound {
			v.bound = false
			break
		}
		if operator == "" {
			break
		}
		for _, c := range l.order(v.a).order {
			out, ok := l.own(c, v, operator, model.LevelMember, false)
			if !ok {
				continue
			}
			var held []value
			for _, m := range out {
				held = union(held, l.result(m)...)
			}
			return held
		}
	}
	return []value{v}
}

// bindsName tells whether something around a scope binds a name, though nothing is known of it.
func (l *Linker) bindsName(f *File, scope int32, name string) bool {
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
func (l *Linker) callable(vals []value) []value {
	fn := func(v value) bool { return v.kind == vFunc || v.kind == vOver }
	if !slices.ContainsFunc(vals, fn) || !slices.ContainsFunc(vals, func(v value) bool { return v.kind == vClass }) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), func(v value) bool { return v.kind == vClass })
}

// fittingAll is fitting where the functions of a name in several files are overloads of one another.
func (l *Linker) fittingAll(f *File, vals []value, args []lang.Arg) []value {
	var out, all []value
	for _, v := range vals {
		if v.kind != vOver {
			out = append(out, v)
			continue
		}
		more, _ := l.overloads(v)
		for _, w := range more {
			if !slices.ContainsFunc(all, w.same) {
				all = append(all, w)
			}
		}
	}
	all = l.operators(f, all, args)
	chosen := l.choose(f, all, args)
	if len(chosen) == 0 {
		chosen = weaken(all, model.LevelName)
	}
	if len(chosen) > MaxValues {
		return out
	}
	return append(out, chosen...)
}

// operators leaves out operators outside of classes of which no parameter is of the class of its operand.
func (l *Linker) operators(f *File, all []value, args []lang.Arg) []value {
	if len(all) == 0 || !strings.HasPrefix(l.decls[all[0].a].decl().Name, "operator") {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(v value) bool {
		r := l.decls[v.a]
		d := r.decl()
		if d.Receiver != "" || d.Parent != lang.File && r.f.Facts.Decls[d.Parent].Kind == lang.Class {
			return false
		}
		for i, a := range args {
			if i >= len(d.Params) {
				break
			}
			types := l.eval(r.f, d.Params[i].Type)
			for _, w := range l.eval(f, a.X) {
				if w.kind != vInst || w.bound {
					continue
				}
				if slices.ContainsFunc(types, func(t value) bool { return t.kind == vClass && slices.Contains(l.order(w.a).order, t.a) }) {
					return false
				}
			}
		}
		return true
	})
}

// associated looks the plain name of a called function up in the namespaces of the classes of its arguments (C++17,
// 6.4.2).
func (l *Linker) associated(f *File, callee int32, args []lang.Arg) []value {
	e := f.expr(callee)
	if e.Op != lang.OpName {
		return nil
	}
	var out []value
	for _, a := range args {
		for _, v := range l.eval(f, a.X) {
			if v.kind != vInst {
				continue
			}
			r := l.decls[v.a]
			p := r.decl().Parent
			for p != lang.File && r.f.Facts.Decls[p].Kind != lang.Namespace {
				p = r.f.Facts.Decls[p].Parent
			}
			if id, ok := l.include.paths[scopedFile{r.f, p}]; ok && id != 0 {
				for _, w := range l.inSpace(f, id, e.Name) {
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
func (l *Linker) callees(f *File, callee int32, args []lang.Arg) []value {
	vals := l.eval(f, callee)
	if f.rules.Includes && (!within(vals) || strings.HasPrefix(f.expr(callee).Name, "operator")) {
		if more := l.associated(f, callee, args); more != nil {
			return union(vals, more...)
		}
	}
	return vals
}
