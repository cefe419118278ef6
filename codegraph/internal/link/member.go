package link

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

func itoa(i int) string { return strconv.Itoa(i) }

// A module is a resolver's module with the language it is seen from.
type module struct {
	lang.Module
	number int32
	res    lang.Resolver
	rules  *lang.Rules
	subs   map[string]*module // submodules asked for; nil where there is none
}

// moduleKey is the same for modules that are the same.
func moduleKey(m lang.Module) string {
	k := m.Dir + "\x00" + strings.Join(m.Files, "\x00")
	if m.Inner != "" {
		k += "\x00\x00" + m.Inner
	}
	if m.HasDir {
		k = "d" + k
	}
	return k
}

// module numbers a module.
func (ms *modules) module(m lang.Module) int32 {
	k := moduleKey(m)
	i, ok := ms.moduleOf[k]
	if !ok {
		i = int32(len(ms.modules))
		ms.moduleOf[k] = i
		ms.modules = append(ms.modules, &module{Module: m, number: i})
	}
	return i
}

// importModule gives the module that an import of f names, as number; for a member import the module it is taken from.
func (ms *modules) importModule(f *File, i int32) (int32, bool) {
	m, ok := f.mods[i]
	if !ok {
		m = ms.ask(f, f.Facts.Imports[i])
		f.mods[i] = m
	}
	return m.known()
}

// firstModule gives the module that the first name of a dotted import names.
func (ms *modules) firstModule(f *File, i int32) (int32, bool) {
	first, _, _ := strings.Cut(f.Facts.Imports[i].Module, ".")
	return ms.moduleNamed(f, first)
}

// moduleNamed gives the module that a name alone means in f.
func (ms *modules) moduleNamed(f *File, name string) (int32, bool) {
	m, ok := f.modsNamed[name]
	if !ok {
		m = ms.ask(f, lang.Import{Module: name})
		if f.modsNamed == nil {
			f.modsNamed = map[string]*module{}
		}
		f.modsNamed[name] = m
	}
	return m.known()
}

func (m *module) known() (int32, bool) {
	if m == nil {
		return 0, false
	}
	return m.number, true
}

// ask gives the module that f means, nil when it lies outside.
func (ms *modules) ask(f *File, imp lang.Import) *module {
	m, ok := f.res.Module(f.Path, imp)
	if !ok {
		return nil
	}
	n := ms.module(m)
	ms.modules[n].res, ms.modules[n].rules = f.res, f.rules
	return ms.modules[n]
}

// exported gives what a module offers under a name: its own names, what it passes on, its submodules.
func (ex *exports) exported(n int32, name string) []value {
	k := moduleName{n, name}
	id := ex.moduleNames[k]
	if id == 0 {
		id = ex.solver.add(ex.moduleNameKind, 0, int32(len(ex.moduleNameOf)))
		ex.moduleNameOf = append(ex.moduleNameOf, k)
		ex.moduleNames[k] = id
	}
	return ex.solver.read(id)
}

func (ex *exports) moduleMember(c *cell) []value {
	n, name := ex.moduleNameOf[c.a].module, ex.moduleNameOf[c.a].name
	m := ex.modules.modules[n]
	var found bool
	var out []value
	if m.Inner != "" {
		for _, v := range ex.innerClass(m) {
			out = union(out, ex.members.attr(v, name, model.LevelImport)...)
		}
		return out
	}
	for _, p := range m.Files {
		f := ex.prog.byPath[p]
		if f == nil {
			continue
		}
		if !f.rules.AllExported {
			if v, ok := ex.exports(f, n, name); ok {
				found, out = true, union(out, v...)
				continue
			}
		}
		if f.rules.PackageScope { // what a file imports is its own affair
			if b := f.lookup(lang.File, name); b != nil && b.decls+b.binds > 0 {
				found = true
				out = union(out, ex.names.bound(f, b)...)
			}
			continue
		}
		if b := f.lookup(lang.File, name); b != nil && !ex.ownSubmodule(f, b, n, name) {
			found = true
			out = union(out, ex.names.bound(f, b)...)
		} else if v := ex.names.starred(f, name); v != nil {
			found = true
			out = union(out, v...)
		} else if v := ex.names.wildcardMember(f, lang.File, name); v != nil {
			found = true
			out = union(out, v...)
		}
	}
	if found && out != nil && !slices.ContainsFunc(out, func(v value) bool { return v.kind != vExternal }) && m.HasDir && m.res != nil {
		if s, ok := ex.modules.sub(m, name); ok { // a submodule is there; a star import from outside hides nothing
			return []value{{kind: vModule, a: s, lvl: model.LevelImport}}
		}
	}
	if found {
		return out
	}
	if m.HasDir && m.res != nil {
		if s, ok := ex.modules.sub(m, name); ok {
			return []value{{kind: vModule, a: s, lvl: model.LevelImport}}
		}
	}
	return nil
}

