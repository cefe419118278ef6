package link

import (
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// resolve makes all edges that are not there by the structure of the files.
func (l *Linker) resolve(ctx context.Context) error {
	for _, f := range l.prog.Files {
		l.results.gatherResults(f)
	}
	l.inc.planIncludes()
	for _, f := range l.prog.Files {
		l.actions.planActions(f)
	}
	// Types come first: what is known of them decides what else is looked at.
	for _, f := range l.prog.Files {
		for _, a := range f.actions {
			if len(a.decls) > 0 || slices.ContainsFunc(a.binds, func(i int32) bool { return f.Facts.Bindings[i].Kind == lang.Extend }) {
				l.solver.read(a.cell)
			}
		}
	}
	for _, f := range l.prog.Files {
		l.types(f)
	}
	if err := l.solver.solve(ctx.Err); err != nil {
		return err
	}
	for _, f := range l.prog.Files {
		for _, a := range f.actions {
			l.solver.enqueue(a.cell)
		}
	}
	for _, f := range l.prog.Files {
		f.link = l.solver.add(l.linkKind, f.index, 0)
		l.solver.enqueue(f.link)
	}
	if err := l.solver.solve(ctx.Err); err != nil {
		return err
	}
	return l.implement(ctx)
}

// linkFile makes the linkage of a file.
func (l *Linker) linkFile(c *cell) []value {
	f := l.prog.Files[c.file]
	f.Linkage.Edges, f.Linkage.Loose = l.scratch.Edges[:0], l.scratch.Loose[:0]
	l.linked = append(l.linked, f)
	l.methodsOutside(f)
	l.definitions(f)
	l.imports(f)
	l.inherits(f)
	for r := range f.table.Refs() {
		l.refEdges(f, r)
	}
	l.scratch.Edges, l.scratch.Loose = f.Linkage.Edges, f.Linkage.Loose // used again for the next file
	f.Linkage.Edges, f.Linkage.Loose = exactly(f.Linkage.Edges), exactly(f.Linkage.Loose)
	return nil
}

// exactly copies a list into no more memory than it takes.
func exactly[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }

// types evaluates what a file says of types: bases, annotations, results.
func (l *Linker) types(f *File) {
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Class {
			l.classes.order(f.ids[i])
		}
		for _, p := range d.Params {
			l.ev.eval(f, p.Type)
		}
	}
	for i := range f.Facts.Bindings {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Annotate || b.Kind == lang.ReturnType {
			l.ev.eval(f, b.Value)
		}
	}
}

// methodsOutside makes the edges from classes to methods that are written outside of them.
func (l *Linker) methodsOutside(f *File) {
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Receiver == "" {
			continue
		}
		home := false
		for _, v := range l.names.owners(f, d) {
			r := l.prog.decls[v]
			f.edgeFrom(r, declRef{f, int32(i)}, model.Contain, 0, model.SiteOf(d))
			home = true
			break
		}
		if !home {
			f.edge(lang.File, declRef{f, int32(i)}, model.Contain, 0, model.SiteOf(d))
		}
	}
}

// owners lists what the receiver of a method written outside of its class may be.
func (ns *names) owners(f *File, d *lang.Decl) []int32 {
	var out []int32
	if d.Owner == lang.None {
		for _, c := range ns.packageDecls(f, d.Receiver) {
			if ns.prog.decls[c].decl().Kind == lang.Class {
				return append(out, c)
			}
		}
		return nil
	}
	for _, v := range ns.ev.eval(f, d.Owner) {
		if v.kind == vClass {
			out = append(out, v.a)
		}
	}
	return out
}

// packageDecls lists the top-level declarations of a name in f and in the files that share its scope.
func (ns *names) packageDecls(f *File, name string) []int32 {
	var out []int32
	ns.deps.find(f, lang.File, name) // a token for all siblings
	add := func(f *File) {
		if n := f.lookup(lang.File, name); n != nil {
			for _, d := range f.names.decls(n) {
				out = append(out, f.ids[d])
			}
		}
	}
	add(f)
	if f.rules.PackageScope {
		for _, o := range ns.modules.siblings(f) {
			add(o)
		}
	}
	return out
}

