package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// exports gives the values of what modules offer by name.
type exports struct {
	prog           *symtab.Program
	modules        *modules.Modules
	solver         *solver.Solver
	deps           *dependencies
	ev             *evaluator
	names          *names
	members        *members
	moduleNames    map[modules.Name]solver.ID
	moduleNameOf   []modules.Name
	moduleNameKind solver.Kind
}

// exported gives what a module offers under a name: its own names, what it passes on, its submodules.
func (ex *exports) exported(n int32, name string) []value.Value {
	k := modules.Name{Module: n, Name: name}
	id := ex.moduleNames[k]
	if id == 0 {
		id = ex.solver.Add(ex.moduleNameKind, 0, int32(len(ex.moduleNameOf)))
		ex.moduleNameOf = append(ex.moduleNameOf, k)
		ex.moduleNames[k] = id
	}
	return ex.solver.Read(id)
}

func (ex *exports) moduleMember(c *solver.Cell) []value.Value {
	n, name := ex.moduleNameOf[c.Arg].Module, ex.moduleNameOf[c.Arg].Name
	m := ex.modules.At(n)
	var found bool
	var out []value.Value
	if m.Inner != "" {
		for _, v := range ex.innerClass(m) {
			out = value.Union(out, ex.members.attr(v, name, model.LevelImport)...)
		}
		return out
	}
	for _, p := range m.Files {
		f := ex.prog.ByPath[p]
		if f == nil {
			continue
		}
		if !f.Rules.AllExported {
			if v, ok := ex.exports(f, n, name); ok {
				found, out = true, value.Union(out, v...)
				continue
			}
		}
		if f.Rules.PackageScope { // what a file imports is its own affair
			if b := f.Lookup(lang.File, name); b != nil && b.Decls+b.Binds > 0 {
				found = true
				out = value.Union(out, ex.names.bound(f, b)...)
			}
			continue
		}
		if b := f.Lookup(lang.File, name); b != nil && !ex.ownSubmodule(f, b, n, name) {
			found = true
			out = value.Union(out, ex.names.bound(f, b)...)
		} else if v := ex.names.starred(f, name); v != nil {
			found = true
			out = value.Union(out, v...)
		} else if v := ex.names.wildcardMember(f, lang.File, name); v != nil {
			found = true
			out = value.Union(out, v...)
		}
	}
	if found && out != nil && !slices.ContainsFunc(out, func(v value.Value) bool { return v.Kind != value.External }) {
		if s, ok := ex.modules.Sub(m, name); ok { // a submodule is there; a star import from outside hides nothing
			return []value.Value{{Kind: value.Module, A: s, Level: model.LevelImport}}
		}
	}
	if found {
		return out
	}
	if s, ok := ex.modules.Sub(m, name); ok {
		return []value.Value{{Kind: value.Module, A: s, Level: model.LevelImport}}
	}
	return nil
}

// innerClass gives the class that a module's Inner names.
func (ex *exports) innerClass(m *modules.Module) []value.Value {
	n := ex.modules.Outer(m)
	first, rest, more := strings.Cut(m.Inner, ".")
	vals := ex.exported(n, first)
	for more {
		first, rest, more = strings.Cut(rest, ".")
		var out []value.Value
		for _, v := range vals {
			out = value.Union(out, ex.members.attr(v, first, model.LevelImport)...)
		}
		vals = out
	}
	return vals
}

// ownSubmodule tells whether a file binds a name by importing it from the module that the file itself is, as a package
// does with its submodules: "from . import b".
func (ex *exports) ownSubmodule(f *symtab.File, b *symtab.Symbol, n int32, name string) bool {
	if b.Imports == 0 || b.Decls+b.Binds > 0 {
		return false
	}
	for _, i := range f.Symbols.Imports(b) {
		if m, ok := ex.modules.Import(f, i); !ok || m != n || f.Facts.Imports[i].Name != name {
			return false
		}
	}
	return true
}

// exports follows the explicit exports of file f of module n: "export { a as b }", "export * from", "export default".
func (ex *exports) exports(f *symtab.File, n int32, name string) ([]value.Value, bool) {
	for i := range f.Facts.Imports {
		imp := &f.Facts.Imports[i]
		if imp.As == name && imp.Module == "" {
			if n := f.Lookup(lang.File, imp.Name); n != nil {
				return ex.names.bound(f, n), true
			}
		}
		if imp.As == name && imp.Module != "" {
			m, ok := ex.modules.Import(f, int32(i))
			if !ok {
				return []value.Value{{Kind: value.External}}, true
			}
			if imp.Name == "*" {
				return []value.Value{{Kind: value.Module, A: m, Level: model.LevelImport}}, true
			}
			return ex.exported(m, imp.Name), true
		}
	}
	for _, k := range []string{"exports." + name, "module.exports"} { // CommonJS
		b := f.Lookup(lang.File, k)
		if b == nil {
			continue
		}
		vals := ex.names.bound(f, b)
		if k != "module.exports" || name == "default" {
			return vals, true
		}
		var out []value.Value
		for _, v := range vals {
			out = value.Union(out, ex.members.attr(v, name, model.LevelImport)...)
		}
		if len(out) > 0 {
			return out, true
		}
	}
	if name == "default" {
		for i := range f.Facts.Decls {
			if d := &f.Facts.Decls[i]; d.Flags&lang.DefaultExport != 0 && d.Parent == lang.File {
				return []value.Value{ex.ev.declValue(f.IDs[i], model.LevelScope)}, true
			}
		}
		if f.Lookup(lang.File, "exports") != nil { // a CommonJS module is its own default
			return []value.Value{{Kind: value.Module, A: n, Level: model.LevelImport}}, true
		}
	}
	return nil, false
}

// declaredAs gives the declarations that a module's name stands for, through the imports that pass it on; nil when the
// name is bound otherwise.
func (ex *exports) declaredAs(m int32, name string, depth int) []value.Value {
	if depth > 20 || ex.modules.At(m).Inner != "" {
		return nil
	}
	var out []value.Value
	for _, p := range ex.modules.At(m).Files {
		f := ex.prog.ByPath[p]
		if f == nil || !f.Rules.AllExported {
			continue
		}
		n := ex.deps.find(f, lang.File, name)
		if n == nil {
			continue
		}
		for _, d := range f.Symbols.Decls(n) {
			out = append(out, ex.ev.declValue(f.IDs[d], model.LevelImport))
		}
		for _, i := range f.Symbols.Imports(n) {
			imp := &f.Facts.Imports[i]
			if t, ok := ex.modules.Import(f, i); ok && imp.Name != "" && imp.Name != "*" {
				out = append(out, ex.declaredAs(t, imp.Name, depth+1)...)
			}
		}
	}
	return out
}

// replace gathers what the modules with the file offer otherwise.
func (ex *exports) replace(e *edit) {
	in := ex.modules.With(e.f.Path)
	for _, k := range ex.moduleNameOf {
		if in[k.Module] && (e.before.passes != e.after.passes || e.rebound[k.Name]) {
			e.stale.Add(ex.moduleNames[k])
		}
	}
}