// innerClass gives the class that a module's Inner names.
func (ex *exports) innerClass(m *module) []value {
	base := m.Module
	base.Inner = ""
	n := ex.modules.submodule(m, base)
	first, rest, more := strings.Cut(m.Inner, ".")
	vals := ex.exported(n, first)
	for more {
		first, rest, more = strings.Cut(rest, ".")
		var out []value
		for _, v := range vals {
			out = union(out, ex.members.attr(v, first, model.LevelImport)...)
		}
		vals = out
	}
	return vals
}

// ownSubmodule tells whether a file binds a name by importing it from the module that the file itself is, as a package
// does with its submodules: "from . import b".
func (ex *exports) ownSubmodule(f *File, b *named, n int32, name string) bool {
	if b.imports == 0 || b.decls+b.binds > 0 {
		return false
	}
	for _, i := range f.names.imports(b) {
		if m, ok := ex.modules.importModule(f, i); !ok || m != n || f.Facts.Imports[i].Name != name {
			return false
		}
	}
	return true
}

// sub gives the submodule of a name, and remembers it.
func (ms *modules) sub(m *module, name string) (int32, bool) {
	s, ok := m.subs[name]
	if !ok {
		if x, ok := m.res.Sub(m.Module, name); ok {
			s = ms.modules[ms.submodule(m, x)]
		}
		if m.subs == nil {
			m.subs = map[string]*module{}
		}
		m.subs[name] = s
	}
	return s.known()
}

func (ms *modules) submodule(m *module, s lang.Module) int32 {
	n := ms.module(s)
	ms.modules[n].res, ms.modules[n].rules = m.res, m.rules
	return n
}

// exports follows the explicit exports of file f of module n: "export { a as b }", "export * from", "export default".
func (ex *exports) exports(f *File, n int32, name string) ([]value, bool) {
	for i := range f.Facts.Imports {
		imp := &f.Facts.Imports[i]
		if imp.As == name && imp.Module == "" {
			if n := f.lookup(lang.File, imp.Name); n != nil {
				return ex.names.bound(f, n), true
			}
		}
		if imp.As == name && imp.Module != "" {
			m, ok := ex.modules.importModule(f, int32(i))
			if !ok {
				return []value{{kind: vExternal}}, true
			}
			if imp.Name == "*" {
				return []value{{kind: vModule, a: m, lvl: model.LevelImport}}, true
			}
			return ex.exported(m, imp.Name), true
		}
	}
	for _, k := range []string{"exports." + name, "module.exports"} { // CommonJS
		b := f.lookup(lang.File, k)
		if b == nil {
			continue
		}
		vals := ex.names.bound(f, b)
		if k != "module.exports" || name == "default" {
			return vals, true
		}
		var out []value
		for _, v := range vals {
			out = union(out, ex.members.attr(v, name, model.LevelImport)...)
		}
		if len(out) > 0 {
			return out, true
		}
	}
	if name == "default" {
		for i := range f.Facts.Decls {
			if d := &f.Facts.Decls[i]; d.Flags&lang.DefaultExport != 0 && d.Parent == lang.File {
				return []value{ex.ev.declValue(f.ids[i], model.LevelScope)}, true
			}
		}
		if f.lookup(lang.File, "exports") != nil { // a CommonJS module is its own default
			return []value{{kind: vModule, a: n, lvl: model.LevelImport}}, true
		}
	}
	return nil, false
}

