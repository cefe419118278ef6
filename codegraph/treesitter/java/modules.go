package java

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds packages by the package clauses of the files, wherever the roots of the sources are.
type modules struct {
	core.Flat
	t        lang.Tree
	packages map[string][]string // files by package
	found    core.Memo[[2]string]
}

func newModules(t lang.Tree) lang.Resolver {
	m := &modules{t: t, packages: map[string][]string{}, found: core.Memo[[2]string]{}}
	for p := range core.Sources(t, ".java") {
		if pkg := t.Package(p); pkg != "" {
			m.packages[pkg] = append(m.packages[pkg], p)
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
	return m.found.Find([2]string{dir, name}, func() (lang.Module, bool) { return m.find(dir, name) })
}

func (m *modules) find(dir, name string) (lang.Module, bool) {
	for pkg, class := name, ""; ; {
		if files := m.packages[pkg]; files != nil {
			first, _, _ := strings.Cut(class, ".")
			files = nearest(dir, files)
			if class != "" && !core.Capital(first) && !slices.ContainsFunc(files, func(p string) bool { return path.Base(p) == first+".java" }) {
				return lang.Module{}, false // a package of another name
			}
			return lang.Module{Dir: core.Dir(files[0]), Files: files, Inner: class}, true
		}
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			return lang.Module{}, false
		}
		pkg, class = pkg[:i], strings.TrimSuffix(pkg[i+1:]+"."+class, ".")
	}
}

// nearest leaves out of several files of one name all but the one that shares most of its path with a folder: modules of
// one repository may each have a class of the same full name.
func nearest(dir string, files []string) []string {
	best := map[string]string{}
	for _, p := range files {
		have, ok := best[path.Base(p)]
		if !ok || core.SharedDirs(dir, core.Dir(p)) > core.SharedDirs(dir, core.Dir(have)) {
			best[path.Base(p)] = p
		}
	}
	if len(best) == len(files) {
		return files
	}
	return slices.DeleteFunc(slices.Clone(files), func(p string) bool { return best[path.Base(p)] != p })
}
