package link

import (
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// methodsOutside makes the edges from classes to methods that are written outside of them.
func (l *Linker) methodsOutside(f *Linked) {
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Receiver == "" {
			continue
		}
		home := f.File.Decl(lang.File)
		if owners := l.values.Owners(f.File, d); len(owners) > 0 {
			home = l.prog.Decls[owners[0]]
		}
		f.edgeFrom(home, f.File.Decl(int32(i)), model.Contain, 0, model.SiteOf(d))
	}
}

// definitions makes the edges from announcements to what they announce.
func (l *Linker) definitions(f *Linked) {
	if !f.Rules.Includes {
		return
	}
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Flags&lang.Forward == 0 {
			continue
		}
		for _, v := range l.values.Defining(f.IDs[i]) {
			if r := l.prog.Decls[v.A]; v.A != f.IDs[i] {
				f.edge(int32(i), r, model.Define, v.Level, model.SiteOf(d))
			}
		}
	}
}

// imports makes the edges from a file to the files and entities it imports.
func (l *Linker) imports(f *Linked) {
	for i := range f.Facts.Imports {
		imp := &f.Facts.Imports[i]
		if imp.Module == "" && imp.Level == 0 {
			continue // a re-export of something imported or declared here
		}
		m, ok := l.modules.Import(f.File, int32(i))
		if !ok {
			continue
		}
		at := model.AtLine(imp.Line)
		made := false
		if imp.Name != "" && imp.Name != "*" {
			for _, v := range l.values.Imported(m, imp.Name) {
				switch v.Kind {
				case value.Class, value.Func:
					if d := l.prog.Decls[v.A]; d.Decl().Kind != lang.Lambda && d.F != f.File {
						f.edge(lang.File, d, model.Import, model.LevelImport, at)
						made = true
					}
				case value.Module:
					made = l.importFiles(f, v.A, at) || made
				}
			}
		}
		if !made {
			l.importFiles(f, m, at)
		}
	}
}

// importFiles makes the edge to a module: to its file, or to the directory when all files of it are the module.
func (l *Linker) importFiles(f *Linked, n int32, at model.Site) bool {
	m := l.values.ModuleFiles(n)
	if m.Inner != "" {
		for _, v := range l.values.InnerClass(m) {
			if d := l.prog.Decls[v.A]; v.Kind == value.Class && d.F != f.File {
				f.edge(lang.File, d, model.Import, model.LevelImport, at)
			}
		}
		return true
	}
	if f.Rules.PackageScope && len(m.Files) > 0 {
		for j, p := range m.Files {
			if d := modules.DirOf(p); j == 0 || d != modules.DirOf(m.Files[j-1]) {
				f.edge(lang.File, l.dir(d).Decl(lang.File), model.Import, model.LevelImport, at)
			}
		}
		return true
	}
	if f.Rules.PackageScope || len(m.Files) == 0 && m.HasDir {
		if l.modules.HasDir(m.Dir) {
			f.edge(lang.File, l.dir(m.Dir).Decl(lang.File), model.Import, model.LevelImport, at)
			return true
		}
		return false
	}
	for _, p := range m.Files {
		if o := l.prog.ByPath[p]; o != nil && o != f.File {
			f.edge(lang.File, o.Decl(lang.File), model.Import, model.LevelImport, at)
		}
	}
	return true
}

// wildcardEdges makes the import edge of a name that is brought in from elsewhere.
func (l *Linker) wildcardEdges(f *Linked, b *lang.Binding) {
	at := model.AtLine(b.Line)
	for _, v := range l.values.Eval(f.File, b.Value) {
		switch v.Kind {
		case value.Class, value.Func:
			if d := l.prog.Decls[v.A]; d.Decl().Kind != lang.Lambda && d.F != f.File {
				f.edge(lang.File, d, model.Import, model.LevelImport, at)
			}
		case value.Space:
			if d := l.prog.Decls[v.A]; d.F != f.File {
				f.edge(lang.File, d.F.Decl(lang.File), model.Import, model.LevelImport, at)
			}
		case value.Module:
			l.importFiles(f, v.A, at)
		}
	}
}

// inherits makes the edges from classes to their bases.
func (l *Linker) inherits(f *Linked) {
	for _, b := range f.Facts.Bindings {
		if b.Kind == lang.Using {
			l.wildcardEdges(f, &b)
		}
		if b.Kind != lang.Extend {
			continue
		}
		e := f.Expr(b.Value)
		at := model.AtLine(b.Line)
		for _, c := range l.values.Eval(f.File, b.Target) {
			for _, v := range l.values.Eval(f.File, b.Value) {
				if c.Kind == value.Class && v.Kind == value.Class && c.A != v.A && e.Op != lang.OpUnknown {
					from, to := l.prog.Decls[c.A], l.prog.Decls[v.A]
					f.edgeFrom(from, to, model.Inherit, max(v.Level, c.Level, model.LevelScope), at)
				}
			}
		}
	}
	for i := range f.Facts.Decls {
		if f.Facts.Decls[i].Flags&lang.AliasType != 0 {
			continue
		}
		for _, x := range f.Facts.Decls[i].Bases {
			for _, v := range l.values.Eval(f.File, x) {
				if v.Kind == value.Class && v.A != f.IDs[i] {
					d := l.prog.Decls[v.A]
					f.edge(int32(i), d, model.Inherit, max(v.Level, model.LevelScope), model.SiteOf(&f.Facts.Decls[i]))
				}
			}
		}
	}
}

// dir gives the file that stands for a directory.
func (l *Linker) dir(p string) *symtab.File {
	if p == "" {
		p = "/"
	}
	d := l.dirs[p]
	if d == nil {
		d = &symtab.File{Path: p}
		l.dirs[p] = d
	}
	return d
}