// attr looks a member up on a value; lvl is the level that the step is worth.
func (mb *members) attr(v value, name string, lvl uint8) []value {
	switch v.kind {
	case vExternal:
		return []value{{kind: vExternal, lvl: v.lvl}}
	case vMany:
		return many
	case vBox:
		if r := mb.containers.boxes[v.a]; r.f.rules.Objects && r.f.table.Op(r.x) == lang.OpDict {
			if out := mb.containers.elementsAt(v, name, max(lvl, model.LevelMember)); out != nil {
				return out
			}
		}
		return []value{mb.containers.boxMember(v, name)} // a method of a built-in container
	case vFunc:
		if mb.prog.decls[v.a].f.rules.Objects { // functions are objects, too
			return weaken(mb.attrValues(v.a, name), max(v.lvl, lvl))
		}
		return nil
	case vModule:
		if out := mb.exports.exported(v.a, name); out != nil {
			return weaken(out, max(v.lvl, model.LevelImport))
		}
		return nil
	case vSpace:
		r := mb.prog.decls[v.a]
		if r.f.rules.Includes {
			return weaken(mb.included.inSpace(mb.prog.Files[v.b], mb.inc.spaceID(v), name), v.lvl)
		}
		if n := mb.deps.find(r.f, r.d, name); n != nil {
			return weaken(mb.names.bound(r.f, n), v.lvl)
		}
		return mb.names.wildcardMember(r.f, r.d, name)
	case vClass, vInst, vSuper:
		order := mb.classes.order(v.a)
		classes := order.order
		if v.kind == vSuper {
			if i := slices.Index(classes, v.b); i >= 0 {
				classes = classes[i+1:]
			}
		}
		if v.kind == vInst && name == mb.prog.decls[v.a].f.rules.Class && name != "" {
			return []value{{kind: vClass, bound: v.bound, a: v.a, lvl: v.lvl}}
		}
		var out []value
		found, hides := false, mb.declares(classes, name)
		for _, c := range classes {
			var more []value
			more, found = mb.own(c, v, name, lvl, hides)
			if out = union(out, more...); found {
				break
			}
		}
		if mb.prog.decls[v.a].f.rules.Derived && !slices.ContainsFunc(out, inside) {
			out = union(out, mb.subclassMember(v, classes, name)...)
		}
		if found {
			return out
		}
		if rules := mb.prog.decls[v.a].f.rules; out == nil && rules.Universal[name] {
			return []value{mb.externals.outsideMember(rules, value{kind: vExternal, lvl: v.lvl}, name)}
		}
		if order.open {
			lvl := model.LevelName // a base class that is not here may have it
			if v.kind == vSuper {
				lvl = v.lvl // and only that
			}
			out = union(out, value{kind: vExternal, lvl: lvl})
		}
		return out
	}
	return nil
}

// declares tells whether one of the classes has a method of this name, in a language where that says all.
func (mb *members) declares(classes []int32, name string) bool {
	return slices.ContainsFunc(classes, func(c int32) bool {
		r := mb.prog.decls[c]
		if !r.f.rules.Typed {
			return false
		}
		n := mb.deps.find(r.f, r.d, name)
		return n != nil && n.decls > 0
	})
}