// constructors gives the methods that run when a class is instantiated; of overloaded ones those that take the arguments.
func (mb *members) constructors(f *File, v value, args []lang.Arg) []value {
	r := mb.prog.decls[v.a]
	var out []value
	for _, name := range r.f.rules.Constructors {
		order := mb.classes.order(v.a).order
		if name == "" { // those called like their class are not inherited
			order = order[:1]
		}
		for _, c := range order {
			o := mb.prog.decls[c]
			n := mb.deps.find(o.f, o.d, name)
			if n == nil || n.decls == 0 {
				continue
			}
			decls := o.f.names.decls(n)
			last := decls[len(decls)-1]
			if o.f.Facts.Decls[last].Flags&lang.Overload == 0 {
				out = append(out, value{kind: vFunc, a: o.f.ids[last]})
				break
			}
			var all []value
			for _, d := range decls {
				for _, w := range mb.defs.standValues(o.f.ids[d]) {
					if !slices.ContainsFunc(all, w.same) {
						all = append(all, w)
					}
				}
			}
			out = append(out, mb.overloads.choose(f, all, args)...)
			break
		}
	}
	return out
}

// refEdges makes the edges of one reference, or keeps it as unresolved.
func (l *Linker) refEdges(f *File, r lang.Ref) {
	at := model.Site{Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol}
	src := f.Owner(r.Scope)
	callee := r.X
	if r.Kind == lang.Call {
		callee = f.table.Operand(r.X)
	}
	var vals []value
	if r.Kind == lang.Call {
		vals = l.overloads.callees(f, callee, f.table.Args(r.X))
	} else {
		vals = l.ev.eval(f, callee)
	}
	switch r.Kind {
	case lang.Use:
		l.mention(f, r.Name, src, union(vals, l.members.getters(f, callee)...), at)
		return
	case lang.Call:
		vals = l.overloads.fitting(f, l.together(f, vals), f.table.Args(r.X))
	}
	var args []lang.Arg
	if r.Kind == lang.Call {
		args = f.table.Args(r.X)
	}
	made, outside := false, false
	for i, v := range vals {
		if v.kind == vClass && v.b != 0 && slices.ContainsFunc(vals[:i], func(w value) bool { return w.kind == vClass && w.a == v.a }) {
			continue // the same with other type arguments
		}
		switch v.kind {
		case vExternal:
			outside = outside || v.lvl < model.LevelName
		case vGive:
			outside = true
		case vFunc:
			made = true
			if d := l.prog.decls[v.a]; d.decl().Kind == lang.Function {
				f.edge(src, d, model.Invoke, max(v.lvl, model.LevelScope), at)
			}
		case vClass:
			made = true
			d := l.prog.decls[v.a]
			if v.bound {
				break // a pointer is made
			}
			if d.decl().Flags&lang.Interface != 0 && len(vals) > 1 {
				break // a type that shares its name with what is called
			}
			if d.f.rules.Conversion {
				f.edge(src, d, model.Reference, max(v.lvl, model.LevelScope), at)
				break
			}
			f.edge(src, d, model.Invoke, max(v.lvl, model.LevelScope), at)
			for _, m := range l.members.constructors(f, v, args) {
				f.edge(src, l.prog.decls[m.a], model.Invoke, max(v.lvl, m.lvl, model.LevelMember), at)
			}
		case vSuper: // super(...) in a constructor
			for _, c := range l.classes.order(v.a).order {
				if c != v.a {
					made = true
					d := l.prog.decls[c]
					f.edge(src, d, model.Invoke, max(v.lvl, model.LevelMember), at)
					for _, m := range l.members.constructors(f, value{a: c}, args) {
						f.edge(src, l.prog.decls[m.a], model.Invoke, max(v.lvl, m.lvl, model.LevelMember), at)
					}
					break
				}
			}
		case vInst:
			if call := l.prog.decls[v.a].f.rules.Call; call != "" {
				for _, m := range l.members.attr(v, call, model.LevelMember) {
					if m.kind == vFunc {
						made = true
						if d := l.prog.decls[m.a]; d.decl().Kind == lang.Function {
							f.edge(src, d, model.Invoke, max(m.lvl, model.LevelMember), at)
						}
					}
				}
			}
		}
	}
	if made || r.Name == "" {
		return
	}
	if outside && f.rules.Extends && f.table.Op(callee) == lang.OpAttr {
		if m, ok := l.extension(f, r.Name); ok && (l.prog.decls[m].f != f || l.prog.decls[m].d != src) {
			f.edge(src, l.prog.decls[m], model.Invoke, model.LevelName, at)
			return
		}
	}
	if !outside && f.table.Op(callee) == lang.OpAttr {
		if m, ok := l.onlyMethod(f, r.Name); ok && (l.prog.decls[m].f != f || l.prog.decls[m].d != src) { // a method that hands on to another of its name
			d := l.prog.decls[m]
			f.edge(src, d, model.Invoke, model.LevelName, at)
			return
		}
	}
	f.Linkage.Loose = append(f.Linkage.Loose, Unresolved{r.Name, at, outside})
}

