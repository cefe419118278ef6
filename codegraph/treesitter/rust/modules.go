package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds modules by the trees that "mod" declarations make, and crates by the manifests of the repository.
// The package clause of a Rust file's facts lists the modules that it declares in files of their own; see rust.mod.
type modules struct {
	core.Flat
	t        lang.Tree
	parents  map[string]string // a file with the one that declares it
	crates   map[string][]string
	packages []*cargoPackage // deepest folder first
}

const maxModuleDepth = 128

func newModules(t lang.Tree) lang.Resolver { return &modules{t: t} }

// Module gives what a sketch of rust.module names: "self", "crate", "super" (or "super/super"), "mod name" for a module
// declared here, "::name" for a crate, "macros crate" and "macros ::name" for all files of a crate.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	m.load()
	what, rest, _ := strings.Cut(imp.Module, " ")
	switch {
	case what == "self":
		return m.files(from)
	case what == "crate":
		return m.files(m.root(from))
	case what == "super" || strings.HasPrefix(what, "super/"):
		f := from
		for range strings.Split(what, "/") {
			up, ok := m.parents[f]
			if !ok {
				return lang.Module{}, false
			}
			f = up
		}
		return m.files(f)
	case what == "mod":
		if f, ok := m.child(from, rest); ok {
			return m.files(f)
		}
	case what == "macros":
		root := m.root(from)
		if name, ok := strings.CutPrefix(rest, "::"); ok {
			if root, ok = m.crate(from, name); !ok {
				return lang.Module{}, false
			}
		}
		return m.files(m.crates[root]...)
	case strings.HasPrefix(what, "::"):
		if f, ok := m.crate(from, what[2:]); ok {
			return m.files(f)
		}
	}
	return lang.Module{}, false
}

func (m *modules) files(paths ...string) (lang.Module, bool) {
	return lang.Module{Files: paths}, len(paths) > 0
}

// load builds the trees of modules once.
func (m *modules) load() {
	if m.parents != nil {
		return
	}
	m.parents, m.crates = map[string]string{}, map[string][]string{}
	m.packages = readCargo(m.t)
	all := slices.Collect(core.Sources(m.t, ".rs"))
	for _, f := range all {
		for _, said := range strings.Fields(m.t.Package(f)) {
			if c, ok := m.child(f, said); ok && c != f {
				if old, have := m.parents[c]; !have || path.Base(f) == "lib.rs" && path.Base(old) != "lib.rs" {
					m.parents[c] = f
				}
			}
		}
	}
	for _, f := range all {
		if _, ok := m.parents[f]; !ok {
			if up, ok := m.guess(f); ok {
				m.parents[f] = up
			}
		}
	}
	for _, f := range all {
		r := m.root(f)
		m.crates[r] = append(m.crates[r], f)
	}
}

// guess gives the file that would declare a file whose declaration is nowhere to be seen, such as one within a macro.
func (m *modules) guess(f string) (string, bool) {
	dir, base := core.Dir(f), path.Base(f)
	switch base {
	case "lib.rs", "main.rs", "build.rs":
		return "", false
	case "mod.rs":
		if dir == "" {
			return "", false
		}
		f, dir = dir, core.Dir(dir)
	}
	for _, c := range []string{path.Join(dir, "mod.rs"), dir + ".rs", path.Join(dir, "lib.rs"), path.Join(dir, "main.rs")} {
		if c != f && m.t.HasFile(c) {
			return c, true
		}
	}
	return "", false
}

// child gives the file of a module that a file declares.
func (m *modules) child(from, said string) (string, bool) {
	dir, base := core.Dir(from), path.Base(from)
	if p, ok := strings.CutPrefix(said, "="); ok {
		for _, c := range []string{path.Join(dir, p), path.Join(dir, strings.TrimSuffix(base, ".rs"), p)} {
			if m.t.HasFile(c) {
				return c, true
			}
		}
		return "", false
	}
	dirs := []string{dir}
	if base != "lib.rs" && base != "main.rs" && base != "mod.rs" {
		dirs = []string{path.Join(dir, strings.TrimSuffix(base, ".rs")), dir} // a crate's root of any name has its modules beside it
	}
	for _, d := range dirs {
		for _, c := range []string{path.Join(d, said+".rs"), path.Join(d, said, "mod.rs")} {
			if m.t.HasFile(c) && c != from {
				return c, true
			}
		}
	}
	return "", false
}

// root gives the root file of the crate that a file is of.
func (m *modules) root(f string) string {
	for range maxModuleDepth {
		up, ok := m.parents[f]
		if !ok {
			break
		}
		f = up
	}
	return f
}

// crate gives the root file of a crate by the name that a file knows it by.
func (m *modules) crate(from, name string) (string, bool) {
	i := slices.IndexFunc(m.packages, func(p *cargoPackage) bool { return p.dir == "" || strings.HasPrefix(from, p.dir+"/") })
	if i < 0 {
		return "", false
	}
	own := m.packages[i]
	if own.lib == name {
		return own.root(m.t)
	}
	d, ok := own.deps[name]
	if !ok {
		return "", false
	}
	for _, p := range m.packages {
		if d.path != "" && p.dir == d.path || d.path == "" && p.name == d.name {
			return p.root(m.t)
		}
	}
	return "", false
}