// own looks a member up in one class, for the receiver v.
// What is set on it from outside of its methods adds to what it has, and hides nothing.
func (mb *members) own(c int32, v value, name string, lvl uint8, declared bool) ([]value, bool) {
	r := mb.prog.decls[c]
	name = mb.fieldAt(c, name)
	var out []value
	found := false
	step := max(v.lvl, lvl)
	if n := mb.deps.find(r.f, r.d, name); n != nil {
		found = true
		for _, m := range mb.names.bound(r.f, n) {
			m.lvl = max(m.lvl, step)
			if m.kind == vFunc {
				d := mb.prog.decls[m.a].decl()
				if d.Flags&lang.Property != 0 && v.kind != vClass {
					out = union(out, mb.results.result(m)...)
					continue
				}
				m.bound = v.kind != vClass && d.Flags&lang.Static == 0 || d.Flags&lang.ClassMethod != 0
				m.fixed = v.fixed
				if v.kind == vInst && v.a != c && mb.results.fluent[m.a] {
					m.b = v.a + 1
				}
			}
			if m.kind == vInst && !m.bound && v.kind == vInst && v.fixed { // a part of what may not be changed
				m.fixed = true
			}
			if m.kind == vOver {
				m.bound, m.fixed = v.kind != vClass, v.fixed
				if r.f.rules.Inherit {
					m.b = v.a + 1
				}
			}
			out = union(out, m)
		}
	}
	if r.f.rules.Declared { // nothing is added from outside of a class
		return out, found
	}
	methods := mb.flows.inflows(sourceKey{kind: sourceMethod, a: c, name: name})
	primary := slices.ContainsFunc(methods, func(m inflow) bool { return mb.prog.decls[m.decl].decl().Flags&lang.Secondary == 0 })
	for _, m := range methods {
		found = true
		d := mb.prog.decls[m.decl].decl()
		if primary && d.Flags&lang.Secondary != 0 {
			continue
		}
		if r.f.rules.Includes && r.f.lookup(r.d, name) != nil {
			continue // its announcement in the class stands for it
		}
		if d.Kind != lang.Function {
			out = union(out, mb.ev.declValue(m.decl, step))
			continue
		}
		fn := value{kind: vFunc, a: m.decl, lvl: step, bound: v.kind != vClass && d.Flags&lang.Static == 0}
		if d.Flags&lang.Property != 0 && v.kind != vClass {
			out = union(out, mb.results.result(fn)...)
			continue
		}
		out = union(out, fn)
	}
	found = found || mb.ownAttrs[attrKey{c, name}]
	if declared || r.f.rules.Typed && says(out) {
		return out, found
	}
	out = union(out, weaken(mb.attrValues(c, name), step)...)
	return out, found
}

// order gives the lookup order of a class's members.
func (cs *classes) order(c int32) *mro {
	id := cs.orders[c]
	if id == 0 {
		id = cs.solver.add(cs.orderKind, 0, c)
		cs.orders[c] = id
	}
	cs.solver.read(id)
	if m := cs.mros[c]; m != nil {
		return m
	}
	return &mro{order: []int32{c}} // a class under its own bases
}

// reorder computes the lookup order of a class again.
func (cs *classes) reorder(c *cell) []value {
	if m, old := cs.findOrder(c.a), cs.mros[c.a]; old == nil || m.open != old.open || !slices.Equal(m.order, old.order) || !slices.Equal(m.depth, old.depth) {
		if c.changes++; c.changes < maxReplaced || old == nil {
			cs.mros[c.a] = m
			cs.solver.fire(c)
		}
	}
	return nil
}