// mention makes the edges of a reference that is no call. What a class or function mentions of itself is none, and neither
// is what only came to a member of another name.
func (l *Linker) mention(f *File, name string, src int32, vals []value, at model.Site) {
	for _, v := range l.overloads.plain(vals) {
		if v.kind != vClass && v.kind != vFunc {
			continue
		}
		d := l.prog.decls[v.a]
		if f.rules.Typed && v.lvl >= model.LevelFlow && d.decl().Name != name {
			continue
		}
		if d.decl().Kind != lang.Lambda && (d.f != f || d.d != src) {
			f.edge(src, d, model.Reference, max(v.lvl, model.LevelScope), at)
		}
	}
}

// getters gives the properties that run when a member is read.
func (mb *members) getters(f *File, x int32) []value {
	e := f.expr(x)
	if e.Op != lang.OpAttr {
		return nil
	}
	var out []value
	for _, v := range mb.ev.eval(f, e.X) {
		if v.kind != vInst && v.kind != vSuper {
			continue
		}
		for _, c := range mb.classes.order(v.a).order {
			if v.kind == vSuper && c == v.b {
				continue
			}
			r := mb.prog.decls[c]
			n := mb.deps.find(r.f, r.d, e.Name)
			if n == nil {
				continue
			}
			for _, d := range r.f.names.decls(n) {
				if r.f.Facts.Decls[d].Flags&lang.Property != 0 {
					out = union(out, value{kind: vFunc, a: r.f.ids[d], lvl: max(v.lvl, model.LevelMember)})
					break // the getter stands before the setter
				}
			}
			break
		}
	}
	return out
}

const maxFamily = 32 // methods of one name that are compared with one another

// onlyMethod gives the one method of this name in the language, if there is just one, or one that all others override.
func (l *Linker) onlyMethod(f *File, name string) (int32, bool) {
	if f.rules.Common[name] || f.rules.Builtins[name] || strings.HasPrefix(name, "__") {
		return 0, false
	}
	l.deps.token(methodNamed(f.family, name))
	var all []int32
	for _, m := range l.prog.methods[f.family][name] {
		if l.prog.decls[m].f.test && !f.test {
			continue
		}
		if all = append(all, m); len(all) > maxFamily {
			return 0, false
		}
	}
	if len(all) == 1 {
		return all[0], true
	}
	for _, m := range all {
		c, ok := l.prog.classOf(m)
		if ok && !slices.ContainsFunc(all, func(o int32) bool {
			d, ok := l.prog.classOf(o)
			return !ok || !slices.Contains(l.classes.order(d).order, c)
		}) {
			return m, true
		}
	}
	return 0, false
}

// extension gives the method of this name that a class of the repository gives to types outside of it, or to all types,
// where no other class has one of the name.
func (l *Linker) extension(f *File, name string) (int32, bool) {
	if f.rules.Common[name] || f.rules.Builtins[name] {
		return 0, false
	}
	l.deps.token(methodNamed(f.family, name))
	all := l.prog.methods[f.family][name]
	if len(all) == 0 || len(all) > maxFamily {
		return 0, false
	}
	found, given := int32(-1), false
	for _, m := range all {
		r := l.prog.decls[m]
		switch c, ok := l.prog.classOf(m); {
		case r.decl().Receiver != "":
			if len(l.names.owners(r.f, r.decl())) > 0 {
				if r.decl().Flags&lang.Secondary == 0 { // a type's own method, and not by a trait
					return 0, false
				}
			} else {
				given = true
			}
		case ok && l.prog.decls[c].decl().Flags&lang.Interface != 0 && found < 0:
			found = m
		default:
			return 0, false
		}
	}
	return found, given && found >= 0
}

// classOf gives the class that a method is written in.
func (pr *program) classOf(m int32) (int32, bool) {
	r := pr.decls[m]
	p := r.decl().Parent
	if p == lang.File || r.f.Facts.Decls[p].Kind != lang.Class {
		return 0, false
	}
	return r.f.ids[p], true
}

