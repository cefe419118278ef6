package gosyntax

import (
	"path"
	"sort"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// modules finds packages by the module paths of the repository's go.mod files.
type modules struct {
	t     lang.Tree
	roots []root // longest module path first
}

type root struct{ path, dir string }

func newModules(t lang.Tree) *modules {
	m := &modules{t: t}
	for _, p := range t.Configs("go.mod") {
		b, _ := t.Config(p)
		for line := range strings.Lines(string(b)) {
			f := strings.Fields(line)
			if len(f) >= 2 && f[0] == "module" {
				m.roots = append(m.roots, root{strings.Trim(f[1], `"`), dirOf(p)})
				break
			}
		}
	}
	sort.SliceStable(m.roots, func(i, j int) bool { return len(m.roots[i].path) > len(m.roots[j].path) })
	return m
}

// Module gives the package with an import path; the path "." is the package of the file itself.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	if imp.Module == "." {
		return lang.Module{Dir: dirOf(from), Files: m.files(dirOf(from), m.t.Package(from), true)}, true
	}
	dir, ok := m.dir(from, imp.Module)
	if !ok {
		return lang.Module{}, false
	}
	pkg := ""
	for _, p := range m.t.Files(dir) {
		if strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") {
			if name := m.t.Package(p); pkg == "" || pkg == "main" {
				pkg = name
			}
		}
	}
	files := m.files(dir, pkg, false)
	return lang.Module{Dir: dir, Files: files}, len(files) > 0
}

func (m *modules) dir(from, imp string) (string, bool) {
	if strings.HasPrefix(imp, "./") || strings.HasPrefix(imp, "../") {
		d := path.Join(dirOf(from), imp)
		return d, !strings.HasPrefix(d, "..")
	}
	for _, r := range m.roots {
		if rest, ok := strings.CutPrefix(imp, r.path); ok && (rest == "" || rest[0] == '/') {
			return path.Join(r.dir, strings.TrimPrefix(rest, "/")), true
		}
	}
	return "", false
}

func (m *modules) files(dir, pkg string, tests bool) []string {
	if dir == "." {
		dir = ""
	}
	var out []string
	for _, p := range m.t.Files(dir) {
		if strings.HasSuffix(p, ".go") && m.t.Package(p) == pkg && (tests || !strings.HasSuffix(p, "_test.go")) {
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