// findOrder computes the lookup order of a class.
func (cs *classes) findOrder(c int32) *mro {
	m := &mro{order: []int32{c}}
	r := cs.prog.decls[c]
	var bases []int32
	exprs := make([]exprRef, 0, len(r.decl().Bases))
	for _, x := range r.decl().Bases {
		exprs = append(exprs, exprRef{r.f, x})
	}
	for _, g := range cs.flows.inflows(sourceKey{kind: sourceBase, a: c}) {
		exprs = append(exprs, g.expr())
	}
	for _, x := range exprs {
		vals := cs.ev.eval(x.f, x.x)
		known := false
		for _, v := range vals {
			if (v.kind == vClass || v.kind == vInst) && v.a != c {
				known = true
				if !slices.Contains(bases, v.a) {
					bases = append(bases, v.a)
				}
			}
		}
		if e := x.f.expr(x.x); !known && !(e.Op == lang.OpName && plainBase[e.Name]) {
			m.open = true
		}
	}
	lists := make([][]int32, 0, len(bases)+1)
	above := make([]*mro, 0, len(bases))
	for _, b := range bases {
		o := cs.order(b)
		above = append(above, o)
		m.open = m.open || o.open
		lists = append(lists, slices.Clone(o.order))
	}
	if r.f.rules.Linear {
		if tail, ok := merge(append(lists, slices.Clone(bases))); ok && !slices.Contains(tail, c) {
			m.order = append(m.order, tail...)
			return m
		}
	}
	if !r.f.rules.Linear {
		m.nearest(above)
		return m
	}
	for _, o := range lists {
		for _, b := range o {
			if !slices.Contains(m.order, b) {
				m.order = append(m.order, b)
			}
		}
	}
	return m
}

const maxAbove = 128 // classes in one lookup order by distance; what is farther counts as unknown

// nearest orders what is above a class by distance: what is embedded less deep wins (The Go Programming Language
// Specification, "Selectors").
func (m *mro) nearest(above []*mro) {
	defer func() {
		if len(m.order) > maxAbove {
			m.order, m.depth, m.open = m.order[:maxAbove:maxAbove], m.depth[:maxAbove:maxAbove], true
		}
	}()
	m.depth = []int32{0}
	for depth := int32(0); ; depth++ {
		more := false
		for _, o := range above {
			for i, c := range o.order {
				at := int32(i) // an order that is not by distance, of a class under its own bases
				if i < len(o.depth) {
					at = o.depth[i]
				}
				more = more || at > depth
				if at == depth && !slices.Contains(m.order, c) {
					m.order, m.depth = append(m.order, c), append(m.depth, depth+1)
				}
			}
		}
		if !more {
			return
		}
	}
}

// plainBase are bases that add no members anyone calls by accident.
var plainBase = map[string]bool{"object": true, "Generic": true, "Protocol": true, "ABC": true}

// merge is the merge step of C3 (Barrett et al., A Monotonic Superclass Linearization for Dylan, 1996).
func merge(lists [][]int32) ([]int32, bool) {
	var out []int32
	for {
		lists = slices.DeleteFunc(lists, func(l []int32) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out, true
		}
		pick := int32(-1)
		for _, l := range lists {
			if !slices.ContainsFunc(lists, func(o []int32) bool { return slices.Contains(o[1:], l[0]) }) {
				pick = l[0]
				break
			}
		}
		if pick < 0 {
			return nil, false
		}
		out = append(out, pick)
		for i := range lists {
			if lists[i][0] == pick {
				lists[i] = lists[i][1:]
			}
		}
	}
}

// classAround gives the class whose method is around a scope, and whether that method has no instance.
func (ns *names) classAround(f *File, scope int32) (class int32, static, ok bool) {
	for s := scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		d := &f.Facts.Decls[s]
		if d.Kind == lang.Class {
			return f.ids[s], true, true // in the class body itself
		}
		if d.Receiver != "" && d.Owner != lang.None && f.rules.Includes {
			for _, v := range ns.ev.eval(f, d.Owner) {
				if v.kind == vClass {
					return v.a, d.Flags&lang.Static != 0, true
				}
			}
		}
		if d.Parent != lang.File && f.Facts.Decls[d.Parent].Kind == lang.Class && d.Kind == lang.Function {
			return f.ids[d.Parent], d.Flags&(lang.Static|lang.ClassMethod) != 0, true
		}
	}
	return 0, false, false
}

// isReceiver tells whether a name is the receiver parameter of the innermost method around it.
func (ns *names) isReceiver(f *File, x lang.Expr) bool {
	for s := x.Scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		n := f.lookup(s, x.Name)
		if n == nil {
			continue
		}
		return n.param >= 0 && f.Facts.Decls[s].Params[n.param].Kind == lang.Receiver
	}
	return false
}
