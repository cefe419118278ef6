package rust

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A useLeaf is one name that a use declaration imports.
type useLeaf struct {
	path  []string // its names from the root on; a leading "" is that of "::a"
	alias string   // "_" when it is brought without a name
	glob  bool     // all names of the path
	node  int32
}

// useTree calls f for each name of a use tree.
func (p *syntax) useTree(n int32, path []string, f func(useLeaf)) {
	if n < 0 || len(path) > 64 {
		return
	}
	step := func(names ...string) []string { return append(path[:len(path):len(path)], names...) }
	leaf := func(path []string, alias string, at int32) {
		if len(path) > 0 && path[len(path)-1] == "self" && len(path) > 1 {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			return
		}
		if alias == "" {
			alias = path[len(path)-1]
		}
		f(useLeaf{path: path, alias: alias, node: at})
	}
	switch p.Kind(n) {
	case "identifier", "self", "super", "crate", "scoped_identifier":
		leaf(step(p.pathNames(n)...), "", n)
	case "use_as_clause":
		leaf(step(p.pathNames(p.Field(n, "path"))...), p.Text(p.Field(n, "alias")), n)
	case "use_wildcard":
		f(useLeaf{path: step(p.pathNames(p.Child(n, 0))...), glob: true, node: n})
	case "use_list":
		for c := range p.Children(n) {
			p.useTree(c, path, f)
		}
	case "scoped_use_list":
		p.useTree(p.Field(n, "list"), step(p.pathNames(p.Field(n, "path"))...), f)
	}
}

// pathNames gives the names of a path.
func (p *syntax) pathNames(n int32) []string {
	if n < 0 {
		return nil
	}
	parts := strings.Split(p.Text(n), "::")
	for i := range parts {
		parts[i] = strings.TrimPrefix(strings.TrimSpace(parts[i]), "r#")
	}
	return parts
}

// use binds the names of a use declaration.
func (p *paths) use(n, scope int32) {
	p.useTree(p.Field(n, "argument"), nil, func(u useLeaf) {
		x := p.usePath(u, scope)
		if x == lang.None {
			return
		}
		if u.glob {
			p.B.Bind(lang.Using, scope, "*", x, p.Line(u.node))
			return
		}
		p.B.Bind(lang.Using, scope, u.alias, x, p.Line(u.node))
		last := u.path[len(u.path)-1]
		if len(u.path) > 1 && p.invoked[u.alias] && !stdMacros[u.alias] {
			u.path = u.path[:len(u.path)-1]
			p.B.Bind(lang.Using, scope, u.alias+"!", p.orElse(p.B.Of(lang.OpAttr, p.usePath(u, scope), last+"!"), p.macrosOf(u.path[0], last)), p.Line(u.node))
		}
	})
}

// usePath gives the sketch of the path of a use.
func (p *paths) usePath(u useLeaf, scope int32) int32 {
	path := u.path
	x := lang.None
	up := 0
	for len(path) > 0 && (path[0] == "super" || path[0] == "self") {
		if path[0] == "super" {
			up++
		}
		x = p.around(scope, up)
		path = path[1:]
	}
	if x == lang.None && len(path) > 0 {
		switch path[0] {
		case "":
			if path = path[1:]; len(path) == 0 {
				return x
			}
			x = p.Module("::" + path[0])
		case "crate":
			x = p.Module("crate")
		case "std", "core", "alloc":
			return p.external
		default:
			x = p.firstName(path[0], u.alias, scope)
		}
		path = path[1:]
	}
	for _, name := range path {
		x = p.B.Of(lang.OpAttr, x, name)
	}
	return x
}

// firstName gives what the first name of a use path means in a scope: a module or type declared there or brought there,
// else a crate.
func (p *paths) firstName(name, alias string, scope int32) int32 {
	for s := scope; ; s = p.Declared(s).Parent {
		k := scopedName{s, name}
		if x, ok := p.mods[k]; ok {
			return x
		}
		if d, ok := p.nested[k]; ok && p.Declared(d).Kind != lang.Function {
			return p.B.Decl(d)
		}
		if p.useNames[k] && alias != name {
			return p.B.Name(s, name)
		}
		if p.globUses[s] && alias != name {
			return p.orElse(p.Module("::"+name), p.B.Name(s, name))
		}
		if s == lang.File || p.Declared(s).Kind == lang.Namespace {
			return p.Module("::" + name)
		}
	}
}

// around gives the module around a scope, so many levels up.
func (p *paths) around(scope int32, up int) int32 {
	for scope != lang.File {
		if p.Declared(scope).Kind == lang.Namespace {
			if up == 0 {
				return p.B.Decl(scope)
			}
			up--
		}
		scope = p.Declared(scope).Parent
	}
	if up == 0 {
		return p.Module("self")
	}
	return p.Module(strings.TrimSuffix(strings.Repeat("super/", min(up, 32)), "/"))
}

// ancestor gives the module that a chain of "super" names.
func (p *paths) ancestor(n, scope int32) int32 {
	return p.around(scope, strings.Count(p.Text(n), "super"))
}

// macrosOf gives a macro by its name in a crate, wherever it is defined there.
func (p *paths) macrosOf(first, name string) int32 {
	switch first {
	case "crate", "self", "super", "":
		return p.B.Of(lang.OpAttr, p.Module("macros crate"), name+"!")
	}
	return p.B.Of(lang.OpAttr, p.Module("macros ::"+first), name+"!")
}

func (p *paths) externCrate(n, scope int32, attrs []int32) {
	name := p.Text(p.Field(n, "name"))
	alias := p.Text(p.Field(n, "alias"))
	if alias == "" {
		alias = name
	}
	if name == "" || name == "std" || name == "core" || name == "alloc" {
		return
	}
	x := p.Module("::" + name)
	if name == "self" {
		x = p.Module("crate")
	}
	p.B.Bind(lang.Using, scope, alias, x, p.Line(n))
	if _, ok := p.hasAttribute(attrs, "macro_use"); ok && len(p.crates) < 64 {
		p.crates = append(p.crates, name)
	}
}
