package java

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds packages by the package clauses of the files, wherever the roots of the sources are.
type modules struct {
	t        lang.Tree
	packages map[string][]string // files by package
	found    map[query]answer
}

type query struct{ dir, name string }

type answer struct {
	m  lang.Module
	ok bool
}

func newModules(t lang.Tree) *modules {
	m := &modules{t: t, packages: map[string][]string{}, found: map[query]answer{}}
	for _, d := range append([]string{""}, t.Dirs()...) {
		for _, p := range t.Files(d) {
			if strings.HasSuffix(p, ".java") {
				if pkg := t.Package(p); pkg != "" {
					m.packages[pkg] = append(m.packages[pkg], p)
				}
			}
		}
	}
	return m
}

// Module gives the package that an import takes its names from, or the class of it. "." is the package of the file itself.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	dir, name := core.Dir(from), imp.Module
	if name == "." {
		if name = m.t.Package(from); name == "" { // without a name: the files beside it
			var files []string
			for _, p := range m.t.Files(dir) {
				if strings.HasSuffix(p, ".java") && m.t.Package(p) == "" {
					files = append(files, p)
				}
			}
			return lang.Module{Dir: dir, Files: files}, true
		}
	}
	q := query{dir, name}
	a, ok := m.found[q]
	if !ok {
		a.m, a.ok = m.find(dir, name)
		m.found[q] = a
	}
	return a.m, a.ok
}

func (m *modules) find(dir, name string) (lang.Module, bool) {
	for pkg, class := name, ""; ; {
		if files := m.packages[pkg]; files != nil {
			first, _, _ := strings.Cut(class, ".")
			files = nearest(dir, files)
			if class != "" && !core.Capital(first) && !declares(files, first) {
				return lang.Module{}, false // a package of another name
			}
			return lang.Module{Dir: core.Dir(files[0]), Files: files, Inner: class}, true
		}
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return lang.Module{}, false
		}
		if class = strings.TrimSuffix(pkg[i+1:]+"."+class, "."); true {
			pkg = pkg[:i]
		}
	}
}

func declares(files []string, class string) bool {
	for _, p := range files {
		if path.Base(p) == class+".java" {
			return true
		}
	}
	return false
}

// nearest leaves out of several files of one name all but the one that shares most of its path with a folder: modules of
// one repository may each have a class of the same full name.
func nearest(dir string, files []string) []string {
	best := map[string]string{}
	twice := false
	for _, p := range files {
		have, ok := best[path.Base(p)]
		twice = twice || ok
		if !ok || shared(dir, p) > shared(dir, have) {
			best[path.Base(p)] = p
		}
	}
	if !twice {
		return files
	}
	var out []string
	for _, p := range files {
		if best[path.Base(p)] == p {
			out = append(out, p)
		}
	}
	return out
}

// shared counts the bytes of whole names that a folder and a path have in common at their beginning.
func shared(dir, p string) int {
	n, at := min(len(dir), len(p)), 0
	for i := 0; i < n && dir[i] == p[i]; i++ {
		if dir[i] == '/' {
			at = i
		}
	}
	if strings.HasPrefix(p, dir+"/") {
		at = len(dir)
	}
	return at
}

// Sub gives nothing: packages are no members of one another.
func (m *modules) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }
