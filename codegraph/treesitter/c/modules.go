package c

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds included files. Which folders a compiler searches is not in the repository, so they are
// guessed: the folder of the including file and those above it, each with its include and src folders, and then the file
// whose path ends in what is written, where just one does or one is nearest.
type modules struct {
	t      lang.Tree
	byBase map[string][]string
	found  map[[2]string]string
}

func newModules(t lang.Tree) *modules {
	return &modules{t: t, found: map[[2]string]string{}}
}

func (m *modules) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }

func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	dir := core.Dir(from)
	k := [2]string{dir, imp.Module}
	p, ok := m.found[k]
	if !ok {
		p = m.find(dir, imp.Module)
		m.found[k] = p
	}
	if p == "" || p == from {
		return lang.Module{}, false
	}
	return lang.Module{Files: []string{p}}, true
}

func (m *modules) find(dir, name string) string {
	name, angled := strings.CutPrefix(name, "<")
	if name = strings.TrimSuffix(name, ">"); name == "" || strings.HasPrefix(name, "/") {
		return ""
	}
	if angled && stdHeaders[name] {
		return ""
	}
	if !angled {
		if p := path.Join(dir, name); m.t.HasFile(p) {
			return p
		}
	}
	rel := path.Clean(name)
	for strings.HasPrefix(rel, "../") {
		rel = rel[3:]
	}
	for d := dir; ; d = core.Dir(d) {
		for _, sub := range []string{"", "include", "src", "lib", "inc"} {
			if p := path.Join(d, sub, rel); m.t.HasFile(p) {
				return p
			}
		}
		if d == "" {
			break
		}
	}
	if m.byBase == nil {
		m.byBase = map[string][]string{}
		for _, d := range append([]string{""}, m.t.Dirs()...) {
			for _, f := range m.t.Files(d) {
				m.byBase[path.Base(f)] = append(m.byBase[path.Base(f)], f)
			}
		}
	}
	best, near, same := "", -1, false
	for _, f := range m.byBase[path.Base(rel)] {
		if f != rel && !strings.HasSuffix(f, "/"+rel) {
			continue
		}
		n := sharedDirs(dir, core.Dir(f))
		if n > near {
			best, near, same = f, n, false
		} else if n == near {
			same = true
		}
	}
	if same {
		return ""
	}
	return best
}

// sharedDirs counts the folders at the beginning of two paths that are the same.
func sharedDirs(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, ra, _ := strings.Cut(a, "/")
		y, rb, _ := strings.Cut(b, "/")
		if x != y {
			break
		}
		a, b = ra, rb
		n++
	}
	return n
}
