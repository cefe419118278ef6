package gosyntax

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// modules finds packages by the go.mod and go.work files of the repository.
type modules struct {
	t      lang.Tree
	mods   map[string]*gomod    // by folder
	paths  []*gomod             // longest module path first, then by folder
	works  map[string]*gomod    // by folder
	builds map[string]*build    // by file; nil: part of every build
	apart  map[[2]string]bool   // by constraints
	shapes map[[2]string]string // by method name and signature
}

func newModules(t lang.Tree) *modules {
	m := &modules{t: t, mods: map[string]*gomod{}, works: map[string]*gomod{}, builds: map[string]*build{}, apart: map[[2]string]bool{},
		shapes: map[[2]string]string{}}
	for _, p := range t.Configs("go.mod") {
		b, _ := t.Config(p)
		g := parseMod(b, dirOf(p))
		m.mods[g.dir] = &g
		if g.path != "" {
			m.paths = append(m.paths, &g)
		}
	}
	slices.SortStableFunc(m.paths, func(a, b *gomod) int { return len(b.path) - len(a.path) })
	for _, p := range t.Configs("go.work") {
		b, _ := t.Config(p)
		g := parseMod(b, dirOf(p))
		m.works[g.dir] = &g
	}
	return m
}

// Module gives the package with an import path; the path "." is the package of the file itself.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	if imp.Module == "." {
		return lang.Module{Dir: dirOf(from), Files: m.files(from, dirOf(from), m.packageOf(from), true)}, true
	}
	dir, ok := m.packageDir(from, imp.Module)
	if !ok {
		return lang.Module{}, false
	}
	pkg := ""
	for _, p := range m.t.Files(dir) {
		if strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") {
			if name := m.packageOf(p); pkg == "" || pkg == "main" {
				pkg = name
			}
		}
	}
	// What test files add to a package is there for the tests of the same folder.
	tests := strings.HasSuffix(from, "_test.go") && dirOf(from) == dir
	files := m.files(from, dir, pkg, tests)
	return lang.Module{Dir: dir, Files: files}, len(files) > 0
}

// module gives the nearest go.mod at or above a folder, nil when there is none.
func (m *modules) module(dir string) *gomod { return nearest(m.mods, dir) }

func nearest(in map[string]*gomod, dir string) *gomod {
	for {
		if g := in[dir]; g != nil {
			return g
		}
		if dir == "" {
			return nil
		}
		dir = dirOf(dir)
	}
}

// packageDir finds the folder of an import path, in the order in which the go command looks: the vendored copy, the module itself,
// what it replaces, the workspace. Last come other modules of the repository: which version of them a build would take is not
// looked at.
func (m *modules) packageDir(from, imp string) (string, bool) {
	if strings.HasPrefix(imp, "./") || strings.HasPrefix(imp, "../") {
		return within(dirOf(from), imp)
	}
	own := m.module(dirOf(from))
	if own != nil {
		if d := path.Join(own.dir, "vendor", imp); m.t.HasDir(d) && len(m.t.Files(d)) > 0 {
			return d, true
		}
		if d, ok := m.dirIn(own, imp); ok {
			return d, true
		}
		if own.path == "std" && m.t.HasDir(path.Join(own.dir, imp)) {
			return path.Join(own.dir, imp), true
		}
	}
	work := nearest(m.works, dirOf(from))
	for _, g := range []*gomod{work, own} {
		if g == nil {
			continue
		}
		best, found := root{}, false
		for _, r := range g.replaces {
			if _, ok := relativeTo(imp, r.path); ok && len(r.path) >= len(best.path) {
				best, found = r, true
			}
		}
		if found {
			rest, _ := relativeTo(imp, best.path)
			return path.Join(best.dir, rest), true
		}
	}
	if work != nil {
		for _, g := range m.paths {
			if d, ok := m.dirIn(g, imp); ok && slices.Contains(work.uses, g.dir) {
				return d, true
			}
		}
	}
	for _, g := range m.paths {
		if d, ok := m.dirIn(g, imp); ok {
			return d, true
		}
	}
	if len(m.mods) == 0 {
		return m.gopathDir(imp)
	}
	return "", false
}

// dirIn gives the folder of an import path in a module; a folder below it with a go.mod of its own is not part of it.
func (m *modules) dirIn(g *gomod, imp string) (string, bool) {
	rest, ok := relativeTo(imp, g.path)
	if !ok || g.path == "" {
		return "", false
	}
	d := path.Join(g.dir, rest)
	return d, m.module(d) == g
}

// gopathDir finds packages of a repository from before modules: below what hosts put in front of its folders.
func (m *modules) gopathDir(imp string) (string, bool) {
	host, _, _ := strings.Cut(imp, "/")
	if !strings.Contains(host, ".") {
		return "", false
	}
	if d := path.Join("vendor", imp); m.t.HasDir(d) {
		return d, true
	}
	parts := strings.Split(imp, "/")
	for n := 2; n <= 3 && n <= len(parts); n++ { // gopkg.in/name, github.com/user/name
		if d := path.Join(parts[n:]...); d == "" && n == 3 || d != "" && m.t.HasDir(d) {
			return d, true
		}
	}
	return "", false
}

// packageOf gives the name in the package clause of a file. Its facts have the build constraint behind it.
func (m *modules) packageOf(p string) string {
	name, _, _ := strings.Cut(m.t.Package(p), " ")
	return name
}

// files lists the files of a package that may be in one build with a file.
func (m *modules) files(from, dir, pkg string, tests bool) []string {
	if dir == "." {
		dir = ""
	}
	var out []string
	for _, p := range m.t.Files(dir) {
		if strings.HasSuffix(p, ".go") && m.packageOf(p) == pkg && (tests || !strings.HasSuffix(p, "_test.go")) && !m.Apart(from, p) {
			out = append(out, p)
		}
	}
	return out
}

// Sub gives nothing: a Go package has no members that are packages.
func (m *modules) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }

func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
