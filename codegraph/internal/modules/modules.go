package modules

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// Modules are what the imports of a program name, by number.
type Modules struct {
	prog      *symtab.Program
	langs     []lang.Frontend
	tree      *tree
	resolvers map[string]lang.Resolver // by language
	modules   []*Module
	moduleOf  map[string]int32 // by moduleKey
	asked     symtab.PerFile[askedModules]
}

// A Module is a resolver's module with the language it is seen from.
type Module struct {
	lang.Module
	number int32
	res    lang.Resolver
	rules  *lang.Rules
	subs   map[string]*Module // submodules asked for; nil where there is none
}

// A Name is a name in a module.
type Name struct {
	Module int32
	Name   string
}

// askedModules are the modules that a file was found to name; nil where that leads outside.
type askedModules struct {
	imports       map[int32]*Module  // by import
	named         map[string]*Module // by the name of the module alone
	siblings      []*symtab.File
	siblingsKnown bool
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

// New makes the resolvers of a state.
func New(prog *symtab.Program, langs []lang.Frontend, src State) *Modules {
	ms := &Modules{prog: prog, langs: langs, moduleOf: map[string]int32{}}
	ms.makeResolvers(src)
	return ms
}

// See takes another state in which resolvers give the same answers.
func (ms *Modules) See(src State) { ms.tree.src = src }

// HasDir tells whether a folder is there.
func (ms *Modules) HasDir(p string) bool { return ms.tree.HasDir(p) }

// With tells which modules a file is part of.
func (ms *Modules) With(path string) map[int32]bool {
	out := map[int32]bool{}
	for _, m := range ms.modules {
		if slices.Contains(m.Files, path) {
			out[m.number] = true
		}
	}
	return out
}

// Resolver gives the resolver of a language.
func (ms *Modules) Resolver(language string) lang.Resolver { return ms.resolvers[language] }

// At gives a module by its number.
func (ms *Modules) At(n int32) *Module { return ms.modules[n] }

// makeResolvers makes the resolvers for a state.
func (ms *Modules) makeResolvers(src State) {
	ms.tree = newTree(src)
	ms.resolvers = map[string]lang.Resolver{}
	for _, fe := range slices.Concat(ms.langs, []lang.Frontend{sourcetext.PlainText{}}) {
		if ms.prog.Rules[fe.Name()] == nil {
			r := fe.Rules()
			ms.prog.Rules[fe.Name()] = &r
		}
		ms.resolvers[fe.Name()] = fe.Resolver(ms.tree)
	}
}

// module numbers a module.
func (ms *Modules) module(m lang.Module) int32 {
	k := moduleKey(m)
	i, ok := ms.moduleOf[k]
	if !ok {
		i = int32(len(ms.modules))
		ms.moduleOf[k] = i
		ms.modules = append(ms.modules, &Module{Module: m, number: i})
	}
	return i
}

// Import gives the module that an import of f names, as number; for a member import the module it is taken from.
func (ms *Modules) Import(f *symtab.File, i int32) (int32, bool) {
	asked := ms.asked.Of(f)
	m, ok := asked.imports[i]
	if !ok {
		m = ms.ask(f, f.Facts.Imports[i])
		if asked.imports == nil {
			asked.imports = map[int32]*Module{}
		}
		asked.imports[i] = m
	}
	return m.known()
}

// First gives the module that the first name of a dotted import names.
func (ms *Modules) First(f *symtab.File, i int32) (int32, bool) {
	first, _, _ := strings.Cut(f.Facts.Imports[i].Module, ".")
	return ms.Named(f, first)
}

// Named gives the module that a name alone means in f.
func (ms *Modules) Named(f *symtab.File, name string) (int32, bool) {
	asked := ms.asked.Of(f)
	m, ok := asked.named[name]
	if !ok {
		m = ms.ask(f, lang.Import{Module: name})
		if asked.named == nil {
			asked.named = map[string]*Module{}
		}
		asked.named[name] = m
	}
	return m.known()
}

func (m *Module) known() (int32, bool) {
	if m == nil {
		return 0, false
	}
	return m.number, true
}

// same tells whether a module is still what it was.
func (m *Module) same(now lang.Module) bool {
	return m.Dir == now.Dir && m.HasDir == now.HasDir && m.Inner == now.Inner && slices.Equal(m.Files, now.Files)
}

// ask gives the module that f means, nil when it lies outside.
func (ms *Modules) ask(f *symtab.File, imp lang.Import) *Module {
	m, ok := f.Resolver.Module(f.Path, imp)
	if !ok {
		return nil
	}
	n := ms.module(m)
	ms.modules[n].res, ms.modules[n].rules = f.Resolver, f.Rules
	return ms.modules[n]
}

// Sub gives the submodule of a name, and remembers it.
func (ms *Modules) Sub(m *Module, name string) (int32, bool) {
	if !m.HasDir || m.res == nil {
		return 0, false
	}
	s, ok := m.subs[name]
	if !ok {
		if x, ok := m.res.Sub(m.Module, name); ok {
			s = ms.modules[ms.submodule(m, x)]
		}
		if m.subs == nil {
			m.subs = map[string]*Module{}
		}
		m.subs[name] = s
	}
	return s.known()
}

// Outer gives the module that holds the class which m is.
func (ms *Modules) Outer(m *Module) int32 {
	outer := m.Module
	outer.Inner = ""
	return ms.submodule(m, outer)
}

// submodule numbers a module that is seen from the language of m.
func (ms *Modules) submodule(m *Module, s lang.Module) int32 {
	n := ms.module(s)
	ms.modules[n].res, ms.modules[n].rules = m.res, m.rules
	return n
}

// Siblings lists the files, f left out, that share f's top-level names.
func (ms *Modules) Siblings(f *symtab.File) []*symtab.File {
	asked := ms.asked.Of(f)
	if !asked.siblingsKnown {
		asked.siblingsKnown = true
		if m, ok := f.Resolver.Module(f.Path, lang.Import{Module: "."}); ok {
			for _, p := range m.Files {
				if o := ms.prog.ByPath[p]; o != nil && o != f {
					asked.siblings = append(asked.siblings, o)
				}
			}
		}
	}
	return asked.siblings
}

// Sharing lists the files that look names up in f as if it were they.
func (ms *Modules) Sharing(f *symtab.File) []*symtab.File {
	if !f.Rules.PackageScope {
		return nil
	}
	var out []*symtab.File
	for _, g := range ms.prog.Files {
		if slices.Contains(ms.asked.Of(g).siblings, f) {
			out = append(out, g)
		}
	}
	return out
}

// Forget drops what the imports of a file were found to name.
func (ms *Modules) Forget(f *symtab.File) {
	asked := ms.asked.Of(f)
	asked.imports, asked.named = nil, nil
}

// ForgetSiblings drops which files share a file's names.
func (ms *Modules) ForgetSiblings(f *symtab.File) {
	asked := ms.asked.Of(f)
	asked.siblings, asked.siblingsKnown = nil, false
}
