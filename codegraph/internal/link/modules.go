package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// modules finds what imports name.
type modules struct {
	prog      *symtab.Program
	langs     []lang.Frontend
	tree      *tree
	resolvers map[string]lang.Resolver // by language
	modules   []*module
	moduleOf  map[string]int32 // by moduleKey
	asked     symtab.PerFile[askedModules]
}

// A module is a resolver's module with the language it is seen from.
type module struct {
	lang.Module
	number int32
	res    lang.Resolver
	rules  *lang.Rules
	subs   map[string]*module // submodules asked for; nil where there is none
}

// askedModules are the modules that a file was found to name; nil where that leads outside.
type askedModules struct {
	imports       map[int32]*module  // by import
	named         map[string]*module // by the name of the module alone
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

// makeResolvers makes the resolvers for a state.
func (ms *modules) makeResolvers(src Source) {
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
func (ms *modules) importModule(f *symtab.File, i int32) (int32, bool) {
	asked := ms.asked.Of(f)
	m, ok := asked.imports[i]
	if !ok {
		m = ms.ask(f, f.Facts.Imports[i])
		if asked.imports == nil {
			asked.imports = map[int32]*module{}
		}
		asked.imports[i] = m
	}
	return m.known()
}

// firstModule gives the module that the first name of a dotted import names.
func (ms *modules) firstModule(f *symtab.File, i int32) (int32, bool) {
	first, _, _ := strings.Cut(f.Facts.Imports[i].Module, ".")
	return ms.moduleNamed(f, first)
}

// moduleNamed gives the module that a name alone means in f.
func (ms *modules) moduleNamed(f *symtab.File, name string) (int32, bool) {
	asked := ms.asked.Of(f)
	m, ok := asked.named[name]
	if !ok {
		m = ms.ask(f, lang.Import{Module: name})
		if asked.named == nil {
			asked.named = map[string]*module{}
		}
		asked.named[name] = m
	}
	return m.known()
}

func (m *module) known() (int32, bool) {
	if m == nil {
		return 0, false
	}
	return m.number, true
}

// same tells whether a module is still what it was.
func (m *module) same(now lang.Module) bool {
	return m.Dir == now.Dir && m.HasDir == now.HasDir && m.Inner == now.Inner && slices.Equal(m.Files, now.Files)
}

// ask gives the module that f means, nil when it lies outside.
func (ms *modules) ask(f *symtab.File, imp lang.Import) *module {
	m, ok := f.Resolver.Module(f.Path, imp)
	if !ok {
		return nil
	}
	n := ms.module(m)
	ms.modules[n].res, ms.modules[n].rules = f.Resolver, f.Rules
	return ms.modules[n]
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

// siblings lists the files, f left out, that share f's top-level names.
func (ms *modules) siblings(f *symtab.File) []*symtab.File {
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

// sharing lists the files that look names up in f as if it were they.
func (ms *modules) sharing(f *symtab.File) []*symtab.File {
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

// forget drops what the imports of a file were found to name.
func (ms *modules) forget(f *symtab.File) {
	asked := ms.asked.Of(f)
	asked.imports, asked.named = nil, nil
}

// forgetSiblings drops which files share a file's names.
func (ms *modules) forgetSiblings(f *symtab.File) {
	asked := ms.asked.Of(f)
	asked.siblings, asked.siblingsKnown = nil, false
}