// inherits makes the edges from classes to their bases.
func (l *Linker) inherits(f *File) {
	for _, b := range f.Facts.Bindings {
		if b.Kind == lang.Bring {
			l.wildcardEdges(f, &b)
		}
		if b.Kind != lang.Extend {
			continue
		}
		e := f.expr(b.Value)
		at := model.AtLine(b.Line)
		for _, c := range l.ev.eval(f, b.Target) {
			for _, v := range l.ev.eval(f, b.Value) {
				if c.kind == vClass && v.kind == vClass && c.a != v.a && e.Op != lang.OpUnknown {
					from, to := l.prog.decls[c.a], l.prog.decls[v.a]
					f.edgeFrom(from, to, model.Inherit, max(v.lvl, c.lvl, model.LevelScope), at)
				}
			}
		}
	}
	for i := range f.Facts.Decls {
		if f.Facts.Decls[i].Flags&lang.AliasType != 0 {
			continue
		}
		for _, x := range f.Facts.Decls[i].Bases {
			for _, v := range l.ev.eval(f, x) {
				if v.kind == vClass && v.a != f.ids[i] {
					d := l.prog.decls[v.a]
					f.edge(int32(i), d, model.Inherit, max(v.lvl, model.LevelScope), model.SiteOf(&f.Facts.Decls[i]))
				}
			}
		}
	}
}

// imports makes the edges from a file to the files and entities it imports.
func (l *Linker) imports(f *File) {
	for i := range f.Facts.Imports {
		imp := &f.Facts.Imports[i]
		if imp.Module == "" && imp.Level == 0 {
			continue // a re-export of something imported or declared here
		}
		m, ok := l.modules.importModule(f, int32(i))
		if !ok {
			continue
		}
		at := model.AtLine(imp.Line)
		made := false
		if imp.Name != "" && imp.Name != "*" {
			vals := l.exports.exported(m, imp.Name)
			if d := l.exports.declaredAs(m, imp.Name, 0); d != nil { // the name itself, whatever its decorators make of it
				vals = d
			}
			for _, v := range l.overloads.plain(vals) {
				switch v.kind {
				case vClass, vFunc:
					if d := l.prog.decls[v.a]; d.decl().Kind != lang.Lambda && d.f != f {
						f.edge(lang.File, d, model.Import, model.LevelImport, at)
						made = true
					}
				case vModule:
					made = l.importFiles(f, v.a, at) || made
				}
			}
		}
		if !made {
			l.importFiles(f, m, at)
		}
	}
}

// declaredAs gives the declarations that a module's name stands for, through the imports that pass it on; nil when the
// name is bound otherwise.
func (ex *exports) declaredAs(m int32, name string, depth int) []value {
	if depth > 20 || ex.modules.modules[m].Inner != "" {
		return nil
	}
	var out []value
	for _, p := range ex.modules.modules[m].Files {
		f := ex.prog.byPath[p]
		if f == nil || !f.rules.AllExported {
			continue
		}
		n := ex.deps.find(f, lang.File, name)
		if n == nil {
			continue
		}
		for _, d := range f.names.decls(n) {
			out = append(out, ex.ev.declValue(f.ids[d], model.LevelImport))
		}
		for _, i := range f.names.imports(n) {
			imp := &f.Facts.Imports[i]
			if t, ok := ex.modules.importModule(f, i); ok && imp.Name != "" && imp.Name != "*" {
				out = append(out, ex.declaredAs(t, imp.Name, depth+1)...)
			}
		}
	}
	return out
}

// importFiles makes the edge to a module: to its file, or to the directory when all files of it are the module.
func (l *Linker) importFiles(f *File, n int32, at model.Site) bool {
	m := l.modules.modules[n]
	l.deps.token(tokenKey{scope: n, bucket: moduleFiles})
	if m.Inner != "" {
		for _, v := range l.exports.innerClass(m) {
			if d := l.prog.decls[v.a]; v.kind == vClass && d.f != f {
				f.edge(lang.File, d, model.Import, model.LevelImport, at)
			}
		}
		return true
	}
	if f.rules.PackageScope && len(m.Files) > 0 {
		for j, p := range m.Files {
			if d := dirOf(p); j == 0 || d != dirOf(m.Files[j-1]) {
				f.edge(lang.File, declRef{l.dir(d), lang.File}, model.Import, model.LevelImport, at)
			}
		}
		return true
	}
	if f.rules.PackageScope || len(m.Files) == 0 && m.HasDir {
		if l.modules.tree.HasDir(m.Dir) {
			f.edge(lang.File, declRef{l.dir(m.Dir), lang.File}, model.Import, model.LevelImport, at)
			return true
		}
		return false
	}
	for _, p := range m.Files {
		if o := l.prog.byPath[p]; o != nil && o != f {
			f.edge(lang.File, declRef{o, lang.File}, model.Import, model.LevelImport, at)
		}
	}
	return true
}
